"""How is a setting made that has several parts? A topic: one JSON object, each part with a default and a check.

What is left out has its default, so that a kept value is always whole. What is not known is refused by name.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from typing import Any

from treering.errors import InvalidRequest
from treering.model.memory import Kind, memory_kind

Check = Callable[[str, Any], Any]
"""From the part's full name and what was given to what is kept."""


class Topic:
    def __init__(self, name: str, rule: Callable[[dict[str, Any]], str | None] | None = None, **parts: Any) -> None:
        """`parts`: (default, check) by name. `rule` says what is wrong with the parts together, if anything."""
        self._name, self._rule, self._parts = name, rule, parts

    @property
    def default(self) -> dict[str, Any]:
        return {name: default for name, (default, _) in self._parts.items()}

    def check(self, value: Any) -> dict[str, Any]:
        if value is None:
            return self.default
        given = some_parts(self._name, value, self._parts)
        whole = {**self.default, **{part: self._parts[part][1](f"{self._name}.{part}", one) for part, one in given}}
        wrong = self._rule(whole) if self._rule else None
        if wrong:
            raise InvalidRequest(f"{self._name}: {wrong}")
        return whole


def some_parts(name: str, value: Any, known: Mapping[str, Any]) -> list[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        raise InvalidRequest(f"{name}: {value!r} is not an object; give one with some of: {', '.join(known)}")
    for part in value:
        if part not in known:
            near = difflib.get_close_matches(str(part), known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise InvalidRequest(f"{name}: has no part {part!r}; {hint}")
    return list(value.items())


def number(low: float, high: float) -> Check:
    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise InvalidRequest(f"{name}: {value!r} is not a number; give one from {low:g} to {high:g}")
        if not low <= value <= high:
            raise InvalidRequest(f"{name}: {value:g} is out of bounds; give a number from {low:g} to {high:g}")
        return float(value)

    return check


def whole(low: int, high: int) -> Check:
    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InvalidRequest(f"{name}: {value!r} is not a whole number from {low} to {high:,}")
        return value

    return check


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidRequest(f"{name}: {value!r} is neither true nor false")
    return value


def one_of(*words: str) -> Check:
    def check(name: str, value: Any) -> str:
        if value not in words:
            raise InvalidRequest(f"{name}: {value!r} is not one of {', '.join(words)}")
        return str(value)

    return check


_PACE = {
    "model": one_of("power_law", "exponential", "two_component"),
    "half_life_days": number(0.01, 36_500),
    "beta": number(0, 2),
}


def pace(part: str) -> Check:
    return _PACE[part]


def _kind(name: str) -> str:
    return memory_kind(name).value


def _tag(name: str) -> str:
    if not name.strip():
        raise InvalidRequest("decay.tags: an empty tag is on no memory")
    return name.strip()


def paces(called: Callable[[str], str], most: int) -> Check:
    """Own paces by name, each with any of the parts of a pace."""

    def check(name: str, value: Any) -> dict[str, dict[str, Any]]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value) or len(value) > most:
            raise InvalidRequest(f"{name}: {value!r} is not an object of at most {most} names with a pace each")
        return {
            called(key): {part: _PACE[part](f"{name}.{key}.{part}", it) for part, it in some_parts(name, one, _PACE)}
            for key, one in value.items()
        }

    return check


of_kinds = paces(_kind, len(Kind) + 2)
of_tags = paces(_tag, 100)

"""HOW is what comes from other tools kept free of secrets? Every way in (files, exports, databases, notes, transcripts)
hands its records to a `Masking` before anything is made of them, and goes on with what it gets back.

Records are masked as they were read, before names are folded, texts cut and ids put together from words: a secret in
capitals, or the half of one, is no longer known as one. What somebody tells the door in so many words is theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from treering.language.secrets import is_secret_of, masked, without

T = TypeVar("T")
_OF_AN_ID = re.compile(r"(?:.*[_-])?(?:ids?|uuids?|hash|guid)|parent|children|current_node|.*Id", re.I)
"""Fields whose values are drawn by chance and name something."""


class Masking:
    """For one taking-in: a secret that is named as one in any of its texts is masked in all of them. `found` counts by
    kind; with `on` false everything is given back as it came."""

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self.found = Counter[str]()
        self._known: set[str] = set()

    def text(self, text: str) -> str:
        return masked(text, self.found, self._known) if self.on else text

    def value(self, value: T) -> T:
        """The same with all its texts masked, however deep: of lists, mappings and dataclasses."""
        if not self.on:
            return value
        first: T = self._walked(value, "", known=False)
        return self._walked(first, "", known=True) if self._known else first

    def _walked(self, value: Any, name: str, known: bool) -> Any:
        match value:
            case str():
                return self._masked(value, name, known)
            case Mapping():
                return {self._named(key, known): self._walked(one, str(key), known) for key, one in value.items()}
            case list() | tuple() | set() | frozenset():
                return type(value)(self._walked(one, name, known) for one in value)
        if is_dataclass(value) and not isinstance(value, type):
            told = {one.name: getattr(value, one.name) for one in fields(value)}
            other = {key: self._walked(one, key, known) for key, one in told.items()}
            changed = {key: one for key, one in other.items() if one is not told[key] and one != told[key]}
            return replace(value, **changed) if changed else value
        return value

    def _named(self, key: Any, known: bool) -> Any:
        return self._masked(key, "id", known) if isinstance(key, str) else key

    def _masked(self, text: str, name: str, known: bool) -> str:
        if known:
            return without(text, self._known)
        if is_secret_of(name, text):
            self.found["password"] += 1
            return "[masked: password]"
        return masked(text, self.found, self._known, by_chance=not _OF_AN_ID.fullmatch(name))

    def notes(self) -> Iterator[str]:
        """For people: how many, and of which kinds."""
        if self.found:
            kinds = ", ".join(f"{count:,} × {kind}" for kind, count in sorted(self.found.items()))  # noqa: RUF001
            yield f"masked as secrets: {kinds}; TREERING_SECRETS=keep takes them as they are"

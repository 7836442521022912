"""What may a space decide for itself? One table: name, default, help, and the check a value must pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treering.errors import InvalidRequest
from treering.model.edge import fact_relation


def _relations(value: Any) -> list[str]:
    if not isinstance(value, list | tuple):
        raise InvalidRequest(f"functional_relations: {value!r} is not a list of relation names")
    return sorted({fact_relation(one) for one in value})


def _embedder(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and re.fullmatch(r"[a-z0-9_-]+(/[\w.:/-]+)?", value)):
        return value
    raise InvalidRequest(f"embedder: {value!r} is not the name of an embedder, such as turnfinder, static or none")


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    default: Any
    help: str
    check: Callable[[Any], Any]


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "functional_relations",
            ["HAS_ROLE", "LIVES_IN", "PARTNER_OF", "WORKS_FOR"],
            "Fact relations that have one value for a subject at one time: a newer value closes the older one.",
            _relations,
        ),
        Setting(
            "embedder",
            None,
            "Who reads this space for meaning; none given is the default. `reembed` changes it and reads anew.",
            _embedder,
        ),
    )
}


def checked_setting(name: str, value: Any) -> Any:
    if name not in SETTINGS:
        raise InvalidRequest(f"settings: there is no setting {name!r}; there are: {', '.join(sorted(SETTINGS))}")
    return SETTINGS[name].check(value)

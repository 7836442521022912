"""What may a space decide for itself? One table: name, default, help, and the check a value must pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.edge import fact_relation
from treering.model.topic import Topic, flag, whole
from treering.model.upkeep_settings import HELP as UPKEEP
from treering.relations import with_mark
from treering.relations.own import checked_rows
from treering.values import dataclass

READER = "reader"
EXTRACTORS = (READER, "llm", "client", "none")
"""Who may read what is said."""
FORMER_EXTRACTORS = ("hybrid", "rules")
"""Names of what the reader took the place of; spaces and environments that have one of them are read by the reader."""


def extractor_called(name: str) -> str:
    return READER if name in FORMER_EXTRACTORS else name


def _relations(value: Any) -> list[str]:
    if not isinstance(value, list | tuple):
        raise InvalidRequest(f"functional_relations: {value!r} is not a list of relation names")
    return sorted({fact_relation(one) for one in value})


def _rows(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidRequest(f"relations: {value!r} is not an object with a row for each relation, by its name")
    return checked_rows({fact_relation(name): row for name, row in value.items()})


def _extractor(value: Any) -> str | None:
    if value in (None, *EXTRACTORS, *FORMER_EXTRACTORS):
        return None if value is None else extractor_called(value)
    raise InvalidRequest(f"extractor: {value!r} is not one of {', '.join(EXTRACTORS)}")


def _embedder(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and re.fullmatch(r"[a-z0-9_-]+(/[\w.:/-]+)?", value)):
        return value
    raise InvalidRequest(f"embedder: {value!r} is not the name of an embedder, such as turnfinder, static or none")


def _about(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) - {"description", "metadata"}:
        raise InvalidRequest(f"about: {value!r} is not an object with a description and metadata")
    description = value.get("description")
    limits.text_or_none(description, "description", limits.CONTEXT_CHARS)
    return {"description": description, "metadata": dict(limits.meta(value.get("metadata") or {}))}


def _most(name: str, value: Any) -> int | None:
    return None if value is None else int(whole(1, _MOST)(name, value))


_MOST = 10**15
QUOTA = Topic("quota", memories=(None, _most), bytes=(None, _most))


def _reason(name: str, value: Any) -> str | None:
    return limits.text_or_none(value, name, limits.WHY_CHARS)


HOLD = Topic("hold", on=(False, flag), why=(None, _reason))


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
            sorted(with_mark("one_at_a_time")),
            "Fact relations that have one value for a subject at one time: a newer value closes the older one.",
            _relations,
        ),
        Setting(
            "relations",
            {},
            "Rows of the space's own, laid over the table of relations; `relations` adds, changes and removes them.",
            _rows,
        ),
        Setting(
            "extractor",
            None,
            "Who reads what is said in this space: reader, llm, client or none; none given is the default.",
            _extractor,
        ),
        Setting(
            "embedder",
            None,
            "Who reads this space for meaning; none given is the default. `reembed` changes it and reads anew.",
            _embedder,
        ),
        *(Setting(name, topic.default, told, topic.check) for name, topic, told in UPKEEP),
        Setting(
            "quota",
            QUOTA.default,
            "Most memories and bytes of words that the space may hold; none given is no bound of its own.",
            QUOTA.check,
        ),
        Setting(
            "hold",
            HOLD.default,
            "Whether the whole space is on hold, and why: then nothing in it is purged. `hold` and `release` set it.",
            HOLD.check,
        ),
        Setting(
            "touch_on_recall",
            False,
            "Whether what recall and context answer with counts as used; it is written soon after, and nobody waits.",
            partial(flag, "touch_on_recall"),
        ),
        Setting("about", {"description": None, "metadata": {}}, "What the space is for, in its owner's words.", _about),
    )
}


def checked_setting(name: str, value: Any) -> Any:
    if name not in SETTINGS:
        raise InvalidRequest(f"settings: there is no setting {name!r}; there are: {', '.join(sorted(SETTINGS))}")
    return SETTINGS[name].check(value)

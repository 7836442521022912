"""What is a thing with a name? One entity a name and space, known by any number of aliases."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from treering.model import limits
from treering.model.space import space_name
from treering.model.time import must_be_utc
from treering.model.value import Value
from treering.values import dataclass

ENTITY_KINDS = ("person", "organization", "technology", "project", "place", "event", "object", "concept")
"""The kinds Treering knows by itself; a caller's own word is as good."""

_BLANKS = re.compile(r"\s+")


def fold(name: str) -> str:
    """The form under which two spellings are one name: width, case and blanks do not count."""
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())).strip()


def entity_name(value: object, field: str = "name") -> str:
    name = limits.text(value, field, limits.NAME_CHARS, least=1)
    return _BLANKS.sub(" ", name).strip()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Entity(Value):
    """`aliases` are its other names, without the canonical one. `memory_id` is the memory that brought it in, if one
    did; an entity that only private memories speak of is as private as they are."""

    id: str
    space: str
    name: str
    kind: str = "concept"
    aliases: tuple[str, ...] = ()
    recorded_at: datetime
    memory_id: str | None = None

    def __post_init__(self) -> None:
        limits.uuid(self.id, "entity id")
        space_name(self.space)
        object.__setattr__(self, "name", entity_name(self.name))
        limits.text(self.kind, "kind", limits.KIND_CHARS, least=1)
        own = fold(self.name)
        # how many may be given is checked where they are given: merged entities together may have more
        given = limits.names(self.aliases, "aliases", most=len(self.aliases))
        others = {fold(alias): alias for alias in reversed(given)}
        object.__setattr__(self, "aliases", tuple(others[key] for key in reversed(others) if key != own))
        must_be_utc(self.recorded_at, "recorded_at")
        if self.memory_id is not None:
            limits.uuid(self.memory_id, "memory_id")

"""Which memories are there? Plain listing with filters, page by page, in the order they were learned."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from treering.errors import InvalidRequest
from treering.model.memory import Memory
from treering.model.time import from_micros, to_micros
from treering.model.value import Value
from treering.store.contract import MemoryFilter, Reader
from treering.store.support import with_support
from treering.values import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Page(Value):
    """Some memories, and the cursor that asks for those after them; none at the end."""

    memories: tuple[Memory, ...]
    next: str | None = None

    def __iter__(self) -> Iterator[Memory]:
        return iter(self.memories)

    def __len__(self) -> int:
        return len(self.memories)

    def __getitem__(self, place: int) -> Memory:
        return self.memories[place]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Facets(Value):
    """How many memories have each value, the most frequent first; `memories` is how many there are in all. A memory
    counts under each of its tags; of many values only the first are told."""

    memories: int
    kind: dict[str, int]
    state: dict[str, int]
    tier: dict[str, int]
    tag: dict[str, int]
    speaker: dict[str, int]
    session: dict[str, int]


def facets(reader: Reader, which: MemoryFilter, limit: int) -> Facets:
    counted = reader.facets(which)
    first = {name: dict(sorted(counts.items(), key=_most_first)[:limit]) for name, counts in counted.items()}
    return Facets(memories=sum(counted["state"].values()), **first)


def _most_first(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]


def page(reader: Reader, which: MemoryFilter, entities: tuple[str, ...], cursor: str | None, limit: int) -> Page:
    """One memory more than asked for is read, to know whether another page follows."""
    if entities:
        which = replace(which, entity_ids=tuple(_ids(reader, entities)))
    if cursor is not None:
        which = replace(which, after=_read_cursor(cursor))
    found = reader.memories(replace(which, limit=limit + 1))
    shown = tuple(with_support(reader, found[:limit]))
    return Page(shown, _cursor(shown[-1]) if len(found) > limit else None)


def _ids(reader: Reader, names: tuple[str, ...]) -> Iterator[str]:
    """A name that nobody has matches no memory."""
    for name in names:
        by_id = reader.entity(name)
        yield from [by_id.id] if by_id else (one.id for one in reader.entities(name))


def _cursor(last: Memory) -> str:
    return base64.urlsafe_b64encode(f"{to_micros(last.recorded_at)} {last.id}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        micros, memory_id = base64.b64decode(cursor, altchars=b"-_", validate=True).decode("ascii").split(" ")
        return from_micros(int(micros)), memory_id
    except (ValueError, binascii.Error, UnicodeDecodeError, OverflowError):
        raise InvalidRequest(f"cursor: {cursor!r} is not one that a page gave as its next") from None

"""What is known of an entity? Its names, what is so of it and what was, the memories that mention it, and its story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from treering.graph.facts import Fact, facts_of
from treering.graph.timeline import Timeline, TimelineLimits, timeline
from treering.model.entity import Entity
from treering.model.memory import Memory, View
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.naming import entity_of
from treering.store.support import batches, with_support
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Profile(Value):
    """An entity at a moment. Facts are those it is either end of: `facts_now` hold, `facts_before` have ended and
    `facts_to_come` have not begun. `memories` are the newest current ones that mention it or say one of its facts, of
    `memories_count`."""

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...]
    space: str
    recorded_at: datetime
    facts_now: tuple[Fact, ...] = ()
    facts_before: tuple[Fact, ...] = ()
    facts_to_come: tuple[Fact, ...] = ()
    memories: tuple[Memory, ...] = ()
    memories_count: int = 0
    timeline: Timeline


def profile(reader: Reader, ref: str, limit: int) -> Profile:
    entity = entity_of(reader, ref, "id")
    as_of = reader.moment.as_of
    every = facts_of(reader, reader.edges(EdgeFilter(either_ids=(entity.id,), facts_only=True, include_closed=True)))
    about = sorted(_about(reader, entity, every), key=lambda one: (one.recorded_at, one.id), reverse=True)
    return Profile(
        id=entity.id,
        name=entity.name,
        kind=entity.kind,
        aliases=entity.aliases,
        space=entity.space,
        recorded_at=entity.recorded_at,
        facts_now=tuple(one for one in every if not _to_come(one, as_of) and not _ended(one, as_of)),
        facts_before=tuple(one for one in every if _ended(one, as_of)),
        facts_to_come=tuple(one for one in every if _to_come(one, as_of) and not _ended(one, as_of)),
        memories=tuple(with_support(reader, about[:limit])),
        memories_count=len(about),
        timeline=timeline(reader, entity.id, TimelineLimits(limit=limit)),
    )


def _about(reader: Reader, entity: Entity, every: Iterable[Fact]) -> Iterator[Memory]:
    """What mentions it, and what says a fact of it: "I like tea" is about the user, whom nothing in it names."""
    said = {one.memory_id for one in every if one.memory_id is not None}
    for some in batches(sorted(said | set(reader.mentioning([entity.id])))):
        yield from reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(some)))


def _to_come(fact: Fact, as_of: datetime) -> bool:
    return fact.valid_from is not None and fact.valid_from > as_of


def _ended(fact: Fact, as_of: datetime) -> bool:
    return fact.valid_until is not None and fact.valid_until <= as_of

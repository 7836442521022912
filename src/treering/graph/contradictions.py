"""What is known that cannot all be so? Open conflicts with both sides, where each was said, and the rule that saw it.

A conflict is open while both sides hold: two memories with a `contradicts` link between them, or two facts of a
relation that has one value at a time. Superseding, forgetting or closing either side settles it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import combinations

from treering.graph.facts import Fact, facts_of
from treering.graph.lineage import Said, said_where
from treering.language.words import words
from treering.model.edge import LIKELY, Edge, Link
from treering.model.entity import fold
from treering.model.memory import Memory, View
from treering.model.time import begun
from treering.model.value import Value
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.own_relations import relations_of
from treering.store.support import batches
from treering.values import dataclass

ONE_VALUE = "one value at a time"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Side(Value):
    """One side of a conflict: a memory, a fact, or a fact with the memory that says so."""

    memory_id: str | None = None
    content: str
    fact: Fact | None = None
    valid_from: datetime | None
    valid_until: datetime | None = None
    confidence: float
    recorded_at: datetime
    observed_by: str | None = None
    sources: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Contradiction(Value):
    """`newer` and `older` cannot both be so. `rule` saw it; `edge_id` is the link, if memories are linked."""

    newer: Side
    older: Side
    rule: str | None
    why: str | None = None
    edge_id: str | None = None
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class _Part:
    """One side as it was found: a memory, or a fact edge and the memory behind it."""

    memory: Memory | None
    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class _Clash:
    newer: _Part
    older: _Part
    rule: str | None
    why: str | None
    link_id: str | None
    recorded_at: datetime

    @property
    def order(self) -> tuple[datetime, str, str]:
        edges = [part.edge.id for part in (self.newer, self.older) if part.edge is not None]
        return self.recorded_at, self.link_id or "", "".join(edges)


def contradictions(reader: Reader, topic: str | None, limit: int) -> list[Contradiction]:
    """In the order in which they became known. The reader is of one space, which has its own settings."""
    asked = None if topic is None else _Topic(reader, topic)
    clashes = [one for one in _clashes(reader) if asked is None or asked.fits(one)]
    return [_told(reader, one) for one in sorted(clashes, key=lambda one: one.order)[:limit]]


def _clashes(reader: Reader) -> Iterator[_Clash]:
    links = reader.edges(EdgeFilter(relations=(Link.CONTRADICTS.value,)))
    relations = relations_of(reader)
    functional = tuple(sorted(relations.one_at_a_time))
    values = reader.edges(EdgeFilter(relations=functional, facts_only=True)) if functional else []
    memories = _current(reader, {one for edge in (*links, *values) for one in _behind(edge)})
    yield from _between_memories(links, memories)
    told = {frozenset((link.source_id, link.target_id)) for link in links}
    for clash in _between_facts(values, memories, relations):
        behind = frozenset(part.memory.id for part in (clash.newer, clash.older) if part.memory is not None)
        if behind not in told:
            yield clash


def _behind(edge: Edge) -> Iterator[str]:
    if edge.relation == Link.CONTRADICTS:
        yield from (edge.source_id, edge.target_id)
    elif edge.memory_id is not None:
        yield edge.memory_id


def _current(reader: Reader, ids: set[str]) -> dict[str, Memory]:
    found = (reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(some))) for some in batches(sorted(ids)))
    return {memory.id: memory for some in found for memory in some}


def _between_memories(links: Iterable[Edge], memories: Mapping[str, Memory]) -> Iterator[_Clash]:
    for link in links:
        newer, older = memories.get(link.source_id), memories.get(link.target_id)
        if newer is not None and older is not None:
            yield _Clash(_Part(newer), _Part(older), link.rule, link.why, link.id, link.recorded_at)


def _between_facts(edges: Iterable[Edge], memories: Mapping[str, Memory], relations: Relations) -> Iterator[_Clash]:
    values: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        if edge.confidence >= LIKELY and (edge.memory_id is None or edge.memory_id in memories):
            values[edge.source_id, relations.one(edge.relation)].append(edge)
    for same in values.values():
        for one, other in combinations(same, 2):
            if one.target_id != other.target_id:
                older, newer = sorted((one, other), key=lambda edge: (edge.recorded_at, edge.id))
                parts = [_Part(memories.get(edge.memory_id or ""), edge) for edge in (newer, older)]
                yield _Clash(parts[0], parts[1], ONE_VALUE, None, None, newer.recorded_at)


def _told(reader: Reader, clash: _Clash) -> Contradiction:
    return Contradiction(
        newer=_side(reader, clash.newer),
        older=_side(reader, clash.older),
        rule=clash.rule,
        why=clash.why,
        edge_id=clash.link_id,
        recorded_at=clash.recorded_at,
    )


def _side(reader: Reader, part: _Part) -> Side:
    [fact] = facts_of(reader, [part.edge]) if part.edge is not None else [None]
    held = part.edge or part.memory
    assert held is not None
    return Side(
        memory_id=None if part.memory is None else part.memory.id,
        content=part.memory.content if part.memory else f"{fact.subject} {fact.relation} {fact.object}" if fact else "",
        fact=fact,
        valid_from=begun(held.valid_from),
        valid_until=held.valid_until,
        confidence=held.confidence,
        recorded_at=held.recorded_at,
        observed_by=held.observed_by,
        sources=tuple(said_where(reader, part.memory)) if part.memory else (),
    )


class _Topic:
    """What a conflict may be asked for by: words that one side says, a thing that it is about, or a tag it has."""

    def __init__(self, reader: Reader, topic: str) -> None:
        self._words = set(words(topic))
        self._tag = fold(topic)
        by_id = reader.entity(topic)
        self._meant = {one.id for one in ([by_id] if by_id else reader.entities(topic))}
        self._mentioning = reader.mentioning(self._meant) if self._meant else set()

    def fits(self, clash: _Clash) -> bool:
        return any(self._is_about(part) for part in (clash.newer, clash.older))

    def _is_about(self, part: _Part) -> bool:
        memory, edge = part.memory, part.edge
        if edge is not None and not self._meant.isdisjoint((edge.source_id, edge.target_id)):
            return True
        if memory is None:
            return edge is not None and bool(self._words) and self._words <= set(words(edge.relation.replace("_", " ")))
        if memory.id in self._mentioning or self._tag in {fold(tag) for tag in memory.tags}:
            return True
        return bool(self._words) and self._words <= set(words(f"{memory.title or ''} {memory.content}"))

"""Does what a memory rests on still hold? A walk down its derived_from links, at the reader's moment.

A memory is *stale* when something beneath it, after any number of steps, is superseded, expired or forgotten, when a
fact that it is the evidence of was closed, or when the derivation itself was. What is private to others is not there,
and so neither supports nor shakes anything.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum

from treering.model.changes import Marked
from treering.model.edge import Edge, Link
from treering.model.memory import Mark, Memory, State, Support, View
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.values import dataclass

MOST_CAUSES = 100
_AT_ONCE = 500  # memories looked up together


class SupportLoss(StrEnum):
    """What can have become of something that a memory rests on."""

    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"


_FALLS = {
    State.SUPERSEDED: SupportLoss.SUPERSEDED,
    State.EXPIRED: SupportLoss.EXPIRED,
    State.FORGOTTEN: SupportLoss.FORGOTTEN,
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cause(Value):
    """Something beneath a memory that no longer holds. `at`: since when; for what was forgotten, when that became
    known. `path` leads there from the memory, its own id first."""

    memory_id: str
    what: SupportLoss
    at: datetime | None = None
    by: str | None = None
    """The memory that took its place, or the evidence of a closing."""
    rule: str | None = None
    why: str | None = None
    content: str | None = None
    """None of what is forgotten."""
    path: tuple[str, ...] = ()


@dataclass
class _Beneath:
    """All that some memories rest on: which cites which, and what has fallen."""

    reader: Reader
    memories: dict[str, Memory] = field(default_factory=dict)
    rests_on: dict[str, dict[str, Edge]] = field(default_factory=lambda: defaultdict(dict))
    """Citations that stand, or that were closed: one edge for each pair, one that stands if there is one."""
    closed_facts: dict[str, Edge] = field(default_factory=dict)

    def walk(self, memory_ids: Iterable[str]) -> None:
        """First every citation, a question a step; then what is cited, all at once."""
        frontier = list(dict.fromkeys(memory_ids))
        seen, edges = set(frontier), list[Edge]()
        while frontier:
            found = [edge for some in batches(frontier) for edge in self._citations(some)]
            edges += found
            frontier = [one for one in dict.fromkeys(edge.target_id for edge in found) if one not in seen]
            seen.update(frontier)
        if edges:
            self._load({one for edge in edges for one in (edge.target_id, edge.memory_id) if one is not None})
        for edge in edges:
            if edge.target_id in self.memories and not self._hidden_by_evidence(edge):
                known = self.rests_on[edge.source_id].get(edge.target_id)
                if known is None or self._ended(known):
                    self.rests_on[edge.source_id][edge.target_id] = edge

    def _citations(self, ids: list[str]) -> list[Edge]:
        which = EdgeFilter(
            source_ids=tuple(ids), relations=(Link.DERIVED_FROM.value,), include_closed=True, include_forgotten=True
        )
        as_of = self.reader.moment.as_of
        return [edge for edge in self.reader.edges(which) if edge.forgotten_at is None and edge.valid_from <= as_of]

    def _load(self, ids: Iterable[str]) -> None:
        for some in batches(sorted(ids)):
            which = MemoryFilter(view=View.ALL, ids=tuple(some))
            self.memories.update({memory.id: memory for memory in self.reader.memories(which)})
            stated = EdgeFilter(evidence_ids=tuple(some), facts_only=True, include_closed=True)
            for edge in self.reader.edges(stated):
                if edge.closed_by is not None and edge.memory_id is not None and self._ended(edge):
                    self.closed_facts.setdefault(edge.memory_id, edge)

    def _hidden_by_evidence(self, edge: Edge) -> bool:
        """A citation that some third memory speaks for is forgotten with it."""
        by = None if edge.memory_id in (edge.source_id, edge.target_id, None) else self.memories.get(edge.memory_id)
        return by is not None and by.state is State.FORGOTTEN

    def _ended(self, edge: Edge) -> bool:
        return edge.valid_until is not None and edge.valid_until <= self.reader.moment.as_of

    def fallen(self, memory_id: str) -> bool:
        return self.memories[memory_id].state in _FALLS or memory_id in self.closed_facts

    def shaken(self) -> set[str]:
        """Whatever rests on something that has fallen, found from there upwards."""
        above: dict[str, set[str]] = defaultdict(set)
        rising: deque[str] = deque()
        for source_id, cited in self.rests_on.items():
            for target_id, edge in cited.items():
                above[target_id].add(source_id)
                if self._ended(edge) or self.fallen(target_id):
                    rising.append(source_id)
        found: set[str] = set()
        while rising:
            one = rising.popleft()
            if one not in found:
                found.add(one)
                rising.extend(above[one])
        return found

    def causes(self, memory_id: str) -> Iterator[Cause]:
        """The nearest first. Nothing is looked for beneath a derivation that was closed."""
        paths: dict[str, tuple[str, ...]] = {memory_id: (memory_id,)}
        waiting = deque([memory_id])
        while waiting:
            one = waiting.popleft()
            for target_id, edge in sorted(self.rests_on.get(one, {}).items()):
                path = (*paths[one], target_id)
                if self._ended(edge):
                    yield self._closed(edge, target_id, path)
                elif target_id not in paths:
                    paths[target_id] = path
                    waiting.append(target_id)
                    yield from self._fall(target_id, path)

    def _fall(self, memory_id: str, path: tuple[str, ...]) -> Iterator[Cause]:
        memory, closed = self.memories[memory_id], self.closed_facts.get(memory_id)
        if memory.state is State.FORGOTTEN:
            at, why = _forgotten(self.reader, memory_id)
            yield Cause(memory_id=memory_id, what=SupportLoss.FORGOTTEN, at=at, why=why, path=path)
        elif memory.state in _FALLS:
            superseded = memory.state is State.SUPERSEDED
            yield Cause(
                memory_id=memory_id,
                what=_FALLS[memory.state],
                at=memory.valid_until if superseded else memory.expires_at,
                by=memory.superseded_by if superseded else None,
                content=memory.content,
                path=path,
            )
        elif closed is not None:
            yield self._closed(closed, memory_id, path)

    def _closed(self, edge: Edge, memory_id: str, path: tuple[str, ...]) -> Cause:
        memory = self.memories[memory_id]
        return Cause(
            memory_id=memory_id,
            what=SupportLoss.INVALIDATED,
            at=edge.valid_until,
            by=edge.closed_evidence,
            rule=edge.closed_by,
            why=edge.closed_why,
            content=None if memory.state is State.FORGOTTEN else memory.content,
            path=path,
        )


def support_of(reader: Reader, memory_ids: Iterable[str]) -> dict[str, Support]:
    """For those that cite something; all others are unknown."""
    ids = list(memory_ids)
    beneath = _Beneath(reader)
    beneath.walk(ids)
    shaken = beneath.shaken() if beneath.rests_on else set()
    return {one: Support.STALE if one in shaken else Support.CURRENT for one in ids if one in beneath.rests_on}


def with_support(reader: Reader, memories: Iterable[Memory]) -> list[Memory]:
    """The same memories, each with how what it rests on stands."""
    given = list(memories)
    found = support_of(reader, [memory.id for memory in given])
    return [replace(one, support=found[one.id]) if one.id in found else one for one in given]


def causes_of(reader: Reader, memory_ids: Iterable[str]) -> dict[str, tuple[Cause, ...]]:
    """For those that are stale: what made them so, the nearest first, a hundred at most."""
    ids = list(memory_ids)
    beneath = _Beneath(reader)
    beneath.walk(ids)
    shaken = beneath.shaken()
    return {one: _first(beneath.causes(one)) for one in ids if one in shaken}


def _first(causes: Iterator[Cause]) -> tuple[Cause, ...]:
    return tuple(cause for cause, _ in zip(causes, range(MOST_CAUSES), strict=False))


def _forgotten(reader: Reader, memory_id: str) -> tuple[datetime | None, str | None]:
    """When and why it was forgotten last."""
    for event in reversed(reader.events(memory_id)):
        match event.change:
            case Marked(_, thing_id, Mark.FORGOTTEN, True, why) if thing_id == memory_id:
                return event.at, why
    return None, None


def batches(ids: list[str]) -> Iterator[list[str]]:
    """As many at a time as one question to a store may name."""
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))

"""What was believed about something, and when was it believed? Every belief as a rectangle: across, the time for which
it was held to be true; up, the time for which that was what was known. A correction that came late is two rectangles
that overlap across and not up.

A belief is what a reader at that known time would be told: the facts are read anew at each time at which something
about them was written, so that no rectangle can say what `facts` would not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import field, replace
from datetime import datetime

from treering.errors import InvalidRequest
from treering.graph.names import shortened
from treering.model.changes import EdgeAdded, EdgeClosed, EntityMerged, Thing
from treering.model.edge import Edge, fact_relation
from treering.model.memory import Memory, State
from treering.model.value import Value
from treering.store.contract import EdgeFilter, Event, Reader
from treering.store.naming import missing, node_of
from treering.store.own_relations import relations_of
from treering.values import dataclass

Open = Callable[[datetime | None], AbstractContextManager[Reader]]
"""A reader at a known time; none is the latest that the caller may know."""
MOST_TIMES = 300
"""Times of writing that are looked at; the latest, where there are more."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Belief(Value):
    """`valid_until` none: it was not known to end. `known_until` none: it is still what is known. `seq` is the entry
    of the journal that brought it, `ended_by` the one that ended it; `rule` and `why` are those of the bringing."""

    id: str
    thing: Thing
    what: str
    relation: str | None = None
    subject: str | None = None
    object: str | None = None
    subject_id: str | None = None
    object_id: str | None = None
    memory_id: str | None = None
    confidence: float
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime | None = None
    seq: int | None = None
    ended_by: int | None = None
    actor: str | None = None
    op: str | None = None
    rule: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Beliefs(Value):
    """In the order in which they became known. `truncated`: what was believed long ago, or too much, is left out."""

    id: str | None
    name: str
    beliefs: tuple[Belief, ...]
    truncated: bool = False


@dataclass
class _Plane:
    """Beliefs as they come and go, from one time of writing to the next."""

    told: dict[tuple[str, datetime], list[Event]]
    standing: dict[str, Belief] = field(default_factory=dict)
    done: list[Belief] = field(default_factory=list)

    def at(self, known: datetime, held: dict[str, Belief]) -> None:
        for one in [key for key, was in self.standing.items() if not _same(was, held.get(key))]:
            event = self._event(one, known)
            self.done.append(
                replace(self.standing.pop(one), known_until=known, ended_by=None if event is None else event.seq)
            )
        for key, belief in held.items():
            if key not in self.standing:
                self.standing[key] = self._brought(belief, known)

    def _brought(self, belief: Belief, known: datetime) -> Belief:
        event = self._event(belief.id, known)
        if event is None:
            return replace(belief, known_from=known)
        rule, why = belief.rule, belief.why
        match event.change:
            case EdgeAdded(edge):
                rule, why = edge.rule, edge.why
            case EdgeClosed(_, _, _, rule_, _, why_):
                rule, why = rule_, why_
        return replace(belief, known_from=known, seq=event.seq, actor=event.actor, op=event.op, rule=rule, why=why)

    def _event(self, thing_id: str, known: datetime) -> Event | None:
        own = self.told.get((thing_id, known)) or self.told.get(("", known))
        return own[-1] if own else None

    def all(self) -> list[Belief]:
        return sorted([*self.done, *self.standing.values()], key=lambda one: (one.known_from, one.valid_from, one.id))


def beliefs(open_at: Open, node: str | None, relation: str | None, limit: int) -> Beliefs:
    if node is None and relation is None:
        raise InvalidRequest("node: say about what: a memory or entity (node), a relation, or both")
    with open_at(None) as reader:
        about = _About.of(reader, node, relation)
        times, told = about.written(reader)
    plane = _Plane(told)
    for known in times[-MOST_TIMES:]:
        with open_at(known) as reader:
            plane.at(known, about.held(reader))
    found = plane.all()
    return Beliefs(
        id=about.node_id,
        name=about.name,
        beliefs=tuple(found[-limit:]),
        truncated=len(times) > MOST_TIMES or len(found) > limit,
    )


@dataclass(frozen=True)
class _About:
    node_id: str | None
    thing: Thing | None
    name: str
    relations: tuple[str, ...] | None

    @staticmethod
    def of(reader: Reader, node: str | None, relation: str | None) -> _About:
        relation = None if relation is None else fact_relation(relation)
        names = None if relation is None else relations_of(reader).names(relation)
        if node is None:
            return _About(None, None, relation or "", names)
        thing, node_id = node_of(reader, node, "node")
        if thing is Thing.MEMORY:
            memory = reader.memory(node_id)
            return _About(node_id, thing, shortened(memory.content) if memory else node_id, names)
        entity = reader.entity(node_id)
        if entity is None:
            raise missing(reader, node, "node", "memory or entity")
        return _About(node_id, thing, entity.name, names)

    def _edges(self, reader: Reader) -> list[Edge]:
        which = EdgeFilter(relations=self.relations, facts_only=True, include_closed=True)
        if self.thing is Thing.MEMORY:
            which = replace(which, evidence_ids=(self.node_id or "",))
        elif self.node_id is not None:
            which = replace(which, either_ids=(self.node_id,))
        return reader.edges(which)

    def written(self, reader: Reader) -> tuple[list[datetime], dict[tuple[str, datetime], list[Event]]]:
        """When something about it was written, and what; under no id what concerns several."""
        which = EdgeFilter(relations=self.relations, facts_only=True, include_closed=True, include_forgotten=True)
        if self.thing is Thing.MEMORY:
            which = replace(which, evidence_ids=(self.node_id or "",))
        elif self.node_id is not None:
            which = replace(which, either_ids=(self.node_id,))
        edges = reader.edges(which)
        asked = {one for edge in edges for one in (edge.id, edge.memory_id) if one is not None}
        if self.node_id is not None:
            asked.add(self.node_id)
        times, told = set[datetime](), dict[tuple[str, datetime], list[Event]]()
        for some in _some(sorted(asked)):
            for event in reader.events(*some):
                times.add(event.at)
                told.setdefault(("", event.at), []).append(event)
                for one in event.change.about:
                    told.setdefault((one, event.at), []).append(event)
                if isinstance(event.change, EntityMerged):
                    told[("", event.at)].append(event)
        return sorted(times), told

    def held(self, reader: Reader) -> dict[str, Belief]:
        """What is believed there, by id. What never held is no belief."""
        edges = [one for one in self._edges(reader) if one.valid_until is None or one.valid_until > one.valid_from]
        ends = {end for edge in edges for end in (edge.source_id, edge.target_id)}
        names = {entity.id: entity.name for entity in reader.entities(ids=ends)} if ends else {}
        found = {edge.id: _of_edge(edge, names) for edge in edges}
        memory = reader.memory(self.node_id) if self.thing is Thing.MEMORY and self.node_id else None
        if memory is not None and memory.state is not State.FORGOTTEN:
            found[memory.id] = _of_memory(memory)
        return found


def _of_edge(edge: Edge, names: dict[str, str]) -> Belief:
    subject, object_ = names.get(edge.source_id, edge.source_id), names.get(edge.target_id, edge.target_id)
    return Belief(
        id=edge.id,
        thing=Thing.EDGE,
        what=f"{subject} {edge.relation} {object_}",
        relation=edge.relation,
        subject=subject,
        object=object_,
        subject_id=edge.source_id,
        object_id=edge.target_id,
        memory_id=edge.memory_id,
        confidence=edge.confidence,
        valid_from=edge.valid_from,
        valid_until=edge.valid_until,
        known_from=edge.recorded_at,
    )


def _of_memory(memory: Memory) -> Belief:
    return Belief(
        id=memory.id,
        thing=Thing.MEMORY,
        what=shortened(memory.content),
        memory_id=memory.id,
        confidence=memory.confidence,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        known_from=memory.recorded_at,
    )


def _same(was: Belief, now: Belief | None) -> bool:
    return now is not None and (was.valid_from, was.valid_until, was.what) == (
        now.valid_from,
        now.valid_until,
        now.what,
    )


def _some(ids: list[str], at_once: int = 200) -> Iterable[list[str]]:
    return (ids[start : start + at_once] for start in range(0, len(ids), at_once))

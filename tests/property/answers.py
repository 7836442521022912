"""Every question there is: what a history has brought into being, and all that a reader can be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.property.drawing import ACTORS, HOUR, KEYS, NAMES, NOBODY, RELATIONS, SESSIONS, START, TAGS, TITLES

from treering.errors import Fault, TreeringError
from treering.graph.contradictions import contradictions
from treering.graph.facts import facts
from treering.graph.history import history
from treering.graph.lineage import LineageLimits, lineage
from treering.graph.support import stale
from treering.graph.timeline import TimelineLimits, timeline
from treering.model.changes import EdgeAdded, EdgeClosed, EntityAdded, MemoryAdded, Purged, SourceAdded
from treering.model.edge import MENTION, Direction, Edge, Link
from treering.model.memory import Kind, View
from treering.recall.listing import page
from treering.store.contract import EdgeFilter, MemoryFilter, Reader, Ways
from treering.store.naming import entity_of
from treering.store.support import support_of
from treering.upkeep.health import Elsewhere, health
from treering.upkeep.use import scores


@dataclass
class Known:
    """What a history has brought into being so far, by space; read off the reference store's journal."""

    memories: dict[str, list[str]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    entities: dict[str, list[str]] = field(default_factory=dict)
    edges: dict[str, list[Edge]] = field(default_factory=dict)
    entries: dict[str, list[str]] = field(default_factory=dict)
    purged: set[str] = field(default_factory=set)
    valid: set[datetime] = field(default_factory=lambda: {START})
    known: set[datetime] = field(default_factory=lambda: {START})

    def learn(self, space: str, when: datetime, change: object) -> None:
        self.known.add(when)
        match change:
            case SourceAdded(source):
                self.sources.append(source.id)
            case MemoryAdded(memory):
                self.memories.setdefault(space, []).append(memory.id)
                self._points(memory.event_time, memory.expires_at, memory.holds_from)
            case EntityAdded(entity):
                self.entities.setdefault(space, []).append(entity.id)
            case EdgeAdded(edge):
                self.edges.setdefault(space, []).append(edge)
                self._points(edge.valid_from, edge.valid_until)
            case EdgeClosed(_, valid_until, previous):
                self._points(valid_until, previous)
            case Purged(gone):
                self.purged |= {one.id for one in gone}

    def _points(self, *points: datetime | None) -> None:
        self.valid.update(point for point in points if point is not None)

    def pick(self, kind: str, n: int, space: str) -> Any:
        of_kind: dict[str, list[Any]] = {
            "memory": self.memories,
            "entity": self.entities,
            "edge": self.edges,
            "entry": self.entries,
        }[kind]
        pool = [one for each in of_kind.values() for one in each] if n % 13 == 12 else of_kind.get(space, [])
        return pool[n % len(pool)] if pool else None

    def ids(self, kind: str) -> list[str]:
        """Of all spaces, and one that nothing has."""
        of_kind = {"memory": self.memories, "entity": self.entities, "edge": self.edges}[kind]
        return [getattr(one, "id", one) for each in of_kind.values() for one in each] + [NOBODY]


@dataclass
class Outcome:
    value: object = None
    error: str | None = None


def outcome_of(call: Callable[[], object]) -> Outcome:
    """A caller's error is an answer like any other; anything else is a bug and passes through."""
    try:
        return Outcome(call())
    except Fault:
        raise
    except TreeringError as error:
        return Outcome(error=f"{type(error).__name__}: {error}")


def every_answer(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """All that can be asked of a reader, with its answer."""
    yield from wide_answers(reader, known)
    yield from _filtered(reader, known)
    yield from _one_by_one(reader, known)
    for asked, answer in wide_answers(reader.all_seeing(), known):
        yield f"all-seeing {asked}", answer


def wide_answers(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """The few questions that touch everything."""
    yield "spaces, moment", (reader.spaces, reader.moment, reader.head.seq, reader.head.at)
    for view in View:
        yield f"memories {view}", reader.memories(MemoryFilter(view=view))
    for closed in (False, True):
        for forgotten in (False, True):
            which = EdgeFilter(include_closed=closed, include_forgotten=forgotten)
            yield f"edges {closed=} {forgotten=}", reader.edges(which)
        yield f"facts {closed=}", facts(reader, None, None, None, closed, None)
    nodes = [*known.ids("memory"), *known.ids("entity")]
    for space in reader.spaces:
        for direction in Direction:
            for closed in (False, True):
                ways = Ways(direction, include_closed=closed)
                crossings = reader.crossings(space, nodes, ways, 1_000)
                yield f"crossings {space} {ways}", crossings
                yield f"steps {space} {ways}", reader.steps(space, nodes, ways, 1_000)
                assert [one[:3] for one in crossings] == reader.steps(space, nodes, ways, 1_000)
        yield f"first crossings {space}", reader.crossings(space, nodes, Ways(Direction.BOTH), 3)
    yield "entities", reader.entities()
    yield "counts", reader.counts()
    yield "waiting", reader.waiting()
    yield "last told", reader.last_told()
    yield "signers", reader.signers()
    every = [one for each in known.memories.values() for one in each]
    for undone in (False, True):
        yield f"evidence {undone=}", reader.evidence(every, undone)
    yield "usage", reader.usage(every)
    yield "standing", list(reader.standing())
    yield "some standing", list(reader.standing(every[::2]))
    yield "cited", reader.cited(every)
    yield "tally", reader.tally([START, START + HOUR], ("gc", "promote"))
    yield "said", [reader.said(one, 50) for one in SESSIONS] if len(reader.spaces) < 2 else None
    yield "named alike", reader.named_like("a", 50)
    if len(reader.spaces) < 2:  # each space has settings and keys of its own
        yield "setting", reader.setting("functional_relations")
        yield "health", health(reader, "here", Elsewhere())
        yield "scores", scores(reader, every)
        yield "keys", [reader.actor_key(actor) for actor in ACTORS]


def _filtered(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    points = sorted(known.valid)
    some_ids = [one for each in known.memories.values() for one in each][::2]
    of_kinds: list[dict[str, Any]] = [
        {"newest_first": True},
        {"limit": 2},
        {"limit": 2, "newest_first": True},
        {"ids": tuple(some_ids)},
        *({"kinds": (kind,)} for kind in Kind),
        {"tags": TAGS[:1]},
        {"tags": TAGS},
        *({"session": one} for one in SESSIONS),
        *({"speaker": one} for one in ACTORS),
        *({"title": one} for one in TITLES),
        {"containing": "Ben"},
        *({"expires_by": point} for point in points[:: max(1, len(points) // 4)]),
        *({"since": point} for point in points[:: max(1, len(points) // 4)]),
        *({"until": point} for point in points[:: max(1, len(points) // 4)]),
        *({"entity_ids": (one,)} for each in known.entities.values() for one in each),
    ]
    for narrowed in of_kinds:
        for view in (View.CURRENT, View.ALL):
            yield f"memories {view} {narrowed}", reader.memories(MemoryFilter(view=view, **narrowed))
    for newest in (False, True):
        which = MemoryFilter(view=View.HISTORY, newest_first=newest)
        cursor: str | None = None
        for number in range(20):
            one = page(reader, which, (), cursor, 2)
            yield f"page {number} {newest=}", one
            cursor = one.next
            if cursor is None:
                break
    for relation in (*RELATIONS, *Link, MENTION):
        which = EdgeFilter(relations=(str(relation),), include_closed=True)
        yield f"edges {relation}", reader.edges(which)
    yield "some edges", reader.edges(EdgeFilter(limit=2))


def _one_by_one(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    for one in known.ids("memory"):
        yield f"memory {one}", reader.memory(one)
        yield f"usage {one}", reader.usage([one], START + HOUR)
        yield f"edges resting on {one}", reader.edges(EdgeFilter(evidence_id=one))
    for one in known.sources:
        yield f"source {one}", reader.source(one)
        yield f"events of source {one}", reader.events(one)
    for one in known.ids("entity"):
        yield f"entity {one}", reader.entity(one)
        yield f"own entity {one}", _own(reader, one)
    for one in known.ids("edge"):
        yield f"edge {one}", reader.edges(EdgeFilter(ids=(one,), include_closed=True, include_forgotten=True))
    for one in (*known.ids("memory"), *known.ids("entity")):
        for name in ("source_ids", "target_ids", "either_ids"):
            yield f"edges {name} {one}", reader.edges(EdgeFilter(**{name: (one,)}, include_closed=True))
    for one in (one for kind in ("memory", "entity", "edge") for one in known.ids(kind)):
        yield f"tombstone {one}", reader.tombstone(one)
        yield f"events {one}", reader.events(one)
        yield f"history {one}", outcome_of(lambda one=one: history(reader, one))
    yield from _through_time(reader, known)
    for key in KEYS if len(reader.spaces) < 2 else ():
        yield f"key {key}", reader.source_by_key(key)
    for name in (*NAMES, "nobody"):
        yield f"entities {name}", reader.entities(name)
        yield f"the first {name}", reader.entities(name, limit=1)
        yield f"entity named {name}", outcome_of(lambda name=name: entity_of(reader, name))
        for relation in (None, *RELATIONS[:2]):
            asked = f"facts {name} {relation}"
            yield f"{asked} →", outcome_of(lambda n=name, r=relation: facts(reader, n, r, None, True, None))
            yield f"{asked} ←", outcome_of(lambda n=name, r=relation: facts(reader, None, r, n, False, None))
        yield f"page about {name}", page(reader, MemoryFilter(view=View.ALL), (name,), None, 50)


def _through_time(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """What the rooms that read the graph make of it."""
    memories = known.ids("memory")
    yield "census", reader.census()
    yield "events together", reader.events(*memories, *known.ids("entity"))
    yield "support", support_of(reader, memories)
    yield "stale", stale(reader, 100)
    for node in (*memories[::3], *known.ids("entity")[::3], "Ann"):
        yield f"timeline {node}", outcome_of(lambda node=node: timeline(reader, node, TimelineLimits()))
    for one in memories[1::3]:
        yield f"lineage {one}", outcome_of(lambda one=one: lineage(reader, one, LineageLimits(3, 5)))
    if len(reader.spaces) < 2:
        yield "contradictions", contradictions(reader, None, 100)
        yield "contradictions about Ann", contradictions(reader, "ann", 100)
    between = reader.moment.as_of - 3 * HOUR, reader.moment.as_of
    yield "sure enough", reader.edges(EdgeFilter(facts_only=True, least_confidence=0.7))
    yield "turning", reader.edges(EdgeFilter(include_closed=True, begins_or_ends=between))


def _own(reader: Reader, entity_id: str) -> object:
    found = reader.own_entity(entity_id)
    return None if found is None else (found[0].id, found[0].name, found[1])

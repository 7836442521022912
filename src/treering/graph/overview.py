"""What does a whole space look like from afar? The entities with the most facts, and the facts between them at the
moment: as many as were asked for, in few words each, with counts of all there is. Who wants to see more of one walks
from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime

from treering.model.edge import Edge
from treering.model.time import begun
from treering.model.value import Value
from treering.store.contract import EdgeFilter, Reader
from treering.values import dataclass

NO_KIND = "concept"
"""What an entity counts as of which nobody said what it is."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EntitySeen(Value):
    """`facts`: how many of those that were asked for lead to it or away from it, shown or not."""

    id: str
    name: str
    kind: str
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FactSeen(Value):
    id: str
    source_id: str
    target_id: str
    relation: str
    confidence: float
    valid_from: datetime | None
    valid_until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Overview(Value):
    """`entities` and `facts`: how many there are of what was asked for; `nodes` and `edges` are as many of them as fit.
    `relations` and `kinds` count everything that holds at the moment, whatever was asked for."""

    nodes: tuple[EntitySeen, ...]
    edges: tuple[FactSeen, ...]
    entities: int
    facts: int
    relations: dict[str, int]
    kinds: dict[str, int]
    truncated: bool


@dataclass(frozen=True, slots=True)
class OverviewWish:
    """Facts of these relations, at least so certain, with an end of this kind; and the most of each to show."""

    relations: tuple[str, ...] | None
    kind: str | None
    confidence: float
    nodes: int
    edges: int


def overview(reader: Reader, asked: OverviewWish) -> Overview:
    every = reader.edges(EdgeFilter(facts_only=True))
    ends = {end for edge in every for end in (edge.source_id, edge.target_id)}
    known = {entity.id: entity for entity in reader.entities(ids=ends)}
    kinds = {one: (known[one].kind if one in known else None) or NO_KIND for one in ends}
    facts = [edge for edge in every if _wanted(edge, asked, kinds)]
    times = Counter(end for edge in facts for end in {edge.source_id, edge.target_id})
    names = {one: known[one].name if one in known else one for one in ends}
    ranked = sorted(times, key=lambda one: (-times[one], names[one], one))[: asked.nodes]
    shown, edges = _fitting(facts, ranked, asked.edges)
    return Overview(
        nodes=tuple(EntitySeen(id=one, name=names[one], kind=kinds[one], facts=times[one]) for one in shown),
        edges=tuple(_seen(edge) for edge in edges),
        entities=len(times),
        facts=len(facts),
        relations=_counted(edge.relation for edge in every),
        kinds=_counted(kinds.values()),
        truncated=len(edges) < len(facts),
    )


def _wanted(edge: Edge, asked: OverviewWish, kinds: dict[str, str]) -> bool:
    if asked.relations is not None and edge.relation not in asked.relations:
        return False
    if asked.kind is not None and asked.kind not in (kinds[edge.source_id], kinds[edge.target_id]):
        return False
    return edge.confidence >= asked.confidence


def _fitting(facts: list[Edge], ranked: list[str], most: int) -> tuple[list[str], list[Edge]]:
    """From the most connected on, each with all its facts to those before it, until one would be too many."""
    place = {one: number for number, one in enumerate(ranked)}
    brought: defaultdict[int, list[Edge]] = defaultdict(list)
    for edge in facts:
        if edge.source_id in place and edge.target_id in place:
            brought[max(place[edge.source_id], place[edge.target_id])].append(edge)
    shown: list[str] = []
    edges: list[Edge] = []
    for number, one in enumerate(ranked):
        if len(edges) + len(brought[number]) > most:
            break
        shown.append(one)
        edges += brought[number]
    return shown, edges


def _seen(edge: Edge) -> FactSeen:
    return FactSeen(
        id=edge.id,
        source_id=edge.source_id,
        target_id=edge.target_id,
        relation=edge.relation,
        confidence=edge.confidence,
        valid_from=begun(edge.valid_from),
        valid_until=edge.valid_until,
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda one: (-one[1], one[0])))

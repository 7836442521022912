"""What is told of the nodes and edges that a walk came to? Enough to read them without asking again: names, words,
windows, and the memory that each edge rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from treering.model.changes import Thing
from treering.model.edge import Edge
from treering.model.identity import Attestation
from treering.model.memory import State, View
from treering.model.time import begun
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.values import dataclass

_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Node(Value):
    """A memory or an entity, and how many edges it is from the start. An entity has a name; a memory has words, a state
    at the moment, and a name if it was given a title."""

    id: str
    space: str
    thing: Thing
    kind: str
    name: str | None = None
    content: str | None = None
    state: State | None = None
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Step(Value):
    """An edge that was crossed: `path` is the nodes from the start to where it leads, `memory_id` its evidence,
    `rule` what made it, `observed_by` who reported it. `valid_from` is none where nobody knows since when it holds."""

    id: str
    space: str
    source_id: str
    target_id: str
    relation: str
    valid_from: datetime | None
    valid_until: datetime | None = None
    confidence: float = 1.0
    strength: float = 1.0
    memory_id: str | None = None
    rule: str | None = None
    observed_by: str | None = None
    signature: str | None = None
    why: str | None = None
    closed_by: str | None = None
    attestation: Attestation = Attestation.UNSIGNED
    depth: int
    path: tuple[str, ...]


def nodes_of(reader: Reader, space: str, depths: Mapping[str, int]) -> list[Node]:
    """These, in their order."""
    found: dict[str, Node] = {}
    ids = list(depths)
    for some in (ids[place : place + _AT_ONCE] for place in range(0, len(ids), _AT_ONCE)):
        for entity in reader.entities(ids=some):
            if entity.space == space:
                found[entity.id] = Node(
                    id=entity.id,
                    space=space,
                    thing=Thing.ENTITY,
                    kind=entity.kind,
                    name=entity.name,
                    depth=depths[entity.id],
                )
        rest = tuple(one for one in some if one not in found)
        for memory in reader.memories(MemoryFilter(view=View.ALL, ids=rest)) if rest else ():
            if memory.space == space:
                found[memory.id] = Node(
                    id=memory.id,
                    space=space,
                    thing=Thing.MEMORY,
                    kind=memory.kind.value,
                    name=memory.title,
                    content=memory.content,
                    state=memory.state,
                    depth=depths[memory.id],
                )
    return [found[one] for one in ids]


def steps_of(
    reader: Reader, space: str, edge_ids: Sequence[str], depths: Sequence[int], paths: Sequence[tuple[str, ...]]
) -> list[Step]:
    edges = edges_of(reader, space, edge_ids)
    return [step_of(edges[edge_id], depth, path) for edge_id, depth, path in zip(edge_ids, depths, paths, strict=True)]


def edges_of(reader: Reader, space: str, edge_ids: Sequence[str]) -> dict[str, Edge]:
    found: dict[str, Edge] = {}
    for place in range(0, len(edge_ids), _AT_ONCE):
        which = EdgeFilter(ids=tuple(edge_ids[place : place + _AT_ONCE]), include_closed=True)
        found |= {edge.id: edge for edge in reader.edges(which) if edge.space == space}
    return found


def step_of(edge: Edge, depth: int, path: tuple[str, ...]) -> Step:
    return Step(
        id=edge.id,
        space=edge.space,
        source_id=edge.source_id,
        target_id=edge.target_id,
        relation=edge.relation,
        valid_from=begun(edge.valid_from),
        valid_until=edge.valid_until,
        confidence=edge.confidence,
        strength=edge.strength,
        memory_id=edge.memory_id,
        rule=edge.rule,
        observed_by=edge.observed_by,
        signature=edge.signature,
        why=edge.why,
        closed_by=edge.closed_by,
        attestation=edge.attestation,
        depth=depth,
        path=path,
    )

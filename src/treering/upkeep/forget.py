"""What is it to forget? A mark that hides a memory or edge, and all that rests on it, until it is taken off again."""

from __future__ import annotations

from dataclasses import dataclass

from treering.model.changes import Changes, Marked, Thing
from treering.model.edge import Edge
from treering.model.memory import Mark, State
from treering.model.value import Value
from treering.store.circles import refuse_circle
from treering.store.contract import EdgeFilter, Reader
from treering.store.naming import missing


@dataclass(frozen=True, slots=True, repr=False)
class Hidden(Value):
    """`edges` are those that go out of sight, or come back, with it."""

    id: str
    thing: Thing
    forgotten: bool
    changed: bool
    edges: tuple[str, ...] = ()
    dry_run: bool = False


def set_forgotten(reader: Reader, thing_id: str, on: bool, why: str | None) -> tuple[Changes, Hidden]:
    thing, is_on, edges = _standing(reader, thing_id)
    if is_on == on:
        return Changes("forget" if on else "restore"), Hidden(thing_id, thing, on, False)
    if not on:
        for edge in edges:
            refuse_circle(reader, edge.source_id, edge.target_id, edge.relation, along=edges)
    along = tuple(sorted(edge.id for edge in edges)) if thing is Thing.MEMORY else ()
    change = Marked(thing, thing_id, Mark.FORGOTTEN, on, why)
    return Changes("forget" if on else "restore", (change,)), Hidden(thing_id, thing, on, True, along)


def _standing(reader: Reader, thing_id: str) -> tuple[Thing, bool, list[Edge]]:
    """What it is, whether it is forgotten, and the edges that go out of sight or come back with it."""
    memory = reader.memory(thing_id)
    if memory is not None:
        return Thing.MEMORY, memory.state is State.FORGOTTEN, _that_go_along(reader, thing_id)
    edges = reader.edges(EdgeFilter(ids=(thing_id,), include_closed=True, include_forgotten=True))
    if not edges:
        raise missing(reader, thing_id, "id", "memory or edge")
    return Thing.EDGE, edges[0].forgotten_at is not None, edges


def _that_go_along(reader: Reader, memory_id: str) -> list[Edge]:
    """Edges that touch the memory or rest on it, and are not forgotten on their own."""
    touching = EdgeFilter(either_ids=(memory_id,), include_closed=True, include_forgotten=True)
    resting = EdgeFilter(evidence_id=memory_id, include_closed=True, include_forgotten=True)
    edges = {edge.id: edge for which in (touching, resting) for edge in reader.edges(which)}
    return [edge for edge in edges.values() if edge.forgotten_at is None]

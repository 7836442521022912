"""How are two memories, or two entities, tied and untied? Links by hand, and the windows of edges.

Closing moves the end of a window, reopening undoes the latest closing; both leave every earlier belief readable.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from treering.errors import Conflict, InvalidRequest, NotFound
from treering.model.changes import Change, Changes, EdgeAdded, EdgeClosed, Marked, Thing
from treering.model.edge import Edge, any_relation, link_relation
from treering.model.identity import attestation
from treering.model.memory import Mark, Memory
from treering.model.time import UNKNOWN, begun, to_text
from treering.model.value import Value
from treering.store.circles import refuse_circle
from treering.store.contract import Act, EdgeFilter, Reader
from treering.store.naming import memory_of, missing, node_of
from treering.store.own_relations import every_name
from treering.store.windows import open_closings, reopening
from treering.values import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Linked(Value):
    edge: Edge
    created: bool


@dataclass(frozen=True, slots=True, repr=False)
class Unlinked(Value):
    edge_ids: tuple[str, ...]
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WindowMoved(Value):
    """What became of an edge's window. `changed` is false when it was so already."""

    edge_id: str
    relation: str
    valid_from: datetime | None
    valid_until: datetime | None
    previous_valid_until: datetime | None
    changed: bool


@dataclass(frozen=True, slots=True)
class LinkFields:
    """How a link is to be, beside its ends and relation."""

    strength: float
    meta: Any
    valid_from: datetime | None
    why: str | None
    valid_until: datetime | None = None
    observed_by: str | None = None


def link(act: Act, source: str, target: str, relation: str, tie: LinkFields) -> tuple[Changes, Linked]:
    reader = act.reader
    kind = link_relation(relation)
    newer = reader.memory(source)
    if newer is None:
        raise missing(reader, source, "source", "memory")
    memory_of(reader, target, "target")
    if source == target:
        raise InvalidRequest(f"target: {target} is the source itself; a memory is not linked to itself")
    which = EdgeFilter(source_ids=(source,), target_ids=(target,), relations=(kind.value,), include_closed=True)
    present = reader.moment.as_of
    every = reader.edges(which)
    if tie.valid_until is not None and tie.valid_until <= present:
        return _over(act, newer, target, kind.value, tie, every)
    standing = [one for one in every if one.valid_until is None or one.valid_until > present]
    if standing:
        if tie.valid_until not in (None, standing[0].valid_until):
            raise Conflict(
                f"valid_until: {kind.value} from {source} to {target} stands already, until "
                f"{to_text(standing[0].valid_until) if standing[0].valid_until else 'further notice'}; "
                "`invalidate` moves its end"
            )
        return Changes("link"), Linked(standing[0], False)
    refuse_circle(reader, source, target, kind.value)
    # what was ended once begins anew: in between it did not hold
    return _linked(act, newer, target, kind.value, tie, act.now if every else newer.valid_from)


def _over(
    act: Act, newer: Memory, target: str, relation: str, tie: LinkFields, every: list[Edge]
) -> tuple[Changes, Linked]:
    """A link that held once and no longer does. One with the very same window is answered, not doubled."""
    assert tie.valid_until is not None
    since = tie.valid_from or (newer.valid_from if newer.valid_from < tie.valid_until else UNKNOWN)
    for one in every:
        if (one.valid_from, one.valid_until) == (since, tie.valid_until):
            return Changes("link"), Linked(one, False)
    refuse_circle(act.reader, newer.id, target, relation)
    return _linked(act, newer, target, relation, tie, since)


def _linked(
    act: Act, newer: Memory, target: str, relation: str, tie: LinkFields, since: datetime
) -> tuple[Changes, Linked]:
    edge = act.writer.sign(
        Edge(
            id=act.mint(),
            space=act.space,
            source_id=newer.id,
            target_id=target,
            relation=relation,
            strength=tie.strength,
            valid_from=tie.valid_from or since,
            valid_until=tie.valid_until,
            recorded_at=act.at,
            memory_id=newer.id,
            observed_by=tie.observed_by or act.writer.actor,
            rule="stated",
            why=tie.why,
            meta=tie.meta,
        )
    )
    told = replace(edge, attestation=attestation(edge.signature is not None, False))
    return Changes("link", (EdgeAdded(edge),)), Linked(told, True)


def unlink(reader: Reader, source: str, target: str, relation: str, why: str | None) -> tuple[Changes, Unlinked]:
    kind = link_relation(relation)
    memory_of(reader, source, "source")
    memory_of(reader, target, "target")
    which = EdgeFilter(
        source_ids=(source,),
        target_ids=(target,),
        relations=(kind.value,),
        include_closed=True,
        include_forgotten=True,
    )
    edges = reader.edges(which)
    if not edges:
        raise NotFound(f"relation: no {kind.value} leads from {source} to {target}; nothing to unlink")
    standing = [edge.id for edge in edges if edge.forgotten_at is None]
    changes = tuple(Marked(Thing.EDGE, edge_id, Mark.FORGOTTEN, True, why) for edge_id in standing)
    return Changes("unlink", changes), Unlinked(tuple(edge.id for edge in edges), bool(standing))


def invalidate(
    reader: Reader, source: str, target: str, relation: str, at: datetime, why: str | None
) -> tuple[Changes, WindowMoved]:
    edges = _between(reader, source, target, relation)
    begun = [edge for edge in edges if edge.valid_from <= at]
    if not begun:
        raise InvalidRequest(
            f"at: {to_text(at)} lies before the edge begins ({to_text(edges[0].valid_from)}); "
            "close it where it began or later, or forget it if it was never true"
        )
    standing = [edge for edge in begun if edge.valid_until is None or edge.valid_until > at]
    if not standing:
        return Changes("invalidate"), _moved(begun[-1], begun[-1].valid_until, begun[-1].valid_until)
    changes: tuple[Change, ...] = tuple(
        EdgeClosed(edge.id, at, edge.valid_until, "invalidated", None, why) for edge in standing
    )
    return Changes("invalidate", changes), _moved(standing[-1], at, standing[-1].valid_until)


def reopen(reader: Reader, source: str, target: str, relation: str) -> tuple[Changes, WindowMoved]:
    """Undoes the latest closing among the edges of this relation, exactly."""
    edges = _between(reader, source, target, relation)
    closings = [(edge, closing) for edge in edges if (closing := open_closings(reader, edge.id))]
    if not closings:
        return Changes("reopen"), _moved(edges[-1], edges[-1].valid_until, edges[-1].valid_until)
    edge, stack = max(closings, key=lambda pair: (pair[1][-1][0], pair[0].id))
    change = reopening(stack)
    return Changes("reopen", (change,)), _moved(edge, change.valid_until, edge.valid_until, changed=True)


def _between(reader: Reader, source: str, target: str, relation: str) -> list[Edge]:
    name = any_relation(relation)
    _, source_id = node_of(reader, source, "source")
    _, target_id = node_of(reader, target, "target")
    edges = reader.edges(
        EdgeFilter(
            source_ids=(source_id,),
            target_ids=(target_id,),
            relations=every_name(reader, (relation,)),
            include_closed=True,
        )
    )
    if not edges:
        raise NotFound(f"relation: no {name} leads from {source!r} to {target!r}; check names and direction")
    return edges


def _moved(edge: Edge, until: datetime | None, previous: datetime | None, changed: bool = False) -> WindowMoved:
    return WindowMoved(
        edge_id=edge.id,
        relation=edge.relation,
        valid_from=begun(edge.valid_from),
        valid_until=until,
        previous_valid_until=previous,
        changed=changed or until != previous,
    )

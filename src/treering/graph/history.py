"""How did we come to believe this? Every change about a memory, entity or edge, with who made it, when and why."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from treering.graph.names import Names
from treering.model.changes import (
    AliasesAdded,
    Attested,
    Change,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Marked,
    MemoryAdded,
    Purged,
    Reinforced,
    Thing,
    Used,
    change_name,
)
from treering.model.edge import Edge, Link
from treering.model.identity import Attestation
from treering.model.time import UNKNOWN, to_text
from treering.model.value import Value
from treering.store.contract import EdgeFilter, Event, Reader
from treering.store.naming import missing
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HistoryEvent(Value):
    """One line of a history. `what` says it in words, `about` has the ids of what it names there, `why` is the reason
    that was given, `rule` what decided it."""

    at: datetime
    seq: int
    actor: str
    op: str
    type: str
    what: str
    rule: str | None = None
    evidence: str | None = None
    why: str | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class History(Value):
    """`supersedes` and `superseded_by` are the chain on both sides, nearest first. `attestation` says how far an edge
    is vouched for."""

    id: str
    thing: Thing
    state: str | None
    events: tuple[HistoryEvent, ...]
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    attestation: Attestation | None = None


def history(reader: Reader, ref: str) -> History:
    """By id; an entity by name or alias too."""
    thing, thing_id, state, vouched = _what_is(reader, ref)
    found, names = reader.events(thing_id), Names(reader)
    names.look_up(one for event in found for one in about_of(event.change, thing_id))
    events = tuple(told_of(event, thing_id, names) for event in found)
    return History(
        thing_id,
        thing,
        state,
        events,
        _chain(reader, thing_id, backwards=True),
        _chain(reader, thing_id, backwards=False),
        vouched,
    )


def _what_is(reader: Reader, ref: str) -> tuple[Thing, str, str | None, Attestation | None]:
    memory = reader.memory(ref)
    if memory is not None:
        return Thing.MEMORY, ref, memory.state.value, None
    if reader.entity(ref) is not None:
        return Thing.ENTITY, ref, None, None
    edges = reader.edges(EdgeFilter(ids=(ref,), include_closed=True, include_forgotten=True))
    if edges:
        return Thing.EDGE, ref, "forgotten" if edges[0].forgotten_at else None, edges[0].attestation
    gone = reader.tombstone(ref)
    if gone is not None:
        return gone.thing, ref, "purged", None
    named = reader.entities(ref, limit=1)
    if named:
        return Thing.ENTITY, named[0].id, None, None
    raise missing(reader, ref, "id", "memory, entity or edge")


def _chain(reader: Reader, memory_id: str, backwards: bool) -> tuple[str, ...]:
    found: list[str] = []
    frontier: tuple[str, ...] = (memory_id,)
    relations = (Link.SUPERSEDES.value,)
    while frontier:
        which = (
            EdgeFilter(source_ids=frontier, relations=relations, include_closed=True)
            if backwards
            else EdgeFilter(target_ids=frontier, relations=relations, include_closed=True)
        )
        onward = [edge.target_id if backwards else edge.source_id for edge in reader.edges(which)]
        frontier = tuple(one for one in dict.fromkeys(onward) if one not in found and one != memory_id)
        found.extend(frontier)
    return tuple(found)


def about_of(change: Change, thing_id: str) -> tuple[str, ...]:
    """What a change ties this thing to, or an edge's own ends."""
    match change:
        case EdgeAdded(edge):
            ends: tuple[str, ...] = (edge.source_id, edge.target_id)
        case EntityMerged(entity_id, into_id):
            ends = (entity_id, into_id)
        case EntitySplit(entity_id, from_id):
            ends = (entity_id, from_id)
        case _:
            ends = ()
    return tuple(one for one in ends if one != thing_id)


def told_of(event: Event, thing_id: str, names: Names) -> HistoryEvent:
    what, more = _in_words(event.change, thing_id, names)
    return HistoryEvent(
        at=event.at,
        seq=event.seq,
        actor=event.actor,
        op=event.op,
        type=change_name(event.change),
        what=what,
        about=about_of(event.change, thing_id),
        **more,
    )


def _in_words(change: Change, thing_id: str, names: Names) -> tuple[str, dict[str, Any]]:
    match change:
        case MemoryAdded(memory):
            return "said" if memory.source_id == thing_id else "remembered", {"evidence": memory.source_id}
        case EntityAdded(entity):
            return f"entity {entity.name!r} made", {"evidence": entity.memory_id}
        case AliasesAdded(_, aliases, memory_id):
            return "also called " + ", ".join(repr(one) for one in aliases), {"evidence": memory_id}
        case EdgeAdded(edge):
            return _edge_in_words(change, thing_id, names), {
                "rule": edge.rule,
                "evidence": edge.memory_id,
                "why": edge.why,
            }
        case EdgeClosed(_, valid_until, _, rule, evidence, why):
            told = f"closed at {to_text(valid_until)}"
            return told, {"rule": rule, "evidence": evidence, "why": why}
        case EdgeReopened(_, valid_until):
            return "reopened" + (f", ending {to_text(valid_until)}" if valid_until else ""), {}
        case Marked(_, _, mark, on, why):
            return mark.value if on else f"no longer {mark.value}", {"why": why}
        case Reinforced(_, source_id, _, on):
            return "said once more" if on else "not said once more after all", {"evidence": source_id}
        case EntityMerged(entity_id, into_id, rule, why):
            return _merge_in_words(entity_id, into_id, thing_id, names), {"rule": rule, "why": why}
        case EntitySplit(_, from_id, why):
            return f"split from {names.of(from_id)}", {"why": why}
        case Purged(_, _, why):
            return "purged", {"why": why}
    return said_of(change), {}


def said_of(change: Change) -> str:
    """Of changes that need no reason."""
    match change:
        case Used(_, how, boost, cross_domain, times):
            often = "" if times == 1 else f" {times} times"
            stronger = f", strength + {boost:g}" if boost else ""
            return f"{how}{often}{' in another domain' if cross_domain else ''}{stronger}"
        case Attested(_, actor):
            return f"vouched for by {actor}"
    return change_name(change).replace("_", " ")


def _edge_in_words(change: EdgeAdded, thing_id: str, names: Names) -> str:
    edge = change.edge
    source, target, since = names.of(edge.source_id), names.of(edge.target_id), _since(edge)
    if thing_id == edge.source_id:
        return f"{edge.relation} → {target} {since}"
    if thing_id == edge.target_id:
        return f"{edge.relation} ← {source} {since}"
    return f"{source} {edge.relation} {target} {since}"


def _since(edge: Edge) -> str:
    if edge.valid_from == UNKNOWN:
        return f"until {to_text(edge.valid_until)}" if edge.valid_until else "since an unknown time"
    return f"from {to_text(edge.valid_from)}"


def _merge_in_words(entity_id: str, into_id: str, thing_id: str, names: Names) -> str:
    return f"merged into {names.of(into_id)}" if thing_id == entity_id else f"took in {names.of(entity_id)}"

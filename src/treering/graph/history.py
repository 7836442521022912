"""How did we come to believe this? Every change about a memory, entity or edge, with who made it, when and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from treering.graph.names import Names
from treering.graph.taken_back import edges_by_id, taken_back
from treering.model.changes import (
    AliasesAdded,
    Attested,
    Change,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EdgeRepeated,
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
from treering.store.support import batches
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HistoryEvent(Value):
    """One line of a history. `what` says it in words, `about` has the ids of what it names there, `why` is the reason
    that was given, `rule` what decided it, `undone_by` the entry that took it back."""

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
    undone_by: int | None = None


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
    events = tuple(told_of(reader, reader.events(thing_id), thing_id))
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


def told_of(reader: Reader, events: Sequence[Event], thing_id: str = "") -> list[HistoryEvent]:
    """These changes in words, as seen from one thing, or from nowhere in particular."""
    moved = {one.change.edge_id for one in events if isinstance(one.change, EdgeClosed | EdgeReopened)}
    edges = {edge.id: edge for some in batches(sorted(moved)) for edge in edges_by_id(reader, tuple(some))}
    names, undone = Names(reader), taken_back(reader, events)
    names.look_up(one for event in events for one in _named(event.change, thing_id))
    names.look_up(one for edge in edges.values() for one in (edge.source_id, edge.target_id))
    words = _Words(thing_id, names, edges)
    return [
        HistoryEvent(
            at=event.at,
            seq=event.seq,
            actor=event.actor,
            op=event.op,
            type=change_name(event.change),
            what=words.what(event.change),
            about=about_of(event.change, thing_id),
            undone_by=by,
            **_reasons(event.change),
        )
        for event, by in zip(events, undone, strict=True)
    ]


def _named(change: Change, thing_id: str) -> tuple[str, ...]:
    """What is called by its name in the words for it."""
    match change:
        case EdgeAdded(edge):
            return (edge.source_id, edge.target_id)
        case MemoryAdded(memory) if not thing_id:
            return (memory.id,)
        case Marked(Thing.MEMORY, memory_id) if not thing_id:
            return (memory_id,)
    return about_of(change, thing_id)


def _reasons(change: Change) -> dict[str, Any]:
    """Rule, evidence and why, as far as it has them."""
    match change:
        case MemoryAdded(memory):
            return {"evidence": memory.source_id}
        case EntityAdded(entity):
            return {"evidence": entity.memory_id}
        case EdgeAdded(edge):
            return {"rule": edge.rule, "evidence": edge.memory_id, "why": edge.why}
        case EdgeClosed(rule=rule, evidence=evidence, why=why):
            return {"rule": rule, "evidence": evidence, "why": why}
        case EntityMerged(rule=rule, why=why):
            return {"rule": rule, "why": why}
        case AliasesAdded(memory_id=memory_id):
            return {"evidence": memory_id}
        case Reinforced(source_id=source_id):
            return {"evidence": source_id}
        case Marked() | EntitySplit() | Purged():
            return {"why": change.why}
    return {}


@dataclass(frozen=True, slots=True)
class _Words:
    """What a change says, seen from `thing_id`. `edges`: those that were closed or reopened, by id."""

    thing_id: str
    names: Names
    edges: Mapping[str, Edge]

    def what(self, change: Change) -> str:
        match change:
            case MemoryAdded(memory):
                if self.thing_id:
                    return "said" if memory.source_id == self.thing_id else "remembered"
                return f"remembered {self.names.of(memory.id)}"
            case EntityAdded(entity):
                return f"entity {entity.name!r} made"
            case AliasesAdded(_, aliases):
                return "also called " + ", ".join(repr(one) for one in aliases)
            case EdgeAdded(edge):
                return f"{self._edge(edge)} {_since(edge)}"
            case EdgeClosed(edge_id, valid_until):
                return f"{self._which(edge_id)}closed at {to_text(valid_until)}"
            case EdgeReopened(edge_id, valid_until):
                ending = f", ending {to_text(valid_until)}" if valid_until else ""
                return f"{self._which(edge_id)}reopened{ending}"
            case Marked(thing, marked_id, mark, on):
                said = mark.value if on else f"no longer {mark.value}"
                return said if self.thing_id or thing is not Thing.MEMORY else f"{said}: {self.names.of(marked_id)}"
            case Reinforced(on=on):
                return "said once more" if on else "not said once more after all"
            case EntityMerged(entity_id, into_id):
                return _merge_in_words(entity_id, into_id, self.thing_id, self.names)
            case EntitySplit(_, from_id):
                return f"split from {self.names.of(from_id)}"
            case Purged():
                return "purged"
        return said_of(change)

    def _which(self, edge_id: str) -> str:
        """The fact that ended or holds again, unless it is the one whose history is told."""
        edge = self.edges.get(edge_id)
        if edge_id == self.thing_id or edge is None:
            return ""
        return f"{self.names.of(edge.source_id)} {edge.relation} {self.names.of(edge.target_id)}: "

    def _edge(self, edge: Edge) -> str:
        """A link as one says it, from the end that is looked at; a fact as a sentence."""
        source, target = self.names.of(edge.source_id), self.names.of(edge.target_id)
        along, against = _TIES.get(edge.relation, (edge.relation, ""))
        if edge.id == self.thing_id:
            return f"{source} {edge.relation} {target}"
        if against and self.thing_id == edge.source_id:
            return f"{along} {target}"
        if against and self.thing_id == edge.target_id:
            return f"{against} {source}"
        return f"{source} {along} {target}"


_TIES = {
    "supersedes": ("took the place of", "was replaced by"),
    "contradicts": ("contradicts", "contradicts"),
    "derived_from": ("was made from", "was used to make"),
    "related_to": ("is related to", "is related to"),
    "extends": ("adds to", "was added to by"),
    "causes": ("brought about", "was brought about by"),
    "supports": ("supports", "is supported by"),
    "has_decision": ("led to the decision", "was decided in"),
    "about_entity": ("mentions", "is mentioned in"),
}
"""What the links and the mention are called, from the one end and from the other."""


def said_of(change: Change) -> str:
    """Of changes that need no reason."""
    match change:
        case Used(_, how, boost, cross_domain, times):
            often = "" if times == 1 else f" {times} times"
            stronger = f", strength + {boost:g}" if boost else ""
            return f"{how}{often}{' in another domain' if cross_domain else ''}{stronger}"
        case Attested(_, actor):
            return f"vouched for by {actor}"
        case EdgeRepeated(_, memory_id):
            return f"told again by {memory_id}"
    return change_name(change).replace("_", " ")


def _since(edge: Edge) -> str:
    if edge.valid_from == UNKNOWN:
        return f"until {to_text(edge.valid_until)}" if edge.valid_until else "since an unknown time"
    return f"from {to_text(edge.valid_from)}"


def _merge_in_words(entity_id: str, into_id: str, thing_id: str, names: Names) -> str:
    return f"merged into {names.of(into_id)}" if thing_id == entity_id else f"took in {names.of(entity_id)}"

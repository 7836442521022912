"""How is a change told on a timeline? From the journal's events to what a reader of a node's story sees, each with its
reason: who, by which rule, on which evidence, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from datetime import datetime
from functools import cached_property
from typing import Any

from treering.graph.history import said_of
from treering.graph.names import Names
from treering.model.changes import (
    AliasesAdded,
    Attested,
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
    SourceAdded,
    SourceRestated,
    Thing,
    Used,
)
from treering.model.edge import Edge, Link
from treering.model.memory import Mark, Memory
from treering.model.time import UNKNOWN, begun
from treering.model.value import Value
from treering.store.contract import Event, Reader
from treering.values import dataclass

_MARKS = {
    (Mark.FORGOTTEN, True): "forgotten",
    (Mark.FORGOTTEN, False): "restored",
    (Mark.ARCHIVED, True): "archived",
    (Mark.ARCHIVED, False): "unarchived",
    (Mark.PROMOTED, True): "promoted",
    (Mark.PROMOTED, False): "demoted",
    (Mark.WAITING, True): "waiting",
    (Mark.WAITING, False): "read",
    (Mark.HELD, True): "held",
    (Mark.HELD, False): "released",
}
_REOPENED = "the closing was taken back"
_LAST = 1 << 62  # after every entry of a journal


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TimelineEvent(Value):
    """One thing that happened. `what` says it in words. For an edge `source_id`, `relation` and `target_id` are its
    own, and the window is the one it had from then on; else `source_id` is the thing itself."""

    at: datetime
    type: str
    what: str
    relation: str | None = None
    source_id: str | None = None
    target_id: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    why: str | None = None
    rule: str | None = None
    evidence: str | None = None
    edge_id: str | None = None
    recorded_at: datetime
    actor: str | None = None
    op: str | None = None
    space: str
    seq: int | None = None


_Order = tuple[datetime, datetime, str, int, int]


@dataclass
class Story:
    """A node (`own`: with what was merged into it), the edges that are told of, and the memories those touch."""

    reader: Reader
    thing: Thing
    node_id: str
    own: set[str]
    edges: dict[str, Edge]
    memories: dict[str, Memory]
    _called: dict[str, str] = field(default_factory=dict)
    """How each entity was first called, as far as may be seen."""

    @cached_property
    def names(self) -> Names:
        names = Names(self.reader)
        names.look_up({*self.own, *self.memories, *(end for one in self.edges.values() for end in _ends(one))})
        return names

    @cached_property
    def _bearing(self) -> set[str]:
        """Whose marks are told: the memory, where it was said; of an entity, what its edges rest on."""
        if self.thing is Thing.MEMORY:
            own = self.memories.get(self.node_id)
            return {self.node_id} if own is None else {self.node_id, own.source_id}
        return {edge.memory_id for edge in self.edges.values() if edge.memory_id is not None}

    def told(self) -> list[TimelineEvent]:
        return [event for _, event in sorted(self._events(), key=lambda pair: pair[0])]

    def _events(self) -> Iterator[tuple[_Order, TimelineEvent]]:
        for event in self.reader.events(*sorted({*self.own, *self.edges, *self._bearing})):
            for told in self._tell(event):
                yield (told.at, event.at, event.space, event.seq, event.index), told
        memory = self.memories.get(self.node_id)
        if memory is not None and memory.expires_at is not None and memory.expires_at <= self.reader.moment.as_of:
            told = _expiry(memory, memory.expires_at)
            yield (told.at, memory.recorded_at, memory.space, _LAST, 0), told

    def _tell(self, event: Event) -> Iterator[TimelineEvent]:
        match event.change:
            case EdgeAdded() | EdgeClosed() | EdgeReopened() | EdgeRepeated() | Attested() | Marked(Thing.EDGE):
                yield from self._of_edge(event)
            case Marked(_, thing_id, mark, on, why) if thing_id in self._bearing:
                yield _event(event, _MARKS[mark, on], self.names.of(thing_id), source_id=thing_id, why=why)
            case EntityAdded() | AliasesAdded() | EntityMerged() | EntitySplit():
                yield from self._of_entity(event)
            case Purged(_, _, why):
                yield _event(event, "purged", "nothing of it is left", source_id=self.node_id, why=why)
            case _ if self.thing is Thing.MEMORY:
                yield from self._of_memory(event)

    def _of_memory(self, event: Event) -> Iterator[TimelineEvent]:
        match event.change:
            case MemoryAdded(record) if record.id == self.node_id:
                memory = self.memories[record.id]
                window = {"valid_from": memory.valid_from, "valid_until": memory.valid_until}
                told = self.names.of(record.id)
                at, said = memory.valid_from, memory.source_id
                yield _event(event, "memory_added", told, at=at, source_id=record.id, evidence=said, **window)
            case SourceAdded(source):
                yield _event(event, "source_added", "kept word for word", source_id=self.node_id, evidence=source.id)
            case SourceRestated(source):
                told = "kept again, with words blanked"
                yield _event(event, "source_restated", told, source_id=self.node_id, evidence=source.id)
            case Used(memory_id, at=at) if memory_id == self.node_id:
                yield _event(event, "used", said_of(event.change), at=at, source_id=memory_id)
            case Reinforced(memory_id, source_id, _, on) if memory_id == self.node_id:
                kind, told = ("reinforced", "said once more") if on else ("unreinforced", "not said again after all")
                yield _event(event, kind, told, source_id=memory_id, evidence=source_id)

    def _of_edge(self, event: Event) -> Iterator[TimelineEvent]:
        match event.change:
            case EdgeAdded(added) if added.id in self.edges:
                yield from self._of_new_edge(event, added)
            case EdgeClosed(edge_id, until, _, rule, evidence, why) if edge_id in self.edges:
                about = {"valid_until": until, "rule": rule, "evidence": evidence, "why": why}
                yield self._edge_event(event, edge_id, "edge_invalidated", until, **about)
            case EdgeReopened(edge_id, again, rule, evidence, why) if edge_id in self.edges:
                about = {"valid_until": again, "rule": rule, "evidence": evidence, "why": why or _REOPENED}
                yield self._edge_event(event, edge_id, "edge_reopened", event.at, **about)
            case EdgeRepeated(edge_id, memory_id) if edge_id in self.edges:
                about = {"valid_until": self.edges[edge_id].valid_until, "evidence": memory_id}
                yield self._edge_event(event, edge_id, "edge_repeated", event.at, **about)
            case Attested(edge_id) if edge_id in self.edges:
                about = {"valid_until": self.edges[edge_id].valid_until, "why": said_of(event.change)}
                yield self._edge_event(event, edge_id, "edge_attested", event.at, **about)
            case Marked(_, edge_id, mark, on, why) if edge_id in self.edges:
                held = self.edges[edge_id].valid_until
                yield self._edge_event(event, edge_id, _MARKS[mark, on], event.at, valid_until=held, why=why)

    def _of_new_edge(self, event: Event, added: Edge) -> Iterator[TimelineEvent]:
        """Where it begins, if anybody told when that was; and the end it was written with, while that is believed."""
        about = {"valid_until": added.valid_until, "rule": added.rule, "why": added.why, "evidence": added.memory_id}
        if added.valid_from != UNKNOWN and not added.period.only_its_end_is_known:
            yield self._edge_event(event, added.id, self._adding(added), added.valid_from, **about)
        if added.valid_until is not None and added.valid_until == self.edges[added.id].valid_until:
            yield self._edge_event(event, added.id, "edge_invalidated", added.valid_until, **about)

    def _adding(self, edge: Edge) -> str:
        replaced = edge.relation == Link.SUPERSEDES and edge.source_id != self.node_id
        return "superseded" if replaced else "edge_added"

    def _edge_event(self, event: Event, edge_id: str, kind: str, at: datetime, **about: Any) -> TimelineEvent:
        edge = self.edges[edge_id]
        told = f"{self.names.of(edge.source_id)} {edge.relation} {self.names.of(edge.target_id)}"
        about |= {"edge_id": edge_id, "relation": edge.relation, "valid_from": begun(edge.valid_from)}
        return _event(event, kind, told, at=at, source_id=edge.source_id, target_id=edge.target_id, **about)

    def _of_entity(self, event: Event) -> Iterator[TimelineEvent]:
        match event.change:
            case EntityAdded(entity) if entity.id in self.own:
                self._called.setdefault(entity.id, entity.name)
                yield _event(event, "entity_added", entity.name, source_id=entity.id, evidence=entity.memory_id)
            case AliasesAdded(entity_id, aliases, memory_id) if entity_id in self.own:
                self._called.setdefault(entity_id, aliases[0])
                told = "also called " + ", ".join(aliases)
                yield _event(event, "aliases_added", told, source_id=entity_id, evidence=memory_id)
            case EntityMerged(one, into, rule, why) if not self.own.isdisjoint((one, into)):
                told = f"{self._name(one)} is the same as {self._name(into)}"
                yield _event(event, "merged", told, source_id=one, target_id=into, rule=rule, why=why)
            case EntitySplit(one, apart, why) if not self.own.isdisjoint((one, apart)):
                told = f"{self._name(one)} is not the same as {self._name(apart)}"
                yield _event(event, "split", told, source_id=one, target_id=apart, why=why)

    def _name(self, entity_id: str) -> str:
        self.names.look_up([entity_id])
        return self._called.get(entity_id) or self.names.of(entity_id)


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.source_id, edge.target_id


def _event(event: Event, kind: str, what: str, at: datetime | None = None, **about: Any) -> TimelineEvent:
    """It stands where it became known, unless it has a time of its own."""
    return TimelineEvent(
        at=at or event.at,
        type=kind,
        what=what,
        recorded_at=event.at,
        actor=event.actor,
        op=event.op,
        space=event.space,
        seq=event.seq,
        **about,
    )


def _expiry(memory: Memory, at: datetime) -> TimelineEvent:
    return TimelineEvent(
        at=at,
        type="expired",
        what="no longer worth knowing",
        source_id=memory.id,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        why="the time has come that was given with it",
        recorded_at=memory.recorded_at,
        space=memory.space,
    )

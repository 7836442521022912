"""What does one space's journal say? The changes, folded up to some known time."""

from __future__ import annotations

from dataclasses import field, replace
from datetime import datetime
from typing import Any

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
    Kept,
    KeyBound,
    Marked,
    MemoryAdded,
    Purged,
    Received,
    Reinforced,
    SettingChanged,
    SourceAdded,
    SourceRestated,
    SourceTold,
    Used,
)
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.memory import Mark, MemoryRecord
from treering.model.source import Source
from treering.store.contract import (
    Tombstone,
)
from treering.values import dataclass


@dataclass(frozen=True)
class Naming:
    """One time an entity was named: as what, and through which memory, if not to the whole space."""

    name: str
    kind: str | None
    memory_id: str | None
    at: datetime


@dataclass
class FoldedSpace:
    """What one space's journal says, folded up to some known time."""

    all_seeing: bool
    sources: dict[str, Source] = field(default_factory=dict)
    memories: dict[str, MemoryRecord] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    namings: dict[str, list[Naming]] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    moves: dict[str, list[EdgeClosed | EdgeReopened]] = field(default_factory=dict)
    marks: dict[tuple[str, Mark], datetime] = field(default_factory=dict)
    reinforced: list[tuple[Reinforced, datetime, bool]] = field(default_factory=list)
    """With since when, and whether it still counts."""
    used: list[tuple[Used, datetime]] = field(default_factory=list)
    merged: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    attested: dict[str, set[str]] = field(default_factory=dict)
    """By edge, the actors that have countersigned it."""
    tombstones: dict[str, Tombstone] = field(default_factory=dict)

    def take(self, change: Change, at: datetime, received: bool = False) -> None:  # noqa: PLR0912  one arm a change
        match change:
            case SourceAdded(source):
                # a key counts in the store where it was given
                self.sources[source.id] = replace(source, key=None) if received else source
            case SourceRestated(source):
                self.sources[source.id] = change.as_first_recorded()
            case MemoryAdded(memory):
                self.memories[memory.id] = memory
            case EntityAdded(entity):
                self.entities[entity.id] = entity
                named = (entity.name, *entity.aliases)
                self.namings[entity.id] = [Naming(name, entity.kind, entity.memory_id, at) for name in named]
            case AliasesAdded(entity_id, aliases, memory_id, kind):
                self.namings[entity_id].extend(Naming(name, kind, memory_id, at) for name in aliases)
            case EdgeAdded(edge):
                self.edges[edge.id] = edge
            case EdgeClosed() | EdgeReopened():
                self.moves.setdefault(change.edge_id, []).append(change)
            case Marked(_, thing_id, mark, on):
                if on:
                    self.marks[thing_id, mark] = at
                else:
                    del self.marks[thing_id, mark]
            case Reinforced(memory_id, source_id):
                if change.on:
                    self.reinforced.append((change, at, True))
                else:
                    self.reinforced = [
                        (one, since, counts and (one.memory_id, one.source_id) != (memory_id, source_id))
                        for one, since, counts in self.reinforced
                    ]
            case Used():
                self.used.append((change, change.at or at))
            case EntityMerged(entity_id, into_id):
                self.merged[entity_id] = into_id
            case EntitySplit(entity_id):
                del self.merged[entity_id]
            case SettingChanged(name, value):
                self.settings[name] = value
            case KeyBound(actor, public_key):
                self.keys[actor] = public_key, at
            case Attested(edge_id, actor):
                self.attested.setdefault(edge_id, set()).add(actor)
            case Received() | Kept():
                pass  # changes nothing here
            case SourceTold() | EdgeRepeated():
                pass  # read from the journal, by who asks for it
            case Purged():
                pass  # what is gone was cut out of the entries that had brought it

    def bury(self, change: Change, at: datetime) -> None:
        """A purge is the one thing that every moment knows of, also those before it."""
        match change:
            case Purged(gone, _, why):
                buried = [one for one in gone if self.all_seeing or not one.private]
                self.tombstones.update({one.id: Tombstone(one.id, one.thing, at, why) for one in buried})
            case SourceRestated(source):
                self.sources[source.id] = change.as_first_recorded()

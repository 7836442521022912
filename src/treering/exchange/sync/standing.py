"""What has this store taken over so far, and who had the last word on what? One pass over its journal tells.

Entries are told apart by their hash, wherever they lie. What can be changed more than once (a window, a mark, a merge,
a setting) goes by who changed it last, by their own clocks; the hash decides between equals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from treering.model.changes import (
    Attested,
    Change,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Kept,
    Marked,
    Purged,
    Reinforced,
    SettingChanged,
    Thing,
)
from treering.model.edge import Link
from treering.model.entity import fold
from treering.model.journal import SYNC, Entry
from treering.store.circles import ACYCLIC

Stamp = tuple[datetime, str, int]
"""When a change was made, the entry's hash, and the place in it: an order in which no two are equal."""


def origins(entry: Entry) -> Iterator[tuple[Entry, list[tuple[int, Change]]]]:
    """The entries in which what this one tells was made: itself, or those that were received with it. Their changes
    come with their places, and as they were made."""
    if entry.op != SYNC:
        yield entry, list(entry.numbered_changes)
        return
    for made, _ in entry.parts[1:]:
        yield made, list(made.numbered_changes)


def register(change: Change) -> tuple[str, ...] | None:
    """What the change is the last word on, if it is on anything."""
    match change:
        case EdgeClosed() | EdgeReopened():
            return "window", change.edge_id
        case Marked():
            return "mark", change.id, change.mark.value
        case Reinforced():
            return "evidence", change.memory_id, change.source_id
        case EntityMerged() | EntitySplit():
            return "merge", change.entity_id
        case SettingChanged():
            return "setting", change.name
    return None


@dataclass
class SyncState:
    """What is known of a space's entries, wherever they were made."""

    known: set[str] = field(default_factory=set)
    last: dict[tuple[str, ...], Stamp] = field(default_factory=dict)
    words: dict[tuple[str, ...], Change] = field(default_factory=dict)
    """The last words themselves."""
    waiting: dict[str, EdgeAdded] = field(default_factory=dict)
    """Edges that are known of and were not taken, since something that they join was not here."""
    merges: dict[str, tuple[Stamp, EntityMerged | EntitySplit]] = field(default_factory=dict)
    named: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By folded name, the entities that were given it when they were made."""
    purged: set[str] = field(default_factory=set)
    """Entities that went with a purge, wherever that was."""
    attested: set[tuple[str, str]] = field(default_factory=set)
    superseding: dict[str, list[EdgeAdded]] = field(default_factory=lambda: defaultdict(list))
    """By the memory whose place was taken, in the order in which it became known here."""
    leads: dict[tuple[str, str], dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """By relation and memory: the edges that lead on from it, each with where to."""
    stamps: dict[str, Stamp] = field(default_factory=dict)
    """Of those edges."""

    def take(self, entry: Entry) -> None:
        self.known.add(entry.hash)
        for made, changes in origins(entry):
            self.learn(made, changes)
        if entry.op == SYNC:
            self._take_own(entry)

    def _take_own(self, entry: Entry) -> None:
        """What was put right with what was received."""
        for _, change in entry.parts[0][1]:
            match change:
                case EntityAdded(entity):  # one that had been purged here
                    self.named[fold(entity.name)].add(entity.id)
                case EdgeAdded(edge):
                    self.waiting.pop(edge.id, None)
        for made, inside in entry.parts[1:]:
            kept = {one.owners for _, one in inside if isinstance(one, Kept) and isinstance(one.inner, EdgeAdded)}
            for _, change in made.numbered_changes:
                if isinstance(change, EdgeAdded) and change.owners in kept:
                    self.waiting[change.edge.id] = change

    def learn(self, made: Entry, changes: list[tuple[int, Change]]) -> None:
        self.known.add(made.hash)
        for index, change in changes:
            self._learn(change, (made.at, made.hash, index))

    def _learn(self, change: Change, stamp: Stamp) -> None:
        place = register(change)
        if place is not None and self.is_last(place, stamp):
            self.last[place], self.words[place] = stamp, change
            if isinstance(change, EntityMerged | EntitySplit):
                self.merges[change.entity_id] = stamp, change
        match change:
            case EntityAdded():
                self.named[fold(change.entity.name)].add(change.entity.id)
            case Purged(gone):
                self.purged |= {one.id for one in gone if one.thing is Thing.ENTITY}
            case Attested():
                self.attested.add((change.edge_id, change.actor))
            case EdgeAdded(edge) if edge.relation in ACYCLIC:
                self.leads[edge.relation, edge.source_id][edge.id] = edge.target_id
                self.stamps[edge.id] = stamp
                others = self.superseding[edge.target_id]
                if edge.relation == Link.SUPERSEDES and all(one.edge.id != edge.id for one in others):
                    others.append(change)
            case Kept():
                raise AssertionError("an entry as it was made keeps nothing")

    def is_last(self, place: tuple[str, ...], stamp: Stamp) -> bool:
        return place not in self.last or stamp > self.last[place]

    def merged(self, is_here: Callable[[str], bool]) -> dict[str, EntityMerged | None]:
        """How entities should be merged, of which there is a question: by the last word on each, the earlier words
        first, without what would go round in a circle; then those that two stores made under one name, unless somebody
        said otherwise. None is not merged. Words on an entity that was purged somewhere went with it."""
        found: dict[str, EntityMerged | None] = {}

        def whole(one: str) -> str:
            while (into := found.get(one)) is not None:
                one = into.into_id
            return one

        said = {one: word for one, word in self.merges.items() if self.purged.isdisjoint(word[1].about)}
        for _, change in sorted(said.values(), key=lambda one: one[0]):
            found[change.entity_id] = None
            if isinstance(change, EntityMerged) and is_here(change.entity_id) and is_here(change.into_id):
                found[change.entity_id] = change if whole(change.into_id) != change.entity_id else None
        found |= dict.fromkeys(self.merges.keys() - said.keys())
        for same in self.named.values():
            first, *others = sorted(filter(is_here, same)) or [""]  # ids are in the order in which they were made
            for one in others:
                if one not in said:
                    goes_round = whole(first) == one
                    found[one] = None if goes_round else EntityMerged(one, first, SYNC, "two stores gave it this name")
        return found

    def round_trip(self, edge: EdgeAdded, lives: Callable[[str], bool]) -> list[str]:
        """The edges of a circle that this one would close, itself included; none if it closes none."""
        start, end, relation = edge.edge.target_id, edge.edge.source_id, edge.edge.relation
        came: dict[str, tuple[str, str]] = {}
        frontier = [start]
        while frontier:
            here = frontier.pop()
            for edge_id, there in sorted(self.leads.get((relation, here), {}).items()):
                if there in came or there == start or edge_id == edge.edge.id or not lives(edge_id):
                    continue
                came[there] = edge_id, here
                if there == end:
                    return [edge.edge.id, *_way_back(came, start, end)]
                frontier.append(there)
        return []


def _way_back(came: dict[str, tuple[str, str]], start: str, end: str) -> Iterator[str]:
    """The edges that led from `start` to `end`, the last one first."""
    here = end
    while here != start:
        edge_id, here = came[here]
        yield edge_id

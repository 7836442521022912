"""What must go when something is purged? The reach of the one operation that removes bytes.

With a memory go what quotes it (memories derived from it, through any number of steps), the edges that touch or rest on
any of them, the entities that only they had brought in, and the sources they were said in. Where another memory rests
on the same source, only the purged stretch of it is blanked. A source that made no memory goes by itself. What a
consolidation had put away comes back when the memory that stood for it goes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from treering.errors import Conflict
from treering.model.changes import (
    AliasesAdded,
    Changes,
    Cut,
    EdgeAdded,
    EdgeRepeated,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Gone,
    Kept,
    Marked,
    Purged,
    Reinforced,
    SourceAdded,
    SourceRestated,
    SourceTold,
    Thing,
)
from treering.model.edge import Link
from treering.model.memory import Mark, Memory, View, Visibility
from treering.model.source import Source
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.naming import missing
from treering.store.same_words import told_within
from treering.upkeep.hold import must_be_free, space_must_be_free
from treering.values import dataclass

STANDS_FOR_ITSELF = "what stood for it was purged"


def _every_edge(**which: Any) -> EdgeFilter:
    return EdgeFilter(include_closed=True, include_forgotten=True, **which)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PurgeReport(Value):
    """What the caller can see of what goes; what goes is everything. `scrubbed` is false while a reader elsewhere keeps
    old pages alive; the bytes then go at the next open or purge. When all was done, what went was looked for in so many
    tables (`probed`), and `remains` names those in which something of it was still found. `restored` are memories that
    a consolidation had put away and that are back, because the one that stood for them went. `found` lists memories in
    which the same words still stand, and `jobs` your jobs that are still to remember them: statements of their own,
    which may want purging or cancelling too. `notes_removed` are notes of the vault that Treering had written and
    nobody had changed; `notes_left` those in which the words still stand, or that could not be read: they are yours to
    look after."""

    id: str
    memories: tuple[str, ...]
    sources: tuple[str, ...]
    sources_blanked: tuple[str, ...]
    entities: tuple[str, ...]
    edges: tuple[str, ...]
    changes_cut: int
    scrubbed: bool = False
    probed: int = 0
    remains: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    notes_removed: tuple[str, ...] = ()
    notes_left: tuple[str, ...] = ()
    dry_run: bool = False


def purge(reader: Reader, thing_id: str, why: str | None) -> tuple[Changes, PurgeReport]:
    """Of a memory, or of a source that no memory rests on. Held if something of it is on hold."""
    source = None if (memory := reader.memory(thing_id)) else reader.source(thing_id)
    if (found := memory or source) is not None:  # of what there is not, nothing is told
        space_must_be_free(reader, found.space)
    return _purge_memory(reader, thing_id, why) if source is None else _purge_source(reader, source, why)


def _purge_source(reader: Reader, source: Source, why: str | None) -> tuple[Changes, PurgeReport]:
    everything = reader.all_seeing()
    events = everything.events(source.id)
    resting = [one.id for one in everything.memories(MemoryFilter(view=View.ALL, source_id=source.id))]
    resting += [event.change.memory_id for event in events if isinstance(event.change, Reinforced)]
    if resting:
        seen = [one for one in dict.fromkeys(resting) if reader.memory(one)]
        raise Conflict(
            f"id: memories rest on the source {source.id}" + (f" ({', '.join(seen[:5])})" if seen else "")
            + "; purge those, and the source goes with the last of them"
        )  # fmt: skip
    cuts = tuple(Cut(event.seq, event.index) for event in events if source.id in event.change.owners)
    report = PurgeReport(
        id=source.id,
        memories=(),
        sources=(source.id,),
        sources_blanked=(),
        entities=(),
        edges=(),
        changes_cut=len(cuts),
        found=tuple(same_words(reader, source.content, ())),
    )
    gone = Gone(Thing.SOURCE, source.id, bool(source.visible_to))
    return Changes("purge", (Purged((gone,), cuts, why),)), report


def _purge_memory(reader: Reader, memory_id: str, why: str | None) -> tuple[Changes, PurgeReport]:
    everything = reader.all_seeing()
    first = reader.memory(memory_id)
    if first is None:
        raise missing(reader, memory_id, "id", "memory")
    reach = _Reach(everything, first)
    must_be_free(reader, reach.memories, reach.blanked)
    edges = reader.edges(_every_edge(ids=tuple(reach.edges)))
    report = PurgeReport(
        id=memory_id,
        memories=tuple(one for one in sorted(reach.memories) if reader.memory(one)),
        sources=tuple(one for one in sorted(reach.sources) if reader.source(one)),
        sources_blanked=tuple(one for one in sorted(reach.blanked) if reader.source(one)),
        entities=tuple(one for one in sorted(reach.entities) if reader.entity(one)),
        edges=tuple(sorted(edge.id for edge in edges)),
        changes_cut=len(reach.cuts),
        restored=tuple(one for one in reach.come_back if reader.memory(one)),
        found=tuple(same_words(reader, first.content, reach.memories)),
    )
    restated = (SourceRestated(source, source.recorded_at) for source in reach.blanked.values())
    back = (Marked(Thing.MEMORY, one, Mark.ARCHIVED, False, STANDS_FOR_ITSELF) for one in reach.come_back)
    purged = Purged(tuple(reach.gone()), tuple(reach.cuts), why)
    return Changes("purge", (purged, *restated, *back)), report


class _Reach:
    def __init__(self, reader: Reader, first: Memory) -> None:
        self._reader = reader
        self.memories = {one.id: one for one in (first, *told_within(reader, first))}
        for one in tuple(self.memories):
            self._follow_derivations(one)
        self.edges = self._edges()
        touched = self._entities_touched()
        spoken_of = self._in_facts_that_stay()
        self.entities = {one for one in touched - spoken_of if self._only_known_from_these(one)}
        self.come_back = sorted(self._put_away())
        self.sources: dict[str, Source] = {}
        self.blanked: dict[str, Source] = {}
        self._sort_sources()
        self.cuts = sorted(set(self._cuts(touched)), key=lambda cut: (cut.seq, cut.index))

    def _follow_derivations(self, memory_id: str) -> None:
        frontier = [memory_id]
        while frontier:
            which = _every_edge(target_ids=tuple(frontier), relations=(Link.DERIVED_FROM.value,))
            quoting = (self._reader.memory(edge.source_id) for edge in self._reader.edges(which))
            new = {one.id: one for one in quoting if one is not None and one.id not in self.memories}
            self.memories.update(new)
            frontier = list(new)

    def _put_away(self) -> Iterator[str]:
        """What was archived when one of these was made of it, and has been ever since."""
        which = _every_edge(source_ids=tuple(self.memories), relations=(Link.DERIVED_FROM.value,))
        made = {(edge.target_id, edge.recorded_at) for edge in self._reader.edges(which)}
        for memory_id in {one for one, _ in made} - set(self.memories):
            changes = ((event.at, event.change) for event in self._reader.events(memory_id))
            marks = [(at, one) for at, one in changes if isinstance(one, Marked) and one.mark is Mark.ARCHIVED]
            if marks and marks[-1][1].on and (memory_id, marks[-1][0]) in made:
                yield memory_id

    def _edges(self) -> set[str]:
        ids = tuple(self.memories)
        touching = self._reader.edges(_every_edge(either_ids=ids))
        resting = (self._reader.edges(_every_edge(evidence_id=one)) for one in ids)
        return {edge.id for edges in (touching, *resting) for edge in edges}

    def _in_facts_that_stay(self) -> set[str]:
        """What another memory tells as well goes over to that one, with those it is about."""
        events = [event.change for edge_id in self.edges for event in self._reader.events(edge_id)]
        told = {one.edge_id for one in events if isinstance(one, EdgeRepeated) and not self._has_gone(one.memory_id)}
        edges = (one.edge for one in events if isinstance(one, EdgeAdded))
        return {end for edge in edges if edge.id in told for end in (edge.source_id, edge.target_id)}

    def _entities_touched(self) -> set[str]:
        """By their own ids, not those of what they may be merged into."""
        added = (event.change for edge_id in self.edges for event in self._reader.events(edge_id))
        edges = (change.edge for change in added if isinstance(change, EdgeAdded))
        return {end for edge in edges for end in (edge.source_id, edge.target_id)} - set(self.memories)

    def _only_known_from_these(self, entity_id: str) -> bool:
        """A purged memory brought it in, and nothing else speaks of it."""
        events = self._reader.events(entity_id)
        return bool(events) and all(self._goes_too(event.change) for event in events)

    def _goes_too(self, change: object) -> bool:
        match change:
            case EntityAdded(entity):
                return self._has_gone(entity.memory_id)
            case AliasesAdded(_, _, memory_id):
                return self._has_gone(memory_id)
            case EdgeAdded(edge):
                return edge.id in self.edges
            case EntityMerged() | EntitySplit() | Kept():
                return True  # says who it is, not that somebody else speaks of it
        return False

    def _has_gone(self, memory_id: str | None) -> bool:
        """Now, or with an earlier purge."""
        return memory_id is not None and (memory_id in self.memories or self._reader.memory(memory_id) is None)

    def _sort_sources(self) -> None:
        """Where the words were said, and where they were said once more."""
        spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for memory in self.memories.values():
            spans[memory.source_id].append(memory.span)
        for again in self._reader.evidence(self.memories, undone=True):
            spans[again.source_id].append(again.span)
        for source_id, said in spans.items():
            source = self._reader.source(source_id)
            if source is None:
                continue
            if self._rests_on_nothing_else(source_id):
                self.sources[source_id] = source
            else:
                self.blanked[source_id] = replace(source, content=source.blanked(said))

    def _rests_on_nothing_else(self, source_id: str) -> bool:
        resting = self._reader.memories(MemoryFilter(view=View.ALL, source_id=source_id))
        return all(memory.id in self.memories for memory in resting) and not self._speaks_for_others(source_id)

    def _speaks_for_others(self, source_id: str) -> bool:
        said_again = (event.change for event in self._reader.events(source_id))
        return any(isinstance(one, Reinforced) and one.memory_id not in self.memories for one in said_again)

    def gone(self) -> Iterator[Gone]:
        for thing, ids in (
            (Thing.MEMORY, self.memories),
            (Thing.EDGE, self.edges),
            (Thing.ENTITY, self.entities),
            (Thing.SOURCE, self.sources),
        ):
            yield from (Gone(thing, one, self._is_private(one)) for one in sorted(ids))

    def _is_private(self, thing_id: str) -> bool:
        """A memory if it was; anything else if one of the memories was."""
        asked = [self.memories[thing_id]] if thing_id in self.memories else self.memories.values()
        return any(memory.visibility is Visibility.PRIVATE for memory in asked)

    def _cuts(self, touched: set[str]) -> Iterator[Cut]:
        owned = {*self.memories, *self.edges, *self.entities, *self.sources}
        # a name that a purged memory gave to an entity that stays is found through that entity
        for thing_id in {*owned, *self.blanked, *touched}:
            for event in self._reader.events(thing_id):
                said = event.change.inner if isinstance(event.change, Kept) else event.change
                if owned & set(event.change.owners) or self._holds_the_words(said):
                    yield Cut(event.seq, event.index)

    def _holds_the_words(self, change: object) -> bool:
        """It says what a source that is now blanked had said; that it was read, or backs another memory, stays."""
        match change:
            case SourceAdded(source) | SourceRestated(source):
                return source.id in self.blanked
            case SourceTold(source_id):
                return source_id in self.blanked
        return False


def same_words(reader: Reader, words: str, besides: Iterable[str]) -> Iterator[str]:
    """Memories in which these words stand as well."""
    gone = set(besides)
    for memory in reader.memories(MemoryFilter(view=View.ALL, containing=words)):
        if memory.id not in gone:
            yield memory.id

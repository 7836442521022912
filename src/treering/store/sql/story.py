"""What happened, to these things or at all? The journal read again, found by the traces that its entries left in the
tables, without what touches things that are private to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from treering.model.changes import (
    Attested,
    Change,
    EdgeClosed,
    EdgeReopened,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Kept,
    Marked,
    Purged,
    Received,
)
from treering.model.journal import Entry
from treering.model.time import to_micros
from treering.store.contract import Event
from treering.store.sql import tables as t
from treering.store.sql.bound import CLOSED_TO_US, Bound, Where, some_at_a_time
from treering.store.sql.entities import SqlEntities

# Where a thing leaves its traces, as known times: each is the time of the entry that left it. A purge may restate a
# source and leaves no other trace of that, so every purge is looked at; they are few. That a memory has a kind keeps
# SQLite from going through the whole index by known time, which holds the id too, but not the kind.
_TRACES = """
    SELECT recorded_at FROM source WHERE space_id = :space AND id IN {0}
    UNION SELECT recorded_at FROM memory WHERE space_id = :space AND id IN {0} AND kind <> ''
    UNION SELECT recorded_at FROM memory WHERE space_id = :space AND source_id IN {0}
    UNION SELECT recorded_at FROM alias WHERE space_id = :space AND entity_id IN {0}
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND id IN {0}
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND source_id IN {0}
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND target_id IN {0}
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND memory_id IN {0}
    UNION SELECT known_from FROM edge_window WHERE space_id = :space AND edge_id IN {0}
    UNION SELECT known_from FROM edge_window WHERE space_id = :space AND evidence IN {0}
    UNION SELECT recorded_at FROM attestation WHERE space_id = :space AND edge_id IN {0}
    UNION SELECT known_from FROM mark WHERE space_id = :space AND target_id IN {0}
    UNION SELECT known_until FROM mark WHERE space_id = :space AND target_id IN {0}
    UNION SELECT known_from FROM evidence WHERE space_id = :space AND memory_id IN {0}
    UNION SELECT known_until FROM evidence WHERE space_id = :space AND memory_id IN {0}
    UNION SELECT known_from FROM evidence WHERE space_id = :space AND source_id IN {0}
    UNION SELECT known_until FROM evidence WHERE space_id = :space AND source_id IN {0}
    UNION SELECT known_from FROM used WHERE space_id = :space AND memory_id IN {0}
    UNION SELECT known_from FROM merge WHERE space_id = :space AND entity_id IN {0}
    UNION SELECT known_until FROM merge WHERE space_id = :space AND entity_id IN {0}
    UNION SELECT known_from FROM merge WHERE space_id = :space AND into_id IN {0}
    UNION SELECT known_until FROM merge WHERE space_id = :space AND into_id IN {0}
    UNION SELECT known_from FROM kept WHERE space_id = :space AND thing_id IN {0}
    UNION SELECT purged_at FROM tombstone WHERE space_id = :space"""


_ENTRIES_KEPT = 1_000  # that a reader has at hand


class SqlStory:
    def __init__(self, bound: Bound, entities: SqlEntities) -> None:
        self._bound, self._entities = bound, entities
        self._entries_read: dict[tuple[int, int], Entry] = {}

    def events(self, thing_ids: tuple[str, ...]) -> list[Event]:
        told, asked = [], set(thing_ids)
        for space_id, name in self._bound.names.items():
            for entry in self._entries_about(space_id, name, thing_ids):
                for index, change in entry.changes_about(asked):
                    known = self._bound.moment.knows(entry.at) or isinstance(change, Purged)
                    if known and self._may_tell(space_id, change):
                        told.append(Event(name, entry.seq, index, entry.at, entry.actor, entry.op, change))
        return sorted(told, key=lambda event: (event.at, event.space, event.index))

    def _entries_about(self, space_id: int, name: str, thing_ids: tuple[str, ...]) -> Iterator[Entry]:
        """Each once, in order. First the times at which any of the things left a trace, then the entries of those."""
        times: set[int] = set()
        for some in some_at_a_time(thing_ids):
            where = Where({"space": space_id})
            sql = _TRACES.format(where.listed(some))
            times.update(row[0] for row in self._bound.rows(sql, where))
        for few in some_at_a_time(sorted(times)):
            yield from self._entries_of(space_id, name, few)

    def _entries_of(self, space_id: int, name: str, times: Sequence[int]) -> Iterator[Entry]:
        """A story asks for the same entries more than once, and a large one is slow to read."""
        if len(self._entries_read) > _ENTRIES_KEPT:
            self._entries_read.clear()
        missed = [at for at in times if (space_id, at) not in self._entries_read]
        if missed:
            where = Where({"space": space_id})
            where.add_among("at", missed)
            sql = f"SELECT {t.JOURNAL.select()} FROM journal WHERE space_id = :space{where}"
            for row in self._bound.rows(sql, where):
                entry = t.read_entry(name, row)
                self._entries_read[space_id, to_micros(entry.at)] = entry
        kept = (self._entries_read.get((space_id, at)) for at in times)
        return (entry for entry in kept if entry is not None)

    def happened(self, after: int, limit: int, is_open: Callable[[Change], bool]) -> tuple[list[Event], int]:
        """`is_open`: whether the sources that a change tells of are."""
        told: list[Event] = []
        own = [(space_id, name) for space_id, name in self._bound.names.items() if name == self._bound.own]
        for space_id, name in own:
            where = self._bound.where("j")
            where.add("j.space_id = {}", space_id)
            where.add("j.seq > {}", after)
            sql = f"SELECT {t.JOURNAL.select('j.')} FROM journal j WHERE j.at <= :known{where} ORDER BY j.seq"
            for row in self._bound.rows(f"{sql} LIMIT {limit:d}", where):
                entry = t.read_entry(name, row)
                told += [
                    Event(name, entry.seq, index, entry.at, entry.actor, entry.op, change)
                    for index, change in entry.numbered_changes
                    if self._may_tell(space_id, change) and is_open(change)
                ]
                after = entry.seq
        return told, after

    def _may_tell(self, space_id: int, change: Change) -> bool:
        """No memory that the change touches is private to others, and no entity is known through such a one alone."""
        if self._bound.all_seeing:
            return True
        if isinstance(change, Kept | Received):
            return False
        if isinstance(change, EntityMerged | EntitySplit):
            return all(self._entities.known_by_itself(space_id, one) for one in change.about)
        owner = change.entity.memory_id if isinstance(change, EntityAdded) else getattr(change, "memory_id", None)
        touched = {*change.about, *([owner] if owner else [])}
        if isinstance(change, EdgeClosed | EdgeReopened | Marked | Attested):
            touched |= self._ends(change.about[0])
        where = self._bound.where("m")
        where.add_among("m.id", touched)
        sql = f"SELECT 1 FROM memory m WHERE {CLOSED_TO_US.format('m')}{where} LIMIT 1"
        return not self._bound.rows(sql, where)

    def _ends(self, edge_id: str) -> set[str]:
        where = self._bound.where("e")
        where.add("e.id = {}", edge_id)
        sql = f"SELECT e.source_id, e.target_id, e.memory_id FROM edge e WHERE TRUE{where}"
        return {one for row in self._bound.rows(sql, where) for one in row if one is not None}

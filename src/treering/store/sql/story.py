"""What happened, to these things or at all? The journal read again, found by the traces that its entries left in the
tables, without what touches things that are private to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from treering.model.changes import (
    Attested,
    Change,
    EdgeClosed,
    EdgeReopened,
    EdgeRepeated,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Kept,
    Marked,
    Purged,
    Received,
)
from treering.model.journal import Entry
from treering.model.time import from_micros, to_micros
from treering.store.contract import Event
from treering.store.openness import is_told
from treering.store.sql import tables as t
from treering.store.sql.bound import CLOSED_TO_US, EDGE_OPEN, SOURCE_OPEN, Bound, Where, some_at_a_time
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


# What may keep something from us: private memories, what was said in private, what was purged and not known to all.
_PRIVATE = """SELECT 1 WHERE EXISTS (SELECT 1 FROM principal WHERE space_id IN {0})
    OR EXISTS (SELECT 1 FROM tombstone WHERE space_id IN {0} AND private = 1)
    OR EXISTS (SELECT 1 FROM source WHERE space_id IN {0} AND visible_to <> '[]')"""

_MEMORY_CLOSED = f"CASE WHEN {CLOSED_TO_US.format('m')} THEN 1 ELSE 0 END"

# When something was left in the tables, by which entries are known, and whether it is closed to us.
_LEFT = f"""
    SELECT m.space_id, m.recorded_at, {_MEMORY_CLOSED} FROM memory m WHERE m.space_id IN {{0}}
    UNION SELECT m.space_id, u.known_from, {_MEMORY_CLOSED} FROM used u
        JOIN memory m ON m.space_id = u.space_id AND m.id = u.memory_id WHERE u.space_id IN {{0}}
    UNION SELECT m.space_id, k.known_from, {_MEMORY_CLOSED} FROM mark k
        JOIN memory m ON m.space_id = k.space_id AND m.id = k.target_id WHERE k.space_id IN {{0}}
    UNION SELECT o.space_id, o.recorded_at, CASE WHEN {SOURCE_OPEN} THEN 0 ELSE 1 END FROM source o
        WHERE o.space_id IN {{0}}
    UNION SELECT a.space_id, a.recorded_at, {_MEMORY_CLOSED} FROM alias a
        LEFT JOIN memory m ON m.space_id = a.space_id AND m.id = a.memory_id WHERE a.space_id IN {{0}}
    UNION SELECT e.space_id, e.recorded_at, CASE WHEN {EDGE_OPEN} THEN 0 ELSE 1 END FROM edge e
        WHERE e.space_id IN {{0}}"""

# When something happened of which that is not enough to say whether it may be told.
_UNSURE = """
    SELECT space_id, known_from FROM merge WHERE space_id IN {0}
    UNION SELECT space_id, known_until FROM merge WHERE space_id IN {0}
    UNION SELECT space_id, known_from FROM evidence WHERE space_id IN {0}
    UNION SELECT space_id, known_until FROM evidence WHERE space_id IN {0}
    UNION SELECT w.space_id, w.known_from FROM edge_window w JOIN edge e ON e.space_id = w.space_id AND e.id = w.edge_id
        WHERE w.space_id IN {0} AND w.known_from <> e.recorded_at
    UNION SELECT space_id, known_until FROM mark WHERE space_id IN {0}
    UNION SELECT space_id, recorded_at FROM attestation WHERE space_id IN {0}
    UNION SELECT space_id, known_from FROM setting WHERE space_id IN {0}
    UNION SELECT space_id, recorded_at FROM actor_key WHERE space_id IN {0}
    UNION SELECT space_id, purged_at FROM tombstone WHERE space_id IN {0}"""

_ENTRIES_KEPT = 1_000  # that a reader has at hand
_LOOKED_BACK = 500
"""So many entries from the end the last is looked for that may be told of."""
_AT_ONCE = 50


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

    def last_told(self, is_open: Callable[[Change], bool]) -> datetime | None:
        found = (self._last_told(space_id, name, is_open) for space_id, name in self._bound.names.items())
        return max((at for at in found if at is not None), default=None)

    def _last_told(self, space_id: int, name: str, is_open: Callable[[Change], bool]) -> datetime | None:
        """The last entry nearly always tells something; then no other is read."""
        if self._bound.all_seeing:
            return self._bound.heads[name].at
        seq = self._bound.heads[name].seq
        for entry in self._backwards(space_id, name, seq):
            if self._tells(space_id, entry, is_open):
                return entry.at
        if seq <= _LOOKED_BACK:
            return None
        where = self._bound.within("m", space_id)
        sql = f"SELECT MAX(m.recorded_at) FROM memory m WHERE NOT ({CLOSED_TO_US.format('m')}){where}"
        latest = self._bound.rows(sql, where)[0][0]
        return None if latest is None else from_micros(latest)

    def _backwards(self, space_id: int, name: str, seq: int) -> Iterator[Entry]:
        oldest, some = max(seq - _LOOKED_BACK, 0), 1
        while seq > oldest:
            after = max(seq - some, oldest)
            where = self._bound.within("j", space_id)
            where.add("j.seq > {} AND j.seq <= {}", after, seq)
            sql = f"SELECT {t.JOURNAL.select('j.')} FROM journal j WHERE TRUE{where} ORDER BY j.seq DESC"
            yield from (t.read_entry(name, row) for row in self._bound.rows(sql, where))
            seq, some = after, _AT_ONCE

    def untold(self, is_open: Callable[[Change], bool]) -> set[tuple[int, int]]:
        """The entries of which nothing may be told, by space and time. What they left in the tables tells it of nearly
        all; the others are read."""
        if self._bound.all_seeing or not self._rows(_PRIVATE):
            return set()
        every = {(row[0], row[1]) for row in self._rows("SELECT space_id, at FROM journal WHERE space_id IN {0}")}
        left, unsure = self._rows(_LEFT), {(row[0], row[1]) for row in self._rows(_UNSURE)}
        told = {(row[0], row[1]) for row in left if not row[2]}
        silent = {(row[0], row[1]) for row in left if row[2]} - told - unsure
        for space_id, name in self._bound.names.items():
            doubtful = sorted(at for number, at in every - told - silent if number == space_id)
            for few in some_at_a_time(doubtful):
                read = self._entries_of(space_id, name, few)
                silent |= {(space_id, to_micros(one.at)) for one in read if not self._tells(space_id, one, is_open)}
        return silent

    def _rows(self, sql: str) -> list[t.SqlRow]:
        """Of all the spaces."""
        where = Where(self._bound.params)
        return self._bound.rows(sql.format(where.listed(self._bound.names)), where)

    def _tells(self, space_id: int, entry: Entry, is_open: Callable[[Change], bool]) -> bool:
        return any(
            is_told(change) and self._may_tell(space_id, change) and is_open(change) for change in entry.changes_left()
        )

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
        if isinstance(change, EdgeClosed | EdgeReopened | EdgeRepeated | Marked | Attested):
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

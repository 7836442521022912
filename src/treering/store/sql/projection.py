"""What does a change do to the tables? Live writes, replay and rebuild all go through here, so they cannot differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from treering.model.changes import (
    AliasesAdded,
    Attested,
    Change,
    Cut,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EdgeRepeated,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Gone,
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
    Thing,
    Used,
)
from treering.model.codec import canonical
from treering.model.entity import fold
from treering.model.journal import SYNC, Entry
from treering.model.memory import Visibility
from treering.model.time import to_micros
from treering.store.sql import tables as t
from treering.store.sql.tables import FOREVER, Connection, SqlRow, Table

_PLACES_A_CHANGE = 1 << 16

# What a purge removes of each kind of thing, children before parents.
_REMOVALS: dict[Thing, tuple[str, ...]] = {
    Thing.EDGE: (
        "DELETE FROM edge_window WHERE space_id = ? AND edge_id = ?",
        "DELETE FROM attestation WHERE space_id = ? AND edge_id = ?",
        "DELETE FROM mark WHERE space_id = ? AND target_id = ?",
        "DELETE FROM edge WHERE space_id = ? AND id = ?",
    ),
    Thing.ENTITY: (
        "DELETE FROM alias WHERE space_id = ? AND entity_id = ?",
        "DELETE FROM merge WHERE space_id = ? AND entity_id = ?",
        "DELETE FROM merge WHERE space_id = ? AND into_id = ?",
        "DELETE FROM embedding WHERE space_id = ? AND thing_id = ?",
        "DELETE FROM entity WHERE space_id = ? AND id = ?",
    ),
    Thing.MEMORY: (
        # the names it gave to an entity that was there before; those an entity came with are its own, and stand
        # at the place of the one change that brought it, before any other of the same write
        "DELETE FROM alias WHERE space_id = ? AND memory_id = ? AND (recorded_at > (SELECT n.recorded_at FROM entity n"
        " WHERE n.space_id = alias.space_id AND n.id = alias.entity_id)"
        f" OR position / {_PLACES_A_CHANGE} > (SELECT MIN(a.position) / {_PLACES_A_CHANGE} FROM alias a"
        " WHERE a.space_id = alias.space_id AND a.entity_id = alias.entity_id AND a.recorded_at = alias.recorded_at))",
        "DELETE FROM memory_tag WHERE space_id = ? AND memory_id = ?",
        "DELETE FROM principal WHERE space_id = ? AND memory_id = ?",
        "DELETE FROM mark WHERE space_id = ? AND target_id = ?",
        "DELETE FROM evidence WHERE space_id = ? AND memory_id = ?",
        "DELETE FROM used WHERE space_id = ? AND memory_id = ?",
        "DELETE FROM embedding WHERE space_id = ? AND thing_id = ?",
        "DELETE FROM memory WHERE space_id = ? AND id = ?",
    ),
    Thing.SOURCE: (
        "DELETE FROM mark WHERE space_id = ? AND target_id = ?",
        "DELETE FROM evidence WHERE space_id = ? AND source_id = ?",
        "DELETE FROM source WHERE space_id = ? AND id = ?",
    ),
}


class Projector:
    """Carries the changes of one entry into the tables of its space.

    Inserts are gathered and sent table by table; whatever changes existing rows first sends what was gathered.
    """

    def __init__(self, connection: Connection, space_id: int, at: datetime, received: bool = False) -> None:
        self._connection, self._space_id = connection, space_id
        self._at = to_micros(at)
        self._gathered: dict[str, list[SqlRow]] = defaultdict(list)
        self._index = 0
        self._received = received

    def take(self, changes: Iterable[tuple[int, Change]]) -> None:
        """`changes` come with their places in the entry."""
        for self._index, change in changes:
            _METHODS[type(change)](self, change)
        self._send()

    def _insert(self, table: Table, *values: object) -> None:
        self._gathered[table.name].append((self._space_id, *values))

    def _send(self) -> None:
        for table in t.PROJECTED:
            rows = self._gathered.pop(table.name, None)
            if rows:
                self._connection.run_many(table.insert(), rows)

    def _run(self, sql: str, *values: object) -> None:
        self._send()
        self._connection.run(sql, values)

    def _source_added(self, change: SourceAdded) -> None:
        source = change.source
        if self._received:
            source = replace(source, key=None)  # a key counts in the store where it was given
        self._insert(t.SOURCE, *t.source_row(source))

    def _memory_added(self, change: MemoryAdded) -> None:
        memory = change.memory
        self._insert(t.MEMORY, *t.memory_row(memory))
        for tag in memory.tags:
            self._insert(t.MEMORY_TAG, tag, memory.id)
        if memory.visibility is Visibility.PRIVATE:
            for principal in dict.fromkeys((memory.observed_by, *memory.visible_to)):
                if principal is not None:
                    self._insert(t.PRINCIPAL, memory.id, principal)

    def _entity_added(self, change: EntityAdded) -> None:
        entity = change.entity
        folded = fold(entity.name)
        if self._received:
            folded = f"{folded}\x1f{entity.id}"  # two stores may make one each; they are found by their aliases
        self._insert(t.ENTITY, entity.id, entity.name, folded, entity.kind, self._at, entity.memory_id)
        self._name(entity.id, (entity.name, *entity.aliases), entity.kind, entity.memory_id)

    def _aliases_added(self, change: AliasesAdded) -> None:
        self._name(change.entity_id, change.aliases, change.kind, change.memory_id)

    def _name(self, entity_id: str, names: tuple[str, ...], kind: str | None, memory_id: str | None) -> None:
        for place, name in enumerate(names, self._index * _PLACES_A_CHANGE):
            self._insert(t.ALIAS, entity_id, fold(name), self._at, place, name, kind, memory_id)

    def _edge_added(self, change: EdgeAdded) -> None:
        edge = change.edge
        self._insert(t.EDGE, *t.edge_row(edge))
        until = t.micros_or(edge.valid_until, FOREVER)
        self._insert(t.EDGE_WINDOW, edge.id, self._at, until, None, None, None)

    def _window_moved(self, change: EdgeClosed | EdgeReopened) -> None:
        self._run(
            "DELETE FROM edge_window WHERE space_id = ? AND edge_id = ? AND known_from = ?",
            self._space_id,
            change.edge_id,
            self._at,
        )
        self._run("UPDATE edge SET moved = 1 WHERE space_id = ? AND id = ?", self._space_id, change.edge_id)
        until = t.micros_or(change.valid_until, FOREVER)
        self._insert(t.EDGE_WINDOW, change.edge_id, self._at, until, change.rule, change.why, change.evidence)

    def _end(self, table: str, where: str, *values: object) -> None:
        """The row that was believed until now is believed no longer."""
        self._run(
            f"UPDATE {table} SET known_until = ? WHERE space_id = ? AND known_until = ? AND {where}",
            self._at,
            self._space_id,
            FOREVER,
            *values,
        )

    def _marked(self, change: Marked) -> None:
        if change.on:
            self._insert(t.MARK, change.id, change.mark.value, self._at, FOREVER)
        else:
            self._end("mark", "target_id = ? AND mark = ?", change.id, change.mark.value)

    def _reinforced(self, change: Reinforced) -> None:
        if change.on:
            self._insert(t.EVIDENCE, change.memory_id, change.source_id, self._at, *change.span, FOREVER)
        else:
            self._end("evidence", "memory_id = ? AND source_id = ?", change.memory_id, change.source_id)

    def _used(self, change: Used) -> None:
        used_at = t.micros_or(change.at, self._at)
        how = (change.how.value, change.times, change.boost, int(change.cross_domain))
        self._insert(t.USED, change.memory_id, self._at, self._index, used_at, *how)

    def _entity_merged(self, change: EntityMerged) -> None:
        self._insert(t.MERGE, change.entity_id, change.into_id, self._at, FOREVER)

    def _entity_split(self, change: EntitySplit) -> None:
        self._end("merge", "entity_id = ?", change.entity_id)

    def _setting_changed(self, change: SettingChanged) -> None:
        self._end("setting", "name = ?", change.name)
        self._insert(t.SETTING, change.name, canonical(change.value), self._at, FOREVER)

    def _key_bound(self, change: KeyBound) -> None:
        self._insert(t.ACTOR_KEY, change.actor, change.public_key, self._at)

    def _attested(self, change: Attested) -> None:
        self._insert(t.ATTESTATION, change.edge_id, change.actor, change.edge_hash, change.signature, self._at)

    def _kept(self, change: Kept | EdgeRepeated) -> None:
        """It changes nothing; that it speaks of these things is noted, so that who asks or purges one finds it."""
        for one in dict.fromkeys(change.owners):
            self._insert(t.KEPT, one, self._at, self._index)

    def _purged(self, change: Purged) -> None:
        self._cut(change.cuts)
        for thing in _REMOVALS:
            for one in change.gone:
                if one.thing is thing:
                    self._remove(one)
        for one in change.gone:
            if self._received:  # it may have come back with another store's words, and gone again
                self._run("DELETE FROM tombstone WHERE space_id = ? AND id = ?", self._space_id, one.id)
            self._insert(t.TOMBSTONE, one.id, one.thing.value, self._at, int(one.private), change.why)

    def _remove(self, gone: Gone) -> None:
        for sql in _REMOVALS[gone.thing]:
            self._run(sql, self._space_id, gone.id)

    def _cut(self, cuts: tuple[Cut, ...]) -> None:
        by_entry: dict[int, list[int]] = defaultdict(list)
        for cut in cuts:
            by_entry[cut.seq].append(cut.index)
        for seq, indexes in by_entry.items():
            sql = f"SELECT {t.JOURNAL.select()} FROM journal WHERE space_id = ? AND seq = ?"
            for row in self._connection.rows(sql, (self._space_id, seq)):
                entry = t.read_entry("any", row)
                payload = entry.cut(indexes).payload()
                for index in _noted(entry, indexes):
                    self._run(
                        "DELETE FROM kept WHERE space_id = ? AND known_from = ? AND position = ?",
                        self._space_id,
                        to_micros(entry.at),
                        index,
                    )
                self._run(
                    "UPDATE journal SET payload = ? WHERE space_id = ? AND seq = ?",
                    payload,
                    self._space_id,
                    seq,
                )

    def _source_restated(self, change: SourceRestated) -> None:
        source = change.as_first_recorded()
        # On replay the first statement was cut and there is no row yet; live there is one, which memories refer to.
        self._run("INSERT INTO source (space_id, id, kind, content, occurred_at, recorded_at, content_hash, meta, "
                  "visible_to) SELECT ?, ?, '', '', 0, 0, '', '', '' WHERE NOT EXISTS "
                  "(SELECT 1 FROM source WHERE space_id = ? AND id = ?)",
                  self._space_id, source.id, self._space_id, source.id)  # fmt: skip
        columns = ", ".join(f"{column} = ?" for column in t.SOURCE.columns)
        self._run(
            f"UPDATE source SET {columns} WHERE space_id = ? AND id = ?",
            *t.source_row(source),
            self._space_id,
            source.id,
        )


def _noted(entry: Entry, indexes: list[int]) -> list[int]:
    """Those of its changes that left no more than a note of what they speak of. In an entry of another store any may
    have."""
    noted = {index for index, change in entry.numbered_changes if isinstance(change, EdgeRepeated)}
    return indexes if entry.op == SYNC else [index for index in indexes if index in noted]


_METHODS: dict[type, Callable[[Projector, Any], None]] = {
    SourceAdded: Projector._source_added,
    SourceTold: lambda projector, change: None,  # read from the journal, by who reads the source
    Received: lambda projector, change: None,  # says where the changes after it were made
    Kept: Projector._kept,
    MemoryAdded: Projector._memory_added,
    EntityAdded: Projector._entity_added,
    AliasesAdded: Projector._aliases_added,
    EdgeAdded: Projector._edge_added,
    EdgeClosed: Projector._window_moved,
    EdgeReopened: Projector._window_moved,
    EdgeRepeated: Projector._kept,
    Marked: Projector._marked,
    Reinforced: Projector._reinforced,
    Used: Projector._used,
    EntityMerged: Projector._entity_merged,
    EntitySplit: Projector._entity_split,
    SettingChanged: Projector._setting_changed,
    KeyBound: Projector._key_bound,
    Attested: Projector._attested,
    Purged: Projector._purged,
    SourceRestated: Projector._source_restated,
}

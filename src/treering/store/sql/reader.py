"""What was known, and true, at this moment? The reader over tables, bound to spaces, moment and principal.

Every statement starts from `_Where`, which already holds the bound: there is no way to ask without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from treering.model.changes import Change, EdgeClosed, EdgeReopened, Marked, Purged, Thing
from treering.model.edge import Edge, Family, Link
from treering.model.entity import Entity, fold
from treering.model.journal import Entry, Head
from treering.model.memory import SHOWN, Mark, Memory, State, View
from treering.model.setting import SETTINGS
from treering.model.source import Source
from treering.model.time import Moment, from_micros, to_micros
from treering.store.contract import Counts, EdgeFilter, Event, MemoryFilter, Reader, Scope, Tombstone
from treering.store.sql import tables as t
from treering.store.sql.tables import FOREVER, Connection, SqlRow

# A row whose stretch of known time holds the moment.
_BELIEVED = "{0}.known_from <= :known AND {0}.known_until > :known"

# A memory that is private to others.
_CLOSED_TO_US = """{0}.visibility = 'private' AND NOT :all_seeing AND NOT EXISTS (
    SELECT 1 FROM principal q WHERE q.space_id = {0}.space_id AND q.memory_id = {0}.id AND q.principal = :principal)"""

# No memory that the edge touches or rests on is private to others.
_EDGE_OPEN = f"""NOT EXISTS (
    SELECT 1 FROM memory p WHERE p.space_id = e.space_id AND p.id IN (e.memory_id, e.source_id, e.target_id)
    AND {_CLOSED_TO_US.format("p")})"""

# Neither the edge nor a memory that it touches or rests on is forgotten.
_EDGE_REMEMBERED = f"""NOT EXISTS (
    SELECT 1 FROM mark k WHERE k.space_id = e.space_id AND k.mark = 'forgotten' AND {_BELIEVED.format("k")}
    AND k.target_id IN (e.id, e.memory_id, e.source_id, e.target_id))"""

# From when on a memory is superseded: the supersedes edges that stand or are to come at the moment.
_SUPERSEDING = f"""
    FROM edge e JOIN edge_window w ON w.space_id = e.space_id AND w.edge_id = e.id AND {_BELIEVED.format("w")}
    WHERE e.relation = '{Link.SUPERSEDES}' AND e.recorded_at <= :known
    AND w.valid_until > :as_of AND w.valid_until > e.valid_from AND {_EDGE_REMEMBERED} AND {_EDGE_OPEN}"""

# The strongest mark decides: forgotten before archived before promoted.
_MEMORIES = f"""
    SELECT {t.MEMORY.select("m.")}, s.name AS space_name,
      (SELECT MIN(CASE k.mark WHEN '{Mark.FORGOTTEN}' THEN 1 WHEN '{Mark.ARCHIVED}' THEN 2 ELSE 3 END) FROM mark k
        WHERE k.space_id = m.space_id AND k.target_id = m.id AND {_BELIEVED.format("k")}) AS marked,
      (SELECT MIN(e.valid_from) {_SUPERSEDING} AND e.space_id = m.space_id AND e.target_id = m.id) AS superseded_from
    FROM memory m JOIN space s ON s.id = m.space_id
    WHERE m.recorded_at <= :known AND NOT ({_CLOSED_TO_US.format("m")})"""

_STATE = f"""CASE
    WHEN marked = 1 THEN '{State.FORGOTTEN}'
    WHEN expires_at <= :as_of THEN '{State.EXPIRED}'
    WHEN superseded_from <= :as_of THEN '{State.SUPERSEDED}'
    WHEN marked = 2 THEN '{State.ARCHIVED}'
    WHEN marked = 3 THEN '{State.PROMOTED}'
    ELSE '{State.ACTIVE}' END"""

# Where a thing leaves its traces, as known times: each is the time of the entry that left it.
_TRACES = """
    SELECT recorded_at FROM source WHERE space_id = :space AND id = :id
    UNION SELECT recorded_at FROM memory WHERE space_id = :space AND id = :id
    UNION SELECT recorded_at FROM memory WHERE space_id = :space AND source_id = :id
    UNION SELECT recorded_at FROM alias WHERE space_id = :space AND entity_id = :id
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND id = :id
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND source_id = :id
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND target_id = :id
    UNION SELECT recorded_at FROM edge WHERE space_id = :space AND memory_id = :id
    UNION SELECT known_from FROM edge_window WHERE space_id = :space AND edge_id = :id
    UNION SELECT known_from FROM edge_window WHERE space_id = :space AND evidence = :id
    UNION SELECT known_from FROM mark WHERE space_id = :space AND target_id = :id
    UNION SELECT known_until FROM mark WHERE space_id = :space AND target_id = :id
    UNION SELECT known_from FROM merge WHERE space_id = :space AND :id IN (entity_id, into_id)
    UNION SELECT known_until FROM merge WHERE space_id = :space AND :id IN (entity_id, into_id)
    UNION SELECT purged_at FROM tombstone WHERE space_id = :space AND id = :id"""


class _Where:
    """The conditions of one statement and their values; values never enter the text."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.params = dict(params)
        self._parts: list[str] = []

    def put(self, value: Any) -> str:
        name = f"v{len(self.params)}"
        self.params[name] = value
        return f":{name}"

    def add(self, text: str, *values: Any) -> None:
        self._parts.append(text.format(*(self.put(value) for value in values)))

    def among(self, column: str, values: Iterable[Any]) -> str:
        return f"{column} IN ({', '.join(self.put(value) for value in values)})"

    def add_among(self, column: str, values: Iterable[Any] | None) -> None:
        if values is not None:
            self._parts.append(self.among(column, values))

    def __str__(self) -> str:
        return "".join(f" AND {part}" for part in self._parts)


class SqlReader:
    def __init__(self, connection: Connection, scope: Scope, all_seeing: bool = False) -> None:
        self._connection, self._scope, self._all_seeing = connection, scope, all_seeing
        spaces = self._find_spaces()
        self._names: dict[int, str] = {row[0]: row[1] for row in spaces}
        self.spaces = tuple(sorted(self._names.values()))
        self.principal = scope.principal
        heads = [Head(row[2], from_micros(row[3]), row[4]) for row in spaces]
        self.head = heads[0] if len(heads) == 1 else Head(at=max((h.at for h in heads if h.at), default=None))
        present = max(scope.now, self.head.at or scope.now)
        self.moment = Moment(scope.as_of or present, scope.known_at)
        self._bound: dict[str, Any] = {
            "as_of": to_micros(self.moment.as_of),
            "known": FOREVER - 1 if scope.known_at is None else to_micros(scope.known_at),
            "principal": scope.principal,
            "all_seeing": int(all_seeing),
        }

    def _find_spaces(self) -> list[SqlRow]:
        sql = "SELECT id, name, head_seq, head_at, head_hash FROM space WHERE head_seq > 0 AND name = ?"
        if not self._scope.children:
            return self._connection.rows(sql, (self._scope.space,))
        # '0' is the character after '/': the range holds exactly the names below this one
        below = (self._scope.space, self._scope.space + "/", self._scope.space + "0")
        return self._connection.rows(sql + " OR name >= ? AND name < ?", below)

    def _where(self, alias: str) -> _Where:
        where = _Where(self._bound)
        where.add_among(f"{alias}.space_id", self._names)
        return where

    def all_seeing(self) -> Reader:
        return SqlReader(self._connection, self._scope, all_seeing=True)

    # memories

    def memory(self, memory_id: str) -> Memory | None:
        found = self.memories(MemoryFilter(view=View.ALL, ids=(memory_id,)))
        return found[0] if found else None

    def memories(self, which: MemoryFilter) -> list[Memory]:
        where = self._where("m")
        self._narrow(where, which)
        sql = f"SELECT *, {_STATE} AS state FROM ({_MEMORIES}{where})"
        if which.view is not View.ALL:
            shown = where.among("state", (state.value for state in State if state in SHOWN[which.view]))
            sql = f"SELECT * FROM ({sql}) WHERE {shown} AND valid_from <= :as_of"
        order = "DESC" if which.newest_first else "ASC"
        sql += f" ORDER BY recorded_at {order}, id {order}"
        if which.limit is not None:
            sql += f" LIMIT {where.put(which.limit)}"
        rows = self._connection.rows(sql, where.params)
        superseding = self._superseding([row[0] for row in rows if row[-2] is not None])
        width = len(t.MEMORY.columns)
        return [
            t.read_memory(row[width], row[:width], row[-1], row[-2], superseding.get((row[width], row[0])))
            for row in rows
        ]

    def _narrow(self, where: _Where, which: MemoryFilter) -> None:
        where.add_among("m.id", which.ids)
        where.add_among("m.kind", which.kinds if which.kinds is None else [kind.value for kind in which.kinds])
        for tag in which.tags:
            where.add(
                "EXISTS (SELECT 1 FROM memory_tag g"
                " WHERE g.space_id = m.space_id AND g.memory_id = m.id AND g.tag = {})",
                tag,
            )
        if which.entity_ids is not None:
            mentioned = where.among("e.target_id", self._members(which.entity_ids))
            where.add(
                "EXISTS (SELECT 1 FROM edge e WHERE e.space_id = m.space_id AND e.source_id = m.id"
                f" AND e.family = '{Family.MENTION}' AND e.recorded_at <= :known AND {mentioned}"
                f" AND {_EDGE_REMEMBERED} AND {_EDGE_OPEN})"
            )
        for column in ("session", "speaker"):
            value = getattr(which, column)
            if value is not None:
                where.add(
                    "EXISTS (SELECT 1 FROM source o"
                    f" WHERE o.space_id = m.space_id AND o.id = m.source_id AND o.{column} = {{}})",
                    value,
                )
        for column in ("source_id", "title"):
            if getattr(which, column) is not None:
                where.add(f"m.{column} = {{}}", getattr(which, column))
        if which.containing is not None:
            where.add("INSTR(m.content, {}) > 0", which.containing)
        if which.since is not None:
            where.add("m.valid_from >= {}", to_micros(which.since))
        if which.until is not None:
            where.add("m.valid_from < {}", to_micros(which.until))
        if which.after is not None:
            compare = "<" if which.newest_first else ">"
            at, last_id = which.after
            where.add(f"(m.recorded_at, m.id) {compare} ({{}}, {{}})", to_micros(at), last_id)

    def _superseding(self, memory_ids: list[str]) -> dict[tuple[str, str], str]:
        """By (space, memory): what supersedes it first."""
        if not memory_ids:
            return {}
        where = self._where("e")
        where.add_among("e.target_id", memory_ids)
        sql = f"SELECT e.space_id, e.target_id, e.source_id {_SUPERSEDING}{where} ORDER BY e.valid_from DESC, e.id DESC"
        rows = self._connection.rows(sql, where.params)
        return {(self._names[space_id], target): source for space_id, target, source in rows}

    def source(self, source_id: str) -> Source | None:
        return self._one_source("o.id = {}", source_id)

    def source_by_key(self, key: str) -> Source | None:
        return self._one_source("o.key = {}", key)

    def _one_source(self, condition: str, value: str) -> Source | None:
        where = self._where("o")
        where.add(condition, value)
        sql = f"SELECT {t.SOURCE.select('o.')}, o.space_id FROM source o WHERE o.recorded_at <= :known{where}"
        rows = self._connection.rows(sql, where.params)
        return t.read_source(self._names[rows[0][-1]], rows[0][:-1]) if rows else None

    # entities

    @cached_property
    def _merged(self) -> dict[str, str]:
        where = self._where("g")
        sql = f"SELECT g.entity_id, g.into_id FROM merge g WHERE {_BELIEVED.format('g')}{where}"
        return {row[0]: row[1] for row in self._connection.rows(sql, where.params)}

    def _canonical(self, thing_id: str) -> str:
        while thing_id in self._merged:
            thing_id = self._merged[thing_id]
        return thing_id

    def _members(self, ids: Iterable[str]) -> set[str]:
        """These ids, and all that stand for the same entities."""
        wanted = {self._canonical(one) for one in ids}
        return wanted | {one for one in self._merged if self._canonical(one) in wanted}

    def entity(self, entity_id: str) -> Entity | None:
        return self._whole(self._canonical(entity_id))

    def own_entity(self, entity_id: str) -> tuple[Entity, str | None] | None:
        if self.entity(entity_id) is None:
            return None
        space, row, names = self._entity_rows({entity_id})[entity_id]
        aliases = tuple(name for name, _ in names)
        return t.read_entity(space, row, aliases, _evidence(row, names)), self._merged.get(entity_id)

    def entities(self, name: str | None = None, limit: int | None = None) -> list[Entity]:
        where = self._where("a")
        if name is not None:
            where.add("a.folded = {}", fold(name))
        sql = f"SELECT DISTINCT a.entity_id FROM alias a WHERE a.recorded_at <= :known{where}"
        ids = {self._canonical(row[0]) for row in self._connection.rows(sql, where.params)}
        found = [entity for entity in (self._whole(one) for one in ids) if entity is not None]
        if name is not None:
            found = [one for one in found if fold(name) in {fold(other) for other in (one.name, *one.aliases)}]
        found.sort(key=lambda entity: (entity.recorded_at, entity.id), reverse=True)
        return found[:limit]

    def _entity_rows(self, ids: set[str]) -> dict[str, tuple[str, SqlRow, list[tuple[str, str | None]]]]:
        """By id: the space, the row, and the names with the memory each is known through."""
        where = self._where("n")
        where.add_among("n.id", ids)
        sql = f"SELECT {t.ENTITY.select('n.')}, n.space_id FROM entity n WHERE n.recorded_at <= :known{where}"
        found = {row[0]: (self._names[row[-1]], row[:-1], []) for row in self._connection.rows(sql, where.params)}  # type: dict[str, tuple[str, SqlRow, list[tuple[str, str | None]]]]
        where = self._where("a")
        where.add_among("a.entity_id", ids)
        sql = f"""SELECT a.entity_id, a.alias, a.memory_id FROM alias a WHERE a.recorded_at <= :known{where}
            ORDER BY a.recorded_at, a.position"""
        for entity_id, alias, memory_id in self._connection.rows(sql, where.params):
            found[entity_id][2].append((alias, memory_id))
        return found

    def _whole(self, entity_id: str) -> Entity | None:
        rows = self._entity_rows(self._members([entity_id]))
        if entity_id not in rows:
            return None
        evidence = {memory_id for _, _, names in rows.values() for _, memory_id in names if memory_id}
        seen = {None, *evidence} if self._all_seeing else {None, *self._visible(evidence)}
        known = any(_evidence(row, names) in seen for _, row, names in rows.values())
        if not known and not self._mentioned(set(rows)):
            return None
        order = sorted(rows, key=lambda one: (one != entity_id, rows[one][1][4], one))
        aliases = tuple(name for one in order for name, memory_id in rows[one][2] if memory_id in seen)
        space, row, names = rows[entity_id]
        return t.read_entity(space, row, aliases, _evidence(row, names))

    def _visible(self, memory_ids: set[str]) -> set[str]:
        if not memory_ids:
            return set()
        where = self._where("m")
        where.add_among("m.id", memory_ids)
        sql = f"SELECT m.id FROM memory m WHERE m.recorded_at <= :known AND NOT ({_CLOSED_TO_US.format('m')}){where}"
        return {row[0] for row in self._connection.rows(sql, where.params)}

    def _mentioned(self, members: set[str]) -> bool:
        """Some edge that we may see speaks of the entity."""
        for column in ("e.source_id", "e.target_id"):
            where = self._where("e")
            where.add_among(column, members)
            sql = f"SELECT 1 FROM edge e WHERE e.recorded_at <= :known AND {_EDGE_OPEN}{where} LIMIT 1"
            if self._connection.rows(sql, where.params):
                return True
        return False

    # edges

    def edges(self, which: EdgeFilter) -> list[Edge]:
        where = self._where("e")
        where.add_among("e.id", which.ids)
        where.add_among("e.relation", which.relations)
        for column, ids in (("e.source_id", which.source_ids), ("e.target_id", which.target_ids)):
            if ids is not None:
                where.add_among(column, self._members(ids))
        if which.evidence_id is not None:
            where.add("e.memory_id = {}", which.evidence_id)
        if which.facts_only:
            where.add(f"e.family = '{Family.FACT}'")
        if not which.include_closed:
            where.add("e.valid_from <= :as_of AND w.valid_until > :as_of")
        if not which.include_forgotten:
            where.add(_EDGE_REMEMBERED)
        if which.either_ids is not None:
            members = self._members(which.either_ids)
            ends = " OR ".join(where.among(column, members) for column in ("e.source_id", "e.target_id"))
            where.add(f"({ends})")
        sql = f"""SELECT {t.EDGE.select("e.")}, w.valid_until, w.rule, w.why, w.evidence,
              (SELECT k.known_from FROM mark k WHERE k.space_id = e.space_id AND k.target_id = e.id
               AND k.mark = '{Mark.FORGOTTEN}' AND {_BELIEVED.format("k")}) AS forgotten_at, e.space_id
            FROM edge e JOIN edge_window w ON w.space_id = e.space_id AND w.edge_id = e.id AND {_BELIEVED.format("w")}
            WHERE e.recorded_at <= :known AND {_EDGE_OPEN}{where}
            ORDER BY e.valid_from, e.recorded_at, e.id"""
        if which.limit is not None:
            sql += f" LIMIT {where.put(which.limit)}"
        width = len(t.EDGE.columns)
        return [
            t.read_edge(
                self._names[row[-1]],
                row[:width],
                row[width : width + 4],
                row[-2],
                (self._canonical(row[2]), self._canonical(row[3])),
            )
            for row in self._connection.rows(sql, where.params)
        ]

    # the rest

    def events(self, thing_id: str) -> list[Event]:
        told = []
        for space_id, name in self._names.items():
            for entry in self._entries_about(space_id, name, thing_id):
                for index, change in entry.numbered_changes():
                    known = self.moment.knows(entry.at) or isinstance(change, Purged)
                    if known and thing_id in change.about and self._may_tell(change):
                        told.append(Event(name, entry.seq, index, entry.at, entry.actor, entry.op, change))
        return sorted(told, key=lambda event: (event.at, event.space, event.index))

    def _entries_about(self, space_id: int, name: str, thing_id: str) -> list[Entry]:
        # A restated source has no trace of the restating but the purge itself, and purges are few.
        sql = f"""SELECT {t.JOURNAL.select()} FROM journal
            WHERE space_id = :space AND (at IN ({_TRACES}) OR op = 'purge') ORDER BY seq"""
        rows = self._connection.rows(sql, {"space": space_id, "id": thing_id})
        return [t.read_entry(name, row) for row in rows]

    def _may_tell(self, change: Change) -> bool:
        """None of the memories that the change touches is private to others."""
        if self._all_seeing:
            return True
        owner = getattr(change, "memory_id", None)
        touched = {*change.about, *([owner] if owner else [])}
        if isinstance(change, EdgeClosed | EdgeReopened | Marked):
            touched |= self._ends(change.about[0])
        where = self._where("m")
        where.add_among("m.id", touched)
        sql = f"SELECT 1 FROM memory m WHERE {_CLOSED_TO_US.format('m')}{where} LIMIT 1"
        return not self._connection.rows(sql, where.params)

    def _ends(self, edge_id: str) -> set[str]:
        where = self._where("e")
        where.add("e.id = {}", edge_id)
        sql = f"SELECT e.source_id, e.target_id, e.memory_id FROM edge e WHERE TRUE{where}"
        return {one for row in self._connection.rows(sql, where.params) for one in row if one is not None}

    def tombstone(self, thing_id: str) -> Tombstone | None:
        where = self._where("x")
        where.add("x.id = {}", thing_id)
        sql = f"SELECT x.thing, x.purged_at, x.why FROM tombstone x WHERE TRUE{where}"
        rows = self._connection.rows(sql, where.params)
        return Tombstone(thing_id, Thing(rows[0][0]), from_micros(rows[0][1]), rows[0][2]) if rows else None

    def setting(self, name: str) -> Any:
        where = self._where("g")
        where.add("g.name = {}", name)
        sql = f"SELECT g.value FROM setting g WHERE {_BELIEVED.format('g')}{where}"
        rows = self._connection.rows(sql, where.params)
        return json.loads(rows[0][0]) if rows else SETTINGS[name].default

    def actor_key(self, actor: str) -> str | None:
        where = self._where("y")
        where.add("y.actor = {}", actor)
        sql = f"SELECT y.public_key FROM actor_key y WHERE y.recorded_at <= :known{where}"
        rows = self._connection.rows(sql, where.params)
        return rows[0][0] if rows else None

    def counts(self) -> Counts:
        where = self._where("m")
        sql = f"SELECT state, COUNT(*) FROM (SELECT {_STATE} AS state FROM ({_MEMORIES}{where})) GROUP BY state"
        by_state: dict[str, int] = {row[0]: row[1] for row in self._connection.rows(sql, where.params)}
        where = self._where("e")
        sql = f"""SELECT COUNT(*) FROM edge e JOIN edge_window w
            ON w.space_id = e.space_id AND w.edge_id = e.id AND {_BELIEVED.format("w")}
            WHERE e.recorded_at <= :known AND e.valid_from <= :as_of AND w.valid_until > :as_of
            AND {_EDGE_REMEMBERED} AND {_EDGE_OPEN}{where}"""
        edges = self._connection.rows(sql, where.params)[0][0]
        states = {state.value: by_state.get(state.value, 0) for state in State if state is not State.PURGED}
        return Counts(states, len(self.entities()), edges)


def _evidence(row: SqlRow, names: list[tuple[str, str | None]]) -> str | None:
    """Through which memory an entity is known; none once it was named to the whole space."""
    memory_id: str | None = row[5]
    return None if any(known_through is None for _, known_through in names) else memory_id

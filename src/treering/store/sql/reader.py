"""What was known, and true, at this moment? The reader over tables, bound to spaces, moment and principal.

Every statement starts from `Bound.where`, which already holds the spaces: there is no way to ask without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

from treering.model.changes import (
    Change,
    Thing,
)
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.memory import UNUSED, Mark, Memory, State, Usage, View
from treering.model.setting import SETTINGS
from treering.model.space import SignerInfo
from treering.model.time import from_micros, to_micros
from treering.store.contract import (
    ClockTurn,
    Counts,
    Crossing,
    EdgeFilter,
    Event,
    HiddenMemories,
    MemoryFilter,
    Reader,
    Scope,
    Standing,
    StepTaken,
    Tally,
    Tombstone,
    Ways,
    Weight,
)
from treering.store.contract.asked import spellings
from treering.store.openness import sources_are_open
from treering.store.sql import tables as t
from treering.store.sql.bound import (
    BELIEVED,
    CLOSED_TO_US,
    EDGE_OPEN,
    EDGE_REMEMBERED,
    VISIBLE_M,
    Bound,
    Where,
)
from treering.store.sql.edges import EDGE, MENTIONS, SqlEdges
from treering.store.sql.entities import SqlEntities
from treering.store.sql.facets import SqlFacets, known_turns, valid_turns
from treering.store.sql.sources import SqlSources
from treering.store.sql.story import SqlStory
from treering.store.sql.tables import Connection, SqlRow
from treering.store.sql.upkeep import SqlUpkeep
from treering.store.sql.use import SqlUse
from treering.store.sql.views import (
    EXPIRED,
    FORGOTTEN,
    HIDDEN,
    MARKED,
    NOTHING,
    SHOWN,
    SUPERSEDED_FROM,
    SUPERSEDING,
    TIER,
    TURNS,
    current,
    in_state,
    marks_of,
)
from treering.store.sql.walking import Steps, by_statement

_EXPIRES_AT = t.MEMORY.columns.index("expires_at")


class SqlReader(SqlSources):
    def __init__(self, connection: Connection, scope: Scope, all_seeing: bool = False) -> None:
        self._connection, self._scope = connection, scope
        self._bound = bound = Bound(connection, scope, all_seeing)
        self._entities = SqlEntities(bound)
        self._edges, self._story = SqlEdges(bound, self._entities), SqlStory(bound, self._entities)
        self._use = SqlUse(bound)
        self._upkeep = SqlUpkeep(bound, self._use, current)
        self.spaces = tuple(sorted(bound.names.values()))
        self.principal = scope.principal
        self.moment, self.head, self.heads = bound.moment, bound.head, bound.heads

    @property
    def transaction(self) -> Connection:
        """The connection on which it reads, as long as it does."""
        return self._connection

    def all_seeing(self) -> Reader:
        return SqlReader(self._connection, self._scope, all_seeing=True)

    # memories

    def memory(self, memory_id: str) -> Memory | None:
        found = self.memories(MemoryFilter(view=View.ALL, ids=(memory_id,)))
        return found[0] if found else None

    def memories(self, which: MemoryFilter) -> list[Memory]:
        where = self._bound.where("m")
        self._narrow(where, which)
        order = "DESC" if which.newest_first else "ASC"
        # a few by id: the sum keeps the planner from walking the whole space in the order of known time
        known = "m.recorded_at" if which.ids is None else "m.recorded_at + 0"
        held = self._bound.held
        visible = f" AND NOT ({CLOSED_TO_US.format('m')})" if held.private else ""
        marked = MARKED if held.marked else NOTHING
        superseded = SUPERSEDED_FROM if held.links else NOTHING
        sql = f"""SELECT {t.MEMORY.select("m.")}, m.space_id, {marked}, {superseded} FROM memory m
            WHERE TRUE{where} AND {known} <= :known{visible} AND {SHOWN[which.view]}
            ORDER BY {known} {order}, m.id {order}"""
        if which.limit is not None:
            sql += f" LIMIT {where.put(which.limit)}"
        rows = self._bound.rows(sql, where)
        superseding = self._superseding([row[0] for row in rows if row[-1] is not None])
        used = self._use.of([row[0] for row in rows])
        return [self._at_moment(row, superseding, used.get((row[-3], row[0]), UNUSED)) for row in rows]

    def _at_moment(self, row: SqlRow, superseding: dict[tuple[int, str], str], usage: Usage) -> Memory:
        columns, (space_id, marked, superseded_from) = row[:-3], row[-3:]
        marks = marks_of(marked) if marked else ()
        state = self._state(marks, columns[_EXPIRES_AT] <= self._bound.as_of, superseded_from)
        space, replaced_by = self._bound.names[space_id], superseding.get((space_id, columns[0]))
        return t.read_memory(space, columns, state, marks, superseded_from, replaced_by, usage)

    def _state(self, marks: tuple[Mark, ...], expired: bool, superseded_from: int | None) -> State:
        """The first that holds."""
        if Mark.FORGOTTEN in marks:
            return State.FORGOTTEN
        if expired:
            return State.EXPIRED
        if superseded_from is not None and superseded_from <= self._bound.as_of:
            return State.SUPERSEDED
        return State(marks[0].value) if marks else State.ACTIVE

    def usage(self, memory_ids: Iterable[str], since: datetime | None = None) -> dict[str, Usage]:
        seen = self.memories(MemoryFilter(view=View.ALL, ids=tuple(memory_ids)))
        used = self._use.of([memory.id for memory in seen], since)
        return {memory_id: usage for (_, memory_id), usage in used.items()}

    def standing(self, among: Iterable[str] | None = None) -> Iterator[Standing]:
        return self._upkeep.standing(among)

    def cited(self, memory_ids: Iterable[str]) -> set[str]:
        return self._upkeep.cited(list(memory_ids))

    def tally(self, since: Sequence[datetime], ops: Sequence[str]) -> Tally:
        return self._upkeep.tally(since, ops)

    def _narrow(self, where: Where, which: MemoryFilter) -> None:
        where.add_among("m.id", which.ids)
        where.add_among("m.kind", which.kinds if which.kinds is None else [kind.value for kind in which.kinds])
        spaces = where.among("space_id", self._bound.names)
        for tag in which.tags:
            where.add(
                f"(m.space_id, m.id) IN (SELECT space_id, memory_id FROM memory_tag WHERE {spaces} AND tag = {{}})", tag
            )
        if which.entity_ids is not None:
            mentions = self._bound.where("e", where)
            self._entities.add_members(mentions, ("e.target_id",), which.entity_ids)
            where.add(f"(m.space_id, m.id) IN (SELECT e.space_id, e.source_id FROM edge e WHERE {MENTIONS}{mentions})")
        for column in ("session", "speaker"):
            value = getattr(which, column)
            if value is not None:
                said = f"SELECT space_id, id FROM source WHERE {spaces} AND {column} = {{}}"
                where.add(f"(m.space_id, m.source_id) IN ({said})", value)
        for column in ("source_id", "title"):
            if getattr(which, column) is not None:
                where.add(f"m.{column} = {{}}", getattr(which, column))
        self._narrow_by_content(where, which)
        if which.since is not None:
            where.add("m.valid_from >= {}", to_micros(which.since))
        if which.until is not None:
            where.add("m.valid_from < {}", to_micros(which.until))
        if which.expires_by is not None:
            where.add("m.expires_at <= {}", to_micros(which.expires_by))
        if which.after is not None:
            compare = "<" if which.newest_first else ">"
            at, last_id = which.after
            where.add(f"(m.recorded_at, m.id) {compare} ({{}}, {{}})", to_micros(at), last_id)

    def _narrow_by_content(self, where: Where, which: MemoryFilter) -> None:
        if which.containing is not None:
            where.add("INSTR(m.content, {}) > 0", which.containing)
        for word in which.words:
            ways = spellings(word)
            where.add("(" + " OR ".join("INSTR(m.content, {}) > 0" for _ in ways) + ")", *ways)
        if which.states is not None:
            where.add(f"({' OR '.join(in_state(one) for one in which.states) or 'FALSE'})")
        if which.tiers is not None:
            where.add_among(TIER, [one.value for one in which.tiers])

    def hidden(self, view: View) -> HiddenMemories:
        ids = frozenset(self._first_columns(HIDDEN[view]))
        turns = (turn for turn in self._first_columns(TURNS[view]) if turn is not None)
        return HiddenMemories(ids, t.point_or_none(min(turns, default=None)))

    def _first_columns(self, statements: Iterable[tuple[str, str]]) -> Iterator[Any]:
        """Of every row of these statements, each with the alias of the table whose spaces bind it."""
        for alias, sql in statements:
            where = self._bound.where(alias)
            yield from (row[0] for row in self._bound.rows(sql.replace("{0}", str(where)), where))

    def mentioning(self, entity_ids: Iterable[str]) -> set[str]:
        return self._edges.mentioning(entity_ids)

    def mentions(self, entity_id: str, limit: int) -> list[str]:
        return self._edges.mentions_of((entity_id,), limit)[entity_id]

    def mentions_of(self, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        return self._edges.mentions_of(entity_ids, limit)

    def mentioned(self, memory_ids: Iterable[str]) -> list[tuple[str, str]]:
        return self._edges.mentioned(memory_ids)

    def _superseding(self, memory_ids: list[str]) -> dict[tuple[int, str], str]:
        """By space and memory: what supersedes it first."""
        if not memory_ids:
            return {}
        where = self._bound.where("e")
        where.add_among("e.target_id", memory_ids)
        sql = f"""SELECT e.space_id, e.target_id, e.source_id FROM {SUPERSEDING}{where}
            ORDER BY e.valid_from DESC, e.id DESC"""
        return {(row[0], row[1]): row[2] for row in self._bound.rows(sql, where)}

    def on_hold(self, among: Iterable[str] | None = None) -> list[str]:
        where = self._bound.where("k")
        where.add_among("k.target_id", among)
        sql = f"""SELECT k.target_id FROM mark k JOIN memory m ON m.space_id = k.space_id AND m.id = k.target_id
            WHERE k.mark = '{Mark.HELD}' AND {BELIEVED.format("k")} AND {VISIBLE_M}{where}
            ORDER BY k.known_from, k.target_id"""
        return [row[0] for row in self._bound.rows(sql, where)]

    # entities

    def entity(self, entity_id: str) -> Entity | None:
        return self._entities.one(entity_id)

    def bearer(self, name: str) -> Entity | None:
        return self._entities.bearer(name)

    def openly_named(self, entity_id: str) -> bool:
        return self._entities.openly_named(entity_id)

    def own_entity(self, entity_id: str) -> tuple[Entity, str | None] | None:
        return self._entities.as_registered(entity_id)

    def named(self, names: Iterable[str]) -> list[tuple[str, str]]:
        return self._entities.named(names)

    def named_like(self, beginning: str, limit: int) -> list[tuple[str, str]]:
        return self._entities.named_like(beginning, limit)

    def entities(
        self, name: str | None = None, ids: Iterable[str] | None = None, limit: int | None = None
    ) -> list[Entity]:
        return self._entities.some(name, ids)[:limit]

    # edges

    def edges(self, which: EdgeFilter) -> list[Edge]:
        return self._edges.some(which)

    def relations_of(self, entity_ids: Iterable[str]) -> dict[str, frozenset[str]]:
        return self._edges.relations_of(entity_ids)

    def crossings(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[Crossing]:
        return self._steps(space).crossings(space, nodes, ways, limit)

    def _in_view(self, which: MemoryFilter) -> tuple[str, Where]:
        """The condition under which a memory m is shown, whatever else is asked of it."""
        where = self._bound.where("m")
        self._narrow(where, which)
        return f"{VISIBLE_M} AND {SHOWN[which.view]}{where}", where

    def steps(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[StepTaken]:
        return self._steps(space).taken(space, nodes, ways, limit)

    def _steps(self, space: str) -> Steps:
        return Steps(self._bound, self._entities, by_statement)

    # the rest

    def events(self, *thing_ids: str) -> list[Event]:
        return self._story.events(thing_ids)

    def happened(self, after: int, limit: int) -> tuple[list[Event], int]:
        return self._story.happened(after, limit, self._is_open)

    def last_told(self) -> datetime | None:
        if self._scope.known_at is not None:
            latest = replace(self._scope, known_at=None)
            return SqlReader(self._connection, latest, self._bound.all_seeing).last_told()
        return self._story.last_told(self._is_open)

    def _is_open(self, change: Change) -> bool:
        return sources_are_open(self, change)

    def titles(self) -> list[str]:
        where = self._bound.where("m")
        sql = f"SELECT DISTINCT m.title FROM memory m WHERE m.title IS NOT NULL{where} ORDER BY m.title"
        return [row[0] for row in self._bound.rows(sql, where)]

    def ids_ending(self, ending: str, limit: int) -> list[str]:
        found: list[str] = []
        for table in (t.MEMORY, t.ENTITY, t.EDGE, t.SOURCE):
            where = self._bound.where("x")
            where.add("SUBSTR(x.id, LENGTH(x.id) - {}) = {}", len(ending) - 1, ending)
            sql = f"SELECT x.id FROM {table.name} x WHERE TRUE{where} ORDER BY x.id LIMIT {int(limit)}"
            found += [row[0] for row in self._bound.rows(sql, where)]
        return sorted(found)[:limit]

    def tombstone(self, thing_id: str) -> Tombstone | None:
        where = self._bound.where("x")
        where.add("x.id = {}", thing_id)
        sql = f"SELECT x.thing, x.purged_at, x.why FROM tombstone x WHERE (x.private = 0 OR :all_seeing){where}"
        rows = self._bound.rows(sql, where)
        return Tombstone(thing_id, Thing(rows[0][0]), from_micros(rows[0][1]), rows[0][2]) if rows else None

    def setting(self, name: str) -> Any:
        return json.loads(self._settings[name]) if name in self._settings else SETTINGS[name].default

    @cached_property
    def _settings(self) -> dict[str, str]:
        """All at once: they are few, and who asks for one asks for another."""
        where = self._bound.where("g")
        sql = f"SELECT g.name, g.value FROM setting g WHERE {BELIEVED.format('g')}{where}"
        return dict(reversed(self._bound.rows(sql, where)))

    def actor_key(self, actor: str) -> str | None:
        where = self._bound.where("y")
        where.add("y.actor = {}", actor)
        sql = f"SELECT y.public_key FROM actor_key y WHERE y.recorded_at <= :known{where}"
        rows = self._bound.rows(sql, where)
        return rows[0][0] if rows else None

    def signers(self) -> list[SignerInfo]:
        where = self._bound.where("y")
        sql = f"""SELECT y.space_id, y.actor, y.public_key, y.recorded_at FROM actor_key y
            WHERE y.recorded_at <= :known{where}"""
        rows = sorted(self._bound.rows(sql, where), key=lambda row: (self._bound.names[row[0]], row[1]))
        return [SignerInfo(self._bound.names[row[0]], row[1], row[2], from_micros(row[3])) for row in rows]

    def counts(self) -> Counts:
        where = self._bound.where("m")
        sql = f"""SELECT {MARKED} AS marked, {EXPIRED} AS expired,
            {SUPERSEDED_FROM} <= :as_of AS superseded, COUNT(*) FROM memory m
            WHERE {VISIBLE_M}{where} GROUP BY marked, expired, superseded"""
        states = {state.value: 0 for state in State if state is not State.PURGED}
        for marked, expired, superseded, count in self._bound.rows(sql, where):
            states[self._state(marks_of(marked), expired, self._bound.as_of if superseded else None).value] += count
        where = self._bound.where("e")
        sql = f"""SELECT COUNT(*) FROM {EDGE} AND e.valid_from <= :as_of AND w.valid_until > :as_of
            AND {EDGE_REMEMBERED} AND {EDGE_OPEN}{where}"""
        return Counts(states, self._entities.count(), self._bound.rows(sql, where)[0][0])

    def facets(self, which: MemoryFilter) -> dict[str, dict[str, int]]:
        where = self._bound.where("m")
        self._narrow(where, replace(which, after=None))
        held = self._bound.held
        marked = MARKED if held.marked else "0"
        superseded = f"{SUPERSEDED_FROM} <= :as_of" if held.links else "FALSE"
        return SqlFacets(self._bound, f"{VISIBLE_M} AND {SHOWN[which.view]}", where).counted(
            f"{marked} AS marked, {EXPIRED} AS expired, {superseded} AS superseded",
            lambda marked, expired, superseded: self._state(
                marks_of(marked), expired, self._bound.as_of if superseded else None
            ),
        )

    def turns(self, clock: str) -> list[ClockTurn]:
        if clock == "known":
            return known_turns(self._bound, self._story.untold(self._is_open))
        return valid_turns(self._bound, f"NOT {FORGOTTEN}", f"{EDGE} AND {EDGE_REMEMBERED} AND {EDGE_OPEN}")

    def weight(self) -> Weight:
        where = self._bound.where("m")
        memories = self._bound.rows(f"SELECT COUNT(*) FROM memory m WHERE TRUE{where}", where)[0][0]
        where = self._bound.where("s")
        words = "SELECT COALESCE(SUM(LENGTH(CAST(s.content AS BLOB))), 0) FROM source s WHERE TRUE"
        return Weight(memories, int(self._bound.rows(f"{words}{where}", where)[0][0]))

    def census(self) -> dict[str, int]:
        where = self._bound.where("m")
        sql = f"""SELECT m.space_id, COUNT(*) FROM memory m
            WHERE TRUE{where} AND {VISIBLE_M} AND {SHOWN[View.CURRENT]} GROUP BY m.space_id"""
        return {self._bound.names[row[0]]: row[1] for row in self._bound.rows(sql, where)}

"""What was known, and true, at this moment? The reader over tables, bound to spaces, moment and principal.

Every statement starts from `Bound.where`, which already holds the spaces: there is no way to ask without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from treering.model.changes import (
    Attested,
    Change,
    EdgeClosed,
    EdgeReopened,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Marked,
    Purged,
    Thing,
)
from treering.model.edge import MENTION, Edge, Family, Link, family_of
from treering.model.entity import Entity
from treering.model.journal import Entry
from treering.model.memory import UNUSED, Mark, Memory, State, Usage, View
from treering.model.setting import SETTINGS
from treering.model.source import Source, content_hash
from treering.model.space import SignerInfo
from treering.model.time import from_micros, to_micros
from treering.store.contract import (
    Counts,
    Crossing,
    EdgeFilter,
    Event,
    Evidence,
    Hidden,
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
from treering.store.openness import sources_are_open
from treering.store.sql import tables as t
from treering.store.sql.bound import (
    BELIEVED,
    CLOSED_TO_US,
    EDGE_OPEN,
    EDGE_REMEMBERED,
    SOURCE_OPEN,
    VISIBLE_M,
    WINDOW,
    Bound,
    Where,
)
from treering.store.sql.entities import SqlEntities
from treering.store.sql.tables import Connection, SqlRow
from treering.store.sql.upkeep import SqlUpkeep
from treering.store.sql.use import SqlUse
from treering.store.sql.walking import Steps, by_statement

# An edge with its window as believed. CROSS JOIN keeps the order: first the edge, by the index that narrows most.
_EDGE = f"edge e CROSS JOIN edge_window w WHERE {WINDOW} AND e.recorded_at <= :known"

# Who has countersigned edge e.
_VOUCHED = f"""(SELECT MAX(CASE WHEN a.actor = e.observed_by THEN {t.OBSERVER} ELSE {t.OTHERS} END)
    FROM attestation a WHERE a.space_id = e.space_id AND a.edge_id = e.id AND a.recorded_at <= :known)"""

# What supersedes a memory m: the supersedes edges that stand or are to come at the moment.
_SUPERSEDING = f"""{_EDGE} AND e.relation = '{Link.SUPERSEDES}'
    AND w.valid_until > :as_of AND w.valid_until > e.valid_from AND {EDGE_REMEMBERED} AND {EDGE_OPEN}"""
_SUPERSEDING_M = f"{_SUPERSEDING} AND e.space_id = m.space_id AND e.target_id = m.id"

# When edge e itself was forgotten.
_FORGOTTEN_AT = f"""(SELECT k.known_from FROM mark k WHERE k.space_id = e.space_id AND k.target_id = e.id
    AND k.mark = '{Mark.FORGOTTEN}' AND {BELIEVED.format("k")})"""

# A mention that is known and neither forgotten nor private to others.
_MENTIONS = f"e.relation = '{MENTION}' AND e.recorded_at <= :known AND {EDGE_REMEMBERED} AND {EDGE_OPEN}"

# The newest mentions of one entity: {0} is its place among those asked for, {1} says which mentions, {2} how many. How
# many stands in the text: a server that keeps the plan would else think of a tenth of all.
_NEWEST_MENTIONS = f"""SELECT * FROM (
    SELECT {{0}} AS place, e.recorded_at, e.id, e.source_id FROM edge e
    WHERE e.relation = '{MENTION}' AND e.recorded_at <= :known{{1}}
    ORDER BY e.recorded_at DESC, e.id DESC LIMIT {{2}}) AS newest_{{0}}"""

# A fact, told by its relation: those are written in capitals, all others are not. The indexes by end hold the relation,
# so that the facts of an entity are found without looking at its mentions.
_IS_FACT = "{0}.relation < 'a'"
_LINKS = frozenset(link.value for link in Link)
_OWN_WORDS = _LINKS | {MENTION}

_MARK_OF_M = f"mark k WHERE k.space_id = m.space_id AND k.target_id = m.id AND {BELIEVED.format('k')}"
_BITS = {Mark.FORGOTTEN: 1, Mark.ARCHIVED: 2, Mark.PROMOTED: 4}
_AS_BITS = " ".join(f"WHEN '{mark}' THEN {bit}" for mark, bit in _BITS.items())

_MARKED = f"(SELECT SUM(CASE k.mark {_AS_BITS} END) FROM {_MARK_OF_M})"
_NOTHING = "NULL"
_SUPERSEDED_FROM = f"(SELECT MIN(e.valid_from) FROM {_SUPERSEDING_M})"

# Which memories a view shows; the others are not even loaded. The states themselves are derived in `_state`.
_EXPIRED = "m.expires_at <= :as_of"
_SUPERSEDED = f"EXISTS (SELECT 1 FROM {_SUPERSEDING_M} AND e.valid_from <= :as_of)"
_FORGOTTEN = f"EXISTS (SELECT 1 FROM {_MARK_OF_M} AND k.mark = '{Mark.FORGOTTEN}')"
_ARCHIVED = f"EXISTS (SELECT 1 FROM {_MARK_OF_M} AND k.mark = '{Mark.ARCHIVED}')"
_SHOWN = {
    View.CURRENT: f"m.valid_from <= :as_of AND NOT {_EXPIRED}"
    f" AND NOT {_FORGOTTEN} AND NOT {_ARCHIVED} AND NOT {_SUPERSEDED}",
    View.HISTORY: f"m.valid_from <= :as_of AND NOT {_FORGOTTEN} AND (NOT {_ARCHIVED} OR {_EXPIRED} OR {_SUPERSEDED})",
    View.ALL: "TRUE",
}

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
    UNION SELECT purged_at FROM tombstone WHERE space_id = :space"""


# Which memories a view leaves out for another reason than their own times: {0} are the conditions of the statement.
_PRIVATE_TO_OTHERS = """SELECT q.memory_id FROM principal q WHERE NOT :all_seeing{0} AND NOT EXISTS (SELECT 1 FROM
    principal r WHERE r.space_id = q.space_id AND r.memory_id = q.memory_id AND r.principal = :principal)"""
_MARKED_AS = f"""SELECT m.id FROM mark k JOIN memory m ON m.space_id = k.space_id AND m.id = k.target_id
    WHERE {BELIEVED.format("k")}{{0}} AND k.mark = '{{1}}'"""
_A_LINK = f"{{0}} AND e.family = '{Family.LINK}'"
_SUPERSEDED_NOW = f"SELECT e.target_id FROM {_SUPERSEDING}{_A_LINK} AND e.valid_from <= :as_of"
_HIDDEN: dict[View, tuple[tuple[str, str], ...]] = {
    View.CURRENT: (
        ("q", _PRIVATE_TO_OTHERS),
        ("k", _MARKED_AS.replace("{1}", Mark.FORGOTTEN)),
        ("k", _MARKED_AS.replace("{1}", Mark.ARCHIVED)),
        ("e", _SUPERSEDED_NOW),
    ),
    View.HISTORY: (
        ("q", _PRIVATE_TO_OTHERS),
        ("k", _MARKED_AS.replace("{1}", Mark.FORGOTTEN)),
        ("k", f"{_MARKED_AS.replace('{1}', Mark.ARCHIVED)} AND NOT {_EXPIRED} AND NOT {_SUPERSEDED}"),
    ),
    View.ALL: (("q", _PRIVATE_TO_OTHERS),),
}
# The next times at which a view hides others: a supersedes edge begins or ends; an archived memory expires.
_NEXT_TURN = f"""SELECT MIN(CASE WHEN e.valid_from > :as_of THEN e.valid_from ELSE w.valid_until END)
    FROM {_SUPERSEDING}{_A_LINK}"""
_NEXT_EXPIRY = f"""SELECT MIN(m.expires_at) FROM mark k JOIN memory m ON m.space_id = k.space_id AND m.id = k.target_id
    WHERE {BELIEVED.format("k")}{{0}} AND k.mark = '{Mark.ARCHIVED}' AND NOT {_EXPIRED}"""
_TURNS: dict[View, tuple[tuple[str, str], ...]] = {
    View.CURRENT: (("e", _NEXT_TURN),),
    View.HISTORY: (("e", _NEXT_TURN), ("k", _NEXT_EXPIRY)),
    View.ALL: (),
}

_AT_ONCE = 500  # things or times that one statement names
_ENTRIES_KEPT = 1_000  # that a reader has at hand

_EXPIRES_AT = t.MEMORY.columns.index("expires_at")


class SqlReader:
    def __init__(self, connection: Connection, scope: Scope, all_seeing: bool = False) -> None:
        self._connection, self._scope = connection, scope
        self._bound = bound = Bound(connection, scope, all_seeing)
        self._entities = SqlEntities(bound)
        self._entries_read: dict[tuple[int, int], Entry] = {}
        self._use = SqlUse(bound)
        self._upkeep = SqlUpkeep(bound, self._use, _SHOWN[View.CURRENT])
        self.spaces = tuple(sorted(bound.names.values()))
        self.principal = scope.principal
        self.moment, self.head, self.heads = bound.moment, bound.head, bound.heads

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
        marked = _MARKED if held.marked else _NOTHING
        superseded = _SUPERSEDED_FROM if held.links else _NOTHING
        sql = f"""SELECT {t.MEMORY.select("m.")}, m.space_id, {marked}, {superseded} FROM memory m
            WHERE TRUE{where} AND {known} <= :known{visible} AND {_SHOWN[which.view]}
            ORDER BY {known} {order}, m.id {order}"""
        if which.limit is not None:
            sql += f" LIMIT {where.put(which.limit)}"
        rows = self._bound.rows(sql, where)
        superseding = self._superseding([row[0] for row in rows if row[-1] is not None])
        used = self._use.of([row[0] for row in rows])
        return [self._at_moment(row, superseding, used.get((row[-3], row[0]), UNUSED)) for row in rows]

    def _at_moment(self, row: SqlRow, superseding: dict[tuple[int, str], str], usage: Usage) -> Memory:
        columns, (space_id, marked, superseded_from) = row[:-3], row[-3:]
        marks = _marks(marked) if marked else ()
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
            where.add(f"(m.space_id, m.id) IN (SELECT e.space_id, e.source_id FROM edge e WHERE {_MENTIONS}{mentions})")
        for column in ("session", "speaker"):
            value = getattr(which, column)
            if value is not None:
                said = f"SELECT space_id, id FROM source WHERE {spaces} AND {column} = {{}}"
                where.add(f"(m.space_id, m.source_id) IN ({said})", value)
        for column in ("source_id", "title"):
            if getattr(which, column) is not None:
                where.add(f"m.{column} = {{}}", getattr(which, column))
        if which.containing is not None:
            where.add("INSTR(m.content, {}) > 0", which.containing)
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

    def hidden(self, view: View) -> Hidden:
        ids = frozenset(self._first_columns(_HIDDEN[view]))
        turns = (turn for turn in self._first_columns(_TURNS[view]) if turn is not None)
        return Hidden(ids, t.point_or_none(min(turns, default=None)))

    def _first_columns(self, statements: Iterable[tuple[str, str]]) -> Iterator[Any]:
        """Of every row of these statements, each with the alias of the table whose spaces bind it."""
        for alias, sql in statements:
            where = self._bound.where(alias)
            yield from (row[0] for row in self._bound.rows(sql.replace("{0}", str(where)), where))

    def mentioning(self, entity_ids: Iterable[str]) -> set[str]:
        where = self._bound.where("e")
        self._entities.add_members(where, ("e.target_id",), entity_ids)
        sql = f"SELECT e.source_id FROM edge e WHERE {_MENTIONS}{where}"
        return {row[0] for row in self._bound.rows(sql, where)}

    def mentions(self, entity_id: str, limit: int) -> list[str]:
        return self.mentions_of((entity_id,), limit)[entity_id]

    def mentions_of(self, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        """Each by itself, for each has an end of its own; all in one statement, for each way to a server takes time."""
        found: dict[str, list[str]] = {one: [] for one in entity_ids}
        for some in _some_at_a_time(list(found)):
            for place, memory_id in self._newest_mentions(some, limit):
                found[some[place]].append(memory_id)
        return found

    def _newest_mentions(self, entity_ids: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Each with the place of its entity among these."""
        whole, asked = Where(self._bound.params), []
        remembered = f" AND {_FORGOTTEN_AT} IS NULL" if self._bound.held.forgotten else ""
        for place, entity_id in enumerate(entity_ids):
            where = self._bound.where("e", whole)
            self._entities.add_members(where, ("e.target_id",), [entity_id])
            asked.append(_NEWEST_MENTIONS.format(place, f"{where}{remembered}", int(limit)))
        sql = f"{' UNION ALL '.join(asked)} ORDER BY 1, 2 DESC, 3 DESC"
        return [(row[0], row[3]) for row in self._bound.rows(sql, whole)]

    def mentioned(self, memory_ids: Iterable[str]) -> list[tuple[str, str]]:
        where = self._bound.where("e")
        where.add_among("e.source_id", memory_ids)
        where.add(f"e.relation = '{MENTION}' AND e.recorded_at <= :known")
        if self._bound.held.forgotten:
            where.add(EDGE_REMEMBERED)
        if self._bound.held.private:
            where.add(EDGE_OPEN)
        sql = f"SELECT e.source_id, e.space_id, e.target_id FROM edge e WHERE TRUE{where}"
        return [(row[0], self._entities.canonical(row[1], row[2])) for row in self._bound.rows(sql, where)]

    def _superseding(self, memory_ids: list[str]) -> dict[tuple[int, str], str]:
        """By space and memory: what supersedes it first."""
        if not memory_ids:
            return {}
        where = self._bound.where("e")
        where.add_among("e.target_id", memory_ids)
        sql = f"""SELECT e.space_id, e.target_id, e.source_id FROM {_SUPERSEDING}{where}
            ORDER BY e.valid_from DESC, e.id DESC"""
        return {(row[0], row[1]): row[2] for row in self._bound.rows(sql, where)}

    def source(self, source_id: str) -> Source | None:
        return self._one_source(f"o.id = {{}} AND {SOURCE_OPEN}", source_id)

    def source_by_key(self, key: str) -> Source | None:
        return self._one_source("o.key = {}", key)

    def sources(self, source_ids: Iterable[str]) -> dict[str, Source]:
        where = self._bound.where("o")
        where.add_among("o.id", source_ids)
        # where no memory is private, what was said to all is open whatever rests on it
        seen = SOURCE_OPEN if self._bound.held.private else f"(o.visible_to = '[]' OR {SOURCE_OPEN})"
        sql = f"""SELECT {t.SOURCE.select("o.")}, o.space_id FROM source o
            WHERE o.recorded_at <= :known AND {seen}{where}"""
        return {row[0]: self._source(row) for row in self._bound.rows(sql, where)}

    def said(self, session: str, limit: int) -> list[Source]:
        where = self._bound.where("o")
        where.add("o.session = {}", session)
        sql = f"""SELECT {t.SOURCE.select("o.")}, o.space_id FROM source o WHERE o.recorded_at <= :known
            AND {SOURCE_OPEN}{where} ORDER BY o.recorded_at DESC, o.id DESC LIMIT {where.put(limit)}"""
        return [self._source(row) for row in reversed(self._bound.rows(sql, where))]

    def documents(self, content: str) -> list[Source]:
        where = self._bound.where("o")
        where.add("o.content_hash = {}", content_hash(content))
        sql = f"""SELECT {t.SOURCE.select("o.")}, o.space_id FROM source o WHERE o.kind IN ('document', 'file')
            AND o.recorded_at <= :known AND {SOURCE_OPEN}{where} ORDER BY o.recorded_at, o.id"""
        return [self._source(row) for row in self._bound.rows(sql, where)]

    def waiting(self, limit: int | None = None, among: Iterable[str] | None = None) -> list[Source]:
        where = self._bound.where("k")
        where.add_among("k.target_id", among)
        sql = f"""SELECT {t.SOURCE.select("o.")}, o.space_id FROM mark k
            JOIN source o ON o.space_id = k.space_id AND o.id = k.target_id
            WHERE k.mark = '{Mark.WAITING}' AND {BELIEVED.format("k")} AND {SOURCE_OPEN}{where}
            ORDER BY o.recorded_at, o.id"""
        if limit is not None:
            sql += f" LIMIT {where.put(limit)}"
        return [self._source(row) for row in self._bound.rows(sql, where)]

    def evidence(self, memory_ids: Iterable[str], undone: bool = False) -> list[Evidence]:
        if not self._bound.held.evidence:
            return []
        where = self._bound.where("v")
        where.add_among("v.memory_id", memory_ids)
        believed = "v.known_from <= :known" if undone else BELIEVED.format("v")
        # CROSS JOIN keeps the order: else SQLite walks all memories that were known to find the few that are asked for
        sql = f"""SELECT v.memory_id, v.source_id, v.span_start, v.span_end FROM evidence v CROSS JOIN memory m
            WHERE m.space_id = v.space_id AND m.id = v.memory_id
            AND {believed} AND {VISIBLE_M}{where} ORDER BY v.known_from, v.source_id"""
        return [Evidence(row[0], row[1], (row[2], row[3])) for row in self._bound.rows(sql, where)]

    def _source(self, row: SqlRow) -> Source:
        return t.read_source(self._bound.names[row[-1]], row[:-1])

    def _one_source(self, condition: str, value: str) -> Source | None:
        where = self._bound.where("o")
        where.add(condition, value)
        sql = f"SELECT {t.SOURCE.select('o.')}, o.space_id FROM source o WHERE o.recorded_at <= :known{where}"
        rows = self._bound.rows(sql, where)
        return self._source(rows[0]) if rows else None

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
        held = self._bound.held
        only_links = which.relations and all(one in _LINKS for one in which.relations)
        if (which.facts_only and not held.facts) or (only_links and not held.links):
            return []
        where = self._bound.where("e")
        where.add_among("e.id", which.ids)
        _add_relations(where, "e.relation", which.relations)
        if which.relations and which.by_relation_alone:
            where.add_among("e.family", sorted({family_of(one).value for one in which.relations}))
        for column, ids in (("e.source_id", which.source_ids), ("e.target_id", which.target_ids)):
            if ids is not None:
                self._entities.add_members(where, (column,), ids)
        if which.either_ids is not None:
            self._add_either(where, which)
        if which.evidence_id is not None:
            where.add("e.memory_id = {}", which.evidence_id)
        where.add_among("e.memory_id", which.evidence_ids)
        if which.facts_only:
            # by family only where nothing narrower is named, or its index would be taken instead
            narrower = which.either_ids is not None or which.evidence_ids is not None
            where.add(_IS_FACT.format("e") if narrower else f"e.family = '{Family.FACT}'")
        if not which.include_closed:
            where.add("e.valid_from <= :as_of AND w.valid_until > :as_of")
        if which.begins_or_ends is not None:
            between = [to_micros(one) for one in which.begins_or_ends]
            begins, ends = (f"{turn} > {{}} AND {turn} <= {{}}" for turn in ("e.valid_from", "w.valid_until"))
            where.add(f"({begins} OR {ends})", *between, *between)
        if held.forgotten and not which.include_forgotten:
            where.add(EDGE_REMEMBERED)
        if held.private:
            where.add(EDGE_OPEN)
        forgotten_at = _FORGOTTEN_AT if held.forgotten else _NOTHING
        sql = f"""SELECT {t.EDGE.select("e.")}, w.valid_until, w.rule, w.why, w.evidence, {_VOUCHED},
              {forgotten_at} AS forgotten_at, e.space_id
            FROM {_EDGE}{where}
            ORDER BY e.valid_from, e.recorded_at, e.id"""
        if which.limit is not None:
            sql += f" LIMIT {where.put(which.limit)}"
        width = len(t.EDGE.columns)
        return [
            t.read_edge(
                self._bound.names[row[-1]],
                row[:width],
                row[width : width + 4],
                row[-2],
                (self._entities.canonical(row[-1], row[2]), self._entities.canonical(row[-1], row[3])),
                row[-3],
            )
            for row in self._bound.rows(sql, where)
        ]

    def _add_either(self, where: Where, which: EdgeFilter) -> None:
        """One end or the other, each looked up in its own index: with a plain OR every edge would be looked at. The
        other end's index holds this end too, so that SQLite would go through all of it: the time that it does not hold
        keeps it from that."""
        found = []
        for space_id in self._bound.names:
            place, halves = where.put(space_id), []
            for column in ("f.source_id", "f.target_id"):
                half = Where(where.params, shared=True)
                half.add(f"f.space_id = {place}")
                half.add(half.among(column, self._entities.members(space_id, which.either_ids or ())))
                _add_relations(half, "f.relation", which.relations)
                half.add("f.recorded_at <= :known")
                if which.facts_only:
                    half.add(_IS_FACT.format("f"))
                halves.append(f"SELECT f.id FROM edge f WHERE TRUE{half}")
            found.append(f"e.space_id = {place} AND e.id IN ({' UNION '.join(halves)})")
        where.add(found[0] if len(found) == 1 else f"({' OR '.join(f'({one})' for one in found) or 'FALSE'})")

    def crossings(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[Crossing]:
        return self._steps(space).crossings(space, nodes, ways, limit)

    def _in_view(self, which: MemoryFilter) -> tuple[str, Where]:
        """The condition under which a memory m is shown, whatever else is asked of it."""
        where = self._bound.where("m")
        self._narrow(where, which)
        return f"{VISIBLE_M} AND {_SHOWN[which.view]}{where}", where

    def steps(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[StepTaken]:
        return self._steps(space).taken(space, nodes, ways, limit)

    def _steps(self, space: str) -> Steps:
        return Steps(self._bound, self._entities, by_statement)

    # the rest

    def events(self, *thing_ids: str) -> list[Event]:
        told, asked = [], set(thing_ids)
        for space_id, name in self._bound.names.items():
            for entry in self._entries_about(space_id, name, thing_ids):
                for index, change in entry.changes_about(asked):
                    known = self.moment.knows(entry.at) or isinstance(change, Purged)
                    if known and self._may_tell(space_id, change):
                        told.append(Event(name, entry.seq, index, entry.at, entry.actor, entry.op, change))
        return sorted(told, key=lambda event: (event.at, event.space, event.index))

    def _entries_about(self, space_id: int, name: str, thing_ids: tuple[str, ...]) -> Iterator[Entry]:
        """Each once, in order. First the times at which any of the things left a trace, then the entries of those."""
        times: set[int] = set()
        for some in _some_at_a_time(thing_ids):
            where = Where({"space": space_id})
            sql = _TRACES.format(where.listed(some))
            times.update(row[0] for row in self._connection.rows(sql, where.params))
        for few in _some_at_a_time(sorted(times)):
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
            for row in self._connection.rows(sql, where.params):
                entry = t.read_entry(name, row)
                self._entries_read[space_id, to_micros(entry.at)] = entry
        kept = (self._entries_read.get((space_id, at)) for at in times)
        return (entry for entry in kept if entry is not None)

    def happened(self, after: int, limit: int) -> tuple[list[Event], int]:
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
                    if self._may_tell(space_id, change) and sources_are_open(self, change)
                ]
                after = entry.seq
        return told, after

    def _may_tell(self, space_id: int, change: Change) -> bool:
        """No memory that the change touches is private to others, and no entity is known through such a one alone."""
        if self._bound.all_seeing:
            return True
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

    def tombstone(self, thing_id: str) -> Tombstone | None:
        where = self._bound.where("x")
        where.add("x.id = {}", thing_id)
        sql = f"SELECT x.thing, x.purged_at, x.why FROM tombstone x WHERE (x.private = 0 OR :all_seeing){where}"
        rows = self._bound.rows(sql, where)
        return Tombstone(thing_id, Thing(rows[0][0]), from_micros(rows[0][1]), rows[0][2]) if rows else None

    def setting(self, name: str) -> Any:
        where = self._bound.where("g")
        where.add("g.name = {}", name)
        sql = f"SELECT g.value FROM setting g WHERE {BELIEVED.format('g')}{where}"
        rows = self._bound.rows(sql, where)
        return json.loads(rows[0][0]) if rows else SETTINGS[name].default

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
        sql = f"""SELECT {_MARKED} AS marked, {_EXPIRED} AS expired,
            {_SUPERSEDED_FROM} <= :as_of AS superseded, COUNT(*) FROM memory m
            WHERE {VISIBLE_M}{where} GROUP BY marked, expired, superseded"""
        states = {state.value: 0 for state in State if state is not State.PURGED}
        for marked, expired, superseded, count in self._bound.rows(sql, where):
            states[self._state(_marks(marked), expired, self._bound.as_of if superseded else None).value] += count
        where = self._bound.where("e")
        sql = f"""SELECT COUNT(*) FROM {_EDGE} AND e.valid_from <= :as_of AND w.valid_until > :as_of
            AND {EDGE_REMEMBERED} AND {EDGE_OPEN}{where}"""
        return Counts(states, self._entities.count(), self._bound.rows(sql, where)[0][0])

    def weight(self) -> Weight:
        where = self._bound.where("m")
        memories = self._bound.rows(f"SELECT COUNT(*) FROM memory m WHERE TRUE{where}", where)[0][0]
        where = self._bound.where("s")
        words = "SELECT COALESCE(SUM(LENGTH(CAST(s.content AS BLOB))), 0) FROM source s WHERE TRUE"
        return Weight(memories, int(self._bound.rows(f"{words}{where}", where)[0][0]))

    def census(self) -> dict[str, int]:
        where = self._bound.where("m")
        sql = f"""SELECT m.space_id, COUNT(*) FROM memory m
            WHERE TRUE{where} AND {VISIBLE_M} AND {_SHOWN[View.CURRENT]} GROUP BY m.space_id"""
        return {self._bound.names[row[0]]: row[1] for row in self._bound.rows(sql, where)}


def _some_at_a_time(things: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (things[start : start + _AT_ONCE] for start in range(0, len(things), _AT_ONCE))


def _add_relations(where: Where, column: str, relations: Sequence[str] | None) -> None:
    """Words of our own stand in the text: a server that keeps a plan for a statement then knows how rare they are, and
    does not plan it anew each time for fear that they are common."""
    if relations and _OWN_WORDS.issuperset(relations):
        listed = "', '".join(sorted({*relations}))
        where.add(f"{column} IN ('{listed}')")
    else:
        where.add_among(column, relations)


def _marks(bits: int | None) -> tuple[Mark, ...]:
    """The one that decides before the others first."""
    return tuple(mark for mark, bit in _BITS.items() if int(bits or 0) & bit)

"""What was said, and what rests on it? Sources by id, key, session and words, those that wait, and evidence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from treering.model.memory import Mark
from treering.model.source import Source, content_hash
from treering.model.time import to_micros
from treering.store.contract import Evidence
from treering.store.sql import tables as t
from treering.store.sql.bound import BELIEVED, SOURCE_OPEN, VISIBLE_M, Bound
from treering.store.sql.tables import SqlRow


class SqlSources:
    """A part of the reader."""

    _bound: Bound

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

    def bare_sources(self, before: datetime, limit: int) -> list[str]:
        where = self._bound.where("o")
        where.add("o.recorded_at < {}", to_micros(before))
        sql = f"""SELECT o.id FROM source o WHERE o.recorded_at <= :known AND {SOURCE_OPEN}{where}
            AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.space_id = o.space_id AND m.source_id = o.id)
            AND NOT EXISTS (SELECT 1 FROM evidence v WHERE v.space_id = o.space_id AND v.source_id = o.id)
            AND NOT EXISTS (SELECT 1 FROM mark k WHERE k.space_id = o.space_id AND k.target_id = o.id
                AND k.mark = '{Mark.WAITING}' AND {BELIEVED.format("k")})
            ORDER BY o.recorded_at, o.id LIMIT {where.put(limit)}"""
        return [row[0] for row in self._bound.rows(sql, where)]

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

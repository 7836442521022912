"""What use was made of memories? Read beside the memories themselves, a few hundred at a time, and not at all where
nothing was ever used.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from treering.model.memory import Usage, Use
from treering.model.time import from_micros, to_micros
from treering.store.sql.bound import Bound

_AT_ONCE = 512
_DIGITS = 9
"""Boosts are summed in whatever order; beyond these digits that would show."""


class SqlUse:
    def __init__(self, bound: Bound) -> None:
        self._bound = bound

    def of(self, memory_ids: list[str], since: datetime | None = None) -> dict[tuple[int, str], Usage]:
        """By space and memory: those that were used."""
        if not memory_ids or not self._bound.held.uses:
            return {}
        return {
            (row[0], row[1]): Usage(int(row[2]), from_micros(row[3]), int(row[4]), int(row[5]), round(row[6], _DIGITS))
            for start in range(0, len(memory_ids), _AT_ONCE)
            for row in self._rows(memory_ids[start : start + _AT_ONCE], since)
        }

    def _rows(self, memory_ids: Iterable[str], since: datetime | None) -> list[tuple[Any, ...]]:
        where = self._bound.where("u")
        where.add_among("u.memory_id", memory_ids)
        if since is not None:
            where.add("u.used_at >= {}", to_micros(since))
        sql = f"""SELECT u.space_id, u.memory_id, SUM(u.times), MAX(u.used_at),
              SUM(CASE WHEN u.how IN ('{Use.REVIEWED}', '{Use.OBSERVED}') THEN u.times ELSE 0 END),
              SUM(u.cross_domain), SUM(u.boost)
            FROM used u WHERE u.known_from <= :known{where} GROUP BY u.space_id, u.memory_id"""
        return self._bound.rows(sql, where)

"""What does upkeep ask of a whole space? Every current memory without its words, what others rest on, and a few counts.

These look at everything there is, so they load as little of it as they can.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice

from treering.model.edge import Family, Link
from treering.model.memory import UNUSED, Kind, Mark, Tier, Usage
from treering.model.time import from_micros, to_micros
from treering.store.contract import Standing, Tally
from treering.store.sql.bound import BELIEVED, EDGE_OPEN, EDGE_REMEMBERED, VISIBLE_M, WINDOW, Bound, SpaceContents
from treering.store.sql.tables import SqlRow
from treering.store.sql.use import SqlUse

_AT_ONCE = 512

_COLUMNS = "m.id, m.kind, m.tags, m.importance, m.strength, m.tier, m.recorded_at, m.space_id, m.said_at"
_PROMOTED = f"""EXISTS (SELECT 1 FROM mark k WHERE k.space_id = m.space_id AND k.target_id = m.id
    AND k.mark = '{Mark.PROMOTED}' AND {BELIEVED.format("k")})"""

# An edge that holds at the moment, for us.
_HOLDING = f"""edge e CROSS JOIN edge_window w WHERE {WINDOW} AND e.recorded_at <= :known
    AND e.valid_from <= :as_of AND w.valid_until > :as_of AND {EDGE_REMEMBERED} AND {EDGE_OPEN}"""
_TOUCHED = " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM {_HOLDING} AND e.space_id = m.space_id AND e.{end} = m.id)"
    for end in ("source_id", "target_id")
)

# Which end of which edges rests on a memory.
_RESTING = (
    ("e.memory_id", f"e.family = '{Family.FACT}'"),
    ("e.target_id", f"e.relation IN ('{Link.DERIVED_FROM}', '{Link.HAS_DECISION}')"),
    ("e.source_id", f"e.relation = '{Link.HAS_DECISION}'"),
)


class SqlUpkeep:
    def __init__(self, bound: Bound, use: SqlUse, shown: Callable[[SpaceContents], str]) -> None:
        """`shown`: the condition of a memory m that is current, where the spaces hold so much."""
        self._bound, self._use, self._shown = bound, use, shown

    def standing(self, among: Iterable[str] | None) -> Iterator[Standing]:
        where = self._bound.where("m")
        where.add_among("m.id", among)
        # a few by id: the sum keeps the planner from walking the whole space in the order of known time
        known = "m.recorded_at" if among is None else "m.recorded_at + 0"
        visible = VISIBLE_M.replace("m.recorded_at <=", f"{known} <=")
        promoted = _PROMOTED if self._bound.held.marked else "FALSE"
        sql = f"""SELECT {_COLUMNS}, {promoted} FROM memory m WHERE {visible}{where} AND {self._shown(self._bound.held)}
            ORDER BY {known}, m.id"""
        rows = self._bound.stream(sql, where)
        while some := list(islice(rows, _AT_ONCE)):
            used = self._use.of([row[0] for row in some])
            for row in some:
                yield _standing(row, used.get((row[7], row[0]), UNUSED))

    def cited(self, memory_ids: list[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(memory_ids), _AT_ONCE):
            for end, kind in _RESTING:
                where = self._bound.where("e")
                where.add_among(end, memory_ids[start : start + _AT_ONCE])
                rows = self._bound.rows(f"SELECT {end} FROM {_HOLDING} AND {kind}{where}", where)
                found |= {row[0] for row in rows}
        return found

    def tally(self, since: Sequence[datetime], ops: Sequence[str]) -> Tally:
        where = self._bound.where("m")
        sql = (
            f"SELECT COUNT(*) FROM memory m WHERE {VISIBLE_M}{where} AND {self._shown(self._bound.held)} AND {_TOUCHED}"
        )
        orphans = self._bound.rows(sql, where)[0][0]
        return Tally(orphans, tuple(self._learned(point) for point in since), self._written_at(ops))

    def _written_at(self, ops: Sequence[str]) -> datetime | None:
        where = self._bound.where("j")
        where.add_among("j.op", ops)
        latest = self._bound.rows(f"SELECT MAX(j.at) FROM journal j WHERE j.at <= :known{where}", where)[0][0]
        return None if latest is None else from_micros(latest)

    def _learned(self, since: datetime) -> int:
        where = self._bound.where("m")
        where.add("m.recorded_at > {}", to_micros(since))
        return int(self._bound.rows(f"SELECT COUNT(*) FROM memory m WHERE {VISIBLE_M}{where}", where)[0][0])


_KINDS = {one.value: one for one in Kind}
_TIERS = {one.value: one for one in Tier}


@lru_cache(maxsize=4096)
def _tags(written: str) -> tuple[str, ...]:
    """Many memories are filed alike."""
    return tuple(json.loads(written))


def _standing(row: SqlRow, usage: Usage) -> Standing:
    id_, kind, tags, importance, strength, tier, recorded_at, _, said_at, promoted = row
    recorded = from_micros(recorded_at)
    return Standing(
        id_,
        _KINDS[kind],
        () if tags == "[]" else _tags(tags),
        importance,
        strength if usage is UNUSED else usage.strengthen(strength),
        Tier.LONG if promoted else _TIERS[tier],
        bool(promoted),
        recorded,
        usage.count,
        usage.last or recorded,
        from_micros(said_at),
    )

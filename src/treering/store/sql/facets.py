"""How many memories have which kind, state, tier, tag, speaker and session; and when does something change? Counts over
a whole space, made by the engine: no memory is loaded for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from typing import Any

from treering.model.edge import Family
from treering.model.memory import Mark, State, Tier
from treering.store.contract import ClockTurn
from treering.store.sql.bound import VISIBLE_M, Bound, Where
from treering.store.sql.tables import FOREVER


class SqlFacets:
    def __init__(self, bound: Bound, shown: str, where: Where) -> None:
        """`shown` and `where`: which memories m are counted."""
        self._bound, self._shown, self._where = bound, shown, where

    def counted(self, state: str, read: Callable[[Any, Any, Any], State]) -> dict[str, dict[str, int]]:
        """`state`: what of a memory its state is read from."""
        facets = {name: Counter[str]() for name in ("kind", "state", "tier")}
        sql = f"""SELECT m.kind, m.tier, {state}, COUNT(*) FROM memory m WHERE {self._shown}{self._where}
            GROUP BY m.kind, m.tier, marked, expired, superseded"""
        for kind, tier, marked, expired, superseded, count in self._bound.rows(sql, self._where):
            facets["kind"][kind] += count
            stands = read(marked, expired, superseded)
            facets["state"][stands.value] += count
            facets["tier"][Tier.LONG.value if _is_promoted(marked) else tier] += count
        counted = {name: dict(counts) for name, counts in facets.items()}
        tags = f"""SELECT g.tag, COUNT(*) FROM memory m JOIN memory_tag g
            ON g.space_id = m.space_id AND g.memory_id = m.id WHERE {self._shown}{self._where} GROUP BY g.tag"""
        counted["tag"] = dict(self._pairs(tags))
        for column in ("speaker", "session"):
            said = f"""SELECT s.{column}, COUNT(*) FROM memory m JOIN source s
                ON s.space_id = m.space_id AND s.id = m.source_id
                WHERE s.{column} IS NOT NULL AND {self._shown}{self._where} GROUP BY s.{column}"""
            counted[column] = dict(self._pairs(said))
        return counted

    def _pairs(self, sql: str) -> list[tuple[str, int]]:
        return [(row[0], int(row[1])) for row in self._bound.rows(sql, self._where)]


def _is_promoted(marked: int | None) -> bool:
    return bool(int(marked or 0) & PROMOTED_BIT)


PROMOTED_BIT = 4
MARK_BITS = {Mark.FORGOTTEN: 1, Mark.ARCHIVED: 2, Mark.PROMOTED: PROMOTED_BIT}


def known_turns(bound: Bound, untold: Set[tuple[int, int]]) -> list[ClockTurn]:
    """`untold`: entries to be left out, by space and time."""
    where = bound.where("j")
    rows = bound.rows(f"SELECT j.space_id, j.at FROM journal j WHERE j.at <= :known{where}", where)
    changes = Counter(int(at) for space_id, at in rows if (space_id, at) not in untold)
    return _turns(changes, _memories(bound, "m.recorded_at", "TRUE"))


def valid_turns(bound: Bound, remembered: str, edges: str) -> list[ClockTurn]:
    """`remembered`: the condition of a memory m that is not forgotten; `edges`: the edges e with their windows w that
    may be seen, up to their spaces."""
    memories = _memories(bound, "m.valid_from", remembered)
    changes = Counter(memories)
    where = bound.where("e")
    sql = f"SELECT e.valid_from, w.valid_until FROM {edges} AND e.family = '{Family.FACT}'{where}"
    for begins, ends in bound.rows(sql, where):
        changes[begins] += 1
        if ends != FOREVER:
            changes[ends] += 1
    return _turns(changes, memories)


def _memories(bound: Bound, column: str, condition: str) -> dict[int, int]:
    where = bound.where("m")
    sql = f"SELECT {column}, COUNT(*) FROM memory m WHERE {VISIBLE_M} AND {condition}{where} GROUP BY {column}"
    return {int(at): int(count) for at, count in bound.rows(sql, where)}


def _turns(changes: dict[int, int], memories: dict[int, int]) -> list[ClockTurn]:
    return [ClockTurn(at, changes[at], memories.get(at, 0)) for at in sorted(changes)]

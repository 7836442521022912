"""Which edges lead away from these nodes? The statements of a walk, one for each step, and of what an index of edges
learns.

A step asks for no more than a walk needs: the ends, the relation, and whether the edge may be crossed at this moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from treering.model.edge import Direction, Family
from treering.model.memory import Mark
from treering.store.contract import Crossing, Shades, Tie, Ways
from treering.store.sql.bound import BELIEVED, CLOSED_TO_US, EDGE_OPEN, EDGE_REMEMBERED, Bound
from treering.store.sql.entities import SqlEntities
from treering.store.sql.tables import Connection, SqlRow

NODES_A_STATEMENT = 256

# Where the window of edge e ends: the latest that was known, on evidence that is not private to others. Most windows
# were never moved; an index of those that were tells it without a look at this one.
_ENDS = f"""CASE WHEN EXISTS (
    SELECT 1 FROM edge_window x WHERE x.space_id = e.space_id AND x.edge_id = e.id AND x.rule IS NOT NULL)
    THEN (SELECT x.valid_until FROM edge_window x
        WHERE x.space_id = e.space_id AND x.edge_id = e.id AND x.known_from <= :known
        AND (x.evidence IS NULL OR NOT EXISTS (
            SELECT 1 FROM memory p WHERE p.space_id = x.space_id AND p.id = x.evidence AND {CLOSED_TO_US.format("p")}))
        ORDER BY x.known_from DESC LIMIT 1)
    ELSE e.valid_until END"""
_LATEST = """CASE WHEN EXISTS (
    SELECT 1 FROM edge_window x WHERE x.space_id = e.space_id AND x.edge_id = e.id AND x.rule IS NOT NULL)
    THEN (SELECT x.valid_until FROM edge_window x WHERE x.space_id = e.space_id AND x.edge_id = e.id
        ORDER BY x.known_from DESC LIMIT 1)
    ELSE e.valid_until END"""


class Side(Protocol):
    """What finds the edges of a space that lead away from nodes, on one side, in order of (here, relation, id)."""

    def __call__(
        self,
        bound: Bound,
        number: int,
        nodes: list[str],
        ways: Ways,
        outward: bool,
        relations: tuple[str, ...] | None,
        limit: int | None,
    ) -> Iterable[SqlRow]: ...


def crossings(
    bound: Bound,
    entities: SqlEntities,
    space: str,
    nodes: Iterable[str],
    ways: Ways,
    limit: int,
    side: Side | None = None,
) -> list[Crossing]:
    """`side`: what else than a statement may find the edges."""
    number = bound.number(space)
    if number is None:
        return []
    wanted = sorted({entities.canonical(number, one) for one in nodes})
    found: list[Crossing] = []
    for start in range(0, len(wanted), NODES_A_STATEMENT):
        some = wanted[start : start + NODES_A_STATEMENT]
        found += _step(bound, entities, number, some, ways, limit - len(found), side or by_statement)
        if len(found) >= limit:
            break
    return found


def _step(
    bound: Bound, entities: SqlEntities, number: int, nodes: list[str], ways: Ways, limit: int, side: Side
) -> list[Crossing]:
    """From all of these nodes, in order. What is merged has several ids, which do not lie side by side: then all of its
    edges are looked at, and put in order here."""
    members = sorted(entities.members(number, nodes))
    merged = len(members) > len(nodes)
    sides = _sides(bound, number, ways)
    found: list[Crossing] = []
    for outward, relations in sides:
        most = None if merged else limit
        found += map(_crossing, side(bound, number, members, ways, outward, relations, most))
    if entities.any_merged(number):
        found = [
            one._replace(here=entities.canonical(number, one.here), there=entities.canonical(number, one.there))
            for one in found
        ]
    if len(sides) > 1 or merged:
        found.sort(key=_in_order)
    return found[:limit]


def by_statement(
    bound: Bound,
    number: int,
    nodes: list[str],
    ways: Ways,
    outward: bool,
    relations: tuple[str, ...] | None,
    limit: int | None,
) -> Iterable[SqlRow]:
    here, there = ("source_id", "target_id") if outward else ("target_id", "source_id")
    where = bound.within("e", number)
    where.add_among(f"e.{here}", nodes)
    where.add_among("e.relation", relations)
    # The index by source holds all that is asked for, as long as known time need not be asked; that by target holds
    # known time, and not the ids in order: the empty text keeps SQLite from walking all edges in that order.
    if not outward or bound.moment.known_at is not None:
        where.add("e.recorded_at <= :known")
    order = "e.id" if outward else "e.id || ''"
    sql = f"""SELECT e.id, e.{here}, e.{there}, e.relation, {int(outward)}
        FROM edge e WHERE {_conditions(bound, number, ways)}{where} ORDER BY e.{here}, e.relation, {order}"""
    if limit is not None:
        sql += f" LIMIT {where.put(limit)}"
    return bound.rows(sql, where)


_crossing: Callable[[SqlRow], Crossing] = partial(tuple.__new__, Crossing)  # the rows are laid out as it is


def _in_order(crossing: Crossing) -> tuple[str, bool, str, str]:
    return crossing.here, not crossing.outward, crossing.relation, crossing.edge_id


def _sides(bound: Bound, number: int, ways: Ways) -> Sequence[tuple[bool, tuple[str, ...] | None]]:
    """Where no memories are linked, nothing leads both ways."""
    if ways.direction is Direction.BOTH:
        return ways.sides
    links = _is_any(bound, number, "e", f"edge e WHERE e.family = '{Family.LINK}'")
    return ways.sides if links else [side for side in ways.sides if side[0] is (ways.direction is Direction.OUT)]


def _conditions(bound: Bound, number: int, ways: Ways) -> str:
    """What lets an edge e be crossed. Where nothing is forgotten or private there is nothing to look up."""
    parts = ["TRUE"]
    if not ways.include_closed:
        parts.append(f"e.valid_from <= :as_of AND {_ENDS} > :as_of")
    if _is_any(bound, number, "k", f"mark k WHERE k.mark = '{Mark.FORGOTTEN}' AND {BELIEVED.format('k')}"):
        parts.append(EDGE_REMEMBERED)
    if not bound.all_seeing and _is_any(bound, number, "q", "principal q WHERE TRUE"):
        parts.append(EDGE_OPEN)
    return " AND ".join(parts)


def _is_any(bound: Bound, number: int, alias: str, rows: str) -> bool:
    """Whether the space has such a row; asked once a reader."""
    if (number, alias) not in bound.told:
        where = bound.within(alias, number)
        bound.told[number, alias] = bool(bound.rows(f"SELECT 1 FROM {rows}{where} LIMIT 1", where))
    return bound.told[number, alias]


# for an index


def ties(connection: Connection, space_id: int | None) -> Iterator[Tie]:
    sql = f"""SELECT e.id, e.source_id, e.target_id, e.relation, e.valid_from, {_LATEST}, e.recorded_at, e.memory_id
        FROM edge e WHERE e.space_id = ?"""
    return map(Tie._make, connection.stream(sql, (space_id,)))


def shades(connection: Connection, space_id: int | None) -> Shades:
    at_present = "known_until = 9223372036854775807"
    forgotten = f"SELECT target_id FROM mark WHERE space_id = ? AND mark = '{Mark.FORGOTTEN}' AND {at_present}"
    moves = """SELECT DISTINCT x.evidence FROM edge_window x
        JOIN memory p ON p.space_id = x.space_id AND p.id = x.evidence
        WHERE x.space_id = ? AND x.evidence IS NOT NULL AND p.visibility = 'private'"""
    private: dict[str, set[str]] = defaultdict(set)
    for memory_id, principal in connection.rows(
        "SELECT memory_id, principal FROM principal WHERE space_id = ?", (space_id,)
    ):
        private[memory_id].add(principal)
    merged = connection.rows(f"SELECT entity_id, into_id FROM merge WHERE space_id = ? AND {at_present}", (space_id,))
    return Shades(
        frozenset(row[0] for row in connection.rows(forgotten, (space_id,))),
        {memory_id: frozenset(who) for memory_id, who in private.items()},
        dict(merged),
        frozenset(row[0] for row in connection.rows(moves, (space_id,))),
    )

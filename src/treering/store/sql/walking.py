"""Which edges lead away from these nodes? The statements of a walk, one for each step, and of what an index of edges
learns.

A step asks for no more than a walk needs: the ends, the relation, and whether the edge may be crossed at this moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from treering.model.edge import Direction, Family
from treering.model.memory import Mark
from treering.store.contract import Crossing, EdgeVisibility, IndexedEdge, StepTaken, Ways
from treering.store.sql.bound import BELIEVED, CLOSED_TO_US, EDGE_OPEN, EDGE_REMEMBERED, Bound
from treering.store.sql.entities import SqlEntities
from treering.store.sql.tables import Connection, SqlRow
from treering.values import dataclass

NODES_A_STATEMENT = 256

Side = tuple[bool, tuple[str, ...] | None]
"""Along the edges (true) or against them, over these relations; none is all of them."""

# Where the window of edge e ends: the latest that was known, on evidence that is not private to others. Most windows
# were never moved.
_ENDS = f"""CASE WHEN e.moved = 1 THEN (SELECT x.valid_until FROM edge_window x
        WHERE x.space_id = e.space_id AND x.edge_id = e.id AND x.known_from <= :known
        AND (x.evidence IS NULL OR NOT EXISTS (
            SELECT 1 FROM memory p WHERE p.space_id = x.space_id AND p.id = x.evidence AND {CLOSED_TO_US.format("p")}))
        ORDER BY x.known_from DESC LIMIT 1)
    ELSE e.valid_until END"""
_LATEST = """CASE WHEN e.moved = 1 THEN (SELECT x.valid_until FROM edge_window x
        WHERE x.space_id = e.space_id AND x.edge_id = e.id
        ORDER BY x.known_from DESC LIMIT 1)
    ELSE e.valid_until END"""


class Finding(Protocol):
    """What finds the edges that lead away from nodes on one side, in order of (here, relation, id), laid out as these
    columns or whole as crossings."""

    def __call__(
        self, bound: Bound, number: int, members: list[str], ways: Ways, side: Side, columns: str, limit: int | None
    ) -> list[SqlRow]: ...


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of one reader, by statements or by what else finds edges."""

    bound: Bound
    entities: SqlEntities
    find: Finding

    def crossings(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[Crossing]:
        return [Crossing._make(row) for row in self._leading(space, nodes, ways, limit, _WHOLE)]

    def taken(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[StepTaken]:
        """What each column of each row costs to read is most of what a step costs, so no more are asked for than
        count."""
        found = self._leading(space, nodes, ways, limit, _SHORT)
        return found if not found or len(found[0]) == 3 else [row[:3] for row in found]

    def _leading(self, space: str, nodes: Iterable[str], ways: Ways, limit: int, columns: str) -> list[SqlRow]:
        """Rows laid out as crossings, of which `columns` may be all that is asked for; where they must be put in order
        here, they are whole."""
        number = self.bound.number(space)
        if number is None:
            return []
        sides, merged = _sides(self.bound, number, ways), self.entities.any_merged(number)
        wanted = sorted({self.entities.canonical(number, one) for one in nodes} if merged else set(nodes))
        found: list[SqlRow] = []
        for start in range(0, len(wanted), NODES_A_STATEMENT):
            some, room = wanted[start : start + NODES_A_STATEMENT], limit - len(found)
            if merged or len(sides) > 1:
                found += self._put_together(number, some, ways, room)
            else:
                found += self.find(self.bound, number, some, ways, sides[0], columns, room)
            if len(found) >= limit:
                break
        return found

    def _put_together(self, number: int, nodes: list[str], ways: Ways, limit: int) -> list[SqlRow]:
        """From all of these nodes on both sides, in order. What is merged has several ids, which do not lie side by
        side: then all of its edges are looked at."""
        entities, members = self.entities, sorted(self.entities.members(number, nodes))
        most = limit if len(members) == len(nodes) else None
        found: list[SqlRow] = []
        for side in _sides(self.bound, number, ways):
            found += self.find(self.bound, number, members, ways, side, _WHOLE, most)
        if entities.any_merged(number):
            found = [
                (edge_id, entities.canonical(number, here), entities.canonical(number, there), *rest)
                for edge_id, here, there, *rest in found
            ]
        found.sort(key=_in_order)
        return found[:limit]


_SHORT, _WHOLE = "e.id, e.{here}, e.{there}", "e.id, e.{here}, e.{there}, e.relation, {outward}"


def by_statement(
    bound: Bound, number: int, members: list[str], ways: Ways, side: Side, columns: str, limit: int | None
) -> list[SqlRow]:
    outward, relations = side
    here, there = ("source_id", "target_id") if outward else ("target_id", "source_id")
    where = bound.within("e", number)
    where.add_among(f"e.{here}", members)
    where.add_among("e.relation", relations)
    # The index by source holds all that is asked for, as long as known time need not be asked; that by target holds
    # known time, and not the ids in order: the empty text keeps SQLite from walking all edges in that order.
    if not outward or bound.moment.known_at is not None:
        where.add("e.recorded_at <= :known")
    order = "e.id" if outward else "e.id || ''"
    sql = f"""SELECT {columns.format(here=here, there=there, outward=int(outward))}
        FROM edge e WHERE {_conditions(bound, number, ways)}{where} ORDER BY e.{here}, e.relation, {order}"""
    if limit is not None:
        sql += f" LIMIT {where.put(limit)}"
    return bound.rows(sql, where)


def _in_order(row: SqlRow) -> tuple[str, bool, str, str]:
    edge_id, here, _, relation, outward = row
    return here, not outward, relation, edge_id


def _sides(bound: Bound, number: int, ways: Ways) -> Sequence[Side]:
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


def ties(connection: Connection, space_id: int | None) -> Iterator[IndexedEdge]:
    sql = f"""SELECT e.id, e.source_id, e.target_id, e.relation, e.valid_from, {_LATEST}, e.recorded_at, e.memory_id
        FROM edge e WHERE e.space_id = ?"""
    return map(IndexedEdge._make, connection.stream(sql, (space_id,)))


def edge_visibility(connection: Connection, space_id: int | None) -> EdgeVisibility:
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
    return EdgeVisibility(
        frozenset(row[0] for row in connection.rows(forgotten, (space_id,))),
        {memory_id: frozenset(who) for memory_id, who in private.items()},
        dict(merged),
        frozenset(row[0] for row in connection.rows(moves, (space_id,))),
    )

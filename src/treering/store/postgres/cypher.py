"""Which edges lead away from these nodes, asked of Apache AGE in Cypher? One statement a step, as by tables, with
validity and known time on every hop.

AGE answers only where it knows exactly what the reader sees: it has come to the same entry of the journal, and no end
of a window rests on a memory that who asks may not see.
"""

from __future__ import annotations

import json
from typing import Any

from treering.model.journal import Head
from treering.store.contract import Ways
from treering.store.postgres import mirror
from treering.store.postgres.connection import PostgresConnection
from treering.store.sql.bound import CLOSED_TO_US, Bound
from treering.store.sql.tables import SqlRow
from treering.store.sql.walking import Side

# AGE lets the server think that any list has a thousand members, for which it would look at every node there is.
_BY_INDEX, _BY_ANY_WAY = (
    "; ".join(f"SET LOCAL enable_{way} = {on}" for way in ("hashjoin", "mergejoin", "seqscan")) for on in ("off", "on")
)


def is_in_step(connection: PostgresConnection, number: int, head: Head) -> bool:
    return mirror.reached(connection, number) == (head.seq, head.hash) and mirror.is_there(connection, number)


def serves(bound: Bound, number: int) -> bool:
    """Whether no window was moved by what is private to others than who asks."""
    if bound.all_seeing:
        return True
    where = bound.within("x", number)
    sql = f"""SELECT 1 FROM edge_window x JOIN memory p ON p.space_id = x.space_id AND p.id = x.evidence
        WHERE x.evidence IS NOT NULL AND {CLOSED_TO_US.format("p")}{where} LIMIT 1"""
    return not bound.rows(sql, where)


class ByCypher:
    """One side of a step, as `store.sql.walking` asks for it. Rows come whole."""

    def __init__(self, connection: PostgresConnection, number: int) -> None:
        self._connection, self._graph = connection, mirror.graph_name(number)

    def __call__(
        self, bound: Bound, number: int, members: list[str], ways: Ways, side: Side, columns: str, limit: int | None
    ) -> list[SqlRow]:
        outward, relations = side
        params = bound.params
        given: dict[str, Any] = {
            "nodes": members,
            "known": params["known"],
            "as_of": params["as_of"],
            "me": params["principal"],
            "relations": list(relations or ()),
        }
        conditions = ["e.known_from <= $known", "e.known_until > $known"]
        if not ways.include_closed:
            conditions += ["e.valid_from <= $as_of", "e.valid_until > $as_of"]
        if relations is not None:
            conditions.append("e.relation IN $relations")
        if not bound.all_seeing:
            conditions.append("(e.who IS NULL OR $me IN e.who)")
        way = "(a:Thing)-[e:Edge]->(b:Thing)" if outward else "(a:Thing)<-[e:Edge]-(b:Thing)"
        asked = f"""UNWIND $nodes AS one MATCH {way} WHERE a.id = one AND {" AND ".join(conditions)}
            RETURN e.id, one, b.id, e.relation"""
        return self._rows(asked, given, outward, limit)

    def _rows(self, asked: str, given: dict[str, Any], outward: bool, limit: int | None) -> list[SqlRow]:
        """In the order of code points, whatever the database's own is."""
        mirror.find_names(self._connection)
        self._connection.run(_BY_INDEX)
        sql = f"""SELECT id, here, there, relation, {"TRUE" if outward else "FALSE"} FROM (
            SELECT id::text, here::text, there::text, relation::text
            FROM ag_catalog.cypher('{self._graph}', $asked$ {asked} $asked$, %s)
            AS (id ag_catalog.agtype, here ag_catalog.agtype, there ag_catalog.agtype, relation ag_catalog.agtype)) f
            ORDER BY here COLLATE "C", relation COLLATE "C", id COLLATE "C" LIMIT %s"""
        found = self._connection.raw.execute(sql.encode(), (json.dumps(given), limit), prepare=False).fetchall()
        self._connection.run(_BY_ANY_WAY)
        return found

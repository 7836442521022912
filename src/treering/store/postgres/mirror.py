"""How does the graph of a space come into Apache AGE? Every edge, of whatever relation, is mirrored with all that was
ever known of it: one relationship for each stretch of known time in which the end of its window was believed, and none
for those in which it, or a memory that it touches, was forgotten.

The mirror follows the journal entry by entry, in the transaction of the write, and says how far it has come. What was
written by a process without AGE is caught up on; what is damaged, or was purged from, is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from treering.errors import Unsupported
from treering.model.changes import EdgeAdded, EdgeClosed, EdgeReopened, Marked, Purged
from treering.model.journal import Entry, Head
from treering.model.memory import Mark
from treering.store.postgres.connection import PostgresConnection

TABLE = "mirror"
MOST_MISSED = 1_000
"""Entries; a mirror that is further behind is made anew."""
_FOREVER = (1 << 63) - 1
_MARKED = f"""mark k WHERE k.space_id = e.space_id AND k.mark = '{Mark.FORGOTTEN}'
    AND k.target_id IN (e.id, e.memory_id, e.source_id, e.target_id)"""
_PRIVATE = """memory p WHERE p.space_id = e.space_id AND p.id IN (e.memory_id, e.source_id, e.target_id)
    AND p.visibility = 'private'"""

# Of edge e: when something about it became known, and until when that was all.
_STRETCHES = f"""SELECT s.at, LEAD(s.at, 1, {_FOREVER}) OVER (ORDER BY s.at) AS until FROM (
    SELECT x.known_from AS at FROM edge_window x WHERE x.space_id = e.space_id AND x.edge_id = e.id
    UNION SELECT k.known_from FROM {_MARKED} AND k.known_from > e.recorded_at
    UNION SELECT k.known_until FROM {_MARKED} AND k.known_until > e.recorded_at AND k.known_until < {_FOREVER}) s"""
# Who may see all the private memories that it touches; null if it touches none.
_WHO = f"""CASE WHEN EXISTS (SELECT 1 FROM {_PRIVATE}) THEN COALESCE((SELECT jsonb_agg(c.principal) FROM (
    SELECT q.principal FROM principal q WHERE q.space_id = e.space_id AND q.memory_id IN (SELECT p.id FROM {_PRIVATE})
    GROUP BY q.principal HAVING COUNT(*) = (SELECT COUNT(*) FROM {_PRIVATE})) c), '[]') END"""
_TOLD = f"""SELECT e.source_id, e.target_id, jsonb_build_object('id', e.id, 'relation', e.relation,
        'valid_from', e.valid_from, 'valid_until', w.valid_until, 'known_from', s.at, 'known_until', s.until,
        'who', {_WHO}) AS told
    FROM edge e CROSS JOIN LATERAL ({_STRETCHES}) s CROSS JOIN LATERAL (
        SELECT x.valid_until FROM edge_window x WHERE x.space_id = e.space_id AND x.edge_id = e.id
        AND x.known_from <= s.at ORDER BY x.known_from DESC LIMIT 1) w
    WHERE NOT EXISTS (SELECT 1 FROM {_MARKED} AND k.known_from <= s.at AND k.known_until > s.at)"""


def graph_name(number: int) -> str:
    """The graph of a space, by the space's number."""
    return f"treering_{number:x}"


def _property(of: str, name: str) -> str:
    """As AGE itself writes it, so that an index on it serves."""
    return f"""ag_catalog.agtype_access_operator(VARIADIC ARRAY[{of}, '"{name}"'::ag_catalog.agtype])"""


def _text(value: str) -> str:
    """A text as AGE keeps it."""
    return f"to_json({value})::text::ag_catalog.agtype"


# The library must be there before a statement with Cypher is read, and its names must be found: for this transaction.
_NAMES = """SELECT ag_catalog.agtype_in('1'),
    set_config('search_path', current_setting('search_path') || ', ag_catalog', true)
    WHERE current_setting('search_path') NOT LIKE '%ag_catalog%'"""


def find_names(connection: PostgresConnection) -> None:
    connection.rows(_NAMES)


def is_prepared(connection: PostgresConnection) -> bool:
    return bool(connection.rows("SELECT to_regclass(?) IS NOT NULL", (TABLE,))[0][0])


def prepare(connection: PostgresConnection, wall: str) -> None:
    """The table that says how far each mirror has come, in the caller's transaction. A graph is made and given up
    again: who may not make one hears of it here, and not in the middle of a write."""
    connection.run(f"CREATE TABLE {TABLE} (space_id BIGINT PRIMARY KEY, seq BIGINT NOT NULL, hash TEXT NOT NULL)")
    connection.run(wall)
    find_names(connection)
    connection.run("SAVEPOINT trial")
    _make_graph(connection, 0)
    connection.run("ROLLBACK TO SAVEPOINT trial")


def must_be_ours_to_write(connection: PostgresConnection) -> None:
    """Another role may have prepared it."""
    find_names(connection)
    sql = """SELECT has_table_privilege(?, 'INSERT'), has_table_privilege('ag_catalog.ag_graph', 'INSERT'),
        has_database_privilege(current_database(), 'CREATE')"""
    if not all(connection.rows(sql, (TABLE,))[0]):
        raise Unsupported("this role may not make graphs: GRANT ALL ON ALL TABLES IN SCHEMA ag_catalog TO it")


def reached(connection: PostgresConnection, number: int) -> tuple[int, str]:
    rows = connection.rows(f"SELECT seq, hash FROM {TABLE} WHERE space_id = ?", (number,))
    return (rows[0][0], rows[0][1]) if rows else (0, "")


def take(connection: PostgresConnection, number: int, entry: Entry) -> None:
    """One more entry, whose changes are in the tables already. A mirror that is not where the entry follows is left to
    be caught up on."""
    seq, _ = reached(connection, number)
    if seq != entry.seq - 1 or (seq and not is_there(connection, number)):
        return
    find_names(connection)
    if not seq:
        _make_graph(connection, number)
    if not _learn(connection, number, entry):
        make_anew(connection, number)
    _has_come_to(connection, number, entry.head())


def catch_up(connection: PostgresConnection, number: int, head: Head, missed: Iterable[Entry]) -> None:
    """To where the journal is."""
    find_names(connection)
    seq, _ = reached(connection, number)
    near = seq and head.seq - seq <= MOST_MISSED and is_there(connection, number)
    if not near or not all(_learn(connection, number, entry) for entry in missed):
        make_anew(connection, number)
    _has_come_to(connection, number, head)


def _learn(connection: PostgresConnection, number: int, entry: Entry) -> bool:
    """False if the graph must be made anew: what was purged must not live on in it."""
    edges: set[str] = set()
    touched: set[str] = set()
    for change in entry.changes():
        match change:
            case Purged():
                return False
            case EdgeAdded(edge):
                edges.add(edge.id)
            case EdgeClosed() | EdgeReopened():
                edges.add(change.edge_id)
            case Marked(_, thing_id, Mark.FORGOTTEN, _):
                edges.add(thing_id)
                touched.add(thing_id)
    if edges:
        _tell(connection, number, sorted(edges), sorted(touched))
    return True


def _tell(connection: PostgresConnection, number: int, edges: list[str], touched: list[str]) -> None:
    """These edges, and those that touch these memories, as the tables have them by now."""
    if touched:
        sql = """SELECT e.id FROM edge e WHERE e.space_id = ?1 AND (e.source_id = ANY (?2) OR e.target_id = ANY (?2)
            OR e.memory_id = ANY (?2))"""
        edges = sorted({*edges, *(row[0] for row in connection.rows(sql, (number, touched)))})
    graph = graph_name(number)
    ids = f"SELECT {_text('one')} FROM unnest(%s::TEXT[]) one"
    connection.raw.execute(
        f"""DELETE FROM {graph}."Edge" r WHERE {_property("r.properties", "id")} = ANY (ARRAY({ids}))""".encode(),
        (edges,),
    )
    _fill(connection, number, " AND e.id = ANY (%(edges)s)", {"edges": edges})


def _fill(
    connection: PostgresConnection, number: int, which: str = "", params: dict[str, object] | None = None
) -> None:
    graph, told = graph_name(number), f"{_TOLD} AND e.space_id = {int(number)}{which}"
    ends = f"SELECT source_id AS id FROM ({told}) t UNION SELECT target_id FROM ({told}) t"
    known = f"""SELECT 1 FROM {graph}."Thing" n WHERE {_property("n.properties", "id")} = {_text("x.id")}"""
    connection.raw.execute(
        f"""INSERT INTO {graph}."Thing" (properties)
        SELECT jsonb_build_object('id', x.id)::text::ag_catalog.agtype FROM ({ends}) x
        WHERE NOT EXISTS ({known})""".encode(),
        params or {},
    )
    node = f"""{graph}."Thing" {{0}} ON {_property("{0}.properties", "id")} = {_text("t.{1}")}"""
    connection.raw.execute(
        f"""INSERT INTO {graph}."Edge" (start_id, end_id, properties)
        SELECT a.id, b.id, t.told::text::ag_catalog.agtype FROM ({told}) t
        JOIN {node.format("a", "source_id")} JOIN {node.format("b", "target_id")}""".encode(),
        params or {},
    )


# the graph itself


def make_anew(connection: PostgresConnection, number: int) -> None:
    find_names(connection)
    drop(connection, number)
    _make_graph(connection, number)
    _fill(connection, number)


def drop(connection: PostgresConnection, number: int) -> None:
    if _exists(connection, number):
        connection.rows(f"SELECT ag_catalog.drop_graph('{graph_name(number)}', true)")
    connection.run(f"DELETE FROM {TABLE} WHERE space_id = ?", (number,))


def _exists(connection: PostgresConnection, number: int) -> bool:
    return bool(connection.rows("SELECT 1 FROM ag_catalog.ag_graph WHERE name = ?", (graph_name(number),)))


def is_there(connection: PostgresConnection, number: int) -> bool:
    sql = "SELECT to_regclass(?) IS NOT NULL AND to_regclass(?) IS NOT NULL"
    graph = graph_name(number)
    return bool(connection.rows(sql, (f'{graph}."Thing"', f'{graph}."Edge"'))[0][0])


def _make_graph(connection: PostgresConnection, number: int) -> None:
    graph = graph_name(number)
    if _exists(connection, number):
        connection.rows(f"SELECT ag_catalog.drop_graph('{graph}', true)")
    connection.rows(f"SELECT ag_catalog.create_graph('{graph}')")
    connection.rows(f"SELECT ag_catalog.create_vlabel('{graph}', 'Thing')")
    connection.rows(f"SELECT ag_catalog.create_elabel('{graph}', 'Edge')")
    for table, name, column in (
        ("Thing", "by_id", _property("properties", "id")),
        ("Edge", "by_id", _property("properties", "id")),
        ("Edge", "by_start", "start_id"),
        ("Edge", "by_end", "end_id"),
    ):
        connection.run(f'CREATE INDEX {table.lower()}_{name} ON {graph}."{table}" ({column})')


def _has_come_to(connection: PostgresConnection, number: int, head: Head) -> None:
    sql = f"""INSERT INTO {TABLE} (space_id, seq, hash) VALUES (?, ?, ?)
        ON CONFLICT (space_id) DO UPDATE SET seq = EXCLUDED.seq, hash = EXCLUDED.hash"""
    connection.run(sql, (number, head.seq, head.hash))


# is it right?


def strayed(connection: PostgresConnection, number: int, head: Head) -> str | None:
    """What is wrong with the mirror, if something is."""
    if reached(connection, number) != (head.seq, head.hash):
        return None  # it is behind, which is no fault: the tables answer until it has caught up
    if not is_there(connection, number):
        return "the graph in AGE is gone"
    find_names(connection)
    graph = graph_name(number)
    mirrored = f"""SELECT {_property("a.properties", "id")}::text AS source_id, {_property("b.properties", "id")}::text
        AS target_id, r.properties::text::jsonb AS told FROM {graph}."Edge" r
        JOIN {graph}."Thing" a ON a.id = r.start_id JOIN {graph}."Thing" b ON b.id = r.end_id"""
    told = f"{_TOLD} AND e.space_id = {int(number)}"
    sql = f"""SELECT COUNT(*) FROM (({told} EXCEPT ALL {mirrored}) UNION ALL ({mirrored} EXCEPT ALL {told})) d"""
    differ = connection.rows(sql)[0][0]
    return f"{differ} relationships in AGE are not as the tables have them" if differ else None

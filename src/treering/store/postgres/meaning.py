"""Which memories are near in meaning, by pgvector? A table of its own beside the packed vectors, one row a memory.

The server keeps it itself: whatever keeps a vector, by whatever process and setting, is followed by a trigger in the
same transaction, and a vector that goes takes its row along. The components are the packed steps themselves, which
half precision holds exactly, so that a distance here is the one that an index in memory finds.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence

from psycopg import adapters
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.sql import Literal

from treering.store.postgres.connection import PostgresConnection
from treering.values import dataclass

TABLE = "meaning"
TAKEN_OVER_AT_ONCE = 20_000
"""So many vectors of an older database are taken over by who opens it; more are for `treering db migrate`."""
MOST_DIMS = 4_000
"""With more there is no index, and all of a space are compared."""
LOOKED_AT = 300
"""How many the index looks at before it gives the first; then it goes on as long as it is asked to. That takes most of
the time of a question, and half as many again find hardly more."""
BUILT_WITH = 128
"""How many are looked at for the neighbours of each as the index is made: half as many are quicker, and miss more."""
_A_STEP = 2_000

# How vectors are packed is told in mind/packing: a head, a scale for each row, and the rows.
_IS_PACKED = """CREATE OR REPLACE FUNCTION treering_is_packed(data BYTEA) RETURNS BOOLEAN
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(data) < 5 OR get_byte(data, 0) <> 1 OR get_byte(data, 3) + get_byte(data, 4) = 0
        THEN FALSE ELSE octet_length(data) = 5 + (get_byte(data, 3) + 256 * get_byte(data, 4))
        * (4 + get_byte(data, 1) + 256 * get_byte(data, 2)) END $$"""
_FIRST = """CREATE OR REPLACE FUNCTION treering_first_vector(data BYTEA) RETURNS halfvec
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT ((get_byte(data, 5 + 4 * (get_byte(data, 3) + 256 * get_byte(data, 4)) + i) + 128) % 256
        - 128)::real FROM generate_series(0, get_byte(data, 1) + 256 * get_byte(data, 2) - 1) i
        ORDER BY i)::halfvec $$"""
_TABLE = f"""CREATE TABLE {TABLE} (
    space_id BIGINT NOT NULL, place BIGINT NOT NULL, embedder TEXT COLLATE "C" NOT NULL,
    thing_id TEXT COLLATE "C" NOT NULL, whole halfvec NOT NULL, PRIMARY KEY (space_id, place),
    FOREIGN KEY (space_id, place) REFERENCES embedding (space_id, place) ON DELETE CASCADE)"""
_BY_THING = f"CREATE INDEX meaning_by_thing ON {TABLE} (space_id, embedder, thing_id)"
_FOLLOW = f"""CREATE OR REPLACE FUNCTION treering_follow_embedding() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF treering_is_packed(NEW.data) AND EXISTS (
        SELECT 1 FROM memory m WHERE m.space_id = NEW.space_id AND m.id = NEW.thing_id)
    THEN INSERT INTO {TABLE} VALUES (
        NEW.space_id, NEW.place, NEW.embedder, NEW.thing_id, treering_first_vector(NEW.data));
    END IF; RETURN NULL; END $$"""
_TRIGGER = """CREATE TRIGGER follow_embedding AFTER INSERT ON embedding FOR EACH ROW
    EXECUTE FUNCTION treering_follow_embedding()"""
_MISSING = f"""FROM embedding v JOIN memory m ON m.space_id = v.space_id AND m.id = v.thing_id
    WHERE treering_is_packed(v.data)
    AND NOT EXISTS (SELECT 1 FROM {TABLE} n WHERE n.space_id = v.space_id AND n.place = v.place)"""


def is_made(connection: PostgresConnection) -> bool:
    return bool(connection.rows("SELECT to_regclass(?) IS NOT NULL", (TABLE,))[0][0])


def make(connection: PostgresConnection, wall: str) -> None:
    """In the caller's transaction. From here on every new vector is followed; those that are there are taken over by
    `take_over`."""
    for sql in (_IS_PACKED, _FIRST, _TABLE, _BY_THING, _FOLLOW, _TRIGGER, wall):
        connection.run(sql)


def let_go(connection: PostgresConnection) -> None:
    """Where pgvector cannot be used any more, not even by the trigger. It can all be made again."""
    connection.run("DROP TRIGGER IF EXISTS follow_embedding ON embedding")
    connection.run(f"DROP TABLE IF EXISTS {TABLE}")


def missing(connection: PostgresConnection, space_id: int | None = None) -> int:
    """How many memories' vectors have no row here: of one space or of all, as far as the walls let see."""
    within = "" if space_id is None else " AND v.space_id = ?"
    sql = f"SELECT COUNT(*) {_MISSING}{within}"
    return int(connection.rows(sql, () if space_id is None else (space_id,))[0][0])


Place = tuple[int, int]
"""The number of a space, and a place in it."""
BEGINNING: Place = (-1, 0)


def take_over(connection: PostgresConnection, after: Place = BEGINNING, within: int | None = None) -> Place | None:
    """Some of what is kept after this place, in the caller's transaction; answers how far that went, none at the end.
    `within`: of this space only."""
    bound = "" if within is None else f" AND space_id = {int(within)}"
    sql = f"""WITH next AS (
            SELECT * FROM embedding WHERE (space_id, place) > (?, ?){bound} ORDER BY space_id, place LIMIT {_A_STEP}),
        taken AS (INSERT INTO {TABLE}
            SELECT v.space_id, v.place, v.embedder, v.thing_id, treering_first_vector(v.data) FROM next v
            JOIN memory m ON m.space_id = v.space_id AND m.id = v.thing_id WHERE treering_is_packed(v.data)
            ON CONFLICT DO NOTHING)
        SELECT space_id, place FROM next ORDER BY space_id DESC, place DESC LIMIT 1"""
    rows = connection.rows(sql, after)
    return (rows[0][0], rows[0][1]) if rows else None


def clear(connection: PostgresConnection, space_id: int) -> None:
    connection.run(f"DELETE FROM {TABLE} WHERE space_id = ?", (space_id,))


# the index


def index_name(embedder: str, dims: int) -> str:
    return f"meaning_near_{hashlib.sha256(f'{embedder} {dims}'.encode()).hexdigest()[:12]}"


def indexed(connection: PostgresConnection) -> set[tuple[str, int]]:
    """The embedders, with their dims, whose vectors have an index that is whole."""
    sql = """SELECT obj_description(i.indexrelid, 'pg_class') FROM pg_index i
        WHERE i.indrelid = to_regclass(?) AND i.indisvalid"""
    told = (str(row[0]) for row in connection.rows(sql, (TABLE,)) if row[0])
    return {(embedder, int(dims)) for embedder, _, dims in (one.rpartition(" ") for one in told)}


def make_index(connection: PostgresConnection, embedder: str, dims: int) -> None:
    """Beside writers who go on; in no transaction. One that was begun and never ended makes room."""
    name = index_name(embedder, dims)
    sql = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(?) AND NOT indisvalid"
    if connection.rows(sql, (name,)):
        connection.run(f"DROP INDEX IF EXISTS {name}")
    connection.run(
        f"""CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON {TABLE}
        USING hnsw ((whole::halfvec({int(dims)})) halfvec_cosine_ops) WITH (ef_construction = {BUILT_WITH})
        WHERE embedder = {quoted(embedder)}"""
    )
    connection.run(f"COMMENT ON INDEX {name} IS {quoted(f'{embedder} {dims}')}")


def quoted(embedder: str) -> str:
    """In the text of the statement: only so the server can tell which index serves it."""
    return Literal(embedder).as_string().strip()


SCANNING = {
    "hnsw.ef_search": str(LOOKED_AT),
    "hnsw.iterative_scan": "relaxed_order",
    "enable_sort": "off",
    "enable_seqscan": "off",
}
"""The index, and not all rows in order; and it goes on where a filter leaves too few."""


class Halves(bytes):
    """A vector as a halfvec goes over the wire."""


def halves(vector: Sequence[float]) -> Halves:
    """To write it out, and to read that again, would take longer than many a search."""
    return Halves(struct.pack(f">HH{len(vector)}e", len(vector), 0, *vector))


class _HalvesDumper(Dumper):
    """Which number the server gave to the type is its own affair: it knows by the cast what is coming."""

    format = Format.BINARY
    oid = 0

    def dump(self, obj: Halves) -> bytes:
        return obj


adapters.register_dumper(Halves, _HalvesDumper)


@dataclass(frozen=True, slots=True)
class Nearest:
    """The statements for the nearest; `vector` is the name of a value. Not by the index: all are compared. How many are
    wanted stands in the text: only so the server keeps a plan."""

    embedder: str
    dims: int
    vector: str
    limit: int
    by_index: bool

    def under(self, condition: str, spaces: str) -> str:
        """Of the memories m under a condition."""
        return f"""SELECT m.id, 1 - ({self._far}) FROM {TABLE} v
            JOIN memory m ON m.space_id = v.space_id AND m.id = v.thing_id
            WHERE v.embedder = {quoted(self.embedder)}{spaces} AND {condition} {self._first}"""

    def of_all(self, where: str) -> str:
        return f"""SELECT v.thing_id, 1 - ({self._far}) FROM {TABLE} v
            WHERE v.embedder = {quoted(self.embedder)}{where} {self._first}"""

    @property
    def _far(self) -> str:
        kind = f"halfvec({int(self.dims)})"
        return f"v.whole::{kind} <=> {self.vector}::{kind}"

    @property
    def _first(self) -> str:
        return f"ORDER BY {self._far if self.by_index else f'({self._far}) + 0'} LIMIT {self.limit:d}"

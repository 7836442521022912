"""What is kept for the indexes? The statements around texts to learn and vectors to compare."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from treering.language.rewording import as_read
from treering.model.embedding import Embedded
from treering.store.contract import SpaceVersion, Text, UnembeddedText, VectorRow
from treering.store.sql.tables import Connection

# The stretch of the source that a memory rests on, where it is not in the same words.
_STRETCH = "NULLIF(SUBSTR(o.content, m.span_start + 1, m.span_end - m.span_start), m.content)"
_TEXT = f"""m.id, m.content, m.title, m.tags, m.kind, m.importance, m.confidence, m.event_time, m.event_end, m.said_at,
    m.recorded_at, m.valid_from, m.expires_at, o.speaker, o.session,
    {_STRETCH}"""
_SAID = "memory m JOIN source o ON o.space_id = m.space_id AND o.id = m.source_id"
_READ = "SELECT 1 FROM embedding v WHERE v.space_id = {0}.space_id AND v.embedder = ? AND v.thing_id = {0}.id"
_OF_ONE = "embedding v WHERE v.space_id = :space AND v.embedder = reader.name"
_READ_BY = f"""WITH RECURSIVE reader (name) AS (
        SELECT MIN(v.embedder) FROM embedding v WHERE v.space_id = :space
        UNION ALL SELECT (
            SELECT MIN(v.embedder) FROM embedding v WHERE v.space_id = :space AND v.embedder > reader.name)
        FROM reader WHERE reader.name IS NOT NULL)
    SELECT name, (SELECT MIN(v.place) FROM {_OF_ONE}), (SELECT MAX(v.place) FROM {_OF_ONE})
    FROM reader WHERE name IS NOT NULL"""
_TAGS = 3
_THINGS = ("memory", "entity")


def texts(connection: Connection, space_id: int | None, after: int) -> Iterator[Text]:
    sql = f"""SELECT {_TEXT} FROM {_SAID} WHERE m.space_id = ? AND m.recorded_at > ?
        ORDER BY m.recorded_at, m.id"""
    for row in connection.stream(sql, (space_id, after)):
        tags = row[_TAGS]
        yield Text._make((*row[:_TAGS], () if tags == "[]" else tuple(json.loads(tags)), *row[_TAGS + 1 :]))


def vectors(connection: Connection, space_id: int | None, embedder: str, after: int) -> Iterator[VectorRow]:
    sql = "SELECT place, thing_id, data FROM embedding WHERE space_id = ? AND embedder = ? AND place > ? ORDER BY place"
    return (VectorRow(*row) for row in connection.stream(sql, (space_id, embedder, after)))


def read_things(connection: Connection, space_id: int | None, embedder: str, after: int) -> Iterator[VectorRow]:
    """The same without the vectors of memories: which were read, and what the names of entities are like."""
    sql = """SELECT v.place, v.thing_id, CASE WHEN m.id IS NULL THEN v.data ELSE ? END
        FROM embedding v LEFT JOIN memory m ON m.space_id = v.space_id AND m.id = v.thing_id
        WHERE v.space_id = ? AND v.embedder = ? AND v.place > ? ORDER BY v.place"""
    return (VectorRow(*row) for row in connection.stream(sql, (b"", space_id, embedder, after)))


def version(connection: Connection, space: str) -> SpaceVersion:
    purged = "SELECT COUNT(*) FROM tombstone gone WHERE gone.space_id = s.id"
    rows = connection.rows(f"SELECT s.id, s.head_seq, ({purged}) FROM space s WHERE s.name = ?", (space,))
    if not rows:
        return SpaceVersion(0, 0, {})
    space_id, seq, purges = rows[0]
    return SpaceVersion(seq, purges, read_by(connection, space_id))


def read_by(connection: Connection, space_id: int | None) -> dict[str, int]:
    """Who has read of the space, the first before the others, and the last place of each. A look into the index or two
    a name: there are few names and many rows."""
    rows = connection.rows(_READ_BY, {"space": space_id})
    return {name: last for name, _, last in sorted(rows, key=lambda row: row[1])}


def purges(connection: Connection, space_id: int | None) -> int:
    count: int = connection.rows("SELECT COUNT(*) FROM tombstone WHERE space_id = ?", (space_id,))[0][0]
    return count


def unread(connection: Connection, space_id: int | None, embedder: str, limit: int) -> list[UnembeddedText]:
    memories = f"""SELECT m.id, o.speaker, m.content, {_STRETCH} FROM {_SAID}
        WHERE m.space_id = ? AND NOT EXISTS ({_READ.format("m")}) ORDER BY m.recorded_at, m.id LIMIT ?"""
    entities = f"""SELECT n.id, NULL, n.name FROM entity n
        WHERE n.space_id = ? AND NOT EXISTS ({_READ.format("n")}) ORDER BY n.recorded_at, n.id LIMIT ?"""
    found = [
        UnembeddedText(memory_id, speaker, as_read(content, said))
        for memory_id, speaker, content, said in connection.rows(memories, (space_id, embedder, limit))
    ]
    if len(found) < limit:
        found += [UnembeddedText(*row) for row in connection.rows(entities, (space_id, embedder, limit - len(found)))]
    return found


def left(connection: Connection, space_id: int | None, embedder: str) -> int:
    found: int = 0
    for alias, table in (("m", "memory"), ("n", "entity")):
        sql = f"SELECT COUNT(*) FROM {table} {alias} WHERE {alias}.space_id = ? AND NOT EXISTS ({_READ.format(alias)})"
        found += connection.rows(sql, (space_id, embedder))[0][0]
    return found


def keep(connection: Connection, space_id: int, kept: Iterable[Embedded]) -> None:
    sql = "INSERT INTO embedding (space_id, embedder, thing_id, data) VALUES (?, ?, ?, ?)"
    connection.run_many(sql, [(space_id, one.embedder, one.thing_id, one.data) for one in kept])


def keep_missing(connection: Connection, space_id: int | None, kept: Iterable[Embedded]) -> int:
    """A thing may have been purged, or read by another process, since this one began to read it."""
    there = " UNION ALL ".join(f"SELECT 1 FROM {one} WHERE space_id = ?1 AND id = ?3" for one in _THINGS)
    sql = f"""INSERT INTO embedding (space_id, embedder, thing_id, data) SELECT ?1, ?2, ?3, ?4 WHERE EXISTS ({there})
        AND NOT EXISTS (SELECT 1 FROM embedding WHERE space_id = ?1 AND embedder = ?2 AND thing_id = ?3)"""
    return sum(connection.run(sql, (space_id, one.embedder, one.thing_id, one.data)) for one in kept)


def drop(connection: Connection, space_id: int | None, embedder: str) -> None:
    connection.run("DELETE FROM embedding WHERE space_id = ? AND embedder = ?", (space_id, embedder))


def drop_orphans(connection: Connection, space_id: int) -> None:
    """Vectors of things that the journal does not know."""
    there = " UNION ALL ".join(
        f"SELECT 1 FROM {one} t WHERE t.space_id = embedding.space_id AND t.id = embedding.thing_id" for one in _THINGS
    )
    connection.run(f"DELETE FROM embedding WHERE space_id = ? AND NOT EXISTS ({there})", (space_id,))

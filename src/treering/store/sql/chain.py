"""How does an entry join its space's journal? The statements around the head of a chain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager

from treering.model.changes import Change
from treering.model.embedding import Embedded
from treering.model.journal import GENESIS, SYNC, Entry, Head, name_seal
from treering.model.space import SpaceInfo
from treering.model.time import from_micros, to_micros
from treering.store.contract import EdgeVisibility, IndexedEdge, Row, SpaceVersion, Text, UnembeddedText, VectorRow
from treering.store.sql import tables as t
from treering.store.sql import vectors, walking
from treering.store.sql.projection import Projector
from treering.store.sql.tables import Connection

CHARACTERS_A_READ = 8_000_000
_PAYLOAD = t.JOURNAL.columns.index("payload")


def space_id(connection: Connection, name: str) -> int | None:
    number = connection.dialect.space_number(name)
    return _found(connection, name) if number is None else number


def _found(connection: Connection, name: str) -> int | None:
    rows = connection.rows("SELECT id FROM space WHERE name = ?", (name,))
    return rows[0][0] if rows else None


def _make_space(connection: Connection, first: Entry) -> int:
    """The space that this entry is the first of, or the one that is there already."""
    found = _found(connection, first.space)
    if found is not None:
        return found
    connection.run(
        f"INSERT INTO space (id, {t.SPACE.select()}) VALUES (?, ?, ?, ?, 0, 0, ?)",
        (
            connection.dialect.space_number(first.space),
            first.space,
            name_seal(first.space, first.hash),
            to_micros(first.at),
            GENESIS,
        ),
    )
    return connection.rows("SELECT id FROM space WHERE name = ?", (first.space,))[0][0]  # type: ignore[no-any-return]


def head(connection: Connection, space: str) -> Head:
    rows = connection.rows("SELECT head_seq, head_at, head_hash FROM space WHERE name = ?", (space,))
    return Head(rows[0][0], from_micros(rows[0][1]), rows[0][2]) if rows else Head()


def spaces(connection: Connection) -> list[SpaceInfo]:
    rows = connection.rows("SELECT name, head_seq, created_at, head_at FROM space ORDER BY name")
    return [SpaceInfo(name, seq, from_micros(created), from_micros(at)) for name, seq, created, at in rows]


def append(
    connection: Connection, entry: Entry, changes: Iterable[tuple[int, Change]], read: tuple[Embedded, ...] = ()
) -> None:
    """The entry, all its effects, the vectors of what it brings in, and the new head."""
    own_id = _make_space(connection, entry)
    connection.run(t.JOURNAL.insert(), (own_id, *t.entry_row(entry)))
    Projector(connection, own_id, entry.at, entry.op == SYNC).take(changes)
    if read:
        vectors.keep(connection, own_id, read)
    connection.run(
        "UPDATE space SET head_seq = ?, head_at = ?, head_hash = ? WHERE id = ?",
        (entry.seq, to_micros(entry.at), entry.hash, own_id),
    )


def entry_at(connection: Connection, space: str, seq: int) -> Entry | None:
    sql = f"SELECT {t.JOURNAL.select()} FROM journal WHERE space_id = ? AND seq = ?"
    rows = connection.rows(sql, (space_id(connection, space), seq))
    return t.read_entry(space, rows[0]) if rows else None


def some_entries(connection: Connection, space: str, after: int, most: int | None = None) -> list[Entry]:
    """The next entries, as many as fit in a read of bounded size; at least one if there is one."""
    sql = f"SELECT {t.JOURNAL.select()} FROM journal WHERE space_id = ? AND seq > ? ORDER BY seq"
    found: list[Entry] = []
    room = CHARACTERS_A_READ
    for row in connection.stream(sql, (space_id(connection, space), after)):
        found.append(t.read_entry(space, row))
        room -= len(row[_PAYLOAD])
        if room <= 0 or len(found) == most:
            break
    return found


def entries(connection: Connection, space: str, after: int, limit: int | None) -> Iterator[Entry]:
    left = limit
    while left is None or left > 0:
        some = some_entries(connection, space, after, left)
        if not some:
            return
        yield from some
        after = some[-1].seq
        left = None if left is None else left - len(some)


def rows(connection: Connection, space: str) -> Iterator[Row]:
    own_id = space_id(connection, space)
    for table in sorted((*t.PROJECTED, t.SPACE), key=lambda one: one.name):
        owner = "id" if table is t.SPACE else "space_id"
        order = ", ".join(table.key)
        sql = f"SELECT {table.select()} FROM {table.name} WHERE {owner} = ? ORDER BY {order}"
        for row in connection.stream(sql, (own_id,)):
            values = dict(zip(table.columns, row, strict=True))
            yield Row(table.name, tuple(values[column] for column in table.key), values)


def clear_projections(connection: Connection, space: str) -> None:
    own_id = space_id(connection, space)
    for table in reversed(t.PROJECTED):
        connection.run(f"DELETE FROM {table.name} WHERE space_id = ?", (own_id,))


def clear_orphans(connection: Connection) -> None:
    """Rows that belong to no space at all: no journal could have brought them. Only a file can be damaged so."""
    for name in (*(table.name for table in reversed(t.PROJECTED)), "embedding"):
        connection.run(f"DELETE FROM {name} WHERE space_id NOT IN (SELECT id FROM space)")


def rebuild(connection: Connection, space: str) -> None:
    """The projections again, from the journal alone."""
    clear_projections(connection, space)
    own_id, last = space_id(connection, space), Head()
    if own_id is None:
        return
    for entry in entries(connection, space, 0, None):
        Projector(connection, own_id, entry.at, entry.op == SYNC).take(entry.numbered_changes)
        last = entry.head()
    connection.run(
        "UPDATE space SET head_seq = ?, head_at = ?, head_hash = ? WHERE id = ?",
        (last.seq, to_micros(last.at or from_micros(0)), last.hash, own_id),
    )
    vectors.drop_orphans(connection, own_id)
    first = "(SELECT MIN(at) FROM journal WHERE space_id = space.id)"
    connection.run(f"UPDATE space SET created_at = {first} WHERE id = ? AND {first} IS NOT NULL", (own_id,))


class SqlSnapshot:
    """What one read transaction sees. `translated` turns the engine's errors into ours while something is read bit by
    bit, so that whoever reads can tell them from their own."""

    def __init__(self, connection: Connection, translated: Callable[[], AbstractContextManager[None]]) -> None:
        self._connection, self._translated = connection, translated
        self._numbers: dict[str, int | None] = {}

    def _on(self, space: str) -> Connection:
        """The connection, ready to be asked about this space."""
        return self._connection

    def _number(self, space: str) -> int | None:
        """Asked once: what one read transaction sees does not change."""
        if space not in self._numbers:
            self._numbers[space] = space_id(self._connection, space)
        return self._numbers[space]

    def spaces(self) -> list[SpaceInfo]:
        with self._translated():
            return spaces(self._connection)

    def head(self, space: str) -> Head:
        with self._translated():
            return head(self._on(space), space)

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        with self._translated():
            yield from entries(self._on(space), space, after, limit)

    def rows(self, space: str) -> Iterator[Row]:
        with self._translated():
            yield from rows(self._on(space), space)

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        with self._translated():
            yield from vectors.texts(self._on(space), self._number(space), after)

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        with self._translated():
            yield from vectors.vectors(self._on(space), self._number(space), embedder, after)

    def read_things(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        with self._translated():
            yield from vectors.read_things(self._on(space), self._number(space), embedder, after)

    def ties(self, space: str) -> Iterator[IndexedEdge]:
        with self._translated():
            yield from walking.ties(self._on(space), self._number(space))

    def edge_visibility(self, space: str) -> EdgeVisibility:
        return walking.edge_visibility(self._on(space), self._number(space))

    def version(self, space: str) -> SpaceVersion:
        return vectors.version(self._on(space), space)

    def embedders(self, space: str) -> list[str]:
        return list(vectors.read_by(self._on(space), self._number(space)))

    def purges(self, space: str) -> int:
        with self._translated():
            return vectors.purges(self._on(space), self._number(space))

    def unread(self, space: str, embedder: str, limit: int) -> list[UnembeddedText]:
        return vectors.unread(self._on(space), self._number(space), embedder, limit)

    def left(self, space: str, embedder: str) -> int:
        return vectors.left(self._on(space), self._number(space), embedder)

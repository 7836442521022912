"""How does Treering talk to a PostgreSQL server? One connection as the shared SQL uses it, and errors translated.

The translation of psycopg's errors into ours happens here and nowhere else. Nothing that matters is kept in a session,
for a pooler may give each transaction another one: every setting lasts for one transaction. Statements are prepared
only where the server itself answers; a pooler gives itself away by another process number than the server's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from treering.errors import Corrupted, Fault, InvalidRequest, TreeringError, Unavailable
from treering.store.postgres import dialect
from treering.store.sql.tables import Params, SqlRow
from treering.values import dataclass

WAIT_SECONDS = 10
ROWS_AT_ONCE = 100
ROWS_A_FETCH = 2_000
PREPARED_AFTER = 1
"""To plan a statement takes several times as long as to carry it out, so it is prepared when it comes a second time."""
PREPARED = 1_000

Raw = psycopg.Connection[SqlRow]


@dataclass(frozen=True, slots=True)
class Walls:
    """Which rows the server shows to a transaction: those of these spaces, of all, and the names of spaces below."""

    spaces: tuple[str, ...] = ()
    every: bool = False
    below: str = ""

    def wider(self, by: Walls) -> Walls:
        spaces = tuple(dict.fromkeys((*self.spaces, *by.spaces)))
        return Walls(spaces, self.every or by.every, self.below or by.below)

    @property
    def said(self) -> str:
        """As statements."""
        below = self.below.replace("'", "''")
        every = "on" if self.every else ""
        return f"{about(*self.spaces)}; SET LOCAL treering.every = '{every}'; SET LOCAL treering.below = '{below}'"


NO_SPACE = Walls()


@dataclass(frozen=True, slots=True)
class Opening:
    """How a transaction begins: with these statements, behind these walls, and with a row that it looks for."""

    begin: str
    walls: Walls = NO_SPACE
    find: str = ""
    writes: bool = False

    @property
    def text(self) -> str:
        """All of it, on one way to the server."""
        said = about(*self.walls.spaces) if self.walls.spaces else ""
        every = "SET LOCAL treering.every = 'on'" if self.walls.every else ""
        return "; ".join(one for one in (self.begin, said, every, self.find) if one)


class PostgresConnection:
    """A connection that the shared SQL can use. Transactions are begun and ended by hand."""

    dialect = dialect.DIALECT

    def __init__(self, url: str) -> None:
        timeout = conninfo_to_dict(url).get("connect_timeout") or WAIT_SECONDS
        self.raw: Raw = psycopg.connect(url, autocommit=True, prepare_threshold=None, connect_timeout=int(timeout))
        self.direct = self._is_direct()
        """Whether the server itself answers, and no pooler."""
        if self.direct:
            self.raw.prepare_threshold, self.raw.prepared_max = PREPARED_AFTER, PREPARED
        self._cursors = count(1)
        self._walls = Walls()

    def _is_direct(self) -> bool:
        try:
            return self.raw.execute("SELECT pg_backend_pid()").fetchone() == (self.raw.info.backend_pid,)
        except BaseException:
            self.raw.close()
            raise

    def run(self, sql: str, params: Params = ()) -> int:
        return self._send(sql, params).rowcount

    def run_many(self, sql: str, rows: list[SqlRow]) -> None:
        if len(rows) == 1:
            self.run(sql, rows[0])
        else:
            with self.raw.cursor() as cursor:
                cursor.executemany(dialect.statement(sql), rows)

    def rows(self, sql: str, params: Params = ()) -> list[SqlRow]:
        return self._send(sql, params).fetchall()

    def rows_under(self, settings: Mapping[str, str], sql: str, params: Params) -> list[SqlRow]:
        """The same under settings that hold for this statement alone; all of it on one way to the server."""
        with self.raw.pipeline():
            self.raw.execute(_set(settings.items()).encode())
            found = self._send(sql, params)
            self.raw.execute(_set((name, "on") for name, value in settings.items() if value == "off").encode())
        return found.fetchall()

    def stream(self, sql: str, params: Params = ()) -> Iterator[SqlRow]:
        """Most find few rows, which come at once; a cursor on the server, which takes longer, is for those that find
        more."""
        some = self.rows(f"{sql} LIMIT {ROWS_AT_ONCE}", params)
        if len(some) < ROWS_AT_ONCE:
            yield from some
            return
        with self.raw.cursor(f"c{next(self._cursors)}", binary=True) as cursor:
            cursor.itersize = ROWS_A_FETCH
            cursor.execute(dialect.statement(sql), dialect.values(sql, params))
            yield from cursor

    def _send(self, sql: str, params: Params) -> psycopg.Cursor[SqlRow]:
        if not params:
            return self.raw.execute(sql.encode())
        return self.raw.execute(dialect.statement(sql), dialect.values(sql, params), binary=True)

    # transactions

    def open_to(self, *spaces: str) -> None:
        """The walls let this transaction to these spaces too."""
        self._walls = self._walls.wider(Walls(spaces))
        self.run(about(*self._walls.spaces))

    @contextmanager
    def open_to_all(self) -> Iterator[None]:
        """For a moment."""
        before = self._walls
        self._stand(replace(before, every=True))
        yield
        self._stand(before)

    def open_below(self, space: str) -> None:
        """The names of the spaces below may be seen."""
        self._stand(replace(self._walls, below=f"{space}/"))

    def _stand(self, walls: Walls) -> None:
        self._walls = walls
        self.run(walls.said)

    def begin(self, opening: Opening) -> SqlRow | None:
        """Several statements on one way to the server; answers what the last of them found, if it looked for a row."""
        self._walls = opening.walls
        cursor = self.raw.execute(opening.text.encode())
        while cursor.nextset():
            pass
        return cursor.fetchone() if cursor.description else None

    @contextmanager
    def joined(self, opening: Opening) -> Iterator[SqlRow | None]:
        """Another reading within the transaction that is under way: what both may see is open meanwhile."""
        before = self._walls
        self._stand(before.wider(opening.walls))
        found = self.rows(opening.find) if opening.find else []
        yield found[0] if found else None
        if self.raw.info.transaction_status is TransactionStatus.INTRANS:
            self._stand(before)

    def commit(self) -> None:
        self.raw.execute(b"COMMIT")

    def roll_back(self) -> None:
        """If that fails too the connection is not used again, and the server undoes it by itself."""
        with suppress(psycopg.Error):
            self.raw.execute(b"ROLLBACK")

    @property
    def is_at_rest(self) -> bool:
        return not self.raw.closed and self.raw.info.transaction_status is TransactionStatus.IDLE

    def close(self) -> None:
        self.raw.close()


def about(*spaces: str) -> str:
    """Says to the server which spaces a transaction is about."""
    numbers = ",".join(str(dialect.space_key(one)) for one in spaces)
    names = ",".join(f'"{_in_quotes(one)}"' for one in spaces)
    if not spaces:
        return "SET LOCAL treering.spaces = ''; SET LOCAL treering.names = ''"
    return f"SET LOCAL treering.spaces = '{{{numbers}}}'; SET LOCAL treering.names = '{{{names}}}'"


def _set(settings: Iterable[tuple[str, str]]) -> str:
    """Until the transaction ends."""
    return "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings)


def _in_quotes(name: str) -> str:
    """Within an array within a text."""
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("'", "''")


def shown(url: str) -> str:
    """The address without its secrets, for people."""
    return re.sub(r"([?&])(?:ssl)?password=[^&]*&?", r"\1", re.sub(r"(//[^/?@:]*):[^/?@]*@", r"\1@", url)).rstrip("?&")


def must_be_an_address(url: str) -> None:
    try:
        conninfo_to_dict(url)
    except psycopg.Error as error:
        raise InvalidRequest(
            f"url: is no address of a PostgreSQL database ({str(error).strip()}); write postgresql://user@host/database"
        ) from None


@contextmanager
def translated(where: object) -> Iterator[None]:
    """psycopg's errors as ours, with the database's address and what to do."""
    try:
        yield
    except psycopg.Error as error:
        raise _ours(error, where) from error


_AFTERWARDS = "; what was not acknowledged may or may not have been written: try again, a key makes that safe"


def _ours(error: psycopg.Error, where: object) -> TreeringError:
    text, code = " ".join(str(error).split()), error.sqlstate or ""
    match error:
        case pg.LockNotAvailable() | pg.DeadlockDetected() | pg.SerializationFailure() | pg.QueryCanceled():
            return Unavailable(
                f"{where}: others have been writing for over {WAIT_SECONDS} s; nothing was written, try again"
            )
        case pg.ReadOnlySqlTransaction():
            return Unavailable(f"{where}: takes no writes: it is a standby, or set to read-only; nothing was written")
        case pg.InsufficientPrivilege():
            return Unavailable(f"{where}: its role may not do that ({text}); grant it, or connect as the owner")
        case pg.InvalidCatalogName():
            return InvalidRequest(f"{where}: there is no such database; create it with createdb, or give another")
        case pg.InvalidPassword() | pg.InvalidAuthorizationSpecification():
            return Unavailable(f"{where}: does not let us in ({text}); check the user and the password")
        case pg.DataCorrupted() | pg.IndexCorrupted():
            return Corrupted(f"{where}: the server reports damage ({text}); restore a backup")
    if code.startswith("53"):
        return Unavailable(f"{where}: is out of room or connections ({text}); nothing was written, try again later")
    if code.startswith("58"):
        return Unavailable(f"{where}: reading or writing failed on the server ({text}); nothing was written")
    if (
        isinstance(error, psycopg.DataError) and not code and "NUL" in text
    ):  # psycopg's own word, before anything is sent
        return InvalidRequest("a text that was given holds a NUL character, which PostgreSQL cannot read; remove it")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Unavailable(f"{where}: the server does not answer ({text}){_AFTERWARDS}")
    return Fault(f"{where}: {type(error).__name__} {code}: {text}")

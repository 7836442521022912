"""What answers on this server? Which of pgvector and Apache AGE are used, by what was asked for and what is there, and
why; and what they need is made ready.

`auto` uses an extension that was created in this database and works; what it does not use it says why. One that was
asked for by name and cannot be used is an error, and nothing falls back unheard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

import psycopg
from psycopg import errors as pg

from treering.errors import TreeringError, Unsupported
from treering.store.postgres import meaning, mirror, probe, schema
from treering.store.postgres.connection import PostgresConnection

_PRESENT = "SELECT extname, extversion FROM pg_extension WHERE extname IN ('vector', 'age', 'citus')"
_REFUSED = (pg.InsufficientPrivilege, pg.ReadOnlySqlTransaction, pg.UndefinedFile, pg.FeatureNotSupported)
_FILLED = "filled"


@dataclass(slots=True)
class Engines:
    """What is in use, and why."""

    vectors: str = "local"
    graph: str = "sql"
    because: dict[str, str] = field(default_factory=dict)
    indexed: set[tuple[str, int]] = field(default_factory=set)
    """The embedders, with their dims, whose vectors have an index."""


class Choosing:
    """`at_rest` gives a connection in no transaction, `writing` one in a transaction that sees all spaces."""

    def __init__(
        self,
        url: str,
        where: str,
        at_rest: Callable[[], AbstractContextManager[PostgresConnection]],
        writing: Callable[[], AbstractContextManager[PostgresConnection]],
    ) -> None:
        self._url, self._where, self._at_rest, self._writing = url, where, at_rest, writing

    def choose(self, vectors: str, graph: str, take_over_all: bool) -> Engines:
        chosen = Engines(because={"vectors": "as set", "graph": "as set"})
        if vectors == "local" and graph == "sql":
            return chosen
        with self._at_rest() as connection:
            present = _present(connection)
        if vectors != "local":
            chosen.vectors, chosen.because["vectors"] = self._vectors(present, vectors == "pgvector", take_over_all)
        if graph != "sql":
            chosen.graph, chosen.because["graph"] = self._graph(present, graph == "age")
        return chosen

    # pgvector

    def _vectors(self, present: dict[str, str], demanded: bool, take_over_all: bool) -> tuple[str, str]:
        try:
            with self._demands("pgvector", "vectors", demanded):
                if "citus" in present:
                    raise Unsupported("on a Citus cluster vectors are searched in memory")
                version = self._version(present, "vector", demanded)
                told = self._survives(version)
                self._take_over(take_over_all)
                return "pgvector", told
        except Unsupported as error:
            if demanded:
                raise
            return "local", str(error)

    def _survives(self, version: str) -> str:
        with self._at_rest() as connection:
            outcome = probe.tried(self._url, connection, version)
        if not outcome.survived:
            with self._writing() as connection:
                meaning.let_go(connection)
            raise Unsupported(outcome.told)
        return outcome.told

    def _take_over(self, take_over_all: bool) -> None:
        """What was kept before pgvector was there. Several processes may try at once: one does it."""
        with self._writing() as connection:
            if meaning.is_made(connection) and probe.state_of(connection, meaning.TABLE) == _FILLED:
                return
            schema.one_at_a_time(connection)
            if not meaning.is_made(connection):
                meaning.make(connection, schema.wall(meaning.TABLE))
            left = meaning.missing(connection)
        if left > meaning.TAKEN_OVER_AT_ONCE and not take_over_all:
            raise Unsupported(
                f"{left:,} vectors are not with pgvector yet; run `treering db migrate` to take them over"
            )
        place: meaning.Place | None = meaning.BEGINNING if left else None
        while place is not None:
            with self._writing() as connection:
                place = meaning.take_over(connection, place)
        with self._writing() as connection:
            probe.keep_state(connection, meaning.TABLE, _FILLED)

    # Apache AGE

    def _graph(self, present: dict[str, str], demanded: bool) -> tuple[str, str]:
        try:
            with self._demands("Apache AGE", "graph", demanded):
                if "citus" in present:
                    raise Unsupported("on a Citus cluster the graph is walked by SQL")
                version = self._version(present, "age", demanded)
                with self._writing() as connection:
                    schema.one_at_a_time(connection)
                    if mirror.is_prepared(connection):
                        mirror.must_be_ours_to_write(connection)
                    else:
                        mirror.prepare(connection, schema.wall(mirror.TABLE))
                return "age", f"Apache AGE {version}"
        except Unsupported as error:
            if demanded:
                raise
            return "sql", str(error)

    # both

    def _version(self, present: dict[str, str], extension: str, demanded: bool) -> str:
        """Of the extension; made if it was asked for by name and is not there."""
        if extension in present:
            return present[extension]
        if not demanded:
            raise Unsupported(f"the extension {extension} is not in this database")
        with self._at_rest() as connection:
            connection.run(f"CREATE EXTENSION IF NOT EXISTS {extension}")
            return _present(connection)[extension]

    @contextmanager
    def _demands(self, what: str, setting: str, demanded: bool) -> Iterator[None]:
        """What stands in the way of an extension, with what to do about it."""
        try:
            yield
        except (psycopg.Error, TreeringError) as error:
            cause = error.__cause__ if isinstance(error, TreeringError) else error
            if isinstance(error, Unsupported) or isinstance(cause, _REFUSED):
                text = " ".join(str(cause or error).split())
                mend = f"{self._where}: {what} cannot be used: {text}; set {setting} to auto" if demanded else text
                raise Unsupported(mend) from error
            raise


def _present(connection: PostgresConnection) -> dict[str, str]:
    """The extensions in this database, with their versions."""
    return {str(name): str(version) for name, version in connection.rows(_PRESENT)}

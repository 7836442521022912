"""A PostgreSQL with pgvector and Apache AGE for the tests of one session: PGlite, which is PostgreSQL in WebAssembly,
over the wire on loopback. It takes one transaction at a time, so stores on it are opened with one.

`npm ci` in tests/engines brings it; `make test` does so where there is npm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import psycopg
import pytest

from treering.store.postgres import PostgresStore, cypher
from treering.store.postgres.connection import PostgresConnection
from treering.store.postgres.dialect import space_key
from treering.store.postgres.schema import table_names
from treering.store.sql import chain

_FOLDER = Path(__file__).parent / "engines"
_ENDING = ExitStack()


class Engine:
    """In memory; or on the files of a folder, where it can be killed and started again."""

    def __init__(self, data: Path | None = None) -> None:
        self._data, self._port = data, "0"
        self.start()
        PostgresStore(self.url, connections=1).close()

    def start(self) -> None:
        """At the port where it was before."""
        words = ["node", "server.mjs", self._port, *([str(self._data)] if self._data else [])]
        self._process = subprocess.Popen(words, cwd=_FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._port = self._process.stdout.readline().strip()
        if not self._port:
            raise RuntimeError("PGlite did not start; run `npm ci` in tests/engines anew")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/postgres?sslmode=disable"

    def kill(self) -> None:
        """As hard as it goes, in the middle of whatever it does."""
        self._process.kill()
        self._gone()

    @contextmanager
    def raw(self) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
        """With no store in between. No store may be open meanwhile."""
        with psycopg.connect(self.url, autocommit=True, prepare_threshold=None) as connection:
            yield connection

    def clear(self) -> None:
        """Empty tables, and nothing of the extensions but themselves."""
        with self.raw() as raw:
            graphs = raw.execute("SELECT name FROM ag_catalog.ag_graph").fetchall()
            for (name,) in graphs:
                raw.execute(f"SELECT ag_catalog.drop_graph('{name}', true)".encode())
            raw.execute("DROP TABLE IF EXISTS meaning, mirror, treering_engine CASCADE")
            raw.execute("DROP TRIGGER IF EXISTS follow_embedding ON embedding")
            raw.execute(f"TRUNCATE {', '.join(table_names())} CASCADE".encode())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._gone()

    def _gone(self) -> None:
        self._process.wait(10)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


class Unprepared(PostgresConnection):
    """PGlite keeps one session for all who come after one another, and with it the names of prepared statements."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.raw.prepare_threshold = None


def alone(url: str, durability: str = "normal", vectors: str = "auto", graph: str = "auto") -> PostgresStore:
    """A store for which there is one connection."""
    return PostgresStore(url, durability, Unprepared, connections=1, vectors=vectors, graph=graph)


def out_of_step(store: PostgresStore) -> list[str]:
    """What pgvector and Apache AGE have not followed. To be behind is a fault here, for nobody writes without them."""
    found = []
    for info in store.spaces():
        found += [f"{info.name}: {table}: {what}" for table, what in store.strayed(info.name)]
        with store._reading_beside(info.name) as connection:
            if not cypher.is_in_step(connection, space_key(info.name), chain.head(connection, info.name)):
                found.append(f"{info.name}: the mirror is behind")
    return found


def shut_down() -> None:
    _ENDING.close()


@cache
def engine() -> Engine:
    """That of this session; started when first asked for."""
    must_be_here()
    made = Engine()
    _ENDING.callback(made.close)
    return made


def is_started() -> bool:
    return engine.cache_info().currsize > 0


def must_be_here() -> None:
    if shutil.which("node") is None:
        _missing("there is no node")
    if not (_FOLDER / "node_modules").is_dir():
        _missing("run `npm ci` in tests/engines")


def _missing(why: str) -> None:
    if os.environ.get("CI") or os.environ.get("TREERING_TEST_ALL"):
        pytest.fail(f"no PGlite to test on: {why}")
    pytest.skip(f"no PGlite to test on: {why}")

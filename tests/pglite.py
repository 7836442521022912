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

from treering.store.postgres import PostgresStore
from treering.store.postgres.connection import PostgresConnection
from treering.store.postgres.schema import table_names

_FOLDER = Path(__file__).parent / "engines"
_ENDING = ExitStack()


class Engine:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", "server.mjs"], cwd=_FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        if not port:
            raise RuntimeError("PGlite did not start; run `npm ci` in tests/engines anew")
        self.url = f"postgresql://postgres@127.0.0.1:{port}/postgres?sslmode=disable"
        PostgresStore(self.url, connections=1).close()

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
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


class Unprepared(PostgresConnection):
    """PGlite keeps one session for all who come after one another, and with it the names of prepared statements."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.raw.prepare_threshold = None


def shut_down() -> None:
    _ENDING.close()


@cache
def engine() -> Engine:
    """That of this session; started when first asked for."""
    if shutil.which("node") is None:
        _missing("there is no node")
    if not (_FOLDER / "node_modules").is_dir():
        _missing("run `npm ci` in tests/engines")
    made = Engine()
    _ENDING.callback(made.close)
    return made


def _missing(why: str) -> None:
    if os.environ.get("CI") or os.environ.get("TREERING_TEST_ALL"):
        pytest.fail(f"no PGlite to test on: {why}")
    pytest.skip(f"no PGlite to test on: {why}")

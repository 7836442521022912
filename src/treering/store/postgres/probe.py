"""Does an extension of this server survive being used? Some builds of pgvector are made for other processors: their
first distance ends the server's process with an illegal instruction, and with it every connection to the server.

So it is tried before anything depends on it. Where the server's own programs can be run from here, in a throw-away
server beside it. Elsewhere in the database itself, once: what is about to be tried is written down first, so that a
crash is remembered and nobody tries again until the server or the extension is another.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from treering.store.postgres.connection import PostgresConnection
from treering.values import dataclass

_KEPT = """CREATE TABLE IF NOT EXISTS treering_engine (
    name TEXT PRIMARY KEY, version TEXT NOT NULL, state TEXT NOT NULL, started TIMESTAMPTZ)"""
SURVIVED, CRASHED, TRYING = "survived", "crashed", "trying"
_RECOVERS_SECONDS = 30.0
_THROW_AWAY_SECONDS = 60.0
_LOCAL = ("", "localhost", "127.0.0.1", "::1")

# Each kind of distance and an index of it: what differs between processors is in the loops of these.
TRIAL = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    "CREATE TEMP TABLE treering_trial (v vector(40), h halfvec(40))",
    """INSERT INTO treering_trial SELECT a::real[]::vector(40), a::real[]::halfvec(40)
       FROM (SELECT ARRAY(SELECT ((i * j) % 17 + 1)::real FROM generate_series(1, 40) j) a
             FROM generate_series(1, 60) i) x""",
    "CREATE INDEX ON treering_trial USING hnsw (h halfvec_cosine_ops)",
    "SELECT SUM(a.v <=> b.v) + SUM(a.v <-> b.v) + SUM(a.v <#> b.v) FROM treering_trial a, treering_trial b",
    "SELECT SUM(a.h <=> b.h) + SUM(a.h <-> b.h) + SUM(a.h <#> b.h) FROM treering_trial a, treering_trial b",
    "SELECT h FROM treering_trial ORDER BY h <=> (SELECT h FROM treering_trial LIMIT 1) LIMIT 5",
    "DROP TABLE treering_trial",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    survived: bool
    told: str
    """For people: where it was tried and what came of it."""


def tried(url: str, connection: PostgresConnection, version: str) -> Outcome:
    """Whether pgvector of this version survives on this server. `connection`: in no transaction."""
    known = _known(connection, version)
    if known is not None:
        return known
    beside = _in_a_throw_away_server(url, connection)
    if beside is not None:
        _keep(connection.raw, version, SURVIVED if beside.survived else CRASHED)
        return beside
    _keep(connection.raw, version, TRYING)
    try:
        _try(connection.raw)
    except psycopg.OperationalError as error:
        _remember_the_crash(url, version)
        return Outcome(False, f"pgvector {version} ended the server's process when it was tried ({_line(error)})")
    except psycopg.Error as error:
        _keep(connection.raw, version, CRASHED)
        return Outcome(False, f"pgvector {version} does not work ({_line(error)})")
    _keep(connection.raw, version, SURVIVED)
    return Outcome(True, f"pgvector {version}, tried in the database")


def _known(connection: PostgresConnection, version: str) -> Outcome | None:
    """What came of it before. A server that was started anew may run on another machine, so what survived is tried
    again; what crashed is not. Who was trying and never told of an end has crashed."""
    if connection.rows("SELECT to_regclass('treering_engine') IS NULL")[0][0]:
        connection.run(_KEPT)
    sql = """SELECT state, started = pg_postmaster_start_time() FROM treering_engine
        WHERE name = 'pgvector' AND version = ? || ' on ' || current_setting('server_version')"""
    rows = connection.rows(sql, (version,))
    if not rows:
        return None
    state, same_run = rows[0]
    if state == SURVIVED:
        return Outcome(True, f"pgvector {version}") if same_run else None
    return Outcome(False, f"pgvector {version} crashed when it was tried; DELETE FROM treering_engine to try again")


def _keep(raw: psycopg.Connection[tuple[object, ...]], version: str, state: str) -> None:
    sql = """INSERT INTO treering_engine (name, version, state, started)
        VALUES ('pgvector', %s || ' on ' || current_setting('server_version'), %s, pg_postmaster_start_time())
        ON CONFLICT (name) DO UPDATE
        SET version = EXCLUDED.version, state = EXCLUDED.state, started = EXCLUDED.started"""
    raw.execute(sql, (version, state))


def state_of(connection: PostgresConnection, name: str) -> str | None:
    """What is noted about something else that an extension needs."""
    rows = connection.rows("SELECT state FROM treering_engine WHERE name = ?", (name,))
    return str(rows[0][0]) if rows else None


def keep_state(connection: PostgresConnection, name: str, state: str) -> None:
    sql = """INSERT INTO treering_engine (name, version, state) VALUES (?, '', ?)
        ON CONFLICT (name) DO UPDATE SET state = EXCLUDED.state"""
    connection.run(sql, (name, state))


def _try(raw: psycopg.Connection[tuple[object, ...]]) -> None:
    """In one transaction, which a pooler gives to one process, and which leaves nothing behind."""
    raw.execute("BEGIN")
    try:
        for sql in TRIAL:
            raw.execute(sql.encode())
    finally:
        if not raw.closed:
            raw.execute("ROLLBACK")


def _remember_the_crash(url: str, version: str) -> None:
    """A server that lost a process ends all others, and comes back by itself."""
    until = time.monotonic() + _RECOVERS_SECONDS
    while time.monotonic() < until:
        with (
            suppress(psycopg.OperationalError),
            psycopg.connect(url, autocommit=True, prepare_threshold=None) as raw,
        ):
            _keep(raw, version, CRASHED)
            return
        time.sleep(0.2)


# in a server of its own


def _in_a_throw_away_server(url: str, connection: PostgresConnection) -> Outcome | None:
    """None if the server's programs cannot be run from here."""
    programs = _programs(url, connection)
    if programs is None:
        return None
    with tempfile.TemporaryDirectory(prefix="treering-trial-", ignore_cleanup_errors=True) as folder:
        try:
            return _Trial(programs, Path(folder), _who_may_run_it(connection, Path(folder))).run()
        except (OSError, subprocess.SubprocessError, psycopg.Error):
            return None  # such as: not this user's to run


def _programs(url: str, connection: PostgresConnection) -> Path | None:
    """Where they are, if the server runs on this machine and says so."""
    host = str(conninfo_to_dict(url).get("host") or "")
    if host not in _LOCAL and not host.startswith("/"):
        return None
    try:
        rows = connection.rows("SELECT setting FROM pg_config() WHERE name = 'BINDIR'")
    except psycopg.Error:  # only some roles may know
        return None
    folder = Path(str(rows[0][0])) if rows else None
    return folder if folder is not None and all((folder / one).exists() for one in ("initdb", "postgres")) else None


def _who_may_run_it(connection: PostgresConnection, folder: Path) -> int | None:
    """PostgreSQL does not run as root: then as the owner of the server's files."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    owner = Path(str(connection.rows("SELECT current_setting('data_directory')")[0][0])).stat().st_uid
    os.chown(folder, owner, -1)
    return owner


@dataclass(frozen=True, slots=True)
class _Trial:
    """One process that reads statements and ends: nobody can connect to it."""

    programs: Path
    folder: Path
    user: int | None

    def run(self) -> Outcome:
        data = str(self.folder / "data")
        self._call("initdb", "-D", data, "-U", "treering", "--auth=trust", "--no-sync").check_returncode()
        said = "".join(f"{' '.join(one.split())};\n\n" for one in TRIAL)
        done = self._call("postgres", "--single", "-D", data, "-j", "-F", "postgres", said=said)
        if done.returncode < 0:
            return Outcome(False, f"pgvector ended in signal {-done.returncode} when tried in a throw-away server")
        if done.returncode > 0 or "ERROR:" in done.stderr:
            return Outcome(False, "pgvector ended in an error when tried in a throw-away server")
        return Outcome(True, "pgvector, tried in a throw-away server")

    def _call(self, program: str, *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.programs / program), *words],
            input=said,
            capture_output=True,
            text=True,
            timeout=_THROW_AWAY_SECONDS,
            check=False,
            cwd="/",
            user=self.user,
        )


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]

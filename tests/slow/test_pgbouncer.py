"""Behind a real pgbouncer that gives each transaction another connection: nothing may be kept in a session."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.conftest import HandClock, write_a_life
from tests.postgres import Server

from treering.door import Treering
from treering.model.job import JobRequest, JobStatus
from treering.store.postgres import PostgresStore, news

pytestmark = pytest.mark.slow

SOON = 20.0


def _program() -> str:
    found = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/opt/homebrew/bin")
    if found is None:
        if os.environ.get("CI") or os.environ.get("TREERING_TEST_ALL"):
            pytest.fail("no pgbouncer to test on")
        pytest.skip("no pgbouncer to test on")
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.remove()


@pytest.fixture(params=[6, 1], ids=["six connections", "one connection"])
def pooled(request: pytest.FixtureRequest, server: Server, tmp_path: Path) -> Iterator[tuple[str, int]]:
    """The URL of a new database through a pooler, and how many connections that has to the server."""
    behind = conninfo_to_dict(server.database())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = tmp_path / "pgbouncer.ini"
    settings.write_text(
        f"""[databases]
{behind["dbname"]} = host={behind["host"]} port={behind.get("port", 5432)} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {request.param}
max_client_conn = 100
"""
    )
    owner = pwd.getpwuid(server.data.stat().st_uid).pw_name
    words = [_program(), *(("-u", owner) if os.geteuid() == 0 else ()), str(settings)]
    tmp_path.chmod(0o755)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"postgresql://postgres@127.0.0.1:{port}/{behind['dbname']}?sslmode=disable"
    try:
        _await(url)
        yield url, request.param
    finally:
        process.terminate()
        process.wait(SOON)


def _await(url: str) -> None:
    until = time.monotonic() + SOON
    while True:
        try:
            psycopg.connect(url, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def test_everything_works_through_a_pooler_that_keeps_no_session(
    pooled: tuple[str, int], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, connections = pooled
    monkeypatch.setattr(news, "BEGINS_SECONDS", 0.0)
    store = PostgresStore(url, "normal", connections=1 if connections == 1 else 2)
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    told = write_a_life(mem, clock)
    assert mem.recall("tea")
    assert mem.graph("Ada").edges
    assert mem.history(told.job)
    mem.add("A child", space="lab/den")
    assert {one.memory.space for one in mem.recall("child", children=True)} == {"lab/den"}
    for number in range(6):
        asked = {"id": f"019b796d-d600-7000-8000-{number:012d}", "space": "lab", "actor": "ann", "kind": "remember"}
        store.jobs.put(JobRequest(**asked, request={"content": f"{number}"}, sources=1), clock.now)  # type: ignore[arg-type]
    given = []
    while claim := store.jobs.claim("w", clock.now, 60):
        given.append(claim.job.id)
        store.jobs.finish(claim.job, clock.now, JobStatus.COMPLETED)
    assert len({*given}) == 6
    assert mem.verify().ok
    assert _until(lambda: store._news.way == "looking"), "a pooler passes no notices on"
    store.close()


def test_writers_at_once_through_a_pooler_leave_whole_journals(pooled: tuple[str, int], clock: HandClock) -> None:
    url, connections = pooled
    stores = [PostgresStore(url, "normal", connections=1 if connections == 1 else 3) for _ in range(2)]

    def write(number: int) -> None:
        for turn in range(5):
            space = f"space{(number + turn) % 4}"
            Treering(stores[number % 2], clock=clock, actor=f"w{number}", space=space).add(f"{number} in turn {turn}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON * 3)
    assert sum(stores[0].head(f"space{one}").seq for one in range(4)) == 30
    assert Treering(stores[0], clock=clock, actor="ann").verify().ok
    for store in stores:
        store.close()


def _until(holds: object) -> bool:
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        if holds():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False

"""How soon do others hear of a write? What is in memory follows what another process has written, before anybody asks:
by notices where the server itself answers, by looking where a pooler stands between."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.graph.atlas import Atlas
from treering.model.job import JobRequest
from treering.store.contract import Scope
from treering.store.postgres import PostgresStore, news
from treering.store.postgres.connection import PostgresConnection

SOON = 10.0


class Pooled(PostgresConnection):
    """As behind a pooler, which tells a process number of its own."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.direct, self.raw.prepare_threshold = False, None


@pytest.fixture(
    params=["listening", *(pytest.param(one, marks=pytest.mark.slow) for one in ("looking", "one connection"))]
)
def store(
    request: pytest.FixtureRequest, postgres_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[PostgresStore]:
    monkeypatch.setattr(news, "BEGINS_SECONDS", 0.0)
    monkeypatch.setattr(news, "LOOKS_SECONDS", 0.1)
    factory = Pooled if request.param == "looking" else PostgresConnection
    made = PostgresStore(postgres_url(), "normal", factory, connections=1 if request.param == "one connection" else 10)
    yield made
    assert made._news.way == ("listening" if request.param == "listening" else "looking")
    made.close()


def door(store: PostgresStore, clock: HandClock) -> Treering:
    return Treering(store, clock=clock, actor="ann", space="lab")


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.01)
    return False


def write_elsewhere(store: PostgresStore, said: str) -> None:
    """By another process."""
    script = f"""import treering
with treering.open({store._url!r}, actor="bob", space="lab", embedder="none") as mem:
    mem.add({said!r}, triples=[["Bob", "KNOWS", "Cy"]])
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_indexes_follow_what_another_process_writes_before_anybody_asks(store: PostgresStore, clock: HandClock) -> None:
    mem = door(store, clock)
    mem.add("Ann likes tea", triples=[["Ann", "LIKES", "Tea"]])
    mem.recall("tea")
    atlas = Atlas(store, patience=0)
    mem._charted.append(atlas)
    store.follow(atlas.kept_spaces, atlas.bring_up)
    mem.graph("Ann")
    assert until(lambda: store._news.way != "none")
    cache = mem._finder._cache
    index = next(iter(cache._kept.values())).cached
    assert index is not None
    assert len(index.index) == 1
    time.sleep(0.3)  # who looks has looked once
    write_elsewhere(store, "Bob likes coffee")
    assert until(lambda: len(index.index) == 2), "the index of words did not follow"
    assert until(lambda: getattr(atlas._kept["lab"].index, "seq", 0) == 2), "the index of edges did not follow"
    assert [hit.memory.content for hit in mem.recall("coffee")] == ["Bob likes coffee"]


def test_nobody_is_told_of_what_he_wrote_himself_nor_of_spaces_he_does_not_keep(
    postgres_url: Callable[[], str], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "BEGINS_SECONDS", 0.0)
    url = postgres_url()
    ours, theirs = PostgresStore(url, "normal"), PostgresStore(url, "normal")
    told: list[str] = []
    ours.follow(lambda: ["lab", "den"], told.append)
    assert until(lambda: ours._news.way == "listening")
    assert until(lambda: sorted(told) == ["den", "lab"]), "what came before he listened may have been missed"
    told.clear()
    door(ours, clock).add("Ann said it herself")
    Treering(theirs, clock=clock, actor="bob", space="attic").add("Elsewhere")
    Treering(theirs, clock=clock, actor="bob", space="den").add("Here")
    assert until(lambda: told == ["den"])
    time.sleep(0.3)
    assert told == ["den"]
    ours.close()
    theirs.close()


def test_who_listens_hears_again_after_the_connection_was_lost(
    postgres_url: Callable[[], str], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "BEGINS_SECONDS", 0.0)
    monkeypatch.setattr(news, "_AGAIN_SECONDS", 0.1)
    url, made = postgres_url(), list[PostgresConnection]()

    class Kept(PostgresConnection):
        def __init__(self, url: str) -> None:
            super().__init__(url)
            made.append(self)

    ours, theirs = PostgresStore(url, "normal", Kept), PostgresStore(url, "normal")
    told: list[str] = []
    ours.follow(lambda: ["lab"], told.append)
    assert until(lambda: told == ["lab"])
    with theirs._at_rest() as connection:
        connection.rows("SELECT pg_terminate_backend(?)", (made[-1].raw.info.backend_pid,))
    assert until(lambda: told == ["lab", "lab"]), "what may have been missed meanwhile"
    door(theirs, clock).add("Said later")
    assert until(lambda: len(told) == 3)
    ours.close()
    theirs.close()


def test_a_write_is_no_less_kept_if_nobody_can_be_told(
    postgres_url: Callable[[], str], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresStore(postgres_url(), "normal")
    monkeypatch.setattr(store._news, "told_of", lambda space: "SELECT no_such_thing()")
    assert door(store, clock).add("Ann").seq == 1
    with store.reader(Scope("lab", clock.now)) as reader:
        assert reader.head.seq == 1
    store.close()


def test_a_worker_hears_at_once_of_a_job_that_another_process_asked_for(
    postgres_url: Callable[[], str], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "BEGINS_SECONDS", 0.0)
    url = postgres_url()
    ours, theirs = PostgresStore(url, "normal"), PostgresStore(url, "normal")
    ours.jobs.await_more(0.01)
    assert until(lambda: ours._news.way == "listening")
    woken = threading.Event()

    def attend() -> None:
        ours.jobs.await_more(SOON)
        woken.set()

    thread = threading.Thread(target=attend)
    thread.start()
    assert not woken.wait(0.2)
    job = "019b796d-d600-7000-8000-000000000001"
    asked = JobRequest(id=job, space="lab", actor="ann", kind="remember", request={"content": "x"}, sources=1)
    theirs.jobs.put(asked, clock.now)
    assert woken.wait(SOON / 2), "the worker went on waiting"
    thread.join(SOON)
    ours.close()
    theirs.close()

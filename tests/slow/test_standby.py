"""A real standby: it answers what it has, never less than was acknowledged, and can take the primary's place."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import psycopg
import pytest
from tests.conftest import HandClock
from tests.postgres import Server

from treering.door import Treering
from treering.errors import Unavailable
from treering.store.contract import MemoryFilter, Scope
from treering.store.postgres import PostgresStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

_PRIMARY = """
max_connections = 60
wal_level = replica
max_wal_senders = 4
hot_standby = on
"""


@dataclass
class Pair:
    primary: Server
    standby: Server

    def lag(self, on: bool) -> None:
        with psycopg.connect(self.standby.url, autocommit=True) as admin:
            admin.execute("SELECT pg_wal_replay_pause()" if on else "SELECT pg_wal_replay_resume()")

    def caught_up(self) -> None:
        with (
            psycopg.connect(self.primary.url, autocommit=True) as one,
            psycopg.connect(self.standby.url, autocommit=True) as other,
        ):
            [(at,)] = one.execute("SELECT pg_current_wal_lsn()").fetchall()
            give_up = time.monotonic() + 30
            while True:
                [(there,)] = other.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", (at,)).fetchall()
                if there:
                    return
                assert time.monotonic() < give_up, "the standby does not follow"
                time.sleep(0.05)


@pytest.fixture
def pair() -> Iterator[Pair]:
    with ExitStack() as ending:
        primary = Server(_PRIMARY)
        ending.callback(primary.remove)
        standby = primary.standby()
        ending.callback(standby.remove)
        yield Pair(primary, standby)


def test_reads_go_to_a_standby_that_has_come_as_far_and_else_to_the_primary(pair: Pair, clock: HandClock) -> None:
    PostgresStore(pair.primary.url).close()
    pair.caught_up()
    store = PostgresStore(pair.primary.url, replicas=(pair.standby.url,))
    door = Treering(store, clock=clock, actor="ann", space="lab")
    first = door.add("Ann came").id
    pair.caught_up()
    assert door.get(first).content == "Ann came"
    assert store._standbys.answered > 0
    pair.lag(True)
    second = door.add("Ann stayed").id
    before = store._standbys.answered
    assert door.get(second).content == "Ann stayed", "what this process wrote is not there"
    other = PostgresStore(pair.primary.url, replicas=(pair.standby.url,))
    assert len(Treering(other, clock=clock, actor="bo", space="lab").list()) == 2, "what another wrote is not there"
    assert (store._standbys.answered, other._standbys.answered) == (before, 0)
    assert len(door.recall("who came?")) > 0
    pair.lag(False)
    pair.caught_up()
    assert len(door.list()) == 2
    assert store._standbys.answered > before
    pair.standby.stop()
    assert len(door.list()) == 2, "a standby that is gone is not needed"
    other.close()
    store.close()


def acknowledge_together(pair: Pair) -> None:
    """A commit is acknowledged when the standby has it too."""
    with psycopg.connect(pair.primary.url, autocommit=True) as admin:
        admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        admin.execute("SELECT pg_reload_conf()")


def written_until_it_dies(pair: Pair, seconds: float) -> tuple[dict[int, list[str]], list[str]]:
    """Four write into spaces of their own until the primary dies under them: what each was told is written, and what
    they were told then."""
    store = PostgresStore(pair.primary.url)
    acknowledged: dict[int, list[str]] = {number: [] for number in range(4)}
    refused: list[str] = []

    def write(number: int) -> None:
        door = Treering(store, actor="ann", space=f"space{number}")
        while not refused:
            try:
                acknowledged[number].append(door.add(f"Ann said {len(acknowledged[number])}").id)
            except Unavailable as error:
                refused.append(str(error))

    threads = [threading.Thread(target=write, args=(number,)) for number in acknowledged]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    pair.primary.crash()
    for thread in threads:
        thread.join(120)
    store.close()
    return acknowledged, refused


def test_a_standby_takes_the_primarys_place_and_nothing_acknowledged_is_lost(pair: Pair, clock: HandClock) -> None:
    acknowledge_together(pair)
    store = PostgresStore(pair.primary.url)
    door = Treering(store, clock=clock, actor="ann", space="lab")
    acknowledged = [door.add(f"Ann said {number}").id for number in range(30)]
    reads_only = PostgresStore(pair.standby.url)
    with pytest.raises(Unavailable, match="takes no writes"):
        Treering(reads_only, clock=clock, actor="ann", space="lab").add("Not here")
    reads_only.close()
    pair.primary.stop()
    with pytest.raises(Unavailable):
        door.add("Nobody hears this")
    store.close()
    pair.standby.promote()
    promoted = PostgresStore(pair.standby.url)
    door = Treering(promoted, clock=clock, actor="ann", space="lab")
    assert {one.id for one in door.list(limit=100)} == {*acknowledged}
    assert door.add("Ann goes on").seq == 31
    assert door.verify().ok
    promoted.close()


def test_nothing_acknowledged_is_lost_when_the_primary_dies_under_writers(pair: Pair) -> None:
    acknowledge_together(pair)
    acknowledged, refused = written_until_it_dies(pair, 2)
    assert refused
    assert min(map(len, acknowledged.values())) > 3
    pair.standby.promote()
    promoted = PostgresStore(pair.standby.url)
    for number, told in acknowledged.items():
        door = Treering(promoted, actor="ann", space=f"space{number}")
        with promoted.reader(Scope(f"space{number}", door.now())) as reader:
            there = {one.id for one in reader.memories(MemoryFilter())}
        assert there >= {*told}
        assert door.verify().ok
        assert door.add("Ann goes on").seq == len(there) + 1
    promoted.close()

"""What a campaign does, a function a step: each does it as often as the size says and tells what was seen."""

from __future__ import annotations

import random
import resource
import signal
import sqlite3
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.calling import WRITES
from bench.pace import p95, paced, second_and_last_quarter, slower
from bench.serve import filled, serving, under_load
from tests.postgres import Server
from tests.property.killing import Process, check_acknowledged, check_sound, kill_and_look
from tests.slow.test_standby import _PRIMARY, Pair, acknowledge_together, written_until_it_dies

from treering.door import Treering
from treering.errors import Unavailable
from treering.store.contract import MemoryFilter, Scope
from treering.store.postgres import PostgresStore
from treering.store.sqlite import SqliteStore

FULL_BYTES = 4 * 1024 * 1024
BALLAST_BYTES = 2 * 1024 * 1024
START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Size:
    """How often each is done; 0 leaves a step out."""

    soak_seconds: int = 3600
    kills: int = 200
    postgres_kills: int = 200
    crashes: int = 20
    promotions: int = 5
    full_disks: int = 20
    jumps: int = 2000
    slow_writes: int = 300
    seed: int = 1


# the steps: each answers what came of it in words


def soak(size: Size, folder: Path) -> str:
    """An hour of many who ask and some who remember. Memory and times must stay flat."""
    path = folder / "soak.db"
    filled(path, 1_000)
    writes = WRITES * min(1.0, 90 / size.soak_seconds)  # about as much however long: a store that grows is no leak
    with serving(path, "--processes", "2") as server, paced() as pace:
        server.warm()
        pace.clear()
        seen, costs = under_load(server, size.soak_seconds, clients=8, writes=writes)
    assert len(seen.recalls) > 40, f"{len(seen.recalls)} questions were answered: too few to say anything"
    megabytes = [one.megabytes for one in costs]
    second, last = (p95(part) for part in second_and_last_quarter(seen.recalls))
    times_slower = slower(pace)
    middle, end = statistics.median(megabytes[3:6]), statistics.median(megabytes[-3:])
    told = (
        f"{len(seen.recalls):,} questions and {len(seen.writes):,} writes, {len(seen.errors)} errors; p95 of a "
        f"question {second * 1000:.0f} ms in the second quarter and {last * 1000:.0f} ms in the last; memory of the "
        f"server {middle:.0f} MB in the middle and {end:.0f} MB at the end; a fixed piece of work beside it took "
        f"{times_slower:.1f} times as long in the last quarter as in the second"
    )
    assert not seen.errors, f"{told}; {server.told(seen.errors)}"
    assert end < 1.05 * middle, f"memory grew: {told}"
    # a machine that others slow down is no leak
    most = (1.5 if size.soak_seconds >= 600 else 2.0) * max(1.0, times_slower)
    assert last < most * second, f"times grew: {told}"
    return told


def kills(size: Size, folder: Path) -> str:
    """Two processes write to one file and are killed at any moment; a third reads all along."""
    acknowledged = kill_and_look(folder, size.kills, verify_every=10, seed=size.seed)
    return f"{acknowledged:,} acknowledged writes, none lost, none half; verified every tenth round"


def postgres_kills(size: Size, folder: Path) -> str:
    """The same against PostgreSQL."""
    with _server() as server:
        url = server.database()
        acknowledged = kill_and_look(folder, size.postgres_kills, verify_every=10, seed=size.seed, url=url)
    return f"{acknowledged:,} acknowledged writes, none lost, none half; verified every tenth round"


def crashes(size: Size, folder: Path) -> str:
    """The database server itself ends at once and comes back, under two writers that go on."""
    chance = random.Random(size.seed)
    with _server("fsync = on\nmax_connections = 60\n") as server:
        url = server.database()
        writers = [Process("writer", folder, url, name, "patient") for name in ("ann", "ben")]
        try:
            for one in writers:
                one.start()
            for _ in range(size.crashes):
                for one in writers:
                    one.does(2)
                time.sleep(chance.random() * 0.3)
                server.crash()
                server.start()
            for one in writers:
                one.does(2)
                one.kill()
            acknowledged = check_acknowledged(url, writers)
            check_sound(url, writers)
        finally:
            for one in writers:
                if one.alive:
                    one.kill()
    return f"{acknowledged:,} acknowledged writes through {size.crashes} crashes of the server, none lost; it verifies"


def promotions(size: Size, folder: Path) -> str:
    """The primary dies under four writers, and its standby takes its place."""
    total, seconds = 0, list[float]()
    for _ in range(size.promotions):
        with ExitStack() as ending:
            primary = Server(_PRIMARY)
            ending.callback(primary.remove)
            standby = primary.standby()
            ending.callback(standby.remove)
            written, took = _promoted(Pair(primary, standby))
            total += written
            seconds.append(took)
    return f"{total:,} acknowledged writes, none lost; {max(seconds):.1f} s at most until the standby took writes"


def _promoted(pair: Pair) -> tuple[int, float]:
    acknowledge_together(pair)
    acknowledged, _ = written_until_it_dies(pair, 1)
    begun = time.monotonic()
    pair.standby.promote()
    with closing(PostgresStore(pair.standby.url)) as promoted:
        for number, told in acknowledged.items():
            door = Treering(promoted, actor="ann", space=f"space{number}")
            with promoted.reader(Scope(f"space{number}", door.now())) as reader:
                there = {one.id for one in reader.memories(MemoryFilter())}
            assert there >= {*told}, f"{len({*told} - there)} acknowledged writes are lost"
            door.add("Ann goes on")
            took = time.monotonic() - begun
            assert door.verify().ok
    return sum(map(len, acknowledged.values())), took


def full_disks(size: Size, folder: Path) -> str:
    """The disk of the file fills up under a writer, and is freed again."""
    acknowledged, refused = 0, 0
    with _small_disk(folder) as (place, way):
        for number in range(size.full_disks):
            written, said = _filled_up(place / f"full-{number}.db", place)
            acknowledged, refused = acknowledged + written, refused + said
            for left in place.glob("full-*"):
                left.unlink()
    return f"{acknowledged:,} acknowledged writes, none lost, {refused} refused with words while it was full ({way})"


def _filled_up(path: Path, place: Path) -> tuple[int, int]:
    ballast = place / "ballast"
    ballast.write_bytes(b"x" * BALLAST_BYTES)
    told, said, refused = list[str](), list[str](), 0
    with closing(SqliteStore(path)) as store:
        door = Treering(store, actor="ann", space="lab")
        while refused < 3:
            try:
                told.append(door.add(f"Ann said {len(told)} " + "and went on " * 400).id)
            except Unavailable as error:
                refused += 1
                said.append(str(error))
            assert len(told) < 5_000, "the disk does not fill up"
        assert all("full" in one for one in said), said
        assert all(door.get(one).id == one for one in told), "what was acknowledged cannot be read while it is full"
        ballast.unlink()
        told.append(door.add("Ann goes on").id)
        assert door.verify().ok
    with closing(SqliteStore(path)) as store:
        door = Treering(store, actor="ann", space="lab")
        assert door.status().seq == len(told)
        assert all(door.get(one).id == one for one in told)
    return len(told), refused


@contextmanager
def _small_disk(folder: Path) -> Iterator[tuple[Path, str]]:
    """A file system of a few megabytes, where one may be mounted; else files that may not grow beyond that."""
    place = folder / "disk"
    place.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={FULL_BYTES + BALLAST_BYTES}", "tmpfs", str(place)],
        capture_output=True, check=False,
    )  # fmt: skip
    if mount.returncode == 0:
        try:
            yield place, f"a tmpfs of {(FULL_BYTES + BALLAST_BYTES) // 2**20} MB"
        finally:
            subprocess.run(["umount", str(place)], check=False)
        return
    before, heard = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_BYTES, before[1]))
    try:
        yield place, "RLIMIT_FSIZE: nothing could be mounted here"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heard)


def jumps(size: Size, folder: Path) -> str:
    """The clock jumps by up to a year, either way, between writes."""
    chance, now = random.Random(size.seed), [START]

    def clock() -> datetime:
        return now[0]

    back = 0
    with closing(SqliteStore(folder / "jumps.db", durability="off")) as store:
        door, ids = Treering(store, clock=clock, actor="ann", space="lab"), list[str]()
        for number in range(size.jumps):
            seconds = chance.choice((1, 60, 3_600, 86_400, 31_536_000)) * chance.uniform(-1, 1)
            now[0] = min(
                max(now[0] + timedelta(seconds=seconds), START - timedelta(days=3_000)), START + timedelta(days=3_000)
            )
            back += seconds < 0
            ids.append(door.add(f"Ann said {number}", entities=["Ann"]).id)
            if chance.random() < 0.2:
                door.revise(chance.choice(ids), f"Ann meant {number}")
            if chance.random() < 0.1:
                door.forget(chance.choice(ids))
        times = [entry.at for entry in store.entries("lab")]
        assert all(one < other for one, other in pairwise(times)), "known time ran back"
        assert all(door.get(one).id == one for one in ids)
        assert door.verify().ok
    return f"{len(times):,} writes, {back:,} of {size.jumps:,} jumps backwards; known time always went on; it verifies"


class _Slow(sqlite3.Connection):
    """A disk that takes its time over every commit, now and then very long."""

    chance = random.Random(1)

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        if sql.startswith("COMMIT"):
            time.sleep(2.0 if self.chance.random() < 0.02 else self.chance.uniform(0.02, 0.2))
        return super().execute(sql, *more)


def slow_disk(size: Size, folder: Path) -> str:
    """Every commit takes 20 to 200 ms, one in fifty two seconds; four write, two read."""
    told: dict[int, list[str]] = {number: [] for number in range(4)}
    reads, wrong, over = list[float](), list[str](), threading.Event()
    with closing(SqliteStore(folder / "slow.db", factory=_Slow)) as store:
        Treering(store, actor="ann", space="lab").add("Ann begins")

        def write(number: int) -> None:
            door = Treering(store, actor="ann", space="lab")
            try:
                for turn in range(size.slow_writes // 4):
                    told[number].append(door.add(f"Ann {number} said {turn}").id)
            except Exception as error:  # told below
                wrong.append(repr(error))

        def read() -> None:
            door = Treering(store, actor="ann", space="lab")
            try:
                while not over.is_set():
                    begun = time.monotonic()
                    door.list(limit=10)
                    reads.append(time.monotonic() - begun)
                    time.sleep(0.01)
            except Exception as error:
                wrong.append(repr(error))

        writers = [threading.Thread(target=write, args=(number,)) for number in told]
        readers = [threading.Thread(target=read) for _ in range(2)]
        for one in (*writers, *readers):
            one.start()
        for one in writers:
            one.join()
        over.set()
        for one in readers:
            one.join()
        assert not wrong, wrong[0]
        with store.reader(Scope("lab", START)) as reader:
            there = {one.id for one in reader.all_seeing().memories(MemoryFilter())}
        lost = {one for some in told.values() for one in some} - there
        assert not lost, f"{len(lost)} acknowledged writes are lost"
        assert Treering(store, actor="ann", space="lab").verify().ok
    written = sum(map(len, told.values()))
    return f"{written:,} writes, none lost; {len(reads):,} reads meanwhile, p95 {p95(reads) * 1000:.0f} ms; it verifies"


@contextmanager
def _server(settings: str | None = None) -> Iterator[Server]:
    server = Server() if settings is None else Server(settings)
    try:
        yield server
    finally:
        server.remove()


STEPS: tuple[tuple[str, str, str, Callable[[Size, Path], str]], ...] = (
    ("Soak", "soak_seconds", "s", soak),
    ("kill -9 of writers, SQLite", "kills", "rounds", kills),
    ("kill -9 of writers, PostgreSQL", "postgres_kills", "rounds", postgres_kills),
    ("Crash of the PostgreSQL server", "crashes", "crashes", crashes),
    ("Standby takes the primary's place", "promotions", "promotions", promotions),
    ("Disk full and back", "full_disks", "rounds", full_disks),
    ("Clock jumps", "jumps", "jumps", jumps),
    ("Slow disk", "slow_writes", "writes", slow_disk),
)

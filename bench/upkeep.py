"""How fast is upkeep, and in how much room? `make bench-upkeep` measures using, collecting, promoting and health.

Memories of 200 days in a durable file, one in ten of them used a few times. Peaks of memory are what Python holds while
an operation runs, counted in a run of its own, since counting slows it down.

    python -m bench.upkeep [--size 10000] [--only grouping]

What is alike, and what says the same, is measured in `bench.grouping`.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import treering
from bench import grouping, record
from bench.ground import HandClock, sentence
from bench.record import quantiles, timed
from treering.model.changes import Changes, Used
from treering.model.memory import Use

SIZE = 100_000
BATCH = 5_000
DAYS = 200
USED_IN = 10
ROUNDS = 3
SINGLES = 300
GOAL_SECONDS = 10.0
GOAL_MEGABYTES = 50.0

Door = treering.Treering


# fading and use


def lived(path: Path, size: int, clock: HandClock) -> Door:
    """So many memories, written over 200 days, one in ten used two to six times since."""
    mem = treering.open(path, clock=clock, embedder="none", space="kept")
    for start in range(0, size, BATCH):
        clock.advance(days=DAYS * BATCH / size)
        some = [
            {"content": sentence(n), "entities": [f"Subject {n % 500}"], "importance": 0.95 if n % 50 == 0 else 0.6}
            for n in range(start, min(size, start + BATCH))
        ]
        ids = [one.id for one in mem.add_many(some).memories]
        uses = [Used(one, Use.TOUCHED, times=2 + n % 5) for n, one in enumerate(ids[::USED_IN])]
        _use(mem, uses)
    return mem


def _use(mem: Door, uses: list[Used]) -> None:
    mem._write(None, lambda act: (Changes("observe", tuple(uses)), None))


def fading(size: int) -> dict[str, Any]:
    clock = HandClock()
    with (
        tempfile.TemporaryDirectory(prefix="treering-bench-") as folder,
        lived(Path(folder) / "kept.db", size, clock) as mem,
    ):
        found: dict[str, Any] = {"memories": size}
        for name, work in looking(mem).items():
            found[name] = {**_spent(work, ROUNDS), "peak_megabytes": _peak(work)}
        found["gc of as many as one write takes"] = _spent(lambda: mem.gc(dry_run=False), 1)
        return found | single_uses(mem)


def looking(mem: Door) -> dict[str, Callable[[], Any]]:
    """What looks at every memory there is."""
    return {
        "gc, a look": mem.gc,
        "promote, a look": lambda: mem.promote(auto=True, dry_run=True),
        "expire, a look": lambda: mem.expire(dry_run=True),
        "health": mem.health,
    }


def single_uses(mem: Door) -> dict[str, Any]:
    ids = [one.id for one in mem.list(order="newest", limit=SINGLES)]
    found: dict[str, Any] = {}
    found["get, before it was used"] = quantiles([timed(lambda one=one: mem.get(one)) for one in ids])  # type: ignore[misc]
    found["touch"] = quantiles([timed(lambda one=one: mem.touch(one)) for one in ids])  # type: ignore[misc]
    tens = [ids[start : start + 10] for start in range(0, len(ids), 10)]
    found["observe ten"] = quantiles([timed(lambda ten=ten: mem.observe(ten, ["talk"])) for ten in tens])  # type: ignore[misc]
    found["get, after it was used"] = quantiles([timed(lambda one=one: mem.get(one)) for one in ids])  # type: ignore[misc]
    often = ids[0]
    _use(mem, [Used(often, Use.TOUCHED)] * 2_000)
    found["get, used 2,000 times"] = quantiles([timed(lambda: mem.get(often)) for _ in range(SINGLES)])
    return found


def _spent(work: Callable[[], Any], rounds: int) -> dict[str, float]:
    """Seconds by the clock and of the processor: on a machine with much else to do they differ."""
    seconds, worked = [], []
    for _ in range(rounds):
        start = process_time()
        seconds.append(timed(work))
        worked.append(process_time() - start)
    return {"seconds": round(median(seconds), 3), "processor_seconds": round(median(worked), 3)}


def _peak(work: Callable[[], Any]) -> float:
    tracemalloc.start()
    try:
        work()
        return round(tracemalloc.get_traced_memory()[1] / 1e6, 1)
    finally:
        tracemalloc.stop()


def fading_rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown = []
    for name, row in told.items():
        if isinstance(row, int):
            continue
        if "seconds" in row:
            met = "met" if row["processor_seconds"] <= GOAL_SECONDS else "NOT MET"
            worked = f"{row['processor_seconds']:.2f} s of the processor, {row['seconds']:.2f} s in all"
            shown.append((f"{name}, {told['memories']:,} memories", worked, "≤ 10 s", met))
        if "peak_megabytes" in row:
            met = "met" if row["peak_megabytes"] <= GOAL_MEGABYTES else "NOT MET"
            shown.append((f"{name}: peak of memory", f"{row['peak_megabytes']:.0f} MB", "≤ 50 MB", met))
        if "p50_ms" in row:
            shown.append((f"{name}: p50, p95", f"{row['p50_ms']:.2f} ms, {row['p95_ms']:.2f} ms", "", ""))
    return shown


SECTIONS: dict[str, tuple[Callable[[int], dict[str, Any]], Callable[[dict[str, Any]], list[Any]]]] = {
    "fading": (fading, fading_rows),
    "duplicates": (grouping.duplicates, grouping.duplicate_rows),
    "grouping": (grouping.grouping, grouping.grouping_rows),
}
"""What is measured at a size, and how its figures are shown."""


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [row for name, (_, shown) in SECTIONS.items() if name in told for row in shown(told[name])]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--size", type=int, default=SIZE)
    options.add_argument("--only", choices=SECTIONS, action="append", help="measure this; the others stay as they are")
    given = options.parse_args()
    figures: dict[str, Any] = record.read("upkeep") if given.only else {}
    figures |= {name: SECTIONS[name][0](given.size) for name in given.only or SECTIONS}
    figures["load_average"] = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print(record.table(rows(figures)))
    print(f"\nload of the machine {figures['load_average']}")
    if given.size == SIZE:
        print(f"written to {record.write('upkeep', figures)}")
    else:
        print("not written down: another size")


if __name__ == "__main__":
    main()

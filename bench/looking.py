"""How soon is a whole graph told, and one fact found among many? CortexGraph's `read_graph` with default arguments at
5,000 and 50,000 memories with links; and `facts(subject, relation, as_of)` among 40,000 facts of 2,000 subjects.

Each question is asked several times, and its time on the processor counts: on a shared machine that is what it takes
when the neighbours are still. The time that passed is told beside it.

    python -m bench.looking [--sizes 5000 50000] [--facts 40000]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

import treering
from bench import record
from bench.record import quantiles
from treering.door import Treering
from treering.faces.dialects import DIALECTS

SIZES, FACTS, SUBJECTS, TIMES, SEED, BATCH = (5_000, 50_000), 40_000, 2_000, 30, 7, 5_000
GOALS_MS = {5_000: 200.0, 50_000: 1_000.0}
FACT_GOAL_MS = 1.0
RELATIONS = ("WORKS_FOR", "LIVES_IN", "USES", "KNOWS")
FIRST = datetime(2020, 1, 1, tzinfo=UTC)


def main(given: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--facts", type=int, default=FACTS)
    asked = parser.parse_args(given)
    graphs = {str(size): read_graph(size) for size in asked.sizes}
    load = ", ".join(f"{one:.2f}" for one in os.getloadavg())
    figures: dict[str, Any] = {"read_graph": graphs, "facts": facts(asked.facts), "load_average": load}
    missed = [name for name, one in (*graphs.items(), ("facts", figures["facts"])) if one["met"] is False]
    print(record.write("looking", figures).read_text("utf-8"))
    return 1 if missed else 0


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """For the page of figures: by time on the processor, and what passed meanwhile."""
    asked = [
        (f"`read_graph` of {int(size):,} memories, p95", one, "p95_ms") for size, one in told["read_graph"].items()
    ]
    asked += [(f"`facts(subject, relation, as_of)` among {told['facts']['facts']:,}, p50", told["facts"], "p50_ms")]
    return [
        (
            f"{what} (passed: {one['passed'][which]:.4g} ms)",
            f"{one['processor'][which]:.3g} ms",
            f"≤ {one['goal_ms']:,.0f} ms" if one["goal_ms"] else "",
            "" if one["met"] is None else "met" if one["met"] else "missed",
        )
        for what, one, which in asked
    ]


def read_graph(size: int) -> dict[str, Any]:
    with _opened() as door:
        ids: list[str] = []
        for start in range(0, size, BATCH):
            items = [
                {"content": f"Note {n} says rule {n * 7 % 1000}.", "tags": ["note"], "entities": [f"Thing {n % 500}"]}
                for n in range(start, min(start + BATCH, size))
            ]
            ids += [one.id for one in door.add_many(items).memories]
        for one, other in zip(ids[: size // 20], ids[size // 20 :], strict=False):
            door.link(one, other, "related_to")
        first = perf_counter()
        DIALECTS["cortexgraph"].answer(door, "read_graph", {})
        cold = (perf_counter() - first) * 1_000
        told = _asked(lambda: DIALECTS["cortexgraph"].answer(door, "read_graph", {}), TIMES)
    goal = GOALS_MS.get(size)
    return {**told, "first_ms": round(cold, 1), "goal_ms": goal, "met": goal and told["processor"]["p95_ms"] <= goal}


def facts(count: int) -> dict[str, Any]:
    """Every subject has ten facts of each relation or fewer, one after the other; asked is which held at a moment."""
    with _opened() as door:
        for start in range(0, count, BATCH):
            door.add_many([_stating(n) for n in range(start, min(start + BATCH, count))])
        chance = Random(SEED)

        def ask() -> None:
            moment = FIRST + timedelta(days=chance.randrange(3_000))
            found = door.facts(
                subject=f"Person {chance.randrange(SUBJECTS)}", relation=chance.choice(RELATIONS), as_of=moment
            )
            assert len(found) <= count // SUBJECTS

        ask()
        told = _asked(ask, TIMES * 20)
    return {**told, "facts": count, "goal_ms": FACT_GOAL_MS, "met": told["processor"]["p50_ms"] <= FACT_GOAL_MS}


def _stating(number: int) -> dict[str, Any]:
    place, turn = number % SUBJECTS, number // SUBJECTS
    since = FIRST + timedelta(days=turn * 150 + place % 100)
    stated = {
        "subject": f"Person {place}",
        "relation": RELATIONS[turn % len(RELATIONS)],
        "object": f"Place {number % 3_000}",
        "valid_from": since.isoformat(),
        "valid_until": (since + timedelta(days=600)).isoformat(),
    }
    return {"content": f"Statement {number}.", "triples": [stated]}


def _opened() -> Any:
    folder = tempfile.TemporaryDirectory()
    door = treering.open(Path(folder.name) / "looking.db", embedder="none", judge="none")
    return _Closing(door, folder)


class _Closing:
    def __init__(self, door: Treering, folder: tempfile.TemporaryDirectory[str]) -> None:
        self._door, self._folder = door, folder

    def __enter__(self) -> Treering:
        return self._door

    def __exit__(self, *error: object) -> None:
        self._door.close()
        self._folder.cleanup()


def _asked(ask: Callable[[], object], times: int) -> dict[str, Any]:
    passed, worked = [], []
    for _ in range(times):
        at, work = perf_counter(), process_time()
        ask()
        passed.append(perf_counter() - at)
        worked.append(process_time() - work)
    return {"processor": quantiles(worked), "passed": quantiles(passed), "asked": times}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How well does `when` read time? Runs labelled sentences through the public reader and writes down the figures.

A sentence counts as exact if the first window found begins on the day expected and ends on it, a day more or less
allowed for readings that include their last day. Core sentences speak of the past or present; negatives speak of no
time, and any window there is a false alarm. The sentences of one quarter, chosen by hash, were never looked at while
the rules were written; its total was.

    TREERING_BENCH_DATA=folder python -m bench.time_windows
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench import record
from treering.language.when import when

DATA_FILE = "time_windows_dev.json"
Days = tuple[date | None, date | None]
Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one subset. `negatives` are the sentences that speak of no time."""

    subset: str
    sentences: int
    exact: float
    found: float
    false_alarms: int
    negatives: int


def read_days(text: str, reference: str) -> Days | None:
    """The first window as days. The data's references carry no zone: they are taken as UTC."""
    moment = datetime.fromisoformat(reference).replace(tzinfo=UTC)
    windows = when(text, moment)
    if not windows:
        return None
    start, end = windows[0].start, windows[0].end
    return (start and start.date(), end and end.date())


def is_exact(found: Days, accepted: Sequence[Sequence[str | None]]) -> bool:
    return any(_same(found, _days(window)) for window in accepted)


def _same(found: Days, wanted: Days) -> bool:
    if found[0] != wanted[0] or (found[1] is None) != (wanted[1] is None):
        return False
    return found[1] is None or wanted[1] is None or abs((found[1] - wanted[1]).days) <= 1


def _days(window: Sequence[str | None]) -> Days:
    start, end = (None if point is None else date.fromisoformat(point[:10]) for point in window)
    return start, end


def is_unseen(item: Item) -> bool:
    """A quarter of the sentences, fixed by hash, kept closed while the rules were written."""
    return hashlib.sha256(item["id"].encode()).digest()[0] & 0b11 == 0b11


def score(subset: str, items: list[Item]) -> Score:
    positives = [item for item in items if item["accept"]]
    negatives = [item for item in items if not item["accept"]]
    found = [(item, read_days(item["input"], item["reference"])) for item in positives]
    exact = sum(1 for item, days in found if days and is_exact(days, item["accept"]))
    return Score(
        subset=subset,
        sentences=len(positives),
        exact=round(exact / max(len(positives), 1), 4),
        found=round(sum(1 for _, days in found if days) / max(len(positives), 1), 4),
        false_alarms=sum(1 for item in negatives if read_days(item["input"], item["reference"])),
        negatives=len(negatives),
    )


SUBSETS: dict[str, Callable[[Item], bool]] = {
    "core": lambda item: item["core"],
    "core, studied": lambda item: item["core"] and not is_unseen(item),
    "core, unseen": lambda item: item["core"] and is_unseen(item),
    "core, single day": lambda item: item["core"] and item["type"] in ("date", "datetime"),
    "core, ranges": lambda item: item["core"] and item["type"] not in ("date", "datetime"),
    "future, explicit": lambda item: item["tense"] == "future" and not item["ambiguous_direction"],
    "all": lambda item: True,
    "all, studied": lambda item: not is_unseen(item),
    "all, unseen": is_unseen,
}


def milliseconds(items: list[Item], rounds: int = 3) -> list[float]:
    """Sorted times of single calls, the best of a few rounds: the machine may be shared."""
    best = [float("inf")] * len(items)
    for _ in range(rounds):
        for place, item in enumerate(items):
            began = time.perf_counter()
            read_days(item["input"], item["reference"])
            best[place] = min(best[place], (time.perf_counter() - began) * 1000)
    return sorted(best)


def load() -> list[Item]:
    folder = os.environ.get("TREERING_BENCH_DATA")
    if not folder:
        sys.exit(f"Set TREERING_BENCH_DATA to the folder that holds {DATA_FILE}.")
    path = Path(folder) / DATA_FILE
    if not path.is_file():
        sys.exit(f"No data at {path}. Set TREERING_BENCH_DATA to the folder that holds {DATA_FILE}.")
    items: list[Item] = json.loads(path.read_text(encoding="utf-8"))
    return items


def main() -> None:
    items = load()
    scores = [score(name, [item for item in items if belongs(item)]) for name, belongs in SUBSETS.items()]
    times = milliseconds(items)
    print("| subset | n | exact | found | false alarms |\n|---|--:|--:|--:|--:|")
    for row in scores:
        alarms = f"{row.false_alarms} of {row.negatives}" if row.negatives else "-"
        print(f"| {row.subset} | {row.sentences} | {row.exact:.3f} | {row.found:.3f} | {alarms} |")
    speed = {"p50_ms": round(median(times), 3), "p95_ms": round(times[int(len(times) * 0.95)], 3)}
    print(f"\nmedian {speed['p50_ms']} ms, p95 {speed['p95_ms']} ms a sentence")
    figures = [{name: getattr(row, name) for name in Score.__slots__} for row in scores]
    print(f"written to {record.write('time_windows', {'scores': figures, 'speed': speed})}")


if __name__ == "__main__":
    main()

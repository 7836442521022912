"""What do sets say that nobody had seen? The newest folder of training/blind: streams, stories, messages, and stories
of one user, each if it is there.

Each was written by somebody who knew its format and theme only, and was asked once before anything was changed because
of it; `training/blind/LEDGER.md` tells when. Whoever runs this again repeats that figure as long as nothing that reads
has changed; after a change it is a figure on development data. Shares have 95 % intervals by Wilson's formula.

    python -m bench.blind [FOLDER]
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from bench import extraction, record, stories, updates

SETS = Path(__file__).parent.parent / "training" / "blind"
LIKELY = 1.96
Row = tuple[str, float, int, float | None, bool]
"""What, the share, of how many, its goal, whether the goal is the most."""


def interval(share: float, count: int) -> tuple[float, float]:
    if not count:
        return 0.0, 1.0
    hits, square = share * count, LIKELY * LIKELY
    middle = (hits + square / 2) / (count + square)
    half = LIKELY * sqrt(hits * (count - hits) / count + square / 4) / (count + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def of_streams(cases: list[Any], neutral: list[str]) -> list[Row]:
    told = updates.examine(cases, neutral, updates.NOISE).told["all"]
    kept = [
        ("streams: current answer first", "current first", "current asked", 0.82, False),
        ("streams: current answer in three", "current", "current asked", 0.95, False),
        ("streams: stale served", "stale", "stale asked", 0.08, True),
        ("streams: as of, answered", "as of", "as of asked", 0.92, False),
        ("streams: known at, answered", "known at", "known at asked", None, False),
        ("streams: wrongly closed", "closed", "to stay", 0.01, True),
    ]
    found: list[Row] = [(what, told[name] or 0.0, told[of], goal, most) for what, name, of, goal, most in kept]
    wanted, ended = (sum(len(case[name]) for case in cases) for name in ("facts_now", "facts_before"))
    return [
        *found,
        ("streams: facts now, F1, any relation", told["facts now, any relation"]["f1"] or 0.0, wanted, 0.65, False),
        ("streams: facts now, F1, exact", told["facts now"]["f1"] or 0.0, wanted, None, False),
        ("streams: facts before, any relation", told["facts before, any relation"] or 0.0, ended, 0.50, False),
    ]


@dataclass(frozen=True)
class Goals:
    right: float | None
    stale: float | None
    silent: float | None


STORIES = {
    ("stories", False): Goals(0.72, 0.10, 0.90),
    ("stories", True): Goals(None, None, None),  # of a hundred people who all say "I": no answer is the only right one
    ("life", False): Goals(0.90, 0.05, 0.92),
    ("life", True): Goals(0.85, None, 0.92),
    ("work", False): Goals(0.90, 0.05, 0.92),
    ("work", True): Goals(0.85, None, 0.92),
}
"""By the file, and whether all are told to one store."""
CALLED = {"stories": "stories", "life": "one user's life", "work": "one user's work"}


def of_stories(name: str, cases: list[Any], merged: bool) -> list[Row]:
    told, goals = stories.told(stories.asked(cases, merged, 0)[0]), STORIES[name, merged]
    lead = CALLED[name] + (", in one store" if merged else "")
    n, may, unknown = int(told["n"]), int(told["may_be_stale"]), int(told["unknown_n"])
    return [
        (f"{lead}: right first", told["right_first"], n, goals.right, False),
        (f"{lead}: right in three", told["right_in_three"], n, None, False),
        (f"{lead}: stale first", told["stale_first"], may, goals.stale, True),
        (f"{lead}: silent where nothing is known", told["silent"], unknown, goals.silent, False),
    ]


def of_messages(cases: list[Any], reader: extraction.Reader | None = None, by: str | None = None) -> list[Row]:
    """Read as they are by default, or by somebody else, who is then named."""
    told = extraction.examine(cases, reader or extraction.Reader())[0]["all"]
    dated = sum(bool(one["event"]) for case in cases for one in case["memories"])
    facts = sum(len(case["triples"]) for case in cases)
    names = sum(len(one["entities"]) for case in cases for one in case["memories"])
    lead = "messages" if by is None else f"messages, {by}"
    return [
        (f"{lead}: covered", told["covered"], told["memories"], 0.94, False),
        (f"{lead}: kinds of covered", told["kinds"], round(told["covered"] * told["memories"]), 0.90, False),
        (f"{lead}: names, F1", told["names"]["f1"] or 0.0, names, 0.92, False),
        (f"{lead}: facts, F1", told["facts"]["f1"] or 0.0, facts, 0.60, False),
        (f"{lead}: dates of covered", told["dates"] or 0.0, dated, 0.92, False),
    ]


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [_shown(*row) for row in told["rows"]]


def _shown(what: str, share: float, count: int, goal: float | None, most: bool) -> tuple[str, str, str, str]:
    low, high = interval(share, count)
    measured = f"{share:.3f} ({low:.3f} to {high:.3f}), n {count}"
    if goal is None:
        return what, measured, "", ""
    met = share <= goal if most else share >= goal
    return what, measured, f"{'≤' if most else '≥'} {goal:.2f}", "met" if met else "NOT MET"


def newest() -> Path:
    return max(path for path in SETS.iterdir() if path.is_dir())


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else newest()

    def of(name: str) -> list[Any]:
        return lines(folder / name)

    found: list[Row] = []
    if (folder / "streams.jsonl").is_file():
        neutral = (folder / "distractors.txt").read_text(encoding="utf-8").splitlines()
        found += of_streams(of("streams.jsonl"), [line.strip() for line in neutral if line.strip()])
    for name, merged in STORIES:
        if (folder / f"{name}.jsonl").is_file():
            found += of_stories(name, of(f"{name}.jsonl"), merged)
    if (folder / "messages.jsonl").is_file():
        found += of_messages(of("messages.jsonl"))
    told = {"set": folder.name, "rows": found}
    print(record.table(rows(told)))
    print(f"\nwritten to {record.write('blind', told)}")


if __name__ == "__main__":
    main()

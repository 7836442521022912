"""What does a store bear in the long run? Soak, kill -9, a database server that crashes, a standby in its primary's
place, a full disk, clocks that jump, a slow disk: each as often as is said, all in one report.

    python -m tests.campaign --soak-seconds 3600 --kills 200 --report docs/campaign.md      (make campaign)

A step that fails is told with its reason and does not stop the others; then the program ends with 1. A step that is
left out (0) keeps the row that an earlier report had of it.
"""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.campaign_steps import STEPS, Size
from tests.property.killing import ROOT

WHOLE = Size()
"""What is called the whole campaign."""
_SHORT = (
    "**This is a short run, not the whole campaign**: compare the columns “size” and “whole”. `make campaign` runs all "
    "of it; its variables stand in the Makefile."
)


@dataclass
class Outcome:
    step: str
    size: str
    told: str = ""
    ok: bool = True
    seconds: float = 0.0
    trouble: str = ""


def run(size: Size) -> list[Outcome]:
    outcomes = []
    for name, part, unit, step in STEPS:
        often = getattr(size, part)
        if not often:
            outcomes.append(Outcome(name, "left out", told="not run"))
            continue
        outcome, begun = Outcome(name, f"{often:,} {unit}"), time.monotonic()
        print(f"{name}: {outcome.size} …", flush=True)
        with tempfile.TemporaryDirectory(prefix="treering-campaign-", ignore_cleanup_errors=True) as folder:
            try:
                outcome.told = step(size, Path(folder))
            except Exception as error:  # it is told, and the other steps are run
                outcome.ok, outcome.trouble = False, f"{type(error).__name__}: {str(error)[:500]}"
                traceback.print_exc()
        outcome.seconds = time.monotonic() - begun
        print(
            f"  {'ok' if outcome.ok else 'FAILED'} in {outcome.seconds:.0f} s: {outcome.told or outcome.trouble}",
            flush=True,
        )
        outcomes.append(outcome)
    return outcomes


def kept_rows(before: str) -> dict[str, str]:
    """Of an earlier report, what was seen then: a step that is left out keeps its row, with its day and commit."""
    when = next((line.partition(", Linux")[0] for line in before.splitlines() if " UTC, commit " in line), "earlier")
    rows = {}
    for line in before.splitlines():
        cells = [cell.strip() for cell in line.split(" | ")]
        if line.startswith("| ") and len(cells) == len(HEAD) and cells[3] in ("ok", "**failed**"):
            said = cells[4] if cells[4].startswith("(") else f"({when}) {cells[4]}"
            rows[cells[0].removeprefix("| ")] = " | ".join((*cells[:4], said, cells[5]))
    return rows


def _is_whole(row: str) -> bool:
    cells = row.split(" | ")
    return len(cells) == len(HEAD) and cells[1] == cells[2]


HEAD = ("step", "size", "whole", "outcome", "what was seen", "took")


def report(size: Size, outcomes: list[Outcome], load: tuple[float, float], before: str = "") -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    kept = kept_rows(before)
    whole = all(
        getattr(size, part) >= getattr(WHOLE, part) or _is_whole(kept.get(name, "")) for name, part, _, _ in STEPS
    )
    lines = [
        "# Campaign: what a store bears in the long run",
        "<!-- Written by `make campaign`; do not edit. -->",
        "",
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {commit or 'unknown'}, {platform.system()} "
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, SQLite "
        f"{sqlite3.sqlite_version}; load average {load[0]:.1f} at the beginning, {load[1]:.1f} at the end.",
        "",
        "This is the whole campaign." if whole else _SHORT,
        "",
        f"| {' | '.join(HEAD)} |",
        "|---|---|---|---|---|---|",
    ]
    for (_, part, unit, _), one in zip(STEPS, outcomes, strict=True):
        outcome = "ok" if one.ok else "**failed**"
        if one.size == "left out" and one.step in kept:
            lines.append(kept[one.step])
            continue
        if one.size == "left out":
            outcome = "left out"
        said = (one.told or one.trouble).replace("|", "\\|").replace("\n", " ")
        wanted = f"{getattr(WHOLE, part):,} {unit}"
        lines.append(f"| {one.step} | {one.size} | {wanted} | {outcome} | {said} | {one.seconds:.0f} s |")
    lines += ["", "What each step does is told at its head in `tests/campaign_steps.py`.", ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in vars(WHOLE).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    parser.add_argument("--report", type=Path, default=None)
    given = vars(parser.parse_args())
    target = given.pop("report")
    size, load = Size(**given), os.getloadavg()[0]
    outcomes = run(size)
    before = target.read_text("utf-8") if target is not None and target.is_file() else ""
    told = report(size, outcomes, (load, os.getloadavg()[0]), before)
    if target is not None:
        target.write_text(told, "utf-8")
    print(told)
    return 0 if all(one.ok for one in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

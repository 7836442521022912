"""How is a figure kept? As JSON with date, commit, versions and machine, so that it can be compared and repeated."""

from __future__ import annotations

import json
import platform
import sqlite3
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from treering.version import VERSION

RESULTS = Path(__file__).parent / "results"


def timed(work: Callable[[], Any]) -> float:
    """Seconds."""
    start = perf_counter()
    work()
    return perf_counter() - start


def quantiles(seconds: list[float]) -> dict[str, float]:
    """p50 and p95 in milliseconds."""
    ordered = sorted(seconds)
    place = {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in _SHARES.items()}
    return {f"{name}_ms": round(value * 1000, 4) for name, value in place.items()}


_SHARES = {"p50": 0.5, "p95": 0.95}


def write(name: str, figures: dict[str, Any]) -> Path:
    path = RESULTS / f"{name}.json"
    RESULTS.mkdir(exist_ok=True)
    path.write_text(json.dumps({"about": about(), "figures": figures}, indent=2) + "\n", "utf-8")
    return path


def read(name: str) -> dict[str, Any]:
    """The figures as they were last written; none if they never were."""
    path = RESULTS / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["figures"] if path.exists() else {}
    return found


def about() -> dict[str, str]:
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": _git("rev-parse", "--short", "HEAD") + ("+" if _git("status", "--porcelain", "--", "../src") else ""),
        "treering": VERSION,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "machine": f"{platform.machine()}, {_cores()} cores, {platform.system()}",
    }


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, cwd=RESULTS.parent, check=False)
    return done.stdout.strip() or ("unknown" if words[0] == "rev-parse" else "")


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def table(rows: list[tuple[str, str, str, str]]) -> str:
    """What was measured, the figure, the goal, and whether it was met."""
    header = ("what", "measured", "goal", "")
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])

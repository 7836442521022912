"""`python -m bench.peers [--writes 200] [--searches 40] [--stories 16]` installs what is missing in `.others`, runs all
of them one after the other, and writes `bench/results/peers.json` and `docs/peers.md`."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench import record
from bench.peers import told
from bench.peers.endpoint import embedding
from bench.peers.systems import SYSTEMS, Failed, Memory, System

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ROOT / ".others"
PAGE = ROOT / "docs" / "peers.md"
_HOMES = {
    "CortexGraph 1.2.1": "cortexgraph",
    "MCP reference server 2026.8.31": "reference",
    "mem0 2.2.1, infer off": "mem0",
    "mcp-memory-service 12.2.0": "mcp-memory-service",
}


def installed(system: System) -> Path:
    home = OTHERS / _HOMES.get(system.name, "none")
    if not home.exists():
        try:
            for command in system.install(home):
                subprocess.run(command, check=True, capture_output=True, timeout=1800)
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(home, ignore_errors=True)
            raise Failed(f"could not be installed: {error}"[:300]) from error
    return home


def measured(system: System, url: str, writes: int, searches: int, stories: int) -> dict[str, Any]:
    home = installed(system)
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        kept = Path(folder) / "speed"
        kept.mkdir()
        began = time.perf_counter()
        memory = system.start(home, kept, url)
        try:
            figures = _speed(memory, began, kept, writes, searches)
        finally:
            _end(memory)
        return {**figures, **_of_stories(system, home, Path(folder), url, stories)}


def _speed(memory: Memory, began: float, kept: Path, writes: int, searches: int) -> dict[str, Any]:
    said = told.statements(writes)
    memory.write(said[0], said[0].split()[0])
    first = time.perf_counter() - began
    wrote = [_timed(lambda one=one: memory.write(one, one.split()[0])) for one in said[1:]]  # type: ignore[misc]
    asked = told.questions(said, searches)
    memory.search("Where is everything?", said[0].split()[0])
    found, taken = 0, []
    for question, answer in asked:
        answers: list[str] = []
        taken.append(_timed(lambda: answers.extend(memory.search(question, answer.split()[0]))))  # noqa: B023
        found += bool(answers) and _says(answers[0], answer)
    return {
        "start_seconds": round(first, 2),
        "write_ms": round(median(wrote) * 1000, 1),
        "search_ms": round(median(taken) * 1000, 1),
        "search_p95_ms": round(quantiles(taken, n=20)[-1] * 1000, 1),
        "found_first": round(found / len(asked), 2),
        "memory_mib": round(_resident(memory.process.pid)),
        "disk_kib": round(sum(one.stat().st_size for one in kept.rglob("*") if one.is_file()) / 1024),
    }


def _of_stories(system: System, home: Path, folder: Path, url: str, count: int) -> dict[str, Any]:
    """All stories in one store, each told in its order, and every question asked at the end."""
    kept = folder / "stories"
    kept.mkdir()
    memory = system.start(home, kept, url)
    right = stale = empty = 0
    try:
        every = told.stories(count)
        for story in every:
            for said in story.said:
                memory.write(said, story.who)
        for story in every:
            answers = [one for one in memory.search(story.asked, story.who) if one.strip()]
            first = answers[0] if answers else ""
            right += _names(first, story.new)
            stale += any(_names(one, story.old) and not _names(one, story.new) for one in answers[:3])
            empty += not answers
    finally:
        _end(memory)
    return {"right_first": round(right / count, 2), "stale_served": round(stale / count, 2), "no_answer": empty}


def _names(text: str, value: str) -> bool:
    return re.search(rf"\b{re.escape(value)}\b", text, re.IGNORECASE) is not None


def _says(text: str, statement: str) -> bool:
    return statement.rstrip(".").lower() in text.lower()


def _timed(do: Callable[[], Any]) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def _resident(pid: int) -> float:
    """MiB of a process and those it started."""
    whole = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if status.parent.name == str(pid) or lines.get("PPid", "").strip() == str(pid):
            whole += float(lines.get("VmRSS", "0").split()[0]) / 1024
    return whole


def _end(memory: Memory) -> None:
    assert memory.process.stdin is not None
    memory.process.stdin.close()
    try:
        memory.process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        memory.process.kill()
        memory.process.wait()
    if memory.process.stdout is not None:
        memory.process.stdout.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peers")
    parser.add_argument("--writes", type=int, default=200)
    parser.add_argument("--searches", type=int, default=40)
    parser.add_argument("--stories", type=int, default=16)
    parser.add_argument("--only", help="systems whose name holds this")
    asked = parser.parse_args()
    figures: dict[str, Any] = {}
    with embedding() as url:
        for system in SYSTEMS:
            if asked.only and asked.only not in system.name:
                continue
            try:
                figures[system.name] = measured(system, url, asked.writes, asked.searches, asked.stories)
            except Failed as error:
                figures[system.name] = {"could_not_run": str(error)}
            print(system.name, figures[system.name], flush=True)
    load = os.getloadavg()[1]
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}",
        "writes": asked.writes,
        "searches": asked.searches,
        "stories": asked.stories,
        "systems": figures,
    }
    if not asked.only:
        record.write("peers", result)
        PAGE.write_text(page(result), "utf-8")


COLUMNS = (
    ("right first", "right_first", ""),
    ("stale served", "stale_served", ""),
    ("found first", "found_first", ""),
    ("write", "write_ms", " ms"),
    ("search", "search_ms", " ms"),
    ("search p95", "search_p95_ms", " ms"),
    ("start", "start_seconds", " s"),
    ("memory", "memory_mib", " MiB"),
    ("on disk", "disk_kib", " KiB"),
)


def page(result: dict[str, Any]) -> str:
    ran = {name: one for name, one in result["systems"].items() if "could_not_run" not in one}
    lines = [
        "# Beside other memories",
        "",
        f"Written by `python -m bench.peers --writes {result['writes']} --searches {result['searches']} "
        f"--stories {result['stories']}` on {result['machine']}: {result['writes']} statements written one by one, "
        f"{result['searches']} searched for, and {result['stories']} stories in which something changes, the same for "
        "all, one system after the other, each in an environment of its own. All were called from one client, so that "
        "times include the way there. On a loaded machine compare the rows with each other, not with other pages.",
        "",
        "| | " + " | ".join(title for title, _, _ in COLUMNS) + " |",
        "|---" * (len(COLUMNS) + 1) + "|",
    ]
    for name, one in ran.items():
        lines.append(f"| {name} | " + " | ".join(f"{one[key]}{unit}" for _, key, unit in COLUMNS) + " |")
    lines += ["", "How each was called:", ""]
    lines += [f"- **{one.name}**: {one.called}." for one in SYSTEMS]
    lines += [
        "",
        "- *right first*: share of stories where the first of what a search gives names the value that holds now.",
        "- *stale served*: share of stories where one of the first three still names only the value that was given up.",
        "- *found first*: share of searches whose first answer is the statement asked for, among statements alike.",
        "- *write*, *search*: median of one call. *start*: from the start of the process until the first write was "
        "answered. *memory*: resident, children included. *on disk*: what it kept after the writes. The endpoint that "
        "embeds for two of them is in another process and not in their memory.",
        "",
        "Treering reads and relates what it is told; the others keep it as it is (mem0 with `infer` off, as it needs a "
        "language model otherwise), and several write, search and start faster for it. The reference server gives a "
        "person's observations in the order in which they came, without a rank. mcp-memory-service refuses what it "
        "takes for a duplicate; how many of the changes it refused was not counted. The statements and stories are "
        "made up by `bench/peers/told.py`, by the authors of Treering: few, short and of one kind. They say nothing "
        "about large stores.",
    ]
    failed = {name: one["could_not_run"] for name, one in result["systems"].items() if "could_not_run" in one}
    if failed:
        lines += [
            "",
            "Could not be run here:",
            "",
            *(f"- **{name}**: {' '.join(why.split())}" for name, why in failed.items()),
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

"""How soon is a large store seen on the page, and how smoothly does it move? A real Chromium looks at 10,000 entities
with 20,000 facts, and at 100,000 memories.

Drawing is done by the processor where there is no graphics card, and a shared machine has little of it to give: beside
the frames a second stands what one frame takes, on the page's own thread and in all of the browser's processes, counted
in time on the processor.

    python -m bench.browsing [--nodes 10000] [--memories 100000] [--stores FOLDER]

With `--stores` the two stores are kept there and used again.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from tests.page.browser import Browser

import treering
from bench import record

NODES, MEMORIES, BATCH, SEED = 10_000, 100_000, 5_000, 7
FRAMES_GOAL, FRAME_GOAL_MS, FIRST_VIEW_GOAL_S, PAUSE_GOAL_MS = 30.0, 33.0, 1.0, 200.0
SPACE = "team"
LONG_SECONDS = 80.0

_MOVES = """new Promise((tell) => {
    const { sigma } = document.querySelector('.canvas');
    let frames = 0;
    sigma.getCamera().on('updated', () => (frames += 1));
    const begun = performance.now();
    const done = () => tell([frames, performance.now() - begun]);
    sigma.getCamera().animate({ angle: 0.8, ratio: 0.4 }, { duration: 3000 }, done);
})"""
"""The camera goes somewhere, as when a person zooms and turns; in how many frames it was seen to move, in how long."""

_PAUSES = """(() => {
    globalThis.pauses = [];
    new PerformanceObserver((list) => pauses.push(...list.getEntries().map((one) => one.duration)))
        .observe({ type: 'longtask', buffered: true });
})()"""


def main(given: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--memories", type=int, default=MEMORIES)
    parser.add_argument("--stores", type=Path)
    asked = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        stores: Path = asked.stores or Path(folder)
        stores.mkdir(parents=True, exist_ok=True)
        crowd, many = stores / f"crowd-{asked.nodes}.db", stores / f"many-{asked.memories}.db"
        _once(crowd, lambda path: people(path, asked.nodes))
        _once(many, lambda path: notes(path, asked.memories))
        browser = Browser()
        try:
            figures: dict[str, Any] = {"graph": graph(browser, crowd), "table": table(browser, many, asked.memories)}
        finally:
            browser.close()
    figures |= {"load_average": ", ".join(f"{one:.2f}" for one in os.getloadavg())}
    print(record.write("browsing", figures).read_text("utf-8"))
    print(record.table(rows(figures)))
    return 0


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    drawn, listed = told["graph"], told["table"]
    what = f"{drawn['nodes']:,} entities, {drawn['edges']:,} facts"
    held = [
        (f"{what}: frames a second while it is zoomed", drawn["frames_a_second"], FRAMES_GOAL, "", True),
        ("one such frame on the page's thread, processor", drawn["frame_processor_ms"], FRAME_GOAL_MS, " ms", False),
        ("and in all of the browser's processes, which draw it", drawn.get("frame_browser_ms"), None, " ms", False),
        ("the same graph drawn, from the address on", drawn["drawn_s"], None, " s", False),
        ("its longest pause until then", drawn["longest_pause_ms"], None, " ms", False),
        ("the true hand moved, until redrawn", drawn["hand_moved_s"], None, " s", False),
        (f"{listed['memories']:,} memories: first view", listed["opened_s"], FIRST_VIEW_GOAL_S, " s", False),
        ("searched by words", listed["searched_s"], None, " s", False),
        ("narrowed to a tag", listed["by_tag_s"], None, " s", False),
        ("the next page", listed["next_page_s"], None, " s", False),
        ("longest pause meanwhile", listed["longest_pause_ms"], PAUSE_GOAL_MS, " ms", False),
    ]
    return [_row(*one) for one in held if one[1] is not None]


def _row(what: str, value: float, goal: float | None, unit: str, more: bool) -> tuple[str, str, str, str]:
    met = goal is not None and (value >= goal if more else value <= goal)
    sign = "≥" if more else "≤"
    goal_said = "" if goal is None else f"{sign} {goal:g}{unit}"
    shown = f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"
    return what, f"{shown}{unit}", goal_said, "" if goal is None else "met" if met else "missed"


def people(path: Path, count: int) -> None:
    """Firms of which some are large, who works there, whom they know; a tenth have changed their firm once."""
    chance, firms = Random(SEED), max(2, count // 100)
    with treering.open(path, space=SPACE, embedder="none", judge="none", extractor="none") as door:
        works = [min(firms - 1, int(chance.paretovariate(1.1)) - 1) for _ in range(count - firms)]
        facts: list[dict[str, Any]] = []
        for number, firm in enumerate(works):
            who = {"subject": f"Person {number}", "valid_from": "2024-01-01T00:00:00Z"}
            facts.append({**who, "relation": "WORKS_FOR", "object": f"Firm {firm}"})
            other = chance.randrange(max(1, number))
            facts.append({**who, "relation": "KNOWS", "object": f"Person {other if other != number else number + 1}"})
            if number % 10 == 0:
                left = {**facts[-2], "object": f"Firm {(firm + 1) % firms}"}
                facts.append({**left, "valid_from": "2022-01-01T00:00:00Z", "valid_until": "2024-01-01T00:00:00Z"})
        for start in range(0, len(facts), BATCH):
            door.assert_facts(facts[start : start + BATCH])


def notes(path: Path, count: int) -> None:
    with treering.open(path, space=SPACE, embedder="none", judge="none", extractor="none") as door:
        for start in range(0, count, BATCH):
            some = range(start, min(start + BATCH, count))
            door.add_many(
                [{"content": f"Note {n} about topic {n % 997}", "tags": [f"t{n % 20}"]} for n in some],
                embed_later=True,
            )


def graph(browser: Browser, path: Path) -> dict[str, Any]:
    with _served(path) as url:
        page = browser.fresh(url, reducedMotion="no-preference")
        page.open("ask", space=SPACE)
        page.evaluate(_PAUSES)
        begun = perf_counter()
        page.open("graph", space=SPACE)
        counted = "document.querySelector('.graph-count')?.dataset"
        drawn = f"{counted}?.settled === 'true' && document.querySelector('.canvas')?.sigma?.getGraph().order > 1"
        _until(page, drawn)
        _until(page, "new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(() => tell(true))))")
        took = perf_counter() - begun
        pauses = page.evaluate("pauses")
        _until(page, "document.querySelector('.canvas').layout.settled")
        layout = page.evaluate("document.querySelector('.canvas').layout")
        before, all_before = page.metrics(), browser.processor_seconds()
        frames, milliseconds = page.evaluate(_MOVES)
        worked = page.metrics()["TaskDuration"] - before["TaskDuration"]
        all_worked = browser.processor_seconds() - all_before
        nodes, edges = (int(page.attribute(".graph-count", name) or 0) for name in ("data-nodes", "data-edges"))
        moved = perf_counter()
        page.open("graph", space=SPACE, as_of="2023-01-01T00:00:00Z")
        _until(page, f"{counted}.edges !== '{edges}' && {counted}.settled === 'true'")
        again = perf_counter() - moved
        page.goto("/healthz")
    return {
        "nodes": nodes,
        "edges": edges,
        "drawn_s": round(took, 2),
        "longest_pause_ms": round(max(pauses, default=0)),
        "frames_a_second": round(frames / milliseconds * 1000, 1),
        "frame_processor_ms": round(worked / max(1, frames) * 1000, 1),
        "frame_browser_ms": round(all_worked / max(1, frames) * 1000, 1),
        "hand_moved_s": round(again, 2),
        "layout": layout,
    }


def table(browser: Browser, path: Path, count: int) -> dict[str, Any]:
    with _served(path) as url:
        page = browser.fresh(url)
        page.open("memories", space=SPACE)  # the server has read its store once
        page.sees(".memories td", "Note", LONG_SECONDS)
        page.goto("/healthz")
        last, times = count - 1, {}
        tagged = next(n for n in range(last, 0, -1) if n % 20 == 7)
        for name, asked, seen in (
            ("opened_s", {}, f"Note {last}"),
            ("searched_s", {"words": "Note 4711"}, "Note 4711"),
            ("by_tag_s", {"tag": "t7"}, f"Note {tagged}"),
        ):
            begun = perf_counter()
            page.open("memories", space=SPACE, **asked)
            page.evaluate(_PAUSES)
            page.sees(".memories td", seen, LONG_SECONDS)
            times[name] = round(perf_counter() - begun, 2)
        begun = perf_counter()
        page.click("Show more")
        _until(page, "document.querySelectorAll('.memories tbody tr').length === 100")
        times["next_page_s"] = round(perf_counter() - begun, 2)
        pauses = page.evaluate("pauses")
        page.goto("/healthz")
    return {"memories": count, **times, "longest_pause_ms": round(max(pauses, default=0))}


def _until(page: Browser, js: str) -> None:
    """The driver gives a command 90 seconds; a busy machine may take longer."""
    for _ in range(6):
        if page.until(js, LONG_SECONDS):
            return
    raise SystemExit(f"never came to be: {js}")


def _once(path: Path, make: Any) -> None:
    if path.exists():
        return
    print(f"writing {path.name} …", file=sys.stderr)
    unready = path.with_suffix(".making.db")
    make(unready)
    for one in unready.parent.glob(f"{unready.name}*"):
        one.rename(one.with_name(one.name.replace(unready.name, path.name)))


@contextmanager
def _served(path: Path) -> Iterator[str]:
    """By the program itself, in a process of its own."""
    words = [sys.executable, "-m", "treering.faces.cli", "ui", "--url", str(path), "--port", "0", "--no-open"]
    environment = {**os.environ, "TREERING_EMBEDDER": "none"}
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment) as one:
        assert one.stderr is not None
        try:
            address = None
            for line in one.stderr:
                address = (found[1] if (found := re.match(r"the page: (http://[^/\s]+)", line)) else None) or address
                if " serves " in line:
                    break
            if address is None:
                raise SystemExit("treering ui did not start")
            yield address
        finally:
            one.send_signal(signal.SIGINT)
            one.stderr.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

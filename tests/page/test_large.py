"""A large store is looked at without a pause: 10,000 entities in the graph, 100,000 memories in the table. Figures are
printed; the bounds are wide, since a test machine draws without a graphics card and shares its cores."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.page.browser import Browser
from tests.page.conftest import Serving

from treering.door import open as open_door

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

NODES, EDGES, MEMORIES = 10_000, 20_000, 100_000
_FRAMES = """new Promise((tell) => {
    const camera = document.querySelector('.canvas').sigma.getCamera();
    const begun = performance.now();
    let frames = 0, moves = true;
    const step = () => {
        frames += 1;
        if (moves) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    camera.animate({ angle: 0.8, ratio: 0.4 }, { duration: 3000 }, () => {
        moves = false;
        tell(frames / ((performance.now() - begun) / 1000));
    });
})"""
"""Frames a second while the camera goes somewhere, as when a person zooms."""


def _ring(path: Path) -> None:
    """Each entity knows the next and one farther on."""
    with open_door(path, space="team", embedder="none") as mem:
        facts = [(f"Node {n}", "KNOWS", f"Node {(n + step) % NODES}") for n in range(NODES) for step in (1, 7 + n % 90)]
        for start in range(0, EDGES, 5_000):
            mem.assert_facts(facts[start : start + 5_000])


def _many(path: Path) -> None:
    with open_door(path, space="team", embedder="none") as mem:
        for start in range(0, MEMORIES, 10_000):
            mem.add_many(
                [
                    {"content": f"Note {n} about topic {n % 997}", "tags": [f"t{n % 20}"], "speaker": f"s{n % 7}"}
                    for n in range(start, start + 10_000)
                ],
                embed_later=True,
            )


def test_ten_thousand_entities_are_drawn_and_moved(chromium: Browser, serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "ring.db"
    _ring(path)
    served = serving(path)
    page = chromium.fresh(served.url)
    begun = time.monotonic()
    page.open("graph", space="team")
    shown = f"document.querySelector('.canvas')?.sigma?.getGraph().order === {NODES}"
    assert page.until(shown, 80) or page.until(shown, 80)
    drawn = time.monotonic() - begun
    frames = page.evaluate(_FRAMES)
    print(f"\n{NODES:,} nodes and {EDGES:,} edges: drawn after {drawn:.1f} s, {frames:.0f} frames a second")
    assert page.attribute(".graph-count", "data-edges") == str(EDGES)
    assert frames > 1, "it moves; how smoothly depends on the machine's graphics card"
    chromium.goto("/healthz")


def test_a_hundred_thousand_memories_are_listed_without_a_pause(
    chromium: Browser, serving: Serving, tmp_path: Path
) -> None:
    path = tmp_path / "many.db"
    _many(path)
    served = serving(path)
    page = chromium.fresh(served.url)
    page.open("memories", space="team")
    page.sees(".memories td", "Note", 120)
    page.open("ask", space="team")
    times = {}
    for name, act, seen in (
        ("opened", lambda: page.open("memories", space="team"), "Note 99999"),
        ("searched", lambda: page.open("memories", space="team", words="Note 4711"), "Note 4711"),
        ("by a tag", lambda: page.open("memories", space="team", tag="t7"), "Note 99987"),
    ):
        begun = time.monotonic()
        act()
        page.sees(".memories td", seen, 60)
        times[name] = time.monotonic() - begun
    begun = time.monotonic()
    page.click("Show more")
    assert page.until("document.querySelectorAll('.memories tbody tr').length === 100", 60)
    times["the next page"] = time.monotonic() - begun
    longest = page.evaluate("""new Promise((tell) => {
        let last = performance.now(), longest = 0;
        const step = () => {
            const now = performance.now();
            longest = Math.max(longest, now - last);
            last = now;
            if (performance.now() - begun < 2000) requestAnimationFrame(step); else tell(longest);
        };
        const begun = last;
        requestAnimationFrame(step);
    })""")
    print(f"\n{MEMORIES:,} memories:", ", ".join(f"{name} {took:.2f} s" for name, took in times.items()))
    print(f"longest pause of the page {longest:.0f} ms")
    page.sees(".graph-count", "memories", 60)
    assert max(times.values()) < 20
    chromium.goto("/healthz")

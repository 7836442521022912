"""Everybody can use it: axe finds nothing serious in any view, everything is reached by keys, and it fits a phone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.page.browser import Browser
from tests.page.conftest import Served

WIDE, NARROW = {"width": 1360, "height": 860}, {"width": 390, "height": 844}


def _views(served: Served) -> dict[str, tuple[str, dict[str, str]]]:
    """By the name of the picture: the view, and what is looked at in it."""
    nora = served.door.entity_get("Nora").id
    then = {"as_of": "2025-06-01T00:00:00Z", "known_at": "2025-07-01T00:00:00Z"}
    return {
        "ask": ("ask", {"q": "When does Atlas ship?"}),
        "ask-why": ("ask", {"q": "When does Atlas ship?", "sel": f"memory:{served.known['deadline']}"}),
        "graph": ("graph", {}),
        "graph-then": ("graph", {"start": nora, "sel": f"entity:{nora}", **then}),
        "plane": ("plane", {"node": nora, **then}),
        "story": ("story", {"node": nora}),
        "memories": ("memories", {}),
        "memory": ("memories", {"sel": f"memory:{served.known['vienna']}"}),
        "review": ("review", {}),
        "journal": ("journal", {}),
        "entry": ("journal", {"sel": "entry:70"}),
        "health": ("health", {}),
        "tell": ("tell", {}),
        "settings": ("settings", {}),
    }


def _settle(page: Browser) -> None:
    assert page.until("!document.querySelector('.waiting, .stale')"), "something is still awaited"


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", NARROW)], ids=["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view(
    chromium: Browser, served: Served, scheme: str, size: dict[str, int]
) -> None:
    found = {}
    page = chromium.fresh(served.url, **size, colorScheme=scheme)
    for name, (view, asked) in _views(served).items():
        page.open(view, space="team", **asked)
        _settle(page)
        bad = [one for one in page.axe() if one["impact"] in ("serious", "critical")]
        if bad:
            found[name] = bad
    chromium.goto("/healthz")
    assert found == {}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_pictures_of_every_view_are_kept(chromium: Browser, served: Served, tmp_path: Path) -> None:
    """Light and dark, wide and narrow; TREERING_PICTURES names where they are to lie."""
    folder = Path(os.environ.get("TREERING_PICTURES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for size_name, size in (("wide", WIDE), ("narrow", NARROW)):
            page = chromium.fresh(served.url, **size, colorScheme=scheme)
            for name, (view, asked) in _views(served).items():
                page.open(view, space="team", **asked)
                _settle(page)
                picture = folder / f"{name}-{size_name}-{scheme}.png"
                page.shot(picture)
                assert picture.stat().st_size > 10_000, "there is something on it"
    chromium.goto("/healthz")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("width", [360, 1024])
def test_nothing_is_wider_than_the_window(chromium: Browser, served: Served, width: int) -> None:
    page = chromium.fresh(served.url, width=width, height=800)
    for name, (view, asked) in _views(served).items():
        page.open(view, space="team", **asked)
        _settle(page)
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{name} is {over} pixels too wide at {width}"
    chromium.goto("/healthz")


def test_everything_is_reached_by_keys_and_the_place_is_always_to_be_seen(page: Browser) -> None:
    page.open("ask", space="team", q="When does Atlas ship?")
    page.sees(".hit")
    reached, unseen = set(), []
    for _ in range(60):
        page.press("Tab")
        at = page.evaluate("""(() => {
            const one = document.activeElement, style = getComputedStyle(one);
            return [one.textContent.trim().slice(0, 40) || one.getAttribute('aria-label') || one.tagName,
                    one === document.body || style.outlineStyle !== 'none' || one.matches(':has(:focus-visible)')];
        })()""")
        reached.add(at[0])
        if not at[1]:
            unseen.append(at[0])
    assert {"Graph", "True on", "Narrow it down", "Why, and where it was said", "Copy as context"} <= reached
    assert unseen == []
    page.focus("Atlas ships in April 2026", "link")
    page.press("Enter")
    page.sees(".panel h2", "Atlas ships")
    page.press("Escape")
    page.sees_no(".panel")


def test_who_asked_for_less_motion_gets_none(chromium: Browser, served: Served) -> None:
    page = chromium.fresh(served.url, reducedMotion="reduce")
    page.open("graph", space="team")
    page.sees(".graph-count", "fact")
    moving = page.evaluate("""[...document.querySelectorAll('*')]
        .flatMap((one) => getComputedStyle(one).transitionDuration.split(','))
        .filter((time) => parseFloat(time) > 0).length""")
    assert moving == 0
    chromium.goto("/healthz")

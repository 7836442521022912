"""A crowded graph stays light by the way it is made, whatever the clock says: one bounded question, places reckoned in
a worker, few edges drawn from afar, nothing worked out anew while it moves. Figures are `make bench-browsing`'s."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.browsing import people
from tests.page.browser import Browser
from tests.page.conftest import Served, Serving

from treering.door import open as open_door

pytestmark = pytest.mark.timeout(900)
ENTITIES, MOST_DRAWN = 1_700, 3_000
LONG_SECONDS = 240.0
"""A busy machine has little time for a drawing; what is waited for comes, and how soon is not asked here."""
CANVAS = "document.querySelector('.canvas')"
DRAWN = f"{CANVAS}.sigma.getGraph()"


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crowd") / "crowd.db"
    people(path, ENTITIES)
    with open_door(path, space="team", embedder="none") as door:
        for one in door.facts(relation="KNOWS", limit=5):
            door.invalidate(one.subject_id, one.object_id, "KNOWS", at="2025-01-01T00:00:00Z")
    return path


@pytest.fixture
def seen(chromium: Browser, serving: Serving, crowd: Path) -> Iterator[tuple[Browser, Served]]:
    """The graph of the crowd, drawn and settled."""
    served = serving(crowd)
    page = chromium.fresh(served.url)
    page.open("graph", space="team")
    entities = served.door.overview(nodes=1).entities
    assert page.until(f"{CANVAS}?.sigma?.getGraph().order === {entities}", LONG_SECONDS)
    assert page.until(f"{CANVAS}.layout.settled", LONG_SECONDS)
    yield page, served
    noted = page.noted()
    chromium.goto("/healthz")
    assert noted["errors"] == []


def _asked(page: Browser) -> list[str]:
    """The operations that were asked for, in order."""
    urls = [url for url in page.noted()["requests"] if "/v1/spaces/team/" in url]
    return [one.split("?")[0].rsplit("/", 1)[-1] for one in urls]


def test_the_graph_asks_once_and_for_no_more_than_it_shows(seen: tuple[Browser, Served]) -> None:
    page, _ = seen
    named = _asked(page)
    assert named.count("overview") == 1
    assert {"facts", "entities", "list"} & set(named) == set()
    assert page.count("main *") < 400, "the list in words is made when it is opened, not before"


def test_places_are_found_in_a_worker_and_never_on_the_pages_thread(seen: tuple[Browser, Served]) -> None:
    page, served = seen
    layout = page.evaluate(f"{CANVAS}.layout")
    assert layout["where"] == "worker"
    assert layout["rounds"] > 0
    assert f"{served.url}/page/layout.js" in page.noted()["requests"]


def test_from_afar_few_edges_are_drawn_and_nearer_those_in_sight(seen: tuple[Browser, Served]) -> None:
    page, served = seen
    facts = len(served.door.facts())
    assert facts > MOST_DRAWN, "there are more than a picture bears"
    assert page.until(f"document.querySelector('.graph-count').dataset.near === '{MOST_DRAWN}'", LONG_SECONDS)
    shown = f"{DRAWN}.edges().filter((id) => !{CANVAS}.sigma.getEdgeDisplayData(id).hidden)"
    assert page.until(f"{shown}.length === {MOST_DRAWN}", LONG_SECONDS)
    assert page.evaluate(f"{DRAWN}.size") == facts, "all of them are there"
    page.evaluate(f"""(() => {{
        const {{ sigma }} = {CANVAS}, graph = sigma.getGraph();
        const busiest = graph.nodes().reduce((one, other) => (graph.degree(other) > graph.degree(one) ? other : one));
        const {{ x, y }} = sigma.getNodeDisplayData(busiest);
        sigma.getCamera().setState({{ x, y, ratio: 0.05 }});
    }})()""")  # where something is: the middle may be empty
    assert page.until(f"Number(document.querySelector('.graph-count').dataset.near) < {MOST_DRAWN}", LONG_SECONDS)
    within = f"""(() => {{
        const {{ sigma }} = {CANVAS}, {{ width, height }} = sigma.getDimensions(), graph = sigma.getGraph();
        const near = (id) => {{
            const at = sigma.framedGraphToViewport(sigma.getNodeDisplayData(id));
            return at.x >= -1 && at.y >= -1 && at.x <= width + 1 && at.y <= height + 1;
        }};
        const edges = {shown};
        return edges.length > 0 && edges.every((id) => graph.extremities(id).some(near));
    }})()"""
    assert page.until(within, LONG_SECONDS)


_STILL = f"""new Promise((tell) => {{
    const {{ glide }} = {CANVAS};
    const look = (before) => {{
        const drawn = glide.drawn;
        if (drawn === before) tell(true);
        else setTimeout(() => requestAnimationFrame(() => look(drawn)), 400);
    }};
    look(-1);
}})"""
"""Nothing that was begun before is still to be drawn: what waits for the hand to rest waits for less than this."""
_WAY = f"""new Promise((tell) => {{
    const {{ sigma, glide }} = {CANVAS}, camera = sigma.getCamera(), graph = sigma.getGraph();
    const before = camera.getState(), begun = {{ ...glide }}, some = graph.nodes().slice(0, 50);
    const old = some.map((id) => sigma.framedGraphToViewport(sigma.getNodeDisplayData(id), {{ cameraState: before }}));
    let [worked, off, rests, last] = [0, 0, 0, performance.now()];
    sigma.on('beforeProcess', () => (worked += 1));
    camera.on('updated', (state) => {{
        const picture = document.querySelector('.canvas-picture'), now = performance.now();
        if (now - last > 100) rests += 1;
        last = now;
        if (picture.hidden) return;
        const matrix = new DOMMatrix(picture.style.transform);
        some.forEach((id, place) => {{
            const there = matrix.transformPoint(new DOMPoint(old[place].x, old[place].y));
            const meant = sigma.framedGraphToViewport(sigma.getNodeDisplayData(id), {{ cameraState: state }});
            off = Math.max(off, Math.hypot(there.x - meant.x, there.y - meant.y));
        }});
    }});
    camera.animate({{ ratio: 0.5, angle: 0.3 }}, {{ duration: 600 }}, () =>
        tell({{ worked, off, rests, moved: glide.moved - begun.moved, drawn: glide.drawn - begun.drawn }}));
}})"""
"""The camera goes a little way; how far the picture was from where each node should be, at most, and how often it stood
still on the way, as it may on a busy machine."""


def test_while_it_moves_the_picture_is_moved_and_nothing_is_worked_out_anew(seen: tuple[Browser, Served]) -> None:
    page, _ = seen
    assert page.until(f"document.querySelector('.graph-count').dataset.near === '{MOST_DRAWN}'", LONG_SECONDS)
    assert page.until(f"Number.isFinite({CANVAS}.glide.milliseconds)", LONG_SECONDS)
    page.evaluate(_STILL)
    page.evaluate(f"{CANVAS}.glide.milliseconds = 50")  # as where there is no graphics card
    told = page.evaluate(_WAY)
    assert told["worked"] == 0
    assert told["drawn"] <= told["rests"]
    assert told["moved"] > 0
    assert told["off"] < 1.0, "what is seen lies where it should, to a pixel"
    assert page.until("document.querySelector('.canvas-picture').hidden", LONG_SECONDS), "then it is drawn again"
    camera = f"{CANVAS}.sigma.getCamera().getState()"
    assert page.evaluate(f"{camera}.ratio") == 0.5


def test_who_opens_a_node_among_very_many_does_not_wait_for_all_of_them(seen: tuple[Browser, Served]) -> None:
    page, _ = seen
    assert page.until(f"document.querySelector('.graph-count').dataset.near === '{MOST_DRAWN}'", LONG_SECONDS)
    page.evaluate(f"""(() => {{
        const {{ sigma }} = {CANVAS}, graph = sigma.getGraph();
        globalThis.worked = 0;
        sigma.on('beforeProcess', () => (worked += 1));
        globalThis.chosen = graph.nodes().find((id) => graph.degree(id) < 5);
        location.hash += `&sel=entity:${{chosen}}`;
    }})()""")
    page.sees(".panel h2", None, LONG_SECONDS)
    colour = f"{CANVAS}.sigma.getNodeDisplayData(chosen).color"
    accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()"
    assert page.until(f"{colour} === {accent}", LONG_SECONDS), "it is marked"
    assert page.evaluate("worked") == 0


def test_a_hand_that_moves_touches_what_changed_and_nothing_else(seen: tuple[Browser, Served]) -> None:
    page, served = seen
    page.evaluate(f"""(() => {{
        const {{ sigma }} = {CANVAS}, graph = sigma.getGraph();
        globalThis.kept = {{ graph, places: new Map(graph.mapNodes((id, one) => [id, one.x])), events: {{}} }};
        for (const name of ['nodeAttributesUpdated', 'edgeAdded', 'edgeDropped', 'nodeDropped'])
            graph.on(name, () => (kept.events[name] = (kept.events[name] ?? 0) + 1));
    }})()""")
    now = {one.id for one in served.door.facts()}
    then = {one.id for one in served.door.facts(as_of="2024-06-01T00:00:00Z")}
    assert len(then - now) == 5
    page.open("graph", space="team", as_of="2024-06-01T00:00:00Z")
    assert page.until(
        f"{DRAWN}.size === {len(then)} && document.querySelector('.graph-count').dataset.settled === 'true'",
        LONG_SECONDS,
    )
    events = page.evaluate("kept.events")
    assert events.get("edgeDropped", 0) == len(now - then)
    assert events.get("edgeAdded", 0) == len(then - now)
    assert "nodeAttributesUpdated" not in events, "sizes are brought up to date all at once"
    still = "kept.graph.everyNode((id, one) => one.x === kept.places.get(id))"
    assert page.evaluate(f"{DRAWN} === kept.graph && {still}"), "what stays does not move"


def test_a_filter_is_asked_of_the_server_and_finds_what_was_not_drawn(seen: tuple[Browser, Served]) -> None:
    page, served = seen
    page.evaluate(f"""(() => {{
        const {{ sigma }} = {CANVAS}, adds = sigma.addEdge;
        globalThis.indexed = 0;
        sigma.addEdge = (...args) => (indexed += 1, adds.apply(sigma, args));
    }})()""")
    page.open("graph", space="team", rel="KNOWS", sure="0.5")
    expected = len(served.door.facts(relation="KNOWS"))
    assert page.until(f"{DRAWN}.size === {expected}", LONG_SECONDS)
    assert _asked(page).count("overview") == 2
    assert page.attribute(".graph-count", "data-edges") == str(expected)
    gone = len(served.door.facts()) - expected
    assert gone > 1_000
    assert page.evaluate("indexed") < 10 * expected, "many changes are told to who draws at once, not one by one"

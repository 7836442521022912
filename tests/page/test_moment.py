"""Two hands stand above all views: what was true on one day, as known on another."""

from __future__ import annotations

from tests.page.browser import Browser
from tests.page.conftest import Served

EDGES = ".graph-count"
MOMENTS = [
    (None, None),
    ("2022-01-01T00:00:00Z", None),
    ("2024-07-01T00:00:00Z", None),
    ("2024-07-01T00:00:00Z", "2024-08-01T00:00:00Z"),
    ("2025-06-01T00:00:00Z", "2025-07-01T00:00:00Z"),
    ("2025-06-01T00:00:00Z", "2025-09-01T00:00:00Z"),
    ("2026-06-01T00:00:00Z", "2023-10-20T00:00:00Z"),
]


def _said(as_of: str | None, known_at: str | None) -> dict[str, str]:
    return {name: at for name, at in (("as_of", as_of), ("known_at", known_at)) if at is not None}


def _shows(page: Browser, nodes: int, edges: int) -> None:
    """So many are counted, and so many are drawn."""
    drawn = "document.querySelector('.canvas')?.sigma?.getGraph()"
    told = f"document.querySelector('{EDGES}').dataset"
    as_wanted = f"{told}.edges === '{edges}' && {told}.nodes === '{nodes}' && {told}.settled === 'true'"
    if not page.until(f"{as_wanted} && {drawn}?.size === {edges} && {drawn}?.order === {nodes}"):
        raise AssertionError(f"{page.text(EDGES)} is shown, and not {nodes} and {edges}")


def _edges(page: Browser) -> int:
    assert page.until(f"document.querySelector('{EDGES}')?.dataset.settled === 'true'")
    return int(page.attribute(EDGES, "data-edges") or -1)


def test_the_graph_draws_the_edges_that_hold_at_both_hands(page: Browser, served: Served) -> None:
    seen = set()
    for as_of, known_at in MOMENTS:
        page.open("graph", space="team", **_said(as_of, known_at))
        facts = served.door.facts(as_of=as_of, known_at=known_at)
        seen.add(tuple(sorted(one.id for one in facts)))
        _shows(page, len({end for one in facts for end in (one.subject_id, one.object_id)}), len(facts))
    assert len(seen) == len(MOMENTS), "no two of these moments look alike"


def test_around_an_entity_it_draws_what_a_walk_finds_at_both_hands(page: Browser, served: Served) -> None:
    nora = served.door.entity_get("Nora").id
    relations = sorted({one.relation for one in served.door.facts(include_closed=True)})
    for as_of, known_at in MOMENTS[1:]:
        page.open("graph", space="team", start=nora, depth="2", **_said(as_of, known_at))
        walked = served.door.graph(nora, relations, 2, "both", as_of=as_of, known_at=known_at, limit=10_000)
        _shows(page, len(walked.nodes), len(walked.edges))


def test_typed_dates_move_the_hands_and_stand_in_the_address(page: Browser, served: Served) -> None:
    page.open("graph", space="team")
    page.fill("True on", "2024-07-01")
    page.press("Enter")
    page.fill("As known on", "1 August 2024")
    page.press("Enter")
    assert page.until("location.hash.includes('known_at=2024-08-01')")
    assert "as_of=2024-07-01" in page.evaluate("location.hash")
    expected = len(served.door.facts(as_of="2024-07-01T00:00:00Z", known_at="2024-08-01T00:00:00Z"))
    assert page.until(f"document.querySelector('{EDGES}').dataset.edges === '{expected}'")
    page.reload()
    page.sees(".view-graph h1")
    assert page.value("True on") == "1 Jul 2024"
    assert _edges(page) == expected


def test_words_for_a_time_are_read_as_in_a_question(page: Browser, served: Served) -> None:
    page.open("story", space="team")
    page.fill("True on", "last May")
    page.press("Enter")
    meant = served.door.when("last May")[0].start
    assert meant is not None
    assert page.until(f"decodeURIComponent(location.hash).includes('as_of={meant:%Y-%m-%d}')")
    page.fill("As known on", "as blue as the sea")
    page.press("Enter")
    page.sees(".clock-trouble", "names no time")


def test_a_hand_steps_from_change_to_change_by_keys(page: Browser, served: Served) -> None:
    page.open("plane", space="team")
    page.focus("As known on", "slider")
    page.press("ArrowLeft")
    entries = [line.at for line in served.door.journal(limit=3).lines]
    written = [f"{at.isoformat(timespec='microseconds')[:26]}Z" for at in entries]
    assert page.until(f"decodeURIComponent(location.hash).includes('known_at={written[0]}')")
    page.press("ArrowLeft")
    assert page.until(f"decodeURIComponent(location.hash).includes('known_at={written[1]}')")
    page.press("ArrowRight")
    assert page.until(f"decodeURIComponent(location.hash).includes('known_at={written[0]}')")
    page.press("End")
    assert page.until("!location.hash.includes('known_at')")
    assert page.attribute("[role=slider][aria-label='As known on']", "aria-valuetext") == "now"


def test_a_hand_is_dragged_and_put_back_to_now(page: Browser, served: Served) -> None:
    page.open("graph", space="team")
    now = _edges(page)
    page.drag("True on", "slider", -900)
    assert page.until("location.hash.includes('as_of=')")
    as_of = page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('as_of')")
    expected = len(served.door.facts(as_of=as_of))
    assert expected != now
    assert page.until(f"document.querySelector('{EDGES}').dataset.edges === '{expected}'")
    page.click("True on: now")
    assert page.until(f"document.querySelector('{EDGES}').dataset.edges === '{now}'")


def test_play_goes_from_change_to_change_until_it_is_stopped(page: Browser) -> None:
    """Where it has been is written down by the page: on a busy machine it may have gone on before anybody looks."""
    page.open("graph", space="team")
    page.evaluate("""(() => {
        window.been = [];
        for (const how of ["pushState", "replaceState"]) {
            const go = history[how].bind(history);
            history[how] = (...to) => { go(...to); window.been.push(location.hash); };
        }
    })()""")
    page.click("As known on: play")
    assert page.until("new Set(window.been).size > 1")
    page.click("As known on: stop")
    been = page.evaluate("window.been")
    assert "known_at=2023-10" in been[0]
    assert all("known_at=" in one for one in been)
    assert page.until("document.querySelector(\"[aria-label='As known on: play']\") !== null")


def test_play_begins_with_the_first_change_though_the_bar_has_not_heard_of_it_yet(
    page: Browser, served: Served
) -> None:
    """What the bar asks for itself is never answered here."""
    served.door.space("quiet").add("Nothing much happens")
    page.open("memories", space="quiet")
    page.evaluate("""(() => {
        const asked = window.fetch;
        window.fetch = (to, how) => `${how?.body}`.includes('"limit":160') ? new Promise(() => {}) : asked(to, how);
        window.shown = [];  // every moment, since on a busy machine the first is over before anybody looks
        for (const name of ["replaceState", "pushState"]) {
            const step = history[name];
            history[name] = (...to) => { step.apply(history, to); window.shown.push(location.hash); };
        }
    })()""")
    page.open("graph", space="team")
    page.click("As known on: play")
    assert page.until("window.shown.some((one) => one.includes('known_at=2023-10'))")
    page.click("As known on: stop")


def test_news_arrive_while_both_hands_stand_at_now_and_not_otherwise(page: Browser, served: Served) -> None:
    page.open("memories", space="team")
    page.sees(".memories td", "weekly meeting")
    served.door.add("The boiler was mended")
    page.sees(".memories td", "The boiler was mended")
    page.fill("As known on", "2026-02-20")
    page.press("Enter")
    page.sees_no(".memories td", "The boiler was mended")
    before = page.texts(".memories tbody tr")
    served.door.add("The roof was mended")
    assert page.until("false", 1.5) is None
    assert page.texts(".memories tbody tr") == before


def test_a_guess_is_shown_as_one(page: Browser, served: Served) -> None:
    served.door.assert_fact("Atlas", "USES", "Kafka", confidence=0.3)
    atlas = served.door.entity_get("Atlas").id
    page.open("graph", space="team", sel=f"entity:{atlas}")
    page.sees(".panel .fact", "Atlas uses Kafka")
    assert [one for one in page.texts(".panel .fact") if "perhaps" in one] == [
        one for one in page.texts(".panel .fact") if "Kafka" in one
    ]
    page.sees(".panel .doubt", "perhaps, 30 %")

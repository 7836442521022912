"""Each view's main journey, as a person would take it: looking, understanding, mending, taking back."""

from __future__ import annotations

from tests.page.browser import Browser
from tests.page.conftest import Served


def _fresh_door_says(served: Served, memory: str) -> str:
    return served.door.get(memory).state.value


def test_an_answer_tells_why_and_where_it_was_said(page: Browser, served: Served) -> None:
    page.open("ask", space="team")
    page.fill("Your question", "When does Atlas ship?")
    page.press("Enter")
    page.sees(".hit .said", "Atlas ships in April 2026")
    answer = served.door.recall("When does Atlas ship?", limit=10)
    assert page.texts(".hit .said") == [hit.memory.content for hit in answer]
    page.click_on(".hit:first-child .why-button")
    page.sees(".hit:first-child .bar-label", "Words")
    page.sees(".hit:first-child .quote mark", answer[0].memory.content)
    assert page.until("document.querySelectorAll('.hit:first-child .bar-fill').length >= 4")


def test_what_was_expected_and_is_missing_is_explained(page: Browser, served: Served) -> None:
    page.open("ask", space="team", q="When does Atlas ship?")
    page.sees(".hit")
    page.pick("Why not this one", "green tea")
    told = served.door.why_not("When does Atlas ship?", served.known["tea"], limit=10)
    page.sees(".why-not li", told.reasons[0])


def test_an_answer_is_copied_as_context(page: Browser, served: Served) -> None:
    page.open("ask", space="team", q="When does Atlas ship?")
    page.click("Copy as context")
    page.sees(".deed", "Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == served.door.context("When does Atlas ship?").text


def test_filters_narrow_an_answer_and_stand_in_the_address(page: Browser, served: Served) -> None:
    page.open("ask", space="team", q="What about Atlas?")
    page.sees(".hit")
    page.click_on(".filters summary")
    page.choose("Kind", "episode")
    assert page.until("location.hash.includes('kind=episode')")
    expected = [hit.memory.content for hit in served.door.recall("What about Atlas?", kinds=["episode"], limit=10)]
    assert page.until(f"document.querySelectorAll('.hit').length === {len(expected)}")
    assert page.texts(".hit .said") == expected


def test_an_entity_is_opened_from_the_graph_and_its_neighbours_are_shown(page: Browser, served: Served) -> None:
    page.open("graph", space="team")
    page.sees(".graph-count", "facts")
    page.pick("Around", "Atlas")
    atlas = served.door.entity_get("Atlas").id
    assert page.until(f"location.hash.includes('start={atlas}')")
    page.click_on(".listed summary")
    page.sees(".listed li", "Atlas written in Rust")
    page.click("Atlas", role="link", inside=".listed")
    page.sees(".panel h2", "Atlas")
    page.sees(".panel .fact", "Chen works on Atlas")


def test_relations_are_filtered_and_the_rest_is_not_drawn(page: Browser, served: Served) -> None:
    page.open("graph", space="team")
    page.click_on(".graph-tools .filters summary")
    page.check("lives in", exact=False)
    expected = len(served.door.facts(relation="LIVES_IN"))
    assert page.until(f"document.querySelector('.graph-count').dataset.edges === '{expected}'")
    assert page.until(f"document.querySelector('.canvas').sigma.getGraph().size === {expected}")


def test_a_path_between_two_is_told_in_words(page: Browser, served: Served) -> None:
    page.open("graph", space="team")
    page.click_on(".graph-tools .filters:last-child summary")
    page.pick("From", "Rust")
    page.pick("To", "Nora")
    page.sees(".paths li", "Rust")
    first = served.door.paths("Rust", "Nora", relations=["WRITTEN_IN", "WORKS_ON", "KNOWS"])[0]
    words = page.text(".paths li")
    assert [name for name in (node.name for node in first.nodes) if name and name not in words] == []


def test_a_late_correction_is_seen_on_the_time_plane(page: Browser, served: Served) -> None:
    nora = served.door.entity_get("Nora").id
    page.open("plane", space="team", node=nora, rel="LIVES_IN")
    told = served.door.beliefs("Nora", relation="LIVES_IN").beliefs
    assert page.until(f"document.querySelectorAll('.belief').length === {len(told)}")
    assert [one.object for one in told].count("Lisbon") == 2, "Lisbon without an end, and later with one"
    page.open("plane", space="team", node=nora, rel="LIVES_IN", as_of="2025-06-01", known_at="2025-07-01")
    page.sees(".plane-said strong", "Lisbon")
    page.open("plane", space="team", node=nora, rel="LIVES_IN", as_of="2025-06-01", known_at="2025-09-01")
    page.sees(".plane-said strong", "Vienna")
    vienna = next(one for one in told if one.object == "Vienna")
    page.click_on(".belief-there")
    page.sees(".panel .kicker", f"Entry {vienna.seq} of the journal")
    page.sees(".panel .lines", "Nora lives in Vienna")


def test_every_rectangle_is_what_the_facts_said_at_its_corners(served: Served) -> None:
    for one in served.door.beliefs("Nora", limit=1_000).beliefs:
        held = served.door.facts(as_of=one.valid_from, known_at=one.known_from)
        assert one.id in {fact.id for fact in held}
        if one.known_until is not None:
            then = served.door.facts(as_of=one.valid_from, known_at=one.known_until, include_closed=True)
            windows = {(fact.id, fact.valid_from, fact.valid_until) for fact in then}
            assert (one.id, one.valid_from, one.valid_until) not in windows


def test_a_story_is_told_in_sentences_and_leads_to_its_moments(page: Browser, served: Served) -> None:
    page.open("story", space="team")
    page.pick("The story of", "Nora")
    page.sees(".story li", "Nora no longer lives in Lisbon")
    page.sees(".story li", "Nora lives in Vienna")
    assert page.texts(".story h2") == ["2021", "2023", "2024", "2025", "2026"][: len(page.texts(".story h2"))]
    page.click("1 Mar", role="link")
    assert page.until("decodeURIComponent(location.hash).includes('as_of=2025-03-01')")


def test_a_memory_is_found_by_words_and_facets(page: Browser, served: Served) -> None:
    page.open("memories", space="team")
    page.fill("Words that stand in it", "atlas")
    page.press("Enter")
    expected = served.door.list(words="atlas", order="newest")
    page.sees(".graph-count", f"{len(expected)} memories")
    assert page.count(".memories tbody tr") == len(expected)
    page.click_on(".facet:has-text('episode')")
    page.sees(".graph-count", "1 memory")
    page.open("memories", space="team", state="forgotten")
    page.sees(".memories td", "bike locker")


def test_what_is_forgotten_by_mistake_is_back_with_one_press(page: Browser, served: Served) -> None:
    tea = served.known["tea"]
    page.open("memories", space="team", words="green tea")
    page.check("Choose Nora prefers green tea in the morning")
    page.click("Forget")
    page.sees(".deed", "Forgotten")
    page.sees(".table-side", "No memory is like that")
    assert _fresh_door_says(served, tea) == "forgotten"
    page.click("Undo")
    page.sees(".memories td", "green tea")
    assert _fresh_door_says(served, tea) == "active"


def test_a_wrong_answer_is_traced_to_its_source_and_put_right(page: Browser, served: Served) -> None:
    """Why is an answer wrong, when was it learned, and how is it mended: the walk of somebody new."""
    page.open("ask", space="team", q="When does Atlas ship?")
    page.click("Atlas ships in April 2026", role="link")
    page.sees(".panel .properties", "3 Nov 2025")
    page.sees(".panel .quote mark", "Atlas ships in April 2026")
    page.click("Correct")
    page.fill("What is right", "Atlas ships in June 2026")
    page.click("Keep the correction")
    page.sees(".panel h2", "Atlas ships in June 2026")
    page.sees(".hit .said", "Atlas ships in June 2026")
    assert _fresh_door_says(served, served.known["deadline"]) == "superseded"
    page.click("Undo")
    page.sees(".hit .said", "Atlas ships in April 2026")
    assert _fresh_door_says(served, served.known["deadline"]) == "active"


def test_what_is_wrong_is_mended_from_the_answer_and_its_fact_with_it(page: Browser, served: Served) -> None:
    """The new wording is read: the graph and the facts follow, and one press takes all of it back."""
    served.door.remember("Yrsa lives in Oslo.", extractor="reader")
    page.open("ask", space="team", q="Where does Yrsa live?")
    page.sees(".hit-facts", "learned")
    page.click("This is wrong")
    page.sees(".doing button.first:disabled", "Keep the correction")  # nothing is corrected yet
    page.fill("What is right", "Yrsa lives in Porto")
    page.click("Keep the correction")
    page.sees(".panel h2", "Yrsa lives in Porto")
    assert _homes(served) == ["Porto"]
    page.click("Undo")
    page.sees(".hit .said", "Yrsa lives in Oslo")
    assert _homes(served) == ["Oslo"]


def _homes(served: Served) -> list[str]:
    return [one.object for one in served.door.facts(subject="Yrsa", relation="LIVES_IN")]


def test_a_history_says_who_replaced_whom_and_who_did_it(page: Browser, served: Served) -> None:
    page.open("memories", space="team", sel=f"memory:{served.known['editor']}")
    page.sees(".panel .lines-what", "Was replaced by “Nora writes everything in Zed”")
    page.sees(".panel .properties", "by agent:scribe")
    page.sees(".panel .lines-who", "10 Jun 2024 by agent:scribe")
    page.open("memories", space="team", sel=f"memory:{served.known['zed']}")
    page.sees(".panel .lines-what", "Took the place of “Nora writes everything in Emacs”")
    assert not [one for one in page.texts(".panel .lines-what") if "←" in one or "→" in one]


def test_only_what_could_stand_higher_is_asked_why_it_does_not(page: Browser, served: Served) -> None:
    page.open("ask", space="team", q="What about Atlas?")
    page.sees(".hit:nth-child(2) .said")
    page.sees(".hit-facts", "from agent:scribe")
    assert page.count(".hit:first-child .quiet-link") == 0
    second = served.door.recall("What about Atlas?", limit=10)[1]
    page.click("Why not further up?", role="link")
    page.sees(".why-not", second.memory.content)
    page.sees(".why-not li", "It is among the answers")


def test_where_a_better_match_stands_lower_it_says_why(page: Browser, served: Served) -> None:
    """What held before stands behind what holds, though it has as many of the words."""
    for q in ("Where does Nora work?", "Where did Nora live before?", "What does Nora write everything in?"):
        page.open("ask", space="team", q=q, look="history")
        page.sees(".summary p")
        told = served.door.recall(q, view="history", limit=10)
        assert page.until(f"document.querySelectorAll('.hit').length === {len(told)}")
        behind = [
            any(round(one.score * 100) < round(hit.score * 100) for one in told[:n]) for n, hit in enumerate(told)
        ]
        assert page.count(".hit-moved") == sum(behind)
        assert page.count(".order-said") == (1 if any(behind) else 0)


def test_what_waits_is_grouped_and_the_next_follows_by_itself(page: Browser, served: Served) -> None:
    page.open("review", space="team")
    page.sees(".review-group h2", "Contradictions")
    assert [one.split()[0] for one in page.texts(".review-group h2")] == ["Contradictions", "Perhaps", "About"]
    page.sees(".review-item .decide", "Which one holds?")
    page.sees(".review-item .proposed", "Dismiss")
    page.click("Dismiss")
    page.sees(".review-item .decide", "Two names may mean one thing")
    page.click("Undo")
    page.sees(".review-item .decide", "Which one holds?")


def test_an_empty_space_says_where_to_begin(page: Browser, served: Served) -> None:
    served.door.space("empty").describe("Nothing yet")
    for view in ("ask", "graph", "memories"):
        page.open(view, space="empty")
        page.sees(".nothing", "Tell it something")
    page.goto("/#/nowhere?space=team")
    page.sees(".note", "no view called “nowhere”")


def test_the_plane_of_a_relation_is_found_without_an_address(page: Browser, served: Served) -> None:
    page.open("plane", space="team")
    page.click("lives in")
    page.sees(".plane h2", "Nora lives in")


def test_what_was_not_known_yet_is_said_calmly(page: Browser, served: Served) -> None:
    page.open(
        "ask",
        space="team",
        q="When does Atlas ship?",
        sel=f"memory:{served.known['deadline']}",
        known_at="2024-01-01T00:00:00Z",
    )
    page.sees(".panel", "not known yet")
    page.sees_no(".panel .trouble")


def test_tags_and_links_are_made_and_taken_back(page: Browser, served: Served) -> None:
    page.open("memories", space="team", words="weekly meeting")
    page.check("Choose The weekly meeting is on Monday")
    page.check("Choose The weekly meeting is on Tuesday")
    page.fill("Tag", "calendar")
    page.click("Add the tag")
    page.sees(".memories td", "calendar")
    assert {one.content for one in served.door.list(tags=["calendar"])} == {
        "The weekly meeting is on Monday",
        "The weekly meeting is on Tuesday",
    }
    page.click("Undo")
    page.sees_no(".memories td", "calendar")
    page.check("Choose The weekly meeting is on Monday")
    page.check("Choose The weekly meeting is on Tuesday")
    page.click("Link the two")
    page.sees(".deed", "Linked")


def test_a_purge_takes_a_typed_word_and_leaves_nothing(page: Browser, served: Served) -> None:
    locker = served.known["locker"]
    page.open("memories", space="team", state="forgotten", sel=f"memory:{locker}")
    page.click("Purge …")
    assert page.evaluate("[...document.querySelectorAll('.doing-danger button')][0].disabled")
    page.fill("Why", "a secret")
    page.fill("Type purge to go on", "purge")
    page.click("Purge it")
    page.sees(".deed", "not a byte of it is left")
    assert served.door.history(locker).state == "purged"


def test_a_review_is_decided_by_keys_and_taken_back(page: Browser, served: Served) -> None:
    page.open("review", space="team")
    page.sees(".review-item .said", "The weekly meeting is on Tuesday")
    page.press("j")
    page.sees(".review-item .said", "Nora Lind")
    page.press("k", "a")
    page.sees(".deed", "Applied")
    assert _fresh_door_says(served, served.known["monday"]) == "superseded"
    page.sees_no(".review-list", "two different days")
    page.press("u")
    page.sees(".review-list", "two different days")
    assert _fresh_door_says(served, served.known["monday"]) == "active"
    page.press("d")
    page.sees(".deed", "Dismissed")
    page.sees_no(".review-list", "two different days")
    page.press("u")
    page.sees(".review-list", "two different days")


def test_the_journal_is_checked_undone_and_carried_away(page: Browser, served: Served) -> None:
    page.open("journal", space="team")
    head = served.door.status().seq
    page.sees(".entry-seq", str(head))
    assert page.until("[...document.querySelectorAll('button')].some((one) => one.textContent === 'Older')")
    page.click("Verify")
    page.sees(".fine", f"{head} entries")
    saved = page.download("Export")
    assert saved["name"] == "team.jsonl"
    assert len(saved["text"].splitlines()) >= head
    page.click("Link", role="link")
    page.click("Undo this entry")
    page.sees(".deed", f"Entry {head} is undone")
    assert served.door.contradictions() == []


def test_health_counts_what_there_is_and_upkeep_says_what_it_did(page: Browser, served: Served) -> None:
    page.open("health", space="team")
    health = served.door.health()
    page.sees(".figure", str(health.memories))
    shown = dict(zip(page.texts(".figure span"), page.texts(".figure b"), strict=True))
    assert shown["memories that hold"] == str(health.memories)
    assert shown["wait for a decision"] == str(health.review_backlog)
    page.click("Run upkeep")
    page.sees(".upkeep-told li", "Decay", 60)


def test_what_is_told_is_shown_before_it_is_kept(page: Browser, served: Served) -> None:
    said = "I moved to Oslo on 2 February 2026."
    would = served.door.remember(said, speaker="Nora", dry_run=True)
    before = [one.to_dict() for one in served.door.facts()]
    page.open("tell", space="team")
    page.fill("What is there to say?", said)
    page.fill("Said by", "Nora")
    page.click("See what it would do")
    page.sees(".reading h2", f"{len(would.memories)} statement", 60)
    assert page.evaluate("[...document.querySelectorAll('.draft textarea')].map((one) => one.value)") == [
        one.content for one in would.memories
    ]
    for edge in would.closed:
        page.sees(".effects", f"{edge.source} {edge.relation.lower().replace('_', ' ')} {edge.target}")
    assert [one.to_dict() for one in served.door.facts()] == before, "nothing is kept yet"
    page.click("Keep it")
    page.sees(".deed", "Remembered", 60)
    kept = {one.content for one in served.door.list(order="newest", limit=len(would.memories))}
    assert kept == {one.content for one in would.memories}
    page.click("Undo")
    page.sees(".deed", "Undone")
    assert [one.to_dict() for one in served.door.facts()] == before


def test_a_reading_is_corrected_before_it_is_kept(page: Browser, served: Served) -> None:
    page.open("tell", space="team")
    page.fill("What is there to say?", "Hana plays the cello. Emil plays the drums.")
    page.fill("Said by", "Nora")
    page.click("See what it would do")
    page.sees(".draft textarea", None, 60)
    page.fill("The statement", "Hana plays the viola")
    page.click("Keep it as corrected")
    page.sees(".deed", "Remembered", 60)
    assert [one.content for one in served.door.list(words="Hana viola")] == ["Hana plays the viola"]
    assert len(served.door.list(words="Hana cello")) == 0


def test_a_setting_is_changed(page: Browser, served: Served) -> None:
    page.open("settings", space="team")
    page.fill("What it is for", "The team's memory")
    page.click("Keep")
    page.sees(".deed", "Described")
    assert served.door.about().description == "The team's memory"
    page.check("Touch on recall")
    page.sees(".deed", "Touch on recall changed")
    assert served.door.settings()["touch_on_recall"] is True


def test_every_view_is_a_link_that_can_be_sent(page: Browser, served: Served) -> None:
    nora = served.door.entity_get("Nora").id
    page.open("graph", space="team", as_of="2025-06-01T00:00:00Z", start=nora, sel=f"entity:{nora}")
    page.sees(".panel h2", "Nora")
    address = page.evaluate("location.hash")
    page.open("ask", space="team")
    page.goto("/" + address)
    page.sees(".panel .fact", "Nora lives in Vienna")
    assert page.value("True on") == "1 Jun 2025"

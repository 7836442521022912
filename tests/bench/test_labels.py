"""What do the yardsticks for reading and keeping up say of answers made by hand?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from bench.asserted import asserts
from bench.labels import Tally, ends_of, fact_key, name_key, same_date, says

from bench import extraction, labels, page, speed_remember, updates
from treering.ingest.receipt import NamedEntity, Receipt, Remembered, Triple
from treering.model.memory import Kind

AT = datetime(2026, 2, 10, tzinfo=UTC)


# comparing


@pytest.mark.parametrize(
    ("text", "wanted", "there"),
    [
        ("User\u2019s flat is in  Oslo", "user's flat", True),
        ("It costs 250 euros", "50", False),
        ("It costs 50 euros", "50", True),
        ("That is good", "Go", False),
        ("They write Go", "Go", True),
        ("They write Golang", "Golan", True),
        ("anything", "", False),
    ],
)
def test_words_stand_in_a_text_or_do_not(text: str, wanted: str, there: bool) -> None:
    assert says(text, wanted) is there


def test_a_name_is_the_same_with_and_without_what_stands_around_it() -> None:
    assert name_key("the Mill") == name_key("my Mill!") == "mill"
    assert name_key("my") == "my"
    assert name_key("I") == name_key("Sam", owner="Sam") == "user"
    assert name_key("Sam's sister", owner="Sam") == name_key("User's sister") == "sister"


def test_a_fact_is_the_same_from_either_end_and_by_another_word() -> None:
    assert fact_key("Acme", "employs", "me") == fact_key("User", "WORKS_AT", "Acme") == ("user", "WORKS_FOR", "acme")
    assert fact_key("Bo", "MET", "Al") == fact_key("Al", "MET", "Bo")
    assert fact_key("Bo", "OWNS", "Al") != fact_key("Al", "OWNS", "Bo")
    assert ends_of(fact_key("Bo", "OWNS", "Al")) == ends_of(fact_key("Al", "LIKES", "Bo"))


def test_a_date_is_right_to_the_precision_that_is_wanted() -> None:
    assert same_date(AT, "2026")
    assert same_date(AT, "2026-02")
    assert not same_date(AT, "2026-02-11")
    assert same_date(AT, "2026-02-11", labels.MONTH)
    assert not same_date(None, "2026")


def test_nothing_to_find_has_no_share_and_nothing_found_has_none() -> None:
    assert Tally().found("names") == {"precision": None, "recall": None, "f1": None}
    found = Tally()
    found.compare("names", {"a"}, ())
    assert found.found("names") == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("User works at Acme", True),
        ("User left Acme", False),
        ("User left Brightline, and works at Acme", True),
        ("User used to work at Acme, and liked it", False),
        ("User works at Acme?", False),
        ("User is not at Acme", False),
        ('The sign says "Acme"', False),
        ("User's left knee hurts since Acme", True),
        ("User might join Acme", False),
    ],
)
def test_what_is_over_denied_or_only_supposed_is_not_stated(text: str, stated: bool) -> None:
    assert asserts(text, "Acme") is stated


# reading


def _made(content: str, kind: Kind, **more: Any) -> Remembered:
    known: dict[str, Any] = {
        "id": content, "importance": 0.6, "confidence": 1.0, "event_time": None, "valid_from": AT, "expires_at": None,
        "source_id": "s",
    }  # fmt: skip
    return Remembered(content=content, kind=kind, **(known | more))


def _wanted(words: list[Any], kind: str, event: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "must_contain": words, "event": event, "entities": [{"name": "Acme", "kind": "organization"}]}


def _case(**more: Any) -> dict[str, Any]:
    known = {"id": "x", "speaker": "User", "none": False, "expires": None, "memories": [], "triples": []}
    return known | more


def _receipt(*made: Remembered) -> Receipt:
    return Receipt(space="s", seq=1, at=AT, source_ids=("s",), memories=made)


def test_memories_are_matched_so_that_most_are_covered_and_then_most_kinds_are_right() -> None:
    wanted = [_wanted(["Acme"], "semantic"), _wanted(["Acme", ["left", "quit"]], "episode")]
    made = [_made("User quit Acme", Kind.EPISODE), _made("User knows Acme", Kind.SEMANTIC)]
    assert extraction.matched(wanted, made) == (1, 0)
    assert extraction.matched(wanted, made[:1]) == (None, 0)
    assert extraction.matched(wanted, []) == (None, None)


def test_a_message_that_is_read_as_labelled_has_full_marks() -> None:
    acme = NamedEntity("1", "Acme", "organization", True)
    made = _made("User works at Acme", Kind.SEMANTIC, entities=(acme,), triples=(Triple("User", "WORKS_FOR", "Acme"),))
    case = _case(memories=[_wanted(["Acme"], "semantic", "2026-02")], triples=[["User", "WORKS_FOR", "Acme"]])
    misses: list[dict[str, Any]] = []
    told = extraction.figures(extraction.judge(case, _receipt(made), misses))
    assert misses == []
    assert (told["covered"], told["kinds"], told["made"], told["dates"]) == (1.0, 1.0, 1.0, 1.0)
    assert told["names"]["f1"] == told["facts"]["f1"] == 1.0


def test_small_talk_that_made_a_memory_is_not_quiet_and_is_told() -> None:
    misses: list[dict[str, Any]] = []
    told = extraction.figures(extraction.judge(_case(none=True), _receipt(_made("Good morning", Kind.EPISODE)), misses))
    assert told["quiet"] == 0.0
    assert [one["missed"] for one in misses] == ["small talk"]


def test_a_labelled_message_is_read_through_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_EMBEDDER", "none")
    told_before = [{"speaker": "User", "text": "My sister Ruth works at Acme."}]
    case = _case(
        at="2026-02-10T09:00:00Z",
        context=told_before,
        text="She lives in Oslo.",
        memories=[_wanted(["Ruth", "Oslo"], "semantic")],
        tests=["pronoun"],
    )
    told, _ = extraction.examine([case], extraction.Reader())
    assert told["tags"]["pronoun"]["covered"] == 1.0
    assert extraction.rows(told)[0] == ("memories covered", "1.000", "≥ 0.90", "met")


# keeping up


def _stream() -> dict[str, Any]:
    moved = "I left Acme and started at Corvane."
    said = (("2025-03-04T09:00:00Z", "I work at Acme."), ("2025-07-21T09:00:00Z", moved))
    asked = {"ask": "Where do I work?", "at": "2025-08-01T20:00:00Z", "as_of": None, "known_at": None}
    return {
        "id": "x",
        "tests": ["supersede"],
        "turns": [{"at": at, "session": "s", "speaker": "User", "text": text} for at, text in said],
        "checks": [
            {**asked, "want": ["Corvane"], "stale": ["Acme"]},
            {**asked, "as_of": "2025-04-15T12:00:00Z", "want": ["Acme"], "stale": []},
            {**asked, "known_at": "2025-04-15T12:00:00Z", "want": ["Acme"], "stale": ["Corvane"]},
        ],
        "facts_now": [["User", "WORKS_FOR", "Corvane", "2025-07"]],
        "facts_before": [["User", "WORKS_FOR", "Acme", None, "2025-07"]],
        "must_stay": ["Corvane"],
    }


def test_neutral_turns_are_mixed_in_between_and_always_the_same_ones() -> None:
    lines = [f"Neutral line {number}." for number in range(40)]
    mixed = updates.turns_of(_stream(), lines, 5)
    assert mixed == updates.turns_of(_stream(), lines, 5)
    assert len(mixed) == 7
    assert mixed == sorted(mixed, key=lambda turn: turn.at)
    assert mixed[0].text == "I work at Acme."
    assert len(updates.turns_of(_stream(), [], 5)) == 2


def test_a_stream_is_replayed_and_asked_at_its_own_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_EMBEDDER", "none")
    told = updates.examine([_stream()], ["The power went out for ten minutes."], 1).told["all"]
    assert (told["current"], told["stale"], told["as of"], told["known at"], told["leaked"]) == (1, 0, 1, 1, 0)
    assert (told["stayed"], told["facts now"]["f1"], told["facts before"], told["facts before, windows"]) == (
        1,
        1,
        1,
        1,
    )


# telling


def test_the_page_has_a_section_for_every_bench_that_was_run() -> None:
    written = page.page()
    run = [title for title, name, _, _ in page.SECTIONS if page.measured(name)]
    assert [line.removeprefix("## ") for line in written.splitlines() if line.startswith("## ")] == run


def test_tags_that_few_have_are_left_out_where_that_is_asked() -> None:
    row = updates.figures(Tally(streams=7))
    told = {"all": row, "tags": {"many": row, "few": {**row, "streams": 2}}}
    assert len(updates.tag_table(told)) == len(updates.tag_table(told, 5)) + 1


# speed


def test_the_speed_of_remembering_is_told_by_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TREERING_BENCH_DATA", raising=False)
    of, turns = speed_remember.turns(6)
    assert (of, len(turns)) == ("made up", 6)
    found = {way: speed_remember.measure(turns, "none", way) for way in speed_remember.WAYS}
    assert found["one a call"]["memories"] == found["many a call"]["memories"] >= 6
    told = {"embedders": {"none": found}, "cold_start": {"none": 1.0}}
    assert speed_remember.rows(told)[-1] == ("none: cold start", "1.00 s", "", "")
    assert speed_remember.stage_table(told)[0].startswith("| milliseconds a turn | extract | store | embed |")

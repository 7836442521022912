"""What a question finds in the present, in history and as of then, and within the filters of who asks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.recall.talks import keys, talk

from treering.door import Treering
from treering.errors import InvalidRequest

__all__ = ["talk"]


@pytest.fixture
def moved(mem: Treering, clock: HandClock) -> dict[str, str]:
    old = mem.add("Sam lives in Austin", key="old").id
    clock.advance(days=10)
    new = mem.revise(old, "Sam lives in Berlin", key="new").id
    clock.advance(days=10)
    return {"old": old, "new": new}


def test_what_was_replaced_is_out_of_the_present_and_labelled_in_history(mem: Treering, moved: dict[str, str]) -> None:
    assert keys(mem.recall("Where does Sam live?")) == ["new"]
    answer = mem.recall("Where does Sam live?", view="history")
    states = {hit.sources[0].key: (hit.state.value, hit.superseded_by, hit.supersedes) for hit in answer}
    assert states == {
        "old": ("superseded", moved["new"], ()),
        "new": ("active", None, (moved["old"],)),
    }


@pytest.mark.parametrize(
    ("question", "view"),
    [
        ("Where does Sam live?", "current"),
        ("Where does Sam live now?", "current"),
        ("Where did Sam use to live before?", "history"),
        ("Where did Sam live in 2019?", "history"),
        ("Where was Sam's previous home?", "history"),
        ("Where did Sam use to live?", "history"),
        ("Has Sam ever lived in Berlin?", "history"),
        ("Where was Sam living prior to the flood?", "history"),
        ("Where was Sam living before Munich?", "history"),
        ("Where was Sam's first flat?", "history"),
        ("What is Sam's old address?", "history"),
        ("How old is Sam?", "current"),
        ("What is Sam's last name?", "current"),
        ("What should Sam pack before the trip?", "current"),
    ],
)
def test_auto_looks_into_history_when_the_question_is_about_the_past(
    mem: Treering, moved: dict[str, str], question: str, view: str
) -> None:
    answer = mem.recall(question)
    assert answer.view.value == view
    assert ("old" in keys(answer)) == (view == "history")


def test_as_of_and_known_at_answer_as_it_was(mem: Treering, clock: HandClock, moved: dict[str, str]) -> None:
    then = clock.now - timedelta(days=15)
    assert keys(mem.recall("Sam lives", as_of=then)) == ["old"]
    assert keys(mem.recall("Sam lives", known_at=then, as_of=clock.now)) == ["old"]
    assert keys(mem.recall("Sam lives", as_of=then - timedelta(days=30))) == []


def test_expired_forgotten_and_restored(mem: Treering, clock: HandClock) -> None:
    plan = mem.add("Dentist at nine", expires_at=clock.now + timedelta(days=1), key="plan").id
    assert keys(mem.recall("dentist")) == ["plan"]
    clock.advance(days=2)
    assert keys(mem.recall("dentist")) == []
    assert [hit.state.value for hit in mem.recall("dentist", view="history")] == ["expired"]
    mem.forget(plan)
    assert keys(mem.recall("dentist", view="history")) == []
    mem.restore(plan)
    assert keys(mem.recall("dentist", view="history")) == ["plan"]


def test_both_sides_of_a_contradiction_are_shown_whatever_the_view(mem: Treering, moved: dict[str, str]) -> None:
    other = mem.add("Sam says home is Lisbon", key="other").id
    mem.link(other, moved["old"], "contradicts", why="cannot both be")
    [hit] = [hit for hit in mem.recall("Where is Sam's home, Lisbon?", view="current") if hit.memory.id == other]
    assert [(one.content, one.state.value, one.why) for one in hit.conflicts] == [
        ("Sam lives in Austin", "superseded", "cannot both be")
    ]


def test_a_supporting_memory_is_counted(mem: Treering) -> None:
    claim = mem.add("The bridge is closed", key="claim").id
    mem.link(mem.add("A sign says: no passage").id, claim, "supports")
    assert [hit.supporters for hit in mem.recall("bridge closed")] == [1]


# filters and wishes


def test_filters_narrow_before_the_search(mem: Treering, clock: HandClock) -> None:
    for number in range(60):
        mem.add(f"apple pie recipe number {number}", speaker="Ann", session="many")
    rare = mem.add("an apple", speaker="Bob", session="few", tags=["rare", "red"], kind="episode", entities=["Eve"]).id
    for narrowed in (
        {"tags": ["rare"]},
        {"tags": ["red", "rare"]},
        {"speaker": "Bob"},
        {"session": "few"},
        {"kinds": ["episode"]},
        {"entities": ["Eve"]},
        {"since": clock.now, "speaker": "Bob"},
    ):
        assert [hit.memory.id for hit in mem.recall("apple pie recipe", limit=3, **narrowed)] == [rare], narrowed
    for nobody in ({"tags": ["rare", "blue"]}, {"speaker": "Cy"}, {"entities": ["Nobody"]}, {"until": "2020-01-01"}):
        assert not mem.recall("apple pie recipe", **nobody).hits, nobody


def test_a_filtered_hit_scores_as_it_does_unfiltered(talk: Treering) -> None:
    whole = {hit.memory.id: hit.score for hit in talk.recall("pottery class bowl", limit=6)}
    for hit in talk.recall("pottery class bowl", speaker="Melanie"):
        assert hit.score == whole[hit.memory.id]


def test_limit_budget_and_least_score_bound_the_answer(talk: Treering) -> None:
    full = talk.recall("Melanie Caroline pottery bowl tickets adoption", limit=50)
    assert len(full) > 3
    assert len(talk.recall("Melanie Caroline pottery bowl tickets adoption", limit=2)) == 2
    small = talk.recall("Melanie Caroline pottery bowl tickets adoption", budget_tokens=12)
    assert 0 < small.tokens <= 12
    scores = [hit.score for hit in full]
    assert [hit.score for hit in talk.recall(full.query, limit=50, min_score=scores[1])] == [
        score for score in scores if score >= scores[1]
    ]


def test_neighbouring_turns_come_along_when_asked_for(talk: Treering) -> None:
    [hit] = talk.recall("pottery class", limit=1, neighbours=1)
    assert ([one.content for one in hit.before], [one.content for one in hit.after]) == (
        [],
        ["Lovely! What will you make first?"],
    )
    [hit] = talk.recall("blue bowl", limit=1, neighbours=5)
    assert [len(hit.before), len(hit.after)] == [2, 0]


def test_sources_are_named_and_quoted_unless_not_wanted(talk: Treering) -> None:
    [source] = talk.recall("tickets to Lisbon", limit=1)[0].sources
    assert (source.key, source.speaker, source.session) == ("t5", "Caroline", "s2")
    assert source.text == "I bought two train tickets to Lisbon."
    assert source.span == (0, len(source.text))
    assert talk.recall("tickets to Lisbon", limit=1, include_source=False)[0].sources[0].text is None


def test_recency_is_preferred_when_the_present_is_asked_for(mem: Treering, clock: HandClock) -> None:
    mem.add("The project lead is Ann of Oslo", key="old")
    clock.advance(days=200)
    mem.add("The project lead is Bob of Oslo", key="new")
    clock.advance(days=1)
    assert keys(mem.recall("Who is the project lead now?"))[0] == "new"
    assert keys(mem.recall("Who is the project lead?", recency_bias=1.0))[0] == "new"


def test_spaces_below_are_read_when_asked_for(mem: Treering) -> None:
    mem.add("parrots talk", space="zoo", key="top")
    mem.add("parrots fly", space="zoo/birds", key="below")
    mem.add("parrots sleep", space="zoology", key="beside")
    assert keys(mem.recall("parrots", space="zoo")) == ["top"]
    assert set(keys(mem.recall("parrots", space="zoo", children=True))) == {"top", "below"}
    assert [one.space for one in mem.recall("parrots", space="zoo", children=True).index] == ["zoo", "zoo/birds"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"query": ""}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "view": "some"}, "view"),
        ({"query": "x", "min_score": 2}, "min_score"),
        ({"query": "x", "as_of": "yesterday"}, "as_of"),
        ({"query": "x", "kinds": ["nonsense"]}, "kind"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_by_name(mem: Treering, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        mem.recall(**wrong)

"""A question that asks for a fact finds the memory that states it, whatever its words, at the time it asks about."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.recall import graph
from treering.recall.asked_facts import asks_for, by_the_owner


def told(mem: Treering, content: str, relation: str, value: str, at: str, who: str = "User") -> None:
    mem.remember(drafts=[{"content": content, "triples": [[who, relation, value]]}], at=at)


@pytest.fixture
def talk(mem: Treering, clock: HandClock) -> Treering:
    told(mem, "Sublime Text is what everything is typed in", "USES", "Sublime Text", "2025-01-22T09:00:00Z")
    told(mem, "Bo swears by Emacs", "USES", "Emacs", "2025-01-23T09:00:00Z", who="Bo")
    mem.add("The weather was fine in February", at="2025-02-10T09:00:00Z")
    return mem


def test_the_owner_finds_a_fact_in_other_words_than_it_was_told(talk: Treering) -> None:
    hits = talk.recall("What editor do I use?")
    assert hits[0].memory.content == "Sublime Text is what everything is typed in"


@pytest.mark.parametrize("asked", ["What do I like?", "What are my hobbies?", "What are my interests?"])
def test_every_fact_that_is_asked_for_is_found_though_nothing_else_speaks_for_it(mem: Treering, asked: str) -> None:
    told(mem, "Nothing beats an hour among old clocks", "LIKES", "old clocks", "2025-01-22T09:00:00Z")
    told(mem, "Two sugars in it and the day can begin", "LIKES", "sweet tea", "2025-01-23T09:00:00Z")
    mem.add("The bridge was closed for repairs", at="2025-02-10T09:00:00Z")
    hits = mem.recall(asked)
    assert {hit.memory.content for hit in hits[:2]} == {
        "Nothing beats an hour among old clocks",
        "Two sugars in it and the day can begin",
    }
    assert all("states what is asked for" in hit.why for hit in hits[:2])


def test_a_fact_is_found_however_many_others_were_told_of_the_same_before(
    talk: Treering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "FACTS_ASKED", 20)
    many = [
        {"content": f"Boat {number} was seen", "triples": [["User", "SAW", f"Boat {number}"]]} for number in range(30)
    ]
    talk.remember(drafts=many, at="2024-01-01T09:00:00Z")
    hits = talk.recall("What editor do I use?")
    assert hits[0].memory.content == "Sublime Text is what everything is typed in"


def test_a_fact_that_held_then_is_of_that_time_whenever_it_was_said(talk: Treering) -> None:
    hits = talk.recall("What editor was I on in February?", as_of="2025-02-15T12:00:00Z")
    assert hits[0].memory.content == "Sublime Text is what everything is typed in"


def test_a_fact_that_did_not_hold_then_is_not_what_is_asked_for(talk: Treering) -> None:
    def found(query: str) -> list[str]:
        return [hit.memory.content for hit in talk.recall(query, view="history")]

    assert found("What editor was I on in March 2025?")[0].startswith("Sublime Text")
    assert not found("What editor was I on in May 2024?")


def test_without_a_first_person_nothing_of_the_owner_is_asked_for(talk: Treering) -> None:
    assert talk.recall("What editor does Bo use?")[0].memory.content == "Bo swears by Emacs"


@pytest.mark.parametrize(
    ("text", "owner"),
    [("Where do I live?", True), ("my rent", True), ("Where does Ian live?", False), ("Miami", False)],
)
def test_who_says_i_is_the_owner(text: str, owner: bool) -> None:
    assert by_the_owner(text) is owner


def test_an_unknown_relation_is_asked_for_by_its_own_words() -> None:
    assert asks_for("RATE_LIMIT", frozenset({"limit"}))
    assert not asks_for("RATE_LIMIT", frozenset({"live"}))

"""What is known after plain sentences, said one after the other in one space? Near by an embedder.

What was said before stays, unless what is said later takes its place: both are tested, in pairs that look alike. What
the reader is not sure of is handed in with its facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import Fact, claim, current, day, known, rules, windows

import treering
from treering import Treering
from treering.ingest.receipt import Receipt
from treering.model.edge import LIKELY

Said = str | Mapping[str, Any]
"""A sentence to be read, or a draft."""


@pytest.fixture
def mem(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", embedder="turnfinder", extractor="reader", clock=clock) as door:
        yield door


def told(mem: Treering, clock: HandClock, *said: Said) -> Receipt:
    """All of it in one session, a day apart; the receipt of the last."""
    for one in said:
        given: dict[str, Any] = {"content": one} if isinstance(one, str) else {"drafts": [one]}
        receipt = mem.remember(**given, session="talk")
        clock.advance(days=1)
    return receipt


def drawn(text: str, relation: str, object_: str, instead_of: str | None = None, **draft: Any) -> Said:
    """A sentence with what it states of User."""
    return {"content": text, "triples": [claim("User", relation, object_, instead_of=instead_of)], **draft}


def fact(text: str) -> Fact:
    subject, relation, object_ = (one.strip() for one in text.split("|"))
    return subject, relation, object_


# what is denied


@pytest.mark.parametrize(
    ("before", "now", "stays"),
    [
        ("I live in Austin.", "I do not live in Boston.", "User | LIVES_IN | Austin"),
        ("I live in Porto.", "I no longer live in Braga.", "User | LIVES_IN | Porto"),
        ("I work at Hatch.", "I do not work at Finch.", "User | WORKS_FOR | Hatch"),
        ("My budget is 500 euros.", "My budget is no longer 300 euros.", "User | BUDGET | 500 euros"),
    ],
)
def test_to_deny_one_value_leaves_another_alone(
    mem: Treering, clock: HandClock, before: str, now: str, stays: str
) -> None:
    receipt = told(mem, clock, before, now)
    assert (receipt.closed, receipt.superseded) == ((), ())
    assert fact(stays) in known(mem)


@pytest.mark.parametrize(
    ("before", "now", "relation"),
    [
        ("I live in Austin.", "I no longer live in Austin.", "LIVES_IN"),
        ("I work at Hatch.", "I don't work at Hatch anymore.", "WORKS_FOR"),
        (
            drawn("I live in Austin.", "LIVES_IN", "Austin"),
            {
                "content": "I do not live in Austin.",
                "triples": [claim("User", "LIVES_IN", "Austin", stance="ends")],
            },
            "LIVES_IN",
        ),
    ],
)
def test_what_is_denied_itself_has_held_until_then(
    mem: Treering, clock: HandClock, before: Said, now: Said, relation: str
) -> None:
    receipt = told(mem, clock, before, now)
    assert len(receipt.superseded) == 1
    ((_, since, until),) = windows(mem, "User", relation)
    assert until is not None
    assert since < until


# what is corrected


@pytest.mark.parametrize(
    "said",
    [
        ("I like tea.", "I like jazz.", "I actually like broccoli."),
        ("I have a cat.", "Actually, I have a dog as well."),
        ("I use Vim.", "Actually, I use Emacs too."),
        ("I speak French.", "Actually I speak German."),
        ("I visited Rome.", "Actually I visited Paris too."),
        ("I am allergic to nuts.", "Actually I'm allergic to shellfish."),
        ("I am a member of the chess club.", "Actually I am a member of the rowing club."),
        ("We went to the lake with Anna.", "Actually Bob came to the lake too."),
    ],
)
def test_a_correction_leaves_other_values_of_what_may_have_many(
    mem: Treering, clock: HandClock, said: tuple[str, ...]
) -> None:
    receipt = told(mem, clock, *said)
    assert (receipt.closed, receipt.superseded) == ((), ())
    assert len(current(mem)) == len(said)


@pytest.mark.parametrize(
    "said",
    [
        (
            drawn("I like tea.", "LIKES", "tea"),
            drawn("I actually like broccoli.", "LIKES", "broccoli", cue="correction"),
        ),
        (drawn("I have a cat.", "OWNS", "cat"), drawn("Sorry, I have a dog too.", "OWNS", "dog", cue="correction")),
        (
            drawn("My dog is called Rex.", "OWNS", "Rex"),
            drawn("Actually my car is red.", "OWNS", "red car", cue="correction"),
        ),
    ],
)
def test_a_correction_that_takes_nothing_back_leaves_what_was_said_last(
    mem: Treering, clock: HandClock, said: tuple[Said, ...]
) -> None:
    receipt = told(mem, clock, *said)
    assert (receipt.closed, receipt.superseded) == ((), ())
    assert len(known(mem)) == len(said)


@pytest.mark.parametrize(
    ("said", "gone", "left"),
    [
        (
            (
                drawn("I like jazz.", "LIKES", "jazz"),
                drawn("I like tea.", "LIKES", "tea"),
                drawn("Actually I like blues, not jazz.", "LIKES", "blues", cue="correction"),
            ),
            "jazz",
            {"tea", "blues"},
        ),
        (("I use Vim.", "I use tmux.", "Scratch that, I use Neovim."), "tmux", {"Vim", "Neovim"}),
        (
            (
                drawn("My dog is called Rex.", "OWNS", "Rex"),
                drawn("Actually my dog is called Max.", "OWNS", "Max", cue="correction"),
            ),
            "Rex",
            {"Max"},
        ),
        (("I visited Rome in May.", "Actually I visited Naples in May, not Rome."), "Rome", {"Naples"}),
    ],
)
def test_a_correction_takes_back_what_it_names_or_what_was_said_last(
    mem: Treering, clock: HandClock, said: tuple[Said, ...], gone: str, left: set[str]
) -> None:
    receipt = told(mem, clock, *said)
    assert rules(receipt) == {(gone, "corrected")}
    assert {object_ for _, _, object_ in known(mem)} == left


def test_what_is_corrected_never_was_and_what_has_changed_was_so_until_then(mem: Treering, clock: HandClock) -> None:
    told(mem, clock, "I live in Austin.", "Sorry, I live in Dallas.")
    told(mem, clock, "I work at Hatch.", "Actually, I'm at Finch now.")
    (_, never, same), _ = windows(mem, "User", "LIVES_IN")
    (_, since, until), _ = windows(mem, "User", "WORKS_FOR")
    assert never == same
    assert until is not None
    assert since < until


def test_what_is_said_not_to_be_is_no_fact(mem: Treering, clock: HandClock) -> None:
    told(mem, clock, "I like blues, not jazz.")
    assert known(mem) == {("User", "PREFERS", "blues")}


# tastes


@pytest.mark.parametrize(
    ("before", "now", "gone", "stands"),
    [
        ("I love pizza.", "I hate pizza.", "pizza", "User | DISLIKES | pizza"),
        ("My sister loves jazz.", "My sister hates jazz.", "jazz", "User's sister | DISLIKES | jazz"),
        ("I prefer tea.", "I hate tea.", "tea", "User | DISLIKES | tea"),
        ("I prefer aisle seats.", "I prefer window seats now.", "aisle seats", "User | PREFERS | window seats"),
        (
            "My favourite colour is blue.",
            "My favourite colour is green now.",
            "blue",
            "User | LIKES | green",
        ),
    ],
)
def test_a_taste_makes_way_for_its_opposite_and_for_another_of_its_kind(
    mem: Treering, clock: HandClock, before: str, now: str, gone: str, stands: str
) -> None:
    receipt = told(mem, clock, before, now)
    assert [one.target for one in receipt.closed] == [gone]
    assert len(receipt.superseded) == 1
    assert known(mem) == {fact(stands)}


def test_what_is_liked_no_more_makes_way_for_nothing(mem: Treering, clock: HandClock) -> None:
    receipt = told(mem, clock, "I like coffee.", "I don't like coffee anymore.")
    assert rules(receipt) == {("coffee", "ended")}
    assert len(receipt.superseded) == 1
    assert known(mem) == set()


@pytest.mark.parametrize(
    ("before", "now", "gone", "stands"),
    [
        (
            drawn("I hate olives.", "DISLIKES", "olives"),
            drawn("Actually I like olives now.", "LIKES", "olives", cue="change"),
            "olives",
            "User | LIKES | olives",
        ),
        (
            drawn("I prefer tea over coffee.", "PREFERS", "tea", "coffee"),
            drawn("I prefer coffee over tea.", "PREFERS", "coffee", "tea"),
            "tea",
            "User | PREFERS | coffee",
        ),
        (
            drawn("My favourite colour is blue.", "FAVOURITE_COLOUR", "blue"),
            drawn("My favourite colour is green now.", "FAVOURITE_COLOUR", "green", cue="change"),
            "blue",
            "User | FAVOURITE_COLOUR | green",
        ),
    ],
)
def test_a_taste_that_is_handed_in_makes_way_too(
    mem: Treering, clock: HandClock, before: Said, now: Said, gone: str, stands: str
) -> None:
    receipt = told(mem, clock, before, now)
    assert [one.target for one in receipt.closed] == [gone]
    assert len(receipt.superseded) == 1
    assert known(mem) == {fact(stands)}


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("I love pizza.", "I hate olives."),
        ("I love dogs.", "My wife hates dogs."),
        ("I love hiking in Norway.", "I hate hiking in the rain."),
        ("I like spicy food.", "I dislike food that is too salty."),
        ("I prefer aisle seats.", "I prefer dark chocolate now."),
        ("I prefer tea.", "I prefer green tea."),
        ("I prefer green tea.", "I prefer tea."),
        ("My favorite food is ramen.", "My favorite drink is tea."),
    ],
)
def test_tastes_that_can_both_be_so_stay(mem: Treering, clock: HandClock, before: str, now: str) -> None:
    receipt = told(mem, clock, before, now)
    assert (receipt.closed, receipt.superseded) == ((), ())
    assert len(current(mem)) == 2


# since when


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("My son Ben starts school in September.", "User | PARENT_OF | Ben"),
        ("My wife Elena has surgery on March 20.", "User | MARRIED_TO | Elena"),
        ("My dog Rex sees the vet on Friday.", "User | OWNS | Rex"),
        ("My friend Kim visits us in June.", "User | FRIEND_OF | Kim"),
        ("My birthday is March 5.", "User | BIRTHDAY | March 5"),
        ("The deadline for the report is May 3.", "report | DEADLINE | May 3"),
    ],
)
def test_what_is_said_in_passing_and_what_is_a_day_itself_holds_from_when_it_was_said(
    mem: Treering, clock: HandClock, said: str, stated: str
) -> None:
    at = clock.now
    mem.remember(said)
    assert [one.valid_from for one in mem.facts() if (one.subject, one.relation, one.object) == fact(stated)] == [at]


@pytest.mark.parametrize(
    ("said", "when", "stated"),
    [
        ("User's son Ben starts school in September", "2026-09", "User | PARENT_OF | Ben"),
        ("User's wife Elena has surgery on March 20", "2026-03-20", "User | PARTNER_OF | Elena"),
        ("User's boss Priya is leaving on Friday", "2026-01-02", "Priya | MANAGES | User"),
        ("User's friend Kim visited in June", "2025-06", "User | FRIEND_OF | Kim"),
    ],
)
def test_what_is_handed_in_as_said_in_passing_holds_from_when_it_was_said(
    mem: Treering, clock: HandClock, said: str, when: str, stated: str
) -> None:
    at = clock.now
    mem.remember(drafts=[{"content": said, "triples": [claim(*fact(stated))], "event_time": day(when)}])
    assert [(one.object, one.valid_from) for one in mem.facts(include_closed=True)] == [(fact(stated)[2], at)]


@pytest.mark.parametrize(
    ("said", "subject", "relation"),
    [
        ("My daughter Ada was born on May 3, 2019.", "User", "PARENT_OF"),
        ("I married my girlfriend Elena in May 2019.", "User", "MARRIED_TO"),
        ("I started working at Hatch in May 2019.", "User", "WORKS_FOR"),
    ],
)
def test_what_begins_at_the_time_that_is_told_holds_from_then(
    mem: Treering, said: str, subject: str, relation: str
) -> None:
    mem.remember(said)
    ((_, since, _),) = windows(mem, subject, relation)
    assert since.startswith("2019-05")


# places, and what one has


@pytest.mark.parametrize(
    ("said", "homes"),
    [
        (("I live in Denver.", "I live in Capitol Hill, a neighborhood of Denver."), {"Denver", "Capitol Hill"}),
        (("I live in London.", "I live in Camden, London."), {"London", "Camden, London"}),
        (("I live in Bonn.", "I'm staying in Ulm for two weeks."), {"Bonn"}),
        (("I live in Bonn.", "I live in Ulm."), {"Ulm"}),
        (("I live in Denver.", "I moved to Boulder, far from Denver."), {"Boulder"}),
    ],
)
def test_a_part_of_the_place_and_a_stay_end_no_home(
    mem: Treering, clock: HandClock, said: tuple[str, ...], homes: set[str]
) -> None:
    told(mem, clock, *said)
    sure = [one for one in mem.facts(subject="User", relation="LIVES_IN") if one.confidence >= LIKELY]
    assert {one.object for one in sure} == homes


def test_a_place_known_to_lie_in_another_stands_beside_it(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Denver", "LOCATED_IN", "Colorado")
    told(mem, clock, "I live in Denver.", "I live in Colorado.")
    assert {object_ for _, relation, object_ in known(mem) if relation == "LIVES_IN"} == {"Denver", "Colorado"}


def test_what_one_has_is_another_where_it_is_said_to_be(mem: Treering, clock: HandClock) -> None:
    told(mem, clock, "My email is a@b.com", "My email is c@d.com now", "I speak French.", "I speak German.")
    assert {one[1:] for one in known(mem)} == {("EMAIL", "c@d.com"), ("SPEAKS", "French"), ("SPEAKS", "German")}


# what the receipt tells


def test_a_receipt_names_all_that_came_in_and_says_that_it_is_new(mem: Treering) -> None:
    named = {one.name: one.created for one in mem.remember("I love pizza.").entities}
    assert named == {"User": True, "pizza": True}
    named = {one.name: one.created for one in mem.remember("I moved from Berlin to Lisbon.").entities}
    assert (named["Berlin"], named["Lisbon"]) == (True, True)
    named = {one.name: one.created for one in mem.remember("I like Lisbon.").entities}
    assert named["Lisbon"] is False

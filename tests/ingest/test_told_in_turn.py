"""What is known after plain sentences, said one after the other in one space? Read by the rules, near by an embedder.

What was said before stays, unless what is said later takes its place: both are tested, in pairs that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import Fact, current, known, rules, windows

import treering
from treering import Treering
from treering.ingest.receipt import Receipt


@pytest.fixture
def mem(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", embedder="turnfinder", extractor="rules", clock=clock) as door:
        yield door


def told(mem: Treering, clock: HandClock, *said: str) -> Receipt:
    """All of it in one session, a day apart; the receipt of the last."""
    for text in said:
        receipt = mem.remember(text, session="talk")
        clock.advance(days=1)
    return receipt


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
        ("I live in Austin.", "I do not live in Austin.", "LIVES_IN"),
    ],
)
def test_what_is_denied_itself_has_held_until_then(
    mem: Treering, clock: HandClock, before: str, now: str, relation: str
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
    ("said", "gone", "left"),
    [
        (("I like jazz.", "I like tea.", "Actually I like blues, not jazz."), "jazz", {"tea", "blues"}),
        (("I use Vim.", "I use tmux.", "Scratch that, I use Neovim."), "tmux", {"Vim", "Neovim"}),
        (("My dog is called Rex.", "Actually my dog is called Max."), "Rex", {"Max"}),
        (("I visited Rome in May.", "Actually I visited Naples in May, not Rome."), "Rome", {"Naples"}),
    ],
)
def test_a_correction_takes_back_what_it_names_or_what_was_said_last(
    mem: Treering, clock: HandClock, said: tuple[str, ...], gone: str, left: set[str]
) -> None:
    receipt = told(mem, clock, *said)
    assert rules(receipt) == {(gone, "corrected")}
    assert {object_ for _, _, object_ in known(mem)} == left


def test_what_is_corrected_never_was_and_what_has_changed_was_so_until_then(mem: Treering, clock: HandClock) -> None:
    told(mem, clock, "I live in Austin.", "Actually I live in Dallas.")
    told(mem, clock, "I work at Hatch.", "Actually, I'm at Finch now.")
    (_, never, same), _ = windows(mem, "User", "LIVES_IN")
    (_, since, until), _ = windows(mem, "User", "WORKS_FOR")
    assert never == same
    assert until is not None
    assert since < until


def test_what_is_said_not_to_be_is_no_fact(mem: Treering, clock: HandClock) -> None:
    told(mem, clock, "I like blues, not jazz.")
    assert known(mem) == {("User", "LIKES", "blues")}


# tastes


@pytest.mark.parametrize(
    ("before", "now", "gone", "stands"),
    [
        ("I love pizza.", "I hate pizza.", "pizza", "User | DISLIKES | pizza"),
        ("I hate olives.", "Actually I like olives now.", "olives", "User | LIKES | olives"),
        ("I like coffee.", "I don't like coffee anymore.", "coffee", "User | DISLIKES | coffee"),
        ("My sister loves jazz.", "My sister hates jazz.", "jazz", "User's sister | DISLIKES | jazz"),
        ("I prefer tea.", "I hate tea.", "tea", "User | DISLIKES | tea"),
        ("I prefer tea over coffee.", "I prefer coffee over tea.", "tea", "User | PREFERS | coffee"),
        ("I prefer aisle seats.", "I prefer window seats now.", "aisle seats", "User | PREFERS | window seats"),
        (
            "My favourite colour is blue.",
            "My favourite colour is green now.",
            "blue",
            "User | FAVOURITE_COLOUR | green",
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
        ("My wife Elena has surgery on March 20.", "User | PARTNER_OF | Elena"),
        ("My boss Priya is leaving on Friday.", "Priya | MANAGES | User"),
        ("My dog Rex sees the vet on Friday.", "User | OWNS | Rex"),
        ("My friend Kim visited us in June.", "User | FRIEND_OF | Kim"),
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
    ("said", "subject", "relation"),
    [
        ("My daughter Ada was born on May 3, 2019.", "User", "PARENT_OF"),
        ("I married my girlfriend Elena in May 2019.", "User", "PARTNER_OF"),
        ("I joined Hatch in May 2019.", "User", "WORKS_FOR"),
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
        (("I live in London.", "I live in Camden, London."), {"London", "Camden"}),
        (("I live in Bonn.", "I'm staying in Ulm for two weeks."), {"Bonn"}),
        (("I live in Bonn.", "I live in Ulm."), {"Ulm"}),
        (("I live in Denver.", "I moved to Boulder, far from Denver."), {"Boulder"}),
    ],
)
def test_a_part_of_the_place_and_a_stay_end_no_home(
    mem: Treering, clock: HandClock, said: tuple[str, ...], homes: set[str]
) -> None:
    told(mem, clock, *said)
    assert {object_ for _, relation, object_ in known(mem) if relation == "LIVES_IN"} == homes


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

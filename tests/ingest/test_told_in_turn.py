"""What is known after plain sentences, said one after the other in one space? Read by the rules, near by an embedder.

What was said before stays, unless what is said later takes its place: both are tested, in pairs that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import Fact, known, windows

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
        ("My budget is 300 euros.", "My budget is no longer 300 euros.", "BUDGET"),
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

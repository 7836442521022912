"""What people say in passing leaves what is true of them alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.conftest import HandClock

import treering

EVENING = datetime(2026, 3, 2, 20, tzinfo=UTC)
"""What is told of the day is over by then."""


@pytest.fixture(scope="module")
def mem() -> Iterator[treering.Treering]:
    with treering.open(
        ":memory:",
        space="told",
        embedder="turnfinder",
        extractor="reader",
        judge="turnreader",
        clock=HandClock(EVENING),
    ) as door:
        yield door


def _told(mem: treering.Treering, space: str, *said: str) -> set[str]:
    """The facts that hold after this was said, turn by turn; "question | answer" is asked by an assistant."""
    for one in said:
        question, _, answer = one.rpartition(" | ")
        asked = [{"role": "assistant", "content": question}] if question else []
        mem.remember(messages=[*asked, {"role": "user", "content": answer}], space=space, session="s")
    return {f"{one.relation} {one.object}" for one in mem.facts(subject="User", space=space)}


STAYS = [
    ("I live in Oslo.", "Where does your brother Tom live? | Berlin."),
    ("I live in Oslo.", "Where did you live before? | Riga"),
    ("I take metformin.", "I didn't take metformin today."),
    ("I work at Nokia.", "I left Nokia at 6 pm today."),
    ("I work at Nokia.", "I nearly took a job at Volvo."),
    ("I live in Oslo.", "I dreamed that I lived in New York and worked for NASA."),
    ("I like tea.", "I actually like broccoli."),
    ("I work at Nokia.", "I will join Volvo."),
]


@pytest.mark.parametrize(("true", "said"), STAYS)
def test_what_is_true_stays_true(mem: treering.Treering, true: str, said: str) -> None:
    space = f"stays-{STAYS.index((true, said))}"
    before = _told(mem, space, true)
    assert before
    assert before <= _told(mem, space, said)


GOES = [
    ("I live in Oslo.", "Sorry, I meant Bergen.", {"LIVES_IN Bergen"}),
    ("I live in Oslo.", "Do you still live in Oslo? | No.", set()),
    ("I live in Oslo.", "Do you still live in Oslo? | No, I moved to Bergen.", {"LIVES_IN Bergen"}),
    ("I use Figma.", "I don't use Figma anymore.", set()),
    ("We're moving to Porto.", "We're not moving to Porto after all.", set()),
    ("I work at Nokia.", "Do you still work at Nokia? | No, not any more.", set()),
    ("I work at Nokia.", "Did you leave Nokia? | Yes, I left Nokia.", set()),
]


@pytest.mark.parametrize(("true", "said", "left"), GOES)
def test_what_is_no_longer_true_goes(mem: treering.Treering, true: str, said: str, left: set[str]) -> None:
    space = f"goes-{[one[1] for one in GOES].index(said)}"
    assert _told(mem, space, true, said) == left

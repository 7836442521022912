"""What was asked before: a reply to such a question is found although it shares nothing with what is asked now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering.door import Treering
from treering.recall import fuse

ASKED = "What plans for the summer does Ann have?"
QUESTION, REPLY = ("Ben", "Great. Any plans for the summer?"), ("Ann", "Looking for an agency.")
OTHERS = [
    ("Ben", "My bike has a flat tyre."),
    ("Ann", "Mine stood outside all winter."),
    ("Ben", "Is the coffee ready?"),
    ("Ann", "In a minute or two."),
]


@pytest.fixture
def mem(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", clock=clock, embedder=Hashing()) as door:
        yield door


def tell(mem: Treering, *turns: tuple[str | None, str]) -> list[str]:
    return [mem.add(text, speaker=speaker, session="1", key=text).id for speaker, text in turns]


def worth(mem: Treering, asked: str = ASKED) -> dict[str, float]:
    """What each turn gets for replying, where that is anything."""
    answer = mem.recall(asked, limit=100, explain=True)
    found = {}
    for hit in answer:
        assert hit.explanation is not None
        said = hit.explanation.signals["semantic"].parts["reply"]
        if said:
            found[hit.memory.content] = said
    return found


def test_a_reply_to_such_a_question_comes_before_other_turns_and_says_why(mem: Treering) -> None:
    tell(mem, QUESTION, REPLY, *OTHERS, *OTHERS)
    hits = {hit.memory.content: place for place, hit in enumerate(mem.recall(ASKED))}
    assert hits[REPLY[1]] <= 1
    told = {hit.memory.content: hit.why for hit in mem.recall(ASKED)}
    assert "replies to such a question" in told[REPLY[1]]
    assert all("replies" not in why for content, why in told.items() if content != REPLY[1])


def test_only_what_stands_right_behind_the_question_replies_to_it(mem: Treering) -> None:
    tell(mem, QUESTION, REPLY, *OTHERS)
    assert list(worth(mem)) == [REPLY[1]]


def test_who_goes_on_after_asking_does_not_reply(mem: Treering) -> None:
    tell(mem, QUESTION, ("Ben", REPLY[1]), *OTHERS)
    assert worth(mem) == {}


def test_a_statement_is_no_question(mem: Treering) -> None:
    tell(mem, ("Ben", "Great. Many plans for the summer."), REPLY, *OTHERS)
    assert worth(mem) == {}


def test_the_sentence_that_asks_is_what_counts(mem: Treering) -> None:
    tell(mem, ("Ben", "Great plans for the summer. Is it raining?"), REPLY, *OTHERS)
    aside = worth(mem).get(REPLY[1], 0.0)
    tell(mem, ("Ben", "Is it raining. Great plans for the summer?"), ("Ann", "The agency rang."))
    assert worth(mem)["The agency rang."] > aside


@pytest.mark.parametrize(("asker", "replier"), [("user", "assistant"), ("assistant", "user")])
def test_assistants_are_asked_all_the_time_and_offer_more(mem: Treering, asker: str, replier: str) -> None:
    tell(mem, (asker, QUESTION[1]), (replier, REPLY[1]), *OTHERS)
    assert worth(mem, "What plans for the summer are there?") == {}


@pytest.mark.parametrize("asker", ["Ben", None])
def test_a_question_is_measured_by_what_its_asker_usually_says(mem: Treering, asker: str | None) -> None:
    tell(mem, *OTHERS, (asker, QUESTION[1]), REPLY)
    once = worth(mem)[REPLY[1]]
    tell(mem, *[(asker, f"For the summer Ann does have plans {number}.") for number in range(20)])
    assert worth(mem).get(REPLY[1], 0.0) < once / 2


def test_in_a_list_it_counts_half(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(mem, QUESTION, REPLY, *OTHERS)
    half = worth(mem, "list plans for the summer")[REPLY[1]]
    monkeypatch.setattr(fuse, "LIST_CONTEXT", 1.0)
    assert worth(mem, "list plans for the summer")[REPLY[1]] == pytest.approx(2 * half, abs=0.001)


def test_a_question_that_may_not_be_seen_says_nothing_of_its_reply(mem: Treering) -> None:
    asked, *_ = tell(mem, QUESTION, REPLY, *OTHERS)
    assert worth(mem)
    mem.forget(asked)
    assert worth(mem) == {}


def test_what_is_forgotten_between_them_does_not_part_them(mem: Treering) -> None:
    _, between, *_ = tell(mem, QUESTION, ("Ben", "Wait."), REPLY, *OTHERS)
    assert worth(mem) == {}
    mem.forget(between)
    assert list(worth(mem)) == [REPLY[1]]

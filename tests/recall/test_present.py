"""What holds now, among what was found: what answers comes first, what it outdates makes way, else silence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering import Treering
from treering.mind.judging import Asking, Judged, Pair, Role, Roled, Verdict

OLD, NEW = "The gate code of the yard is 4411", "The gate code of the yard is 9053"
BESIDE = "The yard has a gate of oak and a bell"
QUESTION = "What is the gate code of the yard?"


class Told:
    """Says of every statement and pair what it was told to."""

    name = "told"

    def __init__(self, role: Callable[[str], float], over: float = 0.0, asks: Asking = Asking.NOW) -> None:
        self.role, self.over, self.asks = role, over, asks

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
        return [Judged(Verdict.REPLACES, self.over, ((Verdict.REPLACES, self.over),)) for _ in pairs]

    def roles(self, question: str, statements: Sequence[str]) -> list[Roled]:
        return [Roled(Role.NOW, self.role(one), ((Role.NOW, self.role(one)),)) for one in statements]

    def asking(self, question: str) -> Asking:
        return self.asks


def filled(clock: HandClock, judge: Told, texts: Sequence[str] = (OLD, BESIDE, NEW)) -> Treering:
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=judge)
    for text in texts:
        clock.advance(days=1)
        mem.add(text, at=clock.now)
    return mem


def contents(answer: treering.Answer) -> list[str]:
    return [hit.memory.content for hit in answer]


def test_the_later_answer_takes_the_place_of_the_earlier_and_names_it(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.3, over=0.8))
    answer = mem.recall(QUESTION)
    assert contents(answer)[0] == NEW
    assert OLD not in contents(answer)
    assert [one.content for one in answer[0].outdates] == [OLD, BESIDE]


def test_both_stand_where_the_judge_says_that_they_do(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.0, over=0.1))
    assert {OLD, NEW} <= set(contents(mem.recall(QUESTION)))


def test_of_answers_that_stand_the_later_comes_first(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9), ("The gate code is 4411", "The gate code is 9053"))
    assert contents(mem.recall("What is the gate code?")) == ["The gate code is 9053", "The gate code is 4411"]


def test_what_is_beside_a_clearly_answered_question_is_left_out(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.0))
    assert BESIDE not in contents(mem.recall(QUESTION))


def test_where_nothing_answers_nothing_is_told(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.05))
    assert len(mem.recall(QUESTION)) == 0


@pytest.mark.parametrize("asks", [Asking.PAST, Asking.WHEN])
def test_a_question_about_another_time_gets_all_of_it(clock: HandClock, asks: Asking) -> None:
    mem = filled(clock, Told(lambda text: 0.9, over=0.9, asks=asks))
    assert {OLD, NEW} <= set(contents(mem.recall(QUESTION)))


def test_what_was_true_then_is_not_judged(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.0))
    assert OLD in contents(mem.recall(QUESTION, as_of=clock.now))


def test_hits_stand_in_the_order_of_their_scores(clock: HandClock) -> None:
    mem = filled(
        clock, Told(lambda text: 0.9 if "9053" in text else 0.5), (OLD, NEW, BESIDE, *(f"Yard {n}" for n in range(8)))
    )
    scores = [hit.score for hit in mem.recall("yard")]
    assert scores == sorted(scores, reverse=True)


def test_where_a_talker_is_named_what_was_said_in_passing_stands(clock: HandClock) -> None:
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=Told(lambda text: 0.9, over=0.5))
    for text in ("I like the yard in spring", "I like the yard in autumn"):
        clock.advance(days=1)
        mem.add(text, at=clock.now, speaker="Zoe")
    assert len(mem.recall("Which yard does Zoe like?")) == 2


def test_a_life_told_with_all_that_comes_with_the_package(clock: HandClock) -> None:
    with treering.open(":memory:", embedder="turnfinder", judge="turnreader", extractor="rules") as mem:
        mem.remember("Good morning! I work at Google.", at="2024-03-01T09:00:00Z")
        mem.remember("I left Google last May to join Anthropic.", at="2026-02-10T09:00:00Z")
        mem.remember("Peanuts make my throat swell up.", at="2026-02-10T09:01:00Z")
        assert mem.recall("Where do I work?")[0].memory.content == "User works at Anthropic"
        assert mem.recall("Where do I work?", as_of="2024-12-24")[0].memory.content == "User works at Google"
        assert mem.recall("Do I have a food allergy?")[0].memory.content == "Peanuts make User's throat swell up"
        assert len(mem.recall("How tall is the Eiffel Tower?")) == 0

"""Where few hits are wanted, nothing fills up the answer: what was read and does not answer is no hit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.conftest import HandClock
from tests.recall.test_present import NEW, OLD, QUESTION, Told, contents, filled, marked

import treering
from treering import Treering
from treering.mind.judging import FoundStatement, Roled
from treering.recall.present import OWN
from treering.recall.question import read_question
from treering.recall.wish import FEW

OWN_LEAST = OWN.least or 0.0


def leaving_out(clock: HandClock, **scores: float) -> tuple[Treering, Told]:
    """Asked where the keys are; each place answers as much as is told."""
    judge = Told(lambda text: next((score for place, score in scores.items() if place in text), 0.0))
    mem = filled(clock, judge, [f"The keys of the yard: {place}" for place in scores])
    return mem, judge


def test_where_few_hits_are_wanted_what_does_not_answer_is_none(clock: HandClock) -> None:
    mem, judge = leaving_out(clock, drawer=0.8, shed=OWN_LEAST * 0.8 + 0.01, bench=OWN_LEAST * 0.8 - 0.01, gate=0.01)
    question = "Where are the keys of the yard?"
    few = contents(mem.recall(question))
    assert {one.split(": ")[1] for one in few} == {"drawer", "shed"}
    assert len(judge.asked) == 1  # what was read once is not read again in search of more
    assert len(mem.recall(question, limit=FEW + 1)) == 4
    assert len(mem.recall(question, kinds=["semantic", "episode", "viewpoint"])) == 4
    assert len(mem.recall(question, as_of=clock.now)) == 4
    lists = {one.split(": ")[1] for one in contents(mem.recall("List all places of keys of the yard"))}
    assert lists == {"drawer", "shed", "bench"}
    bench = next(one.id for one in mem.list().memories if "bench" in one.content)
    assert "far less than the first hit" in mem.why_not(question, bench).reasons[-1]


def test_what_is_outdated_stays_and_is_marked(clock: HandClock) -> None:
    """However little it still answers."""

    class Torn(Told):
        def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
            return [self._roled(0.9, 0.0) if NEW in one.text else self._roled(0.2, 0.19) for one in statements]

    mem = filled(clock, Torn(lambda _: 0.0), (OLD, NEW))
    assert marked(mem.recall(QUESTION)) == [(NEW, "active"), (OLD, "superseded")]


@pytest.mark.parametrize(
    ("asked", "is_open"),
    [
        ("Tell me about Zelkova", True),
        ("What do you know about the yard?", True),
        ("Who is Zelkova?", True),
        ("Zelkova", True),
        ("Anything new about the kiln", True),
        ("Where does Zelkova live?", False),
        ("Where do I work?", False),
        ("How do I deploy?", False),
    ],
)
def test_some_questions_ask_for_whatever_is_known(clock: HandClock, asked: str, is_open: bool) -> None:
    assert read_question(asked, clock.now).is_open is is_open


def test_who_asks_for_whatever_is_known_gets_all_that_names_it_and_nothing_else(clock: HandClock) -> None:
    """However little of it a judge takes for an answer."""
    texts = ("Zelkova plays the theremin", "Zelkova keeps geese", "The kiln is hot")
    mem = filled(clock, Told(lambda text: 0.8 if "geese" in text else 0.01), texts)
    assert set(contents(mem.recall("Tell me about Zelkova"))) == set(texts[:2])
    assert set(contents(mem.recall("What does Zelkova keep?"))) == {texts[1]}
    silent = filled(clock, Told(lambda text: 0.01), texts)
    assert set(contents(silent.recall("Tell me about Zelkova"))) == set(texts[:2])
    assert contents(silent.recall("What does Zelkova keep?")) == []


def test_what_holds_in_the_place_of_another_is_a_hit_however_much_more_something_else_answers(clock: HandClock) -> None:
    beside = "The gate code of the cellar is 7007"
    scores = {OLD: (0.05, 0.4), NEW: (0.4, 0.0), beside: (0.9, 0.0)}

    class Torn(Told):
        def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
            told = (scores[one.text.removeprefix("User: ")] for one in statements)
            return [self._roled(now + over, over) for now, over in told]

    mem = filled(clock, Torn(lambda _: 0.0), (beside, OLD, NEW))
    assert {text for text, _ in marked(mem.recall(QUESTION))} == {beside, NEW, OLD}


def test_what_only_stands_near_what_is_asked_about_is_left_out(clock: HandClock) -> None:
    judge = Told(lambda text: 0.8 if "geese" in text else 0.01)
    told = ("My nephew Zelkova keeps geese", "From Monday you'll find me at Corvane", "My sister Ilse lives in Porto")
    with treering.open(":memory:", clock=clock, embedder="turnfinder", judge=judge, extractor="none") as mem:
        for text in told:
            mem.remember(text)
        around = mem.recall("Tell me about Zelkova", limit=FEW + 1)
        assert len(around) > 1
        assert contents(mem.recall("Tell me about Zelkova")) == [told[0]]


def test_among_many_the_best_are_read_once(clock: HandClock) -> None:
    judge = Told(lambda text: 0.9 if "drawer" in text else 0.0)
    many = [f"The keys of the yard: shelf {number} of the shed" for number in range(60)]
    mem = filled(clock, judge, (*many, "The keys of the yard: drawer"))
    assert contents(mem.recall("Where are the keys of the yard, in a drawer?")) == ["The keys of the yard: drawer"]
    assert len(judge.asked) == 1

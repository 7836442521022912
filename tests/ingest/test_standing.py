"""Whether a fact still holds once something else was said: the fact ends on the judge's word, the memory stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from tests.ingest.test_guessed_facts import CERTAIN, Guessing
from tests.ingest.test_judged import Fixed

from treering.ingest.relate import judged
from treering.ingest.relate.standing import ASKED, BY_PAIR, FACT_OVER, GUESS_OVER
from treering.mind.judging import AnswerRole, FoundStatement, Roled, Verdict
from treering.model.edge import LIKELY
from treering.model.memory import Kind, State


class SaysOver(Fixed):
    """Of every fact that it is over by `score`, in view of the newer of two turns."""

    def __init__(self, score: float) -> None:
        super().__init__(Verdict.NONE, 0.9)
        self.over = score
        self.questions: list[tuple[str, list[str]]] = []

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        self.questions.append((question, [one.text for one in statements]))
        old = Roled(AnswerRole.OVER, self.over, ((AnswerRole.OVER, self.over),))
        new = Roled(AnswerRole.NOW, self.over, ((AnswerRole.NOW, self.over),))
        return [old, *[new] * (len(statements) - 1)]


FIRST, SECOND = (
    "The office of Halden Freight is my place of work",
    "First week at the office of Tidevann, my place of work",
)


def _told(score: float, *claims: tuple[str, str]) -> tuple[Guessing, SaysOver]:
    judge = SaysOver(score)
    guessing = Guessing(judge)
    guessing.told(FIRST, *claims)
    guessing.told(SECOND)
    return guessing, judge


def test_the_fact_is_asked_with_the_two_turns() -> None:
    _, judge = _told(0.0, ("WORKS_FOR", "Halden"))
    assert judge.questions == [("User works at Halden", [f"User: {FIRST}", f"User: {SECOND}"])]


def test_so_many_facts_of_one_memory_are_asked() -> None:
    named = ("office", "Halden", "Freight", "place", "work")
    assert len(named) > ASKED
    _, judge = _told(0.0, *(("USES", value) for value in named))
    assert len(judge.questions) == ASKED


def test_a_fact_ends_and_its_memory_stays() -> None:
    guessing, _ = _told(0.9, ("WORKS_FOR", "Halden"))
    (fact,) = guessing.mem.facts(include_closed=True)
    assert fact.valid_until == datetime(2025, 2, 1, tzinfo=UTC)
    assert "judged to be over, 0.90, by fixed" in [one.why for one in guessing.mem.history(fact.id).events]
    assert {one.state for one in guessing.mem.list()} == {State.ACTIVE}
    guessing.mem.undo(str(guessing.mem.journal(limit=1).lines[0].seq))
    assert guessing.held() == {"Halden": None}


@pytest.mark.parametrize(("score", "ends"), [(GUESS_OVER, True), (GUESS_OVER - 0.01, False)])
def test_a_guess_ends_from_its_bar_on(score: float, ends: bool) -> None:
    guessing, _ = _told(score, ("WORKS_FOR", "Halden"))
    assert (guessing.held()["Halden"] is not None) == ends


@pytest.mark.parametrize(("score", "ends"), [(FACT_OVER, True), (FACT_OVER - 0.01, False)])
def test_what_was_stated_ends_from_a_higher_one(score: float, ends: bool) -> None:
    guessing = Guessing(SaysOver(score))
    guessing.told("I work at Halden Freight.", ("WORKS_FOR", "Halden Freight"), confidence=CERTAIN)
    guessing.told("First week of work at Tidevann, no more freight")
    assert (guessing.held()["Halden Freight"] is not None) == ends
    assert FACT_OVER > GUESS_OVER


@pytest.mark.parametrize(("confidence", "ends"), [(LIKELY, False), (LIKELY - 0.01, True)])
def test_what_is_as_likely_as_not_is_no_guess(confidence: float, ends: bool) -> None:
    guessing = Guessing(SaysOver(GUESS_OVER))
    guessing.told(FIRST, ("WORKS_FOR", "Halden"), confidence=confidence)
    guessing.told(SECOND)
    assert (guessing.held()["Halden"] is not None) == ends


def test_what_the_new_turn_does_to_the_fact_counts_where_it_is_open() -> None:
    judge = SaysOver(0.0)
    judge.verdict, judge.score = Verdict.REPLACES, 0.9
    guessing = Guessing(judge)
    guessing.told(FIRST, ("WORKS_FOR", "Halden"))
    judge.score = GUESS_OVER / BY_PAIR
    guessing.told(SECOND)
    assert guessing.held()["Halden"] == 2


@pytest.mark.parametrize("confidence", [CERTAIN, LIKELY / 2])
@pytest.mark.parametrize(("away", "asked"), [(-BY_PAIR - 0.01, 0), (-BY_PAIR + 0.01, 1), (-0.01, 1), (0.0, 0)])
def test_nor_is_it_asked_where_it_could_change_nothing(confidence: float, away: float, asked: int) -> None:
    judge = SaysOver((FACT_OVER if confidence == CERTAIN else GUESS_OVER) + away)
    guessing = Guessing(judge)
    guessing.told(FIRST, ("WORKS_FOR", "Halden"), confidence=confidence)
    guessing.told(SECOND)
    assert len([one for one in judge.asked if one.older == "User works at Halden"]) == asked


def test_what_is_told_late_ends_nothing() -> None:
    guessing = Guessing(SaysOver(0.9))
    guessing.told("I work at Halden Freight.", ("WORKS_FOR", "Halden Freight"), confidence=CERTAIN)
    long_ago = datetime(2019, 1, 1, tzinfo=UTC)
    guessing.told("In 2019 I did my first week of work at Tidevann, no freight yet", event_time=long_ago)
    assert guessing.held()["Halden Freight"] is None


@pytest.mark.parametrize(("relation", "ends"), [("USES", True), ("VISITED", False)])
def test_of_what_happened_a_fact_may_be_over_but_not_that_it_happened(relation: str, ends: bool) -> None:
    guessing = Guessing(SaysOver(0.9))
    lunch = "Yesterday I had lunch with the others from Halden Freight, my place of work"
    yesterday = datetime(2024, 12, 31, tzinfo=UTC)
    guessing.told(lunch, (relation, "Halden"), kind=Kind.EPISODE, event_time=yesterday)
    guessing.told(SECOND)
    assert (guessing.held()["Halden"] is not None) == ends


def test_a_fact_is_asked_about_though_its_memory_is_too_far_to_be_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged, "GATE", 1.1)
    guessing, judge = _told(0.9, ("WORKS_FOR", "Halden"))
    assert guessing.held()["Halden"] is not None
    assert [question for question, _ in judge.questions] == ["User works at Halden"]
    assert judge.asked == []


def test_the_nearest_is_judged_and_behind_what_is_said_again_one_more() -> None:
    judge = SaysOver(0.0)
    guessing = Guessing(judge)
    for words in (f"{FIRST}, 1", f"{FIRST}, 2", f"{FIRST}, 3", f"{FIRST}, 1"):
        guessing.told(words)
    newer = [pair.newer.rsplit(" ", 1)[1] for pair in judge.asked]
    assert newer == ["2", "3", "1", "1"]
    assert judge.asked[2].older == judge.asked[2].newer

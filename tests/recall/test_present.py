"""What holds now, among what was found: what answers comes first, what it outdates makes way, else silence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering import Treering
from treering.mind.judging import AnswerRole, Asking, FoundStatement, Judged, Pair, Roled, Verdict
from treering.model.source import Source
from treering.recall.present import ANSWERS, JUDGED, OWN, SURE, HitCandidate, HitReading, Present, present
from treering.recall.wish import FEW

OLD, NEW = "The gate code of the yard is 4411", "The gate code of the yard is 9053"
BESIDE = "The yard has a gate of oak and a bell"
QUESTION = "What is the gate code of the yard?"


class Told:
    """Says of every statement how sure it is to answer, and of those before the last of them that they are over."""

    name = "told"

    def __init__(self, role: Callable[[str], float], over: float = 0.0, asks: Asking = Asking.NOW) -> None:
        self.role, self.over, self.asks = role, over, asks
        self.asked: list[list[str]] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
        return [Judged(Verdict.NONE, 1.0, ((Verdict.NONE, 1.0),)) for _ in pairs]

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        texts = [one.text for one in statements]
        self.asked.append(texts)
        last = max((place for place, one in enumerate(texts) if self.role(one) >= 0.4), default=-1)
        return [self._roled(self.role(one), self.over if place < last else 0.0) for place, one in enumerate(texts)]

    @staticmethod
    def _roled(answers: float, over: float) -> Roled:
        over = min(over, answers)
        return Roled(AnswerRole.NOW, answers - over, ((AnswerRole.NOW, answers - over), (AnswerRole.OVER, over)))

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


def marked(answer: treering.Answer) -> list[tuple[str, str]]:
    return [(hit.memory.content, hit.state.value) for hit in answer]


def test_what_is_over_stands_behind_what_holds_and_says_so(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.0, over=0.8))
    answer = mem.recall(QUESTION)
    assert marked(answer)[:2] == [(NEW, "active"), (OLD, "superseded")]
    assert [one.content for one in answer[0].outdates] == [OLD]
    assert answer[1].outdated_by == answer[0].memory.id
    assert mem.get(answer[1].memory.id).state.value == "active"  # nothing was written


@pytest.mark.parametrize(("later", "first"), [(0.5, "9053 it is"), (0.25, OLD)])
def test_the_last_word_outdates_only_if_it_is_likelier_to_hold(clock: HandClock, later: float, first: str) -> None:
    """The old one is half sure to hold and a tenth to be over."""

    class Torn(Told):
        def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
            return [
                Roled(AnswerRole.NOW, now, ((AnswerRole.NOW, now), (AnswerRole.OVER, over)))
                for one in statements
                for now, over in (
                    (0.3, 0.1) if OLD in one.text else (later, 0.0) if "9053" in one.text else (0.0, 0.0),
                )
            ]

    mem = filled(clock, Torn(lambda _: 0.0), (OLD, BESIDE, "9053 it is"))
    answer = mem.recall(QUESTION)
    assert contents(answer)[0] == first
    assert [one.state.value for one in answer if one.memory.content == OLD] == [
        "active" if first == OLD else "superseded"
    ]


def test_turns_are_counted_that_are_read_and_not_what_they_have_made(clock: HandClock) -> None:
    class Counting(Told):
        def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
            self.read = sum(len(one.stretches) for one in statements)
            return super().roles(question, statements)

    judge = Counting(lambda text: 0.9 if "code" in text else 0.0)
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=judge, extractor="reader")
    for number in range(6):
        clock.advance(days=1)
        mem.remember(
            f"- Ann has the gate code of yard {number}\n- Bo lost the gate code of yard {number}\n"
            f"- Cem wrote the gate code of yard {number} down",
            at=clock.now,
        )
    mem.recall(QUESTION)
    assert len(judge.asked[-1]) <= JUDGED < judge.read


def test_what_holds_takes_the_place_of_what_it_outdates(clock: HandClock) -> None:
    """Even if everything else speaks for the other."""
    texts = (OLD, BESIDE, "9053 it is")
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.5 if "9053" in text else 0.0, over=0.8), texts)
    assert contents(mem.recall(QUESTION))[:2] == ["9053 it is", OLD]


def test_what_holds_goes_before_what_only_sounds_like_an_answer(clock: HandClock) -> None:
    """It has the place of what it outdates, however little else speaks for it."""
    sounds = "The gate code of the yard: what is the gate code of the yard?"
    strength = {OLD: 0.9, sounds: 0.39, "9053 it is": 0.41}
    judge = Told(lambda text: strength[text.removeprefix("User: ")], over=0.8)
    assert contents(filled(clock, judge, tuple(strength)).recall(QUESTION))[0] == "9053 it is"


def test_both_stand_where_the_judge_says_that_they_do(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.0, over=0.1))
    assert {(OLD, "active"), (NEW, "active")} <= set(marked(mem.recall(QUESTION)))


def test_nothing_is_over_unless_something_later_answers(clock: HandClock) -> None:
    class Doubts(Told):
        def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
            return [self._roled(0.9, 0.8) if OLD in one.text else self._roled(0.1, 0.0) for one in statements]

    mem = filled(clock, Doubts(lambda text: 0.0), (OLD, BESIDE))
    assert (OLD, "active") in marked(mem.recall(QUESTION))


def test_of_answers_that_stand_the_later_comes_first(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9), ("The gate code is 4411", "The gate code is 9053"))
    assert contents(mem.recall("What is the gate code?")) == ["The gate code is 9053", "The gate code is 4411"]


def test_statements_are_read_in_the_order_in_which_they_were_said(clock: HandClock) -> None:
    judge = Told(lambda text: 0.9)
    filled(clock, judge).recall(QUESTION)
    assert [text for text in judge.asked[-1] if "code" in text] == [f"User: {OLD}", f"User: {NEW}"]


def test_an_outdated_memory_is_told_as_past_in_a_context(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.0, over=0.8))
    text = mem.context(QUESTION).text
    assert text.index("9053") < text.index("4411")
    assert "superseded" in text


def test_where_nothing_answers_nothing_is_told(clock: HandClock) -> None:
    answer = filled(clock, Told(lambda text: 0.05)).recall(QUESTION)
    assert (len(answer), answer.below_floor) == (0, 3)
    assert filled(clock, Told(lambda text: 0.9)).recall(QUESTION).below_floor == 0


def test_whether_something_is_so_is_answered_by_the_words_that_say_it(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.05), ("Tom is coming to dinner", BESIDE))
    assert contents(mem.recall("Is Tom coming to dinner?"))[:1] == ["Tom is coming to dinner"]
    assert len(mem.recall("Is Tom coming to the wedding?")) == 0
    assert len(mem.recall("Who is coming to dinner?")) == 0


def test_where_the_best_do_not_answer_no_more_are_read(clock: HandClock) -> None:
    judge = Told(lambda text: 0.05)
    mem = filled(clock, judge, [f"The gate code of yard {number} is {number}" for number in range(40)])
    answer = mem.recall(QUESTION)
    assert (len(answer), len(judge.asked)) == (0, 1)
    assert answer.milliseconds["judge"] > 0


def test_what_the_judge_hears_needs_no_word_of_the_question(clock: HandClock) -> None:
    mem = filled(
        clock, Told(lambda text: 0.9 if "peanuts" in text else 0.0), ("My throat swells up of peanuts", BESIDE)
    )
    assert "My throat swells up of peanuts" in contents(mem.recall("Any food allergy?"))


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
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=Told(lambda text: 0.9, over=0.4))
    for text in ("I like the yard in spring", "I like the yard in autumn"):
        clock.advance(days=1)
        mem.add(text, at=clock.now, speaker="Zoe")
    assert [hit.state.value for hit in mem.recall("Which yard does Zoe like?")] == ["active", "active"]


def test_a_life_told_with_all_that_comes_with_the_package(clock: HandClock) -> None:
    with treering.open(":memory:", embedder="turnfinder", judge="turnreader", extractor="reader") as mem:
        mem.remember("Good morning! I work at Google.", at="2024-03-01T09:00:00Z")
        mem.remember("I left Google last May to join Anthropic.", at="2026-02-10T09:00:00Z")
        mem.remember("Peanuts make my throat swell up.", at="2026-02-10T09:01:00Z")
        assert mem.recall("Where do I work?")[0].memory.content == "User works at Anthropic"
        assert mem.recall("Where do I work?", as_of="2024-12-24")[0].memory.content == "User works at Google"
        assert mem.recall("Do I have a food allergy?")[0].memory.content == "User: Peanuts make my throat swell up."
        assert len(mem.recall("How tall is the Eiffel Tower?")) == 0


class Points(Told):
    """Answers stand where the code does."""

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        told = super().roles(question, statements)
        shares = [tuple(float("9053" in one.text[a:b]) for a, b in one.stretches) for one in statements]
        return [replace(one, stretches=some) for one, some in zip(told, shares, strict=True)]


def pointed(clock: HandClock) -> Treering:
    mem = filled(clock, Points(lambda text: 0.9 if "9053" in text else 0.0), ())
    mem.remember("I painted the gate code display in the hall. The gate code on it is 9053, my sister Ana says so.")
    assert len(mem.list().memories) > 1
    return mem


def test_of_one_turn_the_words_that_answer_come_first(clock: HandClock) -> None:
    assert "9053" in pointed(clock).recall("What of the gate code display in the hall?").hits[0].memory.content


def test_what_was_only_said_beside_an_answer_is_no_hit(clock: HandClock) -> None:
    mem = pointed(clock)
    question = "What is the gate code on the display in the hall?"
    assert all("9053" in one for one in contents(mem.recall(question)))
    painted = next(one.id for one in mem.list().memories if "painted" in one.content)
    assert "its own words do not answer" in mem.why_not(question, painted).reasons[-1]
    beside = "painted the gate code display"
    assert any(beside in one for one in contents(mem.recall("Which gate code displays are there in the hall?")))
    assert any(beside in one for one in contents(mem.recall(question, kinds=["episode", "semantic", "viewpoint"])))
    mem.remember("The hall is painted green")
    assert "The hall is painted green" in " ".join(contents(mem.recall(question, limit=FEW + 1)))


def test_what_states_the_fact_that_is_asked_for_is_no_aside(clock: HandClock) -> None:
    mem = pointed(clock)
    first, second = (one for one in mem.list().memories[:2])
    said = "I painted the display. Its code is 9053."
    source = Source(id=first.source_id, space="default", content=said, occurred_at=clock.now, recorded_at=clock.now)
    parts = [replace(first, span=(0, 22)), replace(second, span=(23, len(said)))]
    for states, asides in ((False, {first.id}), (True, set())):
        candidates = [HitCandidate(one.id, one, source, 1.0, states) for one in parts]
        assert present(Points(lambda text: 0.9), QUESTION, candidates).asides == asides


def test_what_answers_is_a_hit_however_little_else_speaks_for_it(clock: HandClock) -> None:
    answer, idle = "Wen chose Pachinko for next", "My mum likes swans"
    judge = Told(lambda text: 0.9 if answer in text else 0.0)
    with treering.open(":memory:", clock=clock, embedder="turnfinder", judge=judge, extractor="none") as mem:
        for text in (answer, idle):
            mem.remember(text)
        assert contents(mem.recall("What is the book club reading?")) == [answer]


@pytest.mark.parametrize(("score", "found"), [(ANSWERS, True), (ANSWERS - 0.01, False)])
def test_so_much_a_statement_must_answer_to_be_a_hit_by_that_alone(clock: HandClock, score: float, found: bool) -> None:
    answer, related = "Wen chose Pachinko for next", "The book club is reading on Mondays"
    judge = Told(lambda text: score if answer in text else OWN.silent)
    with treering.open(":memory:", clock=clock, embedder="turnfinder", judge=judge, extractor="none") as mem:
        for text in (answer, related):
            mem.remember(text)
        assert (answer in contents(mem.recall("What is the book club reading?", limit=FEW + 1))) == found


def test_what_happened_is_read_too_and_outdated_by_nothing(clock: HandClock) -> None:
    texts = ("We sold the flat on Mill Road for 301,000", "The flat on Mill Road is for sale at 312,000")
    judge = Told(lambda text: 0.9 if "301,000" in text else 0.3, over=0.9, asks=Asking.PAST)
    mem = filled(clock, judge, texts)
    found = marked(mem.recall("How much did the flat on Mill Road sell for?"))
    assert found[0] == (texts[0], "active")
    assert all(state == "active" for _, state in found)
    silent = filled(clock, Told(lambda text: 0.05), texts)
    assert len(silent.recall("How much did the flat on Mill Road sell for?")) == 0
    assert len(silent.recall("What kinds of flats on Mill Road are for sale?")) == 0


@pytest.mark.parametrize(("end", "state"), [("2025-12-02T00:00:00Z", "active"), (None, "superseded")])
def test_of_two_events_the_earlier_stands_if_it_had_an_end(clock: HandClock, end: str | None, state: str) -> None:
    """What lasted from then to then has happened; what was only known to have begun may be over."""
    mem = filled(clock, Told(lambda text: 0.9 if "code" in text else 0.0, over=0.8), ())
    mem.add(OLD, at=clock.now, kind="episode", event_time="2025-12-01T00:00:00Z", event_end=end)
    clock.advance(days=1)
    mem.add(NEW, at=clock.now, kind="episode")
    assert dict(marked(mem.recall(QUESTION)))[OLD] == state


def test_as_of_a_moment_what_had_been_said_by_then_is_read_as_if_it_were_now(clock: HandClock) -> None:
    judge = Told(lambda text: 0.9 if "code" in text else 0.0, over=0.8)
    mem = filled(clock, judge)
    then = mem.recall(QUESTION, as_of=clock.now - timedelta(days=1))
    assert judge.asked[-1] == [f"User: {OLD}", f"User: {BESIDE}"]
    assert marked(then)[0] == (OLD, "active")
    mem.recall(QUESTION, as_of=clock.now)
    assert judge.asked[-1][-1] == f"User: {NEW}"


def test_as_of_a_moment_what_was_said_later_of_an_earlier_time_is_found_but_not_read(clock: HandClock) -> None:
    """It was true by then, and nobody had said it: what had been said is not held to be over in view of it."""
    judge = Told(lambda text: 0.9 if "code" in text else 0.0, over=0.8)
    mem = filled(clock, judge, (OLD, BESIDE))
    then = clock.now
    clock.advance(days=1)
    mem.add(NEW, at=clock.now, event_time=then - timedelta(hours=12))
    answer = mem.recall(QUESTION, as_of=then)
    assert judge.asked == [[f"User: {OLD}", f"User: {BESIDE}"]]
    assert set(contents(answer)) >= {OLD, NEW}
    assert {state for _, state in marked(answer)} == {"active"}
    assert all(one.outdated_by is None for one in answer)
    judge.asked.clear()
    mem.recall(QUESTION, as_of=clock.now)
    assert judge.asked == [[f"User: {one}" for one in (OLD, BESIDE, NEW)]]  # said at that very moment


def test_where_the_signals_find_nothing_related_the_judge_must_be_sure(clock: HandClock) -> None:
    judge = Told(lambda text: 0.5)
    assert OWN.silent < SURE
    for reading, least in (
        (HitReading(judge, OWN), OWN.silent),
        (HitReading(judge, OWN, related=False, until=clock.now), OWN.silent),
        (HitReading(judge, OWN, related=False), SURE),
    ):
        assert not reading.silences(Present(answered=least), lambda: False)
        assert reading.silences(Present(answered=least - 0.01), lambda: False)


@pytest.mark.parametrize(
    ("related", "out", "talk", "silent"),
    [(True, True, True, False), (True, True, False, True), (True, False, True, True), (False, True, True, True)],
)
def test_talk_that_stands_out_is_silenced_by_nobody(related: bool, out: bool, talk: bool, silent: bool) -> None:
    reading = HitReading(Told(lambda text: 0.0), OWN, related, out)
    assert reading.silences(Present(answered=0.0), lambda: talk) == silent


def test_as_of_a_moment_there_is_no_silence_on_a_judges_word(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.0))
    assert len(mem.recall(QUESTION, as_of=clock.now)) > 0
    assert len(mem.recall(QUESTION)) == 0


def test_a_question_in_the_past_tense_asks_about_the_present_unless_the_judge_says_otherwise(clock: HandClock) -> None:
    texts = ("Ines has booked nothing for Oslo", "Ines is back from Oslo with a cold")
    for asks, states in ((Asking.NOW, ["active", "superseded"]), (Asking.PAST, ["active", "active"])):
        mem = filled(clock, Told(lambda text: 0.9, over=0.8, asks=asks), texts)
        found = marked(mem.recall("Has somebody been to Oslo?"))
        assert [state for _, state in found] == states


@pytest.mark.parametrize("asks", [Asking.NOW, Asking.PAST, Asking.TALK])
def test_when_something_happened_is_a_matter_of_time_and_not_of_reading(clock: HandClock, asks: Asking) -> None:
    judge = Told(lambda text: 0.9, asks=Asking.WHEN)
    filled(clock, judge).recall("When did the gate code of the yard change?")
    assert judge.asked == []
    judge = Told(lambda text: 0.9, asks=asks)
    filled(clock, judge).recall("When did the gate code of the yard change?")
    assert judge.asked != []
    judge = Told(lambda text: 0.9, asks=Asking.WHEN)
    filled(clock, judge).recall("When is the gate code of the yard due?")
    assert judge.asked != []


def test_of_those_who_talked_with_one_another_nothing_is_silenced_on_a_judges_word(clock: HandClock) -> None:
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=Told(lambda text: 0.0))
    mem.add("The gate code is 4411", speaker="Melanie", session="1")
    assert len(mem.recall("What is Melanie's gate code?")) == 1
    assert len(mem.recall("What is the gate code?")) == 0

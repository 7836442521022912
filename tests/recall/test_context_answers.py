"""A prompt gets what answers it, or what bears on it if it is a task, and nothing that only happens to be known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.test_present import Told, contents, filled

import treering
from treering import Treering
from treering.mind.turnreader import TurnReader
from treering.recall.question import read_question

SAID = (
    "The staging server is staging-2.internal, deploy with `make ship`.",
    "I am allergic to shellfish.",
    "Priya owns the billing service.",
    "My passport expires in September 2027.",
    "I drive a grey Skoda Fabia.",
    "The nightly backup runs at 02:30.",
    "My sister Lena plays the cello.",
    "The web repo is built with yarn.",
    "I have moved the nightly backup to 04:00.",
    "We keep the office keys in the blue box.",
    "The gym closes at ten.",
    "My bike has a flat tyre.",
)


@pytest.fixture(scope="module")
def mem() -> Iterator[Treering]:
    """Read by the real judge, told over some days in sessions."""
    with treering.open(":memory:", embedder="turnfinder", judge="turnreader") as opened:
        for day, text in enumerate(SAID):
            at = datetime(2026, 3, 2 + day, 9, tzinfo=UTC)
            opened.remember(text, at=at, session=f"day-{day}")
        yield opened


def entries(mem: Treering, prompt: str) -> list[str]:
    return [line for line in mem.context(prompt).text.splitlines() if line.startswith("- [")]


def test_a_question_gets_its_answer_and_nothing_else(mem: Treering) -> None:
    shown = entries(mem, "Who owns the billing service?")
    assert len(shown) == 1
    assert "Priya owns the billing service" in shown[0]


def test_what_holds_now_stands_first(mem: Treering) -> None:
    shown = entries(mem, "When does the nightly backup run?")
    assert "04:00" in shown[0]
    assert len(shown) <= 2


def test_where_nothing_is_known_there_is_no_block(mem: Treering) -> None:
    assert mem.context("What size are my shoes?").text == ""


def test_recall_and_context_tell_the_same_of_a_question(mem: Treering) -> None:
    asked = ("What car do I drive?", "Does anything make me ill?", "Where are the office keys?")
    for question in (*asked, "Plan a seafood dinner with prawns and shellfish for Saturday"):
        found = [hit.memory.id for hit in mem.recall(question)]
        assert sorted(mem.context(question).citations) == sorted(found), question
        assert mem.recall(question).judged_by == TurnReader.name


def test_a_task_gets_what_bears_on_it(mem: Treering) -> None:
    """It is not a question, and nothing answers it."""
    shown = " ".join(entries(mem, "Plan a seafood dinner with prawns and shellfish for Saturday"))
    assert "allergic to shellfish" in shown
    assert "passport" not in shown
    assert "yarn" not in shown


def test_a_task_that_has_nothing_to_do_with_anything_known_gets_nothing(mem: Treering) -> None:
    assert entries(mem, "Translate the poem into Icelandic") == []


@pytest.mark.parametrize(
    ("prompt", "is_question"),
    [
        ("Who owns billing?", True),
        ("who owns billing", True),
        ("is the backup running", True),
        ("Draft an email to the owner of billing", False),
        ("Let's plan dinner", False),
        ("The backup failed again.", False),
        ("Fix it, would you?", True),
    ],
)
def test_a_question_is_told_from_a_task(prompt: str, is_question: bool) -> None:
    assert read_question(prompt, datetime(2026, 3, 2, tzinfo=UTC) + timedelta(days=1)).is_question is is_question


# what the judge says, foretold

GATE, BELL = "The gate of the yard is painted green", "The gate of the yard has a bell"
ELSEWHERE = "Ferries leave at noon"
TASK, ASKED = "Paint the gate of the yard", "Who painted the gate of the yard?"


def test_what_bears_on_a_task_is_told_though_nothing_answers(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda _: 0.0), (GATE, ELSEWHERE))
    assert [one.split('"')[1] for one in entries(mem, TASK)] == [GATE]
    assert entries(mem, ASKED) == []
    assert contents(mem.recall(TASK)) == [GATE]
    assert contents(mem.recall(ASKED)) == []


def test_what_bears_on_a_task_is_told_beside_what_answers(clock: HandClock) -> None:
    mem = filled(clock, Told(lambda text: 0.9 if BELL in text else 0.0), (GATE, BELL, ELSEWHERE))
    assert {one.split('"')[1] for one in entries(mem, TASK)} == {GATE, BELL}
    assert [one.split('"')[1] for one in entries(mem, ASKED)] == [BELL]


def test_where_words_are_asked_back_only_what_has_one_of_them_is_told() -> None:
    """What is near by its meaning alone does not fill up the answer."""
    with treering.open(":memory:", embedder="turnfinder", judge=Told(lambda _: 0.0)) as mem:
        for text in ("Tom is coming to the party", "Anna will join us for the celebration", "The gate is green"):
            mem.add(text)
        assert contents(mem.recall("Is Tom coming to the party?")) == ["Tom is coming to the party"]


def test_a_few_answers_stand_by_rank_and_not_by_time(clock: HandClock) -> None:
    """Turns of a conversation, of which the later answers better."""
    judge = Told(lambda text: 0.9 if BELL in text else 0.7)
    with treering.open(":memory:", clock=clock, embedder=Hashing(), judge=judge) as mem:
        for text in (GATE, BELL):
            clock.advance(days=1)
            mem.add(text, at=clock.now, session="s1", speaker="Ada")
        assert [BELL in one for one in entries(mem, "What is there of the gate of the yard?")] == [True, False]


@pytest.mark.parametrize("said", ["hello", "thanks!", "Hola Ana", "ok", "good morning", "lol"])
def test_small_talk_asks_nothing(mem: Treering, said: str) -> None:
    """It has to do with everything a little, and the judge takes some of that for an answer."""
    assert contents(mem.recall(said)) == []
    assert mem.context(said).text == ""
    [kept] = mem.recall("Who plays the cello?", limit=1)
    assert any("small talk" in one for one in mem.why_not(said, kept.memory.id).reasons)


def test_small_talk_finds_what_has_its_words() -> None:
    with treering.open(":memory:", embedder="turnfinder", judge="turnreader") as opened:
        opened.add("The door says hello when it opens.")
        opened.add("The cellar is locked.")
        assert contents(opened.recall("hello")) == ["The door says hello when it opens."]

"""What people said to one another: who counts as people, what as talk, and that no judge's word alone silences it."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.test_present import Told

import treering
from treering import Treering
from treering.model.speaker import is_assistant, is_owner, is_somebody_else, talks_with_others
from treering.recall.wish import FEW

CODE, QUESTION = "The gate code of the yard is 4411", "What is the gate code of the yard?"
REPLY = "Then the yard is open at last"
Said = tuple[str | None, str | None, str]


def told(clock: HandClock, *said: Said) -> Treering:
    """By speaker and session."""
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=Told(lambda text: 0.0))
    for speaker, session, text in said:
        clock.advance(minutes=1)
        mem.add(text, speaker=speaker, session=session)
    return mem


@pytest.mark.parametrize(
    ("said", "hits"),
    [
        ([("Ana", "1", CODE), ("Ben", "1", REPLY)], True),
        ([("User", "1", CODE), ("assistant", "1", REPLY)], False),
        ([(None, "1", CODE), ("Ben", "1", REPLY)], False),
        ([("Ana", "1", CODE), ("ANA", "1", REPLY)], False),
        ([("Ana", "1", CODE), ("assistant", "1", REPLY)], False),
        ([("Ana", "1", CODE), ("User", "1", REPLY)], False),
        ([("Ana", "1", CODE), ("Ben", "2", REPLY)], False),
        ([("Ana", None, CODE), ("Ben", None, REPLY)], False),
    ],
    ids=["two", "owner", "no name", "one", "to an assistant", "to the owner", "in two sessions", "in none"],
)
def test_what_people_said_to_one_another_is_not_silenced_on_a_judges_word(
    clock: HandClock, said: list[Said], hits: bool
) -> None:
    assert (len(told(clock, *said).recall(QUESTION)) > 0) == hits


def test_the_owner_by_name_is_none_of_those_who_talk_with_one_another(clock: HandClock) -> None:
    mem = told(clock, ("Ana", "1", CODE), ("Ben", "1", REPLY))
    assert len(mem.recall(QUESTION)) > 0
    mem.entity_register("User")
    mem.entity_register("Ana")
    mem.entity_merge("User", "Ana")
    assert len(mem.recall(QUESTION)) == 0


def test_what_the_owner_said_stays_silent_though_others_talk_of_it_too(clock: HandClock) -> None:
    own: list[Said] = [("User", str(number), f"The gate code of the yard is {number}") for number in range(1000, 1003)]
    mem = told(clock, *own, ("Ana", "1", "The yard is nice"), ("Ben", "1", REPLY))
    assert len(mem.recall(QUESTION)) == 0


def test_talk_that_does_not_stand_out_stays_silent(clock: HandClock) -> None:
    """Though it is found by a name, which has to do with the question."""
    with treering.open(":memory:", clock=clock, embedder="turnfinder-2", judge=Told(lambda text: 0.0)) as mem:
        mem.add("He has the key of the kiln", speaker="Ana", session="1", entities=["Ravi"])
        mem.add("Then the kiln is open at last", speaker="Ben", session="1")
        assert len(mem.recall("Which bands does Ravi like?", limit=FEW + 1)) == 0
        assert len(mem.recall("Who has the key of the kiln?")) > 0


def test_with_all_below_a_space_each_is_looked_at_by_its_own_sessions(clock: HandClock) -> None:
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge=Told(lambda text: 0.0))
    for space, speaker, text in (("all/one", "Ana", CODE), ("all/two", "Ben", REPLY)):
        mem.add(text, space=space, speaker=speaker, session="1")
    assert len(mem.recall(QUESTION, space="all", children=True)) == 0
    mem.add(REPLY, space="all/one", speaker="Ben", session="1")
    assert len(mem.recall(QUESTION, space="all", children=True)) > 0


def test_who_speaks_is_the_owner_an_assistant_or_somebody_else() -> None:
    assert is_owner(None, None)
    assert is_owner("Human", None)
    assert is_owner("ana", "Ana")
    assert is_assistant("Assistant")
    assert not is_assistant(None)
    assert is_somebody_else("Ana", "Ben")
    assert not any(is_somebody_else(one, "Ana") for one in ("Ana", "User", "bot", None))


@pytest.mark.parametrize(
    ("speaker", "company", "talks"),
    [
        ("Ana", ["Ana", "Ben"], True),
        ("Ana", ["ana", None, "User", "assistant", ""], False),
        ("User", ["Ben", "Cem"], False),
        (None, ["Ben", "Cem"], False),
        ("assistant", ["Ben", "Cem"], False),
        ("Owen", ["Ben", "Cem"], False),
        ("Ana", ["Owen"], False),
    ],
)
def test_people_talk_with_one_another_where_two_are_neither_owner_nor_assistant(
    speaker: str | None, company: list[str | None], talks: bool
) -> None:
    assert talks_with_others(speaker, company, "Owen") == talks

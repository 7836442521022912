"""Do the examples that started it all come out as they were promised? Read as they are by default."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import current, day, known, objects, windows

from treering.door import Treering
from treering.ingest.receipt import Receipt
from treering.model.memory import Kind, State

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


@pytest.fixture
def clock() -> HandClock:
    return HandClock(SAID)


def say(mem: Treering, text: str, **more: str) -> Receipt:
    return mem.remember(text, extractor="reader", session="talk", **more)  # type: ignore[arg-type]


def kinds(receipt: Receipt) -> list[Kind]:
    return [one.kind for one in receipt.memories]


def test_a_job_left_for_another_closes_the_one_and_opens_the_other(mem: Treering, clock: HandClock) -> None:
    old = say(mem, "I work at Google.")
    clock.advance(minutes=5)
    receipt = say(mem, "I left Google last May to join Anthropic.")
    assert [(one.kind, one.content) for one in receipt.memories] == [
        (Kind.EPISODE, "User: I left Google last May (May 2025) to join Anthropic."),
        (Kind.SEMANTIC, "User works at Anthropic"),
    ]
    assert receipt.memories[0].event_time == day("2025-05")
    assert receipt.memories[1].valid_from == day("2025-05")
    assert objects(mem, "User", "WORKS_FOR") == {"Anthropic"}
    assert ("Anthropic", "2025-05-01", None) in windows(mem, "User", "WORKS_FOR")
    assert mem.get(old.id).state is State.SUPERSEDED
    assert "User works at Google" not in " ".join(current(mem))


def test_a_job_known_from_earlier_closes_when_it_was_left(mem: Treering, clock: HandClock) -> None:
    clock.now = datetime(2024, 3, 1, tzinfo=UTC)
    say(mem, "I work at Google.")
    clock.now = SAID
    say(mem, "I left Google last May to join Anthropic.")
    assert windows(mem, "User", "WORKS_FOR") == [
        ("Google", "2024-03-01", "2025-05-01"),
        ("Anthropic", "2025-05-01", None),
    ]
    assert objects(mem, "User", "WORKS_FOR", as_of=day("2024-06")) == {"Google"}


def test_a_switch_of_editors_is_an_episode_and_the_state_it_leads_to(mem: Treering, clock: HandClock) -> None:
    say(mem, "I use VS Code.")
    clock.advance(days=1)
    receipt = say(mem, "I switched from VS Code to Neovim.")
    assert kinds(receipt) == [Kind.EPISODE, Kind.SEMANTIC]
    assert receipt.memories[1].content == "User uses Neovim"
    assert objects(mem, "User", "USES") == {"Neovim"}


CALL = "Had a call with Alex, now a PM at Stripe; he likes mornings."


def test_a_call_with_somebody_gives_the_job_and_the_taste(mem: Treering) -> None:
    receipt = say(mem, CALL)
    assert "call with Alex" in " ".join(one.content for one in receipt.memories)
    assert {("Alex", "WORKS_FOR", "Stripe"), ("Alex", "LIKES", "mornings")} <= known(mem)


def test_a_move_closes_the_old_home_and_opens_the_new_one(mem: Treering, clock: HandClock) -> None:
    say(mem, "I live in Chicago.")
    clock.advance(days=30)
    receipt = say(mem, "I moved to Austin.")
    assert objects(mem, "User", "LIVES_IN") == {"Austin"}
    assert {one.target for one in receipt.closed} == {"Chicago"}
    assert objects(mem, "User", "LIVES_IN", as_of=SAID) == {"Chicago"}
    (best, *_) = mem.recall("Where does the user live?")
    assert "Austin" in best.memory.content
    assert not any(
        "live" in hit.memory.content and "Chicago" in hit.memory.content for hit in mem.recall("Chicago home")
    )


@pytest.mark.parametrize(
    "said",
    [
        "I'm thinking of moving to Lisbon.",
        "I might move to Lisbon next year.",
        "If I win the lottery I'll move to Lisbon.",
        "I wish I lived in Lisbon.",
        "lol at this point I basically live in Lisbon airport, kidding",
        "Would you move to Lisbon?",
        "My sister moved to Lisbon.",
        "My friend Bo lives in Lisbon now.",
        "I don't live in Lisbon.",
    ],
)
def test_plans_wishes_jokes_questions_and_other_peoples_moves_leave_my_home_alone(
    mem: Treering, clock: HandClock, said: str
) -> None:
    say(mem, "I live in Chicago.")
    clock.advance(days=1)
    receipt = say(mem, said)
    assert objects(mem, "User", "LIVES_IN") == {"Chicago"}
    assert "Chicago" not in {one.target for one in receipt.closed}
    assert any("Chicago" in one for one in current(mem))


def test_small_talk_makes_no_memory(mem: Treering) -> None:
    for text in ("Hello!", "Thanks, that's great!", "ok"):
        receipt = say(mem, text)
        assert receipt.memories == ()
        assert receipt.source_ids


def test_work_pets_and_plans_are_separate_and_work_on_something_is_one(mem: Treering) -> None:
    receipt = say(mem, "I work at Stripe on payments. My dog is called Rex. I want to visit Japan next spring.")
    contents = [one.content for one in receipt.memories]
    assert len(contents) == 3
    assert ["payments" in one for one in contents] == [True, False, False]
    assert ["Rex" in one for one in contents] == [False, True, False]

"""A question may tell the time by an event: when that was is looked up among what may be seen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.conftest import HandClock

import treering
from treering.door import Treering
from treering.recall.answer import Answer

LIFE = (
    ("2023-01-10", "I work at Lidl."),
    ("2023-02-01", "I adopted a cat named Miso."),
    ("2023-03-01", "My manager is Ana."),
    ("2023-06-01", "I moved to Porto today."),
    ("2023-07-01", "I ran a marathon."),
    ("2023-08-01", "I work at Aldi now."),
    ("2023-09-01", "Ben is my new manager."),
    ("2023-10-07", "We had our wedding today."),
    ("2023-11-01", "I took up pottery."),
)


@pytest.fixture
def life(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", clock=clock, embedder="turnfinder", extractor="reader") as door:
        for date, said in LIFE:
            clock.now = datetime.fromisoformat(f"{date}T10:00:00").replace(tzinfo=UTC)
            door.remember(said, at=clock.now, speaker="User", session=date)
        clock.now = datetime(2024, 6, 1, tzinfo=UTC)
        yield door


def ends(answer: Answer) -> list[tuple[str | None, str | None]]:
    return [(day(one.start), day(one.end)) for one in answer.windows]


def day(point: datetime | None) -> str | None:
    return point.date().isoformat() if point else None


@pytest.mark.parametrize(
    ("asked", "window"),
    [
        ("What did I do before I moved to Porto?", (None, "2023-06-01")),
        ("What have I done since I joined Aldi?", ("2023-08-01", None)),
        ("What did I do after the wedding?", ("2023-10-07", None)),
        ("What did I do while I was at Lidl?", ("2023-01-10", "2023-08-01")),
        ("What did I do while I worked at Lidl?", ("2023-01-10", "2023-08-01")),
        ("What did I say when I joined Aldi?", ("2023-08-01", "2023-08-02")),
        ("What have I worked on since Aldi?", ("2023-08-01", None)),
        ("Where did I work before Aldi?", (None, "2023-08-01")),
        ("Where did I work after Lidl?", ("2023-08-01", None)),
        ("What did I do after leaving Lidl?", ("2023-08-01", None)),
    ],
)
def test_an_event_stands_for_a_window(life: Treering, asked: str, window: tuple[str | None, str | None]) -> None:
    assert ends(life.recall(asked)) == [window]


@pytest.mark.parametrize(
    "asked",
    [
        "What did I do before I visited Porto?",
        "What did I do after the funeral?",
        "What did I do before Tim became my manager?",
        "What did I do when the cat was sick?",
    ],
)
def test_an_event_that_nothing_tells_of_stands_for_no_window(life: Treering, asked: str) -> None:
    assert life.recall(asked).windows == ()


def test_what_was_before_comes_first_and_not_the_event_itself(life: Treering) -> None:
    answer = life.recall("What did I do before I moved to Porto?", explain=True)
    assert "Miso" in answer[0].memory.content
    assert "within 'before I moved to Porto'" in answer[0].why
    move = next(hit for hit in answer if "moved" in hit.memory.content)
    assert move.explanation is not None
    assert move.explanation.modifiers["border"] < 0


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [("Where did I work before Aldi?", "Lidl"), ("Who was my manager before Ben?", "Ana")],
)
def test_what_made_way_for_it_comes_first(life: Treering, asked: str, wanted: str) -> None:
    answer = life.recall(asked)
    assert answer.view == "history"
    assert wanted in answer[0].memory.content


def test_of_several_before_it_the_last_comes_first(life: Treering, clock: HandClock) -> None:
    life.remember("I work at Spar now.", at=clock.now, speaker="User", session="spar")
    clock.advance(days=30)
    assert "Aldi" in life.recall("Where did I work before Spar?")[0].memory.content


def test_a_day_that_is_told_twice_is_no_day_by_which_to_tell_the_time(life: Treering, clock: HandClock) -> None:
    for _ in range(3):
        life.add("The choir had a concert.", kind="episode", at=clock.now)
        clock.advance(days=30)
    assert life.recall("What did I do after the concert?").windows == ()


def test_only_what_who_asks_may_see_and_was_known_dates_an_event(life: Treering, clock: HandClock) -> None:
    asked, said = "What did I do after the concert?", "The concert was loud."
    before = clock.now
    clock.advance(days=1)
    secret = life.add(said, kind="episode", at=clock.now, visibility="private").memories[0].id
    clock.advance(days=1)
    assert life.recall(asked, principal="eve").windows == ()
    assert len(life.recall(asked).windows) == 1
    assert life.recall(asked, known_at=before).windows == ()
    life.forget(secret)
    assert life.recall(asked).windows == ()


@pytest.mark.parametrize(
    ("said", "before", "now", "former"),
    [
        ("I left Siemens to join Bosch.", "Where did I work before Bosch?", "Where do I work?", "Siemens"),
        ("I moved from Turin to Lyon.", "Where did I live before Lyon?", "Where do I live?", "Turin"),
    ],
)
def test_what_was_before_a_change_is_told_by_the_change(
    clock: HandClock, said: str, before: str, now: str, former: str
) -> None:
    with treering.open(":memory:", clock=clock, embedder="turnfinder", extractor="reader") as door:
        change, state = door.remember(said, at=clock.now.replace(hour=0, minute=0, second=0, microsecond=0)).memories
        assert former in change.content
        assert former not in state.content
        clock.advance(days=30)
        assert door.recall(before)[0].memory.id == change.id
        assert door.recall(now)[0].memory.id == state.id

"""How many memories say what another said before, as `health` counts them."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.upkeep import said_twice


def doubles(mem: Treering, **more: object) -> int:
    return mem.health(**more).duplicates  # type: ignore[arg-type]


def test_each_that_says_what_was_said_before_is_counted_once(mem: Treering) -> None:
    assert (doubles(mem), mem.health().duplicates_among) == (0, 0)
    for text in ("Sam lives in Oslo", "Sam lives in Oslo now.", "Sam is living in Oslo", "Sam lives in Rome"):
        mem.add(text)
    assert (doubles(mem), mem.health().duplicates_among) == (2, 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sam lives in Oslo", "Sam lived in Oslo"),
        ("Sam likes tea", "Sam does not like tea"),
        ("The gate code is 4711", "The gate code is 4712"),
        ("Ann called Ben", "Ben called Ann"),
        ("Sam lives in Oslo", "Does Sam live in Oslo?"),
    ],
)
def test_what_differs_in_what_it_says_is_no_duplicate(mem: Treering, one: str, other: str) -> None:
    mem.add(one)
    mem.add(other)
    assert doubles(mem) == 0


def test_what_happened_on_two_days_happened_twice(mem: Treering) -> None:
    for day in ("2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z", "2026-01-02T12:00:00Z"):
        mem.add("Sam ran ten miles", kind="episode", event_time=day)
    assert doubles(mem) == 1


def test_what_is_no_longer_current_is_not_counted(mem: Treering) -> None:
    mem.add("Sam lives in Oslo")
    again = mem.add("Sam lives in Oslo").id
    mem.archive(again)
    assert doubles(mem) == 0
    mem.restore(again)
    assert doubles(mem) == 1


def test_what_is_private_counts_for_nobody_else_and_with_nothing_more_open(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Sam is ill", visibility="private")
    ann.add("Sam is ill", visibility="private")
    bob.add("Sam is ill")
    assert (doubles(ann), doubles(bob)) == (1, 0)


def test_it_is_as_cluster_finds_them(mem: Treering) -> None:
    for place in ("Oslo", "Rome", "Bonn"):
        mem.add(f"Kim moved to {place} in May")
        mem.add(f"Kim moved to {place} in May.")
    pairs = mem.cluster(find_duplicates=True, duplicate_threshold=0.5).duplicates
    assert doubles(mem) == len({one.id2 for one in pairs}) == 3


def test_it_looks_at_the_newest_and_says_at_how_many(
    mem: Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(said_twice, "AMONG", 3)
    for text in ("Sam naps", "Sam naps", "Kim naps", "Kim naps", "Lee naps"):
        mem.add(text)
        clock.advance(minutes=1)
    found = mem.health()
    assert (found.duplicates, found.duplicates_among, found.memories) == (1, 3, 5)


def test_of_another_day_it_tells_what_was_known_then(mem: Treering, clock: HandClock) -> None:
    mem.add("Sam naps")
    before = clock.now
    clock.advance(hours=1)
    mem.add("Sam naps")
    assert (doubles(mem, known_at=before), doubles(mem)) == (0, 1)

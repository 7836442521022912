"""The nearest by signs first: whatever the order in which vectors came, and whatever may be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treering.mind.packing import pack
from treering.recall.index import nearness
from treering.recall.index.nearness import Vectors
from treering.recall.search import best_first

DIMS, THINGS = 64, 400


@pytest.fixture(autouse=True)
def signs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "EXACT_UP_TO", 20)
    monkeypatch.setattr(nearness, "_BLOCK", 32)


@pytest.mark.parametrize("order", ["in order", "shuffled", "with gaps", "from arrays"])
def test_each_thing_is_the_nearest_to_its_own_vector(order: str) -> None:
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((THINGS, DIMS)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    things = np.arange(THINGS)
    if order != "in order":
        draw.shuffle(things)
    if order == "with gaps":
        things = things[: THINGS // 2]
    vectors = Vectors(DIMS)
    vectors.make_room(THINGS)
    for some in np.array_split(things, 7):
        vectors.take(some.tolist(), [pack(rows[one : one + 1]) for one in some])
    if order == "from arrays":
        vectors = Vectors.from_arrays(DIMS, vectors.arrays())

    everything = np.ones(THINGS, bool)
    for one in things[:60]:
        near = vectors.shortlist(rows[one], everything, 5)
        assert one in near
        assert len(near) < 60
        assert near[np.argmax(vectors.cosines(rows[one], near))] == one
        some = draw.random(THINGS) < 0.5
        some[one] = False
        assert one not in vectors.shortlist(rows[one], some, 5)


def test_those_that_lie_side_by_side_are_compared_as_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "_ROWS_AT_ONCE", 16)
    rows = np.random.default_rng(2).standard_normal((THINGS, DIMS)).astype(np.float32)
    vectors = Vectors(DIMS)
    vectors.make_room(THINGS)
    vectors.take(range(THINGS), [pack(rows[one : one + 1]) for one in range(THINGS)])
    each = np.array([vectors.cosines(rows[0], np.array([one]))[0] for one in range(THINGS)])
    for things in (np.arange(7, 90), np.arange(3, 4), np.arange(0), np.delete(np.arange(7, 90), 40)):
        assert vectors.cosines(rows[0], things) == pytest.approx(each[things], abs=1e-5)


@pytest.mark.parametrize("hidden", [1, 100, 350])
@pytest.mark.parametrize("unread", [0, 40])
def test_those_picked_out_of_all_afterwards_are_those_picked_before(
    monkeypatch: pytest.MonkeyPatch, hidden: int, unread: int
) -> None:
    draw = np.random.default_rng(4)
    rows = draw.standard_normal((THINGS, DIMS)).astype(np.float32)
    vectors = Vectors(DIMS)
    vectors.make_room(THINGS)
    things = draw.permutation(THINGS)[unread:]
    vectors.take(things.tolist(), [pack(rows[one : one + 1]) for one in things])
    seen = np.ones(THINGS, bool)
    seen[draw.choice(THINGS, hidden, replace=False)] = False
    found = []
    for most_of in (0, 3, THINGS):
        monkeypatch.setattr(nearness, "MOST_OF", most_of)
        found.append(vectors.shortlist(rows[7], seen, 12).tolist())
    assert found[0] == found[1] == found[2]
    assert 12 <= len(found[0]) < THINGS // 4
    assert set(found[0]) <= set(np.flatnonzero(seen).tolist()) & set(things.tolist())


def test_more_may_be_asked_for_than_there_are() -> None:
    rows = np.random.default_rng(5).standard_normal((THINGS, DIMS)).astype(np.float32)
    vectors = Vectors(DIMS)
    vectors.make_room(THINGS)
    vectors.take(list(range(THINGS)), [pack(rows[one : one + 1]) for one in range(THINGS)])
    assert vectors.shortlist(rows[0], np.ones(THINGS, bool), 10 * THINGS).tolist() == list(range(THINGS))


def test_what_is_learned_while_a_question_is_compared_does_not_disturb_it() -> None:
    rows = np.random.default_rng(2).standard_normal((THINGS + 1, DIMS)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors(DIMS)
    vectors.make_room(THINGS + 1)
    vectors.take(list(range(THINGS)), [pack(rows[one : one + 1]) for one in range(THINGS)])
    column = vectors.signs[0]

    class Growing:
        """The first look at it is the moment at which another thread learns one more."""

        extend = column.extend

        @property
        def rows(self) -> Any:
            vectors.signs[0] = column
            vectors.take([THINGS], [pack(rows[THINGS:])])
            return column.rows

    vectors.signs[0] = Growing()  # type: ignore[call-overload]
    near = vectors.shortlist(rows[7], np.ones(THINGS, bool), 5)
    assert len(vectors.whole) == THINGS + 1
    assert 7 in near
    assert near.max() < THINGS


@pytest.mark.parametrize("digits", [0, 2, 6])
def test_the_best_come_first_and_of_equals_the_earlier(digits: int) -> None:
    chance = np.random.default_rng(digits)
    for many, limit in ((1, 5), (40, 30), (900, 300), (2_100, 300), (2_100, 1)):
        things = np.sort(chance.choice(10_000, many, replace=False))
        score = np.round(chance.normal(size=many), digits)
        by_all = sorted(range(many), key=lambda place: (-score[place], things[place]))
        assert best_first(things, score, limit).tolist() == by_all[:limit]

"""How near is a session of which little was compared? In a large space as near as chance has it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from treering.mind.packing import pack
from treering.recall import semantic
from treering.recall.index import distant
from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Vectors
from treering.recall.semantic import LEAST_KNOWN, NEAREST_KNOWN, Nearness

DIMS, TURNS, SESSIONS = 48, 25, 320
THINGS = TURNS * SESSIONS


class NearestOnly(Vectors):
    """As many as are looked at."""

    told = NEAREST_KNOWN

    def shortlist(self, question: Numbers, seen: Numbers, limit: int) -> Numbers:
        every = np.flatnonzero(seen)
        best: Numbers = np.sort(every[np.argsort(-self.cosines(question, every))[: self.told]])
        return best


class Told(NearestOnly):
    """As a store that measures tells them."""

    told = distant.ASKED_FOR


@pytest.fixture(scope="module")
def rows() -> Numbers:
    drawn = np.random.default_rng(5).standard_normal((THINGS, DIMS)).astype(np.float32)
    found: Numbers = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return found


def nearness(rows: Numbers, kind: type[Vectors] = Vectors, turns: int = TURNS) -> Nearness:
    """Of the question that the first row is."""
    vectors = kind(DIMS)
    vectors.make_room(THINGS)
    vectors.take(range(THINGS), [pack(rows[one : one + 1]) for one in range(THINGS)])
    session, every = np.arange(THINGS) // turns, np.ones(THINGS, bool)
    visible = SimpleNamespace(
        known=THINGS, count=THINGS, seen=every, sessions=session, session_turns=np.bincount(session)
    )
    search: Any = SimpleNamespace(visible=visible, allowed=every, column=lambda name: session)
    near = Nearness(search, vectors, rows[0])
    near.nearest(300)
    return near


def test_a_store_that_measures_tells_enough_to_know_how_cosines_fall_off() -> None:
    assert LEAST_KNOWN <= distant.ASKED_FOR <= NEAREST_KNOWN


@pytest.mark.parametrize("kind", [Vectors, NearestOnly, Told])
def test_a_session_that_was_not_compared_is_about_as_near_as_it_is(
    kind: type[Vectors], rows: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = nearness(rows, kind).sessions()
    monkeypatch.setattr(semantic, "WHOLE_UP_TO", THINGS)
    right = nearness(rows, kind).sessions()
    assert right[0] == told[0] == pytest.approx(1.0, abs=0.01)
    assert float(np.abs(told - right).mean()) < 0.03
    assert float(np.abs(told - right).max()) < 0.25


def test_what_was_compared_later_counts_and_a_session_that_was_compared_whole_is_as_near_as_it_is(
    rows: Numbers,
) -> None:
    near = nearness(rows, NearestOnly)
    before = near.sessions()
    far = int(np.argmin(rows @ rows[0])) // TURNS
    cosines = near.of(np.arange(far * TURNS, (far + 1) * TURNS))
    after = near.sessions()
    assert after[far] == cosines.max()
    others = np.arange(SESSIONS) != far
    assert (after[others] == before[others]).all()
    some = np.array([far * TURNS + 3, 0, 17, THINGS - 1, 999])
    assert near.company(some).tolist() == after[some // TURNS].tolist()


def test_who_speaks_in_no_session_is_not_held_to_be_opposite(rows: Numbers) -> None:
    told = nearness(rows, Told, turns=1).sessions()
    assert told.min() > -0.2

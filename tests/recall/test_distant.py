"""What is brought from a store that measures, and what is not? Beside a reader that counts what it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from treering.mind.packing import pack
from treering.recall.index import distant
from treering.recall.index.columns import MemoryColumn, Numbers
from treering.recall.index.distant import Distant, DistantQuery
from treering.recall.index.nearness import LOOKED_INTO, Vectors
from treering.store.contract import MemoryFilter

DIMS, THINGS = 16, 200


class Store:
    """Keeps the vectors of all things, each at a place of its own; tells the nearest, and cosines a little off."""

    def __init__(self) -> None:
        drawn = np.random.default_rng(7).standard_normal((THINGS, 2, DIMS))
        self.rows: Numbers = (drawn / np.linalg.norm(drawn, axis=2, keepdims=True)).astype(np.float32)
        self.brought: list[list[int]] = []
        self.heeds = True
        """What it is told to leave out."""

    def packed(self, places: Sequence[int]) -> list[tuple[int, bytes]]:
        self.brought.append(sorted(places))
        return [(place, pack(self.rows[place - 100])) for place in reversed(places)]

    def nearest_without(
        self, embedder: str, vector: Sequence[float], without: Sequence[str], limit: int
    ) -> list[tuple[str, float]]:
        cosines = self.rows[:, 0] @ np.asarray(vector, np.float32)
        best = [one for one in np.argsort(-cosines).tolist() if not self.heeds or str(one) not in without]
        return [(str(one), float(cosines[one]) + 0.001) for one in best[:limit]]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(distant, "EXACT_UP_TO", 5)
    monkeypatch.setattr(distant, "ASKED_FOR", 10)
    return Store()


def asked(store: Store, held: Distant | None = None, hits: int = 10) -> DistantQuery:
    if held is None:
        held = Distant(DIMS)
        held.make_room(THINGS)
        held.note(range(THINGS), range(100, 100 + THINGS))
    index: Any = SimpleNamespace(
        embedder="e", ids=[str(one) for one in range(THINGS)], number={str(one): one for one in range(THINGS)}
    )
    every: Any = store
    return DistantQuery(index, held, every, MemoryFilter(), np.ones(THINGS, bool), hits)


def local(store: Store) -> Vectors:
    vectors = Vectors(DIMS)
    vectors.make_room(THINGS)
    vectors.take(range(THINGS), [pack(each) for each in store.rows])
    return vectors


def test_what_came_with_the_nearest_is_not_brought_for_its_cosine(store: Store) -> None:
    one, question = asked(store), store.rows[3, 0]
    near = one.shortlist(question, np.ones(THINGS, bool), 50)
    assert len(near) == 10
    assert near.tolist() == sorted(near.tolist())
    told = one.cosines(question, near)
    assert store.brought == []
    assert np.allclose(told, store.rows[near, 0] @ question + 0.001, atol=1e-6)
    others = np.setdiff1d(np.arange(THINGS), near)
    assert np.array_equal(one.cosines(question, np.arange(THINGS))[others], local(store).cosines(question, others))
    assert store.brought == [(others + 100).tolist()]


def test_what_is_at_hand_is_computed_from_its_bytes_and_brought_once(store: Store) -> None:
    one, question, every = asked(store), store.rows[3, 0], np.arange(THINGS)
    one.shortlist(question, np.ones(THINGS, bool), 50)
    one.bring(every[:20])
    one.bring(every)
    assert [len(some) for some in store.brought] == [20, 180]
    assert np.array_equal(one.cosines(question, every), local(store).cosines(question, every))
    zeros = np.zeros(THINGS, np.float32)
    assert np.array_equal(one.best_parts(question, every, zeros), local(store).best_parts(question, every, zeros))
    assert len(store.brought) == 2


def test_what_may_not_be_seen_is_not_told_of(store: Store) -> None:
    one, question, seen = asked(store), store.rows[3, 0], np.ones(THINGS, bool)
    first = one.shortlist(question, seen, 50)
    seen[first[:4]] = False
    assert not {*one.shortlist(question, seen, 50).tolist()} & {*first[:4].tolist()}
    store.heeds = False  # as one that has come further, and knows of others by now
    assert one.shortlist(question, seen, 50).tolist() == first[4:].tolist()
    assert one.shortlist(question, np.ones(int(first[-1]), bool), 50).tolist() == first[:-1].tolist()


@pytest.mark.parametrize(("hits", "looked_into"), [(1, 120), (10, 120), (20, 240), (1_000, LOOKED_INTO)])
def test_the_more_hits_are_wanted_the_more_are_looked_into(store: Store, hits: int, looked_into: int) -> None:
    assert asked(store, hits=hits).looked_into == looked_into
    assert local(store).looked_into == LOOKED_INTO


def test_what_is_at_hand_does_not_move_as_more_comes(store: Store) -> None:
    one = asked(store)
    one.bring(np.arange(3))
    lies = one._held.whole.rows
    one.bring(np.arange(150))
    assert np.shares_memory(lies, one._held.whole.rows)


def test_room_that_is_reserved_changes_nothing_that_is_there() -> None:
    column = MemoryColumn(np.int32, 2)
    column.extend([[1, 2], [3, 4]])
    column.reserve(100)
    column.reserve(1)
    assert column.rows.tolist() == [[1, 2], [3, 4]]
    before = column.rows
    column.extend(np.zeros((90, 2)))
    assert len(column) == 92
    assert np.shares_memory(before, column.rows)

"""Is an index that follows a store in steps the one that learns all at once? By whatever steps, with a file in between,
and after a failure half way."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import HandClock
from tests.recall.hashing import DIMS, Hashing
from tests.recall.index_file.filed import Opened, tell

from treering.door import Treering
from treering.recall.index import postings, snapshot
from treering.recall.index.packed import pack
from treering.recall.index.space import SpaceIndex
from treering.store.contract import Store


@pytest.mark.parametrize("seed", range(6))
def test_an_index_that_follows_in_steps_is_the_one_that_learns_all_at_once(
    seed: int, clock: HandClock, new_store: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By whatever steps, and with a file in between."""
    monkeypatch.setattr(postings, "TAIL_POSTINGS", 40)
    monkeypatch.setattr("treering.recall.index.space.BATCH", 7)
    chance, store, mind = random.Random(seed), new_store("sqlite"), Hashing()
    steps, filed = SpaceIndex("lab", mind.name, DIMS), SpaceIndex("lab", mind.name, DIMS)
    for round_ in range(6):
        door = Treering(store, clock=clock, space="lab", embedder=mind)
        tell(door, clock, chance.randrange(12), seed=100 * seed + round_)
        if chance.random() < 0.4:
            door.add_many(
                [{"content": f"Cleo reads book {one}", "session": "s2"} for one in range(9)], embed_later=True
            )
            steps.follow(store)
            door.reembed(mind.name)
        steps.follow(store)
        filed.follow(store)
        snapshot.save(snapshot.capture(filed), tmp_path / "files", lambda: 0)
        again = snapshot.load(tmp_path / "files", store, SpaceIndex("lab", mind.name, DIMS)) if len(filed) else filed
        assert again is not None
        filed = again
    once = SpaceIndex("lab", mind.name, DIMS)
    once.follow(store)
    for other in (steps, filed):
        assert_same(other, once)


def assert_same(one: SpaceIndex, other: SpaceIndex) -> None:
    known = len(other)
    for word in other.words.spelling():
        for cut in (known, known // 2):
            assert one.words.count(one.words.number[word], cut) == len(other.words.of(word, cut)[0])
        for upto in (known // 2, known):
            for mine, theirs in zip(one.words.of(word, upto), other.words.of(word, upto), strict=True):
                np.testing.assert_array_equal(mine, theirs)
    for number in range(known):
        np.testing.assert_array_equal(one.words.words_of(number), other.words.words_of(number))
    assert list(one.words.beginning_with("g")) == list(other.words.beginning_with("g"))
    for column in ("previous", "following"):
        np.testing.assert_array_equal(one[column][:known], other[column][:known])
    for name in ("ids", "number", "sessions", "session_ends", "speakers", "tagged", "entity_ids"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("seq", "hash", "known", "place", "last_vector", "purges"):
        assert getattr(one, name) == getattr(other, name), name
    mine, theirs = pack(one), pack(other)
    assert mine.keys() == theirs.keys()
    for name, array in theirs.items():
        assert mine[name].dtype == array.dtype
        np.testing.assert_array_equal(mine[name], array, err_msg=name)


def test_an_index_that_failed_half_way_begins_anew(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treering.recall.index.space.BATCH", 4)
    door = opened()
    door.add_many([{"content": f"Ada likes tea number {one}", "session": "s1"} for one in range(10)])
    real, calls = SpaceIndex._learn, []

    def learn(self: SpaceIndex, texts: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise MemoryError
        real(self, texts)

    monkeypatch.setattr(SpaceIndex, "_learn", learn)
    with pytest.raises(MemoryError):
        door.recall("tea")
    assert len(door.recall("tea number", limit=50)) == 10

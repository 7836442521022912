"""An index is brought up to date with whatever came, also with what no entry of the journal tells of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treering.door import Treering
from treering.mind.packing import pack
from treering.model.embedding import Embedded
from treering.recall import index_cache
from treering.recall.index_cache import IndexCache
from treering.recall.visibility import _marks
from treering.store import open_store

DIMS, READER = 4, "small@1"


def test_vectors_that_are_kept_after_the_index_was_made_are_learned(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "shelf.db"))
    memory = Treering(store, actor="ann", space="lab", embedder="none").add("Ada sings").id
    cache = IndexCache(store)

    def learned() -> int:
        with store.snapshot() as snapshot:
            vectors = cache.index(snapshot, "lab", READER, DIMS).index.vectors
        assert vectors is not None
        return len(vectors)

    assert learned() == 0
    store.keep_vectors("lab", [Embedded(memory, READER, pack(np.eye(1, DIMS, dtype=np.float32)))])
    assert learned() == 1
    store.close()


def test_what_came_into_the_index_after_the_look_is_not_marked() -> None:
    """Another may bring it forward in between: it is none of those that were looked at."""
    assert list(_marks(3, [0, 2, 3, 9])) == [True, False, True]


def test_more_indexes_are_kept_as_long_as_they_hold_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "SPACES", 2)
    monkeypatch.setattr(index_cache, "MEMORIES", 5)
    monkeypatch.setattr(index_cache, "BESIDE", 0)
    store = open_store(str(tmp_path / "shelf.db"))
    mem = Treering(store, actor="ann", space="lab", embedder="none")
    cache = IndexCache(store)

    def asked(space: str) -> list[str]:
        with store.snapshot() as snapshot:
            cache.index(snapshot, space, None, DIMS)
        return cache.spaces()

    for name in ("a", "b", "c", "d"):
        mem.add("Ada sings", space=name)
        mem.add("Bo rows", space=name)
    assert [asked("a"), asked("b"), asked("c")] == [["a"], ["a", "b"], ["a", "b", "c"]]
    assert asked("d") == ["b", "c", "d"]  # six were held: the one asked longest ago has made room
    assert asked("d") == ["c", "d"]
    assert asked("d") == ["c", "d"]  # two are kept, whatever they hold
    cache.drop("c")
    assert asked("a") == ["a", "d"]
    assert asked("b") == ["a", "b", "d"]
    store.close()


def test_empty_spaces_make_room_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "SPACES", 2)
    monkeypatch.setattr(index_cache, "MEMORIES", 3 * index_cache.BESIDE)
    store = open_store(str(tmp_path / "shelf.db"))
    cache = IndexCache(store)
    for space in ("a", "b", "c", "d", "e"):
        with store.snapshot() as snapshot:
            cache.index(snapshot, space, None, DIMS)
    assert cache.spaces() == ["b", "c", "d", "e"]
    store.close()


def test_an_index_that_grows_counts_for_what_it_holds_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "SPACES", 1)
    monkeypatch.setattr(index_cache, "MEMORIES", 5)
    monkeypatch.setattr(index_cache, "BESIDE", 0)
    store = open_store(str(tmp_path / "shelf.db"))
    mem = Treering(store, actor="ann", space="lab", embedder="none")
    cache = IndexCache(store)

    def asked(space: str) -> list[str]:
        with store.snapshot() as snapshot:
            cache.index(snapshot, space, None, DIMS)
        return cache.spaces()

    for text in ("Ada sings", "Bo rows", "Cy knits"):
        mem.add(text, space="a")
        asked("a")  # of one, two and three memories: three are held, not six
    assert asked("b") == ["a", "b"]
    assert asked("b") == ["a", "b"]
    store.close()

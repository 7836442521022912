"""An index is brought up to date with whatever came, also with what no entry of the journal tells of."""

from __future__ import annotations

from collections.abc import Iterator
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


class Shelf:
    """A store, and what of it has an index at hand."""

    def __init__(self, folder: Path) -> None:
        self.store = open_store(str(folder / "shelf.db"))
        self.mem = Treering(self.store, actor="ann", space="lab", embedder="none")
        self.cache = IndexCache(self.store)

    def asked(self, space: str) -> list[str]:
        with self.store.snapshot() as snapshot:
            self.cache.index(snapshot, space, None, DIMS)
        return self.cache.spaces()


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """Two indexes are kept whatever they hold, and more up to five memories."""
    monkeypatch.setattr(index_cache, "SPACES", 2)
    monkeypatch.setattr(index_cache, "MEMORIES", 5)
    monkeypatch.setattr(index_cache, "BESIDE", 0)
    opened = Shelf(tmp_path)
    yield opened
    opened.store.close()


def test_more_indexes_are_kept_as_long_as_they_hold_little(shelf: Shelf) -> None:
    for name in ("a", "b", "c", "d"):
        shelf.mem.add("Ada sings", space=name)
        shelf.mem.add("Bo rows", space=name)
    assert [shelf.asked("a"), shelf.asked("b"), shelf.asked("c")] == [["a"], ["a", "b"], ["a", "b", "c"]]
    assert shelf.asked("d") == ["b", "c", "d"]  # six were held: the one asked longest ago has made room
    assert shelf.asked("d") == ["c", "d"]
    assert shelf.asked("d") == ["c", "d"]  # two are kept, whatever they hold
    shelf.cache.drop("c")
    assert shelf.asked("a") == ["a", "d"]
    assert shelf.asked("b") == ["a", "b", "d"]


def test_an_index_that_grows_counts_for_what_it_holds_now(shelf: Shelf) -> None:
    for text in ("Ada sings", "Bo rows", "Cy knits"):
        shelf.mem.add(text, space="a")
        shelf.asked("a")  # of one, two and three memories: three are held, not six
    assert [shelf.asked("b"), shelf.asked("c"), shelf.asked("c")] == [["a", "b"], ["a", "b", "c"], ["a", "b", "c"]]


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

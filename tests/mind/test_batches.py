"""The machinery the embedders share, with a reader of its own that counts what it is given."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treering.errors import Corrupted, Fault, InvalidRequest
from treering.installed import Once, _sha256, check_digest
from treering.mind.batches import (
    CHARACTERS_READ,
    Batches,
    BatchPolicy,
    VectorCache,
)


class Reader:
    """Every text becomes (its length, 1), and every batch is written down."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, texts: list[str]) -> Any:
        self.batches.append(texts)
        return np.array([[len(text), 1] for text in texts], np.float32)


def made(**policy: int) -> tuple[Reader, Batches]:
    reader = Reader()
    return reader, Batches(2, reader, BatchPolicy(**policy))


def lengths(rows: Any) -> list[int]:
    return [round(float(row[0] / row[1])) for row in rows]


def test_texts_are_read_in_small_batches_of_like_length_and_returned_in_their_order() -> None:
    reader, batches = made(texts_per_batch=8)
    sizes = [(place * 37) % 50 + 1 for place in range(50)]
    assert lengths(batches.embed(["x" * size for size in sizes])) == sizes
    assert [len(batch) for batch in reader.batches] == [8, 8, 8, 8, 8, 8, 2]
    assert [len(text) for batch in reader.batches for text in batch] == sorted(sizes)


def test_long_texts_travel_in_smaller_company() -> None:
    reader, batches = made(texts_per_batch=8, characters_per_batch=100)
    batches.embed(["x" * size for size in (1, 20, 30, 31, 40, 41, 90, 300)])
    assert [[len(text) for text in batch] for batch in reader.batches] == [[1, 20, 30], [31, 40], [41], [90], [300]]


def test_lanes_side_by_side_change_nothing_but_the_time() -> None:
    _, alone = made(texts_per_batch=1)
    _, beside = made(texts_per_batch=1, lanes=3)
    texts = ["x" * (place * 7 % 31 + 1) for place in range(40)]
    assert np.array_equal(alone.embed(texts), beside.embed(texts))


def test_a_repeated_text_is_read_once_in_a_call_and_never_again_while_it_is_kept() -> None:
    reader, batches = made()
    batches.embed(["a", "bb", "a", "a"])
    batches.embed(["bb", "a"])
    assert reader.batches == [["a", "bb"]]
    assert batches.cache.hits == 2


def test_the_cache_keeps_the_texts_met_last_and_no_more_than_its_limit() -> None:
    reader, batches = made(cached_texts=2)
    batches.embed(["a", "bb"])
    batches.embed(["a"])
    batches.embed(["ccc"])
    assert len(batches.cache) == 2
    batches.embed(["a", "ccc"])
    assert [text for batch in reader.batches for text in batch] == ["a", "bb", "ccc"]
    batches.embed(["bb"])
    assert reader.batches[-1] == ["bb"]


def test_a_call_larger_than_the_cache_is_answered_whole() -> None:
    _, batches = made(cached_texts=3)
    sizes = list(range(1, 40))
    assert lengths(batches.embed(["x" * size for size in sizes])) == sizes
    assert len(batches.cache) == 3


def test_without_a_cache_every_call_reads_again() -> None:
    reader, batches = made(cached_texts=0)
    batches.embed(["a"])
    batches.embed(["a"])
    assert reader.batches == [["a"], ["a"]]


def test_the_cache_holds_together_under_many_threads() -> None:
    cache = VectorCache(16)

    def work(seed: int) -> None:
        for step in range(400):
            text = str((seed * 31 + step) % 40)
            found = cache.find(text)
            assert found is None or found[0] == float(text)
            cache.keep(text, np.array([float(text)], np.float32))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert len(cache) == 16


def test_a_book_is_read_as_far_as_the_limit() -> None:
    _, batches = made()
    assert lengths(batches.embed(["x" * (CHARACTERS_READ + 5)])) == [CHARACTERS_READ]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (np.zeros((1, 2), np.float32), "without direction"),
        (np.full((1, 2), np.nan, np.float32), "without direction"),
        (np.ones((2, 2), np.float32), "1 texts gave an array of"),
        (np.ones((1, 3), np.float32), "1 texts gave an array of"),
    ],
)
def test_a_model_that_misbehaves_is_a_fault_and_nothing_of_it_is_kept(answer: Any, complaint: str) -> None:
    batches = Batches(2, lambda _: answer, BatchPolicy())
    with pytest.raises(Fault, match=complaint):
        batches.embed(["a"])
    assert len(batches.cache) == 0


def test_threads_stay_from_one_call_to_the_next() -> None:
    seen: set[str] = set()

    def read(texts: list[str]) -> Any:
        seen.add(threading.current_thread().name)
        return np.ones((len(texts), 2), np.float32)

    batches = Batches(2, read, BatchPolicy(texts_per_batch=1, lanes=2))
    for number in range(10):
        batches.embed([f"{number} a", f"{number} b", f"{number} c"])
    assert len(seen) <= 2


def test_a_forked_process_begins_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _, batches = made(texts_per_batch=1, lanes=2)
    batches.embed(["a", "b"])
    mine = batches._threads()
    assert batches._threads() is mine
    monkeypatch.setattr("treering.mind.batches.os.getpid", lambda: -1)
    assert batches._threads() is not mine


def test_what_fails_in_a_lane_is_told_and_the_next_call_is_served() -> None:
    def read(texts: list[str]) -> Any:
        if "bad" in texts:
            raise Fault("bad")
        return np.ones((len(texts), 2), np.float32)

    batches = Batches(2, read, BatchPolicy(texts_per_batch=1, lanes=2))
    with pytest.raises(Fault, match="bad"):
        batches.embed(["bad", "good", "fine"])
    assert batches.embed(["good", "fine"]).shape == (2, 2)


@pytest.mark.parametrize("field", ["texts_per_batch", "characters_per_batch", "lanes", "cached_texts"])
def test_a_policy_out_of_bounds_is_refused(field: str) -> None:
    with pytest.raises(InvalidRequest, match=f"{field}: -1 is less than"):
        BatchPolicy(**{field: -1})


def test_threads_that_need_a_model_at_once_load_it_once() -> None:
    loads: list[int] = []
    start = threading.Barrier(5)
    model = Once(lambda: loads.append(1) or object())

    def use(_: int) -> object:
        start.wait()
        return model.get()

    with ThreadPoolExecutor(5) as pool:
        assert len(set(pool.map(use, range(5)))) == 1
    assert loads == [1]


def test_a_model_that_failed_to_load_is_tried_again() -> None:
    divisors = [0, 1]
    model = Once(lambda: 7 // divisors.pop(0))
    with pytest.raises(ZeroDivisionError):
        model.get()
    assert model.get() == 7


def test_a_file_is_digested_once_while_it_stays_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"one")
    good = hashlib.sha256(b"one").hexdigest()
    check_digest(path, good)
    read = _sha256.cache_info().misses
    check_digest(path, good)
    assert _sha256.cache_info().misses == read
    path.write_bytes(b"other")
    with pytest.raises(Corrupted) as broken:
        check_digest(path, good)
    assert hashlib.sha256(b"other").hexdigest() in str(broken.value)
    assert good in str(broken.value)

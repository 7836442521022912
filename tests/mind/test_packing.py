"""Vectors in few bytes: what goes in comes out, near enough; what was never packed is refused."""

from __future__ import annotations

import struct
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.conftest import examples

from treering.errors import Corrupted, InvalidRequest
from treering.mind import open_embedder
from treering.mind.packing import pack, unpack, unpack_many

DIMS = 384


def unit(rows: Any) -> Any:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def drawn(count: int, dims: int = DIMS, seed: int = 0) -> Any:
    return unit(np.random.default_rng(seed).standard_normal((count, dims)))


def restored(data: bytes, dims: int = DIMS) -> Any:
    steps, scales = unpack(data, dims)
    return steps * scales[:, np.newaxis]


def test_a_row_comes_back_with_its_direction_and_length_one() -> None:
    rows = drawn(50)
    back = restored(pack(rows))
    assert back.dtype == np.float32
    assert (back * rows).sum(axis=1).min() > 0.9999
    assert np.allclose(np.linalg.norm(back, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("name", ["turnfinder", "turnfinder-2", "minilm", "static"])
def test_vectors_of_real_sentences_keep_their_direction(name: str) -> None:
    embedder = open_embedder(name)
    rows = embedder.embed(["Ann: I keep bees behind the barn.", "Where did Tom go?", "The invoice is due."])
    assert (restored(pack(rows), embedder.dims) * rows).sum(axis=1).min() > 0.9999


def test_a_row_takes_a_byte_a_dimension_and_four_for_its_scale() -> None:
    assert len(pack(drawn(3))) == 5 + 3 * (4 + DIMS)


def test_the_layout_stays_as_it_is() -> None:
    packed = pack(np.array([[1, 0], [0, -1]], np.float32))
    scale = struct.pack("<f", 1 / 127)
    assert packed == b"\x01\x02\x00\x02\x00" + scale + scale + bytes([127, 0, 0, 129])


def test_no_rows_are_no_trouble() -> None:
    steps, scales = unpack(pack(np.empty((0, DIMS), np.float32)), DIMS)
    assert steps.shape == (0, DIMS)
    assert scales.shape == (0,)


@given(
    arrays.arrays(
        np.float32, st.tuples(st.integers(1, 5), st.integers(1, 40)), elements=st.floats(-1, 1, width=32)
    ).filter(lambda rows: bool(np.all(np.abs(rows).max(axis=1) > 1e-3)))
)
def test_any_direction_survives(rows: Any) -> None:
    rows = unit(rows.astype(np.float64))
    back = restored(pack(rows), rows.shape[1])
    assert np.allclose(np.linalg.norm(back, axis=1), 1, atol=1e-6)
    assert (back * rows).sum(axis=1).min() > 0.999


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((1, 3), np.float32),
        np.full((1, 3), np.nan, np.float32),
        np.full((1, 3), np.inf, np.float32),
        np.ones(3, np.float32),
        np.ones((1, 0), np.float32),
        np.ones((1, 65_536), np.float32),
    ],
)
def test_what_is_no_vector_is_not_packed(rows: Any) -> None:
    with pytest.raises(InvalidRequest, match="rows: "):
        pack(rows)


GOOD = pack(drawn(2, 8))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "fewer than its head"),
        (GOOD[:4], "fewer than its head"),
        (GOOD[:-1], "28 bytes, not 29"),
        (GOOD + b"\0", "30 bytes, not 29"),
        (b"\x02" + GOOD[1:], "version 2, not 1"),
        (pack(drawn(2, 9)), "9 dims, not 8"),
        (GOOD[:5] + struct.pack("<f", float("nan")) + GOOD[9:], "a scale that is none"),
        (GOOD[:5] + struct.pack("<f", float("inf")) + GOOD[9:], "a scale that is none"),
        (GOOD[:5] + struct.pack("<f", -1.0) + GOOD[9:], "a scale that is none"),
        (GOOD[:5] + bytes(4) + GOOD[9:], "a scale that is none"),
    ],
)
def test_bytes_that_do_not_hold_together_are_corrupted(data: bytes, complaint: str) -> None:
    with pytest.raises(Corrupted, match=complaint):
        unpack(data, 8)
    with pytest.raises(Corrupted, match=complaint):
        unpack_many([GOOD, data, GOOD], 8)


@settings(max_examples=examples(300))
@given(st.binary(max_size=64), st.integers(1, 9))
def test_any_other_bytes_are_corrupted_or_rows_of_these_dims(data: bytes, dims: int) -> None:
    try:
        steps, scales = unpack(data, dims)
    except Corrupted:
        return
    assert steps.shape == (len(scales), dims)


def test_many_blobs_give_what_each_gives_alone() -> None:
    blobs = [pack(drawn(count, seed=count)) for count in (1, 3, 0, 17, 2)]
    steps, scales, counts = unpack_many(blobs, DIMS)
    alone = [unpack(blob, DIMS) for blob in blobs]
    assert counts.tolist() == [1, 3, 0, 17, 2]
    assert np.array_equal(steps, np.vstack([each for each, _ in alone]))
    assert np.array_equal(scales, np.concatenate([each for _, each in alone]))


def test_one_blob_that_does_not_hold_together_is_told_of_among_many() -> None:
    blobs = [pack(drawn(2, seed=number)) for number in range(4)]
    for wrong, complaint in (
        (b"\x01", "fewer than its head"),
        (b"\x02" + blobs[0][1:], "of version 2"),
        (blobs[0][:-1], f"{len(blobs[0]) - 1} bytes"),
        (blobs[0][:3] + b"\x03\x00" + blobs[0][5:], f"{len(blobs[0])} bytes"),
        (pack(drawn(2, dims=3)), "3 dims"),
        (blobs[0][:1] + struct.pack("<H", DIMS + 1) + blobs[0][3:], f"{DIMS + 1} dims"),
    ):
        with pytest.raises(Corrupted, match=complaint):
            unpack_many([*blobs[:2], wrong, *blobs[2:]], DIMS)


def test_no_blobs_give_no_rows_of_the_right_width() -> None:
    steps, scales, counts = unpack_many([], DIMS)
    assert (steps.shape, scales.shape, counts.shape) == ((0, DIMS), (0,), (0,))


def test_many_blobs_are_unpacked_at_once() -> None:
    blobs = [pack(row[np.newaxis]) for row in drawn(1000)] * 20
    fastest = min(_seconds(blobs) for _ in range(3))
    assert fastest < 0.5  # 20,000; a hundred thousand take less than that on an idle machine


def _seconds(blobs: list[bytes]) -> float:
    start = time.thread_time()
    unpack_many(blobs, DIMS)
    return time.thread_time() - start

"""How is a passage's array of vectors kept in a few bytes? Each row as int8, with a scale of its own.

The scale brings the row back to length 1, whatever the rounding did to it: products with it are cosines. Little-endian:

    version uint8 | dims uint16 | rows uint16 | rows x scale float32 | rows x dims x int8
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treering.errors import Corrupted, InvalidRequest

if TYPE_CHECKING:
    import numpy.typing as npt

    from treering.mind.contract import Vectors

VERSION = 1
MOST = 65_535  # dims, and rows, that the head can say
_HEAD = struct.Struct("<BHH")
_HEADS = np.dtype([("version", "u1"), ("dims", "<u2"), ("rows", "<u2")])
_SCALE = np.dtype("<f4")
_STEPS = 127


def pack(rows: Vectors) -> bytes:
    """The rows, of length 1 each, in 5 + rows * (4 + dims) bytes."""
    if rows.ndim != 2 or not 1 <= rows.shape[1] <= MOST or len(rows) > MOST:
        raise InvalidRequest(f"rows: an array of {rows.shape} is not one of at most {MOST} rows and dims")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not np.all(np.isfinite(largest)) or not np.all(largest > 0):
        raise InvalidRequest("rows: a vector without direction (zero or not finite) cannot be packed")
    steps = np.rint(rows / largest * _STEPS)
    scales = 1 / np.linalg.norm(steps, axis=1)
    head = _HEAD.pack(VERSION, rows.shape[1], len(rows))
    return b"".join((head, scales.astype(_SCALE).tobytes(), steps.astype(np.int8).tobytes()))


def unpack(data: bytes, dims: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """(rows x dims) int8 and a scale a row; row times scale is the vector. `Corrupted` when the bytes are not that."""
    steps, scales, _ = unpack_many([data], dims)
    return steps, scales


def unpack_first(data: bytes) -> Vectors:
    """The first row, of length 1."""
    _, dims, _ = _HEAD.unpack_from(data)
    steps, scales = unpack(data, dims)
    first: Vectors = steps[0].astype(np.float32) * scales[0]
    return first


def unpack_many(
    blobs: Sequence[bytes], dims: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """The rows of all blobs one under the other, their scales, and how many rows each blob had. Read-only arrays."""
    counts = _counts(blobs, dims)
    # joins, and numpy looks at the bytes where they lie: a hundred thousand blobs cost no step a row
    bodies = (_HEAD.size + counts * _SCALE.itemsize).tolist()
    joined = b"".join([blob[_HEAD.size : body] for blob, body in zip(blobs, bodies, strict=True)])
    scales = np.frombuffer(joined, _SCALE).astype(np.float32, copy=False)
    if not np.all(np.isfinite(scales)) or not np.all(scales > 0):
        raise Corrupted("a stored vector has a scale that is none; make the index anew")
    steps = np.frombuffer(b"".join([blob[body:] for blob, body in zip(blobs, bodies, strict=True)]), np.int8)
    return steps.reshape(-1, dims), scales, counts


def _counts(blobs: Sequence[bytes], dims: int) -> npt.NDArray[np.int64]:
    """How many rows each blob holds. All heads are looked at together, and one by one only to say what is wrong."""
    joined = b"".join([blob[: _HEAD.size] for blob in blobs])
    sizes = np.fromiter(map(len, blobs), np.int64, len(blobs))
    if len(joined) == len(blobs) * _HEAD.size:
        heads = np.frombuffer(joined, _HEADS)
        counts = heads["rows"].astype(np.int64)
        right = (heads["version"] == VERSION) & (heads["dims"] == dims)
        if np.all(right & (sizes == _HEAD.size + counts * (_SCALE.itemsize + dims))):
            return counts
    return np.array([_rows(blob, dims) for blob in blobs], np.int64)


def _rows(blob: bytes, dims: int) -> int:
    """How many rows a blob holds, once its head and its length are as they should be."""
    if len(blob) < _HEAD.size:
        raise Corrupted(f"a stored vector has {len(blob)} bytes, fewer than its head; make the index anew")
    version, wide, rows = _HEAD.unpack_from(blob)
    if version != VERSION:
        raise Corrupted(f"a stored vector is of version {version}, not {VERSION}; make the index anew")
    if wide != dims:
        raise Corrupted(f"a stored vector has {wide} dims, not {dims}; make the index anew")
    expected = _HEAD.size + rows * (_SCALE.itemsize + dims)
    if len(blob) != expected:
        raise Corrupted(f"a stored vector has {len(blob)} bytes, not {expected}; make the index anew")
    return int(rows)

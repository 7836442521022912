"""How does an index outlive its process? As a file beside the store, from which it is back in a fraction of a second.

The file is never needed: what it holds can be learned from the store again. So it is believed only if it is whole, made
by this version, and about this very journal: the entry up to which it had learned must be in the store with the same
hash, which covers all before it; and the last vectors it had learned must lie in their place, byte for byte. Otherwise
it is as if it were not there.

    magic | length of head uint32 | sha256 of head | head, JSON padded to 64 bytes | arrays, each at a multiple of 64

The arrays are mapped, not read: processes share them, and what no question touches may leave memory. Over them stands a
CRC-32, looked at once, when a file is loaded: 150 MB take 0.04 s, where SHA-256 takes 0.11 s and protects no better
against accidents. Whoever can write the file on purpose can write the store too; files of other owners are not used.
"""

from __future__ import annotations

import hashlib
import json
import logging
import mmap
import os
import secrets
import struct
import sys
import time
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.index.packed import Arrays, pack, unpack
from treering.recall.index.space import SpaceIndex
from treering.store import beside
from treering.store.contract import Snapshot
from treering.values import dataclass
from treering.version import VERSION

FORMAT = 2
"""Raised by whoever changes the file, or what an index makes of a memory: its words, cues, numbers."""
MAGIC = b"TREERING"
ABANDONED_SECONDS = 3600.0
"""A file that is still being written after that long was left by a process that died."""
_PREFACE = struct.Struct("<8sI32s")
_LINE = 64
_SUFFIX, _UNFINISHED = "idx", "tmp"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Marks:
    """How far an index had come, and in which journal."""

    space: str
    embedder: str | None
    dims: int
    seq: int
    hash: str
    known: int
    place: int
    last_vector: str
    purges: int
    stamp: str

    @classmethod
    def of(cls, index: SpaceIndex) -> Marks:
        return cls(**{name: getattr(index, name) for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class Capture:
    """An index as it was at one instant."""

    marks: Marks
    arrays: Arrays


def capture(index: SpaceIndex) -> Capture:
    """Quickly, so that whoever learns waits no longer than that; `save` may take its time."""
    return Capture(Marks.of(index), pack(index))


def path_of(folder: Path, space: str, embedder: str | None, purges: int, suffix: str = _SUFFIX) -> Path:
    what = "words" if embedder is None else hashlib.sha256(embedder.encode()).hexdigest()[:32]
    return folder / beside.file_name(space, purges, f"{what}.{suffix}")


# writing


def save(taken: Capture, folder: Path, purges: Callable[[], int]) -> bool:
    """Puts the file in its place whole, or not at all. `purges` asks the store how many there are now.

    False if something was purged, or the space made anew, since the index learned it. The question is asked again once
    the unfinished file has its name, before a byte of it is written: a purge that comes later finds it by that name.
    """
    marks = taken.marks

    def still_good() -> bool:
        return purges() == marks.purges and beside.stamp(folder, marks.space) == marks.stamp

    beside.make(folder)
    _remove_abandoned(folder, marks.space)
    final = path_of(folder, marks.space, marks.embedder, marks.purges)
    unfinished = final.with_suffix(f".{secrets.token_hex(8)}.{_UNFINISHED}")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if not still_good():
                return False
            _write(file, taken)
        if not still_good():
            return False
        unfinished.replace(final)
    finally:
        unfinished.unlink(missing_ok=True)
    if not still_good():
        final.unlink(missing_ok=True)
        return False
    return True


def _remove_abandoned(folder: Path, space: str) -> None:
    for path in folder.glob(f"{beside.key_of(space)}.*.{_UNFINISHED}"):
        try:
            if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                path.unlink()
        except FileNotFoundError:
            continue  # another process was quicker


def _write(file: BinaryIO, taken: Capture) -> None:
    crc, size, cache = 0, 0, []
    arrays = {name: np.ascontiguousarray(array) for name, array in taken.arrays.items()}
    for name, array in arrays.items():
        cache.append((name, array.dtype.str, array.shape, size))
        size += array.nbytes + -array.nbytes % _LINE
    for part in _parts(arrays):
        crc = zlib.crc32(part, crc)
    head = {**_maker(), "marks": asdict(taken.marks), "arrays": cache, "bytes": size, "crc32": crc}
    text = json.dumps(head).encode()
    text += b" " * (-(_PREFACE.size + len(text)) % _LINE)
    file.write(_PREFACE.pack(MAGIC, len(text), hashlib.sha256(text).digest()))
    file.write(text)
    for part in _parts(arrays):
        file.write(part)
    file.flush()
    os.fsync(file.fileno())


def _parts(arrays: Arrays) -> Iterator[memoryview | bytes]:
    for array in arrays.values():
        yield array.reshape(-1).view(np.uint8).data
        yield b"\0" * (-array.nbytes % _LINE)


def _maker() -> dict[str, Any]:
    """What must be the same for the numbers to mean the same."""
    import Stemmer  # type: ignore[import-not-found]

    return {
        "format": FORMAT,
        "version": VERSION,
        "order": sys.byteorder,
        "letters": unicodedata.unidata_version,
        "stemmer": Stemmer.version(),
    }


# reading


class _Unusable(Exception):
    """The file is not what it says, or is damaged."""


def load(folder: Path, held: Snapshot, wanted: SpaceIndex) -> SpaceIndex | None:
    """The index as it was saved, or none if there is no such file, or none to be believed. `wanted`, still empty, says
    which."""
    path = path_of(folder, wanted.space, wanted.embedder, wanted.purges)
    try:
        with path.open("rb") as file:
            if not beside.is_ours(os.fstat(file.fileno())):
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        head, start = _head(mapped)
        if {name: head.get(name) for name in _maker()} != _maker():
            return None
        marks = Marks(**head["marks"])
        if not _is_about(marks, held, wanted):
            return None
        index = SpaceIndex(wanted.space, wanted.embedder, wanted.dims)
        unpack(index, _arrays(mapped, head, start))
        _check_whole(index)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, _Unusable) as error:
        # whatever is wrong with it, the store has the same and better
        log.warning("%s is not used, the index is made anew from the store: %s", path, error)
        return None
    for name in Marks.__slots__:
        setattr(index, name, getattr(marks, name))
    return index


def _head(mapped: mmap.mmap) -> tuple[dict[str, Any], int]:
    """The head, once it is certain that every byte of the file is as it was written; and where the arrays begin."""
    if len(mapped) < _PREFACE.size:
        raise _Unusable("it is cut short")
    magic, length, digest = _PREFACE.unpack_from(mapped)
    start = _PREFACE.size + length
    text = mapped[_PREFACE.size : start]
    if magic != MAGIC or hashlib.sha256(text).digest() != digest:
        raise _Unusable("its head is damaged")
    head = json.loads(text)
    if len(mapped) != start + head["bytes"]:
        raise _Unusable(f"it has {len(mapped)} bytes, not {start + head['bytes']}")
    with memoryview(mapped) as whole, whole[start:] as body:
        if zlib.crc32(body) != head["crc32"]:
            raise _Unusable("its arrays are damaged")
    return head, start


def _is_about(marks: Marks, held: Snapshot, wanted: SpaceIndex) -> bool:
    same = ("space", "embedder", "dims", "purges", "stamp")
    if any(getattr(marks, name) != getattr(wanted, name) for name in same):
        return False
    if not has_entry(held, marks.space, marks.seq, marks.hash):
        return False
    return not marks.place or vector_mark(held, marks) == marks.last_vector


def has_entry(held: Snapshot, space: str, seq: int, expected: str) -> bool:
    head = held.head(space)
    if head.seq == seq:
        return head.hash == expected
    return any(entry.hash == expected for entry in held.entries(space, after=seq - 1, limit=1))


def vector_mark(held: Snapshot, marks: Marks) -> str | None:
    assert marks.embedder is not None
    row = next(iter(held.vectors(marks.space, marks.embedder, after=marks.place - 1)), None)
    return row.mark if row is not None and row.place == marks.place else None


def _arrays(mapped: mmap.mmap, head: dict[str, Any], start: int) -> Arrays:
    found: dict[str, Numbers] = {}
    for name, kind, shape, offset in head["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        found[name] = np.frombuffer(mapped, np.dtype(kind), count, start + offset).reshape(shape)
    return found


def _check_whole(index: SpaceIndex) -> None:
    known = len(index)
    if any(len(column) != known for column in (*index.columns.values(), index.words.ends)):
        raise _Unusable("its columns differ in length")

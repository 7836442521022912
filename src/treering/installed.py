"""Is a data file that came with a package the one we know? And how is what is made of it made only once?

A model is only as good as its file: one that was cut off, changed or replaced is refused before it is read.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from treering.errors import Corrupted

T = TypeVar("T")


class Once(Generic[T]):
    """A value made at its first use, by one thread while the others wait. A failed making is tried again."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.Lock()

    def get(self) -> T:
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]


def check_digest(path: Path, expected: str) -> None:
    """`Corrupted` unless the file is the one expected. A file unchanged since its last check is not read again."""
    try:
        state = path.stat()
        found = _sha256(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise Corrupted(f"{path} cannot be read ({error.strerror}); reinstall the package it belongs to") from error
    if found != expected:
        raise Corrupted(
            f"{path} is not the file expected: sha256 {found}, expected {expected}; reinstall the package it belongs to"
        )


@lru_cache(maxsize=64)
def _sha256(path: Path, size: int, changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

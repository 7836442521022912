"""On how many cores does numpy multiply for us? On one.

OpenBLAS, which comes with numpy, shares a product of matrices among a thread a core, and such a thread, once it is
done, asks for more work without pause for tens of milliseconds. Our products take less than one, and stand between runs
of a model that could use the core: with them a turn told took half as much of the processor again. How many threads
there are is said for the whole process, so it is said for as long as we multiply, and taken back.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from contextlib import ContextDecorator
from functools import cache
from pathlib import Path

Ask = Callable[[], int]
Say = Callable[[int], object]


class OneCore(ContextDecorator):
    """Any number of threads may be within at once; what was before comes back with the last. A context and a
    decorator."""

    def __init__(self, find: Callable[[], tuple[Ask, Say] | None]) -> None:
        self._find = find
        self._lock, self._within, self._before = threading.Lock(), 0, 1

    def __enter__(self) -> None:
        found = self._find()
        if found is None:
            return
        ask, say = found
        with self._lock:
            self._within += 1
            if self._within == 1:
                self._before = ask()
                if self._before != 1:
                    say(1)

    def __exit__(self, *raised: object) -> None:
        found = self._find()
        if found is None:
            return
        _, say = found
        with self._lock:
            self._within -= 1
            if self._within == 0 and self._before != 1:
                say(self._before)


@cache
def openblas() -> tuple[Ask, Say] | None:
    """How its number of threads is asked for and said; nothing where numpy came without it, or with another library."""
    import numpy

    package = Path(numpy.__file__).parent
    for path in (*package.parent.glob("numpy.libs/*openblas*"), *package.glob(".dylibs/*openblas*")):
        try:
            library = ctypes.CDLL(os.fspath(path))  # it is loaded: this is the same
        except OSError:
            continue
        for ending in ("64_", ""):
            ask = getattr(library, f"scipy_openblas_get_num_threads{ending}", None)
            say = getattr(library, f"scipy_openblas_set_num_threads{ending}", None)
            if ask is not None and say is not None:
                return ask, say
    return None


one_core = OneCore(openblas)

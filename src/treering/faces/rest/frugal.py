"""How does a server stay small? The C library keeps a heap for each thread that ever asked for memory, and gives little
back: threads that come and go with requests make a process grow for hours. Here few heaps serve all threads, and what
is free is given back now and then.

It is the GNU C library that does this; elsewhere there is nothing to do.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

HEAPS = 2
TRIM_SECONDS = 60.0
_ARENA_MAX = -8  # M_ARENA_MAX of <malloc.h>


def few_heaps() -> bool:
    """To be called before there are threads; whether it could be done."""
    library = _gnu()
    return library is not None and library.mallopt(_ARENA_MAX, HEAPS) == 1


class GivesBack:
    """Gives memory back that nobody uses, until it is told to stop."""

    def __init__(self, trim_seconds: float = TRIM_SECONDS) -> None:
        self._trim_seconds, self._stopping = trim_seconds, threading.Event()

    def work(self) -> None:
        library = _gnu()
        while library is not None and not self._stopping.wait(self._trim_seconds):
            library.malloc_trim(0)

    def stop(self) -> None:
        self._stopping.set()


def _gnu() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") and hasattr(library, "mallopt") else None

"""Who writes down what was recalled, in a space that asks for it? A thread of its own, soon afterwards: nobody who asks
a question waits for it, and nothing that goes wrong with it reaches an answer.

It lives while there is something to write. Closing the door, or the end of the program, waits until it has written.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from treering.errors import LimitExceeded, TreeringError
from treering.model import limits

Write = Callable[[str, Mapping[str, int]], object]
"""Writes how often each memory of a space was used."""

log = logging.getLogger(__name__)
GATHERED_SECONDS = 1.0
"""How long uses are gathered before they are written together."""
MOST_WAITING = 10_000
"""How many memories may wait to be written. What is used beyond that is not counted."""


class Uses:
    """Of all the doors that share a store, in this process."""

    def __init__(self, gathered_seconds: float = GATHERED_SECONDS) -> None:
        self._gathered_seconds = gathered_seconds
        self._asked = dict[str, tuple[int, bool]]()
        self._waiting = dict[tuple[str, str], tuple[Write, Counter[str]]]()
        self._lock, self._hurry = threading.Lock(), threading.Event()
        self._writing: threading.Thread | None = None
        self._closed, self._complained = False, False

    def asked_for(self, space: str, seq: int, setting: Callable[[str], bool]) -> bool:
        """Whether the space asks for it, as its journal stands: asked anew only when that has gone on."""
        known = self._asked.get(space)
        if known is None or known[0] != seq:
            known = self._asked[space] = (seq, setting(space))
        return known[1]

    def note(self, actor: str, used: Sequence[tuple[str, str]], write: Write) -> None:
        """These memories, each with its space, were of use to an actor; `write` will be told in another thread."""
        with self._lock:
            if self._closed or not used:
                return
            self._put(actor, used, write)
            if self._writing is None:
                self._start()

    def _put(self, actor: str, used: Sequence[tuple[str, str]], write: Write) -> None:
        room = MOST_WAITING - sum(len(times) for _, times in self._waiting.values())
        for space, memory_id in used:
            _, times = self._waiting.setdefault((space, actor), (write, Counter()))
            if memory_id not in times:
                if not room:
                    self._complain(space, LimitExceeded(f"{MOST_WAITING:,} others wait to be counted"))
                    continue
                room -= 1
            times[memory_id] += 1

    def _start(self) -> None:
        writing = threading.Thread(target=self._write_all, name="treering-uses")
        try:
            writing.start()
        except RuntimeError as error:  # the program is ending, or has too many threads
            space, _ = next(iter(self._waiting))
            self._waiting.clear()
            self._complain(space, error)
        else:
            self._writing = writing

    def flush(self) -> None:
        """Returns when all that was noted before has been written, or has failed."""
        with self._lock:
            writing = self._writing
            if writing is not None:
                self._hurry.set()
        if writing is not None:
            writing.join()

    def close(self) -> None:
        with self._lock:
            self._closed = True
        self.flush()

    def _write_all(self) -> None:
        while True:
            self._hurry.wait(self._gathered_seconds)
            with self._lock:
                batches, self._waiting = self._waiting, {}
                if not batches:
                    self._writing = None
                    self._hurry.clear()
                    return
            for (space, _), (write, times) in batches.items():
                self._write(write, space, times)

    def _write(self, write: Write, space: str, times: Counter[str]) -> None:
        try:
            most = limits.USED_AT_ONCE
            for start in range(0, len(times), most):
                write(space, dict(list(times.items())[start : start + most]))
            self._complained = False
        except Exception as error:
            self._complain(space, error)

    def _complain(self, space: str, error: Exception) -> None:
        """Once, until it goes well again. What is no error of ours is not quoted: it might tell of what is private."""
        level = logging.DEBUG if self._complained else logging.WARNING
        why = error if isinstance(error, TreeringError) else type(error).__name__
        log.log(
            level, "what was recalled in %s could not be counted (%s); the answers are not touched by it", space, why
        )
        self._complained = True

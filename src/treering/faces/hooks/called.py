"""HOW is a command done for a shell elsewhere? As the program would, with the helper's door, onto paper that is handed
back. One at a time: standard output and what a terminal is like belong to a whole process."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treering.errors import TreeringError
from treering.faces.hooks.shell import DRAWN_BY

if TYPE_CHECKING:
    from treering.door import Treering
    from treering.settings import Settings


class _Paper(io.TextIOWrapper):
    """Written by the helper, read at another's terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def text(self) -> str:
        self.flush()
        written: Any = self.buffer
        return bytes(written.getvalue()).decode()


class Calls:
    """Commands of shells, done with one door."""

    def __init__(self, door: Treering, settings: Settings) -> None:
        self._door, self._settings, self._lock = door, settings, threading.Lock()
        self._opened = self._found()

    def _found(self) -> tuple[object, ...] | None:
        """Which file the store is in, and who signs; None where that cannot be told."""
        from treering.settings import identity_of

        try:
            told = None if "://" in self._settings.url else Path(self._settings.url).expanduser().stat()
            return None if told is None else (told.st_dev, told.st_ino), identity_of(self._settings.actor)
        except (OSError, TreeringError):
            return None

    @property
    def stale(self) -> bool:
        """Whether the file was put away or another put in its place, so that what is written here would be lost; or
        another key is to sign."""
        found = self._found()
        return found is None or found != self._opened

    def done(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from treering.faces.cli.app import guarded
        from treering.faces.cli.commands import RESIDENT

        out, err = _Paper(bool(request["terminal"])), _Paper(False)
        with self._lock, _drawn_by(request["drawn_by"]), redirect_stdout(out), redirect_stderr(err):
            before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(), "utf-8")
            given = RESIDENT.set(self._door)
            try:
                code = guarded([str(one) for one in request["words"]])
            finally:
                RESIDENT.reset(given)
                sys.stdin = before
        return {"out": out.text, "err": err.text, "exit": code}


@contextmanager
def _drawn_by(told: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.pop(name) for name in DRAWN_BY if name in os.environ}
    os.environ.update({name: told[name] for name in DRAWN_BY if name in told})
    try:
        yield
    finally:
        for name in DRAWN_BY:
            os.environ.pop(name, None)
        os.environ.update(before)

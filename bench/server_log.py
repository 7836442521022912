"""What did a server say while it was called? Its log, kept whole in a file; and of it what somebody has to look at: all
but the lines that tell of a request which was answered well."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import IO, Any

MOST_KEPT = 200
"""Lines to be looked at; what comes after them stands in the file."""


class ServerLog:
    """One a server, however often it is started again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._alarming: list[str] = []
        self._lock = threading.Lock()

    def take(self, lines: IO[str]) -> None:
        """Until there are no more."""
        with lines, self.path.open("a", encoding="utf-8") as file:
            for line in lines:
                file.write(line)
                file.flush()
                self._look_at(line.rstrip("\n"))

    def _look_at(self, line: str) -> None:
        with self._lock:
            if len(self._alarming) < MOST_KEPT and line and not _went_well(line):
                self._alarming.append(line)

    def alarming(self) -> list[str]:
        with self._lock:
            return [*self._alarming]

    def of_request(self, number: str) -> str:
        """All that was said of one, with the traceback as it would stand on a page."""
        told = [(line, _read(line)) for line in self.alarming()]
        return "\n".join(str(one.get("traceback") or line) for line, one in told if one.get("request") == number)


def _went_well(line: str) -> bool:
    status = _read(line).get("status")
    return isinstance(status, int) and status < 500


def _read(line: str) -> dict[str, Any]:
    """What does not read as one, such as a traceback of another library, tells of no request."""
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}

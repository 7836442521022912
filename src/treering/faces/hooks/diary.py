"""WHAT was given, and what was taken? A line an event, without the words: those are in the store, under the ids that
are written here, and go from there when they are purged. Also how far each transcript was read."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treering.faces.hooks.place import HookFolder, own_folder

MOST_BYTES = 1 << 20
_DAYS = 60


@dataclass(slots=True)
class SessionProgress:
    """Of one session: where its transcript was read to, and what it was given."""

    end: int = 0
    given: list[str] = field(default_factory=list)


class Diary:
    def __init__(self, place: HookFolder) -> None:
        self._place = place

    def write(self, **told: Any) -> None:
        """The log is cut when it grows: the older half lies beside it."""
        own_folder(self._place.folder)
        log = self._place.log
        if log.exists() and log.stat().st_size > MOST_BYTES:
            log.replace(log.with_suffix(".old.jsonl"))
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = json.dumps(
            {"at": at, **{name: value for name, value in told.items() if value not in (None, [], {}, "")}}
        )
        descriptor = os.open(log, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def entries(self) -> Iterator[dict[str, Any]]:
        """The oldest first."""
        for path in (self._place.log.with_suffix(".old.jsonl"), self._place.log):
            if path.exists():
                for line in path.read_text("utf-8", "replace").splitlines():
                    try:
                        one = json.loads(line)
                    except ValueError:
                        continue
                    if isinstance(one, dict):
                        yield one

    def progress(self, session: str) -> SessionProgress:
        try:
            told = json.loads(self._file(session).read_text("utf-8"))
            return SessionProgress(int(told["end"]), [str(one) for one in told["given"]])
        except (OSError, ValueError, KeyError, TypeError):
            return SessionProgress()

    def keep(self, session: str, progress: SessionProgress) -> None:
        own_folder(self._place.folder)
        own_folder(self._place.sessions)
        path = self._file(session)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        part.write_text(json.dumps({"end": progress.end, "given": progress.given[-500:]}), "utf-8")
        part.replace(path)

    def tidy(self) -> None:
        """Sessions of long ago are not gone on with."""
        before = time.time() - _DAYS * 86_400
        for path in self._place.sessions.glob("*.json") if self._place.sessions.exists() else ():
            if path.stat().st_mtime < before:
                path.unlink(missing_ok=True)

    def waiting(self) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Events that came when no helper was there, in order."""
        for path in sorted(self._place.waiting.glob("*.json")) if self._place.waiting.exists() else ():
            try:
                told = json.loads(path.read_text("utf-8"))
            except (OSError, ValueError):
                path.unlink(missing_ok=True)
                continue
            yield path, told

    def _file(self, session: str) -> Path:
        return self._place.sessions / f"{hashlib.sha256(session.encode()).hexdigest()[:20]}.json"

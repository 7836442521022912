"""What is an audit trail, in plain Python? A list that is only added to."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from treering.store.trail import AuditRecord, Noted, TrailFilter, TrailHead, sealed

_EQUAL = ("caller", "key", "request", "operation", "outcome")


class ReferenceTrail:
    def __init__(self) -> None:
        self._records: list[AuditRecord] = []
        self._lock = threading.Lock()

    def append(self, noted: Sequence[Noted]) -> TrailHead:
        with self._lock:
            for one in noted:
                self._records.append(sealed(self.head(), one))
            return self.head()

    def found(self, asked: TrailFilter) -> list[AuditRecord]:
        kept = [one for one in list(self._records) if _is_asked_for(one, asked)]
        return (kept[::-1] if asked.newest_first else kept)[: asked.limit]

    def all(self) -> Iterator[AuditRecord]:
        return iter(list(self._records))

    def head(self) -> TrailHead:
        return TrailHead(self._records[-1].seq, self._records[-1].hash) if self._records else TrailHead()


def _is_asked_for(one: AuditRecord, asked: TrailFilter) -> bool:
    if asked.after and not (one.seq < asked.after if asked.newest_first else one.seq > asked.after):
        return False
    if asked.kinds and one.kind not in asked.kinds:
        return False
    if asked.space is not None and not _is_of(one.space, asked.space, asked.children):
        return False
    if any(getattr(asked, name) not in (None, getattr(one, name)) for name in _EQUAL):
        return False
    return (asked.since is None or one.at >= asked.since) and (asked.until is None or one.at < asked.until)


def _is_of(space: str | None, asked: str, children: bool) -> bool:
    return space == asked or (children and space is not None and space.startswith(f"{asked}/"))

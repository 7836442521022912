"""Who read what, came in, was refused, or took something out? What a server notes of it, and whether the record still
holds together.

Nothing is answered before it is recorded: where the record cannot be written, the question is refused. Those who ask at
the same time are written together, so that many readers share one wait for the disk.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.model.meta import EMPTY, Meta
from treering.model.value import Value, plain
from treering.store.trail import NO_HASH, AuditRecord, AuditTrail, Noted, TrailFilter, TrailHead, hash_of
from treering.store.whole_file import written_whole
from treering.values import dataclass

TEXT_CHARS, LISTED = 2_000, 200
"""Of what was asked for, the longest text and list that is kept whole."""
REFUSALS_A_MINUTE = 120
"""Of callers whom nobody knows, so many refusals are recorded one by one: they must not be able to fill the disk."""
SIGNED_IN = timedelta(hours=1)
"""Who comes again within this time, by the same key or token, has not signed in anew."""
_AT_ONCE = 1_000
_LEFT_OUT = frozenset({"space", "address", "passphrase"})
"""The first stands beside it; the second, a webhook's, is often a secret itself; the third always is."""


class Level(StrEnum):
    OFF = "off"
    METADATA = "metadata"
    """Who, when, which operation, in which space, how it ended."""
    FULL = "full"
    """Also what was asked for, and the ids of what was answered; never its words."""


class AuditKind(StrEnum):
    READ = "read"
    EXPORT = "export"
    WRITE = "write"
    """The journal tells what; this, with which key and by which request. Many a write only looks, too: a dry run."""
    MANAGE = "manage"
    """Keys, grants and webhooks: what no journal tells."""
    SIGN_IN = "sign_in"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditPage(Value):
    """Some of the records. `after`: where to go on; `more` if there are any."""

    records: tuple[AuditRecord, ...]
    after: int
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditVerification(Value):
    """Whether the chain holds from the first record to the last. `head` is to be noted elsewhere: who has one can tell
    later whether records were taken from the end."""

    ok: bool
    records: int
    head: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditExport(Value):
    path: str
    records: int
    head: str


@dataclass(slots=True)
class _Waiting:
    noted: Noted
    done: bool = False
    error: BaseException | None = None


@dataclass(slots=True)
class _Flood:
    """Refusals of unknown callers in this minute, and how many of them were left out."""

    minute: datetime | None = None
    recorded: int = 0
    left_out: int = 0


class Auditor:
    """Writes the trail of one server process."""

    def __init__(self, trail: AuditTrail, clock: Callable[[], datetime], level: Level) -> None:
        self.level = level
        self._trail, self._clock = trail, clock
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._queue: list[_Waiting] = []
        self._flood = _Flood()

    @property
    def is_on(self) -> bool:
        return self.level is not Level.OFF

    @property
    def is_full(self) -> bool:
        return self.level is Level.FULL

    def record(self, kind: AuditKind, detail: Mapping[str, Any] = EMPTY, **said: Any) -> None:
        """Durable when it returns. `said`: the fields of a record."""
        if not self.is_on:
            return
        waiting = _Waiting(Noted(at=self._clock(), kind=kind, detail=Meta(detail), **said))
        with self._lock:
            self._queue.append(waiting)
        with self._writing:  # whoever comes in first writes for all who wait
            if not waiting.done:
                self._write_all()
        if waiting.error is not None:
            raise waiting.error

    def _write_all(self) -> None:
        with self._lock:
            some, self._queue = self._queue, []
        try:
            self._trail.append([one.noted for one in some])
        except BaseException as error:
            for one in some:
                one.error = error
        finally:
            for one in some:
                one.done = True

    def refused(self, outcome: str, **said: Any) -> None:
        """One who has no key that holds. Of very many in a minute the rest are counted, and told with the next."""
        minute = self._clock().replace(second=0, microsecond=0)
        with self._lock:
            flood = self._flood
            if flood.minute != minute:
                flood.minute, flood.recorded = minute, 0
            flood.recorded += 1
            if flood.recorded > REFUSALS_A_MINUTE:
                flood.left_out += 1
                return
            left_out, flood.left_out = flood.left_out, 0
        self.record(AuditKind.DENIED, {"left_out": left_out} if left_out else {}, outcome=outcome, **said)


def asked_for(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked, as far as it is kept: long texts are cut, and what was sent as a file is only named."""
    return {name: _shortened(one) for name, one in arguments.items() if one is not None and name not in _LEFT_OUT}


def _shortened(value: Any) -> Any:
    if isinstance(value, bytes) or type(value).__name__ in ("Sent", "Scratch"):
        return "(a file)"
    if isinstance(value, str):
        return value if len(value) <= TEXT_CHARS else value[:TEXT_CHARS] + "…"
    if isinstance(value, Mapping):
        return {str(name): _shortened(one) for name, one in list(value.items())[:LISTED]}
    if isinstance(value, Sequence):
        return [_shortened(one) for one in value[:LISTED]]
    return plain(value) if isinstance(value, Value | datetime | bool | int | float) else str(value)


def ids_in(answer: Any) -> list[str]:
    """The ids of what was answered, wherever they stand in it; none of its words."""
    found: dict[str, None] = {}

    def look(value: Any) -> None:
        if len(found) >= LISTED:
            return
        if isinstance(value, Mapping):
            one = value.get("id")
            if isinstance(one, str):
                found[one] = None
            for inner in value.values():
                look(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                look(inner)

    look(plain(answer))
    return list(found)


# looking at it


def page(trail: AuditTrail, asked: TrailFilter, limit: int) -> AuditPage:
    """One more than was asked for tells whether there are more."""
    found = trail.found(replace(asked, limit=limit + 1))
    shown = found[:limit]
    return AuditPage(records=tuple(shown), after=shown[-1].seq if shown else asked.after, more=len(found) > limit)


def verify(trail: AuditTrail, seen: str | None = None) -> AuditVerification:
    """Recomputes every hash. `seen`: a head that was noted before, which must still be there as it was."""
    noted = None if seen is None else read_head(seen)
    last, problems, met, count = TrailHead(), list[str](), noted is None or noted.seq == 0, 0
    for record in trail.all():
        count += 1
        if len(problems) >= LISTED:
            break
        problems += _wrong_with(record, last)
        last = TrailHead(record.seq, record.hash)
        met = met or last == noted
    if not met and noted is not None:
        problems.append(
            f"record {noted.seq} is not there as it was noted, or no longer: some were removed or made anew"
        )
    return AuditVerification(ok=not problems, records=count, head=written_head(last), problems=tuple(problems))


def _wrong_with(record: AuditRecord, last: TrailHead) -> list[str]:
    wrong = []
    if record.seq != last.seq + 1:
        wrong.append(f"record {last.seq + 1} is missing; the next is {record.seq}")
    elif record.prev_hash != last.hash:
        wrong.append(f"record {record.seq} does not follow the one before it")
    if hash_of(record) != record.hash:
        wrong.append(f"record {record.seq} was changed")
    return wrong


def export(trail: AuditTrail, path: Path, asked: TrailFilter, shown: str) -> AuditExport:
    """As JSON Lines, each with its hash: who has them can recompute the chain without a store."""
    count, last = 0, TrailHead()
    with written_whole(path) as part, part.open("w", encoding="utf-8") as file:
        after = 0
        while some := trail.found(replace(asked, after=after, limit=_AT_ONCE)):
            for record in some:
                file.write(json.dumps(record.to_dict(), ensure_ascii=False, sort_keys=True) + "\n")
            count, after = count + len(some), some[-1].seq
            last = TrailHead(some[-1].seq, some[-1].hash)
    return AuditExport(path=shown, records=count, head=written_head(last))


def written_head(head: TrailHead) -> str:
    return f"{head.seq}:{head.hash}"


def read_head(text: str) -> TrailHead:
    seq, _, hash_ = text.partition(":")
    if not (seq.isascii() and seq.isdecimal()) or len(seq) > 18 or len(hash_) != len(NO_HASH):
        raise InvalidRequest(f"seen: {text[:80]!r} is not the head of an audit trail, as audit_verify tells it")
    return TrailHead(int(seq), hash_)

"""What does every audit trail promise? Records that are only ever added, each sealed with the hash of the one before.

It lies beside the journal, with the same durability, and is neither exported with it nor replayed. Nothing here can
change or remove a record; where somebody has done so by other means, the chain no longer holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from treering.model.codec import canonical
from treering.model.meta import EMPTY, Meta
from treering.model.value import Value
from treering.values import dataclass

NO_HASH = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What is to be recorded: who asked for what, where, by which request, and how it ended."""

    at: datetime
    kind: str
    operation: str | None = None
    space: str | None = None
    caller: str | None = None
    key: str | None = None
    request: str | None = None
    outcome: str = "ok"
    detail: Meta = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditRecord(Value):
    """One record. `key` is the id of the key that was used, never the key; `outcome` is ok or the code of an error."""

    seq: int
    at: datetime
    kind: str
    operation: str | None
    space: str | None
    caller: str | None
    key: str | None
    request: str | None
    outcome: str
    detail: Meta
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class TrailHead:
    """The last record, or that there is none."""

    seq: int = 0
    hash: str = NO_HASH


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """Which records; every field narrows. `children`: also those of spaces below."""

    kinds: tuple[str, ...] = ()
    space: str | None = None
    children: bool = False
    caller: str | None = None
    key: str | None = None
    request: str | None = None
    operation: str | None = None
    outcome: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: int = 0
    newest_first: bool = False
    """Then `after` is the record before which it goes on, and 0 the end."""
    limit: int | None = None


class AuditTrail(Protocol):
    def append(self, noted: Sequence[Noted]) -> TrailHead:
        """Adds them in this order, all or none, with nobody else's between. Durable when it returns."""

    def found(self, asked: TrailFilter) -> list[AuditRecord]: ...

    def all(self) -> Iterator[AuditRecord]:
        """From the first on, some at a time: those added meanwhile may or may not be among them."""

    def head(self) -> TrailHead: ...


def sealed(head: TrailHead, noted: Noted) -> AuditRecord:
    """The record that comes after the head."""
    record = AuditRecord(
        seq=head.seq + 1,
        at=noted.at,
        kind=noted.kind,
        operation=noted.operation,
        space=noted.space,
        caller=noted.caller,
        key=noted.key,
        request=noted.request,
        outcome=noted.outcome,
        detail=noted.detail,
        prev_hash=head.hash,
        hash="",
    )
    return replace(record, hash=hash_of(record))


def hash_of(record: AuditRecord) -> str:
    """Over all else that it says, the hash before it included."""
    said: dict[str, Any] = record.to_dict()
    del said["hash"]
    return hashlib.sha256(canonical(said).encode()).hexdigest()

"""What is a memory? A self-contained statement as it was written, and the same statement seen at a moment.

`MemoryRecord` never changes after the write. `Memory` adds what is derived for one moment: its state and its valid
window, its tier, and what use was made of it. Nothing here knows how a store finds those.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.meta import EMPTY, Meta
from treering.model.space import space_name
from treering.model.time import must_be_utc, to_text
from treering.model.value import Value
from treering.values import dataclass


class Kind(StrEnum):
    EPISODE = "episode"
    SEMANTIC = "semantic"
    VIEWPOINT = "viewpoint"


class Tier(StrEnum):
    SHORT = "short"
    MID = "mid"
    LONG = "long"


WRITTEN_BY = "written_by"
"""In the meta of what was reported in another's name: who has written it."""


def written(meta: Mapping[str, Any] | None, observed_by: str | None, writer: str) -> dict[str, Any]:
    """The meta, with who has written it where that is not who it is reported for, whatever it said of that before."""
    kept = {name: value for name, value in (meta or {}).items() if name != WRITTEN_BY}
    return kept if observed_by in (None, writer) else {**kept, WRITTEN_BY: writer}


class Visibility(StrEnum):
    SPACE = "space"
    PRIVATE = "private"


class State(StrEnum):
    """In order of precedence: a memory is in the first state that holds."""

    PURGED = "purged"
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    PROMOTED = "promoted"
    ACTIVE = "active"


class Mark(StrEnum):
    """What may be put on a memory or edge and taken off again, for a stretch of known time."""

    FORGOTTEN = "forgotten"
    ARCHIVED = "archived"
    PROMOTED = "promoted"
    WAITING = "waiting"  # a source that nobody has read yet
    HELD = "held"  # a memory that must not be purged


class Use(StrEnum):
    """In what way a memory was used."""

    TOUCHED = "touched"
    OBSERVED = "observed"
    REVIEWED = "reviewed"
    RECALLED = "recalled"
    INHERITED = "inherited"  # from the memories it was made of


class View(StrEnum):
    """Which states a reading shows."""

    CURRENT = "current"
    HISTORY = "history"
    ALL = "all"


class Support(StrEnum):
    """How what a memory was derived from stands: all of it current, some of it not, or nothing is cited."""

    CURRENT = "current"
    STALE = "stale"
    UNKNOWN = "unknown"


SHOWN: dict[View, frozenset[State]] = {
    View.CURRENT: frozenset({State.ACTIVE, State.PROMOTED}),
    View.HISTORY: frozenset({State.ACTIVE, State.PROMOTED, State.SUPERSEDED, State.EXPIRED}),
    View.ALL: frozenset(State) - {State.PURGED},
}

_KIND_SPELLINGS = {"fact": Kind.SEMANTIC, "preference": Kind.VIEWPOINT}


def memory_kind(value: object) -> Kind:
    if isinstance(value, str) and value in _KIND_SPELLINGS:
        return _KIND_SPELLINGS[value]
    try:
        return Kind(str(value))
    except ValueError:
        raise InvalidRequest(f"kind: {value!r} is not one of {', '.join(Kind)} (also: fact, preference)") from None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryRecord(Value):
    id: str
    space: str
    content: str
    kind: Kind = Kind.SEMANTIC
    title: str | None = None
    context: str | None = None
    tags: tuple[str, ...] = ()
    meta: Meta = EMPTY
    importance: float = 0.6
    confidence: float = 1.0
    strength: float = 1.0
    tier: Tier = Tier.MID
    event_time: datetime | None = None
    event_end: datetime | None = None
    said_at: datetime
    recorded_at: datetime
    expires_at: datetime | None = None
    source_id: str
    span: tuple[int, int]
    observed_by: str | None = None
    visibility: Visibility = Visibility.SPACE
    visible_to: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        limits.uuid(self.id, "memory id")
        limits.uuid(self.source_id, "source id")
        space_name(self.space)
        limits.text(self.content, "content", limits.CONTENT_CHARS, least=1)
        if self.title is not None or self.context is not None:
            limits.text_or_none(self.title, "title", limits.TITLE_CHARS)
            limits.text_or_none(self.context, "context", limits.CONTEXT_CHARS)
        limits.number(self.importance, "importance")
        limits.number(self.confidence, "confidence")
        limits.number(self.strength, "strength", limits.STRENGTH)
        limits.text_or_none(self.observed_by, "observed_by", limits.NAME_CHARS)
        if type(self.kind) is not Kind:
            _put(self, "kind", memory_kind(self.kind))
        if type(self.tier) is not Tier:
            _put(self, "tier", Tier(self.tier))
        if type(self.visibility) is not Visibility:
            _put(self, "visibility", Visibility(self.visibility))
        if type(self.meta) is not Meta:
            _put(self, "meta", limits.meta(self.meta))
        if self.tags:
            _put(self, "tags", limits.names(self.tags, "tags", limits.TAGS, limits.TAG_CHARS))
        if self.visible_to:
            _put(self, "visible_to", limits.names(self.visible_to, "visible_to", limits.PRINCIPALS))
        self._check_times()
        self._check_privacy()
        start, end = self.span
        if not 0 <= start <= end:
            raise InvalidRequest(f"span: [{start}, {end}) is not a stretch of a source")

    def _check_times(self) -> None:
        must_be_utc(self.said_at, "said_at")
        must_be_utc(self.recorded_at, "recorded_at")
        for name, value in (
            ("event_time", self.event_time),
            ("event_end", self.event_end),
            ("expires_at", self.expires_at),
        ):
            if value is not None:
                must_be_utc(value, name)
        if self.event_end is not None:
            if self.event_time is None:
                raise InvalidRequest("event_end: needs an event_time that it ends")
            if self.event_end < self.event_time:
                raise InvalidRequest(
                    f"event_end: {to_text(self.event_end)} lies before event_time {to_text(self.event_time)}"
                )

    def _check_privacy(self) -> None:
        if self.visibility is Visibility.PRIVATE and not (self.observed_by or self.visible_to):
            raise InvalidRequest("visibility: private needs observed_by or visible_to, or nobody could ever see it")
        if self.visibility is Visibility.SPACE and self.visible_to:
            raise InvalidRequest("visible_to: names principals of a private memory; set visibility to private")

    @property
    def holds_from(self) -> datetime:
        """Where the statement's window begins: when it happened or when it was said, whichever is earlier.

        Nothing is said after it is recorded: a time of saying in the future is a clock that is off.
        """
        said = min(self.said_at, self.recorded_at)
        return said if self.event_time is None else min(self.event_time, said)

    def visible(self, principal: str | None) -> bool:
        if self.visibility is Visibility.SPACE:
            return True
        return principal is not None and (principal == self.observed_by or principal in self.visible_to)


@dataclass(frozen=True, slots=True)
class Usage:
    """What use was made of a memory by some known time. `last` is none if there was none."""

    count: int = 0
    last: datetime | None = None
    reviews: int = 0
    cross_domains: int = 0
    boost: float = 0.0

    def strengthen(self, strength: float) -> float:
        return min(limits.STRENGTH, strength + self.boost)


UNUSED = Usage()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Memory(MemoryRecord):
    """A memory as it stands at one moment: `strength` with what uses added to it, `tier` long if it was promoted,
    `last_used` when it was recorded if it was not used since."""

    state: State
    valid_from: datetime
    valid_until: datetime | None = None
    superseded_by: str | None = None
    support: Support = Support.UNKNOWN
    """Whether what it was derived from still holds, where that was asked for."""
    marks: tuple[Mark, ...] = ()
    use_count: int = 0
    last_used: datetime
    review_count: int = 0
    cross_domain_count: int = 0


def _put(record: MemoryRecord, name: str, value: object) -> None:
    object.__setattr__(record, name, value)

"""When is a thing true, and when did we know it? Points, periods and the two-clock moment of every read.

A point in time is an aware UTC datetime with microseconds. Stores keep it as whole microseconds since 1970
(`to_micros`), people and machines see ISO 8601 with a `Z` (`to_text`). Reading time out of prose is not done here:
that is `language/when`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from treering.errors import Corrupted, InvalidRequest
from treering.values import dataclass

Clock = Callable[[], datetime]
"""Gives the present as an aware datetime. It is asked once per operation."""

MICROSECOND = timedelta(microseconds=1)
LATEST = datetime.max.replace(tzinfo=UTC)
UNKNOWN = datetime.min.replace(tzinfo=UTC)
"""Where something begins that nobody told the beginning of: before every time that can be asked for."""
UNKNOWN_WORD = "unknown"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?\s?(Z|z|[+-]\d{2}:?\d{2}))?")
_HOW = "write it with its offset, such as 2026-02-10T09:00:00Z, or give a datetime with tzinfo"


def system_clock() -> datetime:
    return datetime.now(UTC)


def utc(value: object, name: str = "time") -> datetime:
    """The point in time that a caller means: an aware datetime, or ISO 8601 text. A bare date is its midnight UTC."""
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise InvalidRequest(f"{name}: {value.isoformat()} has no time zone; {_HOW}")
        try:
            return value.astimezone(UTC)
        except OverflowError:
            raise InvalidRequest(f"{name}: {value.isoformat()} lies outside the years 1 to 9999 in UTC") from None
    if not isinstance(value, str):
        raise InvalidRequest(f"{name}: {value!r} is not a time; {_HOW}")
    text = value.strip()
    if not _ISO.fullmatch(text):
        naive = re.fullmatch(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[\d:.]*", text)
        wrong = "has no time zone" if naive else "is not an ISO 8601 time"
        raise InvalidRequest(f"{name}: {value!r} {wrong}; {_HOW}")
    try:
        read = datetime.fromisoformat(text.replace("z", "Z"))
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidRequest(f"{name}: {value!r} is not a time that exists ({error}); {_HOW}") from None


def utc_or_none(value: object, name: str = "time") -> datetime | None:
    return None if value is None else utc(value, name)


def beginning(value: object, name: str = "valid_from") -> datetime | None:
    """From when a caller says that something holds: a time, `unknown` where nobody knows, or nothing said."""
    if isinstance(value, str) and value.strip().lower() == UNKNOWN_WORD:
        return UNKNOWN
    return utc_or_none(value, name)


def begun(point: datetime) -> datetime | None:
    """When something began, as it is told: none where nobody knows."""
    return None if point == UNKNOWN else point


def must_be_utc(value: object, name: str) -> None:
    """Inside Treering only UTC travels: any other value here is a slip at a boundary."""
    if not isinstance(value, datetime) or value.tzinfo is not UTC:
        raise InvalidRequest(f"{name}: {value!r} is not an aware UTC datetime; {_HOW}")


def to_micros(point: datetime) -> int:
    since = point - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


@lru_cache(maxsize=1024)
def from_micros(micros: int) -> datetime:
    """What is read together bears the same times many times over: a memory, its source, when both became known."""
    try:
        return _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        raise Corrupted(f"{micros} microseconds since 1970 lie outside the years 1 to 9999") from None


@lru_cache(maxsize=1024)
def to_text(point: datetime) -> str:
    """ISO 8601 with `Z`; microseconds only where there are any."""
    return point.isoformat()[:-6] + "Z"


@dataclass(frozen=True, slots=True)
class Period:
    """A closed-open stretch of time `[start, end)`; `None` is an open end. An empty period holds no moment."""

    start: datetime | None
    end: datetime | None

    def __post_init__(self) -> None:
        if self.start is not None:
            must_be_utc(self.start, "start")
        if self.end is not None:
            must_be_utc(self.end, "end")
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidRequest(f"a period cannot end ({to_text(self.end)}) before it begins ({to_text(self.start)})")

    def holds(self, point: datetime) -> bool:
        return (self.start is None or self.start <= point) and (self.end is None or point < self.end)

    def meets(self, other: Period) -> bool:
        """Whether there is a moment that both hold."""
        if self.empty or other.empty:
            return False
        before = self.end is not None and other.start is not None and self.end <= other.start
        after = self.start is not None and other.end is not None and other.end <= self.start
        return not (before or after)

    @property
    def empty(self) -> bool:
        return self.start is not None and self.start == self.end

    @property
    def only_its_end_is_known(self) -> bool:
        """Nobody told when it began. What was read out of a sentence is kept with its last moment."""
        if self.start is None or self.end is None:
            return False
        return self.start == UNKNOWN or self.end - self.start == MICROSECOND

    def __str__(self) -> str:
        start = "…" if self.start is None else to_text(self.start)
        end = "…" if self.end is None else to_text(self.end)
        return f"[{start}, {end})"


@dataclass(frozen=True, slots=True)
class Moment:
    """Where on the two clocks a read stands.

    `as_of` is valid time: what was true then. `known_at` is known time: what had been learned by then, inclusive;
    `None` means all that is known. It is not the present clock reading, since a clock that ran backwards would hide
    what has just been written.
    """

    as_of: datetime
    known_at: datetime | None = None

    def __post_init__(self) -> None:
        must_be_utc(self.as_of, "as_of")
        if self.known_at is not None:
            must_be_utc(self.known_at, "known_at")

    def knows(self, recorded_at: datetime) -> bool:
        return self.known_at is None or recorded_at <= self.known_at

"""What can an answer be drawn with? Lines, pairs, rows and timelines, the same for every kind of paper."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from treering.model.time import Period, to_text
from treering.values import dataclass

Tone = Literal["plain", "good", "bad", "warn", "quiet", "strong", "name"]
_SHORT_ID = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """A value: `shown` to people, `full` to programs, and to people too if it is `roomy` and there is room."""

    shown: str
    full: str = ""
    tone: Tone = "plain"
    roomy: bool = False

    def text(self, room: bool) -> str:
        return self.full if self.full and self.roomy and room else self.shown

    def whole(self) -> str:
        return self.full or self.shown


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`main` may be broken into lines and comes first where there is little room; `roomy` needs a wide terminal."""

    name: str
    main: bool = False
    roomy: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What is only `for_people` is left out of a pipe; one that `names_options` (`--limit`) is told to agents with the
    parameters of their tools instead."""

    text: str
    tone: Tone = "plain"
    for_people: bool = False
    names_options: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    pairs: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    empty: str


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """A point of a timeline, or a place in a ranking: when or which, what, and the small print."""

    at: Cell
    what: str
    notes: tuple[str, ...]
    record: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimelineRows:
    happenings: tuple[TimelineRow, ...]


Block = Line | Pairs | Rows | TimelineRows


def cell(value: object, tone: Tone = "plain") -> Cell:
    if isinstance(value, datetime):
        return time_cell(value)
    return Cell("" if value is None else str(value), tone=tone)


def id_cell(value: str | None) -> Cell:
    """The end of an id is what tells it from its neighbours: it begins with the time it was made."""
    return Cell("") if value is None else Cell("…" + value[-_SHORT_ID:], value, "quiet", roomy=True)


def time_cell(at: datetime | None, tone: Tone = "plain") -> Cell:
    return Cell("") if at is None else Cell(short_time(at), to_text(at), tone)


def short_time(at: datetime) -> str:
    day = at.strftime("%Y-%m-%d")
    return day if (at.hour, at.minute, at.second) == (0, 0, 0) else f"{day} {at:%H:%M}"


def window_cell(since: datetime | None, until: datetime | None, tone: Tone = "plain") -> Cell:
    begins = "" if since is None or Period(since, until).only_its_end_is_known else short_time(since)
    ends = "" if until is None else short_time(until)
    return Cell(
        f"{begins} → {ends}".strip(),
        f"{'' if since is None else to_text(since)}/{'' if until is None else to_text(until)}",
        tone,
    )

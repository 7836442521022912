"""When did something change, on either clock? The axis of time that a reader of a space can move along: a tick for each
time at which something begins or ends (valid), or at which something was written (known). What changed is told by
`timeline`, `diff` and `journal`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from treering.model.time import from_micros, to_micros
from treering.model.value import Value
from treering.store.contract import ClockTurn, Reader
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tick(Value):
    """A time, or a stretch of it from the first change to the last, both within. `memories`: how many memories begin to
    hold there, or were written; `changes` counts these and the facts that begin or end, or the entries written."""

    at: datetime
    until: datetime
    changes: int
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Moments(Value):
    """The ticks in order. Where there are more times than asked for, those that lie together are one tick."""

    clock: str
    ticks: tuple[Tick, ...]
    changes: int
    memories: int


def moments(reader: Reader, clock: str, after: datetime | None, before: datetime | None, limit: int) -> Moments:
    since = None if after is None else to_micros(after)
    until = None if before is None else to_micros(before)
    turns = [
        one for one in reader.turns(clock) if (since is None or one.at > since) and (until is None or one.at < until)
    ]
    return Moments(
        clock=clock,
        ticks=tuple(_ticks(turns, limit)),
        changes=sum(one.changes for one in turns),
        memories=sum(one.memories for one in turns),
    )


def _ticks(turns: Sequence[ClockTurn], limit: int) -> Iterator[Tick]:
    """Stretches of equal length, those in which nothing happened left out."""
    if len(turns) <= limit:
        groups = [[one] for one in turns]
    else:
        first, groups = turns[0].at, []
        width, reached = (turns[-1].at - first) // limit + 1, -1
        for one in turns:
            place = (one.at - first) // width
            if place != reached:
                groups.append([])
                reached = place
            groups[-1].append(one)
    for group in groups:
        yield Tick(
            at=from_micros(group[0].at),
            until=from_micros(group[-1].at),
            changes=sum(one.changes for one in group),
            memories=sum(one.memories for one in group),
        )

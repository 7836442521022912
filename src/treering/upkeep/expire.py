"""What is over? What is past its own time is expired by itself; what outlived its tier unused is archived here.

A memory's `expires_at` hides it from the moment it names, without anything being written. Lifetimes of tiers are a
space's own choice, and off unless it makes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from treering.model import limits
from treering.model.changes import Changes, Marked, Thing
from treering.model.memory import Mark, State, View
from treering.model.value import Value
from treering.store.contract import Act, MemoryFilter, Reader, Standing
from treering.upkeep.policies import Policies, present
from treering.values import dataclass

_AT_ONCE = 512


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Expired(Value):
    """`expired`: how many are past their own time, hidden and kept; `ids` the latest of them. `archived`: those that
    outlived their tier just now, by tier; `left`: how many more did."""

    expired: int
    ids: tuple[str, ...]
    archived: dict[str, tuple[str, ...]]
    left: int = 0
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Over:
    """`outlived`: unused for longer than their tier lasts, and how many `more` there are. `past`: past their own time,
    and how many that are `in_all`."""

    outlived: tuple[str, ...]
    more: int
    past: tuple[str, ...]
    in_all: int


def over(reader: Reader, limit: int | None) -> Over:
    """All memories are looked at, a few at a time, before anything is locked."""
    policies, at = Policies.of(reader), present(reader)
    found, more = list[str](), 0
    for one in reader.standing() if policies.lifetimes else ():
        if _may_go(policies, one, at):
            if len(found) < (limit or limits.BATCH):
                found.append(one.id)
            else:
                more += 1
    which = MemoryFilter(
        view=View.ALL, expires_by=reader.moment.as_of, newest_first=True, limit=limits.PAGE
    )  # what of it is forgotten is not shown as expired
    past = tuple(one.id for one in reader.memories(which) if one.state is State.EXPIRED)
    return Over(tuple(found), more, past, reader.counts().memories[State.EXPIRED.value])


def expire(act: Act, found: Over) -> tuple[Changes, Expired]:
    policies = Policies.of(act.reader)
    gone = list(_still_over(act.reader, policies, found.outlived, act.at))
    changes = tuple(
        Marked(Thing.MEMORY, one.id, Mark.ARCHIVED, True, f"tier {one.tier.value}: not used for longer than it lasts")
        for one in gone
    )
    return Changes("expire", changes), Expired(
        expired=found.in_all,
        ids=found.past,
        archived={tier.value: tuple(one.id for one in gone if one.tier is tier) for tier in policies.lifetimes},
        left=found.more,
    )


def _still_over(reader: Reader, policies: Policies, ids: tuple[str, ...], at: datetime) -> Iterator[Standing]:
    for start in range(0, len(ids), _AT_ONCE):
        for one in reader.standing(ids[start : start + _AT_ONCE]):
            if _may_go(policies, one, at):
                yield one


def _may_go(policies: Policies, one: Standing, at: datetime) -> bool:
    lasts = policies.lifetimes.get(one.tier)
    over = lasts is not None and at - one.last_used > lasts
    return over and not one.promoted and not policies.persistence.never_lets_go(one)

"""How much of a memory is left? A figure of the moment, made from its uses, its strength and the time since the last.

Nothing is rewritten as a memory fades. Three models say how fast that goes; a policy says which one a space follows,
and what fades slower there. The other way round, `time_until` says when a memory will have faded to some score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from treering.model.memory import Kind
from treering.model.time import LATEST
from treering.values import dataclass

DAY_SECONDS = 86_400.0
HALF_LIFE_DAYS = 3.0
"""The half-life that the rates below are stated for; another one stretches time."""

POWER = 1.1
POWER_SCALE = DAY_SECONDS / (2 ** (1 / POWER) - 1)
"""Seconds of t0 a day of half-life."""
RATE = 2.673e-6
QUICK_SHARE, QUICK_RATE, SLOW_RATE = 0.7, 1.603e-5, 1.147e-6


class DecayModel(StrEnum):
    """`power_law`: quick at first, with a long tail. `exponential`: the same share every day. `two_component`: most of
    it within a day, the rest over weeks."""

    POWER_LAW = "power_law"
    EXPONENTIAL = "exponential"
    TWO_COMPONENT = "two_component"


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast something fades: `beta` says how much each use slows it down."""

    model: DecayModel = DecayModel.POWER_LAW
    half_life_days: float = HALF_LIFE_DAYS
    beta: float = 0.6

    def left(self, seconds: float) -> float:
        """The share that is left so long after the last use, from 1 down towards 0."""
        seconds = max(0.0, seconds)
        if self.model is DecayModel.POWER_LAW:
            return float((1 + seconds / (self.half_life_days * POWER_SCALE)) ** -POWER)
        spent = seconds * HALF_LIFE_DAYS / self.half_life_days
        if self.model is DecayModel.EXPONENTIAL:
            return math.exp(-RATE * spent)
        return QUICK_SHARE * math.exp(-QUICK_RATE * spent) + (1 - QUICK_SHARE) * math.exp(-SLOW_RATE * spent)

    def seconds_until(self, share: float) -> float:
        """How long after the last use so much is left: the inverse of `left`. Never, for none at all."""
        if share >= 1:
            return 0.0
        if share <= 0:
            return math.inf
        stretch = self.half_life_days / HALF_LIFE_DAYS
        if self.model is DecayModel.POWER_LAW:
            return self.half_life_days * POWER_SCALE * (float(share ** (-1 / POWER)) - 1)
        if self.model is DecayModel.EXPONENTIAL:
            return -math.log(share) / RATE * stretch
        return _two_component_seconds(share) * stretch

    def score(self, uses: int, strength: float, seconds: float) -> float:
        """One is added to the uses, so that what was never used yet does not score zero."""
        return float((uses + 1) ** self.beta) * self.left(seconds) * strength


def _two_component_seconds(share: float) -> float:
    """By halving: the curve lies between its two components, each of which can be turned round."""
    low = -math.log(share) / QUICK_RATE
    high = -math.log(share) / SLOW_RATE
    curve = Pace(DecayModel.TWO_COMPONENT)
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return high
        if curve.left(middle) > share:
            low = middle
        else:
            high = middle


class Decaying(Protocol):
    """What decay looks at of a memory."""

    @property
    def kind(self) -> Kind: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def strength(self) -> float: ...
    @property
    def use_count(self) -> int: ...
    @property
    def last_used(self) -> datetime: ...
    @property
    def importance(self) -> float: ...


_SLOW = Pace(half_life_days=7.0)
MODERATE, A_STEP = 0.6, 0.3
"""What is of moderate importance fades at the pace that is set; a step up or down doubles or halves its half-life."""


@dataclass(frozen=True, slots=True)
class DecayPolicy:
    """How memories of a space fade: all at one pace, but for some kinds and tags. Of several that apply the slowest
    counts: what is both a preference and a decision is kept as long as either."""

    pace: Pace = field(default_factory=Pace)
    kinds: Mapping[str, Pace] = field(default_factory=lambda: {Kind.VIEWPOINT.value: _SLOW})
    tags: Mapping[str, Pace] = field(default_factory=lambda: {"decision": _SLOW})

    importance: float = 1.0
    """How much importance slows fading down; 0 is not at all."""

    @classmethod
    def of(cls, setting: Mapping[str, Any]) -> DecayPolicy:
        """From the checked setting `decay` of a space."""
        own = {name: value for name, value in setting.items() if name not in ("kinds", "tags", "importance")}
        some = {
            which: {name: _pace({**own, **pace}) for name, pace in setting[which].items()}
            for which in ("kinds", "tags")
        }
        return cls(_pace(own), **some, importance=float(setting.get("importance", 1.0)))

    def of_memory(self, memory: Decaying) -> Pace:
        slowest = self.kinds.get(memory.kind)
        for tag in memory.tags if self.tags else ():
            pace = self.tags.get(tag)
            if pace is not None and (slowest is None or pace.half_life_days > slowest.half_life_days):
                slowest = pace
        return slowest or self.pace

    def score(self, memory: Decaying, at: datetime) -> float:
        idle = (at - memory.last_used).total_seconds() / self.stretch(memory)
        return self.of_memory(memory).score(memory.use_count, memory.strength, idle)

    def stretch(self, memory: Decaying) -> float:
        """How many times as long it lasts as what is of moderate importance: 1/2 at 0.3, twice at 0.9."""
        if memory.importance == MODERATE:
            return 1.0
        return float(2.0 ** (self.importance * (memory.importance - MODERATE) / A_STEP))

    def time_until(self, memory: Decaying, threshold: float) -> datetime | None:
        """When it has faded to this score if it is not used again: its last use if it never scored more, none if that
        lies beyond all times."""
        pace = self.of_memory(memory)
        fresh = pace.score(memory.use_count, memory.strength, 0)
        seconds = 0.0 if fresh <= threshold else pace.seconds_until(threshold / fresh) * self.stretch(memory)
        if seconds >= (LATEST - memory.last_used).total_seconds():
            return None
        return memory.last_used + timedelta(seconds=seconds)


def _pace(setting: Mapping[str, Any]) -> Pace:
    return Pace(DecayModel(setting["model"]), float(setting["half_life_days"]), float(setting["beta"]))


class Band(StrEnum):
    """Where a score lies."""

    STRONG = "strong"
    ACTIVE = "active"
    FADING = "fading"
    FADED = "faded"


@dataclass(frozen=True, slots=True)
class Bands:
    """Strong: may be promoted. Faded: may be collected."""

    strong: float = 0.65
    fading: float = 0.10
    faded: float = 0.05

    @classmethod
    def of_settings(cls, promotion: Mapping[str, Any], retention: Mapping[str, Any]) -> Bands:
        return cls(promotion["score"], retention["fading_below"], retention["collect_below"])

    def of(self, score: float) -> Band:
        if score >= self.strong:
            return Band.STRONG
        if score >= self.fading:
            return Band.ACTIVE
        return Band.FADING if score >= self.faded else Band.FADED


@dataclass(frozen=True, slots=True)
class DangerZone:
    """Where a memory is worth a review: faded enough that one is needed, not so far that it comes too late."""

    low: float = 0.15
    high: float = 0.35

    @classmethod
    def of_setting(cls, review: Mapping[str, Any]) -> DangerZone:
        return cls(review["low"], review["high"])

    def priority(self, score: float) -> float:
        """1 in the middle of the zone, falling to 0 at its edges and outside."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        if half == 0:
            return 0.0
        return max(0.0, 1 - ((score - middle) / half) ** 2)

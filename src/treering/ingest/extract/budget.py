"""What may reading cost? Tokens and money that a space may spend on a language model, a day or in all.

Where spendings are kept is not known here: a `SpendingLog` remembers them.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

from treering.errors import InvalidRequest
from treering.model.time import Clock, system_clock

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Tokens:
    read: int = 0
    written: int = 0

    @property
    def both(self) -> int:
        return self.read + self.written

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.read + other.read, self.written + other.written)

    def __sub__(self, other: Tokens) -> Tokens:
        return Tokens(self.read - other.read, self.written - other.written)


class Term(StrEnum):
    """For how long a budget lasts. Days are those of UTC."""

    DAY = "day"
    TOTAL = "total"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one space may spend; 0 is no bound. `cost` is in the currency of the prices, which are for a million
    tokens."""

    tokens: int = 0
    cost: float = 0.0
    price_read: float = 0.0
    price_written: float = 0.0
    term: Term = Term.DAY

    def __post_init__(self) -> None:
        for field in ("tokens", "cost", "price_read", "price_written"):
            if not getattr(self, field) >= 0:
                raise InvalidRequest(f"{field}: {getattr(self, field)} is less than 0; 0 is no bound")
        if self.cost and not (self.price_read or self.price_written):
            raise InvalidRequest("cost: a bound on it needs price_read and price_written, for a million tokens")

    def cost_of(self, tokens: Tokens) -> float:
        return (tokens.read * self.price_read + tokens.written * self.price_written) / MILLION

    def broken_by(self, tokens: Tokens) -> str | None:
        """Which bound these would break, in words."""
        term = "a day" if self.term is Term.DAY else "in all"
        if self.tokens and tokens.both > self.tokens:
            return f"{self.tokens:,} tokens {term}"
        if self.cost and self.cost_of(tokens) > self.cost:
            return f"{self.cost:g} {term}"
        return None


class SpendingLog(Protocol):
    """Remembers what spaces have spent, by day. Several threads may ask at once."""

    def spent(self, space: str, day: date | None = None) -> Tokens:
        """On that day, or since ever."""
        ...

    def spend(self, space: str, day: date, tokens: Tokens) -> None: ...


class SpendingInMemory:
    """Remembers for as long as the process lives."""

    def __init__(self) -> None:
        self._spent: defaultdict[str, defaultdict[date, Tokens]] = defaultdict(lambda: defaultdict(Tokens))
        self._lock = threading.Lock()

    def spent(self, space: str, day: date | None = None) -> Tokens:
        with self._lock:
            days = self._spent[space]
            return sum(days.values(), Tokens()) if day is None else days[day]

    def spend(self, space: str, day: date, tokens: Tokens) -> None:
        with self._lock:
            self._spent[space][day] += tokens


class OverBudget(Exception):
    """What is asked for could break the budget."""


class Account:
    """One space's budget and what it has spent. What is under way counts in full until it is known what it took, so
    that requests made at once cannot break the budget together."""

    def __init__(self, space: str, budget: Budget, spending: SpendingLog, clock: Clock = system_clock) -> None:
        self._space = space
        self._budget = budget
        self._spending = spending
        self._clock = clock
        self._under_way = Tokens()
        self._lock = threading.Lock()

    @contextmanager
    def spending(self, most: Tokens) -> Iterator[list[Tokens]]:
        """Raises `OverBudget` unless `most` more may be spent. What is put into the list was spent indeed."""
        with self._lock:
            day = self._clock().date()
            before = self._spending.spent(self._space, day if self._budget.term is Term.DAY else None)
            broken = self._budget.broken_by(before + self._under_way + most)
            if broken:
                raise OverBudget(f"the budget of {broken} is spent or would be; {before.both:,} tokens were used")
            self._under_way += most
        spent: list[Tokens] = []
        try:
            yield spent
        finally:
            with self._lock:
                self._under_way -= most
                for tokens in spent:
                    self._spending.spend(self._space, day, tokens)

"""How long does one wait where many ask? Requests go from station to station and wait where all are busy: events one
after the other, the same each time. It knows nothing of memory: who calls says which stations there are and what is
drawn.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

REQUESTS = 12_000
_WARMING = 0.1
"""Of the requests: what came first met an empty house, and does not count."""


@dataclass(slots=True)
class Request:
    """`steps`: stations in order, and seconds at each. Of those that wait, the lowest `turn` goes first."""

    kind: str
    steps: list[tuple[str, float]]
    turn: int = 0
    came: float = 0.0
    place: int = -1


Draw = Callable[[Random], Request]


@dataclass
class Seen:
    """`times`: seconds from coming to going, by kind, in order of size."""

    times: dict[str, list[float]] = field(default_factory=dict)
    seconds: float = 0.0

    def per_second(self, kind: str) -> float:
        return len(self.times.get(kind, ())) / self.seconds

    def ms(self, kind: str, share: float) -> float:
        ordered = self.times[kind]
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


def lognormal(p50: float, p95: float) -> Callable[[Random], float]:
    """Times of which half are below the one and nineteen in twenty below the other."""
    middle, width = math.log(p50), math.log(p95 / p50) / 1.6449
    return lambda chance: chance.lognormvariate(middle, width)


def closed(stations: Mapping[str, float], draw: Draw, clients: int, gate: float = math.inf, seed: int = 7) -> Seen:
    """Clients that ask again as soon as they are answered. `gate`: so many at most are let in at once."""
    house = _House(stations, draw, gate, seed)
    for _ in range(clients):
        house.come(0.0)
    return house.run(again=house.come)


def opened(stations: Mapping[str, float], draw: Draw, per_second: float, seed: int = 7) -> Seen:
    """Requests that come whenever they like, so many a second on average."""
    house = _House(stations, draw, math.inf, seed)
    when = 0.0
    for _ in range(REQUESTS):
        when += house.chance.expovariate(per_second)
        house.come(when)
    return house.run(again=lambda now: None)


class _House:
    def __init__(self, stations: Mapping[str, float], draw: Draw, gate: float, seed: int) -> None:
        self.chance = Random(seed)
        self._draw, self._free, self._gate = draw, dict(stations), gate
        self._waiting: dict[str, list[tuple[int, int, Request]]] = {name: [] for name in stations}
        self._outside: deque[Request] = deque()
        self._events: list[tuple[float, int, Request]] = []
        self._count = 0

    def come(self, when: float) -> None:
        request = self._draw(self.chance)
        request.came = when
        self._later(when, request)

    def run(self, again: Callable[[float], None]) -> Seen:
        seen, done, began, now = Seen(), 0, 0.0, 0.0
        while self._events and done < REQUESTS:
            now, _, request = heapq.heappop(self._events)
            if request.place < 0:
                self._enter(now, request)
                continue
            self._leave(now, request.steps[request.place][0])
            request.place += 1
            if request.place < len(request.steps):
                self._ask(now, request)
                continue
            done += 1
            if done > REQUESTS * _WARMING:
                began = began or now
                seen.times.setdefault(request.kind, []).append(now - request.came)
            self._gate += 1
            if self._outside:
                self._enter(now, self._outside.popleft())
            again(now)
        seen.seconds = now - began
        for times in seen.times.values():
            times.sort()
        return seen

    def _later(self, when: float, request: Request) -> None:
        self._count += 1
        heapq.heappush(self._events, (when, self._count, request))

    def _enter(self, now: float, request: Request) -> None:
        if self._gate < 1:
            self._outside.append(request)
            return
        self._gate -= 1
        request.place = 0
        self._ask(now, request)

    def _ask(self, now: float, request: Request) -> None:
        station, seconds = request.steps[request.place]
        if self._free[station] >= 1:
            self._free[station] -= 1
            self._later(now + seconds, request)
        else:
            self._count += 1
            heapq.heappush(self._waiting[station], (request.turn, self._count, request))

    def _leave(self, now: float, station: str) -> None:
        self._free[station] += 1
        if self._waiting[station]:
            self._ask(now, heapq.heappop(self._waiting[station])[2])

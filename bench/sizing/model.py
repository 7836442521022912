"""What do so many tenants need? Arithmetic on measured parts and on assumptions that are named here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from bench.sizing.parts import MB, Parts

BUSY = 0.6
"""Of cores, of PostgreSQL: so much of what they bear is used in the busiest hour, the rest is for bursts."""
PEAK = 4.0
"""The busiest hour against the mean of a day: a day's calls within six hours."""
SITTING = 10
"""Calls of one tenant in a row: a space that made room for others is learned for the first of them."""
SERVER_CORES = 4
"""Of one server: by itself `treering serve` has at most four processes that answer, and one more for jobs."""
SERVER_GB = 16
DATABASE_CORES = 16
CONNECTIONS = 100
"""PostgreSQL's own `max_connections`, unless somebody has set it."""
MOST = 1 << 20
"""Tenants up to which a wall is looked for."""


@dataclass(frozen=True, slots=True)
class Load:
    """A tenant has one space. `by_space`: the balancer sends a space to the same server each time."""

    tenants: int
    memories_each: int = 5_000
    recalls_a_day: float = 100
    turns_a_day: float = 50
    peak: float = PEAK
    judge: bool = True
    by_space: bool = False

    def __post_init__(self) -> None:
        for name, least in (
            ("tenants", 1),
            ("memories_each", 1),
            ("recalls_a_day", 0),
            ("turns_a_day", 0),
            ("peak", 1),
        ):
            value = getattr(self, name)
            if not math.isfinite(value) or value < least:
                raise ValueError(f"{name}: {value} is not a number of at least {least}")


@dataclass(frozen=True, slots=True)
class Needs:
    """In the busiest hour; `cores` with what is kept free, the database's apart. `cold`: the share of recalls whose
    space has to be learned first. `gb_a_year`: what the disk grows by if nothing is purged. `one_…`: whether
    that is enough, as far as was measured."""

    recalls_a_second: float
    turns_a_second: float
    cold: float
    cores: int
    servers: int
    ram_gb_a_server: float
    disk_gb: float
    gb_a_year: float
    database_writes: float
    database_cores: int
    connections: int
    one_server: bool
    one_database: bool


def needs(load: Load, parts: Parts) -> Needs:
    """On PostgreSQL, with as few cores as bear it; with more of them a space is cold in more places."""
    cores = 1
    while _wanted(load, parts, cores) > cores * BUSY:
        cores += 1 if cores < SERVER_CORES else SERVER_CORES
    servers = math.ceil(cores / SERVER_CORES)
    processes = cores + servers
    recalls, turns = _a_second(load, load.recalls_a_day), _a_second(load, load.turns_a_day)
    at_hand = min(parts.spaces_at_hand(load.memories_each), _seen(load, servers)) * load.memories_each
    cold = _cold(load, parts, cores, cores)
    a_process = parts.base_mb + at_hand * parts.index_bytes_a_memory / MB
    ram = (min(cores, SERVER_CORES) + 1) * a_process / 1024
    writes = turns * parts.transactions_a_turn
    database_ms = recalls * parts.database_recall_ms(load.memories_each, cold) + turns * parts.database_turn_ms
    database_cores = max(1, math.ceil(database_ms / 1000 / BUSY))
    a_year = load.tenants * load.turns_a_day * 365 * parts.memories_a_turn
    return Needs(
        recalls_a_second=recalls,
        turns_a_second=turns,
        cold=cold,
        cores=cores,
        servers=servers,
        ram_gb_a_server=ram,
        disk_gb=load.tenants * load.memories_each * parts.disk_bytes_a_memory / 1e9,
        gb_a_year=a_year * parts.disk_bytes_a_memory / 1e9,
        database_writes=writes,
        database_cores=database_cores,
        connections=processes * parts.connections_a_process,
        one_server=servers == 1 and ram <= SERVER_GB,
        one_database=writes <= parts.writes_a_second * BUSY and database_cores <= DATABASE_CORES,
    )


def _a_second(load: Load, a_day: float) -> float:
    return load.tenants * a_day * load.peak / 86_400


def _wanted(load: Load, parts: Parts, cores: int) -> float:
    """Cores that are busy, were there so many."""
    workers = math.ceil(cores / SERVER_CORES)
    learning = parts.cold_ms(load.memories_each)
    recall = parts.recall_ms(load.memories_each, load.judge) + _cold(load, parts, cores, cores) * learning
    turn = parts.accepted_ms + parts.turn_ms + _cold(load, parts, workers, cores) * learning
    return (_a_second(load, load.recalls_a_day) * recall + _a_second(load, load.turns_a_day) * turn) / 1000


def _seen(load: Load, servers: int) -> int:
    """Tenants that one process is asked about."""
    return math.ceil(load.tenants / servers) if load.by_space else load.tenants


def _cold(load: Load, parts: Parts, processes: int, cores: int) -> float:
    """The calls of a sitting go to any process, and each of these learns the space once, unless it is still at hand."""
    servers = math.ceil(cores / SERVER_CORES)
    places = math.ceil(processes / servers) if load.by_space else processes
    met = places * (1 - (1 - 1 / places) ** SITTING)
    return met / SITTING * max(0.0, 1 - parts.spaces_at_hand(load.memories_each) / _seen(load, servers))


@dataclass(frozen=True, slots=True)
class Wall:
    """`tenants`: of the same kind, as many as which reach it; none up to `MOST` do if it is None."""

    name: str
    tenants: int | None


def walls(load: Load, parts: Parts) -> list[Wall]:
    """What gives way, the first first."""
    kept = parts.spaces_at_hand(load.memories_each)
    tests: dict[str, Callable[[Needs], bool]] = {
        f"more spaces than one process keeps at hand ({kept})": lambda one: one.cold > 0,
        f"one server of {SERVER_CORES} cores": lambda one: one.servers > 1,
        f"{SERVER_GB} GB in a server": lambda one: one.ram_gb_a_server > SERVER_GB,
        f"{CONNECTIONS} connections to PostgreSQL": lambda one: one.connections > CONNECTIONS,
        f"{parts.writes_a_second * BUSY:.0f} writes a second, {BUSY:.0%} of what PostgreSQL was measured to bear": (
            lambda one: one.database_writes > parts.writes_a_second * BUSY
        ),
        f"one PostgreSQL of {DATABASE_CORES} cores": lambda one: one.database_cores > DATABASE_CORES,
    }
    found = [
        Wall(name, _first(lambda count, test=test: test(needs(replace(load, tenants=count), parts))))  # type: ignore[misc]
        for name, test in tests.items()
    ]
    return sorted(found, key=lambda wall: wall.tenants or MOST + 1)


def _first(reached: Callable[[int], bool]) -> int | None:
    """The least number for which it is so."""
    low, high = 0, 1
    while not reached(high):
        low, high = high, high * 2
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high

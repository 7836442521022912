"""Is it true? What the queues foretell beside what was measured, with how far it is off; and how long one waits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from bench import record
from bench.calling import WRITES
from bench.sizing import queueing
from bench.sizing.model import Load
from bench.sizing.parts import LARGE, MIDDLE, READER, Parts
from treering.store.postgres.pool import CONNECTIONS

CORES = 2
"""Of the machine that all benches ran on."""
LOADS = (0.4, 0.6, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Check:
    """The same few figures, foretold and measured. `given`: what the queue was given to foretell them."""

    what: str
    given: str
    foretold: tuple[float, ...]
    measured: tuple[float, ...]

    @property
    def off(self) -> tuple[float, ...]:
        return tuple(one / other - 1 for one, other in zip(self.foretold, self.measured, strict=True))


def checks(parts: Parts) -> list[Check]:
    return [*_serving(), *_writing(), *_learning(parts)]


def _learning(parts: Parts) -> list[Check]:
    """What was fitted on PostgreSQL, beside what a file took."""
    recall = record.read("speed_recall")["sizes"]
    sizes = {size: recall[str(size)] for size in (MIDDLE, LARGE)}
    return [
        Check(
            "a space of 10,000 and of 100,000 learned, ms",
            f"spaces of {' and '.join(f'{one:,}' for one in sorted(parts.cold))}",
            tuple(parts.cold_ms(size) for size in sizes),
            tuple(row["first_question_stages_ms"]["index"] for row in sizes.values()),
        )
    ]


def _serving() -> list[Check]:
    """16 clients that ask without pause. The job that reads what is told makes way for them: it goes last."""
    served, asked = record.read("serve"), record.read("speed_recall")["sizes"][str(MIDDLE)]["recall"]
    times = queueing.lognormal(asked["p50_ms"] / 1000, asked["p95_ms"] / 1000)
    accepted = served["backlog"]["enqueue_before"]["p50_ms"] / 1000
    mean = (1 - WRITES) * asked["p50_ms"] + WRITES * accepted * 1000
    found = []
    for basis, longer in (
        ("one request alone", 1.0),
        ("cores as 16 clients take them", served["core_ms"]["a_request"] / mean),
    ):

        def draw(chance: Random, longer: float = longer) -> queueing.Request:
            writes = chance.random() < WRITES
            seconds = (accepted if writes else times(chance)) * longer
            return queueing.Request("write" if writes else "recall", [("core", seconds)])

        seen = queueing.closed({"core": CORES}, draw, served["clients"])
        found.append(
            Check(
                f"{served['clients']} clients: recalls a second, p50, p99",
                basis,
                (seen.per_second("recall"), seen.ms("recall", 0.5), seen.ms("recall", 0.99)),
                (served["recalls_a_second"], served["recall"]["p50_ms"], served["recall"]["p99_ms"]),
            )
        )
    return found


def _writing() -> list[Check]:
    """64 writers, of whom ten are let in: their process runs Python on one core at a time, PostgreSQL on what is
    left, and the rest of a write is waiting for the disk. What it takes of a core
    was measured by `bench.parts` alone."""
    old, new = record.read("postgres")["writing"], record.read("parts")["writing"]
    found = []
    for bench, alone, many in (
        ("bench-postgres", old["PostgreSQL, alone"], old["PostgreSQL"]),
        ("bench-parts", new["alone"], new["many"]),
    ):
        for basis, core in (("one writer alone", new["alone"]), ("cores as 64 take them", new["many"])):
            own, server = core["own_core_ms"], core["server_core_ms"]
            disk = max(0.001, 1000 / alone["per_second"] - new["alone"]["own_core_ms"] - new["alone"]["server_core_ms"])
            seen = _writers(own, server, disk, clients=many["writers"])
            found.append(
                Check(
                    f"{many['writers']} writers ({bench}): writes a second, p50, p95",
                    basis,
                    (seen.per_second("write"), seen.ms("write", 0.5), seen.ms("write", 0.95)),
                    (many["per_second"], many["p50_ms"], many["p95_ms"]),
                )
            )
    return found


def _writers(own: float, server: float, disk: float, clients: int) -> queueing.Seen:
    def draw(chance: Random) -> queueing.Request:
        steps = [("own", own), ("server", server), ("disk", disk)]
        return queueing.Request("write", [(name, chance.expovariate(1000 / ms)) for name, ms in steps])

    return queueing.closed({"own": 1, "server": CORES - 1, "disk": math.inf}, draw, clients, gate=CONNECTIONS)


def waiting(load: Load, parts: Parts, cores: int) -> list[tuple[float, float, float]]:
    """Busy share of the cores, and p50 and p99 of a recall in ms, in the mix of a day. Reading a turn waits for whoever
    asks, but is not broken off once it has begun, which is worse than a server does."""
    asked = record.read("speed_recall")["sizes"][str(MIDDLE)]["recall"]
    mean = parts.recall_ms(load.memories_each, load.judge) / 1000
    recall = queueing.lognormal(mean, mean * asked["p95_ms"] / asked["p50_ms"])
    told = record.read("speed_remember")["embedders"][READER]["one a call"]
    turn = 1 / told["turns_per_second"]
    share = load.recalls_a_day / (load.recalls_a_day + load.turns_a_day)

    def draw(chance: Random) -> queueing.Request:
        if chance.random() < share:
            return queueing.Request("recall", [("core", recall(chance))])
        return queueing.Request("turn", [("core", chance.expovariate(1 / turn))], turn=1)

    work = share * mean + (1 - share) * turn
    found = []
    for busy in LOADS:
        seen = queueing.opened({"core": cores}, draw, busy * cores / work)
        found.append((busy, seen.ms("recall", 0.5), seen.ms("recall", 0.99)))
    return found

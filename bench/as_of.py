"""Is what was true then, as it was known then, answered exactly? Real facts with the years in which they held, asked as
of a year; then closed, reopened and told late in random order, and asked at random moments of both clocks.

The answers of the first part come with the data. Those of the second come from an oracle that keeps every belief about
every fact in a list and looks through all of it; nothing of it is shared with the product.

    TREERING_BENCH_DATA=folder python -m bench.as_of
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import treering
from bench import record
from treering.door import Treering
from treering.graph.walk import Walked

FACTS, QUESTIONS = "tkg/yago_facts.jsonl", "tkg/yago_asof_questions.json"
SEED, OPERATIONS, MOMENTS = 11, 2_000, 3_000
LATE = 0.2
"""This share of the facts is told only between closings and reopenings."""
BATCH = 5_000
MOVED_ON, EARLIEST = 500, -499


class Now:
    """A clock that moves on by a minute with every reading."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@dataclass
class Told:
    """A fact as the oracle knows it: every belief about its end, with since when."""

    subject: str
    relation: str
    object: str
    begins: datetime
    beliefs: list[tuple[datetime, datetime | None]] = field(default_factory=list)
    closings: list[datetime | None] = field(default_factory=list)
    """The ends that closings replaced, the latest last."""

    def holds(self, as_of: datetime, known_at: datetime | None) -> bool:
        known = [end for since, end in self.beliefs if known_at is None or since <= known_at]
        return bool(known) and self.begins <= as_of and (known[-1] is None or as_of < known[-1])

    @property
    def end(self) -> datetime | None:
        return self.beliefs[-1][1]


def year(number: int) -> datetime:
    """Its first moment. Some plays were written before the year one, where our times begin: all years are moved on."""
    return datetime(number + MOVED_ON, 1, 1, tzinfo=UTC)


def as_fact(row: dict[str, Any]) -> dict[str, Any]:
    """A year that ends a fact belongs to it."""
    window = {"valid_from": year(EARLIEST if row["from"] is None else row["from"])}
    if row["to"] is not None:
        window["valid_until"] = year(row["to"] + 1)
    return {"subject": row["s"], "relation": row["r"], "object": row["o"], **window}


class World:
    """The door and the oracle, told the same."""

    def __init__(self, door: Treering) -> None:
        self.door = door
        self.facts: list[Told] = []
        self._by_subject: dict[str, list[Told]] = defaultdict(list)

    def tell(self, rows: Iterable[dict[str, Any]]) -> None:
        stated = [as_fact(row) for row in rows]
        told = self.door.assert_facts(stated)
        for one, fact in zip(stated, told.facts, strict=True):
            belief = (fact.recorded_at, one.get("valid_until"))
            new = Told(one["subject"], fact.relation, one["object"], one["valid_from"], [belief])
            self.facts.append(new)
            self._by_subject[new.subject].append(new)

    def close(self, fact: Told, at: datetime) -> None:
        """Only where it moves the end: any other closing changes nothing."""
        if fact.begins <= at and (fact.end is None or fact.end > at):
            before = fact.end
            self.door.invalidate(fact.subject, fact.object, fact.relation, at=at)
            fact.closings.append(before)
            fact.beliefs.append((self._known(), at))

    def reopen(self, fact: Told) -> None:
        if fact.closings:
            self.door.reopen(fact.subject, fact.object, fact.relation)
            fact.beliefs.append((self._known(), fact.closings.pop()))

    def _known(self) -> datetime:
        changed = self.door.status().changed_at
        assert changed is not None
        return changed

    def is_right(self, subject: str, as_of: datetime, known_at: datetime | None) -> bool:
        if known_at is not None and all(fact.beliefs[0][0] > known_at for fact in self._by_subject[subject]):
            return True  # nothing was told of it yet
        walk = self.door.graph(subject, depth=1, direction="out", as_of=as_of, known_at=known_at, limit=10_000)
        right = {(fact.relation, fact.object) for fact in self._by_subject[subject] if fact.holds(as_of, known_at)}
        return answers(walk) == right


def answers(walk: Walked) -> set[tuple[str, str | None]]:
    names = {node.id: node.name for node in walk.nodes}
    return {(edge.relation, names[edge.target_id]) for edge in walk.edges}


def ask(world: World, questions: Iterable[dict[str, Any]]) -> int:
    """How many are answered exactly."""
    right = 0
    for one in questions:
        walk = world.door.graph(one["s"], [one["r"]], depth=1, direction="out", as_of=year(one["as_of_year"]))
        right += {name for _, name in answers(walk)} == set(one["answer"])
    return right


def single(world: World) -> list[Told]:
    """Those that are the only ones between their two ends, so that a closing means them."""
    counts: dict[tuple[str, str, str], int] = defaultdict(int)
    for fact in world.facts:
        counts[fact.subject, fact.relation, fact.object] += 1
    return [fact for fact in world.facts if counts[fact.subject, fact.relation, fact.object] == 1]


def unsettle(world: World, late: list[dict[str, Any]], operations: int, rng: Random) -> dict[str, int]:
    """Closings, reopenings and late facts in random order."""
    done: dict[str, int] = defaultdict(int)
    some = rng.sample(single(world), min(len(world.facts) // 3, operations))
    waiting = [late[place : place + 20] for place in range(0, len(late), 20)]
    for _ in range(operations):
        kind = rng.choices(("closed", "reopened", "told late"), (6, 4, 1))[0]
        fact = rng.choice(some)
        if kind == "closed":
            span = ((fact.end or year(2030)) - fact.begins).days
            world.close(fact, fact.begins + timedelta(days=rng.randrange(max(span, 1))))
        elif kind == "reopened":
            world.reopen(rng.choice([one for one in some if one.closings] or [fact]))
        elif waiting:
            world.tell(waiting.pop())
        done[kind] += 1
    return dict(done)


def ask_at_random(world: World, moments: int, rng: Random) -> int:
    """How many questions at random moments of both clocks are answered exactly."""
    known = sorted({since for fact in world.facts for since, _ in fact.beliefs})
    moved = [fact for fact in world.facts if len(fact.beliefs) > 1] or world.facts
    right = 0
    for _ in range(moments):
        fact = rng.choice(moved if rng.random() < 0.7 else world.facts)
        ends = [end for _, end in fact.beliefs if end is not None]
        near = rng.choice([fact.begins, *ends, year(rng.randrange(1900, 2026))])
        as_of = near + timedelta(microseconds=rng.choice((0, -1, 1))) if near.year > 1 else near
        known_at = rng.choice((None, rng.choice(known)))
        right += world.is_right(fact.subject, as_of, known_at)
    return right


def main() -> None:
    folder = os.environ.get("TREERING_BENCH_DATA")
    if folder is None or not (Path(folder) / FACTS).is_file():
        sys.exit(f"Set TREERING_BENCH_DATA to the folder that holds {FACTS}.")
    rows = [json.loads(line) for line in (Path(folder) / FACTS).read_text("utf-8").splitlines()]
    questions = json.loads((Path(folder) / QUESTIONS).read_text("utf-8"))
    with tempfile.TemporaryDirectory() as place:
        figures = measure(rows, questions, Path(place))
    path = record.write("as_of", figures)
    print(record.table(goals(figures)))
    print(path)


def measure(rows: list[dict[str, Any]], questions: list[dict[str, Any]], place: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {"facts": len(rows), "questions": len(questions)}
    with _opened(place / "whole.db") as world:
        _tell_all(world, rows)
        start = perf_counter()
        figures["right"] = ask(world, questions)
        figures["question_ms"] = round((perf_counter() - start) / len(questions) * 1000, 2)
    rng = Random(SEED)
    rng.shuffle(rows)
    late = int(len(rows) * LATE)
    with _opened(place / "unsettled.db") as world:
        _tell_all(world, rows[late:])
        figures["done"] = unsettle(world, rows[:late], OPERATIONS, rng)
        figures["moments"] = MOMENTS
        figures["right_at_random"] = ask_at_random(world, MOMENTS, rng)
    return figures


@contextmanager
def _opened(path: Path) -> Iterator[World]:
    clock = Now()
    with treering.open(path, clock=clock, embedder="none", durability="normal") as door:
        yield World(door)


def _tell_all(world: World, rows: list[dict[str, Any]]) -> None:
    for place in range(0, len(rows), BATCH):
        world.tell(rows[place : place + BATCH])


def goals(figures: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    asked = (("as of a year", "right", "questions"), ("at random moments", "right_at_random", "moments"))
    return [
        (
            f"{name}, answered exactly",
            f"{figures[right]:,} of {figures[of]:,}",
            "all",
            "met" if figures[right] == figures[of] else "missed",
        )
        for name, right, of in asked
    ]


if __name__ == "__main__":
    main()

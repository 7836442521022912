"""Do `facts`, `entity`, `graph`, `profile` and `recall` agree on what is so, now and as of every moment before?

Lives are drawn by a seed: people change employer and home, go back to an old one, or end a job. What must be so is kept
beside them by hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import HandClock

import treering
from treering import Treering
from treering.model.memory import State

PEOPLE = ("Ana", "Bruno", "Chloe")
WORK = ("Volvo", "Scania", "Ericsson", "Klarna")
HOMES = ("Oslo", "Rome", "Lyon", "Porto")
QUESTION = {"WORKS_FOR": "Who does {} work for?", "LIVES_IN": "Where does {} live?"}
TOLD = {"WORKS_FOR": ("{} works for {}.", "{} now works for {}."), "LIVES_IN": ("{} lives in {}.", "{} moved to {}.")}


@dataclass
class Life:
    """What was told, and what is so after each telling."""

    mem: Treering
    clock: HandClock
    draw: random.Random
    so: dict[tuple[str, str], str] = field(default_factory=dict)
    moments: list[tuple[datetime, dict[tuple[str, str], str]]] = field(default_factory=list)

    def is_corrected(self) -> None:
        """One of the things that are so was another all along: so it is from when it was first told."""
        (who, relation), is_so = self.draw.choice(sorted(self.so.items()))
        value = self.draw.choice([one for one in (WORK if relation == "WORKS_FOR" else HOMES) if one != is_so])
        fact = next(one for one in self.mem.facts(subject=who, relation=relation) if one.object == is_so)
        self.mem.revise(fact.memory_id or "", TOLD[relation][0].format(who, value), event_time=fact.valid_from)
        self.so[who, relation] = value
        for at, so in self.moments:
            if at >= fact.valid_from:
                so[who, relation] = value

    def goes_on(self) -> None:
        self.clock.advance(days=self.draw.randrange(5, 40))
        who, relation = self.draw.choice(PEOPLE), self.draw.choice(tuple(TOLD))
        is_so = self.so.get((who, relation))
        if relation == "WORKS_FOR" and is_so is not None and self.draw.random() < 0.25:
            self.mem.remember(f"{who} left {is_so}.", at=self.clock.now)
            del self.so[who, relation]
        else:
            value = self.draw.choice([one for one in (WORK if relation == "WORKS_FOR" else HOMES) if one != is_so])
            first, later = TOLD[relation]
            self.mem.remember((first if is_so is None else later).format(who, value), at=self.clock.now)
            self.so[who, relation] = value
        self.moments.append((self.clock.now + timedelta(seconds=1), dict(self.so)))


SEEDS = [3, 11, pytest.param(29, marks=pytest.mark.slow)]


@contextmanager
def lived(seed: int) -> Iterator[Life]:
    clock = HandClock()
    clock.now = datetime(2025, 1, 6, 9, tzinfo=UTC)
    with treering.open(":memory:", clock=clock, embedder="turnfinder", judge="turnreader", extractor="reader") as mem:
        life = Life(mem, clock, random.Random(seed))
        for _ in range(12):
            life.goes_on()
        clock.advance(days=1)
        yield life


@pytest.fixture(scope="module", params=SEEDS)
def life(request: pytest.FixtureRequest) -> Iterator[Life]:
    """Told once for all that only ask."""
    with lived(request.param) as life:
        yield life


@pytest.fixture(scope="module", params=SEEDS)
def corrected(request: pytest.FixtureRequest) -> Iterator[Life]:
    """A life of its own, told once and corrected."""
    with lived(request.param) as life:
        for _ in range(4):
            life.is_corrected()
            life.clock.advance(days=1)
        yield life


def by_facts(mem: Treering, who: str, as_of: datetime | None) -> set[tuple[str, str]]:
    return {(one.relation, one.object) for one in mem.facts(subject=who, as_of=as_of)}


def by_entity(mem: Treering, who: str, as_of: datetime | None) -> set[tuple[str, str]]:
    return {(one.relation, one.object) for one in mem.entity(who, as_of=as_of).facts_now}


def by_graph(mem: Treering, who: str, as_of: datetime | None) -> set[tuple[str, str]]:
    walked = mem.graph(who, depth=1, direction="out", as_of=as_of)
    names = {one.id: one.name for one in walked.nodes}
    return {(one.relation, names[one.target_id] or "") for one in walked.edges}


def known(life: Life) -> list[tuple[datetime | None, dict[tuple[str, str], str]]]:
    return [(None, life.so), *life.moments]


def test_facts_entity_and_graph_say_what_is_so_at_every_moment(life: Life) -> None:
    met: set[str] = set()
    for as_of, so in [*life.moments, (None, life.so)]:
        met |= {who for who, _ in so}
        for who in sorted(met):
            wanted = {(relation, value) for (name, relation), value in so.items() if name == who}
            told = [ask(life.mem, who, as_of) for ask in (by_facts, by_entity, by_graph)]
            assert told == [wanted] * 3, (who, as_of)


def test_the_profile_tells_what_is_so_and_nothing_that_is_over(life: Life) -> None:
    for as_of, so in known(life):
        for who in {name for name, _ in so}:
            text = life.mem.profile(who, as_of=as_of).text
            wanted = {value for (name, _), value in so.items() if name == who}
            assert {one for one in (*WORK, *HOMES) if one in text} == wanted, (who, as_of, text)


def test_after_corrections_facts_entity_and_graph_say_what_was_so_all_along(corrected: Life) -> None:
    test_facts_entity_and_graph_say_what_is_so_at_every_moment(corrected)


def test_after_corrections_the_profile_tells_what_is_so(corrected: Life) -> None:
    for who in {name for name, _ in corrected.so}:
        text = corrected.mem.profile(who).text
        wanted = {value for (name, _), value in corrected.so.items() if name == who}
        assert {one for one in (*WORK, *HOMES) if one in text} == wanted, (who, text)


def test_the_first_hit_holds_what_is_so_now(life: Life) -> None:
    for (who, relation), value in life.so.items():
        first = life.mem.recall(QUESTION[relation].format(who)).hits[0]
        assert value in first.memory.content
        assert first.state is State.ACTIVE


def test_the_first_hit_as_of_a_moment_holds_what_was_so_then(life: Life) -> None:
    for as_of, so in life.moments:
        for (who, relation), value in so.items():
            first = life.mem.recall(QUESTION[relation].format(who), as_of=as_of).hits[0]
            assert value in first.memory.content, (who, relation, as_of)

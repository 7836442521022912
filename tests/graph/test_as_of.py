"""Random closings, reopenings and late facts against an oracle that looks through everything, on both clocks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from bench.as_of import Now, Told, World

from bench import as_of
from treering.door import Treering
from treering.graph.atlas import Atlas
from treering.store.contract import Store


def some_facts(rng: Random, count: int) -> list[dict[str, Any]]:
    """In the shape of the real ones."""
    names = [f"Thing_{n}" for n in range(25)]
    rows = []
    for _ in range(count):
        begins = rng.choice((None, rng.randrange(-20, 2020), rng.randrange(1900, 2020)))
        ends = rng.choice((None, (begins or 1) + rng.randrange(30)))
        s, o = rng.sample(names, 2)
        rows.append({"s": s, "r": rng.choice(("owns", "playsFor")), "o": o, "from": begins, "to": ends})
    return rows


@pytest.fixture(params=["reference", "sqlite", "from memory"])
def world(request: pytest.FixtureRequest, new_store: Callable[[str], Store]) -> World:
    store = new_store("reference" if request.param == "reference" else "memory")
    door = Treering(store, clock=Now())
    if request.param == "from memory":
        door._charted.append(Atlas(store, patience=0))
    return World(door)


def test_every_moment_of_both_clocks_is_answered_exactly(world: World) -> None:
    rng = Random(4)
    rows = some_facts(rng, 160)
    world.tell(rows[60:])
    quick = not type(world.door._store).__name__.startswith("Reference")
    asked = 250 if quick else 25
    done = as_of.unsettle(world, rows[:60], 120 if quick else 25, rng)
    assert done["closed"] > 5
    assert as_of.ask_at_random(world, asked, rng) == asked


def test_the_oracle_notices_an_answer_that_is_wrong(world: World) -> None:
    world.tell([{"s": "A", "r": "owns", "o": "B", "from": 2000, "to": None}])
    (fact,) = world.facts
    assert world.is_right("A", as_of.year(2005), None)
    assert fact.holds(as_of.year(2000), None)
    fact.beliefs.append((fact.beliefs[0][0], as_of.year(2005)))
    assert not world.is_right("A", as_of.year(2005), None)
    assert world.is_right("A", as_of.year(2004), None)
    assert not Told("A", "OWNS", "B", as_of.year(2000)).holds(as_of.year(2001), None)

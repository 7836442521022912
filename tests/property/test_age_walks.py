"""Does a walk in Apache AGE come to the same as one by tables, and as one from memory? The random histories of
`test_walks`, mirrored entry by entry, and walks at random moments of both times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from tests.conftest import open_pglite, pglite_url
from tests.property.test_walks import live
from tests.property.twins import Twins

from treering.store.postgres import cypher
from treering.store.reference import ReferenceStore
from treering.store.sqlite import SqliteStore


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many steps AGE answered, and how many edges it found."""
    counted: Counter[str] = Counter()
    ask = cypher.ByCypher.__call__

    def counting(self: cypher.ByCypher, *asked: Any) -> Iterable[Any]:
        found = list(ask(self, *asked))
        counted["steps"] += 1
        counted["edges"] += len(found)
        return found

    monkeypatch.setattr(cypher.ByCypher, "__call__", counting)
    return counted


def three() -> Twins:
    """The reference store, tables of SQLite, and tables mirrored into AGE."""
    pglite_url()
    age = open_pglite(vectors="local", graph="age")
    return Twins({"reference": ReferenceStore(), "sqlite": SqliteStore(":memory:"), "age": age}, None)


def test_a_walk_in_age_comes_to_what_tables_and_memory_come_to_after_any_history(steps: Counter[str]) -> None:
    live(3, 8, three())
    assert steps["steps"] > 50
    assert steps["edges"] > 50


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(20))
def test_a_walk_in_age_comes_to_the_same_after_long_histories(steps: Counter[str], seed: int) -> None:
    live(seed, 40, three())
    assert steps["steps"] > 20

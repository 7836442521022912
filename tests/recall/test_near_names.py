"""The walk begins also from entities whose names are near in meaning to the question, which does not name them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering.door import Treering
from treering.recall import graph
from treering.recall.index import nearness

ASKED = "lagoon hotel harbour breakfast"
NEAR = ["Lagoon Hotel Breakfast", "Harbour Lagoon Hotel", "Hotel Harbour Breakfast", "Lagoon Harbour Breakfast"]


@pytest.fixture
def mem(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", clock=clock, embedder=Hashing()) as door:
        far = [{"content": f"Note {one}", "entities": [f"Thing {one}"]} for one in range(100)]
        near = [{"content": f"Nice, number {one}", "entities": [name]} for one, name in enumerate(NEAR)]
        door.add_many(far + near)
        yield door


def near_names(mem: Treering) -> set[str]:
    found: set[str] = set()
    for hit in mem.recall(ASKED, explain=True):
        assert hit.explanation is not None
        found |= {one.partition(" (")[0] for one in hit.explanation.seeds if "near name" in one}
    return found


def test_names_near_in_meaning_are_begun_from(mem: Treering) -> None:
    assert near_names(mem) == {*NEAR}


def test_where_only_some_are_compared_they_are_the_same(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "EXACT_UP_TO", 0)
    monkeypatch.setattr(graph, "ENTITIES_COMPARED", 30)
    assert near_names(mem) == {*NEAR}

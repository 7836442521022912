"""A fact that is only likely speaks for its memory, but decides nothing."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.test_present import Told, marked

import treering

QUESTION = "Where does Ada work?"
OLD, NEW = "Ada works for Bolt", "Ada sat down at Corvane to work"


def fact(relation: str, value: str, confidence: float) -> dict[str, object]:
    return {"subject": "Ada", "relation": relation, "object": value, "confidence": confidence}


@pytest.mark.parametrize(("confidence", "states"), [(1.0, True), (0.6, True), (0.59, False), (0.3, False)])
def test_what_is_asked_for_is_stated_by_a_certain_fact(clock: HandClock, confidence: float, states: bool) -> None:
    with treering.open(":memory:", clock=clock, embedder=Hashing(), judge="none") as mem:
        mem.add(OLD, triples=[fact("WORKS_FOR", "Bolt", confidence)], at=clock.now)
        [hit] = mem.recall(QUESTION)
        assert ("states what is asked for" in hit.why) is states


@pytest.mark.parametrize(("confidence", "state"), [(1.0, "active"), (0.3, "superseded")])
def test_another_fact_keeps_what_is_asked_for_only_where_it_is_certain(
    clock: HandClock, confidence: float, state: str
) -> None:
    with treering.open(":memory:", clock=clock, embedder=Hashing(), judge=Told(lambda text: 0.9, over=0.8)) as mem:
        mem.add(OLD, triples=[["Ada", "WORKS_FOR", "Bolt"]], at=clock.now)
        clock.advance(days=1)
        mem.add(NEW, triples=[fact("VISITED", "Corvane", confidence)], at=clock.now)
        assert dict(marked(mem.recall(QUESTION)))[OLD] == state

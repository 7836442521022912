"""A second hop: rare words of the best hits find what shares them, and no hit vouches for itself."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering

BEST = [
    "The lighthouse has a quokka",
    "The lighthouse has a zeppelin",
    "The lighthouse is white",
    "The lighthouse is tall",
    "The lighthouse is old",
]
SHARING = ["A quokka eats leaves", "A zeppelin needs gas"]
FURTHER = [f"Bread number {number} is in the oven" for number in range(12)]


@pytest.fixture
def echoes(clock: HandClock) -> dict[str, float]:
    """What each memory gets for sharing rare words with the best hits."""
    with treering.open(":memory:", clock=clock, embedder=Hashing()) as mem:
        mem.add_many([{"content": text} for text in (*BEST, *SHARING, *FURTHER)])
        found = {}
        for hit in mem.recall("What about the lighthouse?", limit=100, explain=True):
            assert hit.explanation is not None
            found[hit.memory.content] = hit.explanation.signals["keyword"].parts["echo"]
        return found


def test_what_shares_a_rare_word_with_a_hit_counts_for_it(echoes: dict[str, float]) -> None:
    assert all(echoes[text] > 0 for text in SHARING)
    assert max(echoes.values()) == max(echoes[text] for text in SHARING)


def test_a_word_that_no_other_hit_has_says_nothing_for_its_own(echoes: dict[str, float]) -> None:
    assert {text: echoes[text] for text in BEST} == dict.fromkeys(BEST, 0.0)


def test_what_shares_nothing_gets_nothing(echoes: dict[str, float]) -> None:
    assert not any(echoes.get(text) for text in FURTHER)


def test_it_is_part_of_the_score(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder=Hashing()) as mem:
        mem.add_many([{"content": text} for text in (*BEST, *SHARING, *FURTHER)])
        for hit in mem.recall("What about the lighthouse?", limit=100, explain=True):
            told = hit.explanation
            assert told is not None
            parts = sum(one.score for one in told.signals.values()) + sum(told.modifiers.values())
            assert parts == pytest.approx(told.total, abs=0.01)

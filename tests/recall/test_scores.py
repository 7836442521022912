"""The score that is shown is the one that `min_score` looks at; what is proposed to forget is what is clearly meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import treering
from treering import Treering
from treering.upkeep.forget import Forgetting

SAID = ("I bought a red bicycle last week.", "My dog is called Rex.", "My sister Ann works at Google.",
        "We had pasta for dinner.", "I live in Rome.")  # fmt: skip


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", space="me", embedder="turnfinder", judge="turnreader") as opened:
        for text in SAID:
            opened.remember(text)
        yield opened


@pytest.mark.parametrize("least", [0.1, 0.3, 0.6, 0.9])
def test_a_least_score_keeps_exactly_the_hits_that_have_it(mem: Treering, least: float) -> None:
    for asked in ("Which pet do I have?", "Where do I live?", "What did I buy?", "dinner"):
        every = [(hit.memory.id, hit.score) for hit in mem.recall(asked)]
        kept = [(hit.memory.id, hit.score) for hit in mem.recall(asked, min_score=least)]
        assert kept == [one for one in every if one[1] >= least], asked


def test_why_not_tells_the_score_that_the_hit_has(mem: Treering) -> None:
    hit = mem.recall("Which pet do I have?")[0]
    said = mem.why_not("Which pet do I have?", hit.memory.id, min_score=0.3)
    assert (said.found, said.score) == (True, hit.score)


def test_where_the_judge_is_silent_why_not_says_so_of_each(mem: Treering) -> None:
    asked = "What is the capital of France?"
    assert not mem.recall(asked).hits
    reasons = [mem.why_not(asked, one.id).reasons for one in mem.list().memories]
    assert all(reasons)
    assert any("takes none of it for an answer" in each for some in reasons for each in some)


def test_only_what_is_clearly_meant_is_proposed_to_forget(mem: Treering) -> None:
    found = mem.forget(query="my dog")
    assert isinstance(found, Forgetting)
    assert [one.content for one in found.matches] == ["User: My dog is called Rex."]

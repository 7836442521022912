"""What somebody thinks of a thing outlives their having it; that they have it does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import treering
from treering import Treering


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", embedder="none", judge="none") as opened:
        yield opened


@pytest.mark.parametrize(
    ("content", "kind", "relation", "state"),
    [
        ("User finds Corvane a fine place", "viewpoint", "WORKS_FOR", "active"),
        ("User finds Corvane a fine place", "semantic", "WORKS_FOR", "superseded"),
        ("User works at Corvane", "viewpoint", "WORKS_FOR", "superseded"),
    ],
    ids=["thought", "known", "no more than the fact"],
)
def test_what_was_thought_of_a_job_stands_when_it_is_left(
    mem: Treering, content: str, kind: str, relation: str, state: str
) -> None:
    first = {"content": content, "kind": kind, "triples": [("User", relation, "Corvane")]}
    told = mem.remember(drafts=[first], at="2025-01-05T09:00:00Z")
    later = {"content": "User works at Brightwater", "triples": [("User", relation, "Brightwater")], "cue": "change"}
    mem.remember(drafts=[later], at="2025-03-05T09:00:00Z")
    kept = mem.get(told.memories[0].id)
    assert kept is not None
    assert kept.state.value == state
    assert [one.object for one in mem.facts(relation=relation)] == ["Brightwater"]

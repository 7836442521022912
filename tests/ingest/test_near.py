"""What a new statement does to those near it in meaning: how near they must be depends on what it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import treering
from treering import Treering


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", embedder="turnfinder", extractor="reader", judge="turnreader") as door:
        yield door


@pytest.mark.parametrize(
    ("before", "now", "related"),
    [
        (
            "I'm thinking of moving to Lisbon next year.",
            "The Lisbon move is not happening.",
            ("related_to", "proposed"),
        ),
        (
            "I grow tomatoes on my balcony.",
            "I grow tomatoes and basil on my balcony in large pots.",
            ("extends", "says more"),
        ),
    ],
)
def test_what_changes_or_says_more_is_related_to_what_was_said(
    mem: Treering, before: str, now: str, related: tuple[str, str]
) -> None:
    mem.remember(before, session="first", at="2024-01-01T10:00:00Z")
    told = mem.remember(now, session="second", at="2024-02-01T10:00:00Z")
    assert [(edge.relation, edge.rule) for edge in told.edges if edge.relation.islower()] == [related]  # no facts

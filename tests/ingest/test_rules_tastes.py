"""What somebody likes is kept in words by which it can be known again; what only points at something makes no fact."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


def liked(text: str) -> list[tuple[str, str]]:
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID)])
    assert extraction.extracted, "what is said is remembered, whether or not it claims anything"
    return [(claim.relation, claim.object) for one in extraction.extracted for claim in one.claims]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("I love getting stuck in a good crossword", "getting stuck in a good crossword"),
        ("we love going on bike tours with the neighbours", "going on bike tours"),
        ("I like being outdoors", "being outdoors"),
        ("I enjoy learning about old ships", "learning about old ships"),
        ("I love talking to strangers about their gardens", "talking to strangers"),
        ("I enjoy gardening in the evening sun", "gardening"),
        ("I love swimming", "swimming"),
    ],
)
def test_what_somebody_likes_to_do_is_told_in_full_where_the_verb_alone_says_little(text: str, what: str) -> None:
    assert liked(text) == [("LIKES", what)]


@pytest.mark.parametrize(
    "text",
    [
        "I love going",
        "I enjoy being with you",
        "I like escaping into that story",
        "I love that lamp!",
        "Love your sketches, they made my day",
        "I love the pattern and fabric",
        "we like these mugs",
        "I love the grey sky in it",
        "I enjoy each other's jokes",
        "I like things done on time",
        "I'm a big fan of this painter's",
        "I'm a different person now",
    ],
)
def test_what_only_points_at_something_or_says_nothing_is_no_fact(text: str) -> None:
    assert liked(text) == []


@pytest.mark.parametrize(
    ("text", "relation", "what"),
    [
        ("I love the sea", "LIKES", "sea"),
        ("I hate the cold", "DISLIKES", "cold"),
        ("I love the smell of fresh bread", "LIKES", "smell of fresh bread"),
        ("I love an amazing curry", "LIKES", "curry"),
        ("I love Fatima's soups", "LIKES", "Fatima's soups"),
        ("I can't stand smoky stuff", "DISLIKES", "smoky stuff"),
        ("I love the wonderful plum cake of Graz", "LIKES", "plum cake of Graz"),
    ],
)
def test_what_everybody_knows_or_what_is_described_is_a_fact(text: str, relation: str, what: str) -> None:
    assert liked(text) == [(relation, what)]

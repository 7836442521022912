"""Events by which a text tells the time are found and named, and left for the graph to date."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.language.when import Anchor, AnchorRelation, anchors

EVENTS = [
    ("Where did I live before I moved to Austin?", "before", "I moved to Austin"),
    ("What has changed since the wedding, if anything?", "since", "the wedding"),
    ("I slept while Anna was driving.", "during", "Anna was driving"),
    ("Tell me about when I was at Google", "during", "I was at Google"),
    ("She was happy until her dog died but then sad", "until", "her dog died"),
    ("What did I do right after leaving school?", "after", "leaving school"),
    ("What happened after the 2019 merger?", "after", "the 2019 merger"),
    ("By the time we arrived, it was over", "before", "we arrived"),
    ("Prior to the move I was calm", "before", "the move I was calm"),
    ("Since April left, the house is quiet", "since", "April left"),
]


@pytest.mark.parametrize(("sentence", "relation", "event"), EVENTS)
def test_event(sentence: str, relation: str, event: str) -> None:
    (anchor,) = anchors(sentence)
    assert (anchor.relation.value, anchor.text) == (relation, event)
    assert sentence[anchor.span[0] : anchor.span[1]] == event


NONE = [
    "Where did I live before 2020?",
    "Before the first week of May I was calm",
    "After the summer we left",
    "Since Monday I run",
    "When did I move?",
    "I did this before",
    "Once upon a time",
    "Who walked up to the stand?",
    "I like tea",
]


@pytest.mark.parametrize("sentence", NONE)
def test_no_event(sentence: str) -> None:
    assert anchors(sentence) == []


def test_an_anchor_is_a_readable_value() -> None:
    (anchor,) = anchors("before I moved")
    assert anchor == Anchor(AnchorRelation.BEFORE, "I moved", (7, 14), (0, 6))
    assert repr(anchor) == "Anchor(before, 'I moved', span=(7, 14))"
    assert anchor.to_dict() == {"relation": "before", "text": "I moved", "span": [7, 14], "cue_span": [0, 6]}


@given(st.text(max_size=200))
def test_any_text_gives_anchors_that_stand_in_it(text: str) -> None:
    for anchor in anchors(text):
        assert text[anchor.span[0] : anchor.span[1]] == anchor.text

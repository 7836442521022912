"""Where sentences end: what people write, what only looks like an end, and what holds for every string."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.language.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "marked",
    [
        "I adopted a puppy.| She is brown!| Do you like dogs?| I do.",
        "Wait...| What was that?!| Nothing!!!| Fine.",
        'He said "Stop."| Then he left.| (We stayed.)| "Really?"| Yes.',
        "i went home. | it was nice. | then i slept.",
        "First line\n|second line\r\n|\n third line",
        "no stop at the end",
        "One.|\tTwo.|  Three.",
        "我住在北京。|你呢？|「好。」|再见！",  # noqa: RUF001
        "Is it 3?| No.| It is 4.",
        "वह घर गया।| मैं रुका।",
        "Great!| 😀 Next one.",
        "We met in 1990.| Then we married.",
        "Taller than I.| You know it.",
        "We have apples, pears, etc.| They are ripe.",
        "It starts at 5 p.m.| She was late.",
        "Look . . .| There it is.",
        "Trees*.*| More.",
    ],
)
def test_a_text_is_cut_where_its_sentences_end(marked: str) -> None:
    assert cut(marked.replace("|", "")) == [piece.strip() for piece in marked.split("|") if piece.strip()]


@pytest.mark.parametrize(
    "one",
    [
        "Mr. Smith met Dr. Jones and Mrs. Lee at St. Mary.",
        "Bring fruit, e.g. apples, i.e. what grows here, etc. and bread.",
        "It was cats vs. dogs again.",
        "She lives at No. 5, see vol. 3 and p. 12.",
        "The U.S. Army and the U.K. Navy met at 5 p.m. on Oct. 3.",
        "J. R. Smith wrote it with George W. Bush.",
        "It costs 3.50 or 1.000.000 at example.com today.",
        "Well... maybe not… or perhaps so.",
        '"Really?" she asked.',
        "Yahoo!answers was a page",
        "1. Buy milk",
        "  12. Buy milk and (see No. 7) bread",
        "a. first choice",
        "iv. the fourth part",
        "Martin Luther King Jr. Boulevard",
    ],
)
def test_what_only_looks_like_an_end_is_none(one: str) -> None:
    assert cut(one) == [one.strip()]


def test_each_item_of_a_numbered_list_is_one_sentence() -> None:
    assert cut("To do:\n1. Buy milk.\n2. Call Ann. She waits.\n3. Rest") == [
        "To do:", "1. Buy milk.", "2. Call Ann.", "She waits.", "3. Rest",
    ]  # fmt: skip


@pytest.mark.parametrize("blank", ["", " ", "\n\n\t", "\u2028\u3000"])
def test_a_text_of_blanks_has_no_sentence(blank: str) -> None:
    assert sentences(blank) == []


SCRAPS = st.sampled_from(
    [".", "...", "!", "?", "…", "。", "\n", " ", "\r\n", '"', ")", "Mr", "e.g", "No", "U.S", "J", "1", "2.5", "word",
     "Word", "你好", "😀", "é", "etc", "\u2028", "I"]
)  # fmt: skip


@settings(max_examples=examples(500))
@given(st.one_of(st.text(), st.lists(SCRAPS, max_size=40).map("".join)))
def test_spans_are_in_order_apart_and_hold_everything_that_is_no_blank(text: str) -> None:
    last = 0
    for start, end in sentences(text):
        assert last <= start < end <= len(text)
        assert text[last:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        last = end
    assert text[last:].strip() == ""


@pytest.mark.parametrize(
    "scrap", [".", ". ", " .", "No. ", "a", " ", "...x", '."', "U.S. ", "1. ", "\n", "。", "e.g.", "!)x"]
)
def test_time_grows_with_length_and_no_faster(scrap: str) -> None:
    text = scrap * (200_000 // len(scrap))
    start = time.process_time()
    sentences(text)
    assert time.process_time() - start < 5  # about 0.2 s; squared it would be hours

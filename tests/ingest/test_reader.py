"""The reader that has learned: words stay as they were said, whatever stands in them, and any text can be read."""

from __future__ import annotations

import string
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import HandClock, examples

import treering
from treering import Treering
from treering.ingest.extract.contract import Heard
from treering.ingest.extract.reader import ReaderExtractor
from treering.mind.judges import open_reader

AT = datetime(2025, 4, 14, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def reader() -> ReaderExtractor:
    return ReaderExtractor(open_reader)


def contents(reader: ReaderExtractor, text: str, speaker: str | None = None) -> list[str]:
    [told] = reader.extract([Heard(text=text, at=AT, speaker=speaker)])
    return [one.content for one in told.extracted]


letters = st.text(string.ascii_letters + string.digits + "_-", min_size=3, max_size=12)
tokens = st.one_of(
    letters.map(lambda one: f"`{one}`"),
    letters.map(lambda one: f"src/{one}/{one}.py"),
    letters.map(lambda one: f"--{one}=7"),
    st.integers(1000, 99999).map(str),
    letters.map(lambda one: f"https://{one}.example/{one}?a=1"),
)


@settings(max_examples=examples(30), deadline=None)
@given(tokens, tokens)
def test_names_paths_code_and_numbers_are_untouched(reader: ReaderExtractor, one: str, other: str) -> None:
    told = contents(reader, f"We moved the job to {one} yesterday, and the old one was {other} until then.")
    assert any(one in text for text in told)
    assert any(other in text for text in told)


said = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=300)
"""What a source may hold."""


@settings(max_examples=examples(30), deadline=None)
@given(said, st.sampled_from([None, "Zoe"]))
def test_any_text_is_read_and_every_stretch_is_accounted_for(
    reader: ReaderExtractor, text: str, speaker: str | None
) -> None:
    [told] = reader.extract([Heard(text=text, at=AT, speaker=speaker)])
    spans = [one.span for one in (*told.extracted, *told.passed_over)]
    covered = {place for start, end in spans for place in range(start, end)}
    assert [text[place] for place in range(len(text)) if text[place].isalnum() and place not in covered] == []


THREE = "My sister Ana lives in Oslo. I am allergic to walnuts. The rent is 900 euros. "


@pytest.mark.parametrize("speaker", [None, "Zoe"])
def test_a_long_turn_is_kept_statement_by_statement_and_a_short_one_whole(
    reader: ReaderExtractor, speaker: str | None
) -> None:
    assert len(contents(reader, THREE, speaker)) == 1
    told = contents(reader, THREE * 3, speaker)
    assert len(told) >= 9
    assert not any("Oslo" in one and "walnuts" in one for one in told)


def test_it_can_be_asked_for_in_one_call(clock: HandClock) -> None:
    mem: Treering = treering.open(":memory:", clock=clock, embedder="none")
    receipt = mem.remember("The api listens on port 8081.", extractor="reader")
    assert receipt.extractor == "reader"
    assert receipt.memories[0].content.startswith("User: The api listens on port 8081")


def test_an_end_before_its_beginning_is_left_out(clock: HandClock) -> None:
    mem: Treering = treering.open(":memory:", clock=clock, embedder="none", extractor="reader")
    clock.now = AT
    told = mem.remember("I'm staying at the Grand Hotel from next Monday, I was at the Plaza until yesterday", at=AT)
    assert told.memories

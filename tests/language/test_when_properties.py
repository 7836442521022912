"""What holds for every text: places match, ends are in order, nothing raises, neighbours do not disturb."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from statistics import median

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.language.when import when
from treering.language.when.words import LEXICON

NOW = datetime(2024, 5, 15, 10, tzinfo=UTC)
GLUE = (
    "the", "a", "of", "in", "on", "at", "to", "and", "from", "between", "before", "after", "since", "until", "ago",
    "by", "for", "1", "2", "3", "12", "2019", "5pm", "/", "-", ":", ".", ",", "'",
)  # fmt: skip
WORDS = st.sampled_from([*LEXICON, *GLUE])
PHRASES = st.lists(WORDS, max_size=12).map(" ".join)
MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda point: point.replace(tzinfo=UTC))  # noqa: DTZ001
EXPRESSIONS = st.sampled_from(
    [
        "in March 2021", "on 4 July 2019", "since 2015", "two weeks ago", "between 2011 and 2016", "before Easter 2020",
        "yesterday evening", "in the first week of October 2020", "over the past 3 months", "on 2021-03-04",
        "in Q3 2020",
    ]
)  # fmt: skip
ASIDE_WORDS = ("my", "green", "house", "stood", "alone", "near", "water", "with", "cheese", "people", "talked", "music")
ASIDES = st.lists(st.sampled_from(ASIDE_WORDS), max_size=8).map(" ".join)


def check(text: str, reference: datetime) -> None:
    windows = when(text, reference)
    assert windows == when(text, reference)
    last = 0
    for window in windows:
        start, end = window.span
        assert text[start:end] == window.text
        assert last <= start < end
        last = end
        assert window.start is not None or window.end is not None
        assert window.start is None or window.end is None or window.start <= window.end


@given(st.text(max_size=120), MOMENTS)
def test_any_text_is_read_without_harm(text: str, reference: datetime) -> None:
    check(text, reference)


@settings(max_examples=examples(400), suppress_health_check=[HealthCheck.too_slow])
@given(PHRASES, MOMENTS)
def test_any_heap_of_time_words_is_read_without_harm(text: str, reference: datetime) -> None:
    check(text, reference)


@given(ASIDES, EXPRESSIONS, ASIDES)
def test_unrelated_words_around_an_expression_change_nothing(before: str, expression: str, after: str) -> None:
    def windows(text: str) -> list[tuple[object, ...]]:
        return [(window.text, window.start, window.end) for window in when(text, NOW)]

    assert windows(f"{before} {expression} {after}".strip()) == windows(f"we met {expression}")


@given(st.dates(datetime(1900, 1, 1).date(), datetime(2099, 12, 31).date()))  # noqa: DTZ001
def test_a_full_date_is_that_day_however_it_is_written(date: datetime) -> None:
    forms = ["%Y-%m-%d", "%m/%d/%Y", "%d %B %Y", "%B %d, %Y", "%b %d %Y", "%A, %d %B %Y", "%d-%b-%Y", "%Y/%m/%d"]
    expected = datetime(date.year, date.month, date.day, tzinfo=UTC)
    for form in forms:
        (window,) = when(f"It was on {date.strftime(form)}", NOW)
        assert (window.start, window.end) == (expected, expected + timedelta(days=1)), form


@given(st.integers(1, 400), st.sampled_from(["day", "week"]))
def test_days_and_weeks_ago_count_back_whole_days(count: int, unit: str) -> None:
    (window,) = when(f"I left {count} {unit}s ago", NOW)
    length = timedelta(days=count * (7 if unit == "week" else 1))
    assert window.start == datetime(2024, 5, 15, tzinfo=UTC) - length


HARD = ["1-", "1 ", "'", "from ", "q1 ", "5:30 ", "a week from ", "3 months and "]


@pytest.mark.parametrize("piece", HARD)
def test_long_hostile_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = (piece * 50_000)[:50_000]
    began = time.process_time()
    when(text, NOW)
    assert time.process_time() - began < 30


def test_a_sentence_takes_about_a_millisecond() -> None:
    sentences = [
        "I started my new job two weeks ago and will finish training next Friday",
        "Caroline went to the support group yesterday and found it helpful",
        "What did we talk about when we met at the lake in the first week of October?",
        "My favourite colour is green and I have a dog called Rex",
    ]
    when(sentences[0], NOW)
    times = []
    for sentence in sentences * 25:
        began = time.process_time()
        when(sentence, NOW)
        times.append(time.process_time() - began)
    assert median(times) < 0.005

"""What holds for the times of every language of the table. A new one needs no line here: its tables are found.

Each row of `when_LANGUAGE.txt`: a sentence, the words in it that name the time, the window, and an English sentence
that names the same one, read on Wednesday 15 May 2024 at ten in the morning. `when_LANGUAGE_held.txt` is written before
the reader and asked once, at its end.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.language.languages import LANGUAGES, Tongue
from treering.language.when import when
from treering.language.when.grammar import Grammar, GrammarRule, Parse, Primitive
from treering.language.when.languages import times_in
from treering.language.when.time_context import TimeContext, TimeDirection

NOW = "2024-05-15T10:00:00Z"
HERE = Path(__file__).parent
OTHERS = [tongue.value for tongue in Tongue if tongue is not Tongue.ENGLISH]
MODULES = {tongue: import_module(language.times) for tongue, language in LANGUAGES.items()}
WITHOUT_EXAMPLES = {"HOLIDAY", "SIDE", "AFTERWARDS"}
"""Feasts, tested by their day, and what stands beside its noun."""


def rows(tongue: str) -> list[tuple[str, ...]]:
    lines = [
        line for held in ("", "_held") for line in (HERE / f"when_{tongue}{held}.txt").read_text("utf-8").splitlines()
    ]
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines]


ROWS = [row for tongue in OTHERS for row in rows(tongue)]
RULES = [
    (tongue, part, rule) for tongue, module in MODULES.items() for part, some in module.TABLES.items() for rule in some
]
WITH_EXAMPLE = [row for row in RULES if row[2].example]


def scene(direction: TimeDirection = TimeDirection.FUTURE) -> TimeContext:
    return TimeContext(datetime.fromisoformat(NOW).replace(tzinfo=None), direction)


def short(point: datetime | None) -> str:
    if point is None:
        return "…"
    return point.isoformat()[: 10 if (point.hour, point.minute) == (0, 0) else 16]


def windows(text: str) -> str:
    found = [f"{short(w.start)} to {short(w.end)} {w.grain.name.lower()}" for w in when(text, NOW)]
    return "; ".join(found) or "-"


def words(text: str) -> str:
    return "; ".join(window.text for window in when(text, NOW)) or "-"


@pytest.mark.parametrize(("said", "named", "window", "english"), ROWS)
def test_a_sentence_names_its_window(said: str, named: str, window: str, english: str) -> None:
    assert (words(said), windows(said)) == (named, window)


@pytest.mark.parametrize(("said", "named", "window", "english"), ROWS)
def test_english_names_the_same_window(said: str, named: str, window: str, english: str) -> None:
    assert windows(english) == window


@pytest.mark.parametrize(
    ("tongue", "part", "rule"),
    WITH_EXAMPLE,
    ids=[f"{t.value} {part}: {rule.pattern}" for t, part, rule in WITH_EXAMPLE],
)
def test_a_rule_reads_its_example_to_the_end(tongue: Tongue, part: str, rule: GrammarRule) -> None:
    """With no other rule of its table to help."""
    language, module = times_in(tongue), MODULES[tongue]
    tokens = language.tokenise(rule.example)
    whole = Parse(language.grammar, tokens, scene())
    others = {
        name: Primitive(lambda _, i, name=name: whole.read(name, i), language.grammar.first[name])
        for name in module.TABLES
        if name != part
    }
    read = Parse(Grammar({part: (rule,)}, {**module.PRIMITIVES, **others}), tokens, scene()).read(part, 0)
    assert read, f"{rule.pattern!r} does not read {rule.example!r}"
    assert read[0][0] == len(tokens), f"{rule.pattern!r} reads only a part of {rule.example!r}"


def test_every_rule_but_those_of_feasts_and_sides_has_an_example() -> None:
    assert {part for _, part, rule in RULES if not rule.example} <= WITHOUT_EXAMPLES


@pytest.mark.parametrize("tongue", Tongue)
def test_every_feast_can_be_read_and_falls_on_a_day_of_the_year(tongue: Tongue) -> None:
    language = times_in(tongue)
    for rule in MODULES[tongue].TABLES.get("HOLIDAY", ()):
        named = " ".join(element.split("|")[0] for element in rule.pattern.split() if not element.endswith("?"))
        read = Parse(language.grammar, language.tokenise(named), scene(TimeDirection.PAST)).read("HOLIDAY", 0)
        assert read, named
        found = read[0][1].occurs(2024)
        assert found is not None
        assert found.start.year in (2023, 2024), named


@pytest.mark.parametrize("tongue", Tongue)
@given(st.data())
def test_any_heap_of_time_words_is_read_without_harm(tongue: Tongue, data: st.DataObject) -> None:
    """Led by a word that tells the language, if there is one."""
    grammar = times_in(tongue).grammar
    pieces = [*MODULES[tongue].LEXICON, *sorted(grammar.words), "1", "3", "12", "2019", "17:00", "/", "-", ".", ","]
    telling = sorted(LANGUAGES[tongue].frequent.telling)[:1]
    text = " ".join(telling + data.draw(st.lists(st.sampled_from(pieces), max_size=12)))
    naive = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31))  # noqa: DTZ001
    last = 0
    for window in when(text, data.draw(naive).replace(tzinfo=UTC)):
        start, end = window.span
        assert text[start:end] == window.text
        assert last <= start < end
        last = end
        assert window.start is None or window.end is None or window.start <= window.end

"""What a Spanish sentence says about time, read on Wednesday 15 May 2024 at ten in the morning.

Each row of the tables: a sentence, the words in it that name the time, the window, and an English sentence that names
the same one. `when_es_held.txt` was written before the reader and asked once, at its end (docs/concepts/when.md).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.language.es.times import PRIMITIVES, TABLES, times
from treering.language.es.words import LEXICON
from treering.language.languages import Tongue
from treering.language.when import when
from treering.language.when.grammar import Grammar, GrammarRule, Parse, Primitive
from treering.language.when.time_context import TimeContext, TimeDirection
from treering.language.which import language_of

NOW = "2024-05-15T10:00:00Z"
HERE = Path(__file__)


def rows(name: str) -> list[tuple[str, str, str, str]]:
    lines = HERE.with_name(name).read_text(encoding="utf-8").splitlines()
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines]  # type: ignore[misc]


TABLE = rows("when_es.txt")
HELD = rows("when_es_held.txt")


def short(point: datetime | None) -> str:
    if point is None:
        return "…"
    return point.isoformat()[: 10 if (point.hour, point.minute) == (0, 0) else 16]


def windows(text: str) -> str:
    found = [f"{short(w.start)} to {short(w.end)} {w.grain.name.lower()}" for w in when(text, NOW)]
    return "; ".join(found) or "-"


def words(text: str) -> str:
    return "; ".join(window.text for window in when(text, NOW)) or "-"


@pytest.mark.parametrize(("said", "named", "window", "english"), TABLE + HELD)
def test_a_sentence_names_its_window(said: str, named: str, window: str, english: str) -> None:
    assert (words(said), windows(said)) == (named, window)


@pytest.mark.parametrize(("said", "named", "window", "english"), TABLE + HELD)
def test_english_names_the_same_window(said: str, named: str, window: str, english: str) -> None:
    assert windows(english) == window


WITH_EXAMPLE = [(part, rule) for part, rules in TABLES.items() for rule in rules if rule.example]


@pytest.mark.parametrize(("part", "rule"), WITH_EXAMPLE, ids=[f"{part}: {rule.pattern}" for part, rule in WITH_EXAMPLE])
def test_a_rule_reads_its_example_to_the_end(part: str, rule: GrammarRule) -> None:
    language = times()
    tokens = language.tokenise(rule.example)
    scene = TimeContext(datetime.fromisoformat(NOW).replace(tzinfo=None), TimeDirection.FUTURE)
    whole = Parse(language.grammar, tokens, scene)
    others = {
        name: Primitive(lambda _, i, name=name: whole.read(name, i), language.grammar.first[name]) for name in TABLES
    }
    del others[part]
    read = Parse(Grammar({part: (rule,)}, {**PRIMITIVES, **others}), tokens, scene).read(part, 0)
    assert read, f"{rule.pattern!r} does not read {rule.example!r}"
    assert read[0][0] == len(tokens), f"{rule.pattern!r} reads only a part of {rule.example!r}"


HABITS = [
    "Cada 3 de mayo hacemos fiesta",
    "Todos los veranos vamos a la costa",
    "Cada dos semanas voy",
    "Los sábados juego",
]


@pytest.mark.parametrize("said", HABITS)
def test_what_comes_round_is_no_date(said: str) -> None:
    assert windows(said) == "-"


def test_a_date_in_figures_has_its_day_first_in_spanish_and_its_month_first_in_english() -> None:
    assert windows("Nos vimos el 03/04/2021") == "2021-04-03 to 2021-04-04 day"
    assert windows("We met on 03/04/2021") == "2021-03-04 to 2021-03-05 day"


def test_accents_may_be_left_out() -> None:
    assert windows("el sabado pasado vino mi hermano") == windows("el sábado pasado vino mi hermano") != "-"


ENGLISH_WITH_SPANISH_IN_IT = [
    "We flew to Las Vegas and El Paso on May 3",
    "Maria de la Cruz called yesterday",
    "I will do it mañana, or next Friday",
    "Los Angeles, May 2024",
    "The Cinco de Mayo party was last year",
    "extra mayo on the burger last Tuesday",
    "José, André and René came on Monday",
    "hay fever since April",
    "a soy latte at 5pm",
]


@pytest.mark.parametrize("said", ENGLISH_WITH_SPANISH_IN_IT)
def test_english_with_spanish_names_in_it_stays_english(said: str) -> None:
    assert language_of(said) is Tongue.ENGLISH
    assert windows(said) != "-"


GLUE = ("el", "la", "los", "de", "del", "a", "al", "en", "y", "hace", "desde", "hasta", "antes", "que", "viene", "las",
        "1", "3", "12", "2019", "17:00", "/", "-", ".", ",", "º", "mil")  # fmt: skip
PHRASES = st.lists(st.sampled_from([*LEXICON, *GLUE]), max_size=12).map(lambda some: " ".join(["hoy", *some]))
MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda point: point.replace(tzinfo=UTC))  # noqa: DTZ001


@given(PHRASES, MOMENTS)
def test_any_heap_of_spanish_time_words_is_read_without_harm(text: str, reference: datetime) -> None:
    last = 0
    for window in when(text, reference):
        start, end = window.span
        assert text[start:end] == window.text
        assert last <= start < end
        last = end
        assert window.start is None or window.end is None or window.start <= window.end

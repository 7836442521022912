"""How the grammar reads, and what it refuses to be made of, on small tables of made-up words."""

from __future__ import annotations

from datetime import datetime

import pytest

from treering.language.when import reader, when
from treering.language.when.contract import TimeLanguage, time_language
from treering.language.when.doubting import Doubts
from treering.language.when.grammar import Grammar, GrammarRule, Parse, Primitive
from treering.language.when.lexicon import lexicon, numbered, units
from treering.language.when.stretch import day
from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import tokeniser
from treering.language.when.window import Grain
from treering.language.when.words import tokenise

NOW = datetime.fromisoformat("2024-05-15T10:00:00+00:00")


def language(*patterns: str) -> TimeLanguage:
    words = lexicon({"MONTHNAME": numbered("zib|zab zub", 1)})
    rules = [GrammarRule(pattern, lambda _, number: day(2024, 1, number)) for pattern in patterns]
    return time_language(
        {"TIME": rules}, {}, words, tokeniser(words, marks="ü", plain="u"), frozenset(("am",)),
        Doubts(checks=(), openers=frozenset(), articles=frozenset()), (lambda *_: None,), TimeDirection.PAST,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "refused"),
    [
        ("am MONTHNAM", r"\['MONTHNAM'\]: neither parts of the grammar nor classes"),
        ("am zür MONTHNAME", r"'zür': the tokeniser gives \['zur'\]"),
        ("Am MONTHNAME", r"'Am': the tokeniser gives \['am'\]"),
        ("o'am MONTHNAME", "the tokeniser gives"),
        ("2am DIGITS", "the tokeniser gives"),
    ],
)
def test_a_pattern_that_nothing_could_meet_is_refused(pattern: str, refused: str) -> None:
    with pytest.raises(ValueError, match=refused):
        language(pattern)


def test_a_stop_belongs_to_a_number_and_not_to_a_word_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    made = language("am DIGITS .?", "MONTHNAME .?")
    monkeypatch.setattr(reader, "times_in", lambda _: made)
    assert [window.text for window in when("am 10. und zub.", NOW)] == ["am 10.", "zub"]


def test_a_words_classes_come_from_every_table_that_names_it() -> None:
    words = lexicon(units({Grain.DAY: "zib", Grain.HOUR: "zab"}, {Grain.DAY: "zibs"}))
    assert words == {
        "zib": {"ONE": Grain.DAY, "UNIT": Grain.DAY},
        "zab": {"ONE": Grain.HOUR, "UNIT": Grain.HOUR},
        "zibs": {"MANY": Grain.DAY, "UNIT": Grain.DAY},
    }
    assert numbered("a|b c", 20, 10) == {20: "a b", 30: "c"}


def test_a_part_that_begins_with_itself_is_refused_when_the_grammar_is_built() -> None:
    loop = {"A": (GrammarRule("B x", lambda *_: 1),), "B": (GrammarRule("A y", lambda *_: 1),)}
    with pytest.raises(ValueError, match="begins with itself"):
        Grammar(loop, {})


def test_a_rule_that_refuses_leaves_the_shorter_reading() -> None:
    tables = {"N": (GrammarRule("NUM", lambda _, n: n), GrammarRule("NUM more", lambda _, n: n if n > 5 else None))}
    number = Primitive(lambda tokens, i: [(i + 1, int(tokens[i].text))], frozenset(("DIGITS",)))
    grammar = Grammar(tables, {"NUM": number})
    assert Parse(grammar, tokenise("3 more"), None).read("N", 0) == [(1, 3)]
    assert Parse(grammar, tokenise("7 more"), None).read("N", 0) == [(2, 7), (1, 7)]

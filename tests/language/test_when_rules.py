"""Every rule of the grammar reads the example that stands beside it, with no other rule of its table to help."""

from __future__ import annotations

from datetime import datetime

import pytest

from treering.language.when.english import PRIMITIVES, TABLES, english
from treering.language.when.grammar import Grammar, GrammarRule, Parse, Primitive
from treering.language.when.time_context import TimeContext, TimeDirection
from treering.language.when.tokens import tokenise

NOW = datetime.fromisoformat("2024-05-15T10:00:00")
WITH_EXAMPLE = [(part, rule) for part, rules in TABLES.items() for rule in rules if rule.example]


@pytest.mark.parametrize(("part", "rule"), WITH_EXAMPLE, ids=[f"{part}: {rule.pattern}" for part, rule in WITH_EXAMPLE])
def test_a_rule_reads_its_example_to_the_end(part: str, rule: GrammarRule) -> None:
    tokens = tokenise(rule.example)
    scene = TimeContext(NOW, TimeDirection.FUTURE)
    whole = Parse(english(), tokens, scene)
    others = {name: Primitive(lambda _, i, name=name: whole.read(name, i), english().first[name]) for name in TABLES}
    del others[part]
    read = Parse(Grammar({part: (rule,)}, {**PRIMITIVES, **others}), tokens, scene).read(part, 0)
    assert read, f"{rule.pattern!r} does not read {rule.example!r}"
    assert read[0][0] == len(tokens), f"{rule.pattern!r} reads only a part of {rule.example!r}"


def test_every_rule_but_those_of_feasts_and_sides_has_an_example() -> None:
    bare = {part for part, rules in TABLES.items() for rule in rules if not rule.example}
    assert bare == {"HOLIDAY", "SIDE"}


def test_every_feast_pattern_can_be_read_and_falls_on_a_day_of_the_year() -> None:
    for rule in TABLES["HOLIDAY"]:
        words = " ".join(element.split("|")[0] for element in rule.pattern.split() if not element.endswith("?"))
        read = Parse(english(), tokenise(words), TimeContext(NOW, TimeDirection.PAST)).read("HOLIDAY", 0)
        assert read, words
        found = read[0][1].occurs(2024)
        assert found is not None
        assert found.start.year in (2023, 2024), words


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

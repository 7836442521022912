"""Rules are found by the words they ask for: none that fits is ever passed over."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.rules import extractor
from treering.ingest.extract.rules.engine import Found
from treering.ingest.extract.rules.moods import Spoken
from treering.ingest.extract.rules.pattern import Rulebook, rule
from treering.ingest.extract.rules.tables import RULES, TABLE

AT = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("pattern", "asks_for"),
    [
        ("S (?:has )?sold O(?: in N)?", [{"sold"}]),
        ("S is (?:in|near) N", [{"is"}, {"in", "near"}]),
        ("S (?:used to live|{live.d}) (?:(?:up|all the way) )*in N", [{"used", "to", "live", "lived"}, {"in"}]),
        ("S (?:(?:{take.d}|was given) over|joined) O", [{"took", "taken", "was", "given", "over", "joined"}]),
        ("S (?:works?|is) at N", [{"at"}]),
        ("S (?:at|O) N", []),
        ("S (?:is|was)? ?(?:married|hitched) N", []),
        (r"S (?!home)\S+ from N", [{"from"}]),
        ("S (?P<O>vegan|gluten - free)", [{"vegan", "gluten", "free"}]),
        ("R", []),
    ],
)
def test_a_rule_asks_for_the_words_without_which_it_cannot_fit(pattern: str, asks_for: list[set[str]]) -> None:
    assert [set(one) for one in rule("any", pattern).asks_for] == asks_for


def test_rules_are_asked_in_their_order() -> None:
    book = Rulebook((rule("a", "S is O"), rule("b", "R"), rule("c", "S is at O"), rule("d", "S has O")))
    assert [one.name for one in book.speaking_of(frozenset(("at", "is")))] == ["a", "b", "c"]


def test_no_rule_that_fits_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: set[tuple[str, str]] = set()

    def seen(spoken: Spoken, rules: Rulebook) -> list[Found]:
        lines.add((spoken.clause.full_line, spoken.line))
        return []

    monkeypatch.setattr(extractor, "claims_in", seen)
    texts = dict.fromkeys(example[0] for one in TABLE for example in one.examples)
    extractor.RulesExtractor().extract([Heard(text=text, at=AT) for text in texts])
    assert len(lines) > len(TABLE)
    for full, line in lines:
        spoken_of = {id(one) for one in RULES.speaking_of(frozenset(full.split(" ")))}
        fitting = [one for one in TABLE if one.regex.match(full) or one.regex.match(line)]
        assert {id(one) for one in fitting} <= spoken_of, full

"""What does the whole grammar consist of? All tables and primitives of English, put together once."""

from __future__ import annotations

from functools import cache

from treering.language.when import numbers
from treering.language.when.clock import clock
from treering.language.when.contract import TimeLanguage
from treering.language.when.doubts import doubtful, stands_alone
from treering.language.when.durations import duration
from treering.language.when.grammar import Grammar, GrammarRule, Primitive
from treering.language.when.holidays import HOLIDAYS
from treering.language.when.numeric import figures
from treering.language.when.rules_clock import CLOCKS
from treering.language.when.rules_dates import DATES
from treering.language.when.rules_range import RANGES
from treering.language.when.rules_relative import RELATIVES
from treering.language.when.rules_units import UNITS
from treering.language.when.rules_within import WITHINS
from treering.language.when.tense import EnglishTenses
from treering.language.when.tokens import TimeToken, tokenise

_SPELT = ("CARDINAL", "TENSWORD")


def name(kind: str, full: int) -> Primitive:
    """A name of a month or weekday, and the full stop of one cut short: "Oct. 2"."""

    def read(tokens: list[TimeToken], i: int) -> list[tuple[int, object]]:
        value = tokens[i].classes[kind]
        if i + 1 < len(tokens) and tokens[i + 1].text == "." and tokens[i + 1].glued and _cut_short(tokens, i, full):
            return [(i + 2, value), (i + 1, value)]
        return [(i + 1, value)]

    return Primitive(read, frozenset((kind,)))


def _cut_short(tokens: list[TimeToken], i: int, full: int) -> bool:
    number_follows = i + 2 < len(tokens) and not tokens[i + 2].classes.keys().isdisjoint(("DIGITS", "DIGITORDINAL"))
    return number_follows or len(tokens[i].text) < full


PRIMITIVES = {
    "MONTH": name("MONTHNAME", 5),
    "WEEKDAY": name("DAYNAME", 6),
    "INTEGER": Primitive(numbers.integer, frozenset(("DIGITS", *_SPELT))),
    "COUNT": Primitive(numbers.count, frozenset(("DIGITS", *_SPELT, "a", "an", "couple", "few", "several", "dozen"))),
    "ORDINAL": Primitive(numbers.ordinal, frozenset(("DIGITORDINAL", "ORDINALWORD", "TENSWORD"))),
    "DAYNUMBER": Primitive(numbers.month_day, frozenset(("DIGITS", "DIGITORDINAL", "ORDINALWORD", *_SPELT))),
    "YEAR": Primitive(numbers.year, frozenset(("DIGITS", *_SPELT))),
    "CLOCK": Primitive(clock, frozenset(("DIGITS", *_SPELT, "noon", "midnight", "half", "quarter"))),
    "DURATION": Primitive(
        duration,
        frozenset(("DIGITS", *_SPELT, "a", "an", "couple", "few", "several", "dozen", "half", "about")),
    ),
    "FIGURES": Primitive(figures, frozenset(("DIGITS",))),
}
TABLES: dict[str, tuple[GrammarRule, ...]] = {
    "HOLIDAY": HOLIDAYS,
    **DATES,
    **UNITS,
    **WITHINS,
    **RELATIVES,
    **CLOCKS,
    **RANGES,
}
FUNCTION_WORDS = frozenset(
    ("a", "an", "the", "in", "on", "at", "by", "of", "to", "from", "for", "and", "or", "my", "our", "your", "all", "no",
     "not", "as", "any", "up", "within", "before", "after", "since", "until", "till", "til", "about", "around",
     "between", "during", "over", "under", "more", "less", "than", "least", "some", "like", "just", "only", "right",
     "ever")
)  # fmt: skip
"""Words of the patterns that by themselves tell of no time."""


@cache
def telling_words() -> frozenset[str]:
    """The words of the patterns without which no expression can be: "tonight", "weekend", "noon", names of feasts."""
    return frozenset(word for word in english().words if word.isalnum()) - FUNCTION_WORDS


@cache
def english() -> Grammar:
    """Compiled on first use: importing does nothing."""
    return Grammar(TABLES, PRIMITIVES)


@cache
def times() -> TimeLanguage:
    return TimeLanguage(tokenise, english(), telling_words(), doubtful, stands_alone, EnglishTenses)

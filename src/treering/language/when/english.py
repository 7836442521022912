"""What does the whole grammar consist of? All tables and primitives of English, put together once."""

from __future__ import annotations

from functools import cache

from treering.language.when import numbers, tense
from treering.language.when.clock import clock
from treering.language.when.contract import TimeLanguage, time_language
from treering.language.when.doubts import DOUBTS
from treering.language.when.durations import duration
from treering.language.when.grammar import GrammarRule, Primitive
from treering.language.when.holidays import HOLIDAYS
from treering.language.when.numeric import figures
from treering.language.when.readers import name
from treering.language.when.rules_clock import CLOCKS
from treering.language.when.rules_dates import DATES
from treering.language.when.rules_range import RANGES
from treering.language.when.rules_relative import RELATIVES
from treering.language.when.rules_units import UNITS
from treering.language.when.rules_within import WITHINS
from treering.language.when.words import LEXICON, tokenise

_SPELT = ("CARDINAL", "TENSWORD")
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
def times() -> TimeLanguage:
    """Compiled on first use: importing does nothing."""
    return time_language(TABLES, PRIMITIVES, LEXICON, tokenise, FUNCTION_WORDS, DOUBTS, (tense.strong, tense.weak))

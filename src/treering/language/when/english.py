"""What does the whole grammar consist of? All tables and primitives of English, put together once."""

from __future__ import annotations

from functools import cache

from treering.language.listed import listed
from treering.language.when import (
    holidays,
    numbers,
    rules_clock,
    rules_dates,
    rules_range,
    rules_relative,
    rules_units,
    rules_within,
    tense,
)  # fmt: skip
from treering.language.when.clock import clock
from treering.language.when.contract import TimeLanguage, time_language
from treering.language.when.doubts import DOUBTS
from treering.language.when.durations import duration
from treering.language.when.grammar import Primitive, tables_in
from treering.language.when.numeric import figures
from treering.language.when.readers import name
from treering.language.when.words import LEXICON, tokenise

_NUMBERS = listed("DIGITS CARDINAL TENSWORD")
_COUNTS = _NUMBERS | listed("a an couple few several dozen")
PRIMITIVES = {
    "MONTH": name("MONTHNAME", 5),
    "WEEKDAY": name("DAYNAME", 6),
    "INTEGER": Primitive(numbers.integer, _NUMBERS),
    "COUNT": Primitive(numbers.count, _COUNTS),
    "ORDINAL": Primitive(numbers.ordinal, listed("DIGITORDINAL ORDINALWORD TENSWORD")),
    "DAYNUMBER": Primitive(numbers.month_day, _NUMBERS | listed("DIGITORDINAL ORDINALWORD")),
    "YEAR": Primitive(numbers.year, _NUMBERS),
    "CLOCK": Primitive(clock, _NUMBERS | listed("noon midnight half quarter")),
    "DURATION": Primitive(duration, _COUNTS | listed("half about")),
    "FIGURES": Primitive(figures, listed("DIGITS")),
}
TABLES = tables_in(holidays, rules_dates, rules_units, rules_within, rules_relative, rules_clock, rules_range)
FUNCTION_WORDS = listed(
    "a an the in on at by of to from for and or my our your all no not as any up within before after since until till "
    "til about around between during over under more less than least some like just only right ever"
)
"""Words of the patterns that by themselves tell of no time."""


@cache
def times() -> TimeLanguage:
    """Compiled on first use: importing does nothing."""
    return time_language(TABLES, PRIMITIVES, LEXICON, tokenise, FUNCTION_WORDS, DOUBTS, (tense.strong, tense.weak))

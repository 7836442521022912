"""What does the reading of Spanish times consist of? All tables and primitives, put together once."""

from __future__ import annotations

from functools import cache

from treering.language.es import dates, numbers, periods, tense
from treering.language.es.doubts import DOUBTS
from treering.language.es.words import LEXICON, VAGUE_COUNTS, tokenise
from treering.language.listed import listed
from treering.language.when.contract import TimeLanguage, time_language
from treering.language.when.grammar import Primitive, tables_in
from treering.language.when.numeric import figures
from treering.language.when.readers import name
from treering.language.when.time_context import TimeDirection

_NUMBERS = listed("DIGITS CARDINAL TENSWORD HUNDREDS mil")
_COUNTS = _NUMBERS.union(VAGUE_COUNTS)
PRIMITIVES = {
    "MONTH": name("MONTHNAME", 5),
    "WEEKDAY": name("DAYNAME", 0),
    "INTEGER": Primitive(numbers.integer, _NUMBERS),
    "HOWMANY": Primitive(numbers.count, _COUNTS),
    "ORDINAL": Primitive(numbers.ordinal, listed("DIGITS ORDINALWORD")),
    "DAYNUMBER": Primitive(numbers.month_day, _NUMBERS | {"ORDINALWORD"}),
    "YEAR": Primitive(numbers.year, _NUMBERS),
    "CENTURYNUMBER": Primitive(numbers.century, _NUMBERS.union(numbers.ROMAN_CENTURIES)),
    "DURATION": Primitive(numbers.duration, _COUNTS | {"medio", "media"}),
    "CLOCK": Primitive(numbers.clock, _NUMBERS | {"mediodia", "medianoche"}),
    "FIGURES": Primitive(lambda tokens, i: figures(tokens, i, day_first=True), listed("DIGITS")),
}
TABLES = tables_in(dates, periods)
FUNCTION_WORDS = listed(
    "el la los las a al de del en por y e o que lo antes despues desde hasta entre tras hace mas menos dentro partir "
    "todo toda sobre hacia ya como solo casi apenas otro resto fin"
)
"""Words of the patterns that by themselves tell of no time."""


@cache
def times() -> TimeLanguage:
    """Compiled on first use: importing does nothing."""
    return time_language(
        TABLES, PRIMITIVES, LEXICON, tokenise, FUNCTION_WORDS, DOUBTS, (tense.strong, tense.weak), TimeDirection.PRESENT
    )

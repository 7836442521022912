"""What does the reading of Spanish times consist of? All tables and primitives, put together once."""

from __future__ import annotations

from functools import cache

from treering.language.es import numbers, tense
from treering.language.es.dates import DATES
from treering.language.es.doubts import DOUBTS
from treering.language.es.periods import PERIODS
from treering.language.es.words import LEXICON, VAGUE_COUNTS, tokenise
from treering.language.when.contract import TimeLanguage, time_language
from treering.language.when.grammar import GrammarRule, Primitive
from treering.language.when.numeric import figures
from treering.language.when.readers import name
from treering.language.when.time_context import TimeDirection

_SPELT = ("CARDINAL", "TENSWORD", "HUNDREDS", "mil")
_COUNTS = frozenset(("DIGITS", *_SPELT, *VAGUE_COUNTS))
PRIMITIVES = {
    "MONTH": name("MONTHNAME", 5),
    "WEEKDAY": name("DAYNAME", 0),
    "INTEGER": Primitive(numbers.integer, frozenset(("DIGITS", *_SPELT))),
    "HOWMANY": Primitive(numbers.count, _COUNTS),
    "ORDINAL": Primitive(numbers.ordinal, frozenset(("DIGITS", "ORDINALWORD"))),
    "DAYNUMBER": Primitive(numbers.month_day, frozenset(("DIGITS", "ORDINALWORD", *_SPELT))),
    "YEAR": Primitive(numbers.year, frozenset(("DIGITS", *_SPELT))),
    "CENTURYNUMBER": Primitive(numbers.century, frozenset(("DIGITS", *_SPELT, *numbers.ROMAN_CENTURIES))),
    "DURATION": Primitive(numbers.duration, _COUNTS | {"medio", "media"}),
    "CLOCK": Primitive(numbers.clock, frozenset(("DIGITS", *_SPELT, "mediodia", "medianoche"))),
    "FIGURES": Primitive(lambda tokens, i: figures(tokens, i, day_first=True), frozenset(("DIGITS",))),
}
TABLES: dict[str, tuple[GrammarRule, ...]] = {**DATES, **PERIODS}
FUNCTION_WORDS = frozenset(
    ("el", "la", "los", "las", "a", "al", "de", "del", "en", "por", "y", "e", "o", "que", "lo", "antes", "despues",
     "desde", "hasta", "entre", "tras", "hace", "mas", "menos", "dentro", "partir", "todo", "toda", "sobre", "hacia",
     "ya", "como", "solo", "casi", "apenas", "otro", "resto", "fin")
)  # fmt: skip
"""Words of the patterns that by themselves tell of no time."""


@cache
def times() -> TimeLanguage:
    """Compiled on first use: importing does nothing."""
    return time_language(
        TABLES, PRIMITIVES, LEXICON, tokenise, FUNCTION_WORDS, DOUBTS, (tense.strong, tense.weak), TimeDirection.PRESENT
    )

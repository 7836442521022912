"""Which words speak of time? One table from a word to the classes it may stand for, each with its value.

A class is written in capitals, since that is how the grammar's patterns name it. A word may be of several classes:
"second" is a unit and an ordinal. Whether "may" is a month or a verb is not decided here but in `doubts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treering.language.when.window import Grain

MONTHS = (
    ("january", "jan"),
    ("february", "feb", "febr"),
    ("march", "mar"),
    ("april", "apr"),
    ("may",),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep", "sept"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
)
WEEKDAYS = (
    ("monday", "mon"),
    ("tuesday", "tue", "tues"),
    ("wednesday", "wed", "weds"),
    ("thursday", "thu", "thur", "thurs"),
    ("friday", "fri"),
    ("saturday", "sat"),
    ("sunday", "sun"),
)
SEASONS = {
    "spring": 3,
    "summer": 6,
    "autumn": 9,
    "fall": 9,
    "winter": 12,
    "springtime": 3,
    "summertime": 6,
    "wintertime": 12,
}
"""The month each begins with: northern and meteorological, three whole months."""

UNITS = {
    Grain.SECOND: ("second", "seconds", "sec", "secs"),
    Grain.MINUTE: ("minute", "minutes", "min", "mins"),
    Grain.HOUR: ("hour", "hours", "hr", "hrs", "h"),
    Grain.DAY: ("day", "days"),
    Grain.WEEK: ("week", "weeks", "wk", "wks"),
    Grain.MONTH: ("month", "months", "mo", "mos"),
    Grain.QUARTER: ("quarter", "quarters", "qtr", "qtrs"),
    Grain.YEAR: ("year", "years", "yr", "yrs", "yo"),
    Grain.DECADE: ("decade", "decades"),
    Grain.CENTURY: ("century", "centuries"),
}
SHIFTS = {
    -1: ("last", "previous", "past", "preceding", "prior", "lst"),
    0: ("this", "current", "present"),
    1: ("next", "following", "coming", "upcoming", "forthcoming", "subsequent", "nxt"),
}
DAYS = {
    0: ("today", "2day", "tdy"),
    -1: ("yesterday", "yday", "yest", "ystd"),
    1: ("tomorrow", "tmrw", "tmr", "tomorow", "tommorow", "tommorrow", "tmw"),
}
DAY_PARTS = {
    "dawn": (5, 7),
    "sunrise": (5, 7),
    "morning": (5, 12),
    "mornings": (5, 12),
    "lunchtime": (12, 14),
    "lunch": (12, 14),
    "midday": (12, 13),
    "afternoon": (12, 18),
    "evening": (18, 22),
    "dusk": (18, 21),
    "sunset": (18, 21),
    "night": (20, 28),
    "nite": (20, 28),
    "overnight": (22, 30),
}
"""The hours from and to, counted past 24 where a part runs into the next day."""

PART_WORDS = {
    "early": "early",
    "mid": "mid",
    "late": "late",
    "beginning": "start",
    "start": "start",
    "opening": "start",
    "middle": "middle",
    "midpoint": "middle",
    "end": "end",
    "close": "end",
    "ending": "end",
}
DECADES = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
    "tens": 10,
    "noughties": 0,
    "aughts": 0,
    "naughties": 0,
}
CARDINALS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "twelveth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
    "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
VAGUE_COUNTS = {"couple": 2, "few": 3, "several": 4}

Classes = dict[str, object]
Groups = tuple[tuple[Mapping[Any, tuple[str, ...]], str], ...]
"""Tables from a value to its words, each with the class that they are of."""
Singles = tuple[tuple[Mapping[str, object], str], ...]
"""Tables from a word to its value."""


def entered(table: dict[str, Classes], grouped: Groups, singles: Singles) -> dict[str, Classes]:
    """`table` with the words of other tables entered into it."""
    for groups, kind in grouped:
        for value, words in groups.items():
            for word in words:
                table.setdefault(word, {})[kind] = value
    for single, kind in singles:
        for word, meaning in single.items():
            table.setdefault(word, {})[kind] = meaning
    return table


def _lexicon() -> dict[str, Classes]:
    table: dict[str, Classes] = {}

    def put(word: str, kind: str, value: object) -> None:
        table.setdefault(word, {})[kind] = value

    for number, names in enumerate(MONTHS, 1):
        for name in names:
            put(name, "MONTHNAME", number)
    for number, names in enumerate(WEEKDAYS):
        for name in names:
            put(name, "DAYNAME", number)
        put(names[0] + "s", "DAYNAMES", number)
    for grain, names in UNITS.items():
        for name in names:
            put(name, "MANY" if name.endswith("s") else "ONE", grain)
    grouped: Groups = (
        (UNITS, "UNIT"),
        (SHIFTS, "SHIFT"),
        (DAYS, "DAYWORD"),
    )
    singles: Singles = (
        (SEASONS, "SEASON"),
        (DAY_PARTS, "DAYPART"),
        (PART_WORDS, "PART"),
        (DECADES, "TENSNAME"),
        (CARDINALS, "CARDINAL"),
        (TENS, "TENSWORD"),
        (ORDINALS, "ORDINALWORD"),
    )
    return entered(table, grouped, singles)


LEXICON = _lexicon()

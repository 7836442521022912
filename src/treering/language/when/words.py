"""Which English words speak of time? Whether "may" is a month or a verb is not decided here but in `doubts`."""

from __future__ import annotations

from treering.language.when.lexicon import by_word, lexicon, numbered, units
from treering.language.when.tokens import tokeniser
from treering.language.when.window import Grain

MONTHS = (
    "january|jan february|feb|febr march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct "
    "november|nov december|dec"
)
WEEKDAYS = "monday|mon tuesday|tue|tues wednesday|wed|weds thursday|thu|thur|thurs friday|fri saturday|sat sunday|sun"
SEASONS = {3: "spring springtime", 6: "summer summertime", 9: "autumn fall", 12: "winter wintertime"}
"""The month each begins with: northern and meteorological, three whole months."""
ONE = {
    Grain.SECOND: "second sec", Grain.MINUTE: "minute min", Grain.HOUR: "hour hr h", Grain.DAY: "day",
    Grain.WEEK: "week wk", Grain.MONTH: "month mo", Grain.QUARTER: "quarter qtr", Grain.YEAR: "year yr yo",
    Grain.DECADE: "decade", Grain.CENTURY: "century",
}  # fmt: skip
MANY = {
    Grain.SECOND: "seconds secs", Grain.MINUTE: "minutes mins", Grain.HOUR: "hours hrs", Grain.DAY: "days",
    Grain.WEEK: "weeks wks", Grain.MONTH: "months mos", Grain.QUARTER: "quarters qtrs", Grain.YEAR: "years yrs",
    Grain.DECADE: "decades", Grain.CENTURY: "centuries",
}  # fmt: skip
SHIFTS = {
    -1: "last previous past preceding prior lst",
    0: "this current present",
    1: "next following coming upcoming forthcoming subsequent nxt",
}
DAYS = {
    0: "today tdy",
    -1: "yesterday yday yest ystd",
    1: "tomorrow tmrw tmr tomorow tommorow tommorrow tmw",
}
DAY_PARTS = {
    (5, 7): "dawn sunrise", (5, 12): "morning mornings", (12, 14): "lunchtime lunch", (12, 13): "midday",
    (12, 18): "afternoon", (18, 22): "evening", (18, 21): "dusk sunset", (20, 28): "night nite", (22, 30): "overnight",
}  # fmt: skip
"""The hours from and to, counted past 24 where a part runs into the next day."""
PART_WORDS = {
    "early": "early", "mid": "mid", "late": "late", "start": "beginning start opening", "middle": "middle midpoint",
    "end": "end close ending",
}  # fmt: skip
CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth|twelveth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
VAGUE_COUNTS = by_word({2: "couple", 3: "few", 4: "several"})

LEXICON = lexicon(
    {
        "MONTHNAME": numbered(MONTHS, 1),
        "DAYNAME": numbered(WEEKDAYS),
        "DAYNAMES": numbered("mondays tuesdays wednesdays thursdays fridays saturdays sundays"),
        **units(ONE, MANY),
        "SHIFT": SHIFTS,
        "DAYWORD": DAYS,
        "SEASON": SEASONS,
        "DAYPART": DAY_PARTS,
        "PART": PART_WORDS,
        "TENSNAME": numbered(
            "noughties|aughts|naughties tens twenties thirties forties fifties sixties seventies eighties nineties",
            0,
            10,
        ),
        "CARDINAL": numbered(CARDINALS),
        "TENSWORD": numbered("twenty thirty forty|fourty fifty sixty seventy eighty ninety", 20, 10),
        "ORDINALWORD": {**numbered(ORDINALS, 1), 30: "thirtieth"},
    }
)
tokenise = tokeniser(LEXICON, owning={"DAYWORD", "DAYNAME", "UNIT", "ONE"})
"""'Yesterday's', 'Friday's' and 'last week's' still name the time; 'April's' is more often a person's."""

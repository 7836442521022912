"""On which day does a feast fall? Fixed dates, rules of weekdays, Easter, and Jewish, Islamic and Chinese calendars.

Only feasts whose rule can be computed are here. The Hindu and Buddhist ones, which hang on local almanacs, are left
out: a wrong day would be worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from treering.language.when import hebrew, islamic, moon
from treering.language.when.grammar import GrammarRule
from treering.language.when.stretch import DAY, Recurring, TimeStretch, at, day, days, every_date, nth_weekday, yearly
from treering.language.when.window import Grain

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


def easter(year: int) -> datetime:
    """Western Easter Sunday: the Gregorian computus."""
    golden, century = year % 19, year // 100
    skipped = century - century // 4 - (8 * century + 13) // 25
    epact = (skipped + 19 * golden + 15) % 30
    full_moon = epact - (epact // 28) * (1 - (epact // 28) * (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + full_moon + 2 - century + century // 4) % 7
    offset = full_moon - weekday
    month = 3 + (offset + 40) // 44
    return at(year, month, offset + 28 - 31 * (month // 4))


def orthodox_easter(year: int) -> datetime:
    """Eastern Easter Sunday: the Julian computus, moved to the Gregorian calendar."""
    moon_age = (19 * (year % 19) + 15) % 30
    weekday = (2 * (year % 4) + 4 * (year % 7) - moon_age + 34) % 7
    month, number = divmod(moon_age + weekday + 114, 31)
    lag = year // 100 - year // 400 - 2
    return at(year, month, number + 1) + timedelta(days=lag)


def _nth(month: int, weekday: int, nth: int, after: int = 0) -> Recurring:
    return yearly(Grain.DAY, lambda year: days(nth_weekday(year, month, weekday, nth) + after * DAY, 1))


def computed(point: Callable[[int], datetime], after: int = 0, lasts: int = 1) -> Recurring:
    return yearly(Grain.DAY, lambda year: days(point(year) + after * DAY, lasts))


CHRISTMAS_DAYS = yearly(Grain.DAY, lambda year: days(at(year, 12, 24), 9))
HOLY_WEEK = yearly(Grain.WEEK, lambda year: days(easter(year) - 6 * DAY, 7, Grain.WEEK))


def feast_rule(pattern: str, feast: Recurring) -> GrammarRule:
    return GrammarRule(pattern, lambda _: feast)


def feasts(
    fixed: Mapping[tuple[int, int], str], from_easter: Mapping[int, str], spelt: Callable[[str], str] = str
) -> tuple[GrammarRule, ...]:
    """Patterns by month and day, and by days from Easter, with slashes between. `spelt` changes how one is written."""
    days_of_year = [(every_date(*date), patterns) for date, patterns in fixed.items()]
    days_of_year += [(computed(easter, after), patterns) for after, patterns in from_easter.items()]
    return tuple(feast_rule(spelt(one), feast) for feast, patterns in days_of_year for one in patterns.split(" / "))


def _hebrew(month: int, number: int, lasts: int = 1) -> Recurring:
    return _from_sunset(lambda year: hebrew.in_year(year, month, number), lasts)


def _from_sunset(point: Callable[[int], datetime], lasts: int = 1) -> Recurring:
    """A Jewish day begins on the evening before."""
    return yearly(Grain.DAY, lambda year: days(point(year) - timedelta(hours=6), lasts))


def _islamic(month: int, number: int) -> Recurring:
    return computed(lambda year: islamic.in_year(year, month, number))


def _ramadan() -> Recurring:
    def occurs(year: int) -> TimeStretch:
        start = islamic.in_year(year, islamic.RAMADAN, 1)
        return TimeStretch(start, islamic.month_after(start), Grain.MONTH)

    return yearly(Grain.MONTH, occurs)


def _israeli_independence(year: int) -> datetime:
    """The fifth of Iyar, kept clear of the sabbath and of the day after it."""
    found = hebrew.in_year(year, hebrew.IYAR, 5)
    return found + {MON: 1, FRI: -1, SAT: -2}.get(found.weekday(), 0) * DAY


def _before(month: int, number: int, weekday: int) -> Recurring:
    """The last such weekday before a date: Victoria Day."""

    def occurs(year: int) -> TimeStretch:
        last = at(year, month, number) - DAY
        return days(last - (last.weekday() - weekday) % 7 * DAY, 1)

    return yearly(Grain.DAY, occurs)


_FIXED = {
    (1, 1): "new years|year day / new years|year / yuandan",
    (12, 31): "new years|year eve / nye / hogmanay / silvester",
    (1, 6): "epiphany / three kings day",
    (1, 26): "australia day",
    (1, 25): "burns night",
    (2, 2): "groundhog|groundhogs day",
    (2, 14): "valentine|valentines day / valentines / saint|st .? valentine|valentines day",
    (3, 8): "international? womens day",
    (11, 19): "international mens day",
    (3, 14): "pi day",
    (3, 17): "saint|st .? patrick|patricks|paddys|pattys day",
    (4, 1): "april fools|fool day? / all fools day",
    (4, 22): "earth day",
    (4, 25): "anzac day",
    (5, 1): "may day / international workers day",
    (5, 4): "star wars day",
    (5, 5): "cinco de mayo",
    (6, 19): "juneteenth",
    (7, 1): "canada day",
    (7, 4): "independence day / fourth|4th of july",
    (7, 14): "bastille day",
    (8, 15): "assumption day",
    (10, 31): "halloween / all hallows eve",
    (11, 1): "all saints day",
    (11, 2): "all souls day",
    (11, 5): "guy fawkes night|day / bonfire night",
    (11, 11): "veterans|veteran day / armistice day / remembrance day / singles day",
    (12, 1): "world aids day",
    (12, 6): "saint|st .? nicholas day",
    (11, 30): "saint|st .? andrews day",
    (3, 1): "saint|st .? davids day",
    (4, 23): "saint|st .? georges day",
    (12, 25): "christmas|xmas / christmas|xmas day",
    (12, 24): "christmas|xmas eve",
    (12, 26): "boxing day / saint|st .? stephens day",
}
_BY_WEEKDAY = {
    "martin luther king|kings jr? .? day": _nth(1, MON, 3),
    "mlk jr? .? day": _nth(1, MON, 3),
    "civil rights day": _nth(1, MON, 3),
    "presidents|president|washingtons day": _nth(2, MON, 3),
    "super bowl sunday": _nth(2, SUN, 2),
    "commonwealth day": _nth(3, MON, 2),
    "mothers|mother day": _nth(5, SUN, 2),
    "memorial|decoration day": _nth(5, MON, -1),
    "victoria day": _before(5, 25, MON),
    "fathers|father day": _nth(6, SUN, 3),
    "labor|labour day": _nth(9, MON, 1),
    "grandparents day": _nth(9, SUN, 1, 7),
    "columbus day": _nth(10, MON, 2),
    "indigenous peoples day": _nth(10, MON, 2),
    "canadian thanksgiving day?": _nth(10, MON, 2),
    "bosss|boss day": every_date(10, 16),
    "election day": _nth(11, MON, 1, 1),
    "melbourne cup day?": _nth(11, TUE, 1),
    "thanks giving day?": _nth(11, THU, 4),
    "thanksgiving|thxgiving day?": _nth(11, THU, 4),
    "turkey day": _nth(11, THU, 4),
    "black friday": _nth(11, THU, 4, 1),
    "small business saturday": _nth(11, THU, 4, 2),
    "cyber monday": _nth(11, THU, 4, 4),
    "giving tuesday": _nth(11, THU, 4, 5),
}
_FROM_EASTER = {
    -48: "carnival monday / rosenmontag",
    -47: "shrove monday|tuesday / mardi gras / fat tuesday / pancake day|tuesday",
    -46: "ash wednesday",
    -7: "palm sunday",
    -3: "maundy|holy|great thursday",
    -2: "good|great|holy friday",
    -1: "holy|easter|great saturday",
    0: "easter sunday|day / easter",
    1: "easter monday",
    39: "ascension day|thursday",
    49: "pentecost|whitsun|whitsunday / whit|pentecost sunday",
    50: "whit|pentecost monday",
    56: "trinity sunday",
    60: "corpus christi",
}
_JEWISH = {
    "purim": _hebrew(hebrew.ADAR, 14),
    "passover|pesach|pesah": _hebrew(hebrew.NISAN, 15, 8),
    "shavuot|shavuos": _hebrew(hebrew.SIVAN, 6, 2),
    "lag baomer": _hebrew(hebrew.IYAR, 18),
    "tisha bav": _from_sunset(hebrew.ninth_of_av),
    "rosh hashanah|hashana|hashona": _hebrew(hebrew.TISHREI, 1, 2),
    "yom kippur": _hebrew(hebrew.TISHREI, 10),
    "sukkot|sukkos|succos|succot": _hebrew(hebrew.TISHREI, 15, 7),
    "shemini atzeret": _hebrew(hebrew.TISHREI, 22),
    "simchat torah": _hebrew(hebrew.TISHREI, 23),
    "hanukkah|chanukah|hanukah|hannukah|hannukkah": _hebrew(hebrew.KISLEV, 25, 8),
    "yom haatzmaut": _from_sunset(_israeli_independence),
    "tu bishvat|bshevat": _hebrew(hebrew.SHEVAT, 15),
}
_FITR = _islamic(islamic.SHAWWAL, 1)
_ADHA = _islamic(islamic.DHU_AL_HIJJA, 10)
_ISLAMIC = {
    "ramadan|ramadhan|ramzan|ramazan": _ramadan(),
    "eid|id -? al|ul|el -? fitr": _FITR,
    "eid|id fitr": _FITR,
    "idul|eidul -? fitr": _FITR,
    "eid|id -? al|ul|el -? adha": _ADHA,
    "eid|id adha": _ADHA,
    "idul|eidul -? adha": _ADHA,
    "bakr|bakra id|eid": _ADHA,
    "bakrid": _ADHA,
    "feast of the? sacrifice": _ADHA,
    "sacrifice feast": _ADHA,
    "islamic|hijri new year": _islamic(islamic.MUHARRAM, 1),
    "day? of? ashura": _islamic(islamic.MUHARRAM, 10),
    "mawlid": _islamic(islamic.RABI_I, 12),
    "isra and|& miraj": _islamic(islamic.RAJAB, 27),
    "the? night journey": _islamic(islamic.RAJAB, 27),
    "laylat|lailat al|ul -? qadr": _islamic(islamic.RAMADAN, 27),
    "the? night of power|destiny": _islamic(islamic.RAMADAN, 27),
}
_CHINESE = {
    "chinese new year|years": computed(moon.chinese_new_year),
    "lunar new year|years": computed(moon.chinese_new_year),
    "spring festival": computed(moon.chinese_new_year),
}


def _with_apostrophes(pattern: str) -> str:
    """ "Presidents' Day" is written with its apostrophe, without it, or with it before the s."""
    return pattern.replace(" day", " '? day") if re.search(r"s\b[^ ]* day", pattern) else pattern


def _rule(pattern: str, feast: Recurring) -> GrammarRule:
    return feast_rule(_with_apostrophes(pattern), feast)


def _kings_day(year: int) -> TimeStretch:
    """The Dutch one; a Sunday moves it to the day before."""
    found = day(year, 4, 27)
    return days(found.start - DAY, 1) if found.start.weekday() == SUN else found


def _advent(year: int) -> TimeStretch:
    christmas = at(year, 12, 25)
    start = christmas - ((christmas.weekday() + 1) % 7 or 7) * DAY - 21 * DAY
    return TimeStretch(start, christmas, Grain.MONTH)


HOLIDAY: tuple[GrammarRule, ...] = (
    *feasts(_FIXED, _FROM_EASTER, _with_apostrophes),
    *(
        _rule(f"orthodox|greek|eastern {pattern}", computed(orthodox_easter, after))
        for after, patterns in _FROM_EASTER.items()
        for pattern in patterns.split(" / ")
    ),
    *(_rule(pattern, feast) for some in (_BY_WEEKDAY, _JEWISH, _ISLAMIC, _CHINESE) for pattern, feast in some.items()),
    _rule("christmas|xmas time|season|holidays", CHRISTMAS_DAYS),
    _rule("christmastime", CHRISTMAS_DAYS),
    _rule("easter weekend", yearly(Grain.WEEK, lambda year: days(easter(year) - 2 * DAY, 4, Grain.WEEK))),
    _rule("thanksgiving weekend", yearly(Grain.WEEK, lambda year: days(nth_weekday(year, 11, THU, 4), 4, Grain.WEEK))),
    _rule("holy week", HOLY_WEEK),
    _rule("kings day", yearly(Grain.DAY, _kings_day)),
    _rule("koningsdag", yearly(Grain.DAY, _kings_day)),
    _rule("lent", yearly(Grain.MONTH, lambda year: days(easter(year) - 46 * DAY, 46, Grain.MONTH))),
    _rule("advent", yearly(Grain.MONTH, _advent)),
)

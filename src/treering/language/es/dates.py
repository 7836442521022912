"""Which date is named in Spanish? Years, decades, months, feasts, dates, units and weekdays by their distance."""

from __future__ import annotations

from treering.language.when.grammar import GrammarRule, any_of, same
from treering.language.when.holidays import CHRISTMAS_DAYS, HOLY_WEEK, feast_rule, feasts
from treering.language.when.meaning import english, like
from treering.language.when.stretch import Recurring, every_weekend
from treering.language.when.time_context import TimeContext, nearest, shifted
from treering.language.when.window import Grain

_FIXED = {
    (12, 25): "el? dia? de? navidad",
    (12, 24): "nochebuena",
    (12, 31): "nochevieja",
    (1, 1): "año nuevo / el? dia de año nuevo",
    (1, 6): "reyes / el? dia de reyes",
    (2, 14): "san valentin",
    (6, 24): "san juan",
    (11, 1): "todos los santos",
    (11, 2): "el? dia de los? muertos",
    (10, 31): "halloween",
}
_FROM_EASTER = {
    0: "el? domingo de pascua|resurreccion / pascua",
    -2: "el? viernes santo",
    -3: "el? jueves santo",
    -7: "el? domingo de ramos",
    -46: "el? miercoles de ceniza",
}
HOLIDAY = (
    *feasts(_FIXED, _FROM_EASTER),
    feast_rule("la? semana santa", HOLY_WEEK),
    feast_rule("las? navidades", CHRISTMAS_DAYS),
)
AFTERWARDS = (
    GrammarRule("pasado|pasada", lambda _: -1),
    GrammarRule("que viene|entra", lambda _: 1),
    GrammarRule("proximo|proxima|siguiente|entrante", lambda _: 1),
)
"""What stands behind its noun: "la semana que viene"."""
YEARREF = (
    like("YEARREF", "2019", "YEAR", "2019"),
    like("YEARREF", "the year 2008", "el? año|ano YEAR", "el año 2008"),
    like("YEARREF", "last year", "el? SHIFT ONE", "el próximo año"),
    like("YEARREF", "last year", "el? ONE AFTERWARDS", "el año pasado", (1, 0)),
    like("YEARREF", "two years ago", "hace DURATION", "hace dos años"),
)
_CENTURY = english("DECADEREF", "the 17th century")
_TENS = english("DECADEREF", "the 90s")
_WHOLE = english("DECADEREF", "the 1990s")
DECADEREF = (
    GrammarRule("los|las TENSWORD", _TENS, "los ochenta"),
    GrammarRule("los años|anos TENSWORD", _TENS, "los años noventa"),
    GrammarRule("los años|anos veinte", lambda s: _TENS(s, 20), "los años veinte"),
    GrammarRule("los años|anos DIGITS", _TENS, "los años 90"),
    GrammarRule("los DIGITS", _TENS, "los 90"),
    GrammarRule("la decada del|de YEAR", _WHOLE, "la década de 1970"),
    GrammarRule("la decada de los? TENSWORD", _TENS, "la década de los setenta"),
    GrammarRule("la decada de los? DIGITS", _TENS, "la década de los 70"),
    GrammarRule("el? siglo CENTURYNUMBER", lambda s, n: _CENTURY(s, n, Grain.CENTURY), "el siglo XIX"),
)
_DATE = "the 4th of March"
MONTHDAY = (
    like("MONTHDAY", _DATE, "el? dia? DAYNUMBER de MONTH", "el 4 de marzo"),
    like("MONTHDAY", "4-Mar", "el? DAYNUMBER -|/ MONTH", "4-mar"),
    like("MONTHDAY", "March 4th", "MONTH DAYNUMBER", "marzo 4"),
    like("MONTHDAY", "19/07", "el? dia? FIGURES", "el 19/07"),
)
NAMEDDAY = MONTHDAY[:-1]
WEEKDAYDATE = (
    like("WEEKDAYDATE", "Friday, March 4", "el? WEEKDAY ,? NAMEDDAY", "el viernes 4 de marzo"),
    like("WEEKDAYDATE", "Friday 5-17", "el? WEEKDAY ,? FIGURES", "el viernes 17/5"),
    like("WEEKDAYDATE", "Friday, March 4", "este WEEKDAY ,? NAMEDDAY", "este viernes 4 de marzo"),
)
YEARLY = (
    like("YEARLY", "March", "MONTH", "marzo"),
    like("YEARLY", "the month of March", "el? mes de MONTH", "el mes de marzo"),
    like("YEARLY", "summer", "el|la? SEASON", "el verano"),
    like("YEARLY", "Christmas Eve", "HOLIDAY", "Nochebuena"),
    like("YEARLY", "Q3", "q|t DIGITS", "T3"),
    like("YEARLY", "the third quarter", "el? ORDINAL UNIT", "el tercer trimestre"),
    like("YEARLY", "the first half", "el? ORDINAL semestre", "el primer semestre"),
    like("YEARLY", "week 17", "la? semana INTEGER", "la semana 17"),
    same("MONTHDAY", "4 de marzo"),
)
_IN_YEAR = "March 2015"
DATED = (
    like("DATED", _IN_YEAR, "YEARLY YEARREF", "marzo 2015"),
    like("DATED", _IN_YEAR, "YEARLY ,|de|del|-|/ YEARREF", "marzo de 2015"),
    like("DATED", _IN_YEAR, "YEARLY ( YEARREF )", "Navidad (2015)"),
    like("DATED", "Mar 4, Fri 2022", "WEEKDAYDATE ,|de|del? YEARREF", "el viernes 4 de marzo de 2022"),
    same("WEEKDAYDATE", "el viernes 4 de marzo"),
    like("DATED", "27-Jun-81", "DAYNUMBER -|/ MONTH -|/ DIGITS", "27-jun-81"),
    like("DATED", "2021-03-04", "el? dia? FIGURES", "el 04/03/2021"),
    like("DATED", "Friday, March 4, 2022", "el? WEEKDAY ,? FULLFIGURES", "el viernes 04/03/2022"),
    same("YEARLY", "verano"),
)
FULLFIGURES = (like("DATED", "2021-03-04", "FIGURES", "04/03/2021"),)


def _shift(scene: TimeContext, steps: int, thing: Recurring) -> object:
    """ "el próximo viernes" is the nearest to come, unlike "next Friday"; "este viernes" is this week's."""
    return nearest(scene, steps, thing) if steps else shifted(scene, steps, thing)


def _shifted_back(scene: TimeContext, thing: Recurring, steps: int) -> object:
    return _shift(scene, steps, thing)


UNITREF = (
    like("UNITREF", "the past month", "el|la ultimo|ultima ONE", "el último mes"),
    like("UNITREF", "last month", "el|la? SHIFT ONE", "el próximo mes"),
    like("UNITREF", "last month", "el|la? ONE AFTERWARDS", "el mes pasado", (1, 0)),
    like("UNITREF", "the whole week", "todo|toda el|la ONE", "toda la semana"),
    like("UNITREF", "the week before last", "el|la? ONE antepasado|antepasada", "la semana antepasada"),
)
WEEKLY = (
    like("WEEKLY", "Friday", "el? dia? WEEKDAY", "el viernes"),
    GrammarRule("el? fin de semana", lambda _: every_weekend(), "el fin de semana"),
    GrammarRule("el? finde", lambda _: every_weekend(), "el finde"),
)
SHIFTABLE = any_of(WEEKLY="viernes", YEARLY="marzo")
SHIFTED = (
    GrammarRule("el|la? SHIFT SHIFTABLE", _shift, "el pasado martes"),
    GrammarRule("SHIFTABLE AFTERWARDS", _shifted_back, "el martes pasado"),
)
DAYREF = (
    like("DAYREF", "yesterday", "DAYWORD", "ayer"),
    like("DAYREF", "the day after tomorrow", "pasado mañana|manana", "pasado mañana"),
    like("DAYREF", "the day before yesterday", "antes de ayer", "antes de ayer"),
    like("DAYREF", "this day", "el dia de hoy", "el día de hoy"),
    like("DAYREF", "tomorrow, Friday", "DAYWORD ,? WEEKDAY", "mañana viernes"),
    like("DAYREF", "tomorrow, Friday", "DAYWORD , el WEEKDAY", "mañana, el viernes"),
    like("DAYREF", "the eve of Easter", "la? vispera de HOLIDAY", "la víspera de Reyes"),
)

"""Which stretch is meant in Spanish? Parts of others, distances, hours of a day, ranges and open ends."""

from __future__ import annotations

from treering.language.when.clock import Clock
from treering.language.when.grammar import GrammarRule, any_of, same
from treering.language.when.meaning import english, like
from treering.language.when.rules_clock import Hours, on_day
from treering.language.when.stretch import Open, Timed, TimeStretch, days
from treering.language.when.time_context import TimeContext, TimeDirection

NIGHT = (20, 28)
OF = "de|del|en"

COUNTED = (
    like("COUNTED", "the first week of October", f"el|la? ORDINAL UNIT {OF} CONTAINER", "la primera semana de octubre"),
    like("COUNTED", "the last week of May", f"el|la? ultimo|ultima UNIT {OF} CONTAINER", "la última semana de mayo"),
    like(
        "COUNTED",
        "the last two days of June",
        f"los|las? ultimos|ultimas HOWMANY UNIT {OF} CONTAINER",
        "los últimos dos días de junio",
    ),
    like(
        "COUNTED",
        "the last two days of June",
        f"los|las HOWMANY ultimos|ultimas UNIT {OF} CONTAINER",
        "los dos últimos días de junio",
    ),
    GrammarRule(
        f"los|las? primeros|primeras HOWMANY UNIT {OF} CONTAINER",
        lambda s, n, u, c: english("COUNTED", "the first 3 weeks of 2018")(s, 1, n, u, c),
        "las primeras tres semanas de 2018",
    ),
    like(
        "COUNTED", "the first Friday of next month", f"el? ORDINAL WEEKDAY {OF} CONTAINER", "el primer viernes de mayo"
    ),
    like("COUNTED", "the last Friday in October", f"el? ultimo WEEKDAY {OF} CONTAINER", "el último viernes de octubre"),
    like(
        "COUNTED",
        "the first weekend of May",
        f"el? ORDINAL fin de semana {OF} CONTAINER",
        "el primer fin de semana de mayo",
    ),
    like(
        "COUNTED",
        "the last weekend of May",
        f"el? ultimo fin de semana {OF} CONTAINER",
        "el último fin de semana de mayo",
    ),
    like(
        "COUNTED", "the first half of June", f"la? ORDINAL mitad|quincena {OF} CONTAINER", "la primera mitad de junio"
    ),
)
DAYNUMBERREF = (
    like("DAYNUMBERREF", "the 4th", "el dia? DAYNUMBER", "el día 4"),
    like("DAYNUMBERREF", "23 of this month", "el? dia? DAYNUMBER de|del CONTAINER", "el 4 del mes que viene"),
)
WITHIN = (
    like("WITHIN", "Tuesday of last week", "el? WEEKDAY de|del CONTAINER", "el martes de la semana pasada"),
    like("WITHIN", "Tuesday 21", "el? WEEKDAY INTEGER", "el martes 21"),
    like("WITHIN", "Friday the 13", "el? WEEKDAY ,? dia DAYNUMBER", "el viernes día 13"),
    same("DAYNUMBERREF", "el 4 del mes que viene"),
    like("WITHIN", "the week of the 21st", "la? semana del|de WEEKBASE", "la semana del 21 de mayo"),
)
WEEKBASE = (same("DATED", "4 de marzo"), like("DAYNUMBERREF", "the 4th", "DAYNUMBER", "18"), same("WEEKLY", "lunes"))
CONTAINER = (
    same("DATED", "marzo de 2015"),
    same("YEARREF", "2015"),
    same("DECADEREF", "los años noventa"),
    same("UNITREF", "el mes que viene"),
    same("SHIFTED", "el verano pasado"),
    like("UNITREF", "the week", "el|la? ONE", "mes"),
)
PARTED = (
    like("PARTED", "mid-April", "el? PART de|del CONTAINER", "finales de abril"),
    same("YEAREND", "fin de año"),
    GrammarRule("lo que queda de|del CONTAINER", english("PARTED", "rest of the week"), "lo que queda de semana"),
    GrammarRule("el resto de|del CONTAINER", english("PARTED", "rest of the week"), "el resto de la semana"),
)
YEAREND = (
    GrammarRule("el? fin de|del año|ano", english("PARTED", "year-end"), "fin de año"),
    GrammarRule("el? fin de|del mes", english("PARTED", "month-end"), "fin de mes"),
)
SIMPLE = any_of(
    DAYREF="ayer",
    DATED="marzo de 2015",
    COUNTED="la primera semana de octubre",
    WITHIN="el martes de la semana pasada",
    PARTED="finales de abril",
    UNITREF="el mes pasado",
    SHIFTED="el verano pasado",
    YEARREF="2015",
    DECADEREF="los años noventa",
    WEEKLY="el viernes",
)
NOW = (
    like("NOW", "now", "ahora", "ahora"),
    like("NOW", "now", "ahora mismo", "ahora mismo"),
    like("NOW", "currently", "actualmente", "actualmente"),
    like("NOW", "at the moment", "en este momento", "en este momento"),
)
VAGUE = (
    like("VAGUE", "recently", "recientemente|ultimamente", "últimamente"),
    like("VAGUE", "not long ago", "hace poco", "hace poco"),
    like("VAGUE", "the other day", "el otro dia", "el otro día"),
    like("VAGUE", "these days", "estos dias", "estos días"),
    like("VAGUE", "nowadays", "hoy en dia", "hoy en día"),
    like("VAGUE", "in recent years", "en los ultimos años|anos", "en los últimos años"),
)
ROLLING = (
    like("ROLLING", "these past two weeks", "los|las ultimos|ultimas DURATION", "los últimos tres meses"),
    GrammarRule(
        "los|las HOWMANY ultimos|ultimas MANY",
        lambda s, n, u: english("ROLLING", "the 10 past days")(s, n, -1, u),
        "los tres últimos meses",
    ),
    GrammarRule(
        "los|las ultimos|ultimas MANY",
        lambda s, u: english("ROLLING", "the coming weeks")(s, -1, u),
        "las últimas semanas",
    ),
    like("ROLLING", "the past 3 months", "los|las SHIFT DURATION", "los próximos dos meses"),
    like("ROLLING", "the 10 past days", "los|las HOWMANY SHIFT MANY", "los dos próximos meses"),
    like("ROLLING", "the coming weeks", "los|las SHIFT MANY", "los próximos días"),
)
ABOUT = "aproximadamente|casi|apenas|ya|como|solo|exactamente"
RELATIVE = (
    like("RELATIVE", "two weeks ago", f"hace {ABOUT}? DURATION", "hace dos semanas"),
    like("RELATIVE", "two weeks ago", "DURATION atras", "dos semanas atrás"),
    like("RELATIVE", "two weeks from now", f"dentro de {ABOUT}? DURATION", "dentro de dos semanas"),
    like("RELATIVE", "in three days", f"en {ABOUT}? DURATION", "en tres días"),
)
SIDE = (
    GrammarRule("antes de|del", lambda _: -1),
    GrammarRule("anterior a|al", lambda _: -1),
    GrammarRule("despues de|del", lambda _: 1),
    GrammarRule("siguiente|posterior a|al", lambda _: 1),
)
BESIDE = (
    like("BESIDE", "three years before 2020", "DURATION SIDE SIMPLE", "tres años antes de 2020"),
    like("BESIDE", "the day after Christmas", "el|la? UNIT SIDE SIMPLE", "el día después de Navidad"),
    like("BESIDE", "the Friday before Christmas", "el? WEEKDAY SIDE SIMPLE", "el viernes antes de Navidad"),
    like(
        "BESIDE", "the weekend before Christmas", "el? fin de semana SIDE SIMPLE", "el fin de semana antes de Navidad"
    ),
)
PERIOD = any_of(RELATIVE="hace dos semanas", BESIDE="tres años antes de 2020", SIMPLE="ayer")

_CLOCK = english("HOURS", "8:00am")
_SPAN = english("CLOCKSPAN", "from 2pm to 4pm")
_CLOCK_IN = english("HOURS", "9 in the evening")
_SPAN_IN = english("HOURS", "from 7 to 9 in the evening")
_DAYPART = english("PARTHOURS", "morning")


def _sure(scene: TimeContext, read: Clock) -> Hours:
    """ "a las 8" can be nothing but an hour."""
    hours: Hours = _CLOCK(scene, read)
    return Hours(hours.start, hours.end, hours.grain)


CLOCKSPAN = (
    GrammarRule("de|desde las|la? CLOCK a|hasta las|la? CLOCK", _SPAN, "de 9:00 a 11:00"),
    GrammarRule("entre las|la CLOCK y las|la? CLOCK", _SPAN, "entre las 9:00 y las 11:00"),
)
OCLOCK = (
    GrammarRule("las|la CLOCK", _sure, "las 8"),
    GrammarRule("las|la? CLOCK de|por la DAYPART", _CLOCK_IN, "las 8 de la tarde"),
    GrammarRule("las|la? CLOCK del mediodia", lambda s, c: _CLOCK_IN(s, c, (12, 15)), "las 12 del mediodía"),
)
HOURS = (
    GrammarRule("a|sobre|hacia? OCLOCK", lambda _, hours: hours, "a las 8"),
    GrammarRule("por|en|de|a la DAYPART", _DAYPART, "por la mañana"),
    GrammarRule("de madrugada", lambda s: _DAYPART(s, (0, 6)), "de madrugada"),
    GrammarRule("de noche", lambda s: _DAYPART(s, NIGHT), "de noche"),
    GrammarRule("al|a CLOCK", lambda s, c: _CLOCK(s, c) if c.named else None, "al mediodía"),
    GrammarRule("CLOCK", _CLOCK, "17:00"),
    same("CLOCKSPAN", "de 9:00 a 11:00"),
    GrammarRule("CLOCKSPAN de la DAYPART", _SPAN_IN, "de 7:00 a 9:00 de la tarde"),
    GrammarRule("por|de la DAYPART ,? a OCLOCK", lambda _s, _p, hours: hours, "por la mañana a las 8"),
)
_JOIN = english("MOMENT", "yesterday evening")
TONIGHT = (
    GrammarRule("anoche", lambda s: english("TONIGHT", "last night")(s, NIGHT), "anoche"),
    GrammarRule("anteanoche|antenoche", lambda s: english("MOMENT", "the night before last")(s, NIGHT), "anteanoche"),
    GrammarRule(
        "esta DAYPART", lambda s, part: english("TONIGHT", "this morning")(s, _DAYPART(s, part)), "esta mañana"
    ),
)
MOMENT = (
    like("MOMENT", "yesterday evening", "PERIOD ,? HOURS", "ayer por la tarde"),
    like("MOMENT", "Monday from 3 to 8", "PERIOD ,? CLOCKSPAN", "el lunes de 3 a 8"),
    like("MOMENT", "2021-03-04T10:00Z", "PERIOD t CLOCK z?", "2021-03-04T10:00Z"),
    like("MOMENT", "8am tomorrow", "HOURS ,|de|del? PERIOD", "a las 8 de la tarde mañana"),
    GrammarRule("la DAYPART de|del PERIOD", lambda s, part, p: _JOIN(s, p, _DAYPART(s, part)), "la noche del viernes"),
    same("TONIGHT", "anoche"),
    like("MOMENT", "tonight from 8 to 9:15", "TONIGHT ,? HOURS", "esta noche a las 9"),
)
TIMED = any_of(PERIOD="ayer", MOMENT="ayer por la tarde")


def _today(scene: TimeContext, hours: Hours) -> TimeStretch:
    return on_day(days(scene.today, 1), hours)


BARECLOCK = (
    GrammarRule("a|sobre|hacia las|la CLOCK", english("BARECLOCK", "at 5:30"), "a las 10:30"),
    GrammarRule(
        "a|sobre|hacia las|la CLOCK de la DAYPART", lambda s, c, p: _today(s, _CLOCK_IN(s, c, p)), "a las 8 de la tarde"
    ),
    GrammarRule("CLOCKSPAN", english("BARECLOCK", "from 2pm to 4pm"), "de 9:00 a 11:00"),
)
_RANGE = english("RANGE", "March to May")
ENDPOINT = any_of(TIMED="el 4 de marzo", NOW="ahora", BARECLOCK="a las 10:30")
RANGE = (
    GrammarRule("de|del|desde ENDPOINT a|al|hasta|- ENDPOINT", _RANGE, "de marzo a mayo"),
    GrammarRule("entre ENDPOINT y ENDPOINT", _RANGE, "entre mayo y julio"),
    GrammarRule(
        "del|desde|el|de? el? DAYNUMBER al|hasta|- el? MONTHDATE",
        english("RANGE", "from 3 to 7 June"),
        "del 3 al 7 de junio",
    ),
    GrammarRule(
        "entre el? DAYNUMBER y el? MONTHDATE", english("RANGE", "from 3 to 7 June"), "entre el 3 y el 7 de junio"
    ),
    GrammarRule("entre ENDPOINT y|e hoy", lambda s, t: _RANGE(s, t, days(s.today, 1)), "entre 2015 y hoy"),
)
MONTHDATE = (
    same("MONTHDAY", "7 de junio"),
    like("DATED", "March 2015", "MONTHDAY de|del|,? YEARREF", "7 de junio de 2020"),
    same("DAYNUMBERREF", "el 7 de este mes"),
)


def _before(scene: TimeContext, thing: Timed) -> Open | None:
    """A deadline lies ahead unless the sentence looks back: "acabo antes del verano"."""
    if scene.direction is TimeDirection.PRESENT:
        scene = TimeContext(scene.now, TimeDirection.FUTURE)
    found: Open | None = english("OPENEND", "before 2020")(scene, thing)
    return found


OPENEND = (
    GrammarRule("antes de|del ENDPOINT", _before, "antes de 2020"),
    like("OPENEND", "until Friday", "hasta ENDPOINT", "hasta el viernes"),
    like("OPENEND", "after last Christmas", "despues de|del ENDPOINT", "después de 2020"),
    like("OPENEND", "after last Christmas", "tras ENDPOINT", "tras el verano"),
    like("OPENEND", "since Monday", "desde ENDPOINT", "desde el lunes"),
    like("OPENEND", "from March onwards", "a partir de|del ENDPOINT", "a partir de marzo"),
    like("OPENEND", "from March onwards", "desde|de|del ENDPOINT en adelante", "de marzo en adelante"),
    like("OPENEND", "from now on", "de ahora en adelante", "de ahora en adelante"),
    like("OPENEND", "more than two weeks ago", "hace mas de DURATION", "hace más de dos semanas"),
    like("OPENEND", "less than two weeks ago", "hace menos de DURATION", "hace menos de dos semanas"),
)
TIME = any_of(
    TIMED="ayer por la tarde",
    ROLLING="los últimos tres meses",
    RANGE="de marzo a mayo",
    OPENEND="antes de 2020",
    VAGUE="últimamente",
    NOW="ahora",
    BARECLOCK="a las 10:30",
)

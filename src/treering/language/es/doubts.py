"""Is it time at all, in Spanish? Checks of a match against its neighbours, few and plain.

"Cada lunes", "los lunes" and "de lunes a viernes" are habits and no dates; a number of four digits is a year only where
a word leads to it; "Abril" within a sentence is somebody's name; "la mañana" is not tomorrow.
"""

from __future__ import annotations

from treering.language.listed import listed
from treering.language.when.doubting import STOPS, Doubts, MatchPlace

_LEADS = listed(
    "en de del desde hasta entre y a al para antes despues durante tras año ano pasado este e o ( , sobre hacia por"
)
_HABIT = listed("cada todos todas los las cualquier ningun algun")
_EACH = listed("cada todos todas")
_ROW = frozenset(("DIGITS", "CARDINAL", "ORDINALWORD", "DAYNAME", "UNIT"))
_ARTICLES = listed("el la los las")
_NOT_TOMORROW = listed("la una las esta toda cada media de")
_OPENERS = listed("el la en a de para por desde ( ¿ ¡") | frozenset("\"'")
_GOES_ON = listed("a con en y o para que si me nos te se lo es fue hay voy")
_NUMBERS = frozenset(("DIGITS", "CARDINAL", "ORDINALWORD"))
_SHORT_MONTHS = listed("ene feb mar abr jun jul ago sep oct nov dic")
_COUNTED = listed(
    "personas euros pesos dolares veces kilometros km metros palabras libros paginas puntos habitantes alumnos euro "
    "ml kg"
)


def _habit(place: MatchPlace) -> bool:
    """ "cada lunes", "todos los veranos", "los lunes", "cada primer viernes del mes"."""
    if _each_before(place):
        return True
    days = [token for token in place.words if "DAYNAME" in token.classes]
    return len(days) == 2 and not any(token.text in ("el", "del", "al") for token in place.words)


def _each_before(place: MatchPlace) -> bool:
    """Whether it is a piece of what comes round: "cada 3 de mayo" holds a "mayo" that is no month of one year."""
    i = place.start - 1
    while i >= 0 and (place.tokens[i].text in ("de", "del") or _ROW & place.tokens[i].classes.keys()):
        i -= 1
    counted = i < place.start - 1
    return i >= 0 and place.tokens[i].text in (_EACH if counted else _HABIT)


def _one_of_a_row(place: MatchPlace) -> bool:
    """ "de lunes a viernes", "lunes y jueves": bare weekdays beside one another are habits."""
    if "DAYNAME" not in place.words[-1].classes or len(place.words) > 1:
        return False
    if place.before in ("de", "a", "y", "o", ",") and place.before_that in _WEEKDAY_WORDS:
        return True
    following = place.tokens[place.end + 1].text if place.end + 1 < len(place.tokens) else ""
    return place.after in ("a", "y", "o") and following in _WEEKDAY_WORDS


_WEEKDAY_WORDS = listed("lunes martes miercoles jueves viernes sabado domingo sabados domingos")


def _bare_year(place: MatchPlace) -> bool:
    """ "1984 libros", "la sala 2014"."""
    words = place.bare
    if len(words) != 1 or "DIGITS" not in words[0].classes:
        return False
    if len(words[0].text) < 3:
        return place.first.text not in _ARTICLES
    return place.before not in _LEADS or place.after in _COUNTED


def _spelt_number(place: MatchPlace) -> bool:
    """ "dos mil personas", "los ochenta alumnos"."""
    if not all({"CARDINAL", "TENSWORD", "HUNDREDS"} & t.classes.keys() or t.text in ("mil", "y") for t in place.bare):
        return False
    return place.before not in _LEADS or place.after in _COUNTED


def _somebody(place: MatchPlace) -> bool:
    """ "se llama Abril", "Julio vino": months are written small, but at the beginning of a sentence."""
    words = place.bare
    if len(words) != 1 or "MONTHNAME" not in words[0].classes or not words[0].capitalised:
        return False
    return place.start > 0 and place.before not in _LEADS and place.before not in ".!?\u00bf\u00a1"


def _short_month(place: MatchPlace) -> bool:
    """ "el mar" is the sea; "mar" and its like are months only beside a number."""
    words = place.bare
    return len(words) == 1 and words[0].text in _SHORT_MONTHS


def _the_morning(place: MatchPlace) -> bool:
    """ "la mañana", "esta mañana" (which is read as a whole), "de la mañana"."""
    return place.first.text in ("mañana", "manana") and place.before in _NOT_TOMORROW


def _day_number(place: MatchPlace) -> bool:
    """ "el 4" is a day where the sentence ends or goes on without a noun; "el 4 por ciento", "el 5 veces" are none."""
    words = place.bare
    if len(words) != 1 or place.first.text != "el" or not _NUMBERS & words[0].classes.keys():
        return False
    return bool(place.after) and place.after not in STOPS | _GOES_ON


DOUBTS = Doubts(
    openers=_OPENERS,
    articles=_ARTICLES,
    most_openers=3,
    checks=(
        _habit, _one_of_a_row, _bare_year, _spelt_number, _somebody, _short_month, _the_morning, _day_number,
    ),
)  # fmt: skip

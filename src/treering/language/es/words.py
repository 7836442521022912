"""Which Spanish words speak of time? One table from a word to the classes it may stand for, as English has it.

Vowels are looked up without their accents, since many write none ("sabado"); tenses, which hang on them, look at the
word as it is written. Whether "mañana" is tomorrow or the morning is for the patterns to say.
"""

from __future__ import annotations

from functools import lru_cache

from treering.language.when.tokens import TimeToken, read_digits, tokenise
from treering.language.when.window import Grain
from treering.language.when.words import Classes, Groups, Singles, entered

MONTHS = (
    ("enero", "ene"), ("febrero", "feb"), ("marzo", "mar"), ("abril", "abr"), ("mayo",), ("junio", "jun"),
    ("julio", "jul"), ("agosto", "ago"), ("septiembre", "setiembre", "sept", "sep"), ("octubre", "oct"),
    ("noviembre", "nov"), ("diciembre", "dic"),
)  # fmt: skip
WEEKDAYS = ("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo")
SEASONS = {"primavera": 3, "verano": 6, "otoño": 9, "invierno": 12}
"""Northern, as in English."""
UNITS = {
    Grain.SECOND: ("segundo", "segundos"),
    Grain.MINUTE: ("minuto", "minutos", "min"),
    Grain.HOUR: ("hora", "horas", "h"),
    Grain.DAY: ("dia", "dias"),
    Grain.WEEK: ("semana", "semanas"),
    Grain.MONTH: ("mes", "meses"),
    Grain.QUARTER: ("trimestre", "trimestres"),
    Grain.YEAR: ("año", "años", "ano", "anos"),
    Grain.DECADE: ("decada", "decadas"),
    Grain.CENTURY: ("siglo", "siglos"),
}
SHIFTS = {
    -1: ("pasado", "pasada", "pasados", "pasadas"),
    0: ("este", "esta", "presente"),
    1: ("proximo", "proxima", "proximos", "proximas"),
}
DAYS = {
    0: ("hoy",),
    -1: ("ayer",),
    -2: ("anteayer", "antier", "antiayer"),
    1: ("mañana", "manana"),
}
DAY_PARTS = {
    "madrugada": (0, 6),
    "mañana": (5, 12),
    "manana": (5, 12),
    "mediodia": (12, 14),
    "tarde": (12, 20),
    "noche": (20, 28),
}
"""The hours from and to. "Tarde" is the afternoon and the evening until dark."""
PART_WORDS = {
    "principios": "start", "principio": "start", "comienzos": "start", "comienzo": "start", "inicios": "start",
    "inicio": "start", "mediados": "mid", "finales": "end", "final": "end", "fines": "end",
}  # fmt: skip
CARDINALS = {
    "cero": 0, "un": 1, "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7,
    "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15,
    "dieciseis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiuno": 21,
    "veintiun": 21, "veintidos": 22, "veintitres": 23, "veinticuatro": 24, "veinticinco": 25, "veintiseis": 26,
    "veintisiete": 27, "veintiocho": 28, "veintinueve": 29,
}  # fmt: skip
TENS = {
    "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90,
}  # fmt: skip
HUNDREDS = {
    "cien": 100, "ciento": 100, "doscientos": 200, "trescientos": 300, "cuatrocientos": 400, "quinientos": 500,
    "seiscientos": 600, "setecientos": 700, "ochocientos": 800, "novecientos": 900,
}  # fmt: skip
ORDINALS = {
    "primer": 1, "primero": 1, "primera": 1, "segundo": 2, "segunda": 2, "tercer": 3, "tercero": 3, "tercera": 3,
    "cuarto": 4, "cuarta": 4, "quinto": 5, "quinta": 5, "sexto": 6, "sexta": 6, "septimo": 7, "septima": 7,
    "octavo": 8, "octava": 8, "noveno": 9, "novena": 9, "decimo": 10, "decima": 10,
}  # fmt: skip
VAGUE_COUNTS = {
    "par": 2,
    "unos": 3,
    "unas": 3,
    "algunos": 3,
    "algunas": 3,
    "pocos": 3,
    "pocas": 3,
    "varios": 4,
    "varias": 4,
}
MARKS = str.maketrans("áéíóúü", "aeiouu")


def _lexicon() -> dict[str, Classes]:
    table: dict[str, Classes] = {}

    def put(word: str, kind: str, value: object) -> None:
        table.setdefault(word, {})[kind] = value

    for number, names in enumerate(MONTHS, 1):
        for name in names:
            put(name, "MONTHNAME", number)
    for number, name in enumerate(WEEKDAYS):
        put(name, "DAYNAME", number)
    for grain, names in UNITS.items():
        for name in names:
            put(name, "MANY" if name.endswith("s") and name != "mes" else "ONE", grain)
    grouped: Groups = (
        (UNITS, "UNIT"),
        (SHIFTS, "SHIFT"),
        (DAYS, "DAYWORD"),
    )
    singles: Singles = (
        (SEASONS, "SEASON"),
        (DAY_PARTS, "DAYPART"),
        (PART_WORDS, "PART"),
        (CARDINALS, "CARDINAL"),
        (TENS, "TENSWORD"),
        (HUNDREDS, "HUNDREDS"),
        (ORDINALS, "ORDINALWORD"),
    )
    return entered(table, grouped, singles)


LEXICON = _lexicon()
_NONE: Classes = {}


@lru_cache(maxsize=4096)
def _look_up(raw: str) -> tuple[str, Classes, frozenset[str]]:
    if raw[0].isdigit():
        word, classes = read_digits(raw)
    else:
        word = raw.lower().translate(MARKS)
        classes = LEXICON.get(word, _NONE)
    return word, classes, frozenset((word, *classes))


def pieces(text: str) -> list[TimeToken]:
    return tokenise(text, _look_up)

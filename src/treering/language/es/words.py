"""Which Spanish words speak of time? One table from a word to the classes it may stand for, as English has it.

Vowels are looked up without their accents, since many write none ("sabado"); tenses, which hang on them, look at the
word as it is written. Whether "mañana" is tomorrow or the morning is for the patterns to say.
"""

from __future__ import annotations

from treering.language.when.lexicon import by_word, lexicon, numbered, units
from treering.language.when.tokens import tokeniser
from treering.language.when.window import Grain

MONTHS = (
    "enero|ene febrero|feb marzo|mar abril|abr mayo junio|jun julio|jul agosto|ago septiembre|setiembre|sept|sep "
    "octubre|oct noviembre|nov diciembre|dic"
)
WEEKDAYS = "lunes martes miercoles jueves viernes sabado domingo"
SEASONS = {3: "primavera", 6: "verano", 9: "otoño", 12: "invierno"}
"""Northern, as in English."""
ONE = {
    Grain.SECOND: "segundo", Grain.MINUTE: "minuto min", Grain.HOUR: "hora h", Grain.DAY: "dia", Grain.WEEK: "semana",
    Grain.MONTH: "mes", Grain.QUARTER: "trimestre", Grain.YEAR: "año ano", Grain.DECADE: "decada",
    Grain.CENTURY: "siglo",
}  # fmt: skip
MANY = {
    Grain.SECOND: "segundos", Grain.MINUTE: "minutos", Grain.HOUR: "horas", Grain.DAY: "dias", Grain.WEEK: "semanas",
    Grain.MONTH: "meses", Grain.QUARTER: "trimestres", Grain.YEAR: "años anos", Grain.DECADE: "decadas",
    Grain.CENTURY: "siglos",
}  # fmt: skip
SHIFTS = {
    -1: "pasado pasada pasados pasadas",
    0: "este esta presente",
    1: "proximo proxima proximos proximas",
}
DAYS = {0: "hoy", -1: "ayer", -2: "anteayer antier antiayer", 1: "mañana manana"}
DAY_PARTS = {
    (0, 6): "madrugada",
    (5, 12): "mañana manana",
    (12, 14): "mediodia",
    (12, 20): "tarde",
    (20, 28): "noche",
}
"""The hours from and to. "Tarde" is the afternoon and the evening until dark."""
PART_WORDS = {
    "start": "principios principio comienzos comienzo inicios inicio",
    "mid": "mediados",
    "end": "finales final fines",
}
CARDINALS = (
    "cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
    "diecisiete dieciocho diecinueve veinte veintiuno|veintiun veintidos veintitres veinticuatro veinticinco "
    "veintiseis veintisiete veintiocho veintinueve"
)
HUNDREDS = "cien|ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
ORDINALS = (
    "primer|primero|primera segundo|segunda tercer|tercero|tercera cuarto|cuarta quinto|quinta sexto|sexta "
    "septimo|septima octavo|octava noveno|novena decimo|decima"
)
VAGUE_COUNTS = by_word({2: "par", 3: "unos unas algunos algunas pocos pocas", 4: "varios varias"})

LEXICON = lexicon(
    {
        "MONTHNAME": numbered(MONTHS, 1),
        "DAYNAME": numbered(WEEKDAYS),
        **units(ONE, MANY),
        "SHIFT": SHIFTS,
        "DAYWORD": DAYS,
        "SEASON": SEASONS,
        "DAYPART": DAY_PARTS,
        "PART": PART_WORDS,
        "CARDINAL": numbered(CARDINALS),
        "TENSWORD": numbered("treinta cuarenta cincuenta sesenta setenta ochenta noventa", 30, 10),
        "HUNDREDS": numbered(HUNDREDS, 100, 100),
        "ORDINALWORD": numbered(ORDINALS, 1),
    }
)
tokenise = tokeniser(LEXICON, marks="áéíóúü", plain="aeiouu")

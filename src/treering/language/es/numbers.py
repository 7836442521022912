"""Which number do Spanish words say? Counts, ordinals, days of the month, years, centuries, durations and hours.

Each reader takes the tokens and a position and gives every way to read on from there, as (next position, value).
"""

from __future__ import annotations

from treering.language.es.words import VAGUE_COUNTS
from treering.language.when.clock import Clock
from treering.language.when.clock import clock as in_figures
from treering.language.when.durations import HALVES, Duration, added_up
from treering.language.when.readers import number_at, text_at, texts_at, unit_named
from treering.language.when.tokens import TimeToken
from treering.language.when.window import Grain

Reading = list[tuple[int, int]]
ROMAN_CENTURIES = (
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii",
    "xviii", "xix", "xx", "xxi", "xxii",
)  # fmt: skip


def _small(tokens: list[TimeToken], i: int) -> tuple[int, int] | None:
    """Below a hundred: "siete", "veintiuno", "treinta y cinco"."""
    ones = number_at(tokens, i, "CARDINAL")
    if ones is not None:
        return i + 1, ones
    tens = number_at(tokens, i, "TENSWORD")
    if tens is None:
        return None
    more = number_at(tokens, i + 2, "CARDINAL") if text_at(tokens, i + 1) == "y" else None
    return (i + 3, tens + more) if more is not None and 1 <= more <= 9 else (i + 1, tens)


def _spelt(tokens: list[TimeToken], i: int) -> tuple[int, int] | None:
    """ "doscientos", "mil novecientos ochenta y seis", "dos mil cinco"."""
    end, total = i, 0
    lead = _small(tokens, i)
    if text_at(tokens, i) == "mil":
        end, total = i + 1, 1000
    elif lead is not None and text_at(tokens, lead[0]) == "mil":
        end, total = lead[0] + 1, lead[1] * 1000
    hundreds = number_at(tokens, end, "HUNDREDS")
    if hundreds is not None:
        end, total = end + 1, total + hundreds
    rest = _small(tokens, end)
    if rest is not None:
        end, total = rest[0], total + rest[1]
    return (end, total) if end > i else None


def integer(tokens: list[TimeToken], i: int) -> Reading:
    digits = number_at(tokens, i, "DIGITS")
    if digits is not None:
        return [(i + 1, digits)] if len(tokens[i].text) <= 4 else []
    spelt = _spelt(tokens, i)
    return [spelt] if spelt else []


def count(tokens: list[TimeToken], i: int) -> Reading:
    """How many: "tres", "un", "un par de", "unos", "unos pocos", "varias"."""
    j = i + (text_at(tokens, i) in ("un", "unos", "unas") and text_at(tokens, i + 1) in VAGUE_COUNTS)
    vague = VAGUE_COUNTS.get(text_at(tokens, j))
    if vague is not None:
        exact = integer(tokens, j + 1) if j + 1 < len(tokens) else []  # "unos tres meses"
        of = text_at(tokens, j + 1) == "de"
        return [*exact, (j + 1 + of, vague)]
    return [(end, value) for end, value in integer(tokens, i) if value <= 2000]


def ordinal(tokens: list[TimeToken], i: int) -> Reading:
    """ "primer", "segunda", "3º", "3.º"."""
    word = number_at(tokens, i, "ORDINALWORD")
    if word is not None:
        return [(i + 1, word)]
    digits = number_at(tokens, i, "DIGITS")
    j = i + 1 + (text_at(tokens, i + 1) == ".")
    marked = text_at(tokens, j) in ("º", "ª", "°", "er", "ro", "ra") and tokens[j].glued
    return [(j + 1, digits)] if digits is not None and marked else []


def month_day(tokens: list[TimeToken], i: int) -> Reading:
    """ "3", "tres", "primero", "1º"; the first is the only day that is counted off."""
    if len(tokens[i].text) > 2 and "DIGITS" in tokens[i].classes:
        return []
    firsts = [(end, value) for end, value in ordinal(tokens, i) if value == 1 or end > i + 1]
    return firsts + [(end, value) for end, value in integer(tokens, i) if 1 <= value <= 31]


def year(tokens: list[TimeToken], i: int) -> Reading:
    return [
        (end, value)
        for end, value in integer(tokens, i)
        if 1000 <= value <= 2199 or (value >= 1000 and "DIGITS" in tokens[i].classes)
    ]


def century(tokens: list[TimeToken], i: int) -> Reading:
    """ "XIX", "xxi", "19", "diecinueve"."""
    if tokens[i].text in ROMAN_CENTURIES:
        return [(i + 1, ROMAN_CENTURIES.index(tokens[i].text) + 1)]
    return integer(tokens, i)


def duration(tokens: list[TimeToken], i: int) -> list[tuple[int, Duration]]:
    """ "dos semanas", "media hora", "un año y medio", "tres meses y dos semanas", "un cuarto de hora"."""
    return added_up(tokens, i, _length, _and_a_half, "y")


def _length(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    grain = unit_named(tokens, i + 1) if text_at(tokens, i) in ("medio", "media") else None
    if grain in HALVES:
        return i + 2, (HALVES[grain],)
    if texts_at(tokens, i, "un", "cuarto", "de", "hora"):
        return i + 4, ((15, Grain.MINUTE),)
    counted = ((end, number, unit_named(tokens, end)) for end, number in count(tokens, i))
    return next(((end + 1, ((number, unit),)) for end, number, unit in counted if unit), None)


def _and_a_half(tokens: list[TimeToken], i: int) -> int | None:
    return i + 2 if text_at(tokens, i) == "y" and text_at(tokens, i + 1) in ("medio", "media") else None


def clock(tokens: list[TimeToken], i: int) -> list[tuple[int, Clock]]:
    """ "10:30", "8 pm", "17 h", "siete y media", "ocho menos cuarto", "mediodía"; what leads to it is the patterns'."""
    if tokens[i].text == "mediodia":
        return [(i + 1, Clock(12 * 60, 60, True, 1, named=True))]
    if tokens[i].text == "medianoche":
        return [(i + 1, Clock(0, 60, True, 0, named=True))]
    found = in_figures(tokens, i) if "DIGITS" in tokens[i].classes else []
    if found and found[0][0] > i + 1:
        return [(end + (text_at(tokens, end) in ("h", "hs", "hrs", "horas")), read) for end, read in found]
    for end, hour in integer(tokens, i):
        if hour > 24:
            continue
        minute = _minutes(tokens, end)
        if minute is not None:
            found.insert(0, (minute[0], Clock((hour * 60 + minute[1]) % (24 * 60), 1, True)))
        elif text_at(tokens, end) in ("h", "horas") and hour != 1:
            found.append((end + 1, Clock(hour % 24 * 60, 60, True)))
        if not any(known == end for known, _ in found):
            found.append((end, Clock(hour % 24 * 60, 60, False)))
    return sorted(found, key=lambda read: -read[0])


def _minutes(tokens: list[TimeToken], i: int) -> tuple[int, int] | None:
    """ "y media", "y cuarto", "menos veinte"."""
    sign = {"y": 1, "menos": -1}.get(text_at(tokens, i))
    if sign is None or i + 1 >= len(tokens):
        return None
    named = {"media": 30, "cuarto": 15}.get(tokens[i + 1].text)
    if named is not None:
        return i + 2, sign * named
    return next(((end, sign * value) for end, value in integer(tokens, i + 1) if 1 <= value < 60), None)

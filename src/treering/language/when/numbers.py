"""Which number do these words say? Counts, ordinals, days of the month and years, in digits or spelt out.

Each reader takes the tokens and a position and gives every way to read on from there, as (next position, value).
"""

from __future__ import annotations

from treering.language.when.readers import number_at, text_at
from treering.language.when.tokens import TimeToken
from treering.language.when.words import VAGUE_COUNTS

Reading = list[tuple[int, int]]


def _small(tokens: list[TimeToken], i: int) -> Reading:
    """Spelt out below a hundred: "seven", "nineteen", "thirty-five", "thirty five"."""
    ones, tens = number_at(tokens, i, "CARDINAL"), number_at(tokens, i, "TENSWORD")
    if ones is not None:
        return [(i + 1, ones)]
    return [] if tens is None else [*_tens_and(tokens, i, tens, "CARDINAL"), (i + 1, tens)]


def _tens_and(tokens: list[TimeToken], i: int, tens: int, kind: str) -> Reading:
    """What "thirty" goes on to: "thirty-five", "thirty fifth"."""
    j = _past_hyphen(tokens, i + 1)
    more = number_at(tokens, j, kind)
    return [(j + 1, tens + more)] if more and more <= 9 else []


def _past_hyphen(tokens: list[TimeToken], i: int) -> int:
    return i + 1 if i < len(tokens) and tokens[i].text == "-" and tokens[i].glued else i


def integer(tokens: list[TimeToken], i: int) -> Reading:
    """A number of up to four digits, or spelt out: "12", "seven", "two hundred and five", "two thousand"."""
    digits = number_at(tokens, i, "DIGITS")
    if digits is not None:
        return [(i + 1, digits)] if len(tokens[i].text) <= 4 else []
    small = _small(tokens, i)
    return _large(tokens, small) + small


def _large(tokens: list[TimeToken], small: Reading) -> Reading:
    found: Reading = []
    for end, value in small:
        if text_at(tokens, end) not in ("hundred", "thousand"):
            continue
        scale = 100 if tokens[end].text == "hundred" else 1000
        if scale == 1000 or value > 0:
            found += _tail(tokens, end + 1, value * scale)
    return found


def _tail(tokens: list[TimeToken], i: int, so_far: int) -> Reading:
    """What may follow "two thousand": "five", "and five", "seven hundred and eighty nine"."""
    j = i + 1 if text_at(tokens, i) == "and" else i
    rest = _small(tokens, j)
    found = [(end, so_far + value) for end, value in rest]
    for end, value in rest:
        if so_far >= 1000 and value < 10 and text_at(tokens, end) == "hundred":
            found = _tail(tokens, end + 1, so_far + value * 100) + found
    return [*found, (i, so_far)]


def count(tokens: list[TimeToken], i: int) -> Reading:
    """How many: an integer, "a", "an", "half a dozen", "a couple of", "a few", "several"."""
    token = tokens[i]
    if token.text in ("a", "an"):
        return [*_vague(tokens, i + 1), (i + 1, 1)]
    if token.text in VAGUE_COUNTS:
        return _vague(tokens, i)
    if token.text == "dozen":
        return [(i + 1, 12)]
    return [(end, value) for end, value in integer(tokens, i) if value <= 2000]


def _vague(tokens: list[TimeToken], i: int) -> Reading:
    if text_at(tokens, i) not in VAGUE_COUNTS:
        return [(i + 1, 12)] if text_at(tokens, i) == "dozen" else []
    value = VAGUE_COUNTS[tokens[i].text]
    found = [(i + 1, value)]
    if text_at(tokens, i + 1) == "of":
        found.insert(0, (i + 2, value))
        if text_at(tokens, i + 2) == "the":
            found.insert(0, (i + 3, value))
    return found


def ordinal(tokens: list[TimeToken], i: int) -> Reading:
    """A place in a row: "3rd", "third", "twenty-first", "thirty first"."""
    for kind in ("DIGITORDINAL", "ORDINALWORD"):
        value = number_at(tokens, i, kind)
        if value is not None:
            return [(i + 1, value)]
    tens = number_at(tokens, i, "TENSWORD")
    return [] if tens is None else _tens_and(tokens, i, tens, "ORDINALWORD")


def month_day(tokens: list[TimeToken], i: int) -> Reading:
    """A day of the month, as number or ordinal: "4", "04", "4th", "fourth", "twenty five"."""
    if "DIGITS" in tokens[i].classes and len(tokens[i].text) > 2:
        return []
    return [(end, value) for end, value in ordinal(tokens, i) + integer(tokens, i) if 1 <= value <= 31]


def year(tokens: list[TimeToken], i: int) -> Reading:
    """A year of four digits, or spelt out: "2021", "nineteen eighty six", "two thousand and five"."""
    digits = number_at(tokens, i, "DIGITS")
    if digits is not None:
        return [(i + 1, digits)] if len(tokens[i].text) == 4 and digits >= 1000 else []
    found = [(end, value) for end, value in _large(tokens, _small(tokens, i)) if 1000 <= value <= 2199]
    return found + _paired_year(tokens, i)


def _paired_year(tokens: list[TimeToken], i: int) -> Reading:
    """Two halves: "nineteen eighty six", "twenty twenty", "twenty oh five", "nineteen hundred"."""
    found: Reading = []
    for end, century in _small(tokens, i):
        if not 10 <= century <= 21:
            continue
        if text_at(tokens, end) in ("oh", "o"):
            low = number_at(tokens, end + 1, "CARDINAL")
            found += [(end + 2, century * 100 + low)] if low and low <= 9 else []
        found += [(after, century * 100 + low) for after, low in _small(tokens, end) if low >= 10]
    return found

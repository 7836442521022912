"""Which number do these words say? Counts, ordinals, days of the month and years, in digits or spelt out.

Each reader takes the tokens and a position and gives every way to read on from there, as (next position, value).
"""

from __future__ import annotations

from treering.language.when.tokens import TimeToken
from treering.language.when.words import VAGUE_COUNTS

Reading = list[tuple[int, int]]


def _small(tokens: list[TimeToken], i: int) -> Reading:
    """Spelt out below a hundred: "seven", "nineteen", "thirty-five", "thirty five"."""
    if i >= len(tokens):
        return []
    classes = tokens[i].classes
    if "CARDINAL" in classes:
        return [(i + 1, _number(classes["CARDINAL"]))]
    if "TENSWORD" not in classes:
        return []
    tens = _number(classes["TENSWORD"])
    found = [(i + 1, tens)]
    j = _past_hyphen(tokens, i + 1)
    if j < len(tokens) and 1 <= _number(tokens[j].classes.get("CARDINAL", 0)) <= 9:
        found.insert(0, (j + 1, tens + _number(tokens[j].classes["CARDINAL"])))
    return found


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _past_hyphen(tokens: list[TimeToken], i: int) -> int:
    return i + 1 if i < len(tokens) and tokens[i].text == "-" and tokens[i].glued else i


def _word_at(tokens: list[TimeToken], i: int, *words: str) -> bool:
    return i < len(tokens) and tokens[i].text in words


def integer(tokens: list[TimeToken], i: int) -> Reading:
    """A number of up to four digits, or spelt out: "12", "seven", "two hundred and five", "two thousand"."""
    if "DIGITS" in tokens[i].classes:
        return [(i + 1, _number(tokens[i].classes["DIGITS"]))] if len(tokens[i].text) <= 4 else []
    small = _small(tokens, i)
    return _large(tokens, small) + small


def _large(tokens: list[TimeToken], small: Reading) -> Reading:
    found: Reading = []
    for end, value in small:
        if not _word_at(tokens, end, "hundred", "thousand"):
            continue
        scale = 100 if tokens[end].text == "hundred" else 1000
        if scale == 1000 or value > 0:
            found += _tail(tokens, end + 1, value * scale)
    return found


def _tail(tokens: list[TimeToken], i: int, so_far: int) -> Reading:
    """What may follow "two thousand": "five", "and five", "seven hundred and eighty nine"."""
    j = i + 1 if _word_at(tokens, i, "and") else i
    rest = _small(tokens, j)
    found = [(end, so_far + value) for end, value in rest]
    for end, value in rest:
        if so_far >= 1000 and value < 10 and _word_at(tokens, end, "hundred"):
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
    if not _word_at(tokens, i, *VAGUE_COUNTS):
        return [(i + 1, 12)] if _word_at(tokens, i, "dozen") else []
    value = VAGUE_COUNTS[tokens[i].text]
    found = [(i + 1, value)]
    if _word_at(tokens, i + 1, "of"):
        found.insert(0, (i + 2, value))
        if _word_at(tokens, i + 2, "the"):
            found.insert(0, (i + 3, value))
    return found


def ordinal(tokens: list[TimeToken], i: int) -> Reading:
    """A place in a row: "3rd", "third", "twenty-first", "thirty first"."""
    classes = tokens[i].classes
    if "DIGITORDINAL" in classes:
        return [(i + 1, _number(classes["DIGITORDINAL"]))]
    if "ORDINALWORD" in classes:
        return [(i + 1, _number(classes["ORDINALWORD"]))]
    if "TENSWORD" in classes:
        j = _past_hyphen(tokens, i + 1)
        if j < len(tokens) and 1 <= _number(tokens[j].classes.get("ORDINALWORD", 0)) <= 9:
            return [(j + 1, _number(classes["TENSWORD"]) + _number(tokens[j].classes["ORDINALWORD"]))]
    return []


def month_day(tokens: list[TimeToken], i: int) -> Reading:
    """A day of the month, as number or ordinal: "4", "04", "4th", "fourth", "twenty five"."""
    if "DIGITS" in tokens[i].classes and len(tokens[i].text) > 2:
        return []
    return [(end, value) for end, value in ordinal(tokens, i) + integer(tokens, i) if 1 <= value <= 31]


def year(tokens: list[TimeToken], i: int) -> Reading:
    """A year of four digits, or spelt out: "2021", "nineteen eighty six", "two thousand and five"."""
    token = tokens[i]
    if "DIGITS" in token.classes:
        value = _number(token.classes["DIGITS"])
        return [(i + 1, value)] if len(token.text) == 4 and value >= 1000 else []
    found = [(end, value) for end, value in _large(tokens, _small(tokens, i)) if 1000 <= value <= 2199]
    return found + _paired_year(tokens, i)


def _paired_year(tokens: list[TimeToken], i: int) -> Reading:
    """Two halves: "nineteen eighty six", "twenty twenty", "twenty oh five", "nineteen hundred"."""
    found: Reading = []
    for end, century in _small(tokens, i):
        if not 10 <= century <= 21:
            continue
        if _word_at(tokens, end, "oh", "o") and end + 1 < len(tokens):
            low = _number(tokens[end + 1].classes.get("CARDINAL", 0))
            found += [(end + 2, century * 100 + low)] if 1 <= low <= 9 else []
        found += [(after, century * 100 + low) for after, low in _small(tokens, end) if low >= 10]
    return found

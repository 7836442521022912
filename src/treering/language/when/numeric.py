"""Which date do these figures say? Dates written in digits, with slashes, dashes or dots.

"3/4/2021" is read with the month first, or the day first where the language has it so, unless a figure can only be
a day. What could as well be a fraction, a
score or a version ("3/4", "2-15", "4.22") is given all the same: `doubts` asks its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from treering.language.when.tokens import TimeToken


@dataclass(frozen=True, slots=True)
class Figures:
    """A year, month and day as far as they were written; `short_year` has two digits and no century."""

    year: int | None
    month: int
    day: int | None
    short_year: bool = False
    dashed: bool = False


def figures(tokens: list[TimeToken], i: int, day_first: bool = False) -> list[tuple[int, Figures]]:
    if len(tokens[i].text) == 8:
        return _run_together(tokens, i)
    numbers, separator = _row(tokens, i)
    found: list[tuple[int, Figures]] = []
    if len(numbers) >= 3:
        found += [(i + 5, read) for read in _three(numbers[:3], separator, day_first)]
    if len(numbers) >= 2:
        dashed = separator == "-"
        found += [(i + 3, replace(read, dashed=dashed)) for read in _two(numbers[:2], separator, day_first)]
    return found


def _row(tokens: list[TimeToken], i: int) -> tuple[list[str], str]:
    """Up to three numbers joined by one and the same sign."""
    numbers = [tokens[i].text]
    separator = ""
    j = i + 1
    while j + 1 < len(tokens) and len(numbers) < 3:
        sign, number = tokens[j], tokens[j + 1]
        if sign.text not in ("/", "-", ".") or (separator and sign.text != separator):
            break
        if (
            "DIGITS" not in number.classes
            or (sign.text != "/" and sign.glued != number.glued)
            or (sign.text == "." and not sign.glued)
        ):
            break
        separator = sign.text
        numbers.append(number.text)
        j += 2
    return numbers, separator


def _run_together(tokens: list[TimeToken], i: int) -> list[tuple[int, Figures]]:
    """ "20161016": eight digits that make a date of this or the last century."""
    text = tokens[i].text
    year, month, number = int(text[:4]), int(text[4:6]), int(text[6:])
    if text.isdecimal() and 1900 <= year < 2100 and 1 <= month <= 12 and 1 <= number <= 31:
        return [(i + 1, Figures(year, month, number))]
    return []


def _three(numbers: list[str], separator: str, day_first: bool) -> list[Figures]:
    lengths = [len(number) for number in numbers]
    a, b, c = (int(number) for number in numbers)
    if lengths[0] == 4 and lengths[1] <= 2 and lengths[2] <= 2:
        return _checked(a, b, c)
    if lengths[0] > 2 or lengths[1] > 2:
        return []
    if lengths[2] == 4:
        return _in_order(day_first, c, a, b)
    if lengths[2] == 2 and (separator != "." or min(lengths) == 2):
        return _in_order(day_first, c, a, b, short_year=True)
    return []


def _two(numbers: list[str], separator: str, day_first: bool) -> list[Figures]:
    lengths = [len(number) for number in numbers]
    a, b = (int(number) for number in numbers)
    if lengths[0] == 4 and lengths[1] <= 2 and separator != "." and 1000 <= a <= 2999:
        return _checked(a, b, None)
    if lengths[1] == 4 and lengths[0] <= 2 and separator != "." and 1000 <= b <= 2999:
        return _checked(b, a, None)
    if max(lengths) <= 2 and not (separator == "." and lengths[1] < 2):
        return _in_order(day_first, None, a, b)
    return []


def _in_order(day_first: bool, year: int | None, a: int, b: int, short_year: bool = False) -> list[Figures]:
    swapped = a > 12 or (day_first and b <= 12)
    month, number = (b, a) if swapped else (a, b)
    return _checked(year, month, number, short_year)


def _checked(year: int | None, month: int, number: int | None, short_year: bool = False) -> list[Figures]:
    if 1 <= month <= 12 and (number is None or 1 <= number <= 31):
        return [Figures(year, month, number, short_year)]
    return []

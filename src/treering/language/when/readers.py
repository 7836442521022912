"""What does a reader of numbers, lengths or hours look at? A token's text and value, where there is one."""

from __future__ import annotations

from treering.language.when.grammar import Primitive
from treering.language.when.tokens import TimeToken
from treering.language.when.window import Grain


def text_at(tokens: list[TimeToken], i: int) -> str:
    return tokens[i].text if 0 <= i < len(tokens) else ""


def texts_at(tokens: list[TimeToken], i: int, *words: str) -> bool:
    """Whether these words stand here."""
    return all(text_at(tokens, i + k) == word for k, word in enumerate(words))


def number_at(tokens: list[TimeToken], i: int, kind: str) -> int | None:
    value = tokens[i].classes.get(kind) if i < len(tokens) else None
    return value if isinstance(value, int) else None


def unit_named(tokens: list[TimeToken], i: int) -> Grain | None:
    """The unit named here; "h" only when it touches its number."""
    if i >= len(tokens) or (tokens[i].text == "h" and not tokens[i].glued):
        return None
    value = tokens[i].classes.get("UNIT")
    return value if isinstance(value, Grain) else None


def name(kind: str, full: int) -> Primitive:
    """A name of a month or weekday, and the full stop of one cut short, of less than `full` letters: "Oct. 2"."""

    def read(tokens: list[TimeToken], i: int) -> list[tuple[int, object]]:
        value = tokens[i].classes[kind]
        if text_at(tokens, i + 1) == "." and tokens[i + 1].glued and _cut_short(tokens, i, full):
            return [(i + 2, value), (i + 1, value)]
        return [(i + 1, value)]

    return Primitive(read, frozenset((kind,)))


def _cut_short(tokens: list[TimeToken], i: int, full: int) -> bool:
    number_follows = i + 2 < len(tokens) and not tokens[i + 2].classes.keys().isdisjoint(("DIGITS", "DIGITORDINAL"))
    return number_follows or len(tokens[i].text) < full

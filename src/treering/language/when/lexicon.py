"""Which words does a language have for time? One table from a word to its classes, each with its value.

A class is written in capitals, since that is how the grammar's patterns name it. A word may be of several classes:
"second" is a unit and an ordinal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treering.language.when.tokens import Classes
from treering.language.when.window import Grain

Words = Mapping[Any, str]
"""A value and its words, with spaces between them: {0: "today", 1: "tomorrow tmrw"}."""


def numbered(words: str, first: int = 0, step: int = 1) -> dict[int, str]:
    """Words in the order of their numbers, several of one number with bars between them: "zero one|a two"."""
    return {first + step * k: same.replace("|", " ") for k, same in enumerate(words.split())}


def by_word(words: Words) -> dict[str, Any]:
    return {word: value for value, some in words.items() for word in some.split()}


def units(one: Mapping[Grain, str], many: Mapping[Grain, str]) -> dict[str, Words]:
    """A unit is of the class UNIT, and of ONE or MANY."""
    return {"ONE": one, "MANY": many, "UNIT": {grain: f"{one[grain]} {many.get(grain, '')}" for grain in one}}


def lexicon(tables: Mapping[str, Words]) -> dict[str, Classes]:
    """A class and its words, for each class."""
    found: dict[str, Classes] = {}
    for kind, words in tables.items():
        for word, value in by_word(words).items():
            found.setdefault(word, {})[kind] = value
    return found

"""What must a language know so that its times can be read? Its words, its patterns, what to doubt, and its tenses.

The engine (`grammar`, `stretch`, `reader`) knows no word of any language. Whoever adds one gives a `TimeLanguage`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from treering.language.when.grammar import Grammar
from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import TimeToken

Check = Callable[[list[TimeToken], int, int], bool]
"""Asks something of the match that stands at `tokens[start:end]`."""


class Tenses(Protocol):
    """The signs of one text, found once."""

    def at(self, start: int, end: int) -> TimeDirection:
        """Whether the sentence around `tokens[start:end]` looks back or ahead."""
        ...


@dataclass(frozen=True, slots=True)
class TimeLanguage:
    """What is of one language in the reading of times."""

    tokenise: Callable[[str], list[TimeToken]]
    grammar: Grammar
    """Its part `TIME` is what is looked for."""
    telling: frozenset[str]
    """Words of the patterns that tell of a time; a place with none of them near, and no class, is passed over."""
    doubtful: Check
    """Whether the neighbours of a match speak against it."""
    stands_alone: Check
    """Whether a text is nothing but the match, as a calendar's entry is."""
    tenses: Callable[[list[TimeToken]], Tenses]

"""Is it time at all, in any language? A match is held against its neighbours, by the checks that its language gives.

Each check looks at the tokens of one match and around it and may refuse it. A text that is nothing but the expression
is believed: who writes only "May" means the month.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treering.language.listed import listed
from treering.language.when.tokens import TimeToken

STOPS = frozenset(".,;:!?)]}\"'-\u2026")
SITES = listed("com org net io co dev ai app")
MOST_SIGNS = 3


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """A match and where it stands: `tokens[start:end]`, and whether it is all there is."""

    tokens: list[TimeToken]
    start: int
    end: int
    alone: bool
    articles: frozenset[str] = frozenset()

    @property
    def before(self) -> str:
        return self.tokens[self.start - 1].text if self.start else ""

    @property
    def before_that(self) -> str:
        return self.tokens[self.start - 2].text if self.start > 1 else ""

    @property
    def after(self) -> str:
        return self.tokens[self.end].text if self.end < len(self.tokens) else ""

    @property
    def words(self) -> list[TimeToken]:
        return self.tokens[self.start : self.end]

    @property
    def first(self) -> TimeToken:
        return self.tokens[self.start]

    @property
    def last(self) -> TimeToken:
        """The last word; the full stop of a name cut short does not count."""
        stop = self.tokens[self.end - 1].text == "." and self.end - self.start > 1
        return self.tokens[self.end - 2 if stop else self.end - 1]

    @property
    def bare(self) -> list[TimeToken]:
        """The words without their articles."""
        return [token for token in self.words if token.text not in self.articles]

    def only(self, kind: str) -> bool:
        """Whether the match is a single word of that class, perhaps with an article before it."""
        return len(self.bare) == 1 and kind in self.bare[0].classes


Check = Callable[[MatchPlace], bool]


@dataclass(frozen=True, slots=True)
class Doubts:
    """What speaks against a match in one language."""

    checks: tuple[Check, ...]
    openers: frozenset[str]
    """What may stand before the time in a text that is nothing else: articles, prepositions, signs."""
    articles: frozenset[str]
    most_openers: int = 2

    def doubtful(self, tokens: list[TimeToken], start: int, end: int) -> bool:
        """Whether the neighbours of `tokens[start:end]` speak against it."""
        alone = not start and self.stands_alone(tokens, start, end)
        place = MatchPlace(tokens, start, end, alone, self.articles)
        return torn_after(place) or (not alone and any(check(place) for check in self.checks))

    def stands_alone(self, tokens: list[TimeToken], start: int, end: int) -> bool:
        """Whether a text is nothing but the time, as a calendar's entry is."""
        if start > self.most_openers or len(tokens) - end > MOST_SIGNS:
            return False
        return all(t.text in self.openers for t in tokens[:start]) and all(t.text in STOPS for t in tokens[end:])


def torn_before(tokens: list[TimeToken], start: int) -> bool:
    """Whether a piece of something longer begins here: "$MAR", "212-555-0148", "mp3", "non-Friday"."""
    if not start or not tokens[start].glued:
        return False
    before = tokens[start - 1]
    if before.text.isalnum() or before.text in "$@#\u20ac\u00a3_\\":
        return True
    if before.text not in "-/.:+" or start == 1 or not before.glued:
        return False
    joined = tokens[start - 2].text
    return joined.isalnum() if before.text == "-" else joined.isdecimal()


def torn_after(place: MatchPlace) -> bool:
    """Whether it goes on: "2019-45", "sun-dried", "Monday.com"."""
    return place.end < len(place.tokens) and place.tokens[place.end].glued and _goes_on(place)


def _goes_on(place: MatchPlace) -> bool:
    after = place.tokens[place.end]
    if after.text.isalnum() or after.text in "%_\\":
        return True
    following = place.tokens[place.end + 1] if place.end + 1 < len(place.tokens) else None
    if following is None or not following.glued or not following.text.isalnum():
        return False
    if after.text == "." and following.text in SITES:
        return True
    if after.text in "/:." and not (after.text == "." and not following.text.isdecimal()):
        return True
    return after.text == "-"

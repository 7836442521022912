"""Which memories share their words? How alike two are where nobody has read the space for meaning.

The likeness of two texts is the cosine of their sets of words. Pairs are found by their rarest words: two texts that
share most of their words share one of those, so that no text is compared with all others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from treering.language.words import spelled, words
from treering.store.contract import Progress

COMMONEST = 100
"""A word by which more texts are filed tells little about which of them are alike: of these the last so many are looked
at."""


class ByWords:
    """The words of some texts, by id."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._words = {one: frozenset(words(text) or spelled(text)) for one, text in texts.items()}

    def pairs(
        self, ids: Sequence[str], least: float, each: int, progress: Progress | None = None
    ) -> list[tuple[str, str, float]]:
        """Those that are alike by at least `least`, for each its `each` nearest; the most alike first."""
        rarity = Counter(word for one in ids for word in self._words[one])
        found: list[tuple[str, str, float]] = []
        filed: dict[str, list[int]] = {}
        for place, one in enumerate(ids):
            mine = sorted(self._words[one], key=lambda word: (rarity[word], word))
            first = mine[: len(mine) - math.ceil(least * least * len(mine) - 1e-9) + 1]
            others = {other for word in first for other in filed.get(word, ())[-COMMONEST:]}
            longest = len(mine) / least / least if least else math.inf  # the square of a tiny one is nought
            near = [
                (alike, other)
                for other in others
                if len(self._words[ids[other]]) <= longest and (alike := self._alike(one, ids[other])) >= least
            ]
            near.sort(reverse=True)
            found += [(ids[other], one, alike) for alike, other in near[:each]]
            for word in first:
                filed.setdefault(word, []).append(place)
            if progress is not None and (place % 1_000 == 999 or place + 1 == len(ids)):
                progress(place + 1, len(ids))
        return sorted(found, key=lambda pair: (-round(pair[2], 4), pair[0], pair[1]))

    def between(self, ids: Sequence[str]) -> list[list[float]]:
        return [[self._alike(one, other) for other in ids] for one in ids]

    def _alike(self, one: str, other: str) -> float:
        mine, others = self._words[one], self._words[other]
        if not mine or not others:
            return 0.0
        return len(mine & others) / math.sqrt(len(mine) * len(others))

"""Which memories share their words? How alike two are where nobody has read the space for meaning.

The likeness of two texts is the cosine of their sets of words. Pairs are found by their rarest words: two texts that
share most of their words share one of those, so that no text is compared with all others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from treering.language.words import spelled, words
from treering.upkeep.reembed import Progress

COMMONEST = 2_000
"""A word that more texts begin with, in order of rarity, tells nothing about which of them are alike: of these the
neighbours in order are looked at."""


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
        begins: dict[str, list[str]] = {}
        for done, one in enumerate(ids, 1):
            mine = sorted(self._words[one], key=lambda word: (rarity[word], word))
            first = mine[: len(mine) - math.ceil(least * least * len(mine) - 1e-9) + 1]
            others = {other for word in first for other in begins.get(word, ())[-COMMONEST:]}
            near = [(other, alike) for other in others if (alike := self._alike(one, other)) >= least]
            near.sort(key=lambda pair: (-pair[1], pair[0]))
            found += [(other, one, alike) for other, alike in near[:each]]
            for word in first:
                begins.setdefault(word, []).append(one)
            if progress is not None and (done % 1_000 == 0 or done == len(ids)):
                progress(done, len(ids))
        return sorted(found, key=lambda pair: (-round(pair[2], 4), pair[0], pair[1]))

    def between(self, ids: Sequence[str]) -> list[list[float]]:
        return [[self._alike(one, other) for other in ids] for one in ids]

    def _alike(self, one: str, other: str) -> float:
        mine, others = self._words[one], self._words[other]
        if not mine or not others:
            return 0.0
        return len(mine & others) / math.sqrt(len(mine) * len(others))

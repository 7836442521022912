"""Which language is a text in? A guess by its most frequent words: the same text gives the same answer everywhere.

English is what is left: a text is in another language only if a word says so that English does not have, and if more of
its words are of that language than of any other, or if there are small words of it and no English ones. "Las Vegas",
"de la Cruz" and "see you mañana" stay English. One text, one language: it is not guessed sentence by sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain, repeat

from treering.language.frequent import Frequent
from treering.language.languages import LANGUAGES, Tongue

LONGEST = 4000  # characters looked at; a text does not change its language often
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = Tongue.ENGLISH.value


def language_of(text: str) -> Tongue:
    return tongues_of(text)[0]


def tongues_of(text: str) -> tuple[Tongue, ...]:
    """The languages that a text may be in: the one that its words tell, or all of them, English first, if none does."""
    told = _KNOWN.told(text[:LONGEST])
    return (Tongue(told),) if told else tuple(Tongue)


class TellingWords:
    """The lists of all languages in one table, so that a text's words are counted once, however many there are."""

    def __init__(self, lists: Mapping[str, Frequent]) -> None:
        self._others = {tongue: frequent for tongue, frequent in lists.items() if tongue != _ENGLISH}
        self._counts_for: dict[str, list[tuple[str, bool]]] = {}
        for tongue, frequent in lists.items():
            for tells, words in ((False, frequent.common), (True, frequent.telling)):
                for word in words:
                    self._counts_for.setdefault(word, []).append((tongue, tells))

    def told(self, text: str) -> str | None:
        """The language whose words are the most, or None: no word tells of any."""
        words = _WORD.findall(text.lower())
        counts = Counter(chain.from_iterable(map(self._counts_for.get, words, repeat(()))))
        english = counts[_ENGLISH, False]
        found: dict[str, int] = {}
        for tongue, frequent in self._others.items():
            signs = sum(1 for _ in frequent.signs.finditer(text)) if frequent.signs else 0
            telling = counts[tongue, True] + signs
            own = telling + counts[tongue, False]
            if own > english and (telling or (not english and _written_small(text, frequent.plain) > 1)):
                found[tongue] = own
        return max(found, key=found.__getitem__, default=_ENGLISH if english else None)


def _written_small(text: str, plain: frozenset[str]) -> int:
    return len(plain.intersection(_WORD.findall(text)))


_KNOWN = TellingWords({tongue.value: language.frequent for tongue, language in LANGUAGES.items()})

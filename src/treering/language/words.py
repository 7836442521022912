"""Which words does a text hold, for search? Folded, stemmed, without those that every text and every question has.

"Melanie's paintings" holds `melani` and `paint`. Text without spaces between words (Chinese, Japanese, Thai) is cut
into overlapping pairs of characters, which finds it again without a dictionary.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

LONGEST_WORD = 40  # beyond that it is a key, a hash or a picture, and its beginning is enough to find it
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[a-z0-9]+")
_POSSESSIVE = re.compile("['\u2019]s\\b")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")

STOP_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """a about after also am an and any are as at be because been before being but by can could d did didn do does
        doesn don during for from had has have he her hers herself him himself his how i if in into is isn it its itself
        just kind ll m may me mention might must my myself n no nor not of on or our ours out re s said say shall she
        should so some such t tell than that the their theirs them themselves then there these they this those to too
        type up ve very was wasn we were weren what when where which while who whom whose why will with would you your
        yours yourself""",
    )
)
"""The commonest words of English, and those that ask: they say nothing about what an answer holds."""


def words(text: str) -> list[str]:
    """The words to search by, in order, with repeats."""
    return stems(spelled(text))


def stems(words_of: Iterable[str]) -> list[str]:
    """Of words as they are spelled, without the stop words."""
    return [stem for word in words_of if (stem := _stem(word))]


def spelled(text: str) -> list[str]:
    """Every word as it is spelled, folded: lower case, without accents, possessive endings and underscores."""
    if text.isascii():
        lower = text.lower()
        return _PLAIN.findall(_POSSESSIVE.sub("", lower) if "'" in lower else lower)
    folded = _POSSESSIVE.sub("", _fold(text))
    found: list[str] = []
    for word in _WORD.findall(folded):
        found += _pairs(word) if _UNSPACED.search(word) else [word]
    return found


def stem(word: str) -> str:
    """The stem of one folded word; empty for a stop word."""
    return _stem(word)


def _fold(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(one for one in apart if not unicodedata.combining(one)))


def _pairs(word: str) -> list[str]:
    found, last = [], 0
    for run in _UNSPACED.finditer(word):
        found += [word[last : run.start()]] if run.start() > last else []
        cut = run.group()
        found += [cut] if len(cut) == 1 else [cut[place : place + 2] for place in range(len(cut) - 1)]
        last = run.end()
    return found + ([word[last:]] if last < len(word) else [])


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return "" if word in STOP_WORDS else _Snowball.get().stemWord(word[:LONGEST_WORD])


class _Snowball:
    """One stemmer a thread: it keeps state while it works."""

    _own = threading.local()

    @classmethod
    def get(cls) -> Any:
        if not hasattr(cls._own, "stemmer"):
            import Stemmer  # type: ignore[import-not-found]

            cls._own.stemmer = Stemmer.Stemmer("english")
            cls._own.stemmer.maxCacheSize = 0
        return cls._own.stemmer

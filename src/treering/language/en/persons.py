"""Which words stand for whoever speaks, and which for somebody named before?"""

from __future__ import annotations

import re

_WORD = re.compile(r"[\w'\u2019]+")

FIRST = frozenset(["i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself", "im", "ive"])
GROUP = frozenset(["we", "we're", "we've", "we'd", "we'll", "us", "our", "ours", "ourselves"])
"""Whoever speaks and others: never the speaker alone."""
SECOND = frozenset(["you", "your", "yours", "you're", "u", "ur"])
THIRD = frozenset(
    ["he", "she", "they", "he's", "she's", "they're", "him", "her", "them", "his", "hers", "their", "it", "it's", "its"]
)
_BEFORE = THIRD | frozenset(["that", "that's", "this", "these", "those", "there", "one", "same", "them", "too"])
AND = frozenset(["and", "&", ",", "or"])
"""Between names of several who are meant together."""
LANGUAGES = frozenset(
    word
    for words in (
        "arabic bengali cantonese catalan chinese czech danish dutch english estonian farsi finnish french gaelic",
        "german greek hebrew hindi hungarian icelandic irish italian japanese korean latin latvian lithuanian mandarin",
        "norwegian persian polish portuguese punjabi romanian russian serbian slovak spanish swahili swedish tamil",
        "thai turkish ukrainian urdu vietnamese welsh yoruba",
    )
    for word in words.split()
)
"""Written large, and nobody's name."""


def words_for_somebody(text: str) -> frozenset[str]:
    """All its words, folded, among which one may look for these; the US is a country."""
    return frozenset(one.lower().replace("\u2019", "'") for one in _WORD.findall(text) if one != "US")


def speaks_for_itself(text: str) -> bool:
    """Whether somebody says something of themselves, and nothing points at what was said before."""
    said = words_for_somebody(text)
    return bool(said & FIRST) and not said & _BEFORE

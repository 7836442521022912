"""Which words stand for whoever speaks, and which for somebody named before?"""

from __future__ import annotations

FIRST = frozenset(["i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself", "im", "ive"])
GROUP = frozenset(["we", "we're", "we've", "we'd", "we'll", "us", "our", "ours", "ourselves"])
"""Whoever speaks and others: never the speaker alone."""
SECOND = frozenset(["you", "your", "yours", "you're", "u", "ur"])
THIRD = frozenset(
    ["he", "she", "they", "he's", "she's", "they're", "him", "her", "them", "his", "hers", "their", "it", "it's", "its"]
)
SOMEBODY = {"he": "", "she": "", "he's": "'s", "she's": "'s", "his": "'s", "her": "'s"}
"""Pronouns of one person in front of a verb or a noun, and what their name takes when it stands there instead."""
OPENERS = frozenset(["and", "but", "so", "also", "then", "plus", "oh", "well", "anyway", "btw", "ps"])
"""Words that only tie a statement to the one before."""
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

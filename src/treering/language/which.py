"""Which language is a text in? A guess by its most frequent words: the same text gives the same answer everywhere.

English is what is left: a text is Spanish only if a word says so that English does not have, and if more of its words
are Spanish than English, or if there are small Spanish words and no English ones. "Las Vegas", "de la Cruz" and
"see you mañana" stay English. One text, one language: it is not guessed sentence by sentence.
"""

from __future__ import annotations

import re
from enum import Enum

from treering.language.es.frequent import COMMON, PLAIN, TELLING, may_be_spanish, signs

LONGEST = 4000  # characters looked at; a text does not change its language often
_WORD = re.compile(r"[^\W\d_]+")


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = _split(
    "the and of to in is was i you it that for on with at my we she they this have had did do what when where who how "
    "not be are were will from by an but or if last next ago since until before after yesterday today tomorrow your "
    "our his her their its has can could would should there here about just so than then been being does got get went "
    "am im monday tuesday wednesday thursday friday saturday sunday january february april june july august september "
    "october december week month year day every all some any out up new said like more one two"
)


class Tongue(Enum):
    ENGLISH = "en"
    SPANISH = "es"


def language_of(text: str) -> Tongue:
    text = text[:LONGEST]
    words = _WORD.findall(text.lower())
    if may_be_spanish(text, words) and _mostly_spanish(text, words):
        return Tongue.SPANISH
    return Tongue.ENGLISH


def _mostly_spanish(text: str, words: list[str]) -> bool:
    english = sum(word in _ENGLISH for word in words)
    telling = sum(word in TELLING for word in words) + signs(text, words)
    if telling:
        return telling + sum(word in COMMON for word in words) > english
    return not english and len(PLAIN.intersection(_WORD.findall(text))) > 1

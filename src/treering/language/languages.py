"""Which languages are there? A row for each: whoever adds one adds it here, and nowhere else is one named."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from treering.language.en.frequent import FREQUENT as ENGLISH
from treering.language.en.small_talk import SMALL_TALK as ENGLISH_SMALL_TALK
from treering.language.es.frequent import FREQUENT as SPANISH
from treering.language.es.small_talk import SMALL_TALK as SPANISH_SMALL_TALK
from treering.language.frequent import Frequent
from treering.language.small_talk_phrases import SmallTalk


class Tongue(Enum):
    ENGLISH = "en"
    SPANISH = "es"


@dataclass(frozen=True, slots=True)
class Language:
    frequent: Frequent
    small_talk: SmallTalk
    times: str
    """The module whose `times()` is the language's `TimeLanguage`: imported when a text in it is first read."""


LANGUAGES = {
    Tongue.ENGLISH: Language(ENGLISH, ENGLISH_SMALL_TALK, "treering.language.when.english"),
    Tongue.SPANISH: Language(SPANISH, SPANISH_SMALL_TALK, "treering.language.es.times"),
}

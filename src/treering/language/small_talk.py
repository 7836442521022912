"""Does a sentence say anything worth remembering? Greetings, thanks and nods do not; anything with content does.

A sentence is empty when it is made of empty phrases from end to end: "hey hey, happy tuesday!" is, and "thanks, the new
tyres are great" is not. Ask sentence by sentence, and in doubt a sentence is full. A bare "yes" is empty by itself;
whether it answers a question is for whoever knows the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treering.language.languages import LANGUAGES, Tongue
from treering.language.small_talk_phrases import SmallTalk
from treering.language.which import tongues_of

LONGEST = 240  # characters; nobody needs more to say nothing
_SIGNS = re.compile(r"(?:[^\w\s+%^'’:/-]|:[\w()/|*-]{1,2}(?!\w)|;\)|<3|(?<!\d)[:/-](?!\d))+")  # noqa: RUF001
_ADDRESSED = re.compile(r"(?:\s*,)?\s+[A-ZÀ-ÖØ-Þ][\w'-]+(?=\s*(?:[!.,?…)]|$))")
_STRETCHED = re.compile(r"([a-z])\1{2,}")


def small_talk(text: str) -> str | None:
    """Why the sentence is empty (greeting, farewell, thanks, acknowledgement, laughter, filler), or None: it is not."""
    if len(text) > LONGEST:
        return None
    return _empty(text, Tongue.ENGLISH) or next(filter(None, (_empty(text, one) for one in _others(text))), None)


def _others(text: str) -> Iterator[Tongue]:
    """In which other languages it may say nothing: "hola" is said in English too, and few words tell of no language."""
    yield from (tongue for tongue in tongues_of(text) if tongue is not Tongue.ENGLISH)


def _empty(text: str, tongue: Tongue) -> str | None:
    told = LANGUAGES[tongue].small_talk
    words = _plain(text, told)
    ways: dict[int, str] = {0: "filler"}  # how far empty phrases reach, and what they are
    for place in range(len(words)):
        if place not in ways or words[place] == " ":
            continue
        for phrase in told.by_first_sign.get(words[place], ()):
            found = phrase.pattern.match(words, place)
            if found is not None:
                why = phrase.why if ways[place] == "filler" else ways[place]
                ways.setdefault(found.end() + words.startswith(" ", found.end()), why)
    return ways.get(len(words))


def _plain(text: str, told: SmallTalk) -> str:
    """Lower case, without signs, emoji and whoever is spoken to; "heyyyy" is "hey"."""
    text = _unaddressed(text, told).replace("’", "'")  # noqa: RUF001
    text = _SIGNS.sub(" ", text.lower())
    text = _STRETCHED.sub(lambda found: found[1] * (2 if found[1] in "oel" else 1), text)
    return re.sub(r"\s+", " ", text).strip(" '-:/")


def _unaddressed(text: str, told: SmallTalk) -> str:
    """ "thanks, Mel!": the name of whoever is spoken to, after a word that is said to somebody."""
    kept, last = [], 0
    for found in _ADDRESSED.finditer(text):
        said, exclaimed = text[: found.start()], text[found.end() :].lstrip().startswith("!")
        if told.opening.search(said) or (exclaimed and (found[0].startswith(",") or told.answer.search(said))):
            kept.append(text[last : found.start()])
            last = found.end()
    return "".join(kept) + text[last:]

"""Does a sentence say anything worth remembering? Greetings, thanks and nods do not; anything with content does.

A sentence is empty when it is made of empty phrases from end to end: "hey hey, happy tuesday!" is, and "thanks, the new
tyres are great" is not. Ask sentence by sentence, and in doubt a sentence is full. A bare "yes" is empty by itself;
whether it answers a question is for whoever knows the question.
"""

from __future__ import annotations

import re

from treering.language.es.small_talk import SPANISH
from treering.language.small_talk_phrases import BY_FIRST_SIGN, ByFirstSign

LONGEST = 240  # characters; nobody needs more to say nothing
_SIGNS = re.compile(r"(?:[^\w\s+%^'’:/-]|:[\w()/|*-]{1,2}(?!\w)|;\)|<3|(?<!\d)[:/-](?!\d))+")  # noqa: RUF001
_ADDRESSED = re.compile(r"(?:\s*,)?\s+[A-Z][\w'-]+(?=\s*(?:[!.,?…)]|$))")
_ANSWER = re.compile(r"(?i)(?:yes|yeah|yep|no|nope|sure|this|it|that|you|one|right|ok|okay)$")
_OPENING = re.compile(
    r"(?i)(?:hi|hey|hello|hiya|heya|morning|evening|afternoon|thanks|thank\syou|thx|bye|goodbye|night|congrats|"
    r"congratulations|wow|cool|nice|great|awesome|amazing|aww?|oh|see\s(?:you|ya)|welcome|"
    r"sorry|haha|lol|later|soon|tomorrow|much|lot|bunch|back|there|again|agree|totally|absolutely|definitely|"
    r"exactly|care|happy\sbirthday|good|luck|done|job|too|whoa|woah|up)$"
)
_STRETCHED = re.compile(r"([a-z])\1{2,}")


def small_talk(text: str) -> str | None:
    """Why the sentence is empty (greeting, farewell, thanks, acknowledgement, laughter, filler), or None: it is not."""
    if len(text) > LONGEST:
        return None
    words = _plain(text)
    return _empty(words, BY_FIRST_SIGN) or _empty(words, SPANISH)


def _empty(words: str, phrases: ByFirstSign) -> str | None:
    ways: dict[int, str] = {0: "filler"}  # how far empty phrases reach, and what they are
    for place in range(len(words)):
        if place not in ways or words[place] == " ":
            continue
        for phrase in phrases.get(words[place], ()):
            found = phrase.pattern.match(words, place)
            if found is not None:
                why = phrase.why if ways[place] == "filler" else ways[place]
                ways.setdefault(found.end() + words.startswith(" ", found.end()), why)
    return ways.get(len(words))


def _plain(text: str) -> str:
    """Lower case, without signs, emoji and whoever is spoken to; "heyyyy" is "hey"."""
    text = _unaddressed(text).replace("’", "'")  # noqa: RUF001
    text = _SIGNS.sub(" ", text.lower())
    text = _STRETCHED.sub(lambda found: found[1] * (2 if found[1] in "oel" else 1), text)
    return re.sub(r"\s+", " ", text).strip(" '-:/")


def _unaddressed(text: str) -> str:
    """ "thanks, Mel!": the name of whoever is spoken to, after a word that is said to somebody."""
    kept, last = [], 0
    for found in _ADDRESSED.finditer(text):
        said, exclaimed = text[: found.start()], text[found.end() :].lstrip().startswith("!")
        if _OPENING.search(said) or (exclaimed and (found[0].startswith(",") or _ANSWER.search(said))):
            kept.append(text[last : found.start()])
            last = found.end()
    return "".join(kept) + text[last:]

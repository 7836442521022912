"""Was it said? Holds what a model writes against the words it was given, so that nothing becomes a memory that nobody
said. It judges by words alone: whether a statement is true to their meaning is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

from treering.ingest.extract.contract import OWNER, Heard
from treering.language.words import spelled, stem, words
from treering.model.edge import KNOWN_FACTS

MOST_UNSAID = 0.25
"""How much of a statement may be words that nobody said: a model may put things in its own words here and there.
Names and numbers must have been said, every one."""

STATE_WORDS = """become begin call change current early end enjoy feel former go happen hate join late leave long love
make name need new old own person plan quit say start state stop switch take tell think thing time try use want work job
home day today date week month year morning evening night born role member friend partner parent child
""" + " ".join(KNOWN_FACTS).replace("_", " ").lower()
"""Words in which states and events are put that were said in others: one who "joined Anthropic" works there."""

_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[\w,;:)] )[\"'(“‘]*([A-Z][\w'’-]*)")  # noqa: RUF001  a capital inside a sentence
_CALENDAR = frozenset(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "i")
)  # fmt: skip

_TO_A_MODEL = re.compile(
    r"""\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}
            \b(?:instructions?|prompts?|rules?|guidelines|directives|above|system)\b
      | \b(?:system|developer)\s+(?:prompt|message|note|override)\b
      | \b(?:you\s+are\s+now|from\s+now\s+on,?\s+you)\b
      | (?:^|[.!?:]\s)[ ]*(?:please\s+)?(?:act\s+as|pretend\s+(?:to\s+be|you|that))\b
      | \b(?:output|print|return|emit|respond|reply|answer)\b[^.!?\n]{0,20}\b(?:only|exactly|json|that\s+the\s+user)\b
      | \b(?:new|updated|following)\s+instructions\b | \bas\s+an?\s+(?:ai|assistant|language\s+model)\b
      | <\|\w+\|> | </?s> | \[/?INST\] | ^[ \t]*(?:\#+[ ]*)?(?:system|assistant|developer)[ ]*:""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def speaks_to_a_model(text: str) -> bool:
    """Whether words in it look as if they told a reading model what to do. They are kept like any others, but no model
    is asked about them. It is a second fence and full of holes: the first is that no answer is believed unheld."""
    return _TO_A_MODEL.search(text) is not None


class Said:
    """The words of one text and of what was said before it."""

    def __init__(self, text: str, heard: Heard, before: Iterable[str]) -> None:
        context = [text, *before]
        people = {OWNER, heard.first_person, heard.owner or OWNER}
        others = {turn.speaker for turn in heard.before if turn.speaker}
        self._runs = [_stems(one) for one in (*context, *people, *others)]
        self._stems = {one for run in self._runs for one in run}
        self._selves = {one for name in people for one in _stems(name)}
        self._numbers = {one for part in context for one in _numbers(part)}

    def name(self, name: str) -> bool:
        """Whether these words were said side by side, or are who speaks."""
        asked = _stems(name)
        return bool(asked) and any(_within(asked, run) for run in self._runs)

    def relation(self, relation: str) -> bool:
        """Whether one of its words was said."""
        return any(one in self._stems for one in words(relation.replace("_", " ")))

    def unsaid(self, content: str, quote: str, times: Iterable[datetime | None]) -> str | None:
        """What in a statement was not said, in words; None if it may stand. `quote` is what it rests on."""
        own = [one for one in words(content) if one not in self._selves]
        if not set(own) & set(words(quote)) - self._selves:
            return "it has no word in common with its quote"
        foreign = [one for one in own if not one.isdigit() and one not in self._stems and one not in _licensed()]
        if len(foreign) > MOST_UNSAID * len(own):
            return f"{', '.join(foreign[:3])}: not said"
        names = [one for one in _NAME.findall(content) if not self._knows_word(one)]
        if names:
            return f"{names[0]!r} was not said"
        dated = {one for point in times if point is not None for one in _dated(point)}
        numbers = [one for one in _numbers(content) if one not in self._numbers | dated]
        return f"{numbers[0]!r} was not said" if numbers else None

    def _knows_word(self, word: str) -> bool:
        return word.casefold() in _CALENDAR or all(one in self._stems for one in _stems(word))


@cache
def _licensed() -> frozenset[str]:
    return frozenset(words(STATE_WORDS)) | frozenset(words(" ".join(_CALENDAR)))


def _stems(text: str) -> list[str]:
    return [stem(one) or one for one in spelled(text)]


def _within(asked: Sequence[str], run: Sequence[str]) -> bool:
    width = len(asked)
    return any(list(run[place : place + width]) == list(asked) for place in range(len(run) - width + 1))


def _numbers(text: str) -> set[str]:
    return {one.lstrip("0") or "0" for one in _NUMBER.findall(text)}


def _dated(point: datetime) -> set[str]:
    parts = (point.year, point.month, point.day, point.hour, point.hour % 12 or 12, point.minute)
    return {str(one) for one in parts}

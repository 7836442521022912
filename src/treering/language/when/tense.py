"""Does an English sentence look back or ahead? Its verbs and a few plain words tell.

The nearest sign before a time expression in its sentence decides, else the first one after it; a present tense gives
way to any other sign. This is no parser: it knows auxiliaries, common irregular pasts, the ending "-ed", and the words
with which one plans.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import TimeToken


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


_AHEAD = _split(
    "will shall wont gonna upcoming lets remind schedule book reserve plan plans planning tomorrow intend intends hope "
    "hopes hoping expect expects expecting deadline due appointment reminder leaves starts begins opens arrives "
    "departs expires"
)
_BACK = _split(
    "was were wasnt werent did didnt had hadnt been went gone saw seen met ate took taken got gotten made said told "
    "bought came became began begun broke brought built caught chose cut drew drank drove fell felt fought found flew "
    "forgot gave grew heard held kept knew known laid led left lent lost meant paid put quit ran rode rose sang sat "
    "sent shot slept spoke spent stood stole swam taught thought threw understood woke won wore wrote written ago "
    "yesterday used last"
)
_BE = _split("am is are isnt arent")
_NOW = _BE | _split("do does can could should would may have has")
_NOT_PAST = _split(
    "need needed bed red speed feed seed indeed breed shed wed embed hundred sacred naked wicked kindred bred fed led "
    "weed deed greed supposed scheduled planned interested"
)
_ORDERS = _split(
    "set put meet find get call send add create make move cancel invite wake order buy start check arrange ask tell see"
)
"""Verbs that open a request; "show" and "list" are left out, since one asks them of the past."""
_ORDER_LEADS = _split(". ! ? , ; please to us me and can could should we")
_PAST_ENDING = re.compile(r"[a-z]{2,}ed")
_SENTENCE_END = frozenset(".!?;\n")


FindSign = Callable[[list[TimeToken], int], TimeDirection | None]


class Signs:
    """The signs of one text, found once; `at` answers for any place in it."""

    def __init__(self, tokens: list[TimeToken], find: FindSign) -> None:
        self._places: list[int] = []
        self._signs: list[TimeDirection | None] = []
        for i in range(len(tokens)):
            if _ends_sentence(tokens, i):
                self._add(i, None)
            elif (sign := find(tokens, i)) is not None and not self._outdone(sign):
                self._add(i, sign)

    def _add(self, place: int, sign: TimeDirection | None) -> None:
        self._places.append(place)
        self._signs.append(sign)

    def _outdone(self, sign: TimeDirection) -> bool:
        """ "What will I do": the "will" holds for the "do"."""
        return sign is TimeDirection.PRESENT and bool(self._signs) and self._signs[-1] is not None

    def at(self, start: int, end: int) -> TimeDirection:
        k = bisect_left(self._places, start) - 1
        if k >= 0 and (sign := self._signs[k]) is not None:
            return sign
        k = bisect_left(self._places, end)
        if k < len(self._signs) and (sign := self._signs[k]) is not None:
            return sign
        return TimeDirection.UNSAID


class EnglishTenses(Signs):
    def __init__(self, tokens: list[TimeToken]) -> None:
        super().__init__(tokens, _sign)


def _ends_sentence(tokens: list[TimeToken], i: int) -> bool:
    """A full stop within a figure or an abbreviation ends nothing."""
    if tokens[i].text not in _SENTENCE_END:
        return False
    return i + 1 >= len(tokens) or not tokens[i + 1].glued


def _sign(tokens: list[TimeToken], i: int) -> TimeDirection | None:
    word, short = _contracted(tokens[i])
    following = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if short == "ll" or word in _AHEAD or (word, short) == ("let", "s") or (word == "going" and following == "to"):
        return TimeDirection.FUTURE
    if short in ("m", "re", "s") or word in _BE:
        return TimeDirection.FUTURE if following.endswith("ing") else TimeDirection.PRESENT if short != "s" else None
    if (short == "ve" or word in ("has", "have")) and _past_form(following):
        return TimeDirection.PAST
    if word in _ORDERS and (i == 0 or tokens[i - 1].text in _ORDER_LEADS):
        return TimeDirection.FUTURE
    if _past_form(word):
        return TimeDirection.PAST
    return TimeDirection.PRESENT if word in _NOW else None


def _contracted(token: TimeToken) -> tuple[str, str]:
    """A word and what an apostrophe has joined to it: "we're" is not "were"."""
    head, found, tail = token.raw.lower().replace("\u2019", "'").rpartition("'")
    return (head, tail) if found and tail in ("ll", "m", "re", "s", "ve", "d") else (token.text, "")


def _past_form(word: str) -> bool:
    return word in _BACK or (word not in _NOT_PAST and _PAST_ENDING.fullmatch(word) is not None)

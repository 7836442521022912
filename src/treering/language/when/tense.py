"""Does an English sentence look back or ahead? Its verbs and a few plain words tell.

This is no parser: it knows auxiliaries, common irregular pasts, the ending "-ed", and the words
with which one plans.
"""

from __future__ import annotations

import re

from treering.language.listed import listed
from treering.language.when.readers import text_at
from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import TimeToken

_AHEAD = listed(
    "will shall wont gonna upcoming lets remind plan plans planning tomorrow intend intends hope "
    "hopes hoping expect expects expecting deadline due appointment reminder leaves starts begins opens arrives "
    "departs expires"
)
_BACK = listed(
    "was were wasnt werent did didnt had hadnt been went gone saw seen met ate took taken got gotten made said told "
    "bought came became began begun broke brought built caught chose cut drew drank drove fell felt fought found flew "
    "forgot gave grew heard held kept knew known laid led left lent lost meant paid put quit ran rode rose sang sat "
    "sent shot slept spoke spent stood stole swam taught thought threw understood woke won wore wrote written ago "
    "yesterday used last"
)
_BE = listed("am is are isnt arent")
_NOW = _BE | listed("do does can could should would may have has")
_NOT_PAST = listed(
    "need needed bed red speed feed seed indeed breed shed wed embed hundred sacred naked wicked kindred bred fed led "
    "weed deed greed supposed scheduled planned interested"
)
_ORDERS = listed(
    "set put meet find get call send add create make move cancel invite wake order buy start check arrange ask tell "
    "see book reserve schedule"
)
"""Verbs that open a request; "show" and "list" are left out, since one asks them of the past."""
_ORDER_LEADS = listed(". ! ? , ; please to us me and can could should we")
_PERSONS = listed("i you we they")
_NOUNS_TOO = listed("book reserve schedule leaves starts opens")
_VERB_LEADS = _ORDER_LEADS | _PERSONS | listed("who may might must will shall would")
"""What stands before those of them that are verbs."""
_DETERMINERS = listed("a an the my your his her its our their this that these those some any no each every another")
_LIKE_THEIR_PAST = listed("put set")
_ASKS = listed("can could shall should will would may might lets do")
_HELD_BACK = listed("had used needed tried managed forgot got came went")
"""What was, though an infinitive follows: "had to buy"."""
_PAST_ENDING = re.compile(r"[a-z]{2,}ed")


def strong(tokens: list[TimeToken], i: int) -> TimeDirection | None:
    word, short = _contracted(tokens[i])
    before, following = text_at(tokens, i - 1), text_at(tokens, i + 1)
    if word in _NOUNS_TOO and before in _DETERMINERS:
        return None
    if short == "ll" or word in _AHEAD or (word, short) == ("let", "s") or (word == "going" and following == "to"):
        return TimeDirection.FUTURE
    if short in ("m", "re", "s") or word in _BE:
        return TimeDirection.FUTURE if following.endswith("ing") else TimeDirection.PRESENT if short != "s" else None
    if (short == "ve" or word in ("has", "have")) and _past_form(following):
        return TimeDirection.PAST
    if word in _ORDERS and (not before or before in (_VERB_LEADS if word in _NOUNS_TOO else _ORDER_LEADS)):
        return _order(word, before, text_at(tokens, i - 2))
    if _past_form(word):
        return TimeDirection.PAST
    return TimeDirection.PRESENT if word in _NOW else None


def _contracted(token: TimeToken) -> tuple[str, str]:
    """A word and what an apostrophe has joined to it: "we're" is not "were"."""
    head, found, tail = token.raw.lower().replace("\u2019", "'").rpartition("'")
    return (head, tail) if found and tail in ("ll", "m", "re", "s", "ve", "d") else (token.text, "")


def _past_form(word: str) -> bool:
    return word in _BACK or (word not in _NOT_PAST and _PAST_ENDING.fullmatch(word) is not None)


def _order(word: str, before: str, before_that: str) -> TimeDirection | None:
    """A request, unless a finite verb says otherwise: "did we meet", "we put it on hold", "had to buy"."""
    if (before in _PERSONS and before_that in ("did", "didnt")) or (before == "to" and before_that in _HELD_BACK):
        return None
    if word in _LIKE_THEIR_PAST and before == "and":
        return None
    told = word in _LIKE_THEIR_PAST and before == "we" and before_that not in _ASKS
    return TimeDirection.PAST if told else TimeDirection.FUTURE


def weak(tokens: list[TimeToken], i: int) -> TimeDirection | None:
    """ "The girls book a table": a verb, if there is no other and no article before it."""
    if tokens[i].text not in _NOUNS_TOO or text_at(tokens, i - 1) in _DETERMINERS:
        return None
    return TimeDirection.FUTURE

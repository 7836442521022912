"""What does a question ask of the present? Whom and what it is about, and whether there can be more than one answer.

Only questions that ask what is so now are looked at: one that asks what was, or what happened, wants all of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from treering.language.things import FEMALE, MALE, kind_of_noun
from treering.language.values import topic, two_words
from treering.language.words import spelled, stem, words
from treering.recall.cues import Cue
from treering.recall.once import once
from treering.recall.question import Question

TEXTS = 4_096
"""Short ones, of which every pair is looked at: so many are remembered with what was found."""
_IS = r"(?:is|are|am|'s|'re|isn't|aren't)"
_ASKS = re.compile(
    rf"\b(?:who|what|where|which|when|how)(?:\b.{{0,60}}?)?(?:\b{_IS}|'s|\bdo|\bdoes|\bcan)\b"
    rf"|\bwho(?:m)? [a-z-]+[^s]s\b|^\W*(?:(?:and|so|ok|hey) )*(?:{_IS}|do|does|can|have i|have we)\b"
    r"|^\W*how (?:many|much|old)\b[^.]{1,40}\?",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:did|was|were|had|used to|would|will|could|might|should)\b|\bwho [a-z-]+ed\b"
    r"|\b(?:has|have) (?:[\w']+ ){1,4}?[\w-]+(?:ed|en|ne|wn)\b",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(r"^\W*(?:(?:and|so|ok|hey) )*(?:is|are|am|do|does|can|has|have)\b", re.IGNORECASE)
_NOT_SEVERAL = "status|address|class|business|process|glasses|news|does|is|was|has|this"
_SEVERAL = re.compile(
    rf"\b(?:what|which) (?:[a-z'-]+ ){{0,2}}?(?!(?:{_NOT_SEVERAL})\b)[a-z-]+[^su']s (?:do|does|are|have|has|am|can)\b"
    r"|\bwhat are\b|\b(?:all|both|list|each|everything|allergic|anything)\b"
    r"|\bwhat (?:do|does) (?:[\w']+ ){1,3}?(?:own|take|play|speak|collect|read|eat|subscribe to|pay for)\W*$"
    r"|\b(?:do|does) (?:[\w']+ ){1,3}?(?:like|love|enjoy)\W*$",
    re.IGNORECASE,
)
_A_DATE = (
    "(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Sept|Nov|Dec)ember|October"
    "|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
)
_NAME = re.compile(rf"(?<=[a-z,'0-9] )(?![A-Z]{{2,4}}\b|(?:{_A_DATE})\b)[A-Z][\w'-]+")


_HOW_MUCH = re.compile(
    r"\bhow (?:heavy|tall|far|big|long|fast|high|deep|wide|large|hot|cold|late|early)\b", re.IGNORECASE
)
_BESIDE_ME = re.compile(
    r"\b(?:parents|kids|children|twins|cousins?|friends?|partner|roommates?|flatmates?|housemates?|neighbou?rs?"
    r"|colleagues?|coworkers?|classmates?|teammates?|ex)\b"
)
_KIN = (FEMALE | MALE) - {"guy", "lady", "landlord", "landlady"}
_WHICH = re.compile(r"\b(?:what|which)(?: [\w-]+){1,2}", re.IGNORECASE)
"""Which editor, what package manager: not somebody."""
_DOES = re.compile(r"\b(?:do|does|can) (?:i|we|you|he|she|they) [\w-]+", re.IGNORECASE)
"""What do I cook with: nor is that."""
_OF_WHAT = re.compile(r"^\W*(?:is|are|do|does|can) (?:the|our|my|his|her|their) ([\w-]+(?: [\w-]+)?)", re.IGNORECASE)
_WHICH_ONE = re.compile(r"\b(?:what|which) ((?:[\w'-]+ ){1,4}?)(?:do|does|is|are|am|have|has|can)\b", re.IGNORECASE)
_UP_TO = re.compile(r"(?<=\w) (?:of|for|in|on|at|with|from|to)\b", re.IGNORECASE)
_OF_ANYTHING = frozenset(
    words(
        """bring handle keep use take get make run go call pay cost give write written own find put buy hold ride drive
        wear provide eat drink need much many long often old heavy tall far big currently"""
    )
)
_ANYBODY = frozenset(words("people person somebody someone anyone guys guest guests")) | {""}


@dataclass(frozen=True)
class Asked:
    question: Question
    entities: frozenset[str] = frozenset()
    """Those that it names, by id."""
    functional: frozenset[str] = frozenset()
    """Relations that have one value at a time."""

    @once
    def about_now(self) -> bool:
        one = self.question
        past = one.about_past or one.is_recap or one.to_assistant or bool(_THEN.search(one.text))
        return not past and bool(_ASKS.search(one.text))

    @once
    def several(self) -> bool:
        """It asks for all there are: a new one takes no other's place."""
        return not self.yes_or_no and _SEVERAL.search(self.question.text) is not None

    @once
    def yes_or_no(self) -> bool:
        return _YES_OR_NO.search(self.question.text) is not None

    @once
    def stems(self) -> frozenset[str]:
        return topic(self.question.text)

    @once
    def names(self) -> frozenset[str]:
        return frozenset(stem for name in _NAME.findall(self.question.text) for stem in words(name))

    @once
    def people(self) -> frozenset[str]:
        """The stems of "my sister". Who asks for somebody names a role so; who asks how many, what is counted."""
        return (
            frozenset()
            if self.wants_somebody or self.wants_amount
            else people(_DOES.sub(" ", _WHICH.sub(" ", self.question.text)))
        )

    @once
    def whom(self) -> frozenset[str]:
        """The names and people that it is about."""
        return self.names | self.people

    @once
    def thing(self) -> frozenset[str]:
        """What else it is about, without the words that any question has."""
        return (self.stems - self.whom - _OF_ANYTHING) or self.stems - self.whom

    @once
    def subject(self) -> str | None:
        """Of a question to be answered with yes or no, the thing of which it is asked: "is the bakery open?"."""
        found = _OF_WHAT.search(self.question.text)
        return next((stem for stem in words(found[1]) if stem in self.thing), None) if found else None

    @once
    def head(self) -> str | None:
        """The word for the thing itself: lead in "our team lead", captain in "the captain of our club"."""
        which = _WHICH_ONE.search(self.question.text)
        said = which[1] if which else _UP_TO.split(self.question.text, maxsplit=1)[0]
        return next((stem for stem in reversed(words(said)) if stem in self.thing), None)

    @once
    def wants_time(self) -> bool:
        return self.question.asks_for is Cue.TIME

    @once
    def wants_amount(self) -> bool:
        return self.question.asks_for is Cue.NUMBER or _HOW_MUCH.search(self.question.text) is not None

    @once
    def wants_a_measure(self) -> bool:
        return self.wants_time or self.wants_amount

    @once
    def wants_somebody(self) -> bool:
        return self.question.asks_for is Cue.NAME

    @once
    def wants_place(self) -> bool:
        return self.question.asks_for is Cue.PLACE


def another_of_the_kind(asked: Asked, old: str, new: str, held: frozenset[str]) -> bool:
    """Where the question and the older text name a thing by two words, "gate code", the newer names another of the
    kind, "alarm code". `held`: the stems of the newer."""
    was, is_ = two_words(old), two_words(new)
    named = [pair for pair in two_words(asked.question.text) if pair in was and pair[0] not in held]
    return any(other == second and before not in asked.stems for _, second in named for before, other in is_)


@lru_cache(TEXTS)
def people(text: str) -> frozenset[str]:
    """The stems of the words that mean somebody in particular: sister, manager, neighbour."""
    return frozenset(stem(word) for word in spelled(text) if kind_of_noun(word) == "person") - _ANYBODY


@lru_cache(TEXTS)
def kin(text: str) -> frozenset[str]:
    """The stems of the words for people who lead lives of their own beside the speaker's: a sister does, what a doctor
    does is done to somebody."""
    return frozenset(stem(word) for word in spelled(text) if word in _KIN or _BESIDE_ME.fullmatch(word)) - {""}

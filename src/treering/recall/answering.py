"""Which part of a statement answers a question? What it is said of, and whether it gives a value of the kind asked for.

"My gas bill is 60 euros" is said of the gas bill: who asks for the phone bill, of which an older statement speaks, is
not answered by it. "They raised it to 60 euros" is said of nothing else. The words decide, English ones.
"""

from __future__ import annotations

import re
from functools import lru_cache

from treering.language.standing import names_what_changed, what_ended
from treering.language.subject import OF_ANY, STANDS_FOR_IT, owners, said_of
from treering.language.values import clash
from treering.language.words import words
from treering.recall.asked_now import TEXTS, Asked, kin, people
from treering.recall.stated import Statement

MINE = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|i'm|i've|we're|we've)\b", re.IGNORECASE)

# values
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_A_MONTH = re.compile(rf"\b(?:in|until|till|to|by|from|for) ({_MONTHS})\b", re.IGNORECASE)
_A_COUNT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|no|once|twice|daily|weekly|\d[\d.,]*)\b",
    re.IGNORECASE,
)
_WHEN_OR_HOW_MUCH = re.compile(
    rf"\b(?:every|each|daily|weekly|monthly|yearly|mornings?|afternoons?|evenings?|nights?|noon|midnight|weekends?|half"
    rf"|quarter|{_DAYS}|{_MONTHS}|spring|summer|autumn|winter|\d+(?:st|nd|rd|th)|twenty|thirty|forty|fifty)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?<![\w.])[$€£]?\d[\d,.]*\s?(?!(?:is|are|was|an?|the|of|and|or|on|in|at|to|for|by|it|so|but|with|now|again)\b)(%|[a-z]{1,8}\b)",
    re.IGNORECASE,
)
_NO_NAME = rf"(?!(?i:{_DAYS}|{_MONTHS})\b|(?:Dr|Mr|Mrs|Ms|Prof|Professor|Captain|Saint|St)\b)"
_A_NAME = re.compile(rf"\b{_NO_NAME}[A-Z][\w'-]+")
_SOMEBODY = re.compile(rf"(?<!\bin )(?<!\bat )(?<!\bnear )\b{_NO_NAME}[A-Z][\w-]+")
_A_PLACE = re.compile(
    r"\b(?:in|at|to|on|onto|into|near|under|behind|by|inside|with|of|from|above|below|outside|across|between)"
    r" (?:(?:the|my|a|our|her|his) )?\w+|\d+",
    re.IGNORECASE,
)
_NAME_OF_A_PLACE = re.compile(
    r"(?:^|[,!.:] ?|\b(?:in|at|to|with|for|from|of|near|by|on|joined|called|named|is|are|'s|it's)(?: the| an?)? )"
    r"((?-i:[A-Z])[\w'-]+)",
    re.IGNORECASE,
)

_OBJECT = re.compile(r"\W+(?:\w+ )?(?:the|an?|my|our|his|her|their) ((?:[\w-]+ ?){1,3})", re.IGNORECASE)

_NAMED_OBJECT = re.compile(
    r"\W+(?:(?!(?:it|them|him|her|that|this|the|my|our|an?|to|for|by)\b)[a-z]+ (?:to |for )?)?"
    r"(?:(?:of|from|at|in|with|as|the|my|our|an?) )*([A-Z][\w-]+)"
)
_OF_THE_SUBJECT = re.compile(
    r"\b(?:no longer|any ?more|let (?:me|us) go)\b"
    r"|\b(?:(?:is|are|'s) (?:out|over|off|done|history)|left|quit|retired|resigned|died|closed)\W*$",
    re.IGNORECASE,
)
"""What is said to have ended is what the clause is said of."""

# whose it is
_THEIRS = re.compile(r"\b(?:their|his|her) ((?:[\w-]+ ?){1,2})", re.IGNORECASE)


@lru_cache(TEXTS)
def stems_of(text: str) -> frozenset[str]:
    return frozenset(words(text))


@lru_cache(TEXTS)
def named(text: str) -> frozenset[str]:
    """The stems of the words with a capital."""
    return frozenset(stem for name in _A_NAME.findall(text) for stem in words(name))


# what it is said of


def is_of_another(asked: Asked, old: Statement, clause: str) -> bool:
    """It is said of something, or of what belongs to somebody, of whom neither the question nor the older one speaks.
    What a doctor or a landlord does is said of what they do it to."""
    if belongs_to_another(asked, old, clause):
        return True
    told = said_of(clause)
    first = told.lower().split()
    if not told or first[0][0].isdigit() or not STANDS_FOR_IT.isdisjoint((first[0], first[-1])):
        return False
    if _uncounted(told) <= old.stems | asked.stems | OF_ANY:
        return False
    done_to = clause[clause.find(told) + len(told) :]
    done = MINE.search(done_to) or (people(told) and asked.thing & stems_of(done_to))
    return bool(kin(told)) or not done


@lru_cache(TEXTS)
def _theirs(clause: str) -> tuple[str, ...]:
    """What is said to be his, hers or theirs."""
    return tuple(_THEIRS.findall(clause))


@lru_cache(TEXTS)
def _uncounted(told: str) -> frozenset[str]:
    return stems_of(_A_COUNT.sub(" ", told))


def belongs_to_another(asked: Asked, old: Statement, clause: str) -> bool:
    """Pia's desk is not mine."""
    theirs = _theirs(clause)
    if "'" not in clause and "\u2019" not in clause and not theirs:
        return False
    mine = not asked.whom and MINE.search(asked.question.text) is not None
    if mine and any(asked.stems & stems_of(owned) for owned in theirs):
        return True
    known = old.stems | asked.stems | OF_ANY
    return any(
        not stems_of(owner) <= known and bool(asked.stems & stems_of(owned) or kin(owned))
        for owner, owned in owners(clause)
    )


def ends_something_else(asked: Asked, old: Statement, clause: str) -> bool:
    """What ended is another thing: "finished the roof", "stopped taking Nexium", "the projector got replaced"."""
    after, known = what_ended(clause), old.stems | asked.stems
    if after is not None and (object_ := _OBJECT.match(after)):
        return stems_of(object_[1]).isdisjoint(known)
    if ends_another_by_name(asked, old, clause):
        return True
    return is_of_another(asked, old, clause) and old.topic.isdisjoint(stems_of(clause))


def ends_another_by_name(asked: Asked, old: Statement, clause: str) -> bool:
    """ "Stopped taking Nexium" and "Nexium is off the list" say nothing of Zyrtec."""
    if not named(old.text) - asked.stems:
        return False
    ended = _named_as_ended(clause)
    return bool(ended) and ended.isdisjoint(old.stems | asked.stems)


@lru_cache(TEXTS)
def _named_as_ended(clause: str) -> frozenset[str]:
    """The stems of what ended, where it has a name: "no longer married to Eva", "Tom is no longer my manager". Where it
    says what came in its place as well, there is no telling."""
    after = what_ended(clause)
    if after is None or names_what_changed(clause):
        return frozenset()
    object_ = _NAMED_OBJECT.match(after)
    if object_:
        return named(object_[1])
    return named(said_of(clause)) if _OF_THE_SUBJECT.search(clause) else frozenset()


# what value it gives


@lru_cache(TEXTS)
def another_measure(old: str, new: str) -> str | None:
    """The kind of number, date or hour of which the two give different ones."""
    if kind := clash(old, new):
        return kind
    for kind, pattern in (("number", _A_COUNT), ("month", _A_MONTH)):
        was, is_ = _found(pattern, old), _found(pattern, new)
        if was and is_ and was.isdisjoint(is_):
            return kind
    return None


def same_unit(old: str, new: str) -> bool:
    return not _found(_UNIT, old).isdisjoint(_found(_UNIT, new))


@lru_cache(TEXTS)
def _found(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(one.lower() for one in pattern.findall(text))


def gives_a_value(asked: Asked, old: Statement, clause: str) -> bool:
    """Something of the kind that is asked for, which the older one does not have."""
    known = old.stems | asked.stems
    if asked.wants_a_measure:
        other = another_measure(old.text, clause) is not None
        return other or (_WHEN_OR_HOW_MUCH.search(clause) is not None and not stems_of(clause) <= known)
    if asked.wants_somebody:
        who = {stem for name in _SOMEBODY.findall(clause) for stem in words(name)}
        beside = {stem for owner, owned in owners(clause) if people(owned) for stem in words(f"{owner} {owned}")}
        return not who <= known | beside
    if asked.wants_place:
        places = (words(one)[-1:] for one in _A_PLACE.findall(clause))
        there = {stem for name in _NAME_OF_A_PLACE.findall(clause) for stem in words(name)}
        return not there <= known or any(one and one[0] not in known for one in places)
    return not stems_of(clause) <= known

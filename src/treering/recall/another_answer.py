"""Does a later statement answer the same question with another value? Also where no word of it says that this is new.

Two statements answer one question if the later one holds the words of the question that the older one holds, or speaks
of what was there before, or gives a value in the same unit, and what it says is said of nothing else. Likeness of
meaning is asked for beside that, never alone: "I keep rice in the drawer" is as like "I keep flour in the pantry" as
any change of mind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from treering.language.standing import adds, names_what_changed, says_it_ended, stays_the_same
from treering.language.subject import said_of
from treering.language.words import words
from treering.recall.answering import (
    another_measure,
    belongs_to_another,
    gives_a_value,
    is_of_another,
    named,
    same_unit,
    stems_of,
)
from treering.recall.asked_now import Asked
from treering.recall.once import once
from treering.recall.pair import LOOSELY, Pair

QUESTIONS = 64
"""Those asked last, of which every pair is looked at: so many are remembered with what was found."""
FEW_WORDS = 20
"""More say more than one thing, and what is new in them may be of another."""
NEAR = 0.25
"""The share of how near the older one is to the question that the later one, or what was said with it, must reach."""
AS_NEAR, HALF, MORE_THAN_HALF, NEARLY = 0.3, 0.5, 0.6, 0.95
_OCCASION = frozenset({"date", "month"})
"""Of two of these the one is no news of the other: a journey in March, and one in June."""
_THEN = re.compile(r"\b(?:did|was|were|had|in (?:19|20)\d\d)\b", re.IGNORECASE)
_SEVERAL_DO = re.compile(
    r"\bwho(?:'s| is| are)? (?:in|at|from|with|coming|going|likes?|loves?|plays?(?! goal)|has|have|knows?|speaks?"
    r"|wants?|comes?|attends?|all|else|eats?|lives?)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\bwhat (?:does|do|is|are|am|'s)\b(?: [\w']+){1,4}? (?:do(?! for (?:work|a living))|like|love|enjoy|think|feel"
    r"|want|inspired|excited|proud|interested|about|mean)\b"
    r"|\bhow (?:is|are|does|do)\b(?!.*\b(?:get|go|travel|commute|heat|take|pay|make)\b)"
    r"|\bwhy\b|\bkind of\b|\bwhat happened|\bone of\b",
    re.IGNORECASE,
)
_OF_ONE = frozenset(
    words(
        "live reside stay work drive date sit sleep park pay cost weigh earn start begin end open close report commute"
        " ship launch land leave host keep store hold held take get use go heat happen"
    )
)
"""What is done in one place, for one price, at one time."""
_DOES = re.compile(
    r"^\W*(?:(?:and|so|but|hey),? )*(?:what|who|whom|where)"
    r" (?:do|does|(?:is|are|am) (?:(?:my|our|the|his|her|their) )?(?!(?:my|our|the|his|her|their|an?)\b)\w+"
    r" (?:\w+ing|good at))\b",
    re.IGNORECASE,
)


def _may_be_several(pair: Pair) -> bool:
    """It is asked what somebody does, and no word says that it is new: who drinks coffee may drink tea as well."""
    return not pair.new.speaks_of_change and _asks_what_is_done(pair.asked.question.text)


@lru_cache(QUESTIONS)
def _asks_what_is_done(text: str) -> bool:
    return _DOES.search(text) is not None and _OF_ONE.isdisjoint(words(text))


def is_open(asked: Asked) -> bool:
    """There is more than one thing to say to it: "what does she do to relax?"."""
    return _is_open(asked.question.text)


@lru_cache(QUESTIONS)
def _is_open(text: str) -> bool:
    return _OPEN.search(text) is not None


@dataclass(frozen=True)
class Answer:
    """The clauses of the later statement that give a value of the kind asked for."""

    pair: Pair
    clauses: tuple[str, ...]

    @once
    def own(self) -> tuple[str, ...]:
        """Those that are not said of another thing."""
        pair = self.pair
        return tuple(one for one in self.clauses if not is_of_another(pair.asked, pair.old, one))

    @once
    def fresh(self) -> tuple[str, ...]:
        """Those of them that name something that neither the question nor the older one does, or measure it."""
        pair, known = self.pair, self.pair.old.stems | self.pair.asked.stems
        known |= frozenset() if pair.asked.wants_somebody else pair.new.names
        return tuple(one for one in self.own if (pair.is_measured or named(one) - known) and not _THEN.search(one))

    @once
    def held(self) -> float:
        """The share of the question's words in the older one that the later one holds."""
        return len(self.pair.was & self.pair.new.held) / max(len(self.pair.was), 1)


def another_answer(pair: Pair) -> str | None:
    """Why the older one gives way, if it does."""
    if not _may_answer(pair):
        return None
    asked, measured = pair.asked, pair.is_measured
    told = tuple(
        one
        for one in pair.new.clauses
        if not stays_the_same(one)
        and gives_a_value(asked, pair.old, one)
        and (measured or asked.yes_or_no or not says_it_ended(one) or names_what_changed(one))
    )
    answer = Answer(pair, told)
    if not told or (pair.near < NEAR * pair.old.near and not (pair.names_before and pair.new.speaks_of_change)):
        return None
    return next((rule.why for rule in _rules(pair, measured) if pair.like >= rule.like and rule.holds(answer)), None)


def _may_answer(pair: Pair) -> bool:
    asked, old, new = pair.asked, pair.old, pair.new
    if _may_be_several(pair):
        return False
    if asked.several or is_open(asked) or pair.like < LOOSELY or adds(new.states):
        return False
    if max(old.length, new.length) > FEW_WORDS:
        return False
    if new.is_to_come and not asked.wants_time:
        return False
    if (pair.is_for_a_while and not pair.is_measured) or pair.of_another_kind or pair.stays_the_same:
        return False
    if not pair.is_measured and not pair.new.speaks_of_change and another_measure(old.text, new.text) in _OCCASION:
        return False
    said_again = not pair.new.speaks_of_change and any(old.topic <= stems_of(one) for one in new.around)
    return asked.yes_or_no or not (said_again and pair.names_before)


@dataclass(frozen=True, slots=True)
class Rule:
    """How like in meaning the two must be, and what else must hold."""

    why: str
    like: float
    holds: Callable[[Answer], object]


def _rules(pair: Pair, measured: bool) -> tuple[Rule, ...]:
    if pair.asked.wants_somebody:
        several = _SEVERAL_DO.search(pair.asked.question.text)
        return () if several else OF_SOMEBODY
    if pair.asked.yes_or_no:
        return YES_OR_NO
    return MEASURED if measured else OF_A_PLACE if pair.asked.wants_place else OF_A_THING


def _says_it_of_the_same(answer: Answer) -> bool:
    """Something new is said of what is asked about. In "invoice 22 is overdue" what is new is what it is said of: that
    is another invoice."""
    known = answer.pair.old.stems | answer.pair.asked.stems
    told = any(stems_of(one) - known - stems_of(said_of(one)) for one in answer.own)
    return told or (bool(answer.own) and answer.pair.new.speaks_of_change)


def _is_mine(answer: Answer) -> bool:
    pair = answer.pair
    return not all(belongs_to_another(pair.asked, pair.old, one) for one in answer.clauses)


def _holds_the_last(answer: Answer) -> bool:
    """What the question ends with, and the older one holds: who looks after the garden is asked of the garden."""
    pair = answer.pair
    last = next((stem for stem in reversed(words(pair.asked.question.text)) if stem in pair.was), None)
    return last in pair.new.held and answer.held >= HALF


def _replaces(answer: Answer) -> bool:
    return answer.pair.replaces(answer.clauses)


def _speaks_of_the_old(answer: Answer) -> bool:
    """It speaks of something in the older one that is not in the question, by whatever word."""
    pair = answer.pair
    return pair.shares and not (pair.old.topic - pair.asked.stems).isdisjoint(pair.new.held)


def _is_to_the_point(answer: Answer) -> bool:
    """To be answered with yes or no: the later one speaks of the thing, and of no more than one thing else."""
    pair = answer.pair
    lost = pair.was - pair.new.held
    return pair.shares and pair.asked.subject not in lost and len(lost) < 2


SAME, INSTEAD, ELSE, OTHER, CHANGED = (
    "answers the same with another value",
    "speaks of it and of what is there instead",
    "says something else of it",
    "gives another value",
    "says that it has changed",
)
_NEWS = Rule(  # we rent in Leith: got the keys to the house in Musselburgh
    CHANGED, 0.35, lambda a: a.pair.new.speaks_of_change and a.fresh and a.pair.near >= MORE_THAN_HALF * a.pair.old.near
)
_REPLACED = Rule(  # our sitter is Lotte: Lotte is off to college, the new one is Dagny
    INSTEAD, 0.33, lambda a: a.pair.new.speaks_of_change and _replaces(a)
)
_BESIDE_THE_OLD = Rule(  # in Kyoto we stay at the Tawaraya: it was overbooked, so it's the Granvia in Kyoto
    INSTEAD, 0.33, lambda a: a.pair.shares and a.pair.replaces(a.own)
)
OF_SOMEBODY = (
    # Yusuf is our scrum master: Brigid is scrum master
    Rule(SAME, 0.38, lambda a: a.pair.covers and _is_mine(a)),
    # Priscilla leads Kestrel: with Priscilla on leave, Henning is running Kestrel
    Rule(INSTEAD, 0.33, lambda a: (a.pair.shares or a.pair.new.speaks_of_change) and _replaces(a) and _is_mine(a)),
    # Femke chairs the allotment association: elections at the allotment, Wim is chair
    Rule(SAME, 0.5, lambda a: (a.held >= MORE_THAN_HALF or _holds_the_last(a)) and _is_mine(a)),
)
YES_OR_NO = (
    # Anders has a beard: Anders shaved his beard off
    Rule(ELSE, 0.42, lambda a: a.pair.covers and a.own),
    # my shoulder is in a sling: the sling is off
    Rule(ELSE, 0.55, lambda a: a.pair.new.speaks_of_change and _is_to_the_point(a) and a.own),
    # Lukas is allergic to eggs: Lukas has outgrown the egg thing
    Rule(ELSE, 0.62, lambda a: _is_to_the_point(a) and a.own),
)
_OF_ANY_KIND = (
    _REPLACED,
    # we heat with an oil boiler: heat pump's installed, boiler hauled away
    Rule(INSTEAD, 0.6, _speaks_of_the_old),
    # the frontend is in Angular: the frontend's all Svelte
    Rule(SAME, 0.38, lambda a: a.pair.covers and _says_it_of_the_same(a)),
    _NEWS,
    _BESIDE_THE_OLD,
)
OF_A_THING = (
    *_OF_ANY_KIND,
    # I meditate with Calm: Calm got boring, Oak does it for me
    Rule(INSTEAD, 0.4, lambda a: a.fresh and a.pair.replaces(a.own)),
)
OF_A_PLACE = (
    # nearer to the question than the older one
    Rule(SAME, 0.34, lambda a: a.fresh and a.pair.new.near >= max(AS_NEAR, NEARLY * a.pair.old.near)),
    *_OF_ANY_KIND,
    # Sabine lives above the pharmacy: Sabine has a place by the harbour
    Rule(SAME, 0.42, lambda a: a.own and a.pair.asked.whom & a.pair.old.stems & a.pair.new.held),
)
MEASURED = (
    _REPLACED,
    # the exam is at nine: the exam is at ten
    Rule(OTHER, 0.38, lambda a: a.pair.covers and _says_it_of_the_same(a)),
    _NEWS,
    _BESIDE_THE_OLD,
    # pull requests need two approvals: one approval is enough for a merge
    Rule(OTHER, 0.5, lambda a: a.pair.shares and a.own and _says_it_of_the_same(a)),
    # I take 50 mg of it: they upped me to 75 mg
    Rule(OTHER, 0.48, lambda a: any(same_unit(a.pair.old.text, one) for one in a.own)),
)
"""By what is asked for, the rules in the order in which they are tried, each with an older and a later statement."""

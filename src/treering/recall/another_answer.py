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

from treering.language.standing import adds, names_what_changed, says_it_ended, stays_the_same
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
from treering.recall.pair import LOOSELY, Pair

FEW_WORDS = 20
"""More say more than one thing, and what is new in them may be of another."""
NEAR = 0.25
"""The share of how near the older one is to the question that the later one, or what was said with it, must reach."""
AS_NEAR, MORE_THAN_HALF, NEARLY = 0.3, 0.6, 0.95
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


def is_open(asked: Asked) -> bool:
    """There is more than one thing to say to it: "what does she do to relax?"."""
    return _OPEN.search(asked.question.text) is not None


@dataclass(frozen=True)
class Answer:
    """The clauses of the later statement that give a value of the kind asked for."""

    pair: Pair
    clauses: tuple[str, ...]

    @property
    def own(self) -> tuple[str, ...]:
        """Those that are not said of another thing."""
        pair = self.pair
        return tuple(one for one in self.clauses if not is_of_another(pair.asked, pair.old, one))

    @property
    def fresh(self) -> tuple[str, ...]:
        """Those of them that name something that neither the question nor the older one does, or measure it."""
        pair, known = self.pair, self.pair.old.stems | self.pair.asked.stems
        known |= frozenset() if pair.asked.wants_somebody else pair.new.names
        return tuple(one for one in self.own if (is_measured(pair) or named(one) - known) and not _THEN.search(one))

    @property
    def held(self) -> float:
        """The share of the question's words in the older one that the later one holds."""
        return len(self.pair.was & self.pair.held) / max(len(self.pair.was), 1)


def is_measured(pair: Pair) -> bool:
    """A number, an hour or a date is asked for, or given by both."""
    asked = pair.asked
    if asked.wants_a_measure:
        return True
    other = asked.wants_somebody or asked.wants_place or asked.yes_or_no
    return not other and another_measure(pair.old.text, pair.new.text) is not None


def another_answer(pair: Pair) -> str | None:
    """Why the older one gives way, if it does."""
    if not _may_answer(pair):
        return None
    asked, measured = pair.asked, is_measured(pair)
    told = tuple(
        one
        for one in pair.new.clauses
        if not stays_the_same(one)
        and gives_a_value(asked, pair.old, one)
        and (measured or asked.yes_or_no or not says_it_ended(one) or names_what_changed(one))
    )
    answer = Answer(pair, told)
    if not told or (pair.near < NEAR * pair.old.near and not (pair.names_before and pair.speaks_of_change)):
        return None
    return next((rule.why for rule in _rules(pair, measured) if pair.like >= rule.like and rule.holds(answer)), None)


def _may_answer(pair: Pair) -> bool:
    asked, old, new = pair.asked, pair.old, pair.new
    if asked.several or is_open(asked) or pair.like < LOOSELY or adds(new.states):
        return False
    if max(len(old.text.split()), len(new.text.split())) > FEW_WORDS:
        return False
    if new.is_to_come and not asked.wants_time:
        return False
    if (pair.is_for_a_while and not is_measured(pair)) or pair.of_another_kind or pair.stays_the_same:
        return False
    if not is_measured(pair) and not pair.speaks_of_change and another_measure(old.text, new.text) in _OCCASION:
        return False
    said_again = not pair.speaks_of_change and any(old.topic <= stems_of(one) for one in new.around)
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


def _value_last(answer: Answer) -> bool:
    """What is new stands behind what is asked about, or before it in a clause of its own. In "invoice 22 is overdue" it
    stands before: that is another invoice."""
    pair = answer.pair
    for one in answer.own:
        said = words(one)
        fresh = [place for place, stem in enumerate(said) if stem not in pair.old.stems | pair.asked.stems]
        known = [place for place, stem in enumerate(said) if stem in pair.asked.stems]
        if not known or (fresh and fresh[-1] > known[-1]):
            return True
    return pair.speaks_of_change


def _is_mine(answer: Answer) -> bool:
    pair = answer.pair
    return not all(belongs_to_another(pair.asked, pair.old, one) for one in answer.clauses)


def _replaces(answer: Answer) -> bool:
    return answer.pair.replaces(answer.clauses)


def _of_the_old(answer: Answer) -> bool:
    """It speaks of something in the older one that is not in the question, by whatever word."""
    pair = answer.pair
    return pair.shares and not (pair.old.topic - pair.asked.stems).isdisjoint(pair.held)


def _not_beside_it(answer: Answer) -> bool:
    """To be answered with yes or no: the later one speaks of the thing, and of no more than one thing else."""
    pair = answer.pair
    lost = pair.was - pair.held
    return pair.shares and pair.asked.subject not in lost and len(lost) < 2


SAME, INSTEAD, ELSE, OTHER = (
    "answers the same with another value",
    "speaks of it and of what is there instead",
    "says something else of it",
    "gives another value",
)
_CHANGED = Rule(
    "says that it has changed",
    0.35,
    lambda a: a.pair.speaks_of_change and a.fresh and a.pair.near >= MORE_THAN_HALF * a.pair.old.near,
)
OF_SOMEBODY = (
    Rule(SAME, 0.38, lambda a: a.pair.covers and _is_mine(a)),
    Rule(INSTEAD, 0.33, lambda a: (a.pair.shares or a.pair.speaks_of_change) and _replaces(a) and _is_mine(a)),
    Rule(SAME, 0.5, lambda a: a.held >= MORE_THAN_HALF and _is_mine(a)),
)
YES_OR_NO = (
    Rule(ELSE, 0.42, lambda a: a.pair.covers and a.own),
    Rule(ELSE, 0.55, lambda a: _not_beside_it(a) and a.pair.speaks_of_change and a.own),
    Rule(ELSE, 0.62, lambda a: _not_beside_it(a) and a.own),
)
OF_A_THING = (
    Rule(INSTEAD, 0.33, lambda a: a.pair.speaks_of_change and _replaces(a)),
    Rule(INSTEAD, 0.6, _of_the_old),
    Rule(SAME, 0.38, lambda a: a.pair.covers and _value_last(a)),
    _CHANGED,
    Rule(INSTEAD, 0.4, lambda a: a.fresh and a.pair.replaces(a.own)),
    Rule(INSTEAD, 0.33, lambda a: a.pair.shares and a.pair.replaces(a.own)),
)
OF_A_PLACE = (
    Rule(SAME, 0.34, lambda a: a.fresh and a.pair.new.near >= AS_NEAR and a.pair.new.near >= NEARLY * a.pair.old.near),
    *(rule for rule in OF_A_THING if rule.like != 0.4),
    Rule(SAME, 0.42, lambda a: a.own and a.pair.asked.whom & a.pair.old.stems & a.pair.held),
)
MEASURED = (
    Rule(INSTEAD, 0.33, lambda a: a.pair.speaks_of_change and _replaces(a)),
    Rule(OTHER, 0.38, lambda a: a.pair.covers and _value_last(a)),
    _CHANGED,
    Rule(INSTEAD, 0.33, lambda a: a.pair.shares and a.pair.replaces(a.own)),
    Rule(OTHER, 0.5, lambda a: a.pair.shares and a.own and _value_last(a)),
    Rule(OTHER, 0.48, lambda a: any(same_unit(a.pair.old.text, one) for one in a.own)),
)

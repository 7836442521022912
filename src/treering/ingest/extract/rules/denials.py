"""What does a negation end? "I don't use Slack" ends it; "I didn't use Slack today" and "not on weekends" end nothing.

Only a plain denial of what is so, or one that says "no longer", ends a fact. What was not so one day, at some hours or
for some purpose may well be so at all others.
"""

from __future__ import annotations

import re

from treering.ingest.extract.rules.clauses import Clause, numbers
from treering.ingest.extract.rules.lexicon import APOSTROPHE, words
from treering.ingest.extract.rules.times import says_since, windows_in
from treering.ingest.extract.rules.words import FILLERS
from treering.language.when.window import Grain

_NOT = frozenset(("not", "n't", "nt"))
_SAID_NOW = words("do, does, am, is, are, 'm, 're, 's, m, s, re, ai, im, have, has, 've, ve")
"""Helpers of what is so now; what did not, would not or cannot be says nothing of it."""
_AT_TIMES = words(
    """
    always, usually, often, every, everyday, daily, weekly, much, only, just, necessarily, exclusively, solely, all,
    both, yet, today, tonight, weekend, weekends, weekday, weekdays, mondays, tuesdays, wednesdays, thursdays, fridays,
    saturdays, sundays, mornings, evenings, nights
    """
)
_NOT_QUITE = re.compile(
    r"\b(?:right now|at the moment|for now|fluently|perfectly)\b"
    r"|\b(?:very|that|so|too|particularly|terribly) (?:well|much|often)\b|\bwell[.!]*$",
    re.I,
)
"""For a while, or not as much as one could."""
_FOR_SOMETHING = re.compile(
    r"^(?: \[t\d+\])* (?:(?:on|for|at|in|during|with|by|without|inside|outside) \[|(?:when|while|if|unless|until|before"
    r"|after|alone|there|as)\b)"
)
_PART_OF_PLACE = words(
    """
    downtown, midtown, uptown, central, inner, outer, greater, suburban, rural, mainland, upstate, north, south, east,
    west, northern, southern, eastern, western
    """
)
_GONE = frozenset(("left", "leave", "leaving", "leaves"))


def has_ended(clause: Clause) -> bool:
    """Whether a negation says that it was so before: "not … anymore", "no longer"."""
    return any(word in ("anymore", "longer", "more") for word in clause.negations)


def denies_a_part(clause: Clause, marks: str, rest: str) -> bool:
    """Whether less is denied than the whole fact. `marks` are the phrases claimed, `rest` the words after them."""
    if any(_is_part_of_place(clause, number) for number in numbers(marks)):
        return True
    if has_ended(clause):
        return False
    some_day = any(not says_since(window) for window in windows_in([clause]))
    less = clause.words & _AT_TIMES or _NOT_QUITE.search(clause.text) or _FOR_SOMETHING.match(rest)
    return some_day or bool(less)


def denies_now(clause: Clause) -> bool:
    """Whether what is denied is said of now: "don't", "isn't" and "never", and not "didn't" or "wouldn't"."""
    return has_ended(clause) or not _NOT & set(clause.negations) or _is_said_of_now(clause)


def goes_out(clause: Clause) -> bool:
    """ "I left Google at 6 pm" tells of a day's work, and not of its end."""
    hours = any(window.grain < Grain.DAY for window in windows_in([clause]))
    return hours and bool(clause.words & _GONE)


def _is_part_of_place(clause: Clause, number: int) -> bool:
    phrase = clause.phrase(number)
    before = phrase.text.partition(phrase.name)[0] if phrase.name else ""
    return bool(_PART_OF_PLACE & set(before.lower().split()))


def _is_said_of_now(clause: Clause) -> bool:
    said = clause.reading.words
    for k in range(clause.start, clause.end):
        if said[k].lower_ not in _NOT:
            continue
        helper = k - 1
        while helper > clause.start and said[helper].lower_ in FILLERS:
            helper -= 1
        if helper >= clause.start and said[helper].lower_.replace(APOSTROPHE, "'") in _SAID_NOW:
            return True
    return False

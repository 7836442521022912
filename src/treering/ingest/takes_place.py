"""Does a statement take the place of another? What the words of the two say, where no known fact decides it.

Each rule answers for a pair of statements near one another in meaning, the newer of which says by its words that
something has changed or was wrong. Likeness alone decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from treering.ingest.extract.contract import Cue
from treering.language.standing import adds, stated
from treering.language.subject import OF_ANY, STANDS_FOR_IT, owners, said_of
from treering.language.things import kind_of_noun
from treering.language.values import clash, of_two_kinds, topic
from treering.language.words import words

SAME_THING = 0.5
SAME_SLOT, SLOT_WORDS = 0.6, 2
"""The share of the words of the shorter, names and values aside, that two statements must have in common: to speak of
one thing; and to say the same of it but for a name."""
ONE_THING_WORDS = 32
"""A statement of more words says more than one thing."""
_WHAT = r"\s+((?:(?!but\b)[\w'$€£.:/-]+\s?){1,4})"
_NOT = re.compile(rf"\b(?:not|isn't|wasn't|never|instead of|rather than|replaces){_WHAT}", re.I)
_NO_LONGER = re.compile(rf"\bno longer{_WHAT}", re.I)

_ANY_MORE = re.compile(r"\bany ?more\b", re.I)
_UNTRUE = re.compile(
    r"\b(?:not true|isn't true|wasn't true|untrue|never happened|was (?:wrong|mistaken) about|mixed up)\b", re.I
)
_OFF = re.compile(
    r"\b(?:not happening|called? (?:it )?off|cancell?ed|fell through|not going (?:ahead|after all)|scrapped"
    r"|changed my mind|turned .{0,30}\bdown|backed out|decided against|no longer (?:going|planning|moving))\b",
    re.I,
)
_TAKES_BACK = re.compile(
    r"\b(?:correction|i meant?|scratch that|ignore (?:that|what)|my bad|wait|oops|sorry|typo|misread|misspoke|mistake"
    r"|mistaken|wrong|mixed up|confused)\b",
    re.I,
)
_NAMES_IT = re.compile(r"\b(?:called|named|names?)\b", re.I)
_HAS_CHANGED = re.compile(
    r"\b(?:now|nowadays|these days|moved|relocated|switched|joined|started|became|since|no longer|any ?more|left"
    r"|quit)\b",
    re.I,
)
_TOLD = re.compile(r"\b(?:heard from|according to|says?|told)\b.{0,30}", re.I)
_PLAN = re.compile(
    r"\b(?:thinking (?:of|about)|planning|plans? to|considering|going to|gonna|want(?:s|ed)? to|hop(?:e|ing) to|booked"
    r"|signed up|will|'ll|looking (?:at|into)|applied|got into|accepted)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements in the words in which they were said, the older first, with the names in each."""

    old: str
    new: str
    cue: Cue | None
    old_names: frozenset[str] = frozenset()
    new_names: frozenset[str] = frozenset()
    same_session: bool = False
    old_values: frozenset[str] = frozenset()
    """What the facts of the older one name."""

    def denies(self, words_for_it: re.Pattern[str]) -> bool:
        """The newer says, in these words, that it is not what the older says it is: a name, a number, or how it ends.
        "Not live in Boston" is none of "live in Austin"."""
        before = f" {' '.join(_plain(self.old))} "
        for match in words_for_it.finditer(self.new):
            said = _plain(match.group(1))
            for length in range(len(said), 0, -1):
                phrase = f" {' '.join(said[:length])} "
                if phrase in before and self._is_said_of_it(phrase, before, length):
                    return True
        return False

    def _is_said_of_it(self, phrase: str, before: str, length: int) -> bool:
        if any(one.isdigit() for one in phrase):
            return True
        values, names = ([f" {' '.join(_plain(one))} " for one in some] for some in (self.old_values, self.old_names))
        named = any(one in phrase for one in names) or before.endswith(phrase)
        return any(one in phrase for one in values) or (length > 1 and named)

    @property
    def affirmed(self) -> str:
        """The newer one, without what it says that it is not."""
        return _NO_LONGER.sub(" ", _NOT.sub(" ", self.new))

    @property
    def other_value(self) -> bool:
        """The newer gives another value of a kind of which the older gives one."""
        return clash(self.old, self.affirmed) is not None

    @property
    def told_of(self) -> frozenset[str]:
        """Whom the older speaks of; who told it does not count."""
        teller = _TOLD.search(self.old)
        return frozenset(name for name in self.old_names if teller is None or name not in teller.group())

    @property
    def shared(self) -> tuple[int, float]:
        """How many words both have, names and values aside, and what share of the shorter that is."""
        was, is_ = self._slot(self.old, self.old_names), self._slot(self.new, self.new_names)
        both = len(was & is_)
        return both, both / min(len(was), len(is_)) if was and is_ else 0.0

    @property
    def of_others(self) -> bool:
        """Each names something that the other does not: "Ada's rent" and "Bo's rent" are two."""
        return _unshared(self.old_names, self.new_names) and _unshared(self.new_names, self.old_names)

    @staticmethod
    def _slot(text: str, names: frozenset[str]) -> frozenset[str]:
        return topic(text) - {stem for name in names for stem in words(name)}


def _unshared(names: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of the names is none of the others, nor part of one: "sister" is part of "User's sister"."""
    spoken = [set(words(one)) for one in others]
    return any(not any(said <= one or one <= said for one in spoken) for said in (set(words(one)) for one in names))


def _plain(text: str) -> list[str]:
    return [one.strip(".,;:!?()\"'") for one in text.lower().split()]


def takes_back(text: str) -> bool:
    """Whether a correction says that what was said was wrong. "Actually" alone may only add to it."""
    return _TAKES_BACK.search(text) is not None and not adds(text)


def names_it(text: str) -> bool:
    """Whether it says how something is called: of names there is one at a time."""
    return _NAMES_IT.search(text) is not None


def says_it_has_changed(text: str) -> bool:
    """Whether what held before held until then: "actually, I'm at Hatch now"."""
    return _HAS_CHANGED.search(text) is not None


def denies_value(text: str, value: str) -> bool:
    """Whether it says of this very value that it is not the one: "blues, not jazz"."""
    said = re.escape(value).replace(r"\ ", r"\s+")
    denied = rf"\bnot\s+(?:(?:an?|the|my|in|on|at|to|with|from|by)\s+)*{said}(?!\w)"
    return re.search(denied, text, re.IGNORECASE) is not None


def denies(text: str) -> bool:
    """Whether it says of anything that it is not so."""
    return _NOT.search(text) is not None or _NO_LONGER.search(text) is not None


def _denied(pair: Pair) -> bool:
    return pair.denies(_NOT) and bool(topic(pair.old) & topic(pair.new))


def _no_longer(pair: Pair) -> bool:
    denied = pair.denies(_NO_LONGER) or (pair.denies(_NOT) and _ANY_MORE.search(pair.new) is not None)
    return denied and bool(topic(pair.old) & topic(pair.new))


def _untrue(pair: Pair) -> bool:
    named = bool(pair.old_names & pair.new_names) or bool(topic(pair.old) & topic(pair.new))
    return named and pair.cue is Cue.CORRECTION and bool(_UNTRUE.search(pair.new)) and pair.new_names >= pair.told_of


def _called_off(pair: Pair) -> bool:
    spoken_of = topic(pair.old) & topic(pair.new)
    return bool(spoken_of) and bool(_OFF.search(pair.new)) and bool(_PLAN.search(pair.old))


def _corrected(pair: Pair) -> bool:
    both, _ = pair.shared
    other = not pair.of_others if pair.other_value else _is_another(pair)
    return pair.cue is Cue.CORRECTION and other and (both > 0 or (pair.same_session and pair.other_value))


def _is_another(pair: Pair) -> bool:
    """It gives another name where there can be one: it takes back what was said, or says who or what it is."""
    fresh = pair.new_names - pair.old_names
    is_it = (rf"(?:\bis|\bare|\bwas|\bwere|'s|\bcalled|\bnamed)\s+(?:\w+\s+)?{re.escape(name)}" for name in fresh)
    said = pair.new
    return bool(fresh) and not adds(said) and (takes_back(said) or any(re.search(one, said, re.I) for one in is_it))


def _another_value(pair: Pair) -> bool:
    both, share = pair.shared
    other = pair.other_value and not pair.of_others and not of_two_kinds(pair.old, pair.new)
    return pair.cue is not None and other and both > 0 and share >= SAME_THING and not _is_of_another_thing(pair)


def _is_of_another_thing(pair: Pair) -> bool:
    """Where the newer gives its value, it says so of what somebody else owns, or of a thing of which the older does not
    speak: the neighbours' rent, a jacket."""
    known = frozenset(words(pair.old)) | OF_ANY
    told = [one for one in stated(pair.new) if clash(pair.old, one)]
    return bool(told) and all(_is_owned(one, known) or _is_said_of_a_thing(one, known) for one in told)


def _is_owned(clause: str, known: frozenset[str]) -> bool:
    return any(known.isdisjoint(words(owner)) and not known.isdisjoint(words(owned)) for owner, owned in owners(clause))


def _is_said_of_a_thing(clause: str, known: frozenset[str]) -> bool:
    thing = said_of(clause)
    first = thing.lower().split()[:1]
    return not (
        known.issuperset(words(thing)) or not STANDS_FOR_IT.isdisjoint(first) or kind_of_noun(first[0]) == "person"
    )


def _another_name(pair: Pair) -> bool:
    both, share = pair.shared
    changed = bool(pair.old_names - pair.new_names) and bool(pair.new_names - pair.old_names)
    return pair.cue is Cue.CHANGE and changed and both >= SLOT_WORDS and share >= SAME_SLOT


def says_much(text: str) -> bool:
    return len(text.split()) > ONE_THING_WORDS


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    holds: Callable[[Pair], bool]
    old: str
    new: str
    """An example of what it takes: the older and the newer statement."""


RULES: tuple[Rule, ...] = (
    Rule("no longer", _no_longer, "the museum app is done in Elm", "the museum app is no longer done in Elm"),
    Rule("denied", _denied, "budget for the museum app is 80k", "it was always 60k for the museum app, not 80k"),
    Rule("untrue", _untrue, "heard that Ingrid and Pål split up", "NOT true about Ingrid and Pål, they're fine"),
    Rule("called off", _called_off, "thinking of moving to Lisbon", "the Lisbon thing is not happening"),
    Rule("corrected", _corrected, "my neighbor's name is Hilda", "got my neighbor's name wrong, she's Hulda"),
    Rule("another value", _another_value, "sprint length is 3 weeks", "we're on 2 week sprints as of this month"),
    Rule("another name", _another_name, "Jo picks the book", "Fenna picks books now"),
)


def takes_place(pair: Pair) -> str | None:
    """The rule by which the newer takes the older's place, if there is one. A long statement says more than one thing,
    and stands for all of it."""
    if says_much(pair.old) or says_much(pair.new):
        return None
    return next((rule.name for rule in RULES if rule.holds(pair)), None)

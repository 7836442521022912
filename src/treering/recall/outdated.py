"""Which hits give an older value of what is asked for? Judged when a question about now is answered, and never written.

A statement may be old news for one question and stand for another: "29, live in Bristol, one greyhound" is outdated
about the home once a move is told, and not about the dog. So the question says which thing is meant, and of two hits
that speak of it the later one stands, if it says that something changed or ended, or gives another value of the same
kind. What only may be, once was, is of somebody else or stands beside it takes nothing's place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from treering.language.standing import (
    adds,
    goes_on,
    only_for_a_while,
    says_it_ended,
    speaks_of_change,
    stated,
    stays_the_same,
)
from treering.language.values import clash, topic
from treering.language.words import words
from treering.model.edge import Edge
from treering.recall.asked_facts import asks_for
from treering.recall.asked_now import Asked, people
from treering.recall.index.columns import Numbers

SURE = 0.6
"""What is less certain than this takes nothing's place."""
RELATED, ENDED, LOOSELY, SAME = 0.45, 0.35, 0.3, 0.75
"""How like in meaning two statements must be to speak of one thing; to do so where they share the question's words as
well; and to say the same of it."""
NEARLY, MORE_THAN_HALF, HALF, NEAR, LEAST_NEAR = 0.8, 0.6, 0.5, 0.22, 0.2
"""How near to the question the later one must be: shares of how near the older one is, and at least so much."""
ONE_AT_A_TIME = frozenset({"MANAGES", "SUPERVISES", "PARTNER_OF", "MARRIED_TO", "ENGAGED_TO"})
"""Beside what a space says itself: of these too there is one at a time as a rule."""
ONE_THING_WORDS, FEW_WORDS = 32, 16
"""A statement of more words than the first says more than one thing; one of no more than the second says only one."""
_A_REQUEST = re.compile(r"^[^:]{1,60} asked: ")
_MINE = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|i'm|i've|we're|we've)\b", re.IGNORECASE)
_SOMEBODYS = re.compile(r"\b(?:my|our)(?: [\w-]+){1,2}", re.IGNORECASE)
_A_NAME = re.compile(r"\b[A-Z][\w'-]+")
_A_PLACE = re.compile(
    r"\b(?:in|at|to|on|onto|into|near|under|behind|by|inside|with) (?:the |my |a |our )?\w|\d", re.IGNORECASE
)
_A_LIST = re.compile(r",|\b(?:and|plus|both)\b", re.IGNORECASE)
_COUNTS = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|no|\d[\d.,]*)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Statement:
    """A memory that may be a hit. `since` is from when it holds, or when it was said if it speaks of what is to come;
    `near` is how near it is to the question."""

    id: str
    text: str
    said: str
    since: datetime
    said_at: datetime
    near: float
    turn: str = ""
    """All that was said with it."""
    speaker: str | None = None
    confidence: float = 1.0
    names: frozenset[str] = frozenset()
    """Stems of the names of people that it mentions."""
    entities: frozenset[str] = frozenset()
    facts: tuple[Edge, ...] = ()
    vector: Numbers | None = None

    def likeness(self, other: Statement) -> float:
        """Of meaning, or of words where nobody has read them."""
        if self.vector is not None and other.vector is not None:
            return float(self.vector @ other.vector)
        both = len(self.topic & other.topic)
        return both / max(min(len(self.topic), len(other.topic)), 1)

    @cached_property
    def clauses(self) -> list[str]:
        """What it says as so; what was asked is none."""
        return [] if _A_REQUEST.search(self.said) else stated(self.text)

    @cached_property
    def says_one_thing(self) -> bool:
        """It states something, for certain, and not much more besides."""
        return bool(self.clauses) and self.confidence >= SURE and len(self.text.split()) <= ONE_THING_WORDS

    @cached_property
    def about(self) -> frozenset[str]:
        """The stems of whom and what it speaks of: who says I is one of them."""
        return self.stems | frozenset(words(self.speaker or ""))

    @cached_property
    def states(self) -> str:
        return ", ".join(self.clauses)

    @cached_property
    def topic(self) -> frozenset[str]:
        return topic(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(words(self.text))

    @cached_property
    def around(self) -> list[str]:
        """What was stated in the same breath."""
        return stated(self.turn)


@dataclass(frozen=True, slots=True)
class Outdated:
    """`id` gives way to `by`."""

    id: str
    by: str
    why: str


def outdated(asked: Asked, statements: Sequence[Statement]) -> list[Outdated]:
    """Each that gives way, to the latest that it gives way to."""
    if not asked.about_now:
        return []
    found: dict[str, Outdated] = {}
    for new in sorted(statements, key=lambda one: one.said_at):
        for old in statements:
            if new.said_at > old.said_at and new.says_one_thing and old.says_one_thing and _to_the_point(asked, old):
                why = _gives_way(asked, old, new) if _of_the_same(asked, old, new) else None
                if why:
                    found[old.id] = Outdated(old.id, new.id, why)
    return list(found.values())


def _to_the_point(asked: Asked, old: Statement) -> bool:
    return old.near >= LEAST_NEAR or bool(asked.stems & old.stems)


def _gives_way(asked: Asked, old: Statement, new: Statement) -> str | None:
    if (new.since <= old.since and not goes_on(new.states)) or new.stems <= old.stems:
        return None
    if _of_it(asked, old, new, says_it_ended) and _speaks_of_it(asked, old, new):
        return "says that it has ended"
    if only_for_a_while(new.states) and not asked.wants_somebody:
        return None
    related = _related(asked, old, new) and not _of_other_things(old, new)
    changed = related and _of_it(asked, old, new, speaks_of_change)
    if asked.wants_time or asked.wants_amount:
        kind = clash(old.text, new.text) or (asked.wants_amount and _other_count(old, new))
        return f"gives another {kind}" if kind and (_covers(asked, old, new) or changed) else None
    if asked.several:
        return None
    relation = _same_relation(asked, old, new)
    if relation:
        return f"gives another value of {relation}"
    if adds(new.states) or not _answers(asked, old, new):
        return None
    if changed and (_names_the_thing(asked, new) or _as_near(asked, old, new)):
        return "says that it has changed"
    if old.likeness(new) >= SAME and _covers(asked, old, new):
        return "says the same with another value"
    return None


def _of_it(asked: Asked, old: Statement, new: Statement, says: Callable[[str], bool]) -> bool:
    """Whether a change or an end is said of what the two speak of: in few words there is nothing else to say it of."""
    if len(new.text.split()) <= FEW_WORDS:
        return any(says(one) for one in (*new.clauses, *new.around))
    of = asked.stems | old.topic
    return any(says(one) and not of.isdisjoint(words(one)) for one in (*new.clauses, *new.around))


def _as_near(asked: Asked, old: Statement, new: Statement) -> bool:
    if old.likeness(new) >= RELATED and new.near >= max(NEAR, MORE_THAN_HALF * old.near):
        return True
    return not _asked_relations(asked, old).isdisjoint(_asked_relations(asked, new))


def _of_the_same(asked: Asked, old: Statement, new: Statement) -> bool:
    """Both are about whom the question is about, and the later one is not about somebody else."""
    by_name = bool(asked.entities & new.entities)
    named = by_name or bool(asked.whom & new.about)
    meant = (asked.names or asked.people) & old.about
    if not (meant <= new.about or by_name) or (asked.names and not meant):
        return False
    if not asked.whom & new.stems and asked.whom & new.about and not _MINE.search(new.states):
        return False  # said by whom the question is about, of somebody else
    if old.speaker != new.speaker and not named:
        return bool(asked.thing & old.stems & new.stems)
    if asked.wants_somebody or named:
        return True
    others = new.names | (frozenset() if _of_me(new.text) else people(new.said))
    return (others - old.stems - asked.stems).isdisjoint(_beginning(new.text))


def _of_me(text: str) -> bool:
    """Somebody is named, but it is done to who speaks: "my doctor put me on losartan"."""
    return _MINE.search(_SOMEBODYS.sub(" ", text, count=1)) is not None


def _beginning(text: str) -> frozenset[str]:
    return frozenset(words(" ".join(text.split()[:5])))


def _related(asked: Asked, old: Statement, new: Statement) -> bool:
    like = old.likeness(new)
    if like >= RELATED or (like >= LOOSELY and asked.thing & old.stems & new.stems):
        return True
    return not _asked_relations(asked, old).isdisjoint(_asked_relations(asked, new))


def _asked_relations(asked: Asked, one: Statement) -> frozenset[str]:
    some = (fact.relation for fact in one.facts if fact.relation in ONE_AT_A_TIME | asked.functional)
    return frozenset(relation for relation in some if asks_for(relation, asked.stems))


def _of_other_things(old: Statement, new: Statement) -> bool:
    """They state the same relation of two things: which framework one project uses is no news of the other."""
    was, is_ = ({fact.relation: fact for fact in one.facts} for one in (old, new))
    both = was.keys() & is_.keys()
    return any(
        was[one].source_id != is_[one].source_id and was[one].target_id != is_[one].target_id
        for one in both - ONE_AT_A_TIME
    )


def _speaks_of_it(asked: Asked, old: Statement, new: Statement) -> bool:
    """What ended is what the older one speaks of, and all that it speaks of, where all there are is asked for."""
    if asked.several and _A_LIST.search(old.text):
        return False
    like, shared = old.likeness(new), old.topic & new.topic
    if shared - asked.whom and like >= ENDED:
        return True
    near_enough = new.near >= (HALF if asked.yes_or_no else NEARLY) * old.near > 0
    return like >= LOOSELY and near_enough and not shared.isdisjoint(asked.stems)


def _names_the_thing(asked: Asked, new: Statement) -> bool:
    """In a clause that does not say of it that it stays as it was."""
    return any(asked.thing & frozenset(words(one)) and not stays_the_same(one) for one in new.clauses)


def _answers(asked: Asked, old: Statement, new: Statement) -> bool:
    """It holds something of the kind that is asked for."""
    if asked.wants_somebody:
        return bool(new.entities - old.entities) or any(stem not in old.stems for stem in _named(new.text))
    if asked.wants_place:
        return _A_PLACE.search(new.text) is not None or bool(new.entities - old.entities)
    return not (asked.thing & new.stems) or _names_the_thing(asked, new)


def _named(text: str) -> list[str]:
    return [stem for name in _A_NAME.findall(text) for stem in words(name)]


def _other_count(old: Statement, new: Statement) -> str | None:
    was, is_ = ({one.lower() for one in _COUNTS.findall(text)} for text in (old.text, new.text))
    return "number" if was and is_ and was.isdisjoint(is_) else None


def _covers(asked: Asked, old: Statement, new: Statement) -> bool:
    """The words of the question that the older holds are in the later one too."""
    was = asked.stems & old.stems
    return bool(was) and was <= new.stems


def _same_relation(asked: Asked, old: Statement, new: Statement) -> str | None:
    for before in old.facts:
        for after in new.facts:
            same = (before.source_id, before.relation) == (after.source_id, after.relation)
            one_at_a_time = after.relation in asked.functional
            if same and one_at_a_time and before.target_id != after.target_id and asks_for(after.relation, asked.stems):
                return after.relation
    return None

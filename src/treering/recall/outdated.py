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
from datetime import datetime, timedelta
from functools import cached_property

from treering.language.standing import (
    adds,
    goes_on,
    names_what_changed,
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
from treering.recall.asked_now import Asked, another_of_the_kind, kin, people
from treering.recall.index.columns import Numbers

A_WHILE = timedelta(hours=1)
"""Between what is said in one conversation nothing has changed: it is told in several parts."""
SURE = 0.5
"""What is less certain than this takes nothing's place."""
RELATED, OF_THE_SAME, ENDED, LOOSELY, SAME = 0.44, 0.52, 0.35, 0.3, 0.57
"""How like in meaning two statements must be to speak of one thing; to do so where they share the question's words as
well; and to say the same of it."""
NEARLY, MORE_THAN_HALF, HALF, NEAR, LEAST_NEAR = 0.8, 0.6, 0.5, 0.22, 0.2
"""How near to the question the later one must be: shares of how near the older one is, and at least so much."""
ONE_AT_A_TIME = frozenset({"MANAGES", "SUPERVISES", "PARTNER_OF", "MARRIED_TO", "ENGAGED_TO"})
"""Beside what a space says itself: of these too there is one at a time as a rule."""
ONE_THING_WORDS, FEW_WORDS = 32, 16
"""A statement of more words than the first says more than one thing; one of no more than the second says only one."""
TOO_MUCH_ELSE = 2
_A_REQUEST = re.compile(r"^[^:]{1,60} asked: ")
_MINE = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|i'm|i've|we're|we've)\b", re.IGNORECASE)
_SOMEBODYS = re.compile(r"\b(?:my|our)(?: [\w-]+){1,2}", re.IGNORECASE)
_TELLER = re.compile(r"^(?:my |the |our )?[\w-]+ (?:says|said|told (?:me|us)|thinks) ", re.IGNORECASE)
_IS_SO = re.compile(r"\b(?:is|are|has|have|'s|lives?|works?|owns?|got|moved|started)\b|'s ", re.IGNORECASE)
_A_NAME = re.compile(r"\b[A-Z][\w'-]+")
_A_PLACE = re.compile(
    r"\b(?:in|at|to|on|onto|into|near|under|behind|by|inside|with) (?:(?:the|my|a|our|her|his) )?\w+|\d+", re.IGNORECASE
)
_A_LIST = re.compile(r",|\b(?:and|plus|both)\b", re.IGNORECASE)
_COUNTS = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|no|once|twice|daily|weekly|\d[\d.,]*)\b",
    re.IGNORECASE,
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
    is_to_come: bool = False
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
    def clauses(self) -> tuple[str, ...]:
        """What it says as so; what was asked is none."""
        return () if _A_REQUEST.search(self.said) else stated(self.text)

    @cached_property
    def says_one_thing(self) -> bool:
        """It states something, for certain, and not much more besides."""
        return self.confidence >= SURE and len(self.text.split()) <= ONE_THING_WORDS and bool(self.clauses)

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
    def around(self) -> tuple[str, ...]:
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
    plain = [one for one in sorted(statements, key=lambda one: one.said_at) if one.says_one_thing]
    older = [one for one in plain if _to_the_point(asked, one)]
    for new in plain:
        for old in older:
            if new.said_at - old.said_at >= A_WHILE:
                why = _gives_way(asked, old, new) if _of_the_same(asked, old, new) else None
                if why:
                    found[old.id] = Outdated(old.id, new.id, why)
    return list(found.values())


def _to_the_point(asked: Asked, old: Statement) -> bool:
    return old.near >= LEAST_NEAR or bool(asked.stems & old.stems)


def _gives_way(asked: Asked, old: Statement, new: Statement) -> str | None:
    told_of_the_past = new.since <= old.since and not goes_on(new.states)
    if told_of_the_past or new.stems <= old.stems:
        return None
    why = _reason(asked, old, new)
    return None if why is None or another_of_the_kind(asked, old.text, new.text, new.stems) else why


def _reason(asked: Asked, old: Statement, new: Statement) -> str | None:
    if _of_it(asked, old, new, says_it_ended) and _speaks_of_it(asked, old, new):
        return "says that it has ended"
    if (only_for_a_while(new.states) and not asked.wants_somebody) or (new.is_to_come and not asked.wants_time):
        return None
    if _of_other_things(old, new) and not _covers(asked, old, new):
        return None
    changed = _related(asked, old, new) and _of_it(asked, old, new, speaks_of_change)
    if adds(new.states) and not (changed and asked.wants_a_measure):
        return None
    if asked.wants_a_measure:
        return _another_measure(asked, old, new, changed)
    if asked.several:
        return None
    relation = _same_relation(asked, old, new)
    if relation:
        return f"gives another value of {relation}"
    if not _answers(asked, old, new):
        return None
    if changed and _to_the_same_point(asked, old, new) and not _of_kin(asked, new):
        return "says that it has changed"
    if _covers(asked, old, new) and _says_the_same(old, new) and _value_last(asked, old, new):
        return "says the same with another value"
    return None


def _of_kin(asked: Asked, new: Statement) -> bool:
    """It begins with somebody who leads a life of their own, of whom the question does not speak: "my cousin married a
    dentist" is no news of mine."""
    told = " ".join(new.states.split()[:3])
    return not (kin(told) - asked.stems).isdisjoint(words(told))


def _says_the_same(old: Statement, new: Statement) -> bool:
    """In few words, half of which they share."""
    few = max(len(old.text.split()), len(new.text.split())) <= FEW_WORDS
    shared, least = len(old.topic & new.topic), min(len(old.topic), len(new.topic))
    return few and shared >= HALF * least and old.likeness(new) >= SAME


def _value_last(asked: Asked, old: Statement, new: Statement) -> bool:
    """What is exchanged stands behind what is asked about, as in "the code is 4711". In "server 2 is in Rome" it stands
    before: that is another server."""
    said = words(new.text)
    exchanged = (place for place, stem in enumerate(said) if stem not in old.stems)
    return next(exchanged, 0) > max((place for place, stem in enumerate(said) if stem in asked.stems), default=-1)


def _another_measure(asked: Asked, old: Statement, new: Statement, changed: bool) -> str | None:
    kind = clash(old.text, new.text) or _other_count(old, new)
    if kind and (changed or _covers(asked, old, new)):
        return f"gives another {kind}"
    return "says that it has changed" if changed and _covers(asked, old, new) else None


def _of_it(asked: Asked, old: Statement, new: Statement, says: Callable[[str], bool]) -> bool:
    """Whether a change or an end is said of what the two speak of: in few words there is nothing else to say it of."""
    clauses = new.clauses if says is says_it_ended else [*new.clauses, *new.around]
    if len(new.text.split()) <= FEW_WORDS:
        return any(says(one) for one in clauses)
    of = asked.stems | old.topic
    return any(says(one) and not of.isdisjoint(words(one)) for one in clauses)


def _to_the_same_point(asked: Asked, old: Statement, new: Statement) -> bool:
    """A change is of what the question is about: it names the thing, or whom it is about, or what was there before, or
    is as near to the question."""
    like, was = old.likeness(new), asked.thing & old.stems
    if like >= RELATED and not ((old.names | _named(old.text)) - asked.stems).isdisjoint(new.stems):
        return True
    if _beside_the_point(asked, old, new):
        return False
    if asked.wants_somebody and asked.head in was and was & new.stems:
        return asked.head in new.stems and _names_the_thing(asked, new)
    if was and was <= new.stems and _names_the_thing(asked, new):
        return True
    if asked.names and not (asked.names & new.stems or asked.entities & new.entities):
        return False  # of whom the question is about only in that they say it
    if asked.whom & old.about & new.stems and like >= OF_THE_SAME:
        return True
    if not _asked_relations(asked, old).isdisjoint(_asked_relations(asked, new)):
        return True
    into = any(names_what_changed(one) for one in new.clauses)
    if into and was & new.stems:
        return True
    share = HALF if asked.yes_or_no else MORE_THAN_HALF
    return like >= RELATED and new.near >= (LEAST_NEAR if into else max(NEAR, share * old.near))


def _of_the_same(asked: Asked, old: Statement, new: Statement) -> bool:
    """Both are about whom the question is about, and the later one is not about somebody else."""
    by_name = bool(asked.entities & new.entities) and asked.entities & old.entities <= new.entities
    named = by_name or bool(asked.whom & new.about)
    meant = (asked.names or asked.people) & old.about
    if not (meant <= new.about or by_name) or (asked.names and not meant and not asked.thing & old.stems & new.stems):
        return False
    if not asked.whom & new.stems and asked.whom & new.about and not _MINE.search(new.states):
        return False  # said by whom the question is about, of somebody else
    if old.speaker != new.speaker and not named:
        return bool(asked.thing & old.stems & new.stems)
    if asked.wants_somebody or named:
        return True
    return not _of_somebody_else(asked, old, new)


def _of_somebody_else(asked: Asked, old: Statement, new: Statement) -> bool:
    """The clause that answers begins with somebody of whom neither the question nor the older one speaks."""
    told = [_TELLER.sub("", one) for one in new.clauses]
    clause = next(
        (one for one in told if asked.thing & frozenset(words(one))), told[0] if len(told) == 1 else new.states
    )
    first = " ".join(clause.split()[:3])
    if _MINE.search(_SOMEBODYS.sub(" ", first, count=1)):
        return False
    others = (new.names | people(_A_NAME.sub(" ", first))) - old.stems - asked.stems
    if others.isdisjoint(words(first)):
        return False
    if not (new.names | kin(first)).isdisjoint(words(first)):
        return True
    done_to_me = _MINE.search(_SOMEBODYS.sub(" ", clause, count=1)) is not None
    return not (done_to_me or (_covers(asked, old, new) and not _IS_SO.search(clause)))


def _related(asked: Asked, old: Statement, new: Statement) -> bool:
    like = old.likeness(new)
    if like >= RELATED or (like >= LOOSELY and asked.thing & old.stems & new.stems):
        return True
    if asked.thing and asked.thing <= old.stems & new.stems and len(new.text.split()) <= FEW_WORDS:
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
    if (asked.several and _A_LIST.search(old.text)) or _beside_the_point(asked, old, new):
        return False
    like, shared = old.likeness(new), old.topic & new.topic
    if shared - asked.whom and like >= ENDED:
        return True
    near_enough = new.near >= (HALF if asked.yes_or_no else NEARLY) * old.near > 0
    return like >= LOOSELY and near_enough and not shared.isdisjoint(asked.stems)


def _beside_the_point(asked: Asked, old: Statement, new: Statement) -> bool:
    """To be answered with yes or no, and the later one speaks of another thing, or of something else about it."""
    was = asked.thing & old.stems
    if not (asked.yes_or_no and was & new.stems):
        return False
    return (asked.subject in was and asked.subject not in new.stems) or len(was - new.stems) >= TOO_MUCH_ELSE


def _names_the_thing(asked: Asked, new: Statement) -> bool:
    """In a clause that does not say of it that it stays as it was."""
    return any(asked.thing & frozenset(words(one)) and not stays_the_same(one) for one in new.clauses)


def _answers(asked: Asked, old: Statement, new: Statement) -> bool:
    """It holds something of the kind that is asked for."""
    if asked.wants_somebody:
        return bool(new.entities - old.entities) or bool(_named(new.text) - old.stems)
    if asked.wants_place:
        places = (words(one)[-1:] for one in _A_PLACE.findall(f"{new.text} {' '.join(new.around)}"))
        elsewhere = any(one and one[0] not in asked.stems for one in places)
        return elsewhere or bool(_named(new.text) - old.stems)
    return not (asked.thing & new.stems) or _names_the_thing(asked, new)


def _named(text: str) -> frozenset[str]:
    return frozenset(stem for name in _A_NAME.findall(text) for stem in words(name))


def _other_count(old: Statement, new: Statement) -> str | None:
    was, is_ = ({one.lower() for one in _COUNTS.findall(text)} for text in (old.text, new.text))
    return "number" if was and is_ and was.isdisjoint(is_) else None


def _covers(asked: Asked, old: Statement, new: Statement) -> bool:
    """The words of the question that the older holds are in the later one too."""
    was = (asked.thing | asked.whom) & old.stems
    return bool(was) and was <= new.stems


def _same_relation(asked: Asked, old: Statement, new: Statement) -> str | None:
    for before in old.facts:
        for after in new.facts:
            same = (before.source_id, before.relation) == (after.source_id, after.relation)
            one_at_a_time = after.relation in asked.functional
            if same and one_at_a_time and before.target_id != after.target_id and asks_for(after.relation, asked.stems):
                return after.relation
    return None

"""What do two statements have to do with one another, and with the question? An older and a later one, side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from treering.language.standing import names_what_changed, says_it_ended, speaks_of_change, stays_the_same
from treering.language.subject import is_a_sentence, said_of
from treering.recall.answering import (
    another_measure,
    belongs_to_another,
    ends_another_by_name,
    ends_something_else,
    gives_a_value,
    is_of_another,
    named,
    stems_of,
)
from treering.recall.asked_facts import asks_for
from treering.recall.asked_now import Asked, another_of_the_kind
from treering.recall.no_news import is_wished_for, tells_what_was
from treering.recall.once import once
from treering.recall.stated import Statement

RELATED, LOOSELY = 0.44, 0.3
"""How like in meaning two statements must be to speak of one thing; to do so where they share the question's words as
well."""
FEW_WORDS = 16
"""A statement of no more words says only one thing."""
ONE_AT_A_TIME = frozenset({"MANAGES", "SUPERVISES", "PARTNER_OF", "MARRIED_TO", "ENGAGED_TO"})
"""Beside what a space says itself: of these too there is one at a time as a rule."""
_PARTS = re.compile(
    r"\b(?:since|because|after|while|as|now that|instead of|rather than)\b|(?= (?:I|we|he|she|they|it's) )"
)


@dataclass(frozen=True)
class Pair:
    asked: Asked
    old: Statement
    new: Statement
    near: float
    """How near to the question the later one is, or what was said in one breath with it."""

    @once
    def like(self) -> float:
        return self.old.likeness(self.new)

    # what both speak of

    @once
    def was(self) -> frozenset[str]:
        """The words of the question that the older one holds, without those for whom it is about."""
        return self.asked.thing & self.old.stems or (self.asked.stems - self.asked.whom) & self.old.stems

    @once
    def covers(self) -> bool:
        """The words of the question that the older one holds are in the later one's breath too."""
        return bool(self.was) and self.was <= self.new.held

    @once
    def shares(self) -> bool:
        return not (self.was | (self.asked.whom & self.old.stems)).isdisjoint(self.new.held)

    @once
    def covers_itself(self) -> bool:
        """They are in the later one itself."""
        was = (self.asked.thing | self.asked.whom) & self.old.stems
        return bool(was) and was <= self.new.stems

    @once
    def related(self) -> bool:
        asked, both = self.asked, self.old.stems & self.new.stems
        if self.like >= RELATED or (self.like >= LOOSELY and asked.thing & both):
            return True
        if asked.thing and asked.thing <= both and self.is_short:
            return True
        return self.is_of_one_relation

    @once
    def is_short(self) -> bool:
        return self.new.length <= FEW_WORDS

    # facts

    @once
    def is_of_one_relation(self) -> bool:
        """Both state a relation that is asked for and has one value at a time."""
        was, is_ = (self._asked_relations(one) for one in (self.old, self.new))
        return not was.isdisjoint(is_)

    def _asked_relations(self, one: Statement) -> frozenset[str]:
        some = (fact.relation for fact in one.facts if fact.relation in ONE_AT_A_TIME | self.asked.functional)
        return frozenset(relation for relation in some if asks_for(relation, self.asked.stems))

    @once
    def other_value_of(self) -> str | None:
        """The relation of which they state two values of the same subject. One that has ended takes no place from one
        that holds."""
        for before in self.old.facts:
            for after in self.new.facts:
                same = (before.source_id, before.relation) == (after.source_id, after.relation)
                other = before.target_id != after.target_id and after.relation in self.asked.functional
                goes_on = after in self.new.holds or before not in self.old.holds
                if same and other and goes_on and asks_for(after.relation, self.asked.stems):
                    return after.relation
        return None

    @once
    def held_before(self) -> frozenset[str]:
        """The relations asked for, with one value at a time, of which the older one states what still holds."""
        return frozenset(fact.relation for fact in self.old.holds) & self._asked_relations(self.old)

    @once
    def ends_another_fact(self) -> bool:
        """The later one states the end of a value which is not the one that the older one states and that holds."""
        over = [fact for fact in self.new.facts if fact not in self.new.holds and fact.relation in self.held_before]
        was = {(fact.source_id, fact.relation, fact.target_id) for fact in self.old.holds}
        return bool(over) and was.isdisjoint((fact.source_id, fact.relation, fact.target_id) for fact in over)

    @once
    def of_other_things(self) -> bool:
        """They state the same relation of two things: which framework one project uses is no news of the other."""
        if not (self.old.facts and self.new.facts):
            return False
        was, is_ = ({fact.relation: fact for fact in one.facts} for one in (self.old, self.new))
        return any(
            was[one].source_id != is_[one].source_id and was[one].target_id != is_[one].target_id
            for one in (was.keys() & is_.keys()) - ONE_AT_A_TIME
        )

    # values

    @once
    def is_measured(self) -> bool:
        """A number, an hour or a date is asked for, or given by both."""
        asked = self.asked
        if asked.wants_a_measure:
            return True
        other = asked.wants_somebody or asked.wants_place or asked.yes_or_no
        return not other and another_measure(self.old.text, self.new.text) is not None

    @once
    def of_another_kind(self) -> bool:
        return another_of_the_kind(self.asked, self.old.text, self.new.text, self.new.stems)

    # what the later one says

    @once
    def says_it_changed(self) -> bool:
        """Of what the two speak of: in few words there is nothing else to say it of."""
        changed = [one for one in (*self.new.clauses, *self.new.around) if speaks_of_change(one)]
        return self._says_of_it([one for one in changed if not self._changed_another(one)])

    def _changed_another(self, clause: str) -> bool:
        if says_it_ended(clause) and (self.ends_another_fact or ends_another_by_name(self.asked, self.old, clause)):
            return True
        return bool(self.held_before) and is_of_another(self.asked, self.old, clause)

    @once
    def says_it_ended(self) -> bool:
        ended = [one for one in self.new.clauses if says_it_ended(one) and not self.ends_another_fact]
        return self._says_of_it([one for one in ended if not ends_something_else(self.asked, self.old, one)])

    def _says_of_it(self, clauses: list[str]) -> bool:
        of = self.asked.stems | self.old.topic
        return bool(clauses) if self.is_short else any(not of.isdisjoint(stems_of(one)) for one in clauses)

    @once
    def is_of_another(self) -> bool:
        """All that the later one says is said of another thing."""
        return all(is_of_another(self.asked, self.old, one) for one in self.new.clauses)

    @once
    def belongs_to_another(self) -> bool:
        """Where it speaks of the thing, it is somebody else's."""
        of_it = [one for one in self.new.clauses if self.asked.thing & stems_of(one)]
        return bool(of_it) and all(belongs_to_another(self.asked, self.old, one) for one in of_it)

    @once
    def is_for_a_while(self) -> bool:
        return not self.asked.wants_a_measure and self.new.is_for_a_while

    @once
    def is_no_news(self) -> bool:
        """All that the later one says is how it was, or what is wished for, and the older one says how it is."""
        before = (self.asked.question.text, *self.old.clauses)
        manners = [one for one in (tells_what_was, is_wished_for) if not any(one(text) for text in before)]
        old_news = [any(is_so(clause) for is_so in manners) for clause in self.new.clauses]
        rest = (one for one, is_old in zip(self.new.clauses, old_news, strict=True) if not is_old)
        return any(old_news) and not any(is_a_sentence(one) or speaks_of_change(one) for one in rest)

    @once
    def stays_the_same(self) -> bool:
        of = self.asked.thing | self.asked.whom
        return any(stays_the_same(one) and of & stems_of(one) for one in self.new.clauses)

    # what was there before

    @once
    def names_before(self) -> frozenset[str]:
        """The names in the older one of which the later one speaks, without those of the question."""
        known = self.asked.stems | self.old.teller
        return ((named(self.old.text) | self.old.names) - known) & self.new.held

    @once
    def confirms(self) -> bool:
        """The later one speaks of what was there before and of nothing in its place: it is still there. "New tyres for
        the Golf" says what car it is."""
        if self.asked.yes_or_no or self.asked.wants_a_measure or self.names_before.isdisjoint(self.new.stems):
            return False
        if another_measure(self.old.text, self.new.text):
            return False
        told = [one for one in (*self.new.clauses, *self.new.around) if gives_a_value(self.asked, self.old, one)]
        if not self.asked.wants_somebody:
            told = [one for one in told if not is_of_another(self.asked, self.old, one)]
        return not self.replaces(told)

    def replaces(self, clauses: Iterable[str]) -> bool:
        """The later one speaks of what was there before, and in a sentence of its own of something else."""
        if not self.names_before:
            return False
        if any(names_what_changed(one) or self._takes_over(one) for one in clauses):
            return True
        parts = (part for one in clauses for part in _PARTS.split(one))
        return any(
            self.names_before.isdisjoint(stems_of(part))
            and is_a_sentence(part)
            and gives_a_value(self.asked, self.old, part)
            for part in parts
        )

    def _takes_over(self, clause: str) -> bool:
        """What is new does something to what was there: "uv has taken over from pip"."""
        doer = said_of(clause)
        is_new = not named(doer) <= self.old.stems | self.asked.stems
        return is_new and self.names_before.isdisjoint(stems_of(doer)) and speaks_of_change(clause)

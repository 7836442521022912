"""What does a statement say of memories near it in meaning? That it is the same, takes the place of one, or adds to it.

Likeness alone is a poor judge of contradiction, so nearness only says where to look; words decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from treering.ingest.extract.contract import Cue, Extracted, Stance
from treering.ingest.relate.decided import Decided
from treering.ingest.relate.relations import BY_THE_WAY, HABITS, NAMED
from treering.ingest.relate.says_more import says_more
from treering.ingest.resolve import PERSON
from treering.ingest.takes_place import Pair, denies, takes_place
from treering.language.values import TIMES, clash, topic
from treering.language.words import words
from treering.model.edge import KNOWN_FACTS
from treering.model.entity import fold
from treering.model.memory import Kind, Memory, MemoryRecord, View
from treering.model.source import Source
from treering.store.contract import MemoryFilter

GATE = 0.40
"""Below this cosine two statements are not looked at together. Words decide, so that it need not be high."""
SAME = 0.93
"""Above it, and in the same words, they say the same."""
SAYS_MORE = 0.72


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that is near a new statement in meaning."""

    memory_id: str
    cosine: float


Close = tuple[Memory, float]
"""A memory near a new statement, and its cosine."""


def speaks_of_change(said: Extracted, words: str) -> bool:
    """Whether it says, in these words of its speaker, that something is no longer or not so."""
    return said.cue is not None or denies(words) or any(claim.stance is Stance.ENDS for claim in said.claims)


def _in_this_order(said: list[str], before: list[str]) -> bool:
    """Whether all of it was said before, one word after the other: tea over coffee is not coffee over tea."""
    left = iter(before)
    return all(word in left for word in said)


@dataclass(frozen=True)
class Nearby:
    so_far: Decided

    def same_as(self, source: Source, said: Extracted, near: Iterable[Close]) -> tuple[Memory, float] | None:
        """A memory that says the same: the same words of the same speaker, and no other value."""
        for old, cosine in near:
            if cosine < SAME or old.id in self.so_far.superseded or said.event_time:
                continue
            said_by = self.so_far.reader.source(old.source_id)
            same_speaker = said_by is not None and fold(said_by.speaker or "") == fold(source.speaker or "")
            same_words = _in_this_order(words(said.content), words(old.content))
            if same_speaker and same_words and not clash(old.content, said.content):
                return old, cosine
        return None

    def close_to(self, near: Iterable[Near], of_change: bool) -> list[Close]:
        """Those near enough to be looked at that hold now, the nearest first. What does not speak of change can only be
        the same as another, or say more."""
        least = GATE if of_change else SAYS_MORE
        cosines = {one.memory_id: one.cosine for one in near if one.cosine >= least}
        if not cosines:
            return []
        found = self.so_far.reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(cosines)))
        return sorted(((memory, cosines[memory.id]) for memory in found), key=lambda pair: (-pair[1], pair[0].id))

    def relate(self, memory: MemoryRecord, said: Extracted, near: Iterable[Close], of_change: bool) -> None:
        """What its words say of memories near it: that it takes the place of one, or adds to it."""
        best: tuple[float, Memory] | None = None
        for old, cosine in near:
            if old.source_id == memory.source_id or old.id in self.so_far.superseded:
                continue
            rule = self._rule(old, memory, said) if of_change else None
            if rule is not None:
                at = self._from_when(old, memory, said)
                self._let_go(memory, old, at, rule)
                self.so_far.supersede(memory, old, at, rule, cosine, "another value of the same thing")
            elif cosine >= SAYS_MORE and (best is None or cosine > best[0]):
                best = cosine, old
        if best is not None and topic(memory.content) & topic(best[1].content):
            self.so_far.extends(memory, best[1], best[0])

    def _from_when(self, old: Memory, memory: MemoryRecord, said: Extracted) -> datetime:
        """What takes a place takes it when it happens, or when it is said: a correction, and another day for something
        that is still to come."""
        another_day = clash(self.so_far.words_of(old), self.so_far.words_of(memory)) in TIMES
        told = said.cue is Cue.CORRECTION or another_day
        return memory.said_at if told else memory.event_time or memory.said_at

    def _rule(self, old: Memory, memory: MemoryRecord, said: Extracted) -> str | None:
        """By which the new statement takes the old one's place. What happened has happened: an event makes way only for
        a correction, or if it was still to come."""
        happened = old.kind is Kind.EPISODE and (old.event_time or old.said_at) <= memory.said_at
        if said.cue is Cue.CORRECTION:
            if self._of_somebody_else(old, said, memory):
                return None
        elif happened:
            return None
        values = self.so_far.values_of(old.id)
        pair = Pair(
            self.so_far.words_of(old),
            self.so_far.words_of(memory),
            said.cue,
            frozenset(self.so_far.names_in(old)),
            frozenset(one.name for one in said.entities),
            self.so_far.same_session(old, memory),
            frozenset(values),
        )
        rule = "ended" if self._ended_by_name(pair, said) else takes_place(pair)
        if rule is None or rule == "called off":
            return rule
        beside = says_more(pair.old, values, frozenset(words(pair.new)))
        return rule if self._only_values(old) and not beside else None

    def _of_somebody_else(self, old: Memory, said: Extracted, memory: MemoryRecord) -> bool:
        """Both state facts of people, and not of the same ones: what Alex does is no news of Sam."""
        facts = self.so_far.facts_of(old.id)
        before = [self.so_far.reader.entity(fact.source_id) for fact in facts]
        after = [self.so_far.entity(claim.subject, said, memory) for claim in said.claims if claim.relation != NAMED]
        if not all(one is not None and one.kind == PERSON for one in (*before, *after)):
            return False
        was, is_ = ({self.so_far.way.entity(one.id) for one in some if one is not None} for some in (before, after))
        return bool(was and is_) and was.isdisjoint(is_)

    def _ended_by_name(self, pair: Pair, said: Extracted) -> bool:
        """It says that something has ended of which the old one spoke, and of nothing else that has a name."""
        over = [claim for claim in said.claims if claim.stance is Stance.ENDS and claim.relation in HABITS]
        ended = [claim.object if fold(claim.object) != self._i else claim.subject for claim in over]
        spoken = set(words(pair.old))
        found = [one for one in ended if words(one) and set(words(one)) <= spoken]
        return bool(found) and all(
            any(fold(name) in fold(one) or fold(one) in fold(name) for one in found) for name in pair.old_names
        )

    @property
    def _i(self) -> str:
        return fold(self.so_far.resolving.first_person)

    def _only_values(self, old: Memory) -> bool:
        """It states nothing that would still stand: no fact, or only such as have one value at a time."""
        ended = {one.edge_id for one in self.so_far.way.closed}
        facts = self.so_far.facts_of(old.id)
        return all(
            fact.id in ended
            or fact.valid_until is not None
            or fact.relation in BY_THE_WAY | self.so_far.functional
            or fact.relation not in KNOWN_FACTS
            for fact in facts
        )

    def _let_go(self, memory: MemoryRecord, old: Memory, at: datetime, rule: str) -> None:
        """The facts of a memory whose place is taken end with it."""
        ended = {one.edge_id for one in self.so_far.way.closed}
        for fact in self.so_far.facts_of(old.id):
            if fact.id not in ended and fact.valid_until is None and fact.relation not in BY_THE_WAY:
                until = fact.valid_from if rule in ("denied", "untrue", "corrected") else max(at, fact.valid_from)
                self.so_far.close(fact, until, rule, memory)
                self.so_far.closed.append(self.so_far.as_told(fact, until, rule, memory.id))

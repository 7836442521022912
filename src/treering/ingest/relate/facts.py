"""What does a claim do to the facts that are known? It holds, it ends one, or it says that one never was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from treering.ingest.extract.contract import WHICHEVER, Claim, Cue, Extracted, Stance
from treering.ingest.receipt import Triple
from treering.ingest.relate.competing import Competing
from treering.ingest.relate.cues import denies_value, names_it
from treering.ingest.relate.decided import SURE, Decided
from treering.ingest.relate.memories import MemoryClosing
from treering.language.values import TIMES, is_value, values_of
from treering.language.words import words
from treering.model.changes import EdgeRepeated
from treering.model.edge import LIKELY, Edge
from treering.model.entity import Entity, fold
from treering.model.memory import MemoryRecord, Visibility
from treering.model.time import MICROSECOND
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter

SPOKEN_OF_LATE = timedelta(days=31)
"""How long something may have been over when it was spoken of, for an end that does not name it."""
SHORT = 3  # letters
"""What is shorter is no beginning of the same word."""
_BEGINS = re.compile(
    r"\b(?:born|birth|due|adopt\w*|got|get|getting|met|marr\w+|wed|wedding|engaged|dat(?:es|ed|ing)|became|becomes?|hired"
    r"|promoted|since|start(?:s|ed|ing)? (?:as|dating|seeing))\b",
    re.IGNORECASE,
)
"""Words by which somebody comes to be a child, a partner, a boss: the time told is then theirs."""


_WHOSE = r"(?:['\u2019]s|\b(?:my|our|his|her|their))"


def _since(claim: Claim, said: Extracted, memory: MemoryRecord, relations: Relations) -> datetime:
    """From when the fact holds, or no longer holds. Of what is only said to have lasted until some time, it is known
    that it held just before, and not since when."""
    otherwise = memory.said_at if _has_no_part_in_it(claim, said, relations) else said.event_time or memory.said_at
    if claim.valid_from is None and claim.valid_until is not None and claim.valid_until <= otherwise:
        return claim.valid_until - MICROSECOND
    return claim.valid_from or otherwise


def _could_end(edge: Edge, since: datetime) -> bool:
    """Whether it had begun by then, or was spoken of shortly after: "I work at Aldi" said a week after being fired."""
    return edge.valid_from <= since + SPOKEN_OF_LATE


def _has_no_part_in_it(claim: Claim, said: Extracted, relations: Relations) -> bool:
    """Whether the time told is not that of the fact: it is the value itself, as in "my birthday is March 5", or when
    something else happens to somebody named by their role, as in "my wife Ada has surgery on Friday"."""
    if is_value(claim.object) and TIMES.issuperset(values_of(claim.object)):
        return True
    ends = "|".join(re.escape(one) for one in (claim.subject, claim.object))
    in_passing = re.search(rf"{_WHOSE}(?: [\w-]+){{1,2}} (?:{ends})\b", said.content, re.IGNORECASE) is not None
    return claim.relation in relations.marked("in_passing") and in_passing and not _BEGINS.search(said.content)


@dataclass
class FactClosing:
    so_far: Decided
    competing: Competing = field(init=False)
    memories: MemoryClosing = field(init=False)

    def __post_init__(self) -> None:
        self.competing, self.memories = Competing(self.so_far), MemoryClosing(self.so_far)

    def claims(self, memory: MemoryRecord, said: Extracted) -> tuple[Triple, ...]:
        """The facts it states, as they will stand; what it ends is ended."""
        told = []
        for claim in sorted(said.claims, key=lambda one: one.stance is Stance.HOLDS):  # what ends makes room first
            if claim.relation in self.so_far.relations.marked("names"):
                if claim.stance is Stance.HOLDS:
                    self._named(memory, claim)
                continue
            if claim.object == WHICHEVER:
                self._ends_the_one(memory, claim, said)
                continue
            subject, object_ = (self.so_far.entity(name, said, memory) for name in (claim.subject, claim.object))
            since = _since(claim, said, memory, self.so_far.relations)
            before = len(self.so_far.way.closed)
            if claim.stance is Stance.HOLDS and denies_value(memory.content, claim.object):
                continue
            if claim.stance is Stance.HOLDS:
                told.append(self._holds(memory, said, claim, subject, object_, since))
            elif claim.stance is Stance.ENDS:
                self._ends(memory, claim, subject, object_, since)
            else:
                self._never(memory, claim, subject, object_)
            self.memories.follow(memory, self.so_far.way.closed[before:], since, said.cue)
        return tuple(told)

    def _named(self, memory: MemoryRecord, claim: Claim) -> None:
        """Who takes another name is no longer called as before, nor does it say so what first told the name."""
        openly, said = memory.visibility is Visibility.SPACE, self.so_far.as_said(memory)
        before = self.so_far.resolving.is_called(claim.subject, claim.object, said, openly)
        first = self.so_far.reader.memory(before.memory_id) if before is not None and before.memory_id else None
        if first is not None and names_it(first.content):
            self.so_far.supersede(memory, first, memory.said_at, "renamed", 1.0, f"now called {claim.object}")

    def _holds(
        self,
        memory: MemoryRecord,
        said: Extracted,
        claim: Claim,
        subject: Entity,
        object_: Entity,
        since: datetime,
    ) -> Triple:
        standing = [one for one in self.so_far.values(subject, claim.relation) if not one.period.empty]
        same = [one for one in standing if self._is_the_same(one, object_, said.cue)]
        for one in same:
            if one.period.holds(since):
                if one.memory_id != memory.id:
                    certain = min(claim.confidence, memory.confidence)
                    self.so_far.repeated.append(EdgeRepeated(one.id, memory.id, since, certain))
                return Triple(subject.name, one.relation, object_.name, one.valid_from, one.valid_until)
        edge = self.so_far.fact(memory, subject, claim, object_, since)
        if edge.valid_until is None:
            later = min((one.valid_from for one in same if one.valid_from > since), default=None)
            edge = replace(edge, valid_until=later)
        edge = self.competing.in_its_place(memory, said, claim, edge, standing)
        self.competing.no_longer_planned(memory, edge)
        self.so_far.added[edge.id] = edge
        return Triple(subject.name, claim.relation, object_.name, edge.valid_from, edge.valid_until)

    def _is_the_same(self, edge: Edge, object_: Entity, cue: Cue | None) -> bool:
        """The same value, or the same in other words: a vet is a veterinarian, and a junior architect an architect,
        unless something is said to have changed."""
        if self.so_far.way.entity(edge.target_id) == self.so_far.way.entity(object_.id):
            return True
        known = self.so_far.reader.entity(edge.target_id)
        if known is None or cue is not None or edge.relation not in self.so_far.relations.marked("in_other_words"):
            return False
        was, is_ = fold(known.name), fold(object_.name)
        short, long = sorted((was, is_), key=len)
        return (len(short) >= SHORT and long.startswith(short)) or set(words(is_)) <= set(words(was))

    def _ends(self, memory: MemoryRecord, claim: Claim, subject: Entity, object_: Entity, since: datetime) -> None:
        """What is only likely to be over ends what is only likely to have been so."""
        sure, guessed = min(claim.confidence, memory.confidence) >= SURE, claim.confidence < LIKELY
        if not sure and not guessed:
            return
        ended = False
        for one in self._touching(subject, object_, self.so_far.relations.family(claim.relation)):
            if not sure and one.confidence >= LIKELY:
                return
            self._end(one, since, memory)
            ended = ended or (one.valid_from <= since and one.valid_until is None) or one.valid_until == since
        if not ended:
            # it held just before; since when is not known
            began = claim.valid_from and claim.valid_until
            edge = self.so_far.fact(memory, subject, claim, object_, began or since - MICROSECOND)
            edge = replace(edge, valid_until=since, rule="ended")
            self.so_far.added[edge.id] = edge
            self.so_far.way.note(edge)

    def _ends_the_one(self, memory: MemoryRecord, claim: Claim, said: Extracted) -> None:
        """What holds, where that is so of one only: "I quit my job" names none."""
        subject = self.so_far.entity(claim.subject, said, memory)
        since = _since(claim, said, memory, self.so_far.relations)
        holding = [
            one for one in self._open(subject, self.so_far.relations.family(claim.relation)) if _could_end(one, since)
        ]
        others = {self.so_far.way.entity(end) for one in holding for end in (one.source_id, one.target_id)}
        if len(others) != 2 or min(claim.confidence, memory.confidence) < SURE:
            return
        before = len(self.so_far.way.closed)
        for one in holding:
            self._end(one, since, memory)
        self.memories.follow(memory, self.so_far.way.closed[before:], since, said.cue)

    def _open(self, subject: Entity, relations: frozenset[str]) -> list[Edge]:
        """What is known of it and has not ended, whichever of the two it was said of."""
        mutual = tuple(sorted(relations & self.so_far.relations.marked("mutual")))
        told = self.so_far.reader.edges(EdgeFilter(target_ids=(subject.id,), relations=mutual)) if mutual else ()
        return [one for one in (*self.so_far.of_subject(subject.id, relations), *told) if one.valid_until is None]

    def _end(self, edge: Edge, since: datetime, memory: MemoryRecord) -> None:
        if edge.valid_from <= since and (edge.valid_until is None or edge.valid_until > since):
            self.so_far.close(edge, since, "ended", memory)
        elif edge.valid_until is None and self._begins_when_said(edge):
            self.so_far.close(edge, edge.valid_from, "ended", memory)  # it was over before it was spoken of

    def _begins_when_said(self, edge: Edge) -> bool:
        """Nobody said since when: it is only known to have held when it was spoken of."""
        said = self.so_far.reader.memory(edge.memory_id) if edge.memory_id else None
        return said is not None and said.event_time is None and edge.valid_from == said.said_at

    def _never(self, memory: MemoryRecord, claim: Claim, subject: Entity, object_: Entity) -> None:
        if min(claim.confidence, memory.confidence) < SURE:
            return
        for one in self._touching(subject, object_, {claim.relation}):
            if not one.period.empty:
                self.so_far.close(one, one.valid_from, "corrected", memory)

    def _touching(self, subject: Entity, object_: Entity, relations: Iterable[str]) -> Iterator[Edge]:
        wanted = frozenset(relations)
        for one in self.so_far.of_subject(subject.id, wanted):
            if self.so_far.way.entity(one.target_id) == self.so_far.way.entity(object_.id) or self.so_far.is_called(
                one.target_id, object_.name
            ):
                yield one
        mutual = wanted & self.so_far.relations.marked("mutual")
        if mutual:
            which = EdgeFilter(source_ids=(object_.id,), relations=tuple(sorted(mutual)), include_closed=True)
            yield from (
                one for one in self.so_far.reader.edges(which) if one.target_id == self.so_far.way.entity(subject.id)
            )

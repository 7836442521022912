"""What makes way for a new fact? Those of the same subject and relation that cannot hold beside it.

A relation that has one value at a time makes way by itself; others only where the words say so. What is over closes
nothing that still holds, and what is not certain closes nothing that is: one guess makes way for another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from treering.ingest.extract.contract import Claim, Cue, Extracted
from treering.ingest.relate.cues import denies_value, names_it, says_it_has_changed
from treering.ingest.relate.decided import SURE, Decided
from treering.ingest.relate.tastes import Tastes, is_favourite
from treering.ingest.resolve import PERSON, may_be_several
from treering.language.standing import only_for_a_while, takes_back
from treering.language.values import is_value
from treering.model.edge import KNOWN_FACTS, LIKELY, Edge, Link
from treering.model.memory import MemoryRecord
from treering.store.contract import EdgeFilter

HAVING = "having"
"""The family of relations in which something is had: what is no longer had is no longer used either."""


def _is_told_anew(memory: MemoryRecord, said: Extracted, claim: Claim) -> bool:
    """Whether it says that something one has is another now: "my email is … now"."""
    thing = re.escape(claim.relation.lower().replace("_", " "))
    return said.cue is not None and re.search(rf"\b{thing} is\b", memory.content, re.IGNORECASE) is not None


@dataclass(frozen=True)
class Competing:
    so_far: Decided

    @property
    def _having(self) -> frozenset[str]:
        return self.so_far.relations.of_family(HAVING)

    def in_its_place(
        self, memory: MemoryRecord, said: Extracted, claim: Claim, edge: Edge, standing: list[Edge]
    ) -> Edge:
        """The new fact, once those that it competes with have ended or are said to contradict it."""
        others = [
            one for one in standing if self.so_far.way.entity(one.target_id) != self.so_far.way.entity(edge.target_id)
        ]
        beside = [one for one in others if self._is_the_same_place(memory, edge, one)]
        others = [one for one in others if one not in beside]
        one_at_a_time = self._is_one_at_a_time(memory, said, claim, edge)
        if min(claim.confidence, memory.confidence) < SURE:
            if one_at_a_time:
                self._unsure(memory, claim, edge, [one for one in others if one.period.holds(edge.valid_from)])
            self.so_far.way.note(edge)
            return edge
        if claim.instead_of:
            self._replaced(memory, claim, edge)
        changed = says_it_has_changed(self.so_far.as_said(memory))
        if said.cue is Cue.CORRECTION and one_at_a_time and not changed:
            wrong = [one for one in others if one.valid_until is None and one.id not in self.so_far.added]
            for one in wrong:
                self.so_far.close(one, one.valid_from, "corrected", memory)
            first = min((one.valid_from for one in wrong), default=edge.valid_from)
            edge = edge if claim.valid_from else replace(edge, valid_from=min(first, edge.valid_from))
            self.so_far.way.note(edge)
            return edge
        if said.cue is Cue.CHANGE and claim.relation in self.so_far.relations.marked("held_by_one"):
            self._taken_over(memory, edge)
        if said.cue is Cue.CHANGE and claim.relation in self._having:
            self._returned(memory, edge)
            self._only_one(memory, edge, others)
        for one in Tastes(self.so_far).that_make_way(memory, claim, edge):
            self.so_far.close(one, max(one.valid_from, edge.valid_from), "another taste", memory)
        if said.cue is Cue.CORRECTION:
            for one in self._taken_back(memory, others):
                self.so_far.close(one, one.valid_from, "corrected", memory)
        over = edge.valid_until is not None and edge.valid_until <= memory.said_at
        if one_at_a_time and over:
            edge = self._only_the_past(memory, edge, others)
        elif one_at_a_time:
            self.so_far.added[edge.id] = edge = self.so_far.way.for_(edge, frozenset(one.id for one in beside))
            self._until_then(memory, edge)
            return edge
        self.so_far.way.note(edge)
        return edge

    def _unsure(self, memory: MemoryRecord, claim: Claim, edge: Edge, others: list[Edge]) -> None:
        """What is likely contradicts what it cannot hold beside; a guess takes the place of guesses."""
        if claim.confidence >= LIKELY:
            self.so_far.contradicts(memory, others, "not certain")
            return
        for one in others:
            if one.confidence < LIKELY:
                self.so_far.close(one, edge.valid_from, "replaced", memory)

    def _is_one_at_a_time(self, memory: MemoryRecord, said: Extracted, claim: Claim, edge: Edge) -> bool:
        """By its relation, or as what one has: an email, a favourite colour. A value that is only a figure measures
        something, and the newest measure counts, but where a model was told that values add up, or the space says so.
        Not of who may be another each time, nor where it is only for a while."""
        if may_be_several(self.so_far.name(edge.source_id)) or self._is_for_a_while(memory, said, edge):
            return False
        relations = self.so_far.relations
        if claim.relation in relations.one_at_a_time or is_favourite(claim.relation):
            return True
        if relations.one(claim.relation) in KNOWN_FACTS or relations.adds_up(claim.relation):
            return False
        return is_value(claim.object) or _is_told_anew(memory, said, claim)

    def _is_the_same_place(self, memory: MemoryRecord, edge: Edge, other: Edge) -> bool:
        """Whether one lies in the other, as is known or as it says itself: "Capitol Hill, a part of Denver"; or as its
        name says: "Camden, London"."""
        if edge.relation not in self.so_far.relations.marked("nested"):
            return False
        ends = {self.so_far.way.entity(one.target_id) for one in (edge, other)}
        which = EdgeFilter(
            source_ids=tuple(sorted(ends)), relations=tuple(sorted(self.so_far.relations.marked("inside")))
        )
        known = any(self.so_far.way.entity(one.target_id) in ends for one in self.so_far.reader.edges(which))
        new, old = (re.escape(self.so_far.name(one.target_id)) for one in (edge, other))
        said = rf"{new}(?:,| in| \()(?: (?:an?|the))?(?: [\w-]+){{0,3}}?(?: (?:of|in))? {old}(?!\w)"
        led = rf"(?:.+,|.+ in) {old}"
        return (
            known
            or re.search(said, memory.content, re.IGNORECASE) is not None
            or re.fullmatch(led, self.so_far.name(edge.target_id), re.IGNORECASE) is not None
        )

    def _is_for_a_while(self, memory: MemoryRecord, said: Extracted, edge: Edge) -> bool:
        """Who stays somewhere for two weeks still lives where they live."""
        passing = (
            said.cue is None and edge.valid_until is None and edge.relation in self.so_far.relations.marked("nested")
        )
        return passing and only_for_a_while(self.so_far.as_said(memory))

    def no_longer_planned(self, memory: MemoryRecord, edge: Edge) -> None:
        """What has come about is planned no more."""
        intended = self.so_far.relations.marked("intends")
        if edge.relation not in intended:
            for one in self.so_far.of_subject(edge.source_id, intended):
                same = self.so_far.way.entity(one.target_id) == self.so_far.way.entity(edge.target_id)
                if same and one.valid_until is None and one.id not in self.so_far.added:
                    self.so_far.close(one, max(one.valid_from, edge.valid_from), "done", memory)

    def _until_then(self, memory: MemoryRecord, edge: Edge) -> None:
        """What is said to hold until something that is known to come: from then on that stands in its place."""
        if edge.valid_until is None or edge.valid_until <= memory.said_at:
            return
        for one in self.so_far.way.values(edge.source_id, edge.relation):
            if one.valid_from == edge.valid_until and one.memory_id and self.so_far.reader.memory(one.memory_id):
                self.so_far.links.append(
                    self.so_far.linked(
                        one.memory_id, memory.id, Link.SUPERSEDES, one.valid_from, "to come", None, 1.0, memory
                    )
                )
                return

    def _only_the_past(self, memory: MemoryRecord, edge: Edge, others: list[Edge]) -> Edge:
        """What is over closes nothing that still holds: where the two overlap, they contradict each other."""
        clashing = [one for one in others if one.period.holds(edge.valid_from) and one.valid_until is None]
        self.so_far.contradicts(memory, clashing, "both are said to have held then")
        return edge

    def _replaced(self, memory: MemoryRecord, claim: Claim, edge: Edge) -> None:
        """The value whose place it takes, by name, in whatever relation of having it stood."""
        relations = self._having if claim.relation in self._having else {claim.relation}
        for one in self.so_far.of_subject(edge.source_id, relations):
            stands = one.valid_until is None or one.valid_until > edge.valid_from
            if stands and self.so_far.is_called(one.target_id, claim.instead_of or ""):
                self.so_far.close(one, max(one.valid_from, edge.valid_from), "replaced", memory)

    def _returned(self, memory: MemoryRecord, edge: Edge) -> None:
        """What is had again had once made way for something else: that makes way now."""
        having = self._having
        for before in self.so_far.of_subject(edge.source_id, having):
            same = self.so_far.way.entity(before.target_id) == self.so_far.way.entity(edge.target_id)
            if not same or before.closed_evidence is None:
                continue
            which = EdgeFilter(evidence_id=before.closed_evidence, relations=tuple(sorted(having)), include_closed=True)
            for one in self.so_far.reader.edges(which):
                other = one.source_id == before.source_id and one.target_id != before.target_id
                if other and one.period.holds(edge.valid_from):
                    self.so_far.close(one, edge.valid_from, "returned", memory)

    def _only_one(self, memory: MemoryRecord, edge: Edge, others: list[Edge]) -> None:
        """Where a thing is said to have changed what it uses, and it was known to use one, that is what has changed. Of
        people one cannot say so: they use many things."""
        subject = self.so_far.resolving.known(edge.source_id)
        standing = [one for one in others if one.period.holds(edge.valid_from)]
        if subject is not None and subject.kind != PERSON and len(standing) == 1:
            self.so_far.close(standing[0], edge.valid_from, "replaced", memory)

    def _taken_back(self, memory: MemoryRecord, others: list[Edge]) -> list[Edge]:
        """Of several values that may hold at once, those that the words of the correction name; where they only say
        that something was wrong, what was said last. "I actually like tea" says nothing of coffee."""
        text = self.so_far.as_said(memory)
        standing = [one for one in others if one.valid_until is None and one.id not in self.so_far.added]
        named = [one for one in standing if denies_value(text, self.so_far.name(one.target_id))]
        if named or not (takes_back(text) or names_it(text)):
            return named
        said = [one for one in standing if self._just_said(one, memory)]
        if not takes_back(text):
            said = [one for one in said if names_it(self.so_far.told_by(one))]
        last = max((one.recorded_at for one in said), default=None)
        return [one for one in said if one.recorded_at == last]

    def _just_said(self, edge: Edge, memory: MemoryRecord) -> bool:
        old = self.so_far.reader.memory(edge.memory_id) if edge.memory_id else None
        return old is not None and self.so_far.same_session(old, memory)

    def _taken_over(self, memory: MemoryRecord, edge: Edge) -> None:
        names = self.so_far.relations.names(edge.relation)
        which = EdgeFilter(target_ids=(edge.target_id,), relations=names, include_closed=True)
        for one in self.so_far.reader.edges(which):
            other = self.so_far.way.entity(one.source_id) != self.so_far.way.entity(edge.source_id)
            if other and one.period.holds(edge.valid_from):
                self.so_far.close(one, edge.valid_from, "taken over", memory)

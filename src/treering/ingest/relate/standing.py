"""Does a fact still hold, now that something else was said? The judge is asked what the turn that told it is for the
fact, read with the new one; and, where it hangs on that, what the new one does to the fact itself.

Asked before the write takes its lock, of the facts of memories near a new statement. Only the fact ends on its word,
never the memory: that is another question (`near`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treering.mind.judging import ONE_TURN, AnswerRole, FoundStatement, Judge, Pair, Verdict, spoken
from treering.model.edge import LIKELY, Edge
from treering.model.memory import Memory
from treering.model.source import Source
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter, Reader
from treering.store.own_relations import relations_of

log = logging.getLogger(__name__)
ASKED = 4
"""Of so many facts of one memory it is asked, the surest first."""
BY_PAIR = 0.5
"""So much of it is what the new turn does to the fact."""
FACT_OVER, GUESS_OVER = 0.55, 0.4
"""From these scores on a fact ends whose memory stands: one that was stated, and one that is only likely."""


@dataclass(frozen=True, slots=True)
class StandingFacts:
    """The facts of some memories that hold, and who tells whether they still do."""

    judge: Judge
    facts: Mapping[str, tuple[Edge, ...]]
    """By the memory that states them."""
    names: Mapping[str, str]
    """Of the entities at their ends."""
    relations: Relations

    @classmethod
    def of(cls, judge: Judge, reader: Reader, memories: Iterable[str]) -> StandingFacts:
        ids, relations = tuple(memories), relations_of(reader)
        facts: dict[str, tuple[Edge, ...]] = {}
        for edge in reader.edges(EdgeFilter(evidence_ids=ids, facts_only=True)) if ids else ():
            if edge.memory_id in ids and edge.valid_until is None and _may_end(edge.relation, relations):
                facts[edge.memory_id] = (*facts.get(edge.memory_id, ()), edge)
        ends = {end for some in facts.values() for edge in some for end in (edge.source_id, edge.target_id)}
        names = {one: entity.name for one in sorted(ends) if (entity := reader.entity(one)) is not None}
        return cls(judge, facts, names, relations)

    def over(self, older: str, newer: str, memory_id: str) -> dict[str, float]:
        """By fact, how much rather it is over than still so, in view of the newer turn: from -1 to 1.5."""
        told = {}
        for edge in sorted(self.facts.get(memory_id, ()), key=lambda one: (-one.confidence, one.id))[:ASKED]:
            if edge.source_id in self.names and edge.target_id in self.names:
                fact = self.relations.stated(self.names[edge.source_id], edge.relation, self.names[edge.target_id])
                before, _ = self.judge.roles(fact, [FoundStatement(older), FoundStatement(newer)])
                over = before.of(AnswerRole.OVER) - before.of(AnswerRole.NOW)
                if enough(edge) - BY_PAIR <= over < enough(edge):
                    (said,) = self.judge.judge([Pair(fact, newer)])
                    over += BY_PAIR * said.of(Verdict.REPLACES, Verdict.ENDS)
                told[edge.id] = round(over, 3)
                log.debug("judged by %s: over by %.3f: %s", self.judge.name, told[edge.id], edge.id)
        return told


def enough(fact: Edge) -> float:
    """So sure the judge must be that it is over."""
    return GUESS_OVER if fact.confidence < LIKELY else FACT_OVER


def _may_end(relation: str, relations: Relations) -> bool:
    return not relations.aside(relation) and not relations.happens(relation)


def turn_of(source: Source | None, memory: Memory) -> str:
    """A turn as it was said; of a long one, the words of the memory."""
    if source is None:
        return spoken(None, memory.content)
    return said_in(source.speaker, source.content, source.content[slice(*memory.span)].strip() or memory.content)


def said_in(speaker: str | None, turn: str, words: str) -> str:
    """The whole turn, or of a long one the statement's own words."""
    return spoken(speaker, turn if turn.strip() and len(turn) <= ONE_TURN else words)

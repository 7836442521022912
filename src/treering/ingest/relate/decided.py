"""What has this write decided so far? Its facts and links, what it ends, and what it lets make way.

The parts of relating decide, each by its own question; here their decisions are written down, so that the next sees
them, and become the edges of the write.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from treering.ingest.add import Adding
from treering.ingest.extract.contract import Claim, Extracted, Mentioned
from treering.ingest.receipt import EdgeTold
from treering.ingest.relate.judged import Near
from treering.ingest.resolve import Resolving, told_apart
from treering.language.rewording import as_read
from treering.language.words import words
from treering.model.changes import AliasesAdded, EdgeAdded, EdgeClosed, EdgeRepeated, EntityAdded
from treering.model.edge import CERTAIN, MENTION, Edge, Family, Link
from treering.model.entity import Entity, fold
from treering.model.memory import Memory, MemoryRecord, State, View
from treering.model.source import Source
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter, Reader
from treering.store.making_way import MakingWay
from treering.store.same_words import told_within

log = logging.getLogger(__name__)
SURE = CERTAIN
"""A claim less certain than this closes nothing."""


@dataclass
class Decided:
    """Facts and links of the statements of one write."""

    adding: Adding
    resolving: Resolving
    relations: Relations
    added: dict[str, Edge] = field(default_factory=dict)
    closed: list[EdgeTold] = field(default_factory=list)
    repeated: list[EdgeRepeated] = field(default_factory=list)
    links: list[Edge] = field(default_factory=list)
    conflicts: list[tuple[str, str, str]] = field(default_factory=list)
    heard: dict[str, Source] = field(default_factory=dict)
    """The sources of this write, by id."""
    superseded: dict[str, str] = field(default_factory=dict)
    """Old memory to new, in this write."""
    doubted: list[tuple[MemoryRecord, Near]] = field(default_factory=list)
    """New statements, with memories near them whose facts the judge has been asked about."""
    way: MakingWay = field(init=False)

    def __post_init__(self) -> None:
        self.way = MakingWay(self.adding.act.reader, self.added, self.relations)

    def fact(self, memory: MemoryRecord, subject: Entity, claim: Claim, object_: Entity, since: datetime) -> Edge:
        until = claim.valid_until if claim.valid_until is None or claim.valid_until > since else None
        return Edge(
            id=self.adding.act.mint(),
            space=memory.space,
            source_id=subject.id,
            target_id=object_.id,
            relation=claim.relation,
            confidence=min(claim.confidence, memory.confidence),
            valid_from=since,
            valid_until=until,
            recorded_at=memory.recorded_at,
            memory_id=memory.id,
            observed_by=memory.observed_by,
            rule="stated",
        )

    def entity(self, name: str, said: Extracted, memory: MemoryRecord) -> Entity:
        same = (one for one in said.entities if fold(one.name) == fold(name))
        return self.resolving.entity(next(same, Mentioned(told_apart(name, self.as_said(memory)))))

    def close(self, edge: Edge, until: datetime, rule: str, memory: MemoryRecord, why: str | None = None) -> None:
        until = max(until, edge.valid_from)
        if edge.id in self.added:
            self.added[edge.id] = replace(self.added[edge.id], valid_until=until)
            return
        ends_now = [one.valid_until for one in self.way.closed if one.edge_id == edge.id]
        previous = ends_now[-1] if ends_now else edge.valid_until
        if not ends_now or until < ends_now[-1]:  # two rules may see the same end: it is closed once
            log.debug("%s closes %s %s: %s", memory.id, edge.relation, edge.id, rule)
            self.way.closed.append(EdgeClosed(edge.id, until, previous, rule, memory.id, why))

    def of_subject(self, subject_id: str, relations: Iterable[str]) -> Iterator[Edge]:
        for relation in sorted({self.relations.one(name) for name in relations}):
            yield from self.way.values(subject_id, relation)

    def values(self, subject: Entity, relation: str) -> list[Edge]:
        return list(self.way.values(subject.id, relation))

    def facts_of(self, memory_id: str) -> list[Edge]:
        """All that a memory states, what has ended too."""
        return self.reader.edges(EdgeFilter(evidence_id=memory_id, facts_only=True, include_closed=True))

    def told_by(self, edge: Edge) -> str:
        """The statement that a fact comes from."""
        memory = self.reader.memory(edge.memory_id) if edge.memory_id else None
        return "" if memory is None else memory.content

    def values_of(self, memory_id: str) -> list[str]:
        """What the facts of a memory name, but for those that it states by the way."""
        return [
            self.name(fact.target_id) for fact in self.facts_of(memory_id) if not self.relations.aside(fact.relation)
        ]

    def names_in(self, memory: Memory) -> list[str]:
        which = EdgeFilter(source_ids=(memory.id,), relations=(MENTION,), include_closed=True)
        return [self.name(edge.target_id) for edge in self.reader.edges(which)]

    def is_called(self, entity_id: str, name: str) -> bool:
        """Whether it goes by this name, or by a longer one that holds all its words."""
        entity = self.reader.entity(entity_id)
        names = [entity.name, *entity.aliases] if entity else []
        said = set(words(name))
        return any(fold(one) == fold(name) or (said and said <= set(words(one))) for one in names)

    def supersede(self, memory: MemoryRecord, old: Memory, at: datetime, rule: str, score: float, why: str) -> None:
        if old.id in self.superseded or old.id == memory.id or old.state not in (State.ACTIVE, State.PROMOTED):
            return
        clauses = (one for one in told_within(self.reader, old, View.CURRENT) if not self.facts_of(one.id))
        for one in (old, *clauses):  # what states a fact of its own stands or falls with that
            self.superseded[one.id] = memory.id
            previous = one.valid_until.isoformat() if one.valid_until else None
            self.link(memory, one.id, Link.SUPERSEDES, max(at, one.valid_from), rule, why, score, previous)

    def contradicts(self, memory: MemoryRecord, edges: Iterable[Edge], why: str) -> None:
        for edge in edges:
            if edge.memory_id is not None and edge.memory_id != memory.id and self.reader.memory(edge.memory_id):
                self.conflicts.append((memory.id, edge.memory_id, why))
                self.link(memory, edge.memory_id, Link.CONTRADICTS, memory.holds_from, "no order in time", why, 1.0)

    def proposes(self, memory: MemoryRecord, old: Memory, rule: str, why: str, score: float) -> None:
        """What is in doubt: somebody is to say whether the new one takes the old one's place."""
        self.link(memory, old.id, Link.RELATED_TO, memory.holds_from, rule, why, score)

    def extends(self, memory: MemoryRecord, old: Memory, score: float) -> None:
        self.link(memory, old.id, Link.EXTENDS, memory.holds_from, "says more", None, score)

    def link(
        self,
        memory: MemoryRecord,
        target_id: str,
        relation: Link,
        since: datetime,
        rule: str,
        why: str | None,
        score: float,
        previous: str | None = None,
    ) -> None:
        log.debug("%s %s %s: %s (%.4f)", memory.id, relation.value, target_id, rule, score)
        self.links.append(self.linked(memory.id, target_id, relation, since, rule, why, score, memory, previous))

    def linked(
        self,
        source_id: str,
        target_id: str,
        relation: Link,
        since: datetime,
        rule: str,
        why: str | None,
        score: float,
        evidence: MemoryRecord,
        previous: str | None = None,
    ) -> Edge:
        act = self.adding.act
        meta: dict[str, Any] = {"score": round(score, 4)}
        if previous is not None:
            meta["previous"] = previous
        return Edge(
            id=act.mint(),
            space=act.space,
            source_id=source_id,
            target_id=target_id,
            relation=relation.value,
            valid_from=since,
            recorded_at=act.at,
            memory_id=evidence.id,
            observed_by=evidence.observed_by,
            rule=rule,
            why=why,
            meta=meta,  # type: ignore[arg-type]  # Edge copies and freezes it
        )

    def words_of(self, memory: MemoryRecord) -> str:
        """In the words of the speaker: dates that were worked out are nobody's words."""
        source = self._source(memory.source_id)
        return memory.content if source is None else as_read(memory.content, source.content[slice(*memory.span)])

    def as_said(self, memory: MemoryRecord) -> str:
        """The very words that it rests on."""
        source = self._source(memory.source_id)
        return memory.content if source is None else source.content[slice(*memory.span)] or memory.content

    def same_session(self, old: Memory, memory: MemoryRecord) -> bool:
        before, now = self._source(old.source_id), self._source(memory.source_id)
        return before is not None and now is not None and before.session == now.session is not None

    def _source(self, source_id: str) -> Source | None:
        return self.heard.get(source_id) or self.reader.source(source_id)

    @property
    def reader(self) -> Reader:
        return self.adding.act.reader

    def changes(self) -> Iterator[EdgeAdded | EdgeClosed | EdgeRepeated]:
        sign = self.adding.act.writer.sign
        yield from (EdgeAdded(sign(edge)) for edge in self.added.values())
        yield from dict.fromkeys(self.repeated)
        yield from self.way.closed
        yield from (EdgeAdded(sign(edge)) for edge in self.links)

    def told(self) -> tuple[EdgeTold, ...]:
        return tuple(
            self.as_told(edge, edge.valid_until, edge.rule or "", edge.memory_id)
            for edge in (*self.added.values(), *self.links)
        )

    def as_told(self, edge: Edge, until: datetime | None, rule: str, evidence: str | None) -> EdgeTold:
        ends = edge.source_id, edge.target_id
        source, target = ends if edge.family is Family.LINK else map(self.name, ends)
        return EdgeTold(
            id=edge.id,
            source=source,
            relation=edge.relation,
            target=target,
            valid_from=edge.valid_from,
            valid_until=until,
            rule=rule,
            evidence=evidence,
            why=edge.why,
        )

    def name(self, node_id: str) -> str:
        """An entity's name; the id of what is none."""
        entity = self.reader.entity(node_id)
        if entity is not None:
            return entity.name
        for one in self.resolving.naming.added:
            if isinstance(one, EntityAdded) and one.entity.id == node_id:
                return one.entity.name
            if isinstance(one, AliasesAdded) and one.entity_id == node_id:
                return one.aliases[0]
        return node_id

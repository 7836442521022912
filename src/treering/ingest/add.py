"""How is a statement stored as it stands? One source and one memory a draft, never split, never read by a model.

Repeats by key are recognised here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

from treering.errors import Conflict
from treering.ingest.draft import Draft
from treering.ingest.reading import Reading
from treering.ingest.receipt import NamedEntity, Receipt, Remembered, Triple, named, remembered
from treering.ingest.strength import strength_of
from treering.model.changes import Change, Changes, EdgeAdded, MemoryAdded, SourceAdded
from treering.model.edge import MENTION, Edge, Link
from treering.model.entity import Entity, fold
from treering.model.memory import Memory, MemoryRecord, View
from treering.model.source import Source
from treering.store.contract import Act, EdgeFilter, MemoryFilter, Reader
from treering.store.naming import NameRegister, missing, stands_for
from treering.store.same_words import told_within


@dataclass
class Adding:
    """One write in the making."""

    act: Act
    changes: list[Change] = field(default_factory=list)
    memories: list[Remembered] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    restated: list[Edge] = field(default_factory=list)
    stated: set[tuple[str, str, str]] = field(default_factory=set)
    naming: NameRegister = field(init=False)

    def __post_init__(self) -> None:
        self.naming = NameRegister(self.act)

    def draft(self, draft: Draft) -> MemoryRecord:
        """A source of its own, and one memory of all it says."""
        source = self.source(draft, draft.content)
        whole = replace(draft, meta=source.meta) if draft.meta else draft  # checked and copied once
        return self.memory(source, whole, (0, len(source.content)))

    def source(self, draft: Draft, content: str) -> Source:
        """What was said, word for word; who said it, when and where is as the draft has it. Any number of memories may
        rest on it."""
        source = Source(
            id=self.act.mint(),
            space=self.act.space,
            content=content,
            kind=draft.source_kind,
            speaker=draft.speaker,
            session=draft.session,
            key=draft.key,
            occurred_at=draft.at or self.act.now,
            recorded_at=self.act.at,
            meta=draft.meta,  # type: ignore[arg-type]  # Source copies and freezes it
        )
        self.changes.append(SourceAdded(source))
        return source

    def memory(self, source: Source, draft: Draft, span: tuple[int, int], memory_id: str | None = None) -> MemoryRecord:
        """A memory of that stretch of the source. It was said when the source was."""
        memory = MemoryRecord(
            id=memory_id or self.act.mint(),
            space=self.act.space,
            content=draft.content,
            kind=draft.kind,
            title=draft.title,
            context=draft.context,
            tags=tuple(draft.tags),
            meta=draft.meta,  # type: ignore[arg-type]  # MemoryRecord copies and freezes it
            importance=draft.importance,
            confidence=draft.confidence,
            strength=_strength(draft),
            tier=draft.tier,
            event_time=draft.event_time,
            event_end=draft.event_end,
            said_at=source.occurred_at,
            recorded_at=self.act.at,
            expires_at=draft.expires_at,
            source_id=source.id,
            span=span,
            observed_by=draft.observed_by or self.act.writer.actor,
            visibility=draft.visibility,
            visible_to=tuple(draft.visible_to),
        )
        self.changes.append(MemoryAdded(memory))
        self._relate(draft, memory)
        for origin in dict.fromkeys(draft.derived_from):
            if self.act.reader.memory(origin) is None:
                raise missing(self.act.reader, origin, "derived_from", "memory")
            self.edge(memory, memory.id, origin, Link.DERIVED_FROM.value, memory.holds_from, None, "stated", 1.0)
        return memory

    def _relate(self, draft: Draft, memory: MemoryRecord) -> None:
        """What the memory mentions, and the facts it states."""
        self.naming.memory_id = memory.id
        first, before = len(self.naming.added), set(self.naming.created)
        mentioned = {e.id: e for e in (self.naming.entity(one.name, one.kind) for one in draft.entities)}
        triples, facts = [], []
        for one in draft.triples:
            subject, object_ = self.naming.entity(one.subject), self.naming.entity(one.object)
            mentioned |= {subject.id: subject, object_.id: object_}
            since = one.valid_from or memory.event_time or memory.said_at
            stands = (
                self._stands(subject.id, one.relation, object_.id, since, one.valid_until) if self.restated else None
            )
            if stands is None:
                facts.append((subject.id, object_.id, one.relation, since, one.valid_until, one.confidence))
            triples.append(Triple(subject.name, one.relation, object_.name, stands or since, one.valid_until))
        created = self.naming.created - before
        self.changes += self.naming.added[first:]
        for entity_id in mentioned:
            self.edge(memory, memory.id, entity_id, MENTION, memory.holds_from, None, "mentioned", 1.0)
        for source_id, target_id, relation, since, until, confidence in facts:
            self.edge(memory, source_id, target_id, relation, since, until, "stated", confidence)
        entities = tuple(self._as_seen(one, one.id in created) for one in mentioned.values())
        self.memories.append(remembered(memory, entities, tuple(triples)))

    def _as_seen(self, entity: Entity, created: bool) -> NamedEntity:
        """What the entity is merged into, if it is: the edges are its own, the name is what it goes by."""
        whole = None if created else self.act.reader.entity(entity.id)
        return named(whole or entity, created)

    def _stands(
        self, source_id: str, relation: str, target_id: str, since: datetime, until: datetime | None
    ) -> datetime | None:
        """From when a fact has stood that a revision states again: it goes on, and is not said twice."""
        fact = stands_for(self.act.reader, source_id), relation, stands_for(self.act.reader, target_id)
        self.stated.add(fact)
        for edge in self.restated:
            same = (edge.source_id, edge.relation, edge.target_id) == fact
            if same and edge.period.holds(since) and edge.valid_until == until:
                return edge.valid_from
        return None

    def edge(
        self,
        evidence: MemoryRecord,
        source_id: str,
        target_id: str,
        relation: str,
        since: datetime,
        until: datetime | None,
        rule: str,
        confidence: float,
        why: str | None = None,
    ) -> None:
        edge = Edge(
            id=self.act.mint(),
            space=self.act.space,
            source_id=source_id,
            target_id=target_id,
            relation=relation,
            confidence=confidence,
            valid_from=since,
            valid_until=until,
            recorded_at=self.act.at,
            memory_id=evidence.id,
            observed_by=evidence.observed_by,
            rule=rule,
            why=why,
        )
        self.changes.append(EdgeAdded(self.act.writer.sign(edge)))
        self.edges.append(edge.id)

    def supersede(self, new: MemoryRecord, old: Memory, rule: str, why: str | None = None) -> None:
        """The new memory takes the place of the old one, from when it holds; in other words, of what was told in parts
        of the old words too."""
        reworded = new.content != old.content
        for one in (old, *(told_within(self.act.reader, old, View.CURRENT) if reworded else ())):
            self.edge(new, new.id, one.id, Link.SUPERSEDES.value, new.holds_from, None, rule, 1.0, why)

    def whole(self, op: str, reading: Reading, heard: Sequence[Source] = ()) -> Changes:
        """All changes, with the vectors of what they bring in. `heard`: sources that were there before."""
        sources = [change.source for change in self.changes if isinstance(change, SourceAdded)]
        own = self.act.reader.setting("embedder") if reading.read else None
        vectors = reading.of(self.changes, {source.id: source for source in (*heard, *sources)}, own)
        return Changes(op, tuple(self.changes), vectors)

    def receipt(self, superseded: tuple[str, ...] = (), repeated: bool = False) -> Receipt:
        entities: dict[str, NamedEntity] = {}
        for one in (one for memory in self.memories for one in memory.entities):
            entities.setdefault(one.id, one)  # new where it is named first
        return Receipt(
            space=self.act.space,
            seq=self.act.reader.head.seq + bool(self.changes),
            at=self.act.at,
            source_ids=tuple(key for key, _ in groupby(memory.source_id for memory in self.memories)),
            memories=tuple(self.memories),
            entities=tuple(entities.values()),
            edges_added=tuple(self.edges),
            superseded=superseded,
            repeated=repeated,
        )


NOTHING_READ = Reading()


def add(act: Act, drafts: list[Draft], op: str, reading: Reading = NOTHING_READ) -> tuple[Changes, Receipt]:
    """Drafts whose key is known are not written again: the first result stands for them."""
    adding, repeats = Adding(act), 0
    for draft in drafts:
        if is_repeat(adding, draft):
            repeats += 1
        else:
            adding.draft(draft)
    receipt = adding.receipt(repeated=repeats == len(drafts))
    return adding.whole(op, reading), receipt


def is_repeat(adding: Adding, draft: Draft) -> bool:
    if draft.key is None:
        return False
    if draft.key in adding.keys:
        _must_be_same(draft.key, adding.keys[draft.key], draft.content)
        return True
    adding.keys[draft.key] = draft.content
    first = adding.act.reader.source_by_key(draft.key)
    if first is None:
        return False
    found = adding.act.reader.memories(MemoryFilter(view=View.ALL, source_id=first.id))
    if not found:  # private to others: the same words whether or not the contents are equal
        raise Conflict(f"key: {draft.key!r} is in use; give a new key")
    _must_be_same(draft.key, first.content, draft.content)
    for memory in found:
        adding.memories.append(remembered(memory, *what_it_says(adding.act.reader, memory)))
    return True


def _must_be_same(key: str, first: str, now: str) -> None:
    if first != now:
        raise Conflict(f"key: {key!r} was used before with other content; give a new key for new content")


def what_it_says(reader: Reader, memory: Memory) -> tuple[tuple[NamedEntity, ...], tuple[Triple, ...]]:
    """The entities and facts a stored memory brought in, as its receipt told them."""
    names: dict[str, NamedEntity] = {}
    for edge in reader.edges(EdgeFilter(source_ids=(memory.id,), relations=(MENTION,), include_closed=True)):
        entity = reader.entity(edge.target_id)
        if entity is not None:
            names[entity.id] = named(entity, entity.memory_id == memory.id)
    about = tuple(names)
    facts = reader.edges(EdgeFilter(source_ids=about, facts_only=True, include_closed=True)) if about else []
    triples = tuple(
        Triple(
            names[edge.source_id].name,
            edge.relation,
            names[edge.target_id].name,
            edge.valid_from,
            edge.valid_until,
        )
        for edge in facts
        if edge.memory_id == memory.id and edge.target_id in names
    )
    return tuple(names.values()), triples


def _strength(draft: Draft) -> float:
    if draft.strength is not None:
        return draft.strength
    named = [one.name for one in draft.entities]
    named += [end for one in draft.triples for end in (one.subject, one.object)]
    return strength_of(draft.content, len({fold(one) for one in named}))

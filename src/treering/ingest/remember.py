"""How does a sentence become knowledge? What was read is resolved, related to what is known, and written at once.

By now the sources are kept (`hear`) and read (`extract`); this is the plan of the one atomic write in which memories,
entities, facts and links come in, and the sources cease to wait. Reading them again changes nothing.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from treering.ingest.add import Adding, what_it_says
from treering.ingest.draft import Draft, DraftEntity
from treering.ingest.extract.contract import OWNER, Extracted, Extraction, Heard, Mentioned
from treering.ingest.hear import SharedFields
from treering.ingest.reading import Reading
from treering.ingest.receipt import (
    Clash,
    MaybeSame,
    NamedEntity,
    Receipt,
    SaidAgain,
    Skipped,
    Triple,
    named,
    remembered,
)
from treering.ingest.relate import Near, Relating
from treering.ingest.resolve import PERSON, Resolving
from treering.language.en import persons
from treering.mind.contract import Passage
from treering.model.changes import Changes, EdgeAdded, EntityAdded, Marked, Reinforced, Thing
from treering.model.edge import MENTION, Edge
from treering.model.entity import Entity
from treering.model.job import Stage
from treering.model.memory import Mark, Memory, MemoryRecord, View, Visibility
from treering.model.source import Source
from treering.relations import POSSIBLE_SAME
from treering.store.contract import Act, MemoryFilter
from treering.store.own_relations import relations_of

log = logging.getLogger(__name__)
Nearest = Callable[[Passage], Sequence[Near]]
"""The memories near a passage, the nearest first."""
_WORD = re.compile(r"[\w'’]+")  # noqa: RUF001  the apostrophe of telephones


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A source, and what an extractor made of it."""

    source: Source
    heard: Heard
    extraction: Extraction
    passages: tuple[Passage, ...]
    """Each statement as an embedder reads it."""


@dataclass
class Remembering:
    act: Act
    manner: SharedFields
    nearest: Nearest
    adding: Adding = field(init=False)
    relating: Relating = field(init=False)
    resolving: Resolving = field(init=False)
    duplicates: list[SaidAgain] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    read: list[Source] = field(default_factory=list)
    beside: list[NamedEntity] = field(default_factory=list)
    """What only the facts name."""

    def __post_init__(self) -> None:
        self.adding = Adding(self.act)
        self.resolving = Resolving(self.act, self.adding.naming)
        self.relating = Relating(self.adding, self.resolving, relations_of(self.act.reader))

    def take(self, one: ReadSource) -> None:
        self.relating.heard[one.source.id] = one.source
        self.resolving.session, self.resolving.first_person = one.source.session, one.heard.first_person
        is_new = True
        for said, passage in zip(one.extraction.extracted, one.passages, strict=True):
            if not said.clause:
                is_new = self._statement(one.source, said, passage)
            elif is_new:  # of what was said before, the clauses were told then
                self._statement(one.source, said, passage)
        self.relating.nearby.end_facts()
        self.skipped += [Skipped(one.source.id, over.span, over.why) for over in one.extraction.passed_over]
        self.read.append(one.source)

    def _statement(self, source: Source, said: Extracted, passage: Passage) -> bool:
        """Whether it was not said before."""
        near = self.relating.nearby.close_to(self.nearest(passage))
        same = self.relating.nearby.same_as(source, said, near)
        if same is not None and self._as_open(same[0]) and not self._backs_already(same[0], source):
            old, score = same
            log.debug("%s says %s again (%.4f)", source.id, old.id, score)
            self.duplicates.append(SaidAgain(old.id, source.id, round(score, 4)))
            self.adding.changes.append(Reinforced(old.id, source.id, said.span))
            return False
        # names are resolved before the memory is there: the id that they are known through is the next to be minted
        memory_id = self.act.mint()
        self.adding.naming.memory_id = memory_id
        before, named_before = set(self.adding.naming.created), len(self.adding.naming.added)
        entities = [self.resolving.entity(one) for one in said.entities]
        draft = Draft(
            content=said.content,
            kind=said.kind,
            tags=self.manner.tags,
            meta=self.manner.meta,
            importance=said.importance,
            confidence=said.confidence,
            event_time=said.event_time,
            event_end=said.event_end,
            expires_at=said.expires_at,
            entities=[DraftEntity(entity.name, entity.kind) for entity in entities],
            observed_by=self.manner.observed_by,
            visibility=self.manner.visibility,
            visible_to=self.manner.visible_to,
        )
        memory = self.adding.memory(source, draft, _inside(said.span, source), memory_id)
        triples = self.relating.facts.claims(memory, said)
        if self._speaks_of_owner(said):
            self._mention_owner(memory, {one.id for one in entities}, before)
        self.relating.nearby.relate(memory, said, near)
        self.tell(memory, triples, before, named_before)
        return True

    def _speaks_of_owner(self, said: Extracted) -> bool:
        """Whether the statement names whom the space belongs to, in whose words it is: "User's cat is ill", or they say
        it of themselves: "User: my cat is ill". What they only tell or ask ("User: the bus was late") is about
        something else."""
        me = self.resolving.first_person
        if not self.resolving.is_owner(me):
            return False
        told = said.content.removeprefix(f"{me}: ")
        themselves = told != said.content and any(one.lower() in persons.FIRST for one in _WORD.findall(told))
        return themselves or re.search(rf"\b{re.escape(me)}\b(?! asked:|:)", said.content) is not None

    def _mention_owner(self, memory: MemoryRecord, mentioned: set[str], before: set[str]) -> None:
        """What is said of the owner is found from it, whether or not it states a fact. Whom it brings in or states a
        fact of it is tied to already."""
        owner = self.resolving.entity(Mentioned(OWNER, PERSON))
        tied = mentioned | (self.adding.naming.created - before)
        for fact in self.relating.added.values():
            tied |= {fact.source_id, fact.target_id} if fact.memory_id == memory.id else set()
        if owner.id not in tied:
            self.adding.edge(memory, memory.id, owner.id, MENTION, memory.holds_from, None, "mentioned", 1.0)

    def tell(self, memory: MemoryRecord, triples: tuple[Triple, ...], before: set[str], named_before: int) -> None:
        """In the receipt, of the memory that was added last: what it states and names. `before`, `named_before`: what
        had been created and named when it came."""
        told = self.adding.memories[-1]
        beside = self._mention_what_it_named(memory, {one.id for one in told.entities}, named_before)
        created = self.adding.naming.created - before
        mentioned = tuple(replace(one, created=one.id in created) for one in told.entities)
        self.beside += [named(entity, entity.id in created) for entity in beside]
        self.adding.memories[-1] = replace(told, entities=mentioned, triples=triples)

    def _mention_what_it_named(self, memory: MemoryRecord, mentioned: set[str], first: int) -> list[Entity]:
        """A name known through a memory is reached from it, or a purge of the memory would not find it. Gives those
        that it reaches beside the ones mentioned."""
        added = self.adding.naming.added[first:]
        ids = (one.entity.id if isinstance(one, EntityAdded) else one.entity_id for one in added)
        fresh = [entity_id for entity_id in dict.fromkeys(ids) if entity_id not in mentioned]
        for entity_id in fresh:
            self.adding.edge(memory, memory.id, entity_id, MENTION, memory.holds_from, None, "mentioned", 1.0)
        known = (self.resolving.known(entity_id) for entity_id in fresh)
        return [entity for entity in known if entity is not None]

    def _backs_already(self, old: Memory, source: Source) -> bool:
        """A source is evidence for a memory once, in one place; said there twice, the second stands by itself."""
        return any((one.memory_id, one.source_id) == (old.id, source.id) for one in self.duplicates)

    def _as_open(self, old: Memory) -> bool:
        """Evidence for a memory is seen by all who see the memory: what is private to fewer stands by itself."""
        private = old.visibility is Visibility.PRIVATE
        theirs = {one for one in (old.observed_by, *old.visible_to) if one} if private else set()
        return theirs == set(self.manner.seen_by(self.act.writer.actor))

    def changes(self, reading: Reading, op: str = "remember") -> Changes:
        namings = self.adding.naming.added
        known = {id(one) for one in namings}
        self.adding.changes[:] = [*namings, *(one for one in self.adding.changes if id(one) not in known)]
        self.adding.changes += [*self.resolving.merges, *self.relating.changes(), *self._doubts()]
        self.adding.changes += [Marked(Thing.SOURCE, source.id, Mark.WAITING, False) for source in self.read]
        return self.adding.whole(op, reading, self.read)

    def _doubts(self) -> Iterable[EdgeAdded]:
        for doubt in self.resolving.doubts:
            edge = Edge(
                id=self.act.mint(),
                space=self.act.space,
                source_id=doubt.entity_id,
                target_id=doubt.other_id,
                relation=POSSIBLE_SAME,
                confidence=doubt.score,
                valid_from=self.act.at,
                recorded_at=self.act.at,
                memory_id=doubt.memory_id,
                observed_by=self.manner.observed_by or self.act.writer.actor,
                rule="resolve",
                why=doubt.why,
            )
            yield EdgeAdded(self.act.writer.sign(edge))

    def receipt(self, sources: Sequence[Source], extractions: Sequence[Extraction]) -> Receipt:
        whole, relating = self.adding.receipt(), self.relating
        entities: dict[str, NamedEntity] = {}
        for one in (*whole.entities, *self.beside):
            entities[one.id] = one if one.created else entities.get(one.id, one)
        return replace(
            whole,
            entities=tuple(entities.values()),
            source_ids=tuple(source.id for source in sources),
            superseded=tuple(relating.superseded),
            edges=relating.told(),
            closed=tuple(relating.closed),
            edges_added=(*whole.edges_added, *(edge.id for edge in (*relating.added.values(), *relating.links))),
            duplicates=tuple(self.duplicates),
            conflicts=tuple(Clash(*one) for one in relating.conflicts),
            possible_same=tuple(
                MaybeSame(one.entity_id, one.other_id, one.score, one.why) for one in self.resolving.doubts
            ),
            skipped=tuple(self.skipped),
            stage=Stage.ENRICHED,
            extractor=", ".join(dict.fromkeys(one.extractor for one in extractions)) or None,
            trouble="; ".join(dict.fromkeys(one.trouble for one in extractions if one.trouble)) or None,
        )


def remember(
    act: Act, read: Sequence[ReadSource], manner: SharedFields, nearest: Nearest, reading: Reading, dry_run: bool
) -> tuple[Changes, Receipt]:
    """Sources that no longer wait were read by another meanwhile: what that gave stands."""
    heard = [one.source.id for one in read]
    waiting = {source.id for source in act.reader.all_seeing().waiting(among=heard)}  # whoever they are for
    remembering = Remembering(act, manner, nearest)
    for one in read:
        if dry_run or one.source.id in waiting:
            remembering.take(one)
    changes = remembering.changes(reading)
    receipt = remembering.receipt([one.source for one in read], [one.extraction for one in read])
    done = [one.source for one in read if not dry_run and one.source.id not in waiting]
    return changes, _with_what_was_there(act, receipt, done)


def again(act: Act, sources: Sequence[Source]) -> tuple[Changes, Receipt]:
    """The first result of sources that were read before."""
    remembering = Remembering(act, SharedFields(), lambda passage: ())
    receipt = replace(remembering.receipt(sources, ()), repeated=True)
    return Changes("remember"), _with_what_was_there(act, receipt, sources)


def _with_what_was_there(act: Act, receipt: Receipt, done: Sequence[Source]) -> Receipt:
    if not done:
        return receipt
    found = []
    for source in done:
        for memory in act.reader.memories(MemoryFilter(view=View.ALL, source_id=source.id)):
            found.append(remembered(memory, *what_it_says(act.reader, memory)))
    entities = {one.id: one for memory in (*found, *receipt.memories) for one in memory.entities}
    return replace(receipt, memories=(*found, *receipt.memories), entities=tuple(entities.values()))


def _inside(span: tuple[int, int], source: Source) -> tuple[int, int]:
    return min(span[0], len(source.content)), min(span[1], len(source.content))

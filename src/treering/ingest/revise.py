"""How is a memory corrected? Another takes its place from when it holds, and the old one stays readable.

Facts follow the wording: those that the caller states, else those that are read from the new words as if they had been
told. What the old words said and the new ones do not say ends, by the rule `revised`; what neither says was told by
hand, and goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treering.ingest.add import NOTHING_READ, Adding, is_repeat, what_it_says
from treering.ingest.draft import Draft, DraftEntity
from treering.ingest.extract.contract import OWNER, Extracted, Extraction, Stance
from treering.ingest.hear import SharedFields
from treering.ingest.reading import Reading
from treering.ingest.receipt import NamedEntity, Receipt, Triple
from treering.ingest.remember import Remembering
from treering.model import limits
from treering.model.changes import Changes, EdgeClosed
from treering.model.edge import Edge, Link
from treering.model.entity import fold
from treering.model.memory import WRITTEN_BY, Memory, MemoryRecord, Visibility
from treering.store.contract import Act, EdgeFilter
from treering.store.naming import missing

RULE = "revised"


@dataclass(frozen=True, slots=True)
class Reread:
    """Both wordings as an extractor reads them, in the voice of the old one: who says I there says it here."""

    before: tuple[Extracted, ...]
    now: Extraction
    first_person: str = OWNER
    session: str | None = None

    @property
    def names(self) -> list[str]:
        """All that the new wording names."""
        every = [name for one in self.now.extracted for name in (each.name for each in one.entities)]
        claims = [claim for one in self.now.extracted for claim in one.claims]
        return list(dict.fromkeys([*every, *(end for one in claims for end in (one.subject, one.object))]))


def revise(
    act: Act,
    memory_id: str,
    otherwise: Mapping[str, Any],
    why: str | None,
    reading: Reading = NOTHING_READ,
    reread: Reread | None = None,
) -> tuple[Changes, Receipt]:
    """Another memory in the place of one, and a supersedes link. `otherwise` says what is not to stay as it was.

    Mentions are kept where the draft names none and nobody has read it. Facts that rest on the old memory stay where
    the draft states none and nobody has read it.
    """
    remembering = Remembering(act, SharedFields(), lambda passage: ())
    adding, old = remembering.adding, act.reader.memory(memory_id)
    if old is None:
        raise missing(act.reader, memory_id, "id", "memory")
    draft = _as_draft(old, otherwise)
    if is_repeat(adding, draft):
        return Changes("revise"), adding.receipt(superseded=(memory_id,), repeated=True)
    if reread is not None and not draft.triples:
        revising = _Revising(remembering, old, reread)
        adding.supersede(revising.new_memory(draft), old, RULE, why)
        return remembering.changes(reading, "revise"), revising.receipt()
    if not draft.entities and not draft.triples:
        mentioned, _ = what_it_says(act.reader, old)
        draft = replace(draft, entities=tuple(DraftEntity(one.name, one.kind) for one in mentioned))
    adding.restated = _facts_of(act, old)
    new = adding.draft(draft)
    adding.supersede(new, old, RULE, why)
    if draft.triples:
        adding.changes += _no_longer_stated(adding, new)
    return adding.whole("revise", reading), adding.receipt(superseded=(old.id,))


@dataclass
class _Revising:
    """A correction that was read: its facts are related to what is known as those of anything told."""

    remembering: Remembering
    old: Memory
    reread: Reread

    def new_memory(self, draft: Draft) -> MemoryRecord:
        adding, relating, resolving = self.remembering.adding, self.remembering.relating, self.remembering.resolving
        resolving.session, resolving.first_person = self.reread.session, self.reread.first_person
        source = adding.source(draft, draft.content)
        relating.heard[source.id] = self._source = source
        memory_id = adding.act.mint()
        adding.naming.memory_id = memory_id
        before, named_before = set(adding.naming.created), len(adding.naming.added)
        entities = draft.entities or self._mentions(draft.content)
        draft = replace(draft, entities=entities, meta=source.meta if draft.meta else None)
        new = adding.memory(source, draft, (0, len(source.content)), memory_id)
        relating.superseded[self.old.id] = new.id  # by the revision itself
        self._end_what_is_no_longer_said(new)
        triples: list[Triple] = []
        for said in self.reread.now.extracted:
            at_its_time = replace(said, event_time=new.event_time, event_end=None) if new.event_time else said
            triples += relating.facts.claims(new, at_its_time)
        self.remembering.tell(new, tuple(dict.fromkeys(triples)), before, named_before)
        return new

    def receipt(self) -> Receipt:
        return self.remembering.receipt([self._source], [self.reread.now])

    def _mentions(self, content: str) -> Sequence[DraftEntity]:
        """What is named now, and what was said by hand to be mentioned: the old words do not name that either."""
        resolving = self.remembering.resolving
        read = [resolving.entity(one) for said in self.reread.now.extracted for one in said.entities]
        kept, _ = what_it_says(self.remembering.act.reader, self.old)
        every: list[Any] = [*read, *(one for one in kept if self._is_kept(one, content))]
        named = {fold(one.name): DraftEntity(one.name, one.kind) for one in reversed(every)}
        return tuple(reversed(named.values()))[: limits.ENTITIES_OF_A_MEMORY]

    def _is_kept(self, entity: NamedEntity, content: str) -> bool:
        names = self._names(entity.id)
        return _names_one(content, names) or not _names_one(self.old.content, names)

    def _end_what_is_no_longer_said(self, new: MemoryRecord) -> None:
        relating = self.remembering.relating
        for edge in _facts_of(self.remembering.act, self.old):
            if _goes_on(edge, new) and not self._stands(edge, new):
                relating.close(edge, new.holds_from, RULE, new)
        relating.facts.memories.follow(new, list(relating.way.closed), new.holds_from)

    def _stands(self, edge: Edge, new: MemoryRecord) -> bool:
        """Stated again; or told by hand and not to be read in the old words, of things that the new ones still name."""
        if self._says(self.reread.now.extracted, edge):
            return True
        return not self._says(self.reread.before, edge) and not self._named_no_more(edge, new)

    def _says(self, extracted: Iterable[Extracted], edge: Edge) -> bool:
        is_called, one_name = self.remembering.relating.is_called, self.remembering.relating.relations.one
        return any(
            claim.stance is Stance.HOLDS
            and one_name(claim.relation) == one_name(edge.relation)
            and is_called(edge.source_id, claim.subject)
            and is_called(edge.target_id, claim.object)
            for one in extracted
            for claim in one.claims
        )

    def _named_no_more(self, edge: Edge, new: MemoryRecord) -> bool:
        for end in (edge.source_id, edge.target_id):
            names = self._names(end)
            is_speaker = {fold(OWNER), fold(self.reread.first_person)} & {fold(one) for one in names}
            if not is_speaker and _names_one(self.old.content, names) and not _names_one(new.content, names):
                return True
        return False

    def _names(self, entity_id: str) -> list[str]:
        entity = self.remembering.act.reader.entity(entity_id)
        return [] if entity is None else [entity.name, *entity.aliases]


def _names_one(text: str, names: Iterable[str]) -> bool:
    folded = fold(text)
    return any(re.search(rf"(?<!\w){re.escape(fold(one))}(?!\w)", folded) for one in names)


def _facts_of(act: Act, old: Memory) -> list[Edge]:
    """What rests on it, and on what it had itself revised: facts that it stated again have gone on."""
    found, ids = list[Edge](), [old.id]
    for memory_id in ids:
        found += act.reader.edges(EdgeFilter(evidence_id=memory_id, facts_only=True, include_closed=True))
        links = act.reader.edges(EdgeFilter(source_ids=(memory_id,), relations=(Link.SUPERSEDES.value,)))
        ids += [one.target_id for one in links if one.rule == RULE and one.target_id not in ids]
    return found


def _no_longer_stated(adding: Adding, new: MemoryRecord) -> Iterator[EdgeClosed]:
    for edge in adding.restated:
        if _goes_on(edge, new) and (edge.source_id, edge.relation, edge.target_id) not in adding.stated:
            yield EdgeClosed(edge.id, max(edge.valid_from, new.holds_from), edge.valid_until, RULE, new.id)


def _goes_on(edge: Edge, new: MemoryRecord) -> bool:
    """Whether it would hold beside the new memory."""
    return edge.valid_until is None or edge.valid_until > max(edge.valid_from, new.holds_from)


def _as_draft(memory: Memory, otherwise: Mapping[str, Any]) -> Draft:
    """What a revision keeps of the memory it revises: all but when it happened. Were that kept, a revision would
    hold from then on, and the old memory would never have held."""
    seen_by = (*memory.visible_to, memory.observed_by) if memory.visibility is Visibility.PRIVATE else ()
    kept = Draft(
        content=memory.content,
        kind=memory.kind,
        title=memory.title,
        context=memory.context,
        tags=memory.tags,
        meta={name: value for name, value in memory.meta.items() if name != WRITTEN_BY},  # it was another's writing
        importance=memory.importance,
        confidence=memory.confidence,
        strength=memory.strength,
        tier=memory.tier,
        expires_at=memory.expires_at,
        visibility=memory.visibility,
        visible_to=tuple(one for one in seen_by if one is not None),
    )
    given = {name: value for name, value in otherwise.items() if value is not None}
    return replace(kept, **given)

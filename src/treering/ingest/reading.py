"""What does the embedder make of what is to be remembered? Read before anything is locked: it is the slow part of a
write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from treering.ingest.draft import Draft
from treering.language.rewording import as_read
from treering.mind.contract import Passage
from treering.model.changes import Change, EntityAdded, MemoryAdded
from treering.model.embedding import Embedded
from treering.model.entity import entity_name
from treering.model.source import Source

if TYPE_CHECKING:
    from treering.mind.contract import Embedder, Vectors


@dataclass(frozen=True, slots=True)
class Reading:
    """Vectors of texts and names, packed, by what was read; none where nothing reads."""

    embedder: str = ""
    own: str | None = None
    """What the space had chosen, which may say less than the embedder's name: `openai`."""
    read: dict[Passage, bytes] = field(default_factory=dict)

    def vector(self, passage: Passage) -> Vectors:
        """The vector of the passage as a whole."""
        from treering.mind.packing import unpack_first

        return unpack_first(self.read[passage])

    def with_more(self, more: Reading) -> Reading:
        """Both, of one embedder; nothing more where nothing was read."""
        return replace(more, read=self.read | more.read) if more.read else self

    def of(self, changes: Iterable[Change], sources: Mapping[str, Source], own: str | None) -> tuple[Embedded, ...]:
        """The vectors of what these changes bring in. Nothing if the space has chosen another embedder meanwhile."""
        if not self.read or own not in (None, self.own, self.embedder):
            return ()
        found = []
        for change in changes:
            match change:
                case MemoryAdded(memory):
                    thing, passage = memory.id, passage_of(sources[memory.source_id], memory.content, memory.span)
                case EntityAdded(entity):
                    thing, passage = entity.id, Passage(entity.name)
                case _:
                    continue
            if passage in self.read:
                found.append(Embedded(thing, self.embedder, self.read[passage]))
        return tuple(found)


def passage_of(source: Source, content: str, span: tuple[int, int]) -> Passage:
    """What an embedder reads of a statement that rests on this stretch of a source."""
    lead = f"{source.speaker}: "  # the passage has one of its own
    return Passage.said(source.speaker, as_read(content.removeprefix(lead), source.content[slice(*span)]))


def read_passages(embedder: Embedder | None, own: str | None, passages: Sequence[Passage]) -> Reading:
    if embedder is None or not passages:
        return Reading()
    from treering.mind.packing import pack

    vectors = embedder.embed_passages(passages)
    return Reading(embedder.name, own, {one: pack(rows) for one, rows in zip(passages, vectors, strict=True)})


def read_drafts(embedder: Embedder | None, own: str | None, drafts: Sequence[Draft]) -> Reading:
    if embedder is None or not drafts:
        return Reading()
    said = [Passage.said(draft.speaker, draft.content) for draft in drafts]
    names = [one.name for draft in drafts for one in draft.entities]
    names += [name for draft in drafts for fact in draft.triples for name in (fact.subject, fact.object)]
    return read_passages(embedder, own, list(dict.fromkeys([*said, *(Passage(entity_name(one)) for one in names)])))

"""WHAT does a note tell of a memory? What it mentions, where it was said, and what it is tied to, as the store says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treering.exchange.vault.writing import NoteDraft, Related, title_of
from treering.model.edge import MENTION, Edge, Link
from treering.model.memory import Memory, View, Visibility
from treering.store.contract import EdgeFilter, MemoryFilter, Reader

_LINKS = tuple(link.value for link in Link)
_SEEN_FROM_THE_OTHER_END = {
    Link.SUPERSEDES.value: "superseded by",
    Link.DERIVED_FROM.value: "origin of",
    Link.EXTENDS.value: "extended by",
    Link.CAUSES.value: "caused by",
    Link.SUPPORTS.value: "supported by",
    Link.HAS_DECISION.value: "decision of",
}


def note_drafts(reader: Reader, memory_ids: Iterable[str]) -> Iterator[NoteDraft]:
    """Of those that all who read the space may see: a vault is a folder, and knows no principals."""
    for memory_id in memory_ids:
        memory = reader.memory(memory_id)
        if memory is not None and memory.visibility is Visibility.SPACE:
            mentioned = reader.edges(EdgeFilter(source_ids=(memory.id,), relations=(MENTION,)))
            names = [entity.name for edge in mentioned if (entity := reader.entity(edge.target_id)) is not None]
            yield NoteDraft(
                memory=memory,
                entities=tuple(dict.fromkeys(names)),
                source=reader.source(memory.source_id),
                related=tuple(_related(reader, memory)),
                last_used=memory.last_used,
                use_count=memory.use_count,
            )


def _related(reader: Reader, memory: Memory) -> Iterator[Related]:
    links = reader.edges(EdgeFilter(either_ids=(memory.id,), relations=_LINKS))
    ids = tuple({_other(edge, memory.id) for edge in links})
    others = {one.id: one for one in reader.memories(MemoryFilter(view=View.HISTORY, ids=ids))} if ids else {}
    for edge in links:
        other = others.get(_other(edge, memory.id))
        if other is not None and other.visibility is Visibility.SPACE:
            plain = edge.relation.replace("_", " ")
            told = plain if edge.source_id == memory.id else _SEEN_FROM_THE_OTHER_END.get(edge.relation, plain)
            yield Related(told, title_of(other))


def _other(edge: Edge, memory_id: str) -> str:
    return edge.target_id if edge.source_id == memory_id else edge.source_id

"""WHAT do a node and an edge of a graph say? The same in every form in which a graph is written."""

from __future__ import annotations

from collections.abc import Iterator

from treering.exchange.forms.whole import Whole
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.memory import Memory
from treering.model.time import UNKNOWN, to_text

Said = dict[str, str | float | None]


def nodes(whole: Whole) -> Iterator[tuple[str, str, Said]]:
    """Each with its id and what it is."""
    for entity in whole.entities:
        yield entity.id, "Entity", _entity(entity)
    for memory in whole.memories:
        yield memory.id, "Memory", _memory(memory)


def _entity(one: Entity) -> Said:
    aliases = ", ".join(one.aliases) or None
    return {
        "space": one.space,
        "name": one.name,
        "kind": one.kind,
        "aliases": aliases,
        "recorded_at": to_text(one.recorded_at),
    }


def _memory(one: Memory) -> Said:
    return {
        "space": one.space,
        "name": one.title,
        "kind": one.kind.value,
        "content": one.content,
        "state": one.state.value,
        "tags": ", ".join(one.tags) or None,
        "importance": one.importance,
        "confidence": one.confidence,
        "valid_from": to_text(one.valid_from),
        "valid_until": to_text(one.valid_until) if one.valid_until else None,
        "recorded_at": to_text(one.recorded_at),
    }


def between(edge: Edge) -> Said:
    return {
        "confidence": edge.confidence,
        "valid_from": None if edge.valid_from == UNKNOWN else to_text(edge.valid_from),
        "valid_until": to_text(edge.valid_until) if edge.valid_until else None,
        "recorded_at": to_text(edge.recorded_at),
        "memory_id": edge.memory_id,
    }

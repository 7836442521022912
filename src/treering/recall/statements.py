"""What do the chosen memories state? Their words as they are read, the people and facts in them, loaded in one go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from treering.language.rewording import as_read
from treering.language.words import words
from treering.model.edge import Edge
from treering.model.memory import Memory
from treering.model.source import Source
from treering.recall.index.columns import Numbers
from treering.recall.stated import Statement
from treering.store.contract import EdgeFilter

if TYPE_CHECKING:
    from treering.recall.hits import Chosen

PERSON = "person"
SHORT_TURN = 400
"""Characters: what else is said in a longer one need not have to do with it."""


def statements(
    chosen: Sequence[Chosen], memories: Mapping[str, Memory], sources: Mapping[str, Source]
) -> list[Statement]:
    """Of one space."""
    reader, ids = chosen[0].reader, tuple(one.id for one in chosen)
    facts: dict[str, list[Edge]] = defaultdict(list)
    for fact in reader.edges(EdgeFilter(evidence_ids=ids, facts_only=True, include_closed=True)):
        facts[fact.memory_id or ""].append(fact)
    mentioned: dict[str, set[str]] = defaultdict(set)
    for memory_id, entity_id in reader.mentioned(ids):
        mentioned[memory_id].add(entity_id)
    people = {
        one.id: frozenset(words(one.name))
        for one in reader.entities(ids=sorted({each for some in mentioned.values() for each in some}))
        if one.kind == PERSON
    }
    found, vectors = [], _vectors(chosen)
    for one, vector in zip(chosen, vectors, strict=True):
        memory, source = memories[one.id], sources.get(memories[one.id].source_id)
        said = source.content[slice(*memory.span)] if source else memory.content
        found.append(
            Statement(
                id=memory.id,
                text=as_read(memory.content, said),
                said=memory.content,
                since=min(memory.event_time or memory.said_at, memory.said_at),
                said_at=memory.said_at,
                near=_near(one),
                is_to_come=_is_to_come(memory, facts[one.id], reader.moment.as_of),
                turn=source.content if source and len(source.content) <= SHORT_TURN else "",
                speaker=source.speaker if source else None,
                confidence=memory.confidence,
                names=frozenset(stem for each in mentioned[one.id] for stem in people.get(each, ())),
                entities=frozenset(mentioned[one.id]),
                facts=tuple(facts[one.id]),
                holds=tuple(fact for fact in facts[one.id] if fact.period.holds(reader.moment.as_of)),
                vector=vector,
            )
        )
    return found


def _is_to_come(memory: Memory, facts: Sequence[Edge], now: datetime) -> bool:
    return (memory.event_time or memory.said_at) > now or any(fact.valid_from > now for fact in facts)


def _near(one: Chosen) -> float:
    features = one.fused.features
    return float(max(features["dense"][one.place], features["late"][one.place])) if "dense" in features else 0.0


def _vectors(chosen: Sequence[Chosen]) -> list[Numbers | None]:
    vectors = chosen[0].search.index.vectors
    if vectors is None or chosen[0].search.vector is None:
        return [None for _ in chosen]
    rows = vectors.row.rows[[one.number for one in chosen]]
    found = vectors.whole.rows[rows].astype(np.float32) * vectors.scale.rows[rows][:, None]
    return [vector if row >= 0 else None for vector, row in zip(found, rows, strict=True)]

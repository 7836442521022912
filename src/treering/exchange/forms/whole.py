"""WHAT is all that is known in a space? Its memories, entities and edges, as one moment has them."""

from __future__ import annotations

from collections import defaultdict

from treering.model.edge import MENTION, Edge, Family, family_of
from treering.model.entity import Entity
from treering.model.memory import Memory, State, View
from treering.model.source import Source
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Whole:
    space: str
    memories: list[Memory]
    sources: dict[str, Source]
    entities: list[Entity]
    edges: list[Edge]
    """Between the memories and entities above, closed ones too."""

    @classmethod
    def of(cls, space: str, reader: Reader) -> Whole:
        memories = [one for one in reader.memories(MemoryFilter(view=View.ALL)) if one.state is not State.FORGOTTEN]
        entities = reader.entities()[::-1]
        there = {memory.id for memory in memories} | {entity.id for entity in entities}
        edges = reader.edges(EdgeFilter(include_closed=True))
        return cls(
            space,
            memories,
            reader.sources({one.source_id for one in memories}),
            entities,
            [edge for edge in edges if edge.source_id in there and edge.target_id in there],
        )

    def mentions(self) -> dict[str, list[str]]:
        """For each memory the names of the entities it mentions."""
        names = {one.id: one.name for one in self.entities}
        found: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges:
            if edge.relation == MENTION:
                found[edge.source_id].append(names[edge.target_id])
        return found

    def facts(self) -> dict[str | None, list[Edge]]:
        """For each memory the facts that rest on it."""
        found: dict[str | None, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            if family_of(edge.relation) is Family.FACT:
                found[edge.memory_id].append(edge)
        return found

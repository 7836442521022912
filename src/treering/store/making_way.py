"""Which window must end when a newer value comes? One value at a time, for a subject and a relation that has one, by
whichever of its names.

An older value ends where the new one begins, and one learned late ends where the next begins: the past never closes the
present. A value that is the same, or that had ended before, is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from treering.model.changes import EdgeClosed
from treering.model.edge import Edge
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter, Reader
from treering.store.naming import stands_for

RULE = "functional"


class MakingWay:
    """Within one write: `added` are the edges it has brought so far, by id, and `closed` what it ends."""

    def __init__(self, reader: Reader, added: dict[str, Edge], relations: Relations) -> None:
        self._reader, self._added, self._relations = reader, added, relations
        self._asked: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._same: dict[str, str] = {}
        self.closed: list[EdgeClosed] = []

    def for_(self, new: Edge, beside: frozenset[str] = frozenset()) -> Edge:
        """The edge as it will stand, once what it competes with has made way; those `beside` it, by id, do not."""
        values = self.values(new.source_id, new.relation)
        others = [edge for edge in values if edge.id not in beside and self._competes(edge, new)]
        for edge in others:
            if edge.valid_from <= new.valid_from and (edge.valid_until is None or edge.valid_until > new.valid_from):
                self._end(edge, new)
        later = [edge.valid_from for edge in others if edge.valid_from > new.valid_from]
        ends = min([*later, *([new.valid_until] if new.valid_until else [])], default=None)
        new = new if ends == new.valid_until else replace(new, valid_until=ends)
        self.note(new)
        return new

    def note(self, new: Edge) -> None:
        """An edge that this write brings."""
        self._asked[self.entity(new.source_id), self._relations.one(new.relation)].append(new.id)

    def values(self, subject_id: str, relation: str) -> Iterator[Edge]:
        """What is known to answer the same question, and what this write has said of it so far."""
        ends_now = {one.edge_id: one.valid_until for one in self.closed}
        which = EdgeFilter(source_ids=(subject_id,), relations=self._relations.names(relation), include_closed=True)
        for edge in self._reader.edges(which):
            yield replace(edge, valid_until=ends_now.get(edge.id, edge.valid_until))
        asked = self._asked[self.entity(subject_id), self._relations.one(relation)]
        yield from (self._added[edge_id] for edge_id in asked)

    def _competes(self, edge: Edge, new: Edge) -> bool:
        return self.entity(edge.target_id) != self.entity(new.target_id) and not edge.period.empty

    def _end(self, edge: Edge, new: Edge) -> None:
        if edge.id in self._added:
            self._added[edge.id] = replace(edge, valid_until=new.valid_from)
        else:
            self.closed.append(EdgeClosed(edge.id, new.valid_from, edge.valid_until, RULE, new.memory_id))

    def entity(self, entity_id: str) -> str:
        if entity_id not in self._same:
            self._same[entity_id] = stands_for(self._reader, entity_id)
        return self._same[entity_id]

"""Which edges hold at this moment, and where do they lead? With the windows as they were known, between the entities
that merged ones stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from treering.model.edge import MENTION, Edge, Family
from treering.model.identity import attestation
from treering.model.memory import Mark
from treering.store.contract import Crossing, EdgeFilter, StepTaken, Ways
from treering.store.reference.folded import FoldedSpace
from treering.store.reference.visibility import ReferenceVisibility


class ReferenceEdges(ReferenceVisibility):
    def edges(self, which: EdgeFilter) -> list[Edge]:
        found = []
        for world in self._worlds.values():
            for edge in world.edges.values():
                if self._believed(world, edge, which.include_forgotten) and self._selected(world, edge, which):
                    found.append(self._seen(world, edge))
        found.sort(key=lambda edge: (edge.valid_from, edge.recorded_at, edge.id))
        return found[: which.limit]

    def _seen(self, world: FoldedSpace, edge: Edge) -> Edge:
        vouching: set[str | None] = {*world.attested.get(edge.id, ())}
        return replace(
            edge,
            source_id=self._canonical(world, edge.source_id),
            target_id=self._canonical(world, edge.target_id),
            forgotten_at=world.marks.get((edge.id, Mark.FORGOTTEN)),
            attestation=attestation(
                edge.signature is not None or edge.observed_by in vouching, bool(vouching - {edge.observed_by})
            ),
        )

    def _selected(self, world: FoldedSpace, edge: Edge, which: EdgeFilter) -> bool:
        source, target = self._canonical(world, edge.source_id), self._canonical(world, edge.target_id)
        return (
            (which.ids is None or edge.id in which.ids)
            and self._is_one_of(world, which.source_ids, source)
            and self._is_one_of(world, which.target_ids, target)
            and self._is_one_of(world, which.either_ids, source, target)
            and which.evidence_id in (None, edge.memory_id)
            and (which.evidence_ids is None or edge.memory_id in which.evidence_ids)
            and (which.relations is None or edge.relation in which.relations)
            and (not which.facts_only or edge.family is Family.FACT)
            and (which.include_closed or edge.period.holds(self.moment.as_of))
            and (which.begins_or_ends is None or _turns(edge, *which.begins_or_ends))
            and (which.least_confidence is None or edge.confidence >= which.least_confidence)
        )

    def relations_of(self, entity_ids: Iterable[str]) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {one: set() for one in entity_ids}
        for world in self._worlds.values():
            for edge in world.edges.values():
                if edge.family is Family.FACT:
                    for end in (edge.source_id, edge.target_id):
                        if (one := self._canonical(world, end)) in found:
                            found[one].add(edge.relation)
        return {one: frozenset(relations) for one, relations in found.items()}

    def crossings(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[Crossing]:
        if space not in self._worlds:
            return []
        world, asked, found = self._worlds[space], tuple(nodes), []
        for outward, relations in ways.sides:
            which = EdgeFilter(
                source_ids=asked if outward else None,
                target_ids=None if outward else asked,
                relations=relations,
                include_closed=ways.include_closed,
            )
            for edge in world.edges.values():
                if self._believed(world, edge) and self._selected(world, edge, which):
                    seen = self._seen(world, edge)
                    here, there = (seen.source_id, seen.target_id) if outward else (seen.target_id, seen.source_id)
                    found.append((here, not outward, edge.relation, edge.id, there))
        return [
            Crossing(edge_id, here, there, relation, not against)
            for here, against, relation, edge_id, there in sorted(found)[:limit]
        ]

    def steps(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[StepTaken]:
        return [one[:3] for one in self.crossings(space, nodes, ways, limit)]

    def mentions(self, entity_id: str, limit: int) -> list[str]:
        about = [
            edge
            for world in self._worlds.values()
            for edge in world.edges.values()
            if edge.relation == MENTION
            and self._is_one_of(world, (entity_id,), self._canonical(world, edge.target_id))
            and (edge.id, Mark.FORGOTTEN) not in world.marks
        ]
        about.sort(key=lambda edge: (edge.recorded_at, edge.id), reverse=True)
        return [edge.source_id for edge in about[:limit]]

    def mentioned(self, memory_ids: Iterable[str]) -> list[tuple[str, str]]:
        which = EdgeFilter(source_ids=tuple(memory_ids), relations=(MENTION,), include_closed=True)
        return [(edge.source_id, edge.target_id) for edge in self.edges(which)]

    def mentions_of(self, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        return {one: self.mentions(one, limit) for one in entity_ids}


def _turns(edge: Edge, after: datetime, until: datetime) -> bool:
    return any(turn is not None and after < turn <= until for turn in (edge.valid_from, edge.valid_until))

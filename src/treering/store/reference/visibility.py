"""What was known at this moment, and what of it may be seen? The journals folded anew for every read, up to the moment
and for the principal. Every part of the reader stands on this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treering.model.edge import Edge
from treering.model.journal import SYNC, Entry, Head
from treering.model.memory import Mark, MemoryRecord
from treering.model.time import Moment
from treering.store.contract import Scope
from treering.store.reference.folded import FoldedSpace, Naming


class ReferenceVisibility:
    def __init__(self, journals: dict[str, list[Entry]], scope: Scope, all_seeing: bool = False) -> None:
        self._scope, self._journals, self._all_seeing = scope, journals, all_seeing
        self.spaces = tuple(sorted(name for name in journals if _within(name, scope)))
        self.principal = scope.principal
        self.heads: Mapping[str, Head] = {name: journals[name][-1].head() for name in self.spaces}
        own = self.heads.get(scope.space, Head())
        self.head = replace(own, at=max((head.at for head in self.heads.values() if head.at), default=None))
        present = max(scope.now, self.head.at or scope.now)
        self.moment = Moment(scope.as_of or present, scope.known_at)
        self._worlds = {name: self._fold(journals[name]) for name in self.spaces}

    def _fold(self, entries: list[Entry]) -> FoldedSpace:
        world = FoldedSpace(self._all_seeing)
        for entry in entries:
            for change in entry.changes():
                if self.moment.knows(entry.at):
                    world.take(change, entry.at, entry.op == SYNC)
                world.bury(change, entry.at)
        world.sources = {key: one for key, one in world.sources.items() if self.moment.knows(one.recorded_at)}
        world.edges = {edge.id: self._with_window(world, edge) for edge in world.edges.values()}
        world.merged = {
            one: into
            for one, into in world.merged.items()
            if self._known_by_itself(world, one) and self._known_by_itself(world, into)
        }
        return world

    def _with_window(self, world: FoldedSpace, edge: Edge) -> Edge:
        """The edge as the latest move of its window has it that rests on nothing private to others."""
        moves = [one for one in world.moves.get(edge.id, []) if self._open_evidence(world, one.evidence)]
        if not moves:
            return edge
        last = moves[-1]
        return replace(
            edge,
            valid_until=last.valid_until,
            closed_by=last.rule,
            closed_why=last.why,
            closed_evidence=last.evidence,
        )

    def _open_evidence(self, world: FoldedSpace, memory_id: str | None) -> bool:
        memory = world.memories.get(memory_id or "")
        return memory is None or self._sees(memory)

    def _sees(self, memory: MemoryRecord) -> bool:
        return self._all_seeing or memory.visible(self.principal)

    def _sees_evidence(self, world: FoldedSpace, memory_id: str | None) -> bool:
        if memory_id is None or self._all_seeing:
            return True
        return memory_id in world.memories and self._sees(world.memories[memory_id])

    def _open_to_us(self, world: FoldedSpace, edge: Edge) -> bool:
        touched = (world.memories.get(one or "") for one in (edge.memory_id, edge.source_id, edge.target_id))
        return all(memory is None or self._sees(memory) for memory in touched)

    def _believed(self, world: FoldedSpace, edge: Edge, include_forgotten: bool = False) -> bool:
        if not include_forgotten:
            touched = (edge.id, edge.memory_id, edge.source_id, edge.target_id)
            if any((one, Mark.FORGOTTEN) in world.marks for one in touched):
                return False
        return self._open_to_us(world, edge)

    def _canonical(self, world: FoldedSpace, thing_id: str) -> str:
        while thing_id in world.merged:
            thing_id = world.merged[thing_id]
        return thing_id

    def _is_one_of(self, world: FoldedSpace, ids: tuple[str, ...] | None, *ends: str) -> bool:
        return ids is None or not {self._canonical(world, one) for one in ids}.isdisjoint(ends)

    def _namings_seen(self, world: FoldedSpace, entity_id: str) -> list[Naming]:
        return [one for one in world.namings[entity_id] if self._sees_evidence(world, one.memory_id)]

    def _known_by_itself(self, world: FoldedSpace, entity_id: str) -> bool:
        """Whether we may know of it without any merge: what is merged with a secret tells nothing of the secret."""
        if self._all_seeing or (entity_id in world.namings and self._namings_seen(world, entity_id)):
            return True
        return any(
            entity_id in (edge.source_id, edge.target_id) and self._open_to_us(world, edge)
            for edge in world.edges.values()
        )


def _within(name: str, scope: Scope) -> bool:
    return name == scope.space or (scope.children and name.startswith(scope.space + "/"))

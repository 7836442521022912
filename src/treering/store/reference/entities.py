"""Who answers to a name at this moment? Entities with their namings, merged ones as one, as far as we may know them."""

from __future__ import annotations

from collections.abc import Iterable

from treering.model.entity import Entity, fold
from treering.model.memory import Visibility
from treering.store.reference.folded import FoldedSpace, Naming
from treering.store.reference.visibility import ReferenceVisibility


class ReferenceEntities(ReferenceVisibility):
    def entity(self, entity_id: str) -> Entity | None:
        for world in self._worlds.values():
            if entity_id in world.entities and self._knows_entity(world, self._canonical(world, entity_id)):
                return self._whole(world, self._canonical(world, entity_id))
        return None

    def bearer(self, name: str) -> Entity | None:
        bearers = []
        for world in self._worlds.values():
            for entity_id in world.entities:
                seen = self._namings_seen(world, entity_id)
                if any(fold(naming.name) == fold(name) for naming in seen):
                    aliases = tuple(naming.name for naming in seen)
                    bearers.append(self._as_named(world, entity_id, seen, aliases))
        return max(bearers, key=lambda entity: (entity.recorded_at, entity.id), default=None)

    def openly_named(self, entity_id: str) -> bool:
        for world in self._worlds.values():
            for naming in world.namings.get(entity_id, []):
                memory = world.memories.get(naming.memory_id or "")
                if naming.memory_id is None or (memory and memory.visibility is Visibility.SPACE):
                    return True
        return False

    def own_entity(self, entity_id: str) -> tuple[Entity, str | None] | None:
        for world in self._worlds.values():
            if entity_id in world.entities and self._knows_entity(world, self._canonical(world, entity_id)):
                namings = world.namings[entity_id]
                aliases = tuple(naming.name for naming in namings)
                return self._as_named(world, entity_id, namings, aliases), world.merged.get(entity_id)
        return None

    def entities(
        self, name: str | None = None, ids: Iterable[str] | None = None, limit: int | None = None
    ) -> list[Entity]:
        found, asked = [], None if ids is None else set(ids)
        for world in self._worlds.values():
            wanted = None if asked is None else {self._canonical(world, one) for one in asked}
            for entity_id in world.entities:
                whole = self._whole(world, entity_id)
                answers = name is None or fold(name) in {fold(one) for one in (whole.name, *whole.aliases)}
                answers = answers and (wanted is None or entity_id in wanted)
                if entity_id not in world.merged and answers and self._knows_entity(world, entity_id):
                    found.append(whole)
        found.sort(key=lambda entity: (entity.recorded_at, entity.id), reverse=True)
        return found[:limit]

    def named(self, names: Iterable[str]) -> list[tuple[str, str]]:
        asked = set(names)
        found = set()
        for world in self._worlds.values():
            for entity_id in world.entities:
                for naming in self._namings_seen(world, entity_id):
                    if fold(naming.name) in asked:
                        found.add((fold(naming.name), self._canonical(world, entity_id)))
        return sorted(found)

    def named_like(self, beginning: str, limit: int) -> list[tuple[str, str]]:
        found = {
            (fold(naming.name), entity_id, self._canonical(world, entity_id))
            for world in self._worlds.values()
            for entity_id in world.entities
            for naming in self._namings_seen(world, entity_id)
            if fold(naming.name).startswith(beginning)
        }
        return [(name, whole) for name, _, whole in sorted(found)[:limit]]

    def _whole(self, world: FoldedSpace, entity_id: str) -> Entity:
        members = [one for one in world.entities if self._canonical(world, one) == entity_id]
        members.sort(key=lambda one: (one != entity_id, world.entities[one].recorded_at, one))
        aliases = tuple(naming.name for one in members for naming in self._namings_seen(world, one))
        namings = self._namings_seen(world, entity_id) or world.namings[entity_id]
        return self._as_named(world, entity_id, namings, aliases)

    def _as_named(self, world: FoldedSpace, entity_id: str, among: list[Naming], aliases: tuple[str, ...]) -> Entity:
        """The entity as the first of these namings has it; not all may see how it was named first of all."""
        first, named_to_all = among[0], any(one.memory_id is None for one in world.namings[entity_id])
        return Entity(
            id=entity_id,
            space=world.entities[entity_id].space,
            name=first.name,
            kind=first.kind or "concept",
            aliases=aliases,
            recorded_at=first.at,
            memory_id=None if named_to_all else first.memory_id,
        )

    def _knows_entity(self, world: FoldedSpace, entity_id: str) -> bool:
        members = [one for one in world.entities if self._canonical(world, one) == entity_id]
        return any(self._known_by_itself(world, one) for one in members)

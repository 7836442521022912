"""Which node does the caller mean? From ids, names and aliases to nodes, and new entities for names nobody has yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from treering.errors import InvalidRequest, NotFound
from treering.model.changes import EntityAdded, Thing
from treering.model.entity import Entity, entity_name, fold
from treering.store.contract import Act, Reader


def memory_of(reader: Reader, memory_id: str, field_name: str = "id") -> str:
    """The id, if it is a memory that can be seen."""
    if reader.memory(memory_id) is None:
        raise missing(reader, memory_id, field_name, "memory")
    return memory_id


def entity_of(reader: Reader, ref: str, field_name: str = "entity") -> Entity:
    """By id, name or alias."""
    by_id = reader.entity(ref)
    if by_id is not None:
        return by_id
    named = reader.entities(ref, limit=1)
    if not named:
        raise missing(reader, ref, field_name, "entity")
    return named[0]


def node_of(reader: Reader, ref: str, field_name: str) -> tuple[Thing, str]:
    """A memory by id, or an entity by id, name or alias."""
    if reader.memory(ref) is not None:
        return Thing.MEMORY, ref
    try:
        return Thing.ENTITY, entity_of(reader, ref).id
    except NotFound:
        raise missing(reader, ref, field_name, "memory or entity") from None


def missing(reader: Reader, ref: str, field_name: str, what: str) -> NotFound:
    """Says no more of a thing that is hidden than of one that never was."""
    where = ", ".join(reader.spaces) or "an empty space"
    gone = reader.tombstone(ref)
    if gone is not None:
        return NotFound(f"{field_name}: {ref} was purged; nothing of it is left")
    return NotFound(
        f"{field_name}: there is no {what} {ref!r} in {where}; check the id, and that space is the right one"
    )


@dataclass
class Naming:
    """Names to entities within one write: the same name is the same entity, and what is new is gathered in `added`."""

    act: Act
    memory_id: str | None = None
    added: list[EntityAdded] = field(default_factory=list)
    revealed: set[str] = field(default_factory=set)
    """Entities that were there, but that only memories private to others had spoken of."""
    _known: dict[str, Entity] = field(default_factory=dict)

    def entity(self, ref: object, kind: str | None = None) -> Entity:
        if not isinstance(ref, str):
            raise InvalidRequest(f"entity: {ref!r} is not a name or id")
        name = entity_name(ref, "entity")
        folded = fold(name)
        if folded not in self._known:
            self._known[folded] = self._find(name) or self._make(name, kind)
        return self._known[folded]

    def _find(self, name: str) -> Entity | None:
        """What the caller can see comes first; a name is unique all the same, whoever may see its entity."""
        seen = self.act.reader
        named = seen.entities(name, limit=1)
        known = named[0] if named else seen.entity(name)
        if known is not None:
            return known
        hidden = seen.all_seeing().entities(name, limit=1)
        self.revealed.update(one.id for one in hidden)
        return hidden[0] if hidden else None

    def _make(self, name: str, kind: str | None) -> Entity:
        entity = Entity(
            id=self.act.mint(),
            space=self.act.space,
            name=name,
            kind=kind or "concept",
            recorded_at=self.act.at,
            memory_id=self.memory_id,
        )
        self.added.append(EntityAdded(entity))
        return entity

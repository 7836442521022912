"""Which node does the caller mean? From ids, names and aliases to nodes, and new entities for names nobody has yet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from treering.errors import InvalidRequest, NotFound
from treering.model import limits
from treering.model.changes import AliasesAdded, EntityAdded, Thing
from treering.model.entity import Entity, entity_name, fold
from treering.store.contract import Act, EdgeFilter, Reader


def memory_of(reader: Reader, memory_id: str, field_name: str = "id") -> str:
    """The id, if it is a memory that can be seen."""
    if reader.memory(memory_id) is None:
        raise missing(reader, memory_id, field_name, "memory")
    return memory_id


def entity_of(reader: Reader, ref: str, field_name: str = "entity") -> Entity:
    """By id, name or alias. What cannot be an id is not looked for as one."""
    by_id = reader.entity(ref) if limits.is_uuid(ref) else None
    if by_id is not None:
        return by_id
    named = reader.entities(ref, limit=1)
    if not named:
        raise missing(reader, ref, field_name, "entity")
    return named[0]


SHORTEST_ENDING = 8
_ENDING = re.compile(rf"…?([0-9a-f-]{{{SHORTEST_ENDING},35}})")
_MOST_ALIKE = 20


def whole_id(reader: Reader, ref: str, field_name: str) -> str:
    """The id of the one thing that can be seen and whose id ends so, as tables and texts show it, with or without the
    `…`. What is no such ending, or the name of something, is left as it was said."""
    ending = _ENDING.fullmatch(ref)
    if ending is None or reader.entities(ref, limit=1):
        return ref
    found = [one for one in reader.ids_ending(ending[1], _MOST_ALIKE) if _can_be_seen(reader, one)]
    if len(found) > 1:
        raise InvalidRequest(
            f"{field_name}: several ids end in {ending[1]}: {', '.join(found)}; give one of them whole"
        )
    return found[0] if found else ref


def _can_be_seen(reader: Reader, thing_id: str) -> bool:
    for look in (reader.memory, reader.entity, reader.source):
        if look(thing_id) is not None:
            return True
    return bool(reader.edges(EdgeFilter(ids=(thing_id,), include_closed=True, include_forgotten=True)))


def stands_for(reader: Reader, entity_id: str) -> str:
    """The id of what the entity is merged into, or its own."""
    whole = reader.entity(entity_id)
    return entity_id if whole is None else whole.id


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
        return NotFound(f"{field_name}: {ref} was purged; nothing of it is left", ref)
    return NotFound(
        f"{field_name}: there is no {what} {ref!r} in {where}; check the id, and that space is the right one", ref
    )


@dataclass
class NameRegister:
    """Names to entities within one write: the same name is the same entity, and what is new is gathered in `added`."""

    act: Act
    memory_id: str | None = None
    added: list[EntityAdded | AliasesAdded] = field(default_factory=list)
    created: set[str] = field(default_factory=set)
    """Entities that are new, as far as the caller can see."""
    _known: dict[str, Entity] = field(default_factory=dict)

    def entity(self, ref: object, kind: str | None = None) -> Entity:
        """By name or id: the one that bears the name itself, so that what is said of it stays its own if it is merged
        and split again."""
        if not isinstance(ref, str):
            raise InvalidRequest(f"entity: {ref!r} is not a name or id")
        name = entity_name(ref, "entity")
        folded = fold(name)
        if folded not in self._known:
            self._known[folded] = self._seen(name, kind) or self._hidden(name, kind) or self._make(name, kind)
        return self._known[folded]

    def meant(self, entity: Entity) -> Entity:
        """Of several that answer to a name, this one: from here on its own name means it."""
        folded = fold(entity.name)
        if folded not in self._known or self._known[folded].id != entity.id:
            if not self.act.reader.openly_named(entity.id) and entity.id not in self.created:
                self.added.append(AliasesAdded(entity.id, (entity.name,), self.memory_id, entity.kind))
            self._known[folded] = entity
        return self._known[folded]

    def _seen(self, name: str, kind: str | None) -> Entity | None:
        reader = self.act.reader
        known = reader.bearer(name) or next(iter(reader.entities(name, limit=1)), None)
        if known is None:
            own = reader.own_entity(name)
            return own[0] if own else None
        if not reader.openly_named(known.id):
            self.added.append(AliasesAdded(known.id, (name,), self.memory_id, kind))
        return known

    def _hidden(self, name: str, kind: str | None) -> Entity | None:
        """A name is unique, whoever may see its entity. One that only memories private to others spoke of is named a
        second time, and from then on known by that naming to those who can see it."""
        hidden = self.act.reader.all_seeing().bearer(name)
        if hidden is None:
            return None
        self.added.append(AliasesAdded(hidden.id, (name,), self.memory_id, kind))
        self.created.add(hidden.id)
        return replace(
            hidden, name=name, kind=kind or "concept", aliases=(), recorded_at=self.act.at, memory_id=self.memory_id
        )

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
        self.created.add(entity.id)
        return entity

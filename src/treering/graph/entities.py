"""Who is who? Registering entities, finding them by any name, and joining two that turn out to be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from treering.errors import Conflict, InvalidRequest, LimitExceeded
from treering.model import limits
from treering.model.changes import AliasesAdded, Changes, EntityAdded, EntityMerged, EntitySplit
from treering.model.entity import Entity, entity_name, fold
from treering.model.memory import Mark, View
from treering.model.value import Value
from treering.store.contract import Act, MemoryFilter, Reader
from treering.store.naming import entity_of
from treering.values import dataclass

_NAMES_LOOKED_AT = 1_000


@dataclass(frozen=True, slots=True, repr=False)
class Registration(Value):
    entity_id: str
    name: str
    kind: str
    created: bool
    aliases: tuple[str, ...]
    aliases_added: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Merge(Value):
    """`entity_id` now stands for `into_id`, or no longer does."""

    entity_id: str
    into_id: str
    changed: bool


def register(act: Act, name: str, aliases: tuple[str, ...], kind: str | None) -> tuple[Changes, Registration]:
    reader = act.reader
    name = entity_name(name)
    _must_not_be_titles(reader, {"name": (name,), "aliases": aliases})
    everyone = reader.all_seeing()
    named = everyone.entities(name)
    known = next((one for one in named if fold(one.name) == fold(name) or _took_in(everyone, one.id, name)), None)
    if known is not None:
        return _register_again(reader, known, name, aliases, kind)
    entity = Entity(
        id=act.mint(), space=act.space, name=name, kind=kind or "concept", aliases=aliases, recorded_at=act.at
    )
    added = Registration(entity.id, entity.name, entity.kind, True, entity.aliases, entity.aliases)
    return Changes("entity_register", (EntityAdded(entity),)), added


def _must_not_be_titles(reader: Reader, given: Mapping[str, Sequence[str]]) -> None:
    """A memory titled the same, in whatever spelling, would be taken for the entity."""
    names = {fold(name): (field, name) for field, some in given.items() for name in some}
    for title in (one for one in reader.titles() if fold(one) in names):
        titled = reader.memories(MemoryFilter(view=View.ALL, title=title))
        if any(Mark.FORGOTTEN not in one.marks for one in titled):
            field, name = names[fold(title)]
            told = f"a memory in this space is titled {title!r}; register the entity under another name"
            raise Conflict(f"{field}: {told}" if title == name else f"{field}: {name!r} will not do, {told}")


def _took_in(reader: Reader, entity_id: str, name: str) -> bool:
    """Whether the name is that of an entity which is merged into this one."""
    for event in reader.events(entity_id):
        if isinstance(event.change, EntityMerged) and event.change.into_id == entity_id:
            own, into_id = reader.own_entity(event.change.entity_id) or (None, None)
            if own and into_id == entity_id and (fold(own.name) == fold(name) or _took_in(reader, own.id, name)):
                return True
    return False


def _register_again(
    reader: Reader, known: Entity, name: str, aliases: tuple[str, ...], kind: str | None
) -> tuple[Changes, Registration]:
    """New names are added. An entity that only a memory had brought in becomes known to the whole space."""
    seen = reader.entity(known.id)
    shown = seen or replace(known, name=name, kind=kind or "concept", aliases=())
    offered = replace(shown, aliases=aliases).aliases
    has = {fold(one) for one in shown.aliases}
    fresh = tuple(one for one in offered if fold(one) not in has)
    if len(has) + len(fresh) > limits.ALIASES:
        raise LimitExceeded(f"aliases: {shown.name!r} would have {len(has) + len(fresh):,}; at most {limits.ALIASES:,}")
    names = fresh if known.memory_id is None else (name, *fresh)
    changes = (AliasesAdded(known.id, names, kind=kind),) if names else ()
    told = Registration(known.id, shown.name, shown.kind, seen is None, (*shown.aliases, *fresh), fresh)
    return Changes("entity_register", changes), told


def merge(reader: Reader, entity: str, into: str, why: str | None) -> tuple[Changes, Merge]:
    gone, kept = entity_of(reader, entity, "entity"), entity_of(reader, into, "into")
    if gone.id == kept.id:
        bearer = reader.bearer(entity) or (reader.own_entity(entity) or (gone,))[0]
        if bearer.id == kept.id:
            raise InvalidRequest(f"into: {into!r} and {entity!r} are the same entity already")
        return Changes("entity_merge"), Merge(bearer.id, kept.id, False)
    together = len({fold(one) for one in (*gone.aliases, gone.name, *kept.aliases)})
    if together > limits.ALIASES:
        raise LimitExceeded(f"into: together they would have {together:,} aliases; at most {limits.ALIASES:,}")
    return Changes("entity_merge", (EntityMerged(gone.id, kept.id, "stated", why),)), Merge(gone.id, kept.id, True)


def split(reader: Reader, entity_id: str, why: str | None) -> tuple[Changes, Merge]:
    own = reader.own_entity(entity_id)
    if own is None:
        entity_of(reader, entity_id, "entity_id")
        raise InvalidRequest(
            f"entity_id: give the id that was merged away, as the merge answered it; got {entity_id!r}"
        )
    _, into_id = own
    if into_id is None:
        return Changes("entity_split"), Merge(entity_id, entity_id, False)
    return Changes("entity_split", (EntitySplit(entity_id, into_id, why),)), Merge(entity_id, into_id, True)


def named_like(reader: Reader, beginning: str, kind: str | None, limit: int) -> list[Entity]:
    """Those with a name or alias that begins so, or a word of which does: what begins so first, then the shortest."""
    start = fold(beginning)
    ids = {one for _, one in reader.named_like(start, _NAMES_LOOKED_AT)}
    found = [one for one in reader.entities(ids=ids) if kind in (None, one.kind)] if ids else []
    return sorted(found, key=lambda one: (not fold(one.name).startswith(start), len(one.name), one.name))[:limit]

"""How is something linked that is no memory of the same space? In ai-memory an entity is a memory and can be linked
like one, and so can memories of two namespaces; here links join memories of one space. So what a client links gets a
card there: a memory that stands for it, shown to clients under the id of what it stands for.

The card of a memory of another namespace says nothing of what that one says. Who may not read the one does not learn
of it by the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from treering.errors import Forbidden, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory.revisions import latest
from treering.faces.dialects.ai_memory.shapes import KEPT, client_id, kept_of, node_id
from treering.faces.dialects.revisions import is_hidden
from treering.model.entity import Entity
from treering.model.memory import Memory
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Cards:
    """Of some nodes of a space: how clients know those that are cards; what of other namespaces some of them
    stand for; and those that stand for what the caller may not see, or nobody any more."""

    names: Mapping[str, str]
    abroad: Mapping[str, Memory | Entity]
    unseen: frozenset[str]


def is_card(memory: Memory) -> bool:
    return not {"entity", "elsewhere"}.isdisjoint(kept_of(memory))


def card_of(door: Door, entity: Entity) -> Memory | None:
    return next(iter(door.list(space=entity.space, tags=[_tag(entity)], limit=1)), None)


def card_for(door: Door, entity: Entity) -> Memory:
    """Its card, made if it has none."""
    found = card_of(door, entity)
    if found is not None:
        return found
    made = door.add(
        entity.name,
        title=_title(entity.id),
        tags=["entity", _tag(entity)],
        tier="long",
        meta={KEPT: {"first": entity.id, "entity": entity.id, "source": "system"}},
        key=f"{KEPT}:{_tag(entity)}",
        space=entity.space,
    )
    return door.get(made.id, space=made.space)


def end_in(door: Door, node: Memory | Entity, space: str) -> str:
    """The memory of that space to which links of this are tied, made if there is none."""
    own = client_id(node) if isinstance(node, Memory) else card_for(door, node).id
    if node.space == space:
        return own
    title = _abroad(node_id(node))
    made = door.add(
        f"Stands for {node_id(node)}, which is in another namespace",
        title=title,
        tags=["link", title],
        tier="long",
        meta={KEPT: {"first": node_id(node), "elsewhere": node.space, "source": "system"}},
        key=f"{KEPT}:{title}",
        space=space,
    )
    return made.id


def known_end(door: Door, node: Memory | Entity, space: str) -> str:
    """The same, if there is one."""
    if node.space == space:
        return tied(door, node)
    card = next(iter(door.list(space=space, tags=[_abroad(node_id(node))], view="all", limit=1)), None)
    if card is None:
        raise NotFound(f"there is no link to {node_id(node)!r} here")
    return card.id


def tied(door: Door, node: Memory | Entity) -> str:
    """The memory that links of this are tied to: of one that was updated the first, of an entity its card."""
    if isinstance(node, Memory):
        return client_id(node)
    card = card_of(door, node)
    if card is None:
        raise NotFound(f"there is no link to the entity {node.name!r}")
    return card.id


def cards_among(door: Door, space: str, ids: Iterable[str]) -> Cards:
    names, abroad, unseen = dict[str, str](), dict[str, Memory | Entity](), set[str]()
    for one in dict.fromkeys(ids):
        try:
            memory = door.get(one, space=space)
        except NotFound:  # an entity
            continue
        if not is_card(memory):
            continue
        names[one] = client_id(memory)
        if "elsewhere" in kept_of(memory):
            meant = _meant(door, memory)
            if meant is None:
                unseen.add(one)
            else:
                abroad[one] = meant
    return Cards(names, abroad, frozenset(unseen))


def _meant(door: Door, card: Memory) -> Memory | Entity | None:
    """What the card stands for, as it is by now; none if it is hidden, or from this caller."""
    space, meant = str(kept_of(card)["elsewhere"]), client_id(card)
    try:
        found = door.get(meant, space=space)
    except NotFound:
        return _entity(door, meant, space)
    except Forbidden:
        return None
    found = latest(door, found)
    return None if is_hidden(found) else found


def _entity(door: Door, entity_id: str, space: str) -> Entity | None:
    try:
        return door.entity_get(entity_id, space=space)
    except NotFound:
        return None


def may_be_card(title: str | None) -> bool:
    """What is not titled like a card is none, and need not be looked at."""
    return title is not None and title.startswith((_title(""), _abroad("")))


def _title(entity_id: str) -> str:
    return f"entity:{entity_id}"


def _abroad(client: str) -> str:
    return f"elsewhere:{client}"


def _tag(entity: Entity) -> str:
    return _title(entity.id)

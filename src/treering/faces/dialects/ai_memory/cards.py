"""How is an entity linked? In ai-memory it is a memory and can be linked like one; here links join memories. So an
entity that a client links gets a card: a memory that stands for it, shown to clients under the entity's own id."""

from __future__ import annotations

from collections.abc import Iterable

from treering.door import Treering
from treering.errors import NotFound
from treering.faces.dialects.ai_memory.shapes import KEPT, client_id, kept_of
from treering.model.entity import Entity
from treering.model.memory import Memory


def is_card(memory: Memory) -> bool:
    return "entity" in kept_of(memory)


def card_of(door: Treering, entity: Entity) -> Memory | None:
    return next(iter(door.list(space=entity.space, tags=[_tag(entity)], limit=1)), None)


def card_for(door: Treering, entity: Entity) -> Memory:
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


def tied(door: Treering, node: Memory | Entity) -> str:
    """The memory that links of this are tied to: of one that was updated the first, of an entity its card."""
    if isinstance(node, Memory):
        return client_id(node)
    card = card_of(door, node)
    if card is None:
        raise NotFound(f"there is no link to the entity {node.name!r}")
    return card.id


def called(door: Treering, space: str, ids: Iterable[str]) -> dict[str, str]:
    """How clients know these: a card by its entity's id, all else by its own."""
    names = {}
    for one in dict.fromkeys(ids):
        try:
            memory = door.get(one, space=space)
        except NotFound:  # an entity
            continue
        if is_card(memory):
            names[one] = client_id(memory)
    return names


def may_be_card(title: str | None) -> bool:
    """What is not titled like a card is none, and need not be looked at."""
    return title is not None and title.startswith(_title(""))


def _title(entity_id: str) -> str:
    return f"entity:{entity_id}"


def _tag(entity: Entity) -> str:
    return _title(entity.id)

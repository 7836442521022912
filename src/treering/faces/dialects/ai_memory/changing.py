"""How do ai-memory's clients change what they stored? They update it under the same id, delete it, promote it, and
store or collect much at once. Underneath, an update is a revision and a deletion is forgetting."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from treering.errors import InvalidRequest
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.places import memory_at
from treering.faces.dialects.ai_memory.revisions import all_of, revised
from treering.faces.dialects.ai_memory.shapes import as_added, content_of, kept_of, memory_told
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.model.memory import Memory, State
from treering.model.namespaces import namespace_of, space_of
from treering.operation import WRITES, WRITES_ONCE, Time

AT_ONCE = 1_000
_TIERS = ("short", "mid", "long")
_NOT_ITS_OWN = ("id", "namespace", "agent_id", "source")


class Update(Arguments):
    id: Annotated[a.Id, Field(description="The memory's id; it stays.")]
    title: a.Title | None = None
    content: a.Content | None = None
    tier: a.Tier | None = None
    namespace: a.Namespace = None
    tags: a.Tags | None = None
    priority: a.Priority | None = None
    confidence: a.Confidence | None = None
    metadata: a.Metadata | None = None
    expires_at: Time | None = None


class Bulk(Arguments):
    memories: Annotated[list[a.Store], Field(max_length=AT_ONCE, description="Each as memory_store takes it.")]
    agent_id: a.Author = None


class Promote(Arguments):
    id: a.Id
    tier: a.Tier = "long"


class Collect(Arguments):
    namespace: a.Namespace = None
    dry_run: Annotated[bool, Field(description="Say what would go, and leave it.")] = False


@tool(Update, WRITES, a.STORED)
def memory_update(door: Door, asked: Update) -> Answer:
    """Change a memory. Its id and first author stay; what it said before can still be read."""
    old = memory_at(door, asked.id)
    if asked.namespace is not None and space_of(asked.namespace) != old.space:
        raise InvalidRequest(
            f"namespace: the memory is in {namespace_of(old.space)!r} and stays there; store it anew in another"
        )
    named = {name: value for name, value in asked.model_dump(exclude=set(_NOT_ITS_OWN)).items() if value is not None}
    if not named:
        raise InvalidRequest("content: say what to change: title, content, tier, tags, priority, confidence, metadata")
    now = revised(door, old, _changed(old, named))
    door.entity_gather(ids=[now.id], space=now.space)
    return memory_told(now)


def _changed(old: Memory, named: dict[str, Any]) -> dict[str, Any]:
    """As `revise` takes it: what is named, and the rest as it was."""
    kept, told = kept_of(old), memory_told(old)
    was = {name: told[name] for name in ("title", "tier", "tags", "confidence", "source")}
    metadata = {name: value for name, value in told["metadata"].items() if name != "agent_id"}
    store = a.Store.model_validate(
        {**dict(kept.get("more", {})), **was, "metadata": metadata, "content": content_of(old), **named}
    )
    change = as_added(store)
    for name in ("observed_by", "session"):
        change.pop(name)
    if "priority" not in named:  # the scale of ten there is coarser than ours
        change.pop("importance")
    return change


@tool(a.Get, WRITES_ONCE)
def memory_delete(door: Door, asked: a.Get) -> Answer:
    """Forget one memory. It is hidden, blocks nothing, and can be restored."""
    memory = memory_at(door, asked.id, namespace=asked.namespace)
    forget_all(door, memory)
    return {"deleted": True, "id": asked.id}


def forget_all(door: Door, memory: Memory, why: str | None = None) -> None:
    """With every revision: who deletes a memory does not want back what it said before."""
    for one in all_of(door, memory):
        door.forget(one.id, space=one.space, why=why)


@tool(Bulk, WRITES)
def memory_bulk(door: Door, asked: Bulk) -> Answer:
    """Store up to a thousand memories, all of a namespace or none."""
    ids = store_all(
        door, [one.model_copy(update={"agent_id": one.agent_id or asked.agent_id}) for one in asked.memories]
    )
    return {"created": len(ids), "ids": ids, "errors": []}


def store_all(door: Door, stores: list[a.Store], keys: list[str | None] | None = None, **more: Any) -> list[str]:
    """Their ids, in order. What one namespace refuses is found out before another is written to."""
    by_space: dict[str | None, list[int]] = {}
    for place, one in enumerate(stores):
        by_space.setdefault(None if one.namespace is None else space_of(one.namespace), []).append(place)
    items = [{**as_added(one), "key": keys[place] if keys else None} for place, one in enumerate(stores)]
    if len(by_space) > 1:
        for space, places in by_space.items():
            door.add_many([items[one] for one in places], space=space, dry_run=True)
    ids = [""] * len(stores)
    for space, places in by_space.items():
        receipt = door.add_many([items[one] for one in places], space=space)
        for place, made in zip(places, receipt.memories, strict=True):
            ids[place] = made.id
        door.entity_gather(ids=[one.id for one in receipt.memories], space=receipt.space)
    return ids


@tool(Promote, WRITES_ONCE)
def memory_promote(door: Door, asked: Promote) -> Answer:
    """Let a memory last longer: short to mid, mid to long."""
    memory = memory_at(door, asked.id)
    steps = _TIERS.index(asked.tier) - _TIERS.index(memory.tier)
    if steps < 0:
        raise InvalidRequest(f"tier: the memory is {memory.tier} already; {asked.tier} would not last as long")
    if steps and asked.tier == "long" and memory.state is State.ACTIVE:
        door.promote(memory.id, force=True, target="long", space=memory.space)
    elif steps:
        revised(door, memory, _changed(memory, {"tier": asked.tier}))
    return {"promoted": steps > 0, "id": asked.id, "tier": asked.tier}


@tool(Collect, WRITES_ONCE)
def memory_gc(door: Door, asked: Collect) -> Answer:
    """Put away what has expired or faded. It goes to the archive; nothing is removed."""
    spaces = [one.name for one in door.spaces()] if asked.namespace is None else [space_of(asked.namespace)]
    expired, ids = list[str](), list[str]()
    for space in spaces:
        over = door.expire(space=space, dry_run=asked.dry_run)
        expired += [
            one for one in over.ids if door.archive(one, space=space, why="expired", dry_run=asked.dry_run).changed
        ]
        ids += [one for some in over.archived.values() for one in some]
        ids += door.gc(space=space, dry_run=asked.dry_run).ids
    return {"expired_deleted": len(expired), "archived": len(ids), "ids": [*expired, *ids], "dry_run": asked.dry_run}

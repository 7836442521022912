"""Which namespaces are there, how are they nested, and what holds in each? A namespace may have a memory as its
standing instruction; those below it inherit it. It is kept in what is said about the space."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from treering.errors import Forbidden, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.arguments import named
from treering.faces.dialects.ai_memory.places import memory_at
from treering.faces.dialects.ai_memory.shapes import KEPT, client_id, memory_told
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.namespaces import namespace_of, namespace_or_none, space_of
from treering.graph.taxonomy import Branch
from treering.model import limits
from treering.operation import READS, WRITES_ONCE

Name = Annotated[str, Field(min_length=1, max_length=limits.SPACE_CHARS)]
_FARTHEST = 32
"""How many namespaces a chain of parents has at most."""


class Namespaces(Arguments):
    namespace: Annotated[a.Namespace, Field(description="Its standing instruction; all names if left out.")] = None
    inherit: Annotated[bool, Field(description="Also those of the namespaces above it.")] = False


class SetStanding(Arguments):
    namespace: Name
    id: Annotated[a.Id | None, Field(description="The memory that instructs."), named("id", "standard_id")] = None
    parent: Annotated[a.Namespace, Field(description="What it inherits from, if not the namespace above it.")] = None


class OneNamespace(Arguments):
    namespace: Name


class Taxonomy(Arguments):
    root: Annotated[a.Namespace, Field(description="Only this and those below it."), named("root", "prefix")] = None
    depth: Annotated[int, Field(ge=1, le=limits.SPACE_SEGMENTS, description="Levels to show.")] = 8
    limit: Annotated[int, Field(ge=1, le=limits.PAGE, description="Most namespaces to show.")] = limits.PAGE


@tool(Namespaces, READS)
def memory_namespaces(door: Door, asked: Namespaces) -> Answer:
    """The names of all namespaces, or the standing instruction of one."""
    if asked.namespace is not None:
        return _standing(door, asked.namespace, asked.inherit)
    names = [name for one in door.spaces() if (name := namespace_or_none(one.name)) is not None]
    return {"namespaces": sorted(names), "count": len(names)}


@tool(SetStanding, WRITES_ONCE)
def memory_namespace_set_standard(door: Door, asked: SetStanding) -> Answer:
    """Make a memory the standing instruction of a namespace; without one the namespace is only made."""
    memory = None if asked.id is None else memory_at(door, asked.id)
    told = {"standard_id": None if memory is None else client_id(memory), "parent": asked.parent}
    _say(door, asked.namespace, {name: value for name, value in told.items() if value is not None})
    return {"set": True, "namespace": asked.namespace, "id": told["standard_id"], **told}


@tool(OneNamespace, WRITES_ONCE)
def memory_namespace_clear_standard(door: Door, asked: OneNamespace) -> Answer:
    """Take the standing instruction off a namespace. The memory stays, and so does the namespace."""
    had = _said(door, asked.namespace)
    if had:
        _say(door, asked.namespace, {})
    return {"cleared": bool(had), "deleted": bool(had), "namespace": asked.namespace}


def _say(door: Door, namespace: str, standing: dict[str, Any]) -> None:
    space = space_of(namespace)
    before = door.about(space=space)
    others = {name: value for name, value in before.metadata.items() if name != KEPT}
    metadata = {**others, KEPT: standing} if standing else others
    door.describe(description=before.description, metadata=metadata, space=space)


def _said(door: Door, namespace: str) -> dict[str, Any]:
    said = door.about(space=space_of(namespace)).metadata.get(KEPT)
    return dict(said) if said else {}


def _standing(door: Door, namespace: str, inherit: bool) -> Answer:
    chain = list(_upward(door, namespace)) if inherit else [namespace]
    standards = [one for name in reversed(chain) if (one := _instruction(door, name)) is not None]
    own = standards[-1] if standards else None
    return {
        "namespace": namespace,
        "id": None if own is None else own["id"],
        "standard_id": None if own is None else own["id"],
        "memory": own,
        "inherited_from": None if own is None or own["standing_in"] == namespace else own["standing_in"],
        "chain": chain[::-1],
        "standards": standards,
        "count": len(standards),
    }


def _upward(door: Door, namespace: str) -> Iterator[str]:
    """The namespace and those it inherits from, the nearest first; as far as whoever asks may look."""
    seen: list[str] = []
    name: str | None = namespace
    while name and name not in seen and len(seen) < _FARTHEST:
        seen.append(name)
        yield name
        parent = None
        with suppress(Forbidden):
            parent = _said(door, name).get("parent")
        name = parent or name.rpartition("/")[0] or None


def _instruction(door: Door, namespace: str) -> Answer | None:
    with suppress(Forbidden, NotFound):
        standard = _said(door, namespace).get("standard_id")
        return None if standard is None else memory_told(memory_at(door, standard), standing_in=namespace)
    return None


@tool(Taxonomy, READS)
def memory_get_taxonomy(door: Door, asked: Taxonomy) -> Answer:
    """Namespaces as a tree, each with how many memories it and all below it hold, also where the tree is cut."""
    if asked.root is not None:
        return _branch(door.taxonomy(space_of(asked.root), asked.depth, asked.limit))
    try:
        return _branch(door.taxonomy(None, asked.depth, asked.limit))
    except Forbidden:  # some spaces are open to who asks, and not all
        return _of_those_seen(door, asked)


def _branch(one: Branch) -> Answer:
    return {
        "namespace": namespace_of(one.space) if one.space else "",
        "name": namespace_of(one.name) if one.name else "",
        "count": one.count,
        "subtree_count": one.subtree_count,
        "children": [_branch(child) for child in one.children],
        "truncated": one.left_out > 0,
    }


def _of_those_seen(door: Door, asked: Taxonomy) -> Answer:
    """Each space that is open, with what lies below it if that is open too."""
    children, whole = list[Answer](), list[str]()
    for space in sorted(one.name for one in door.spaces()):
        if any(space.startswith(f"{top}/") for top in whole):
            continue
        try:
            children.append(_branch(door.taxonomy(space, asked.depth, asked.limit)))
            whole.append(space)
        except Forbidden:
            held = door.status(space=space).memories
            count = held.get("active", 0) + held.get("promoted", 0)
            name = namespace_of(space)
            alone = {"namespace": name, "name": name.rpartition("/")[2], "count": count, "subtree_count": count}
            children.append({**alone, "children": [], "truncated": False})
    total = sum(one["subtree_count"] for one in children)
    return {"namespace": "", "name": "", "count": 0, "subtree_count": total, "children": children, "truncated": False}

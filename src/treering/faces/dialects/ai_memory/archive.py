"""What have ai-memory's clients put away? The archive: memories that no list shows, with when and why, to be restored
or dropped. What is dropped is forgotten, and nothing is removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

from pydantic import Field

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.changing import forget_all
from treering.faces.dialects.ai_memory.places import memory_at
from treering.faces.dialects.ai_memory.revisions import all_of
from treering.faces.dialects.ai_memory.shapes import client_id, memory_told
from treering.faces.dialects.contract import Answer, Arguments, Listed, tool
from treering.faces.dialects.everywhere import everywhere
from treering.faces.dialects.revisions import everything, is_hidden
from treering.model import limits
from treering.model.memory import Mark, Memory
from treering.model.namespaces import namespace_of
from treering.model.value import plain
from treering.operation import READS, WRITES_ONCE


class Archive(Arguments):
    ids: Annotated[Listed, Field(min_length=1, max_length=1000, description="The memories to put away.")]
    reason: Annotated[str | None, Field(max_length=limits.WHY_CHARS, description="Why.")] = None


class ArchiveList(Arguments):
    namespace: Annotated[a.Namespace, Field(description="Only this namespace; all if left out.")] = None
    limit: Annotated[int, Field(ge=1, le=1000, description="Most memories to return.")] = 50
    offset: Annotated[int, Field(ge=0, description="How many to pass over.")] = 0


class Nothing(Arguments):
    """Asked without any argument."""


@tool(Archive, WRITES_ONCE)
def memory_archive(door: Door, asked: Archive) -> Answer:
    """Put memories away, those too that were forgotten. Ids that nothing answers to are told, and stop nothing."""
    done, absent = list[str](), list[str]()
    for one in dict.fromkeys(asked.ids):
        try:
            memory = memory_at(door, one, "ids", hidden=True)
        except NotFound:
            absent.append(one)
            continue
        for each in all_of(door, memory):
            if Mark.FORGOTTEN in each.marks:
                door.restore(each.id, space=each.space)
            door.archive(each.id, space=each.space, why=asked.reason)
        done.append(client_id(memory))
    return {"archived": done, "missing": absent, "count": len(done), "reason": asked.reason}


@tool(ArchiveList, READS)
def memory_archive_list(door: Door, asked: ArchiveList) -> Answer:
    """What is in the archive, the latest put away first."""
    found = [_told(door, one) for one in _archived(door, asked.namespace)]
    found.sort(key=lambda one: (one["archived_at"] or "", one["id"]), reverse=True)
    shown = found[asked.offset : asked.offset + asked.limit]
    return {"archived": shown, "count": len(shown), "total": len(found)}


@tool(Nothing, READS)
def memory_archive_stats(door: Door, asked: Nothing) -> Answer:
    """How many memories are in the archive, in all and by namespace."""
    counts = Counter(namespace_of(one.space) for one in _archived(door, None))
    by_namespace = [{"namespace": name, "count": count} for name, count in counts.most_common()]
    return {"archived_total": counts.total(), "total": counts.total(), "by_namespace": by_namespace}


@tool(a.Get, WRITES_ONCE)
def memory_archive_restore(door: Door, asked: a.Get) -> Answer:
    """Bring a memory back that was archived or forgotten."""
    memory = memory_at(door, asked.id, namespace=asked.namespace, hidden=True)
    if not is_hidden(memory):
        raise NotFound(f"id: {asked.id!r} is not in the archive")
    for one in all_of(door, memory):
        for mark in (Mark.FORGOTTEN, Mark.ARCHIVED):
            if mark in one.marks:
                door.restore(one.id, space=one.space)
    return {
        "restored": True,
        "id": client_id(memory),
        "memory": memory_told(memory_at(door, asked.id, namespace=asked.namespace)),
    }


@tool(a.Get, WRITES_ONCE)
def memory_archive_drop(door: Door, asked: a.Get) -> Answer:
    """Take a memory out of the archive for good: it is forgotten, and only its id still finds it."""
    memory = memory_at(door, asked.id, namespace=asked.namespace, hidden=True)
    if not _is_archived(memory):
        raise NotFound(f"id: {asked.id!r} is not in the archive")
    forget_all(door, memory, "dropped from the archive")
    return {"deleted": True, "id": client_id(memory)}


def _is_archived(memory: Memory) -> bool:
    return Mark.ARCHIVED in memory.marks and Mark.FORGOTTEN not in memory.marks


def _archived(door: Door, namespace: str | None) -> Iterator[Memory]:
    """Each once, as it was by the end."""
    seen: set[str] = set()
    for some in everywhere(door, namespace, lambda place: list(everything(door, place.space, place.children))):
        for one in some:
            if _is_archived(one) and client_id(one) not in seen:
                seen.add(client_id(one))
                yield one


def _told(door: Door, memory: Memory) -> Answer:
    at, why = None, None
    with suppress(NotFound):
        for event in door.history(memory.id, space=memory.space).events:
            if event.what == Mark.ARCHIVED.value:
                at, why = event.at, event.why
    return memory_told(memory, archived_at=plain(at), archive_reason=why)

"""LongMem's tools for whole collections: which there are, what changed, how they are, what they say in short."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.deleting import delete, living, own
from treering.faces.dialects.longmem.places import is_there, known
from treering.faces.dialects.longmem.told import REVISIONS, WORDS, CollectionName, collection_of, told
from treering.faces.dialects.namespaces import space_of
from treering.model import limits
from treering.model.memory import SHOWN, Memory, State, View
from treering.model.time import to_text, utc_or_none
from treering.operation import READS, WRITES_ONCE, Time

WEEK = timedelta(days=7)
MOST_LISTED = 200


class ListCollections(Arguments):
    pass


@tool(ListCollections, READS)
def list_collections(door: Door, asked: ListCollections) -> Answer:
    """The collections, with how many memories each has."""
    listed = [_collection(door, one) for one in living(door)]
    return {"collections": listed, "count": len(listed)}


def _collection(door: Door, space: str) -> dict[str, Any]:
    [named] = [one for one in door.spaces(prefix=space) if one.name == space]
    states, about = door.status(space=space).memories, door.about(space=space)
    count = sum(states.get(state.value, 0) for state in SHOWN[View.CURRENT])
    return {
        "name": collection_of(space),
        "description": about.description,
        "metadata": own(about.metadata),
        "count": count,
        "memory_count": count,
        "total_count": sum(number for state, number in states.items() if state != State.FORGOTTEN.value),
        "archived_count": states.get(State.ARCHIVED.value, 0),
        "created_at": to_text(named.created_at),
        "updated_at": to_text(named.changed_at),
    }


class NewCollection(Arguments):
    name: CollectionName
    description: str | None = Field(None, max_length=limits.CONTEXT_CHARS)
    metadata: dict[str, Any] | None = None


@tool(NewCollection, WRITES_ONCE, {"namespace": "name"})
def create_collection(door: Door, asked: NewCollection) -> Answer:
    """Make a collection. One that is there stays as it is, but for what is given."""
    space = space_of(asked.name)
    there = is_there(door, space)
    _describe(door, space, asked.description, asked.metadata, anew=not there)
    return {**_collection(door, space), "created": not there}


class OfCollection(Arguments):
    collection: CollectionName


@tool(OfCollection, READS, WORDS)
def get_collection(door: Door, asked: OfCollection) -> Answer:
    """One collection, with how many memories it has."""
    return _collection(door, known(door, asked.collection))


class UpdateCollection(OfCollection):
    description: str | None = Field(None, max_length=limits.CONTEXT_CHARS)
    metadata: dict[str, Any] | None = None


@tool(UpdateCollection, WRITES_ONCE, WORDS)
def update_collection(door: Door, asked: UpdateCollection) -> Answer:
    """Describe a collection otherwise; what is not given stays."""
    space = known(door, asked.collection)
    _describe(door, space, asked.description, asked.metadata)
    return _collection(door, space)


def _describe(
    door: Door, space: str, description: str | None, metadata: Mapping[str, Any] | None, anew: bool = False
) -> None:
    """What is not given stays as it was, unless it is made anew."""
    about = None if anew else door.about(space=space)
    door.describe(
        description=about.description if description is None and about is not None else description,
        metadata=own((about.metadata if about is not None else {}) if metadata is None else metadata),
        space=space,
    )


@tool(OfCollection, WRITES_ONCE, WORDS)
def delete_collection(door: Door, asked: OfCollection) -> Answer:
    """Forget all that a collection holds; it is not there until something is written to it again."""
    forgotten = delete(door, known(door, asked.collection), "the collection was deleted")
    return {"deleted": True, "name": asked.collection, "memories": forgotten}


class WhatChanged(OfCollection):
    since: Time | None = Field(None, description="From when on; the last seven days if left out.")
    limit: int = Field(20, ge=1, le=MOST_LISTED, description="Most changes, the newest first.")


@tool(WhatChanged, READS, WORDS)
def what_changed(door: Door, asked: WhatChanged) -> Answer:
    """What was learned in a collection since a time, and what it took the place of."""
    space = known(door, asked.collection)
    since = utc_or_none(asked.since, "since") or door.now() - WEEK
    newest = door.list(space=space, view=View.ALL, order="newest", limit=limits.PAGE)
    recent = [one for one in newest if one.recorded_at >= since and one.state is not State.FORGOTTEN]
    changes = [_change(door, one) for one in recent[: asked.limit]]
    return {"collection": asked.collection, "since": to_text(since), "changes": changes, "count": len(changes)}


def _change(door: Door, memory: Memory) -> dict[str, Any]:
    before = door.history(memory.id, space=memory.space).supersedes
    return {
        **told(memory),
        "change": "updated" if before else "added",
        "relation": "updates" if before else "none",
        "related_id": _client_id(door, before[0], memory.space) if before else None,
        "superseded_by": memory.superseded_by and _client_id(door, memory.superseded_by, memory.space),
        "at": to_text(memory.recorded_at),
    }


def _client_id(door: Door, memory_id: str, space: str) -> str:
    return REVISIONS.client_id(door.get(memory_id, space=space))


@tool(OfCollection, READS, WORDS)
def collection_health(door: Door, asked: OfCollection) -> Answer:
    """How a collection is doing: what is current, outdated, fading, stale, doubled or in conflict."""
    health = door.health(space=known(door, asked.collection))
    current = sum(health.states.get(state.value, 0) for state in SHOWN[View.CURRENT])
    return {
        "collection": asked.collection,
        "total": health.memories,
        "latest": current,
        "outdated": health.states.get(State.SUPERSEDED.value, 0),
        "expired": health.states.get(State.EXPIRED.value, 0),
        "archived": health.states.get(State.ARCHIVED.value, 0),
        "stale": health.stale,
        "fading": health.in_danger,
        "conflicts": health.conflicts,
        "duplicates": health.duplicates,
        "orphans": health.orphans,
        "average_score": health.mean_score,
        "growth": dict(health.growth),
    }


@tool(OfCollection, READS, WORDS)
def summarize_collection(door: Door, asked: OfCollection) -> Answer:
    """A collection in short: what holds, in the third person, ready for a prompt."""
    profile = door.profile(space=known(door, asked.collection))
    return {
        "collection": asked.collection,
        "summary": profile.text,
        "memory_ids": list(profile.citations),
        "count": len(profile.sentences),
    }


class FindDuplicates(OfCollection):
    threshold: float = Field(0.88, ge=0, le=1, description="How alike two memories are that say the same.")
    limit: int = Field(20, ge=1, le=MOST_LISTED, description="Most pairs.")


@tool(FindDuplicates, WRITES_ONCE, WORDS)
def find_duplicates(door: Door, asked: FindDuplicates) -> Answer:
    """Pairs of memories of a collection that say the same."""
    space = known(door, asked.collection)
    found = door.cluster(find_duplicates=True, duplicate_threshold=asked.threshold, space=space)
    pairs = [one.to_dict() for one in found.duplicates[: asked.limit]]
    return {"collection": asked.collection, "duplicates": pairs, "count": len(pairs)}


class ArchiveStale(OfCollection):
    dry_run: bool = Field(True, description="Only say what would be archived.")
    limit: int | None = Field(None, ge=1, le=limits.BATCH, description="Most memories to archive.")


@tool(ArchiveStale, WRITES_ONCE, WORDS)
def archive_stale(door: Door, asked: ArchiveStale) -> Answer:
    """Archive what has faded in a collection. Only shows it unless dry_run is false; nothing is deleted."""
    done = door.gc(dry_run=asked.dry_run, archive=True, limit=asked.limit, space=known(door, asked.collection))
    return {
        "collection": asked.collection,
        "dry_run": asked.dry_run,
        "archived": 0 if asked.dry_run else done.archived,
        "memory_ids": list(done.ids),
        "count": len(done.ids),
    }

"""How is a memory told to a client of LongMem? As a fact of a collection, with what it was filed under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from treering.faces.dialects.namespaces import namespace_or_none, space_of
from treering.model import limits
from treering.model.edge import Link
from treering.model.memory import SHOWN, Kind, Memory, View
from treering.model.time import to_text

DEFAULT_COLLECTION = "default"
TYPES = {Kind.SEMANTIC: "fact", Kind.VIEWPOINT: "preference", Kind.EPISODE: "episode"}
RELATIONS = {Link.SUPERSEDES.value: "updates", Link.EXTENDS.value: "extends"}
"""What they call a link; the others keep their names."""
FILED = ("category", "source", "container_tag")
CATEGORY, SOURCE = "other", "api"

CollectionName = Annotated[
    str, Field(min_length=1, max_length=limits.SPACE_CHARS, description="The collection; made when first written to.")
]


def of_collection(name: str | None) -> str | None:
    """The space of a collection."""
    return None if name is None else space_of(name)


def collection_of(space: str) -> str:
    return namespace_or_none(space) or space


def filed(category: str, source: str, container_tag: str | None, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept in the meta of a memory."""
    kept = {"category": category, "source": source, **({"container_tag": container_tag} if container_tag else {})}
    return {"longmem": kept, **metadata}


def told(memory: Memory) -> dict[str, Any]:
    kept = memory.meta.get("longmem") or {}
    return {
        "id": memory.id,
        "text": memory.content,
        "type": TYPES[memory.kind],
        "importance": memory.importance,
        "category": kept.get("category", CATEGORY),
        "source": kept.get("source", SOURCE),
        "container_tag": kept.get("container_tag"),
        "metadata": {name: value for name, value in memory.meta.items() if name != "longmem"},
        "collection": collection_of(memory.space),
        "is_latest": memory.state in SHOWN[View.CURRENT],
        "expires_at": None if memory.expires_at is None else to_text(memory.expires_at),
        "created_at": to_text(memory.recorded_at),
        "updated_at": to_text(memory.recorded_at),
    }

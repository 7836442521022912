"""How is a memory told to a client of LongMem? As a fact of a collection, with what it was filed under.

What it was filed under is kept in its meta under one key, beside the client's own metadata; category and container tag
are tags too, so that a search can be narrowed by them. A client knows a memory by one id through all its updates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from treering.faces.dialects.revisions import Revisions
from treering.model import limits
from treering.model.edge import Link
from treering.model.memory import SHOWN, Kind, Memory, View
from treering.model.namespaces import namespace_or_none, space_of
from treering.model.time import to_text

KEPT = "longmem"
REVISIONS = Revisions(KEPT)
DEFAULT_COLLECTION = "default"
TYPES = {Kind.SEMANTIC: "fact", Kind.VIEWPOINT: "preference", Kind.EPISODE: "episode"}
RELATIONS = {Link.SUPERSEDES.value: "updates", Link.EXTENDS.value: "extends"}
"""What they call a link; the others keep their names."""
CATEGORY, SOURCE = "other", "api"
WORDS = {"content": "text", "meta": "metadata", "tags": "container_tag", "namespace": "collection"}
"""What is stored, by the names of the door and by theirs."""
_FILED = ("category", "source", "container_tag")
_OLD = frozenset({*_FILED, "metadata"})
"""What lay side by side in the meta of a memory that a route stored before both faces kept it under one key."""

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
    return {**metadata, KEPT: kept}


def tags_of(category: str | None, container_tag: str | None) -> list[str]:
    """The tags of what is filed so: not the category that means none, and nothing that is too long for a tag."""
    named = ("" if category in (None, CATEGORY) else category, container_tag)
    words = dict.fromkeys((one or "").strip() for one in named)
    return [one for one in words if 0 < len(one) <= limits.TAG_CHARS]


def told(memory: Memory) -> dict[str, Any]:
    kept, metadata = _kept(memory)
    latest = memory.state in SHOWN[View.CURRENT]
    return {
        "id": REVISIONS.client_id(memory),
        "text": memory.content,
        "type": TYPES[memory.kind],
        "importance": memory.importance,
        "category": kept.get("category", CATEGORY),
        "source": kept.get("source", SOURCE),
        "container_tag": kept.get("container_tag"),
        "metadata": metadata,
        "collection": collection_of(memory.space),
        "is_latest": latest,
        "archived": not latest,
        "expires_at": None if memory.expires_at is None else to_text(memory.expires_at),
        "created_at": kept.get("created_at") or to_text(memory.recorded_at),
        "updated_at": kept.get("updated_at") or to_text(memory.recorded_at),
    }


def _kept(memory: Memory) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """What was filed, and the client's own metadata."""
    meta = memory.meta
    if KEPT not in meta and meta.keys() >= _OLD and isinstance(meta["metadata"], Mapping):
        more = {name: value for name, value in meta.items() if name not in _OLD}
        return {name: meta[name] for name in _FILED}, {**more, **meta["metadata"]}
    return REVISIONS.kept_of(memory), {name: value for name, value in meta.items() if name != KEPT}

"""How does a memory look to a client of ai-memory? Its fields by their names there, and what that system keeps with it.

What has no field of its own in a memory is kept in its meta under one key, and given back as it came: the `source`,
unknown fields, of a content longer than a memory may be the rest, and of a revision where it comes from.
"""

from __future__ import annotations

from typing import Any

from treering.faces.dialects.ai_memory.arguments import Store
from treering.faces.dialects.revisions import Revisions
from treering.model import limits
from treering.model.entity import Entity
from treering.model.memory import Memory
from treering.model.namespaces import namespace_of
from treering.model.value import plain

KEPT = "ai-memory"
REVISIONS = Revisions(KEPT)
kept_of, client_id = REVISIONS.kept_of, REVISIONS.client_id
_TITLE = 80


def as_added(asked: Store) -> dict[str, Any]:
    """What to store as the arguments of `add`."""
    unknown = dict(asked.model_extra or {})
    agent = asked.metadata.get("agent_id") or asked.agent_id
    session = unknown.get("session_id") or asked.metadata.get("session_id")
    rest = asked.content[limits.CONTENT_CHARS :]
    kept = {"source": asked.source, **({"rest": rest} if rest else {}), **({"more": unknown} if unknown else {})}
    return {
        "content": asked.content[: limits.CONTENT_CHARS],
        "title": asked.title,
        "tier": asked.tier,
        "tags": asked.tags,
        "importance": asked.priority / 10,
        "confidence": asked.confidence,
        "meta": {**asked.metadata, KEPT: kept},
        "observed_by": str(agent) if agent else None,
        "session": str(session) if session else None,
        "expires_at": asked.expires_at,
    }


def content_of(memory: Memory) -> str:
    return memory.content + str(kept_of(memory).get("rest", ""))


def memory_told(memory: Memory, **more: Any) -> dict[str, Any]:
    kept = kept_of(memory)
    metadata = {name: value for name, value in memory.meta.items() if name != KEPT}
    told = {
        "id": client_id(memory),
        "title": memory.title or _first_words(memory.content),
        "content": content_of(memory),
        "tier": memory.tier,
        "namespace": namespace_of(memory.space),
        "tags": memory.tags,
        "priority": min(10, max(1, round(memory.importance * 10))),
        "confidence": memory.confidence,
        "source": kept.get("source", "system"),
        "access_count": accesses(memory),
        "created_at": kept.get("created_at") or memory.recorded_at,
        "updated_at": kept.get("updated_at") or memory.recorded_at,
        "last_accessed_at": last_access(memory),
        "expires_at": memory.expires_at,
        "metadata": {**metadata, "agent_id": kept.get("author") or memory.observed_by},
    }
    answer: dict[str, Any] = plain({**dict(kept.get("more", {})), **told, **more})
    return answer


def entity_told(entity: Entity) -> dict[str, Any]:
    """An entity as the memory that it is in that system: long-lived, tagged, of its own kind."""
    answer: dict[str, Any] = plain(
        {
            "id": entity.id,
            "title": entity.name,
            "content": entity.name,
            "tier": "long",
            "namespace": namespace_of(entity.space),
            "tags": ["entity"],
            "created_at": entity.recorded_at,
            "updated_at": entity.recorded_at,
            "metadata": {"kind": "entity", "entity_kind": entity.kind, "aliases": entity.aliases},
        }
    )
    return answer


def accesses(memory: Memory) -> int:
    """How often it was used, by whichever revision it was known then."""
    return int(kept_of(memory).get("accessed", 0)) + memory.use_count


def last_access(memory: Memory) -> Any:
    """When it was last used, by whichever revision; none if it never was."""
    return memory.last_used if memory.use_count else kept_of(memory).get("last_accessed_at")


def node_id(node: Memory | Entity) -> str:
    """What edges are tied to: of a memory that was updated, the first."""
    return client_id(node) if isinstance(node, Memory) else node.id


def _first_words(content: str) -> str:
    line = content.strip().splitlines()[0]
    return line if len(line) <= _TITLE else line[: _TITLE - 1] + "…"

"""WHAT lies in an export or database of ai-memory, and how is an export written? Memories by namespace with title, tier
and accesses, links with their windows, the archive, and entities with their aliases.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from treering.errors import CallerError, InvalidRequest
from treering.exchange.forms.whole import Whole
from treering.exchange.others.cells import fields, texts, time_of, time_or_none, whole
from treering.exchange.putting import put
from treering.language.masking import Masking
from treering.model import limits
from treering.model.edge import Edge
from treering.model.memory import Memory, State, Tier
from treering.model.moved import MovedEntity, MovedLink, MovedMemory, MovedRecords
from treering.model.namespaces import namespace_of, space_of
from treering.model.time import UNKNOWN, to_text
from treering.model.value import plain

SYSTEM = "ai-memory"
KEPT = "ai-memory"
"""Under what its own is kept in the meta of a memory; its routes read it there."""
RELATIONS = ("related_to", "supersedes", "contradicts", "derived_from")
_OF_A_MEMORY = {"title", "content", "tier", "namespace"}
_OWN = frozenset(
    {"id", "title", "content", "tier", "namespace", "tags", "priority", "confidence", "source", "access_count",
     "created_at", "updated_at", "last_accessed_at", "expires_at", "metadata", "links", "archived_at",
     "archive_reason", "embedding", "embedding_dim"}
)  # fmt: skip
_LARGEST = 1 << 30


def is_its_own(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        begins = file.read(1 << 16)
    if begins.startswith(b"SQLite format 3\0"):
        return {"memories", "memory_links"} <= _tables(path)
    if not begins.lstrip().startswith((b"{", b"[")) or path.stat().st_size > _LARGEST:
        return False
    if b'"tier"' not in begins or b'"namespace"' not in begins:
        return False
    try:
        return _records(json.loads(path.read_text("utf-8"))) is not None
    except (ValueError, OSError):
        return False


def read(path: Path, masking: Masking) -> MovedRecords:
    with path.open("rb") as file:
        is_database = file.read(16) == b"SQLite format 3\0"
    if is_database:
        return from_records(masking.value(_from_database(path)))
    try:
        return from_records(masking.value(json.loads(path.read_text("utf-8"))))
    except ValueError:
        raise InvalidRequest(f"path: {path} is not JSON; give the export or the database of ai-memory") from None


def _records(value: Any) -> list[Mapping[str, Any]] | None:
    """The memories of an export; none if it is something else."""
    listed = value.get("memories") if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        return None
    known = [one for one in listed if isinstance(one, Mapping) and one.keys() >= _OF_A_MEMORY]
    return known if known or not listed else None


def from_records(value: Any) -> MovedRecords:
    """From an export: an object with memories, and links beside them; or the list of memories."""
    listed = value.get("memories") if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        raise InvalidRequest("memories: there is no list of memories in it; give an export of ai-memory")
    left_out: dict[str, str] = {}
    memories, entities = list[MovedMemory](), list[MovedEntity]()
    aliases = fields(value.get("aliases")) if isinstance(value, Mapping) else {}
    for place, one in enumerate(listed):
        name = str(one.get("id") or f"memory {place + 1}") if isinstance(one, Mapping) else f"memory {place + 1}"
        try:
            if is_entity(one):
                entities.append(_entity(one, texts(aliases.get(str(one.get("id"))))))
            else:
                memories.append(_memory(one, name))
        except CallerError as error:
            left_out[name] = str(error)
    links = []
    for place, one in enumerate(value.get("links") or ()) if isinstance(value, Mapping) else ():
        try:
            links.append(_link(one))
        except (CallerError, AttributeError) as error:
            left_out[f"link {place + 1}"] = str(error)
    return MovedRecords(
        system=SYSTEM, memories=tuple(memories), links=tuple(links), entities=tuple(entities), left_out=left_out
    )


def is_entity(one: Any) -> bool:
    return isinstance(one, Mapping) and fields(one.get("metadata")).get("kind") == "entity"


def _entity(one: Mapping[str, Any], aliases: tuple[str, ...]) -> MovedEntity:
    metadata = fields(one.get("metadata"))
    return MovedEntity(
        name=str(one.get("title") or ""),
        aliases=aliases or texts(metadata.get("aliases")),
        kind=str(metadata["entity_kind"]) if metadata.get("entity_kind") else None,
        space=space_of(str(one["namespace"])) if one.get("namespace") else None,
    )


def _memory(one: Any, name: str) -> MovedMemory:
    if not isinstance(one, Mapping):
        raise InvalidRequest("is no object")
    content = one.get("content")
    if not isinstance(content, str) or not content.strip():
        raise InvalidRequest("content: has no words")
    metadata = fields(one.get("metadata"))
    made = time_or_none(one.get("created_at"), "created_at")
    if made is None:
        raise InvalidRequest("created_at: is missing; an export has it")
    used = time_or_none(one.get("last_accessed_at"), "last_accessed_at")
    author = metadata.pop("agent_id", None)
    more = {key: value for key, value in one.items() if key not in _OWN}
    rest = content[limits.CONTENT_CHARS :]
    kept = {"source": one.get("source") or "api", "created_at": to_text(made)}
    for stamp in ("updated_at", "archived_at"):
        then = time_or_none(one.get(stamp), stamp)
        kept |= {stamp: to_text(then)} if then is not None else {}
    kept |= {"rest": rest} if rest else {}
    kept |= {"more": more} if more else {}
    priority, confidence, tier = one.get("priority"), one.get("confidence"), one.get("tier")
    return MovedMemory(
        id=str(one.get("id") or name),
        content=content[: limits.CONTENT_CHARS],
        said_at=made,
        title=str(one["title"]) if one.get("title") else None,
        tags=texts(one.get("tags"))[: limits.TAGS],
        meta={**metadata, KEPT: kept},
        importance=min(1.0, max(0.1, priority / 10)) if isinstance(priority, int | float) else None,
        confidence=min(1.0, max(0.0, float(confidence))) if isinstance(confidence, int | float) else None,
        tier=Tier(str(tier)) if tier in ("short", "mid", "long") else None,
        expires_at=time_or_none(one.get("expires_at"), "expires_at"),
        observed_by=str(author)[: limits.NAME_CHARS] if author else None,
        last_used=used or made,
        uses=whole(one.get("access_count")),
        archived=str(one.get("archive_reason") or "archived in ai-memory") if "archived_at" in kept else None,
        space=space_of(str(one["namespace"])) if one.get("namespace") else None,
    )


def _link(one: Mapping[str, Any]) -> MovedLink:
    relation = str(one.get("relation") or "related_to").removeprefix("kg_")
    if relation not in RELATIONS:
        raise InvalidRequest(f"relation: {relation!r} is not one of {', '.join(RELATIONS)}")
    begins = one.get("valid_from") or one.get("created_at")
    return MovedLink(
        source_id=str(one.get("source_id")),
        target_id=str(one.get("target_id")),
        relation=relation,
        valid_from=time_of(begins, "valid_from") if begins else None,
        valid_until=time_or_none(one.get("valid_until"), "valid_until"),
        observed_by=str(one["observed_by"]) if one.get("observed_by") else None,
    )


def _tables(path: Path) -> set[str]:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return set()


def _from_database(path: Path) -> dict[str, Any]:
    """As an export would tell it, with the archive."""
    tables = _tables(path)
    if not {"memories", "memory_links"} <= tables:
        raise InvalidRequest(f"path: {path} is no database of ai-memory; its tables are {', '.join(sorted(tables))}")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        memories = [dict(row) for row in connection.execute("SELECT * FROM memories")]
        links = [dict(row) for row in connection.execute("SELECT * FROM memory_links")]
        if "archived_memories" in tables:
            memories += [dict(row) for row in connection.execute("SELECT * FROM archived_memories")]
        aliases: dict[str, list[str]] = {}
        if "entity_aliases" in tables:
            for row in connection.execute("SELECT entity_id, alias FROM entity_aliases"):
                aliases.setdefault(row["entity_id"], []).append(row["alias"])
    for one in memories:
        one["metadata"], one["tags"] = fields(one.get("metadata")), list(texts(one.get("tags")))
        one.pop("embedding", None)
    return {"memories": memories, "links": links, "aliases": aliases}


# and back


def write_export(path: Path, wholes: Sequence[Whole]) -> int:
    memories = [memory_record(memory) for one in wholes for memory in one.memories if not _is_card(memory)]
    links = [link_record(edge) for one in wholes for edge in one.edges if edge.relation in RELATIONS]
    with put(path) as file:
        json.dump({"memories": memories, "links": links, "count": len(memories)}, file, ensure_ascii=False, indent=1)
        file.write("\n")
    return len(memories)


def _is_card(memory: Memory) -> bool:
    """What stands for an entity or for a memory of another namespace says nothing of its own."""
    return not {"entity", "elsewhere"}.isdisjoint(fields(memory.meta.get(KEPT)))


def memory_record(memory: Memory) -> dict[str, Any]:
    kept = fields(memory.meta.get(KEPT))
    metadata = {name: value for name, value in memory.meta.items() if name != KEPT}
    archived = memory.state is State.ARCHIVED
    told: dict[str, Any] = plain(
        {
            **fields(kept.get("more")),
            "id": str(kept.get("first") or memory.id),
            "tier": memory.tier,
            "namespace": namespace_of(memory.space),
            "title": memory.title or memory.content.strip().splitlines()[0][:80],
            "content": memory.content + str(kept.get("rest", "")),
            "tags": memory.tags,
            "priority": min(10, max(1, round(memory.importance * 10))),
            "confidence": memory.confidence,
            "source": kept.get("source", "system"),
            "access_count": int(kept.get("accessed", 0)) + memory.use_count,
            "created_at": kept.get("created_at") or min(memory.said_at, memory.recorded_at),
            "updated_at": kept.get("updated_at") or memory.recorded_at,
            "last_accessed_at": memory.last_used if memory.use_count else kept.get("last_accessed_at"),
            "expires_at": memory.expires_at,
            "metadata": {**metadata, "agent_id": kept.get("author") or memory.observed_by},
            **({"archived_at": kept.get("archived_at") or memory.recorded_at} if archived else {}),
        }
    )
    return told


def link_record(edge: Edge) -> dict[str, Any]:
    told: dict[str, Any] = plain(
        {
            "source_id": edge.source_id,
            "target_id": edge.target_id,
            "relation": edge.relation,
            "created_at": edge.recorded_at,
            "valid_from": None if edge.valid_from == UNKNOWN else edge.valid_from,
            "valid_until": edge.valid_until,
            "observed_by": edge.observed_by,
            "signature": edge.signature,
        }
    )
    return told

"""HOW is knowledge written for another memory? In the shape in which mem0, mcp-memory-service, the MCP reference server
and Graphiti export it themselves, with the ids and times they had where it came from there. What those cannot hold
(states, revisions, two times) stays behind: only the journal is lossless."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from treering.exchange.forms.whole import Whole
from treering.model.memory import SHOWN, Memory, View
from treering.model.time import to_text
from treering.model.value import plain

_OURS = ("key-", "from-")
_OF_MEM0 = ("user_id", "agent_id", "run_id", "app_id", "actor_id", "role")


def write_mem0(file: TextIO, wholes: list[Whole]) -> int:
    results: list[dict[str, Any]] = []
    for whole, memory in _current(wholes):
        own = _own(memory, "mem0")
        more = {name: one for name, one in plain(memory.meta).items() if name != "mem0"}
        results.append(
            {
                "id": own.get("id") or memory.id,
                "memory": memory.content,
                "hash": own.get("hash") or hashlib.md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
                "metadata": more or None,
                "categories": _tags(memory) or None,
                "created_at": own.get("created_at") or to_text(memory.said_at),
                "updated_at": to_text(memory.said_at),
                **{name: own[name] for name in _OF_MEM0 if name in own},
            }
        )
        if not any(name in own for name in ("user_id", "agent_id", "run_id")):
            results[-1]["user_id"] = whole.space
    json.dump({"results": results}, file, ensure_ascii=False, indent=1)
    return len(results)


def write_memory_service(file: TextIO, wholes: list[Whole]) -> int:
    kind = "mcp-memory-service"
    memories = []
    for _, memory in _current(wholes):
        own = _own(memory, kind)
        more = {name: one for name, one in plain(memory.meta).items() if name != kind}
        memories.append(
            {
                "content": memory.content,
                "content_hash": own.get("content_hash") or hashlib.sha256(memory.content.encode()).hexdigest(),
                "tags": _tags(memory),
                "created_at": memory.said_at.timestamp(),
                "created_at_iso": own.get("created_at_iso") or to_text(memory.said_at),
                "updated_at": memory.said_at.timestamp(),
                "updated_at_iso": own.get("updated_at_iso") or to_text(memory.said_at),
                "memory_type": own.get("memory_type") or "note",
                "metadata": more,
            }
        )
    json.dump({"memories": memories}, file, ensure_ascii=False, indent=1)
    return len(memories)


def write_reference(file: TextIO, wholes: list[Whole]) -> int:
    """The reference server's own file: what came from there as it was, the rest as observations of what it mentions."""
    kinds: dict[str, str] = {}
    said: dict[str, list[str]] = defaultdict(list)
    relations: dict[tuple[str, str, str], None] = {}
    for whole in wholes:
        mentions = whole.mentions()
        names = {one.id: one.name for one in whole.entities}
        for entity in whole.entities:
            kinds.setdefault(entity.name, entity.kind or "thing")
        for _, memory in _current([whole]):
            own = _own(memory, "mcp")
            if "relationType" in own:
                relations[own["from"], own["relationType"], own["to"]] = None
            elif "name" in own:
                kinds[own["name"]] = own.get("entityType") or kinds.get(own["name"], "thing")
                said[own["name"]] += [own["observation"]] if own.get("observation") else []
            else:
                for name in mentions[memory.id]:
                    said[name].append(memory.content)
        own_facts = {one.id for one in whole.memories if "relationType" in _own(one, "mcp")}
        for memory_id, edges in whole.facts().items():
            for edge in edges if memory_id not in own_facts else ():
                if edge.valid_until is None:
                    relations[names[edge.source_id], edge.relation.lower(), names[edge.target_id]] = None
    for name, kind in kinds.items():
        line = {"type": "entity", "name": name, "entityType": kind, "observations": list(dict.fromkeys(said[name]))}
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    for subject, relation, object_ in relations:
        line = {"type": "relation", "from": subject, "to": object_, "relationType": relation}
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return len(kinds) + len(relations)


def write_graphiti(file: TextIO, wholes: list[Whole]) -> int:
    told: dict[str, list[dict[str, Any]]] = {"episodes": [], "edges": [], "nodes": []}
    for whole in wholes:
        facts = whole.facts()
        told["nodes"] += [
            {"uuid": one.id, "name": one.name, "labels": ["Entity", *([one.kind] if one.kind else [])], "summary": "",
             "group_id": whole.space}
            for one in whole.entities
        ]  # fmt: skip
        for _, memory in _current([whole]):
            own = _own(memory, "graphiti")
            if not facts.get(memory.id):
                told["episodes"].append(
                    {"uuid": own.get("uuid") or memory.id, "content": memory.content,
                     "source": own.get("source", "text"),
                     "source_description": own.get("source_description", "treering"),
                     "valid_at": to_text(memory.said_at),
                     "created_at": own.get("created_at") or to_text(memory.recorded_at), "group_id": whole.space}
                )  # fmt: skip
            for edge in facts.get(memory.id, []):
                told["edges"].append(
                    {"uuid": own.get("uuid") or edge.id, "name": edge.relation, "fact": memory.content,
                     "source_node_uuid": edge.source_id, "target_node_uuid": edge.target_id,
                     "valid_at": to_text(edge.valid_from),
                     "invalid_at": to_text(edge.valid_until) if edge.valid_until else None,
                     "created_at": own.get("created_at") or to_text(edge.recorded_at), "group_id": whole.space}
                )  # fmt: skip
    json.dump(told, file, ensure_ascii=False, indent=1)
    return sum(map(len, told.values()))


def _current(wholes: list[Whole]) -> Iterator[tuple[Whole, Memory]]:
    for whole in wholes:
        yield from ((whole, one) for one in whole.memories if one.state in SHOWN[View.CURRENT])


def _own(memory: Memory, kind: str) -> dict[str, Any]:
    held = plain(memory.meta.get(kind))
    return held if isinstance(held, Mapping) else {}  # type: ignore[return-value]


def _tags(memory: Memory) -> list[str]:
    return [one for one in memory.tags if not one.startswith(_OURS)]

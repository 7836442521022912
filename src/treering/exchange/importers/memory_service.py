"""WHAT did mcp-memory-service keep? Its JSON export, or its own SQLite database: memories with a hash, a type, tags and
two times; and what the MCP reference server keeps as JSON Lines, entities with observations and relations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treering.exchange.importers.step import ExportRead, RecordAdded, RecordGone, fact, moment, text_of

FORM = "mcp-memory-service"
REFERENCE = "mcp"


def is_exported(value: Any) -> bool:
    listed = value.get("memories") if isinstance(value, Mapping) else None
    return isinstance(listed, list) and bool(listed) and isinstance(listed[0], Mapping) and "content_hash" in listed[0]


def is_database(tables: Mapping[str, set[str]]) -> bool:
    return {"content_hash", "content", "tags", "created_at"} <= tables.get("memories", set())


def read_exported(value: Mapping[str, Any]) -> ExportRead:
    taken = ExportRead(FORM)
    for number, one in enumerate(value["memories"], 1):
        _take(taken, number, one if isinstance(one, Mapping) else {})
    return taken


def read_database(rows: Sequence[Mapping[str, Any]]) -> ExportRead:
    taken = ExportRead(FORM)
    for number, one in enumerate(rows, 1):
        _take(taken, number, one)
    return taken


def _take(taken: ExportRead, number: int, one: Mapping[str, Any]) -> None:
    words = text_of(one.get("content"))
    if not words:
        taken.left_out.append(f"memory {number}: has no words")
        return
    tags = one.get("tags")
    listed = tags.split(",") if isinstance(tags, str) else tags if isinstance(tags, list) else []
    more = one.get("metadata")
    if isinstance(more, str):
        try:
            more = json.loads(more)
        except ValueError:
            more = {}
    own = {
        name: one[name]
        for name in ("content_hash", "memory_type", "created_at_iso", "updated_at_iso")
        if one.get(name) not in (None, "")
    }
    taken.steps.append(
        RecordAdded(
            key=str(one.get("content_hash") or number),
            content=words,
            at=moment(one.get("created_at_iso")) or moment(one.get("created_at")),
            tags=tuple(tag.strip() for tag in listed if isinstance(tag, str) and tag.strip()),
            meta={**(more if isinstance(more, Mapping) else {}), FORM: own},
        )
    )
    if one.get("deleted_at"):
        taken.steps.append(RecordGone(str(one.get("content_hash") or number), "deleted in mcp-memory-service"))


def is_of_reference(one: Any) -> bool:
    if not isinstance(one, Mapping):
        return False
    if one.get("type") == "entity":
        return isinstance(one.get("name"), str) and isinstance(one.get("observations"), list)
    return one.get("type") == "relation" and {"from", "to", "relationType"} <= one.keys()


def read_reference(lines: list[tuple[int, Any]]) -> ExportRead:
    """An observation is a memory of its entity, known by what it says; the server keeps no times."""
    taken = ExportRead(REFERENCE)
    for number, one in lines:
        if not is_of_reference(one):
            taken.left_out.append(f"line {number}: is neither an entity nor a relation")
        elif one["type"] == "relation":
            ends = text_of(one["from"]), text_of(one["relationType"]), text_of(one["to"])
            if not all(ends):
                taken.left_out.append(f"line {number}: a relation that lacks an end")
                continue
            relation = ends[1].upper().replace(" ", "_")
            taken.steps.append(
                RecordAdded(
                    key=f"relation/{'/'.join(ends)}",
                    content=f"{ends[0]} {ends[1].replace('_', ' ')} {ends[2]}.",
                    triples=(fact(ends[0], relation, ends[2], None, None),),
                    meta={REFERENCE: {"from": ends[0], "relationType": ends[1], "to": ends[2]}},
                )
            )
        else:
            _entity(taken, one)
    return taken


def _entity(taken: ExportRead, one: Mapping[str, Any]) -> None:
    name, kind = text_of(one["name"]), text_of(one.get("entityType"))
    entity = {"name": name, **({"kind": kind.lower()[:50]} if kind else {})}
    own = {"name": name, "entityType": kind}
    if not name:
        return
    said = [text for text in map(text_of, one["observations"]) if text]
    head = f"{name} is of the kind {kind}." if kind else f"{name} is known."
    taken.steps.append(
        RecordAdded(
            key=f"entity/{name}", content=head, entities=(entity,), meta={REFERENCE: {**own, "observation": None}}
        )
    )
    for text in said:
        told = {**own, "observation": text}
        taken.steps.append(
            RecordAdded(
                key=f"entity/{name}/{text}", content=f"{name}: {text}", entities=(entity,), meta={REFERENCE: told}
            )
        )

"""WHAT did mem0 keep? Its history database (`~/.mem0/history.db`), in which every memory's additions, updates and
deletions stand with their times; or the memories as its API lists them, with the relations of its graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treering.exchange.importers.step import ExportRead, RecordAdded, RecordGone, fact, moment, text_of

FORM = "mem0"
_WHOSE = ("user_id", "agent_id", "run_id", "app_id", "actor_id")


def is_history(tables: Mapping[str, set[str]]) -> bool:
    return {"memory_id", "old_memory", "new_memory", "event"} <= tables.get("history", set())


def read_history(listed: Sequence[Mapping[str, Any]]) -> ExportRead:
    """In the order in which it happened. A memory whose addition is not there begins with what it said before."""
    taken, last = ExportRead(FORM), dict[str, str]()
    for number, one in enumerate(sorted(listed, key=_happened), 1):
        row = f"row {one.get('id') or number}"
        memory, event = str(one["memory_id"]), str(one["event"]).upper()
        at = moment(one.get("updated_at")) or moment(one.get("created_at"))
        told = {name: one[name] for name in ("actor_id", "role", "created_at") if one.get(name)}
        meta = {"mem0": {"id": memory, "event": event, **told}}
        key = f"{memory}/{one.get('id') or number}"
        new, old = text_of(one.get("new_memory")), text_of(one.get("old_memory"))
        if event == "DELETE":
            if memory not in last and old:
                begun = moment(one.get("created_at"))
                taken.steps.append(RecordAdded(key=f"{key}/before", content=old, at=begun, meta=meta))
                last[memory] = f"{key}/before"
            if memory in last:
                taken.steps.append(RecordGone(last[memory], "deleted in mem0"))
            else:
                taken.left_out.append(f"{row}: a deletion that says not of what")
        elif event in ("ADD", "UPDATE") and new:
            if event == "UPDATE" and memory not in last and old:
                before = RecordAdded(key=f"{key}/before", content=old, at=moment(one.get("created_at")), meta=meta)
                taken.steps.append(before)
                last[memory] = before.key
            speaker = one.get("role") if isinstance(one.get("role"), str) else None
            taken.steps.append(
                RecordAdded(key=key, content=new, at=at, of=last.get(memory), meta=meta, speaker=speaker)
            )
            last[memory] = key
        elif event != "NONE":
            taken.left_out.append(f"{row}: {event} without words")
    return taken


def _happened(one: Mapping[str, Any]) -> float:
    """As texts their times do not compare: each has its own offset."""
    at = moment(one.get("updated_at")) or moment(one.get("created_at"))
    return at.timestamp() if at else 0.0


def is_listed(value: Any) -> bool:
    listed = value.get("results") if isinstance(value, Mapping) else value
    if not isinstance(listed, list) or not listed:
        return False
    return sum(
        isinstance(one, Mapping) and isinstance(one.get("memory"), str) and "id" in one for one in listed
    ) * 2 > len(listed)


def read_listed(value: Any) -> ExportRead:
    taken = ExportRead(FORM)
    listed = value["results"] if isinstance(value, Mapping) else value
    for number, one in enumerate(listed, 1):
        words = text_of(one.get("memory")) if isinstance(one, Mapping) else ""
        if not words:
            taken.left_out.append(f"record {number}: has no words")
            continue
        own = {name: one[name] for name in ("id", "hash", "score", "role", *_WHOSE) if one.get(name) is not None}
        more = one.get("metadata")
        at = moment(one.get("updated_at")) or moment(one.get("created_at"))
        tags = tuple(str(tag) for tag in one.get("categories") or () if isinstance(tag, str))
        created = {"created_at": one["created_at"]} if one.get("created_at") else {}
        meta = {**(more if isinstance(more, Mapping) else {}), "mem0": {**own, **created}}
        taken.steps.append(
            RecordAdded(
                key=str(one.get("id") or number),
                content=words,
                at=at,
                tags=tags,
                meta=meta,
                speaker=one["role"] if isinstance(one.get("role"), str) else None,
                expires_at=moment(one.get("expiration_date")),
            )
        )
    relations = value.get("relations") if isinstance(value, Mapping) else None
    for number, one in enumerate(relations or (), 1):
        ends = [text_of(one.get(name)) for name in ("source", "relationship")] if isinstance(one, Mapping) else []
        target = text_of(one.get("target") or one.get("destination")) if isinstance(one, Mapping) else ""
        if not all(ends) or not target:
            taken.left_out.append(f"relation {number}: lacks an end")
            continue
        relation = ends[1].upper().replace(" ", "_")
        taken.steps.append(
            RecordAdded(
                key=f"relation/{ends[0]}/{relation}/{target}",
                content=f"{ends[0]} {ends[1].replace('_', ' ').lower()} {target}.",
                triples=(fact(ends[0], relation, target, None, None),),
            )
        )
    return taken

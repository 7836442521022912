"""WHAT did LongMem keep, and how is it written down again? Its routes' answers: facts, preferences and episodes of
collections with `is_latest` and `expires_at`, and edges that say what updates or extends what, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.exchange.forms.whole import Whole
from treering.exchange.others.answers import each, given_id, is_saved, lists_of, saved, share, words_of
from treering.exchange.others.cells import fields, time_or_none
from treering.exchange.putting import put
from treering.language.masking import Masking
from treering.model import limits
from treering.model.edge import Edge, Link, link_relation
from treering.model.memory import SHOWN, Kind, Memory, State, View
from treering.model.moved import MovedLink, MovedMemory, MovedRecords
from treering.model.namespaces import namespace_of, space_of
from treering.model.time import UNKNOWN, to_text
from treering.model.value import plain

SYSTEM = "longmem"
KEPT = "longmem"
"""Under what its own is kept in the meta of a memory; its routes read it there."""
TYPES = {"fact": Kind.SEMANTIC, "preference": Kind.VIEWPOINT, "episode": Kind.EPISODE}
RELATIONS = {"updates": Link.SUPERSEDES, "extends": Link.EXTENDS}
_FILED = ("category", "source", "container_tag")
_NAMED_NONE = "other"
_ENDS = (("source_id", "from_id", "from", "source"), ("target_id", "to_id", "to", "target"))


def is_its_own(path: Path) -> bool:
    return is_saved(path, (b'"text"', b'"type"'), _is_memory)


def _is_memory(one: Mapping[str, Any]) -> bool:
    return (
        isinstance(one.get("text"), str)
        and one.get("type") in TYPES
        and not {"is_latest", "collection"}.isdisjoint(one)
    )


def read(path: Path, masking: Masking) -> MovedRecords:
    return from_records(masking.value(saved(path)))


def from_records(value: Any) -> MovedRecords:
    told, left_out = lists_of(value), dict[str, str]()
    edges = [*told.get("edges", ()), *told.get("relations", ()), *_beside(told["memories"])]
    links = each(edges, "edge", _link, left_out)
    replaced = {one.target_id for one in links if one.relation == Link.SUPERSEDES.value}
    memories = each(told["memories"], "memory", lambda one: _memory(one, replaced), left_out)
    alike = {(one.source_id, one.target_id, one.relation): one for one in reversed(links)}
    return MovedRecords(
        system=SYSTEM, memories=tuple(memories), links=tuple(reversed(alike.values())), left_out=left_out
    )


def _beside(memories: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """As `/related` tells them of a memory: from it, or to it."""
    for memory in memories:
        for one in memory.get("related") or ():
            if isinstance(one, Mapping):
                ends = memory.get("id"), one.get("id") or one.get("memory_id")
                source, target = ends if one.get("direction") != "incoming" else reversed(ends)
                yield {**one, "source_id": source, "target_id": target, "id": None}


def _link(one: Mapping[str, Any]) -> MovedLink:
    ends = [next((str(one[name]) for name in names if one.get(name)), "") for names in _ENDS]
    relation = str(one.get("relation") or one.get("type") or "").lower()
    if not all(ends):
        raise InvalidRequest("source_id, target_id: an edge has two ends; one is missing")
    try:
        meant = RELATIONS.get(relation) or link_relation(relation)
    except InvalidRequest:  # any word may stand there
        meant = Link.RELATED_TO
    why = one.get("why") or one.get("reason")
    own = {"why": str(why)[: limits.WHY_CHARS]} if why else {}
    own |= {"relation": relation} if meant is Link.RELATED_TO and relation != meant.value else {}
    return MovedLink(
        id=str(one["id"]) if one.get("id") else None,
        source_id=ends[0],
        target_id=ends[1],
        relation=meant.value,
        valid_from=time_or_none(one.get("since") or one.get("created_at"), "created_at"),
        meta={KEPT: own} if own else {},
    )


def _memory(one: Mapping[str, Any], replaced: set[str]) -> MovedMemory:
    content = words_of(one.get("text") or one.get("content"))
    made = time_or_none(one.get("created_at"), "created_at") or time_or_none(one.get("updated_at"), "updated_at")
    if not one.get("id") or made is None:
        raise InvalidRequest("id, created_at: a memory has both there; one is missing")
    gone = time_or_none(one.get("forgotten_at") or one.get("deleted_at"), "forgotten_at")
    changed = time_or_none(one.get("updated_at"), "updated_at")
    kept = {name: str(one[name]) for name in _FILED if one.get(name)} | {
        "created_at": to_text(made),
        **given_id(str(one["id"])),
    }
    kept |= {"updated_at": to_text(changed)} if changed else {}
    kept |= {"forgotten_at": to_text(gone)} if gone else {}
    named = dict.fromkeys(str(one.get(name) or "").strip() for name in ("category", "container_tag"))
    put_away = (one.get("is_latest") is False or one.get("archived") is True) and str(one["id"]) not in replaced
    return MovedMemory(
        id=str(one["id"]),
        content=content[: limits.CONTENT_CHARS],
        said_at=made,
        kind=TYPES.get(str(one.get("type")), Kind.SEMANTIC),
        tags=tuple(tag for tag in named if 0 < len(tag) <= limits.TAG_CHARS and tag != _NAMED_NONE),
        meta={**fields(one.get("metadata")), KEPT: kept},
        importance=share(one.get("importance")),
        expires_at=time_or_none(one.get("expires_at"), "expires_at"),
        last_used=made,
        archived="not latest in LongMem" if put_away else None,
        forgotten=f"deleted in LongMem at {to_text(gone)}" if gone else None,
        space=space_of(str(one["collection"])) if one.get("collection") else None,
    )


# and back


def write_export(path: Path, wholes: Sequence[Whole]) -> int:
    """One file with the lists that its routes answer with."""
    held = [memory for one in wholes for memory in one.memories]
    memories = [memory_record(memory) for memory in held]
    ids = {memory.id: told["id"] for memory, told in zip(held, memories, strict=True)}
    links = frozenset(link.value for link in Link)
    edges = [edge_record(edge, ids) for one in wholes for edge in one.edges if edge.relation in links]
    collections = [{"name": namespace_of(one.space)} for one in wholes]
    with put(path) as file:
        told = {"collections": collections, "memories": memories, "edges": edges, "count": len(memories)}
        json.dump(told, file, ensure_ascii=False, indent=1)
        file.write("\n")
    return len(memories)


def memory_record(memory: Memory) -> dict[str, Any]:
    kept = fields(memory.meta.get(KEPT))
    latest = memory.state in (*SHOWN[View.CURRENT], State.EXPIRED)  # what has expired was not replaced
    types = {kind: name for name, kind in TYPES.items()}
    told: dict[str, Any] = plain(
        {
            "id": str(kept.get("first") or kept.get("id") or memory.id),
            "text": memory.content,
            "type": types[memory.kind],
            "importance": memory.importance,
            "category": kept.get("category", _NAMED_NONE),
            "source": kept.get("source", "api"),
            "container_tag": kept.get("container_tag"),
            "metadata": {name: value for name, value in memory.meta.items() if name != KEPT},
            "collection": namespace_of(memory.space),
            "is_latest": latest,
            "archived": not latest,
            "expires_at": memory.expires_at,
            "created_at": kept.get("created_at") or memory.recorded_at,
            "updated_at": kept.get("updated_at") or memory.recorded_at,
        }
    )
    return told


def edge_record(edge: Edge, ids: Mapping[str, str]) -> dict[str, Any]:
    kept = fields(edge.meta.get(KEPT))
    theirs = {link.value: name for name, link in RELATIONS.items()}
    told: dict[str, Any] = plain(
        {
            "id": edge.id,
            "source_id": ids[edge.source_id],
            "target_id": ids[edge.target_id],
            "relation": kept.get("relation") or theirs.get(edge.relation, edge.relation),
            "why": kept.get("why") or edge.why or edge.rule,
            "created_at": None if edge.valid_from == UNKNOWN else edge.valid_from,
        }
    )
    return told

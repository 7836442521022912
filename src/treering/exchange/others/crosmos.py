"""WHAT did Crosmos keep, and how is it written down again? Its routes' answers: memories with type, importance, both
times, accesses and `forgotten_at`; entities; and edges that hold from `valid_from` and rest on a memory."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from treering.errors import CallerError, InvalidRequest
from treering.exchange.forms.whole import Whole
from treering.exchange.others.answers import each, given_id, is_saved, lists_of, saved, share, words_of
from treering.exchange.others.cells import fields, texts, time_or_none, whole
from treering.exchange.putting import put
from treering.language.masking import Masking
from treering.model import limits
from treering.model.edge import Edge
from treering.model.fact import Statement
from treering.model.memory import Kind, Memory, Visibility
from treering.model.moved import MovedEntity, MovedMemory, MovedRecords
from treering.model.namespaces import namespace_of, space_of
from treering.model.time import UNKNOWN, to_text
from treering.model.value import plain

SYSTEM = "crosmos"
KEPT = "crosmos"
"""Under what its own is kept in the meta of a memory; its routes read it there."""
_OWN = frozenset(
    {"id", "memory_id", "space_id", "content", "memory_type", "importance_score", "confidence", "event_time",
     "recorded_at", "created_at", "last_accessed_at", "access_frequency", "visibility", "tags", "meta", "forgotten_at",
     "entities", "relations", "triples", "score", "source", "embedding"}
)  # fmt: skip


def is_its_own(path: Path) -> bool:
    return is_saved(path, (b'"memory_type"', b'"memories"'), _is_memory)


def _is_memory(one: Mapping[str, Any]) -> bool:
    return "content" in one and one.get("memory_type") in tuple(Kind)


def read(path: Path, masking: Masking) -> MovedRecords:
    return from_records(masking.value(saved(path)))


def from_records(value: Any) -> MovedRecords:
    told, left_out = lists_of(value), dict[str, str]()
    spaces = {str(one.get("id") or one.get("space_id")): str(one.get("name") or "") for one in told.get("spaces", ())}
    entities = [*told.get("entities", ()), *told.get("nodes", ())]
    names = {str(one.get("id") or one.get("entity_id")): str(one.get("name") or "") for one in entities}
    stated = defaultdict[str, list[Mapping[str, Any]]](list)
    for edge in (*told.get("edges", ()), *told.get("relations", ())):
        stated[str(edge.get("memory_id") or "")].append(edge)
    known = {_id(one) for one in told["memories"]}
    memories = each(
        told["memories"], "memory", lambda one: _memory(one, stated[_id(one)], names, spaces, left_out), left_out
    )
    loose = [edge for memory_id, edges in stated.items() if memory_id not in known for edge in edges]
    memories += each(loose, "edge", lambda one: _of_edge(one, names, spaces), left_out)
    named = each(entities, "entity", lambda one: _entity(one, spaces), left_out)
    return MovedRecords(
        system=SYSTEM,
        memories=tuple(memories),
        entities=tuple({(one.space, one.name): one for one in named}.values()),
        left_out=left_out,
    )


def _id(one: Mapping[str, Any]) -> str:
    return str(one.get("id") or one.get("memory_id") or "")


def _space(one: Mapping[str, Any], spaces: Mapping[str, str]) -> str | None:
    """By its name there; where that is not told, it has none of its own."""
    name = spaces.get(str(one.get("space_id")))
    return space_of(name) if name else None


def _memory(
    one: Mapping[str, Any],
    edges: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
    spaces: Mapping[str, str],
    left_out: dict[str, str],
) -> MovedMemory:
    content, kind = words_of(one.get("content")), one.get("memory_type")
    learned = time_or_none(one.get("recorded_at") or one.get("created_at"), "created_at")
    happened = time_or_none(one.get("event_time"), "event_time")
    gone = time_or_none(one.get("forgotten_at"), "forgotten_at")
    at = learned or happened
    if not _id(one) or at is None:
        raise InvalidRequest("id, created_at: a memory has both there; one is missing")
    own = [each for name in ("relations", "triples") for each in one.get(name) or () if isinstance(each, Mapping)]
    facts = list(_facts([*edges, *own], names, left_out))
    kept: dict[str, Any] = {"created_at": to_text(at), **given_id(_id(one))}
    kept |= {"forgotten_at": to_text(gone)} if gone else {}
    kept |= {"space_id": str(one["space_id"])} if one.get("space_id") else {}
    kept |= {"edges": [told for _, told in facts if told]} if any(told for _, told in facts) else {}
    kept |= {"more": more} if (more := {name: some for name, some in one.items() if name not in _OWN}) else {}
    used = time_or_none(one.get("last_accessed_at"), "last_accessed_at")
    return MovedMemory(
        id=_id(one),
        content=content[: limits.CONTENT_CHARS],
        said_at=at,
        kind=Kind(kind) if kind in tuple(Kind) else Kind.SEMANTIC,
        tags=texts(one.get("tags"))[: limits.TAGS],
        entities=tuple(_named(one.get("entities")))[: limits.ENTITIES_OF_A_MEMORY],
        triples=tuple(fact for fact, _ in facts)[: limits.TRIPLES_OF_A_MEMORY],
        meta={**fields(one.get("meta")), KEPT: kept},
        importance=share(one.get("importance_score")),
        confidence=share(one.get("confidence")),
        event_time=happened,
        last_used=used or at,
        uses=whole(one.get("access_frequency")),
        visibility=Visibility.PRIVATE if one.get("visibility") == "private" else Visibility.SPACE,
        forgotten=f"forgotten in Crosmos at {to_text(gone)}" if gone else None,
        space=_space(one, spaces),
    )


def _named(value: Any) -> Iterable[str]:
    for one in value if isinstance(value, list) else ():
        name = one.get("name") if isinstance(one, Mapping) else one
        if isinstance(name, str) and name.strip():
            yield name.strip()


def _facts(
    edges: Iterable[Mapping[str, Any]], names: Mapping[str, str], left_out: dict[str, str]
) -> Iterable[tuple[Statement, dict[str, Any]]]:
    """Each with what it was there: its id, and when it was learned."""
    for edge in edges:
        try:
            told = {name: str(edge[name]) for name in ("id", "recorded_at", "forgotten_at") if edge.get(name)}
            fact = _fact(edge, names)
            yield fact, {**told, "fact": [fact.subject, fact.relation, fact.object]} if told else {}
        except CallerError as error:
            left_out[str(edge.get("id") or "edge")] = str(error)


def _fact(edge: Mapping[str, Any], names: Mapping[str, str]) -> Statement:
    ends = [edge.get(side) or names.get(str(edge.get(f"{side}_id"))) for side in ("source", "target")]
    if not all(isinstance(one, str) and one for one in ends):
        raise InvalidRequest("source, target: an end has no name; give the entities too")
    since, until = (time_or_none(edge.get(name), name) for name in ("valid_from", "valid_until"))
    certain = share(edge.get("confidence"))
    return Statement(
        str(ends[0]), str(edge.get("relation") or ""), str(ends[1]), since, until, 1.0 if certain is None else certain
    )


def _of_edge(edge: Mapping[str, Any], names: Mapping[str, str], spaces: Mapping[str, str]) -> MovedMemory:
    """What no memory says is said by one of its own."""
    fact = _fact(edge, names)
    learned = time_or_none(edge.get("recorded_at"), "recorded_at") or fact.valid_from
    if learned is None:
        raise InvalidRequest("valid_from, recorded_at: an edge has these there; both are missing")
    told = f"{fact.subject}/{fact.relation}/{fact.object}/{to_text(learned)}"
    own = str(edge.get("id") or uuid5(NAMESPACE_URL, told))
    kept = {"id": own, "recorded_at": to_text(learned)}
    return MovedMemory(
        id=f"edge:{own}",
        content=f"{fact.subject} {fact.relation.replace('_', ' ').lower()} {fact.object}.",
        said_at=learned,
        triples=(fact,),
        meta={KEPT: {"edges": [{**kept, "fact": [fact.subject, fact.relation, fact.object]}], "edge": True}},
        space=_space(edge, spaces),
    )


def _entity(one: Mapping[str, Any], spaces: Mapping[str, str]) -> MovedEntity:
    kind = one.get("entity_type") or one.get("kind")
    return MovedEntity(
        name=words_of(one.get("name")),
        aliases=texts(one.get("aliases")),
        kind=str(kind) if kind else None,
        space=_space(one, spaces),
    )


# and back


def write_export(path: Path, wholes: Sequence[Whole]) -> int:
    """One file with the lists that its routes answer with."""
    told: dict[str, list[dict[str, Any]]] = {"spaces": [], "memories": [], "entities": [], "edges": []}
    for one in wholes:
        ids = {str(fields(memory.meta.get(KEPT)).get("space_id")) for memory in one.memories} - {"None"}
        space_id = ids.pop() if len(ids) == 1 else str(uuid5(NAMESPACE_URL, one.space))
        told["spaces"].append({"id": space_id, "name": namespace_of(one.space)})
        told["memories"] += [
            memory_record(memory, space_id) for memory in one.memories if not fields(memory.meta.get(KEPT)).get("edge")
        ]
        told["entities"] += [
            plain({"id": entity.id, "space_id": space_id, "name": entity.name, "entity_type": entity.kind,
                   "aliases": entity.aliases, "created_at": entity.recorded_at})
            for entity in one.entities
        ]  # fmt: skip
        names = {entity.id: entity.name for entity in one.entities}
        by_id = {memory.id: memory for memory in one.memories}
        for memory_id, edges in one.facts().items():
            memory = by_id.get(memory_id or "")
            told["edges"] += [_edge_record(edge, names, memory, space_id) for edge in edges]
    with put(path) as file:
        json.dump({**told, "total": len(told["memories"])}, file, ensure_ascii=False, indent=1)
        file.write("\n")
    return len(told["memories"])


def memory_record(memory: Memory, space_id: str) -> dict[str, Any]:
    kept = fields(memory.meta.get(KEPT))
    told: dict[str, Any] = plain(
        {
            **fields(kept.get("more")),
            "id": kept.get("id") or memory.id,
            "space_id": space_id,
            "content": memory.content,
            "memory_type": memory.kind,
            "importance_score": memory.importance,
            "confidence": memory.confidence,
            "event_time": memory.event_time,
            "created_at": kept.get("created_at") or memory.recorded_at,
            "last_accessed_at": memory.last_used if memory.use_count else None,
            "access_frequency": memory.use_count,
            "visibility": "private" if memory.visibility is Visibility.PRIVATE else "org",
            "tags": memory.tags,
            "meta": {name: value for name, value in memory.meta.items() if name != KEPT},
            "forgotten_at": None,
        }
    )
    return told


def _edge_record(edge: Edge, names: Mapping[str, str], memory: Memory | None, space_id: str) -> dict[str, Any]:
    kept = {} if memory is None else fields(memory.meta.get(KEPT))
    ends = [names[edge.source_id], edge.relation, names[edge.target_id]]
    came = next((fields(one) for one in kept.get("edges", ()) if list(fields(one).get("fact", ())) == ends), {})
    told: dict[str, Any] = plain(
        {
            "id": came.get("id") or edge.id,
            "space_id": space_id,
            "source_id": edge.source_id,
            "target_id": edge.target_id,
            "source": ends[0],
            "target": ends[2],
            "relation": edge.relation,
            "valid_from": None if edge.valid_from == UNKNOWN else edge.valid_from,
            "valid_until": edge.valid_until,
            "recorded_at": came.get("recorded_at") or edge.recorded_at,
            "confidence": edge.confidence,
            "memory_id": None if kept.get("edge") else kept.get("id") or edge.memory_id,
        }
    )
    return told

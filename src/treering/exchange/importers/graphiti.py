"""WHAT did Zep or Graphiti keep? Episodes, and edges that hold from `valid_at` to `invalid_at`, from one node to
another; as JSON with `episodes`, `edges` and `nodes`, however the lists are called there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treering.exchange.importers.step import ExportRead, RecordAdded, fact, moment, text_of

FORM = "graphiti"
_EDGES = ("edges", "entity_edges", "facts")
_NODES = ("nodes", "entities", "entity_nodes")
_EPISODES = ("episodes", "episodic_nodes")
_MINE = ("uuid", "created_at", "expired_at", "group_id", "episodes", "attributes")


def is_of_graphiti(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    edges, episodes = _listed(value, _EDGES), _listed(value, _EPISODES)
    return any("fact" in one and ("source_node_uuid" in one or "valid_at" in one) for one in edges[:20]) or any(
        "content" in one and ("source_description" in one or "reference_time" in one or "entity_edges" in one)
        for one in episodes[:20]
    )


def read_graphiti(value: Mapping[str, Any]) -> ExportRead:
    taken = ExportRead(FORM)
    names = {str(one.get("uuid")): text_of(one.get("name")) for one in _listed(value, _NODES)}
    kinds = {str(one.get("uuid")): _kind(one) for one in _listed(value, _NODES)}
    for number, one in enumerate(_listed(value, _EPISODES), 1):
        _episode(taken, number, one)
    for number, one in enumerate(_listed(value, _EDGES), 1):
        words = text_of(one.get("fact"))
        ends = [names.get(str(one.get(name))) or text_of(one.get(other)) for name, other in (
            ("source_node_uuid", "source_node_name"), ("target_node_uuid", "target_node_name"))]  # fmt: skip
        if not words and not all(ends):
            taken.left_out.append(f"edge {number}: says nothing")
            continue
        since, until = moment(one.get("valid_at")), moment(one.get("invalid_at"))
        relation = text_of(one.get("name")).upper().replace(" ", "_") or "RELATES_TO"
        stated = (fact(ends[0], relation, ends[1], since, until),) if all(ends) else ()
        if until is not None and since is not None and until < since:
            taken.left_out.append(f"edge {number}: ends before it begins; taken without its end")
            stated = (fact(ends[0], relation, ends[1], since, None),) if all(ends) else ()
        shown = [
            {"name": name, **({"kind": kind} if (kind := kinds.get(str(one.get(side)))) else {})}
            for name, side in zip(ends, ("source_node_uuid", "target_node_uuid"), strict=True)
            if name
        ]
        own = {name: one[name] for name in _MINE if one.get(name) not in (None, [], {})}
        ended = {"invalid_at": str(one["invalid_at"])} if until else {}
        taken.steps.append(
            RecordAdded(
                key=f"edge/{one.get('uuid') or number}",
                content=words or f"{ends[0]} {relation.replace('_', ' ').lower()} {ends[1]}.",
                at=since or moment(one.get("created_at")),
                meta={"graphiti": {**own, **ended}},
                entities=tuple(shown),
                triples=stated,
                expires_at=until if not all(ends) else None,
            )
        )
    for number, one in enumerate(_listed(value, _NODES), 1):
        summary, name = text_of(one.get("summary")), text_of(one.get("name"))
        if summary and name:
            kind = _kind(one)
            taken.steps.append(
                RecordAdded(
                    key=f"node/{one.get('uuid') or number}",
                    content=f"{name}: {summary}",
                    at=moment(one.get("created_at")),
                    entities=({"name": name, **({"kind": kind} if kind else {})},),
                    meta={"graphiti": {name: one[name] for name in _MINE if one.get(name) not in (None, [], {})}},
                )
            )
    return taken


def _episode(taken: ExportRead, number: int, one: Mapping[str, Any]) -> None:
    words = text_of(one.get("content"))
    if not words:
        taken.left_out.append(f"episode {number}: has no words")
        return
    at = moment(one.get("valid_at")) or moment(one.get("reference_time")) or moment(one.get("created_at"))
    own = {name: one[name] for name in (*_MINE, "source", "source_description") if one.get(name) not in (None, [], {})}
    speaker = text_of(one.get("role")) or None
    session = text_of(one.get("thread_id") or one.get("session_id") or one.get("group_id")) or None
    taken.steps.append(
        RecordAdded(
            key=f"episode/{one.get('uuid') or number}", content=words, at=at, kind="episode",
            meta={"graphiti": own}, speaker=speaker, session=session,
        )
    )  # fmt: skip


def _kind(one: Mapping[str, Any]) -> str | None:
    labels = one.get("labels")
    named = [str(label).lower() for label in labels if label != "Entity"] if isinstance(labels, list) else []
    return named[0] if named else None


def _listed(value: Mapping[str, Any], names: tuple[str, ...]) -> list[Mapping[str, Any]]:
    found: list[Any] = next((value[name] for name in names if isinstance(value.get(name), list)), [])
    return [one for one in found if isinstance(one, Mapping)]

"""WHAT lies in a storage folder of CortexGraph, and how is one written? JSON Lines, the last line of an id counts and
`_deleted` takes it away; or its SQLite file. Uses, last use, reviews, status and notes come along, and relations too.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from treering.errors import CallerError, InvalidRequest
from treering.exchange.forms.whole import Whole
from treering.exchange.others.cells import fields, texts, time_of, time_or_none, whole
from treering.exchange.putting import must_be_new, put
from treering.language.masking import Masking
from treering.model import limits
from treering.model.edge import Edge, Link, link_relation
from treering.model.memory import Memory, State
from treering.model.moved import MovedLink, MovedMemory, MovedRecords

SYSTEM = "cortexgraph"
MEMORIES, RELATIONS, DATABASE = "memories.jsonl", "relations.jsonl", "cortexgraph.db"
KEPT = "cortexgraph"
"""Under what its own is kept in the meta of a memory or link."""
_MOST_STRENGTH = 2.0
_THEIRS = {Link.RELATED_TO.value: "related", Link.DERIVED_FROM.value: "consolidated_from"}
_STATUSES = {State.ACTIVE: "active", State.PROMOTED: "promoted"}


def is_its_own(path: Path) -> bool:
    if path.is_dir():
        return _is_lines(path / MEMORIES) or (path / DATABASE).is_file()
    return path.name == DATABASE and path.is_file()


def _is_lines(path: Path) -> bool:
    """Whether its first record is a memory as CortexGraph writes it; an empty file of that name is its own too."""
    if not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        first = next((line for line in file if line.strip()), None)
    if first is None:
        return True
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and ("_deleted" in record or {"content", "last_used", "use_count"} <= record.keys())


def read(path: Path, masking: Masking) -> MovedRecords:
    folder = path if path.is_dir() else path.parent
    memories, relations, left_out = dict[str, Any](), dict[str, Any](), dict[str, str]()
    if (folder / MEMORIES).is_file():
        memories = _lines(folder / MEMORIES, left_out)
        relations = _lines(folder / RELATIONS, left_out) if (folder / RELATIONS).is_file() else {}
    elif (folder / DATABASE).is_file():
        memories, relations = _rows(folder / DATABASE, "memories"), _rows(folder / DATABASE, "relations")
    else:
        raise InvalidRequest(f"path: {path} has neither {MEMORIES} nor {DATABASE}; give CortexGraph's storage folder")
    found: list[MovedMemory] = []
    memories, relations = masking.value((memories, relations))
    for one in memories.values():
        try:
            found.append(_memory(one))
        except CallerError as error:
            left_out[str(one.get("id"))] = str(error)
    links = []
    for one in relations.values():
        try:
            links.append(_link(one))
        except CallerError as error:
            left_out[str(one.get("id"))] = str(error)
    return MovedRecords(system=SYSTEM, memories=tuple(found), links=tuple(links), left_out=left_out)


def _lines(path: Path, left_out: dict[str, str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                key = str(record["id"])
            except (ValueError, KeyError, TypeError):
                left_out[f"{path.name} line {number}"] = "is no record with an id"
                continue
            if record.get("_deleted"):
                found.pop(key, None)
            else:
                found.pop(key, None)  # a later line of the same id takes its place, at the end
                found[key] = record
    return found


def _rows(path: Path, table: str) -> dict[str, dict[str, Any]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        try:
            rows = connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608  # one of two words of ours
        except sqlite3.Error as error:
            raise InvalidRequest(f"path: {path} cannot be read ({error}); is it CortexGraph's database?") from None
    return {str(row["id"]): dict(row) for row in rows}


def _memory(one: Mapping[str, Any]) -> MovedMemory:
    content = one.get("content")
    if not isinstance(content, str) or not content.strip():
        raise InvalidRequest("content: has no words")
    meta = fields(one.get("meta"))
    status = str(one.get("status") or "active")
    made = time_of(one.get("created_at"), "created_at")
    promoted_at = time_or_none(one.get("promoted_at"), "promoted_at")
    where = one.get("promoted_to")
    own = {"source": meta.get("source"), "promoted_to": where, "promoted_at": one.get("promoted_at")}
    own |= {"last_review_at": one.get("last_review_at")}
    kept = {name: value for name, value in own.items() if value is not None}
    strength = one.get("strength", 1.0)
    return MovedMemory(
        id=str(one["id"]),
        content=content,
        said_at=made,
        context=meta.get("context") or None,
        tags=texts(meta.get("tags"))[: limits.TAGS],
        entities=texts(one.get("entities"))[: limits.ENTITIES_OF_A_MEMORY],
        meta={**fields(meta.get("extra")), **({"source": meta["source"]} if meta.get("source") else {}), KEPT: kept},
        strength=min(_MOST_STRENGTH, float(strength)) if isinstance(strength, int | float) else None,
        last_used=time_or_none(one.get("last_used"), "last_used") or made,
        uses=whole(one.get("use_count")),
        reviews=whole(one.get("review_count")),
        cross_domains=whole(one.get("cross_domain_count")),
        archived="archived in CortexGraph" if status == "archived" else None,
        promoted=f"promoted in CortexGraph{f' to {where}' if where else ''}"
        if status == "promoted" or (promoted_at is not None and status != "archived")
        else None,
    )


def _link(one: Mapping[str, Any]) -> MovedLink:
    relation = str(one.get("relation_type") or "related")
    strength = one.get("strength", 1.0)
    try:
        meant = link_relation(relation).value
    except InvalidRequest:  # any word may stand there
        meant = Link.RELATED_TO.value
    more = {KEPT: {"relation_type": relation}} if _THEIRS.get(meant, meant) != relation else {}
    return MovedLink(
        id=str(one["id"]) if one.get("id") else None,
        source_id=str(one.get("from_memory_id")),
        target_id=str(one.get("to_memory_id")),
        relation=meant,
        strength=max(0.0, min(1.0, float(strength))) if isinstance(strength, int | float) else 1.0,
        valid_from=time_or_none(one.get("created_at"), "created_at"),
        meta={**fields(one.get("metadata")), **more},
    )


# and back


def write_folder(path: Path, wholes: list[Whole]) -> int:
    """How many memories were written."""
    must_be_new(path)
    try:
        path.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise InvalidRequest(f"path: {path} cannot be made ({error.strerror}); give another path") from error
    count = 0
    with put(path / MEMORIES) as file:
        for one in wholes:
            mentions = one.mentions()
            for memory in one.memories:
                file.write(json.dumps(_told(memory, mentions[memory.id]), ensure_ascii=False) + "\n")
                count += 1
    with put(path / RELATIONS) as file:
        for edge in (edge for one in wholes for edge in _holding(one)):
            file.write(json.dumps(_relation(edge), ensure_ascii=False) + "\n")
    return count


def _holding(one: Whole) -> Iterator[Edge]:
    """Links that were not ended: relations there have no window."""
    links = frozenset(link.value for link in Link)
    return (edge for edge in one.edges if edge.relation in links and edge.valid_until is None)


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


def _told(memory: Memory, entities: list[str]) -> dict[str, Any]:
    kept = fields(memory.meta.get(KEPT))
    extra = {name: value for name, value in memory.meta.items() if name not in (KEPT, "source")}
    promoted = memory.state is State.PROMOTED
    return {
        "id": memory.id,
        "content": memory.content,
        "meta": {
            "tags": list(memory.tags),
            "source": memory.meta.get("source"),
            "context": memory.context,
            "extra": json.loads(json.dumps(extra, default=_plain)),
        },
        "created_at": _seconds(min(memory.said_at, memory.recorded_at)),
        "last_used": _seconds(memory.last_used),
        "use_count": memory.use_count,
        "strength": round(memory.strength, 6),
        "status": _STATUSES.get(memory.state, "archived"),
        "promoted_at": kept.get("promoted_at") if promoted else None,
        "promoted_to": kept.get("promoted_to") if promoted else None,
        "embed": None,
        "entities": sorted(set(entities)),
        "review_priority": 0.0,
        "last_review_at": kept.get("last_review_at"),
        "review_count": memory.review_count,
        "cross_domain_count": memory.cross_domain_count,
    }


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)


def _relation(edge: Edge) -> dict[str, Any]:
    kept = fields(edge.meta.get(KEPT))
    return {
        "id": edge.id,
        "from_memory_id": edge.source_id,
        "to_memory_id": edge.target_id,
        "relation_type": kept.get("relation_type") or _THEIRS.get(edge.relation, edge.relation),
        "strength": edge.strength,
        "created_at": _seconds(edge.valid_from),
        "metadata": {name: value for name, value in edge.meta.items() if name != KEPT},
    }

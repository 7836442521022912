"""WHAT did another memory keep? Its records, each a statement with its own time, tags, entities and facts.

Read are the graph of the MCP reference server (entities with observations, relations), the memories of CortexGraph and
of mem0, and plain records of anybody: words under a usual name, beside fields that say something about them. Records
with other fields are data, not memories, and are left to others: `None`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from treering.errors import CallerError, InvalidRequest
from treering.ingest.draft import DraftEntity
from treering.ingest.files.decode import storable
from treering.ingest.files.moments import moment
from treering.model import limits
from treering.model.fact import Statement
from treering.model.memory import Kind

_WORDS = ("memory", "content", "text", "statement", "fact", "observation", "note")
_AT = ("created_at", "createdAt", "at", "timestamp", "date", "said_at", "time")
_TAGS = ("tags", "categories", "labels", "keywords")
_ABOUT = frozenset(
    {"id", "key", "hash", "title", "kind", "type", "category", "importance", "confidence", "entities", "meta",
     "metadata", "source", "context", "updated_at", "updatedAt", "user_id", "agent_id", "run_id", "app_id", "session",
     "session_id"}
)  # fmt: skip
_LISTS = ("memories", "results", "items", "data", "records")
_NAMED = 20  # bad records are named up to here, and counted beyond
_MOST = 0.5  # of the records: fewer that can be read, and it is something else
_SEVERAL = re.compile(r"\s*[,;|]\s*")
_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One statement. `place` is where in the file: a line, or the number of the record."""

    content: str
    place: int
    at: datetime | None = None
    title: str | None = None
    kind: Kind = Kind.SEMANTIC
    context: str | None = None
    tags: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    strength: float | None = None
    entities: tuple[DraftEntity, ...] = ()
    triples: tuple[Statement, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class MemoryExport:
    """Whose memory it is, its records in order, and what was left out."""

    by: str
    unit: str
    records: list[Record] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def take(self, read: Callable[..., Iterable[Record]], place: int, one: Any, *more: Any) -> None:
        """What cannot be taken over is named, and the others are taken."""
        try:
            self.records += list(read(place, one, *more))
        except CallerError as error:
            self.bad.append((place, str(error)))

    def must_hold(self, name: str) -> MemoryExport:
        if not self.records:
            raise InvalidRequest(f"file: {name} holds memories of which none can be read; {next(self.notes())}")
        return self

    def notes(self) -> Iterator[str]:
        yield from self.told
        if self.bad:
            more = len(self.bad) - _NAMED
            named = "; ".join(f"{self.unit} {place:,}: {why}" for place, why in self.bad[:_NAMED])
            yield f"left out: {named}" + (f"; and {more:,} more" if more > 0 else "")


Numbered = list[tuple[int, Any]]


def kept_of(value: Any) -> MemoryExport | None:
    """From a parsed JSON text."""
    if isinstance(value, Mapping):
        if isinstance(value.get("entities"), list) and isinstance(value.get("relations"), list):
            typed = [{"type": "entity", **one} for one in value["entities"] if isinstance(one, Mapping)]
            typed += [{"type": "relation", **one} for one in value["relations"] if isinstance(one, Mapping)]
            return _kept("record", list(enumerate(typed, 1)))
        listed = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        found = None if listed is None else _kept("record", list(enumerate(listed, 1)))
        if found is not None and isinstance(value.get("relations"), list):
            for place, one in enumerate(value["relations"], 1):
                found.take(_relation, place, one)
        return found
    return _kept("record", list(enumerate(value, 1))) if isinstance(value, list) else None


def kept_of_lines(lines: Numbered) -> MemoryExport | None:
    """From parsed JSON Lines, each with the number of its line."""
    return _kept("line", lines)


def rows_of(text: str) -> Numbered:
    """The rows of a table, each with the number of its line; none if it is no table with a heading."""
    heading = text.lstrip().split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=heading.count)
    reader = csv.DictReader(io.StringIO(text.lstrip()), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in reader.fieldnames or ()]
        if len(set(names)) != len(names) or not all(names):
            return []
        reader.fieldnames = names
        return [
            (reader.line_num, {name: one for name, one in row.items() if one not in (None, "")})
            for row in reader
            if None not in row
        ]
    except csv.Error:
        return []


def _kept(unit: str, records: Numbered) -> MemoryExport | None:
    if not records:
        return None
    for by, knows, read in _READERS:
        known = sum(isinstance(one, Mapping) and knows(one) for _, one in records)
        if known and known >= len(records) * _MOST:
            kept = MemoryExport(by, unit)
            read(kept, records)
            return kept
    return None


# the MCP reference server


def _is_of_a_graph(one: Mapping[str, Any]) -> bool:
    if one.get("type") == "entity":
        return isinstance(one.get("name"), str) and isinstance(one.get("observations"), list)
    return one.get("type") == "relation" and {"from", "to", "relationType"} <= one.keys()


def _read_graph(kept: MemoryExport, records: Numbered) -> None:
    for place, one in records:
        if not isinstance(one, Mapping) or not _is_of_a_graph(one):
            kept.bad.append((place, "is neither an entity nor a relation"))
        elif one["type"] == "entity":
            kept.take(_entity, place, one)
        else:
            kept.take(_relation, place, one)


def _entity(place: int, one: Mapping[str, Any]) -> Iterator[Record]:
    """What it is, and then what was observed of it."""
    kind = str(one.get("entityType") or "").strip()
    entity = DraftEntity(storable(one["name"]), kind.lower() or None)
    yield Record(
        content=f"{entity.name} is of the kind {kind}." if kind else f"{entity.name} is known.",
        place=place,
        entities=(entity,),
    )
    for said in one["observations"]:
        if isinstance(said, str) and said.strip():
            yield Record(content=f"{entity.name}: {storable(said).strip()}", place=place, entities=(entity,))


def _relation(place: int, one: Any) -> Iterator[Record]:
    """Under the names of the reference server, and of mem0."""
    ends = one if isinstance(one, Mapping) else {}
    subject = _text(ends, ("from", "source"))
    object_ = _text(ends, ("to", "target", "destination"))
    relation = _text(ends, ("relationType", "relationship", "relation"))
    stated = Statement(subject, relation, object_)
    words = stated.relation.replace("_", " ").lower()
    yield Record(
        content=f"{subject} {words} {object_}.",
        place=place,
        entities=(DraftEntity(subject), DraftEntity(object_)),
        triples=(stated,),
    )


# CortexGraph


def _is_of_cortexgraph(one: Mapping[str, Any]) -> bool:
    return isinstance(one.get("content"), str) and {"id", "created_at", "last_used", "use_count"} <= one.keys()


def _read_cortexgraph(kept: MemoryExport, records: Numbered) -> None:
    """Its file grows at the end: of one id the last line counts, which may say that it was deleted."""
    last: dict[Any, tuple[int, Mapping[str, Any]]] = {}
    for place, one in records:
        if not isinstance(one, Mapping) or "id" not in one:
            kept.bad.append((place, "is no memory"))
            continue
        last.pop(str(one["id"]), None)
        if not one.get("_deleted"):
            last[str(one["id"])] = place, one
    for place, one in last.values():
        kept.take(_of_cortexgraph, place, one)
    status = Counter(one.get("status") for _, one in last.values())
    for name in ("archived", "promoted"):
        if status[name]:
            kept.told.append(f"{status[name]:,} were {name} there, which their meta says; here they are as any other")


def _of_cortexgraph(place: int, one: Mapping[str, Any]) -> Iterator[Record]:
    said = one.get("meta") if isinstance(one.get("meta"), Mapping) else {}
    assert isinstance(said, Mapping)
    own = {name: one[name] for name in ("id", "status", "use_count", "last_used", "promoted_to") if one.get(name)}
    own |= {"source": said["source"]} if said.get("source") else {}
    strength = one.get("strength")
    yield _checked(
        one,
        place,
        "content",
        tags=_several(said.get("tags") or one.get("tags")),
        context=_text(said, ("context",)) or None,
        strength=float(strength) if isinstance(strength, int | float) and 0 <= strength <= limits.STRENGTH else None,
        meta={"cortexgraph": own},
    )


# mem0, and records of anybody


def _is_of_mem0(one: Mapping[str, Any]) -> bool:
    return isinstance(one.get("memory"), str) and "id" in one


def _is_plain(one: Mapping[str, Any]) -> bool:
    words = _words(one)
    return words is not None and one.keys() <= {words, *_AT, *_TAGS, *_ABOUT}


def _read_records(kept: MemoryExport, records: Numbered) -> None:
    for place, one in records:
        words = _words(one)
        if words is None or not one[words].strip():
            kept.bad.append((place, f"has none of {', '.join(_WORDS)}"))
        else:
            kept.take(_plain, place, one, words, kept.by)


def _words(one: Any) -> str | None:
    """The field in which its words stand."""
    return next((name for name in _WORDS if isinstance(one.get(name), str)), None) if isinstance(one, Mapping) else None


def _plain(place: int, one: Mapping[str, Any], words: str, by: str) -> Iterator[Record]:
    told = {words, *_AT, *_TAGS, "title", "kind", "importance", "confidence", "entities", "context", "meta", "metadata"}
    own = {name: value for name, value in one.items() if name not in told and value not in (None, "", [], {})}
    given: Mapping[str, Any] = next(
        (one[name] for name in ("meta", "metadata") if isinstance(one.get(name), Mapping)), {}
    )
    kinds = [kind for kind in Kind if kind == str(one.get("kind")).lower()]
    yield _checked(
        one,
        place,
        words,
        title=_text(one, ("title",))[: limits.TITLE_CHARS] or None,
        kind=kinds[0] if kinds else Kind.SEMANTIC,
        context=_text(one, ("context",))[: limits.CONTEXT_CHARS] or None,
        tags=_several(next((one[name] for name in _TAGS if one.get(name)), None)),
        importance=_share(one.get("importance")),
        confidence=_share(one.get("confidence")),
        meta={**given, **({by: own} if own else {})},
    )


def _checked(one: Mapping[str, Any], place: int, words: str, **more: Any) -> Record:
    """With its time, its entities and what it says; what the store would refuse is refused here, for this one alone."""
    more["tags"] = limits.names(more["tags"], "tags", limits.TAGS)
    limits.meta(more["meta"])
    return Record(
        content=storable(one[words]).strip(),
        place=place,
        at=moment(next((one[name] for name in _AT if one.get(name) is not None), None)),
        entities=tuple(DraftEntity(name) for name in _several(one.get("entities"))[: limits.ENTITIES_OF_A_MEMORY]),
        **more,
    )


def _text(one: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((storable(one[name]).strip() for name in names if isinstance(one.get(name), str)), "")


def _several(value: Any) -> list[str]:
    """Of a list, or of a text in which they stand apart by commas and the like; a list may hold objects with names."""
    if isinstance(value, str):
        return [one for one in _SEVERAL.split(storable(value).strip()) if one]
    listed = value if isinstance(value, list) else []
    named = (one.get("name") if isinstance(one, Mapping) else one for one in listed)
    return [storable(one).strip() for one in named if isinstance(one, str) and one.strip()]


def _share(value: Any) -> float | None:
    """Between 0 and 1; what is out of bounds says nothing."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if 0 <= number <= 1 else None


Reads = Callable[[MemoryExport, Numbered], None]
_READERS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool], Reads], ...] = (
    ("graph", _is_of_a_graph, _read_graph),
    ("cortexgraph", _is_of_cortexgraph, _read_cortexgraph),
    ("mem0", _is_of_mem0, _read_records),
    ("imported", _is_plain, _read_records),
)

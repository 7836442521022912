"""Which value goes into which column? The tables, and the way from frozen values to rows and back."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, ParamSpec, Protocol, TypeVar

from treering.errors import Corrupted, InvalidRequest, LimitExceeded
from treering.model.codec import canonical
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.identity import attestation
from treering.model.journal import Entry, read_payload
from treering.model.memory import Kind, Mark, Memory, MemoryRecord, State, Tier, Usage, Visibility
from treering.model.meta import EMPTY, Meta
from treering.model.source import Source, SourceKind
from treering.model.time import from_micros, to_micros
from treering.values import dataclass

FOREVER = (1 << 63) - 1
OBSERVER, OTHERS = 1, 2
P = ParamSpec("P")
R = TypeVar("R")
E = TypeVar("E", bound=StrEnum)
Params = Any
SqlRow = tuple[Any, ...]


def _numbered_by_the_engine(name: str) -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """In what the engines differ, where a statement depends on it. One that has a single writer needs no row locks."""

    for_update: str = ""
    """Ends a statement whose rows are about to be changed."""
    skip_locked: str = ""
    """The same, passing over the rows of `j` that somebody else is about to change."""
    space_number: Callable[[str], int | None] = _numbered_by_the_engine
    """The number of the space of this name; none if it has to be looked up, and the engine gives it."""


class Connection(Protocol):
    """The little that the shared SQL needs of an engine."""

    @property
    def dialect(self) -> SqlDialect: ...

    def run(self, sql: str, params: Params = ()) -> int:
        """Answers how many rows it touched."""

    def run_many(self, sql: str, rows: list[SqlRow]) -> None: ...

    def rows(self, sql: str, params: Params = ()) -> list[SqlRow]: ...

    def stream(self, sql: str, params: Params = ()) -> Iterator[SqlRow]:
        """The same, one by one, for results that need not fit in memory."""


@dataclass(frozen=True, slots=True)
class Table:
    """`key` orders the rows for comparison; `space_id`, which differs from store to store, is in neither."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]

    def insert(self) -> str:
        marks = ", ".join("?" * (len(self.columns) + 1))
        return f"INSERT INTO {self.name} (space_id, {', '.join(self.columns)}) VALUES ({marks})"

    def select(self, prefix: str = "") -> str:
        return ", ".join(prefix + column for column in self.columns)


def _table(name: str, key: str, columns: str) -> Table:
    return Table(name, tuple(key.split()), tuple(columns.split()))


SPACE = _table("space", "name", "name name_seal created_at head_seq head_at head_hash")
JOURNAL = _table("journal", "seq", "seq at actor op payload payload_hash prev_hash hash signature")
SOURCE = _table(
    "source", "id", "id kind content speaker session key occurred_at recorded_at content_hash meta visible_to"
)
MEMORY = _table(
    "memory",
    "id",
    """id content kind title context tags meta importance confidence strength tier event_time event_end said_at
    recorded_at valid_from expires_at source_id span_start span_end observed_by visibility visible_to""",
)
MEMORY_TAG = _table("memory_tag", "tag memory_id", "tag memory_id")
PRINCIPAL = _table("principal", "memory_id principal", "memory_id principal")
ENTITY = _table("entity", "id", "id name folded kind recorded_at memory_id")
ALIAS = _table("alias", "entity_id recorded_at position", "entity_id folded recorded_at position alias kind memory_id")
EDGE = _table(
    "edge",
    "id",
    """id family source_id target_id relation confidence strength valid_from valid_until recorded_at memory_id
    observed_by rule why signature meta moved""",
)
EDGE_WINDOW = _table(
    "edge_window",
    "edge_id known_from",
    "edge_id known_from valid_until rule why evidence",
)
MARK = _table("mark", "target_id mark known_from", "target_id mark known_from known_until")
EVIDENCE = _table(
    "evidence",
    "memory_id source_id known_from",
    "memory_id source_id known_from span_start span_end known_until",
)
USED = _table(
    "used",
    "memory_id known_from position",
    "memory_id known_from position used_at how times boost cross_domain",
)
MERGE = _table("merge", "entity_id known_from", "entity_id into_id known_from known_until")
TOMBSTONE = _table("tombstone", "id", "id thing purged_at private why")
SETTING = _table("setting", "name known_from", "name value known_from known_until")
ACTOR_KEY = _table("actor_key", "actor", "actor public_key recorded_at")
ATTESTATION = _table("attestation", "edge_id actor", "edge_id actor edge_hash signature recorded_at")
KEPT = _table("kept", "thing_id known_from position", "thing_id known_from position")

PROJECTED = (
    SOURCE, MEMORY, MEMORY_TAG, PRINCIPAL, ENTITY, ALIAS, EDGE, EDGE_WINDOW, MARK, EVIDENCE, USED, MERGE, TOMBSTONE,
    SETTING, ACTOR_KEY, ATTESTATION, KEPT,
)  # fmt: skip
"""In the order in which rows may be inserted without meeting a missing parent."""


def _intact(read: Callable[P, R]) -> Callable[P, R]:
    """A row that cannot be read as what it should be was not written by Treering."""

    @functools.wraps(read)
    def reading(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return read(*args, **kwargs)
        except (ValueError, TypeError, KeyError, OverflowError, InvalidRequest, LimitExceeded) as error:
            name = read.__name__.removeprefix("read_")
            raise Corrupted(
                f"{args[0]}: a stored {name} cannot be read: {error}. `treering verify` says more"
            ) from error

    return reading


def micros_or(point: datetime | None, otherwise: int | None) -> int | None:
    return otherwise if point is None else to_micros(point)


def point_or_none(micros: int | None) -> datetime | None:
    return None if micros is None or micros == FOREVER else from_micros(micros)


def _json(value: Meta | tuple[str, ...]) -> str:
    if value:
        return canonical(value)
    return "{}" if isinstance(value, dict) else "[]"


def _meta(text: str) -> Meta:
    return EMPTY if text == "{}" else Meta(json.loads(text))


def _by_value(kind: type[E]) -> Callable[[str], E]:
    """From text to the word it stands for, quicker than the enumeration finds it; that refuses what is none."""
    known = {one.value: one for one in kind}
    return lambda text: known.get(text) or kind(text)


_kind, _tier, _visibility = _by_value(Kind), _by_value(Tier), _by_value(Visibility)
_source_kind = _by_value(SourceKind)


def _listed(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def source_row(source: Source) -> SqlRow:
    return (
        source.id, source.kind.value, source.content, source.speaker, source.session, source.key,
        to_micros(source.occurred_at), to_micros(source.recorded_at), source.content_hash, _json(source.meta),
        _json(source.visible_to),
    )  # fmt: skip


@_intact
def read_source(space: str, row: SqlRow) -> Source:
    id_, kind, content, speaker, session, key, occurred_at, recorded_at, _, meta, visible_to = row
    return Source(
        id=id_,
        space=space,
        kind=_source_kind(kind),
        content=content,
        speaker=speaker,
        session=session,
        key=key,
        occurred_at=from_micros(occurred_at),
        recorded_at=from_micros(recorded_at),
        meta=_meta(meta),
        visible_to=_listed(visible_to),
    )


def memory_row(memory: MemoryRecord) -> SqlRow:
    return (
        memory.id, memory.content, memory.kind.value, memory.title, memory.context, _json(memory.tags),
        _json(memory.meta), memory.importance, memory.confidence, memory.strength, memory.tier.value,
        micros_or(memory.event_time, None), micros_or(memory.event_end, None), to_micros(memory.said_at),
        to_micros(memory.recorded_at), to_micros(memory.holds_from), micros_or(memory.expires_at, FOREVER),
        memory.source_id, *memory.span, memory.observed_by, memory.visibility.value, _json(memory.visible_to),
    )  # fmt: skip


@_intact
def read_memory(
    space: str,
    row: SqlRow,
    state: State,
    marks: tuple[Mark, ...],
    superseded_from: int | None,
    superseded_by: str | None,
    usage: Usage,
) -> Memory:
    (id_, content, kind, title, context, tags, meta, importance, confidence, strength, tier, event_time, event_end,
     said_at, recorded_at, valid_from, expires_at, source_id, span_start, span_end, observed_by, visibility,
     visible_to) = row  # fmt: skip
    ends = min(expires_at, FOREVER if superseded_from is None else superseded_from)
    return Memory(
        id=id_,
        space=space,
        content=content,
        kind=_kind(kind),
        title=title,
        context=context,
        tags=_listed(tags),
        meta=_meta(meta),
        importance=importance,
        confidence=confidence,
        strength=usage.strengthen(strength),
        tier=Tier.LONG if Mark.PROMOTED in marks else _tier(tier),
        event_time=point_or_none(event_time),
        event_end=point_or_none(event_end),
        said_at=from_micros(said_at),
        recorded_at=from_micros(recorded_at),
        expires_at=point_or_none(expires_at),
        source_id=source_id,
        span=(span_start, span_end),
        observed_by=observed_by,
        visibility=_visibility(visibility),
        visible_to=_listed(visible_to),
        state=state,
        valid_from=from_micros(valid_from),
        valid_until=point_or_none(ends if ends == FOREVER else max(valid_from, ends)),
        superseded_by=superseded_by,
        marks=marks,
        use_count=usage.count,
        last_used=usage.last or from_micros(recorded_at),
        review_count=usage.reviews,
        cross_domain_count=usage.cross_domains,
    )


def edge_row(edge: Edge) -> SqlRow:
    return (
        edge.id, edge.family.value, edge.source_id, edge.target_id, edge.relation, edge.confidence, edge.strength,
        to_micros(edge.valid_from), micros_or(edge.valid_until, FOREVER), to_micros(edge.recorded_at), edge.memory_id,
        edge.observed_by, edge.rule, edge.why, edge.signature, _json(edge.meta), 0,
    )  # fmt: skip


@_intact
def read_edge(
    space: str, row: SqlRow, window: SqlRow, forgotten_at: int | None, ends: tuple[str, str], vouched: int | None
) -> Edge:
    """`vouched`: who has countersigned it, OBSERVER or OTHERS."""
    (id_, _, _, _, relation, confidence, strength, valid_from, _, recorded_at, memory_id, observed_by, rule, why,
     signature, meta, _) = row  # fmt: skip
    valid_until, closed_by, closed_why, closed_evidence = window
    return Edge(
        id=id_,
        space=space,
        source_id=ends[0],
        target_id=ends[1],
        relation=relation,
        confidence=confidence,
        strength=strength,
        valid_from=from_micros(valid_from),
        valid_until=point_or_none(valid_until),
        recorded_at=from_micros(recorded_at),
        forgotten_at=point_or_none(forgotten_at),
        memory_id=memory_id,
        observed_by=observed_by,
        rule=rule,
        why=why,
        closed_by=closed_by,
        closed_why=closed_why,
        closed_evidence=closed_evidence,
        signature=signature,
        attestation=attestation(signature is not None or vouched == OBSERVER, vouched == OTHERS),
        meta=_meta(meta),
    )


@_intact
def read_entity(
    space: str, id_: str, name: str, kind: str, recorded_at: int, aliases: tuple[str, ...], memory_id: str | None
) -> Entity:
    return Entity(
        id=id_,
        space=space,
        name=name,
        kind=kind,
        aliases=aliases,
        recorded_at=from_micros(recorded_at),
        memory_id=memory_id,
    )


def entry_row(entry: Entry) -> SqlRow:
    return (
        entry.seq, to_micros(entry.at), entry.actor, entry.op, entry.payload(), entry.payload_hash, entry.prev_hash,
        entry.hash, entry.signature,
    )  # fmt: skip


@_intact
def read_entry(space: str, row: SqlRow) -> Entry:
    seq, at, actor, op, payload, payload_hash, prev_hash, hash_, signature = row
    return Entry(
        space=space,
        seq=seq,
        at=from_micros(at),
        actor=actor,
        op=op,
        leaves=read_payload(payload),
        payload_hash=payload_hash,
        prev_hash=prev_hash,
        hash=hash_,
        signature=signature,
    )

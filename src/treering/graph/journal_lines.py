"""What was written, entry by entry? The journal as those who read the space may see it: who wrote, by which operation,
signed or not, and every change in words with the rule that decided it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from treering.graph.history import HistoryEvent, about_of, told_of
from treering.graph.names import Names
from treering.model.changes import (
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    Marked,
    MemoryAdded,
    SourceAdded,
    Thing,
    change_name,
)
from treering.model.edge import Edge, Family
from treering.model.journal import Entry
from treering.model.memory import Mark
from treering.model.value import Value
from treering.store.contract import EdgeFilter, Event, Reader
from treering.store.openness import is_told, open_ids
from treering.values import dataclass

MOST_CHANGES = 20
"""Changes of one entry that are told in words; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JournalLine(Value):
    """One entry. `changes` are the first of those that may be seen, `more` how many there are besides. `rules`: what
    decided in it. `signature` is that of the actor, if it signs."""

    space: str
    seq: int
    at: datetime
    actor: str
    op: str
    hash: str
    signature: str | None
    rules: tuple[str, ...]
    kinds: dict[str, int]
    changes: tuple[HistoryEvent, ...]
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JournalPage(Value):
    """The newest first. `before` asks for those that came before them; none at the beginning."""

    lines: tuple[JournalLine, ...]
    head: int
    before: int | None = None


def journal(reader: Reader, entries: Iterable[Entry], after: int, limit: int) -> JournalPage:
    """`entries`: those after `after`, at most `limit`, as the store keeps them. One of which nothing may be seen is not
    told of."""
    events, _ = reader.happened(after, limit)
    by_seq: dict[int, list[Event]] = {}
    for event in events:
        if is_told(event.change):
            by_seq.setdefault(event.seq, []).append(event)
    shown = [event for told in by_seq.values() for event in _first(told)]
    moved = tuple(one.change.edge_id for one in shown if isinstance(one.change, EdgeClosed | EdgeReopened))
    edges = {edge.id: edge for edge in _edges(reader, moved)} if moved else {}
    names = Names(reader)
    names.look_up(one for event in shown for one in (*open_ids(event.change), *about_of(event.change, "")))
    names.look_up(one for edge in edges.values() for one in (edge.source_id, edge.target_id))
    lines = [_line(entry, by_seq.get(entry.seq, []), names, edges) for entry in entries if entry.seq in by_seq]
    lines.reverse()
    return JournalPage(lines=tuple(lines), head=reader.head.seq, before=after + 1 if after > 0 and lines else None)


def _first(told: list[Event]) -> list[Event]:
    """What a reader would ask for first; what else the entry did comes after it."""
    return sorted(told, key=_rank)[:MOST_CHANGES]


def _rank(event: Event) -> int:
    """What is remembered, what is so from then on, what no longer is; then the rest, and mentions last."""
    match event.change:
        case MemoryAdded():
            return 0
        case EdgeAdded(edge) if edge.family is not Family.MENTION:
            return 1
        case EdgeClosed() | EdgeReopened():
            return 2
        case EdgeAdded():
            return 5
        case SourceAdded() | Marked(_, _, Mark.WAITING):
            return 4
    return 3


def _line(entry: Entry, told: list[Event], names: Names, edges: dict[str, Edge]) -> JournalLine:
    kinds: dict[str, int] = {}
    for event in told:
        name = change_name(event.change)
        kinds[name] = kinds.get(name, 0) + 1
    changes = tuple(_told(event, names, edges) for event in _first(told))
    return JournalLine(
        space=entry.space,
        seq=entry.seq,
        at=entry.at,
        actor=entry.actor,
        op=entry.op,
        hash=entry.hash,
        signature=entry.signature,
        rules=tuple(dict.fromkeys(one.rule for one in changes if one.rule)),
        kinds=kinds,
        changes=changes,
        more=len(told) - len(changes),
    )


def _edges(reader: Reader, ids: tuple[str, ...]) -> list[Edge]:
    return reader.edges(EdgeFilter(ids=ids, include_closed=True, include_forgotten=True))


def _told(event: Event, names: Names, edges: dict[str, Edge]) -> HistoryEvent:
    line = told_of(event, "", names)
    about, said = open_ids(event.change), line.what
    match event.change:
        case MemoryAdded(memory):
            said = f"{line.what} {names.of(memory.id)}"
        case Marked(Thing.MEMORY, memory_id):
            said = f"{line.what}: {names.of(memory_id)}"
        case EdgeClosed(edge_id) | EdgeReopened(edge_id) if edge_id in edges:
            edge = edges[edge_id]
            said = f"{names.of(edge.source_id)} {edge.relation} {names.of(edge.target_id)}: {line.what}"
    return HistoryEvent(
        at=line.at,
        seq=line.seq,
        actor=line.actor,
        op=line.op,
        type=line.type,
        what=said,
        rule=line.rule,
        evidence=line.evidence,
        why=line.why,
        about=tuple(dict.fromkeys((*about, *line.about))),
    )

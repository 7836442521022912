"""What was written, entry by entry? The journal as those who read the space may see it: who wrote, by which operation,
signed or not, and every change in words with the rule that decided it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from treering.graph.history import HistoryEvent, told_of
from treering.graph.taken_back import can_be_taken_back
from treering.model.changes import (
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    Marked,
    MemoryAdded,
    SourceAdded,
    change_name,
)
from treering.model.edge import Family
from treering.model.journal import Entry
from treering.model.memory import Mark
from treering.model.value import Value
from treering.store.contract import Event, Reader
from treering.store.openness import is_told, open_ids
from treering.values import dataclass

MOST_CHANGES = 20
"""Changes of one entry that are told in words; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JournalLine(Value):
    """One entry. `changes` are the first of those that may be seen, `more` how many there are besides. `rules`: what
    decided in it. `signature` is that of the actor, if it signs. `undone_by` is the entry that took it back."""

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
    undone_by: int | None = None


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
    first = {seq: _first(told) for seq, told in by_seq.items()}
    words = iter(told_of(reader, [event for told in first.values() for event in told]))
    changes = {seq: [(event, next(words)) for event in told] for seq, told in first.items()}
    lines = [_line(entry, by_seq[entry.seq], changes[entry.seq]) for entry in entries if entry.seq in by_seq]
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


def _line(entry: Entry, told: list[Event], first: list[tuple[Event, HistoryEvent]]) -> JournalLine:
    kinds: dict[str, int] = {}
    for event in told:
        name = change_name(event.change)
        kinds[name] = kinds.get(name, 0) + 1
    changes = tuple(_about_all(event, line) for event, line in first)
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
        undone_by=_undone_by(first),
    )


def _undone_by(first: list[tuple[Event, HistoryEvent]]) -> int | None:
    """The last entry that took something of it back, if nothing that could be taken back stands any more."""
    by = [line.undone_by for event, line in first if can_be_taken_back(event.change)]
    return max((one for one in by if one is not None), default=None) if None not in by else None


def _about_all(event: Event, line: HistoryEvent) -> HistoryEvent:
    return replace(line, about=tuple(dict.fromkeys((*open_ids(event.change), *line.about))))

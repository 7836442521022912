"""How is a write taken back? By its opposite: nothing is removed, and the undoing is read in the journal like all else.

What a write remembered is forgotten, what it closed is opened again, what it merged is split. A memory that was said
again stays with all that its write did for it, as long as the other telling stands. Entities stay: a name that nothing
speaks of does no harm. Uses stay too: they happened. Of settings only the rows of relations go back to
what they were before; who may change the others is not for a writer to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from treering.errors import InvalidRequest
from treering.model.changes import (
    AliasesAdded,
    Change,
    Changes,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EdgeRepeated,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    KeyBound,
    Marked,
    MemoryAdded,
    Reinforced,
    SettingChanged,
    SourceAdded,
    SourceTold,
    Thing,
    Used,
    change_name,
)
from treering.model.edge import Edge, Link
from treering.model.journal import Entry
from treering.model.memory import Mark, State
from treering.model.time import to_text
from treering.model.value import Value
from treering.store.circles import refuse_circle
from treering.store.contract import Act, EdgeFilter, Reader
from treering.store.leaving import closed_again, with_links
from treering.store.naming import missing
from treering.store.next_in_line import NextInLine
from treering.store.repeated import heirs
from treering.store.succession import handed_on
from treering.store.windows import open_closings, reopening

_STAYS = (SourceAdded, SourceTold, EntityAdded, AliasesAdded, EdgeRepeated, KeyBound, Used)
UNDONE = "undone"

ROWS = "relations"
"""The setting that holds a space's own relations."""
_HIDING = (Mark.FORGOTTEN, Mark.ARCHIVED)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Undone(Value):
    """What was taken back. `changed` is false when it had been already."""

    what: str
    forgotten: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    """Facts that end elsewhere now: what they had made way for is gone, and the next in line stands there."""
    relations: tuple[str, ...] = ()
    """Relations whose rows are as before the write: the space's own, or the table's."""
    kept: tuple[str, ...] = ()
    """Memories that stay, since they were said again and that stands; with its undoing they can be undone."""
    changed: bool = True
    dry_run: bool = False


@dataclass
class _Undoing:
    reader: Reader
    why: str | None
    kept: frozenset[str] = frozenset()
    changes: list[Change] = field(default_factory=list)
    _stacks: dict[str, list[tuple[datetime, EdgeClosed]]] = field(default_factory=dict)
    """The closings of each edge that would still stand."""
    _rows: dict[str, Any] | None = None
    _rows_back: set[str] = field(default_factory=set)

    def memory(self, memory_id: str) -> None:
        memory = self.reader.memory(memory_id)
        if memory is not None and memory.state is not State.FORGOTTEN:
            self.changes.append(Marked(Thing.MEMORY, memory_id, Mark.FORGOTTEN, True, self.why))

    def edge(self, edge: Edge) -> None:
        if edge.forgotten_at is None:
            self.changes.append(Marked(Thing.EDGE, edge.id, Mark.FORGOTTEN, True, self.why))

    def closing(self, edge: Edge, meant: EdgeClosed | None) -> None:
        """The latest closing, if it is still the one meant; with it goes the link by which a memory had left."""
        stack = self._stacks.setdefault(edge.id, open_closings(self.reader, edge.id))
        if not stack or (meant is not None and stack[-1][1] != meant):
            return
        self.changes.append(reopening(stack))
        by = stack.pop()[1].evidence
        if by is not None and edge.memory_id is not None:
            ends = EdgeFilter(source_ids=(by,), target_ids=(edge.memory_id,), relations=(Link.SUPERSEDES.value,))
            for link in self.reader.edges(ends):
                self.edge(link)

    def reopening(self, edge_id: str, evidence: str | None) -> None:
        """What was opened again ends as it had."""
        edge = _edge(self.reader, edge_id)
        closing = None if edge is None else closed_again(self.reader, edge, evidence)
        self.changes += [] if closing is None else [closing]

    def rows(self, told: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        """Of the space's own relations those that the write changed, unless they have been changed since."""
        now = dict(self.reader.setting(ROWS) if self._rows is None else self._rows)
        for name in sorted(told.keys() | before.keys()):
            if told.get(name) != before.get(name) and now.get(name) == told.get(name):
                now.pop(name, None)
                now |= {name: before[name]} if name in before else {}
                self._rows_back.add(name)
        self._rows = now

    def settled(self) -> None:
        """The rows, once all that changed them is undone."""
        if self._rows is not None and self._rows != self.reader.setting(ROWS):
            self.changes.append(SettingChanged(ROWS, dict(sorted(self._rows.items()))))

    def result(self, what: str) -> Undone:
        marked = [one for one in self.changes if isinstance(one, Marked)]
        return Undone(
            what=what,
            forgotten=tuple(one.id for one in marked if one.mark is Mark.FORGOTTEN and one.on),
            restored=tuple(one.id for one in marked if one.mark in _HIDING and not one.on),
            reopened=tuple(one.edge_id for one in self.changes if isinstance(one, EdgeReopened)),
            closed=tuple(one.edge_id for one in self.changes if isinstance(one, EdgeClosed)),
            split=tuple(one.entity_id for one in self.changes if isinstance(one, EntitySplit)),
            relations=tuple(sorted(self._rows_back)),
            kept=tuple(sorted(self.kept)),
            changed=bool(self.changes),
        )


def undo_edge(reader: Reader, edge_id: str, why: str | None) -> tuple[Changes, Undone]:
    """A closing is undone; an edge that nothing closed is forgotten."""
    edge = _edge(reader, edge_id)
    if edge is None:
        raise missing(reader, edge_id, "what", "edge")
    undoing = _Undoing(reader, why)
    undoing.closing(edge, None)
    if not undoing.changes:
        undoing.edge(edge)
    return Changes("undo", tuple(undoing.changes)), undoing.result(edge_id)


def undo_entries(
    act: Act, entries: Sequence[Entry], why: str | None, rows_before: Mapping[int, Mapping[str, Any]]
) -> tuple[Changes, Undone]:
    """Everything that these writes did, the last first. `rows_before`: the space's own relations before each that
    changed them, by its seq."""
    reader, first = act.reader, entries[0]
    every = [(entry, change) for entry in entries for change in entry.changes()]
    brought = {change.memory.id for _, change in every if isinstance(change, MemoryAdded)}
    kept = _said_again(reader, brought, [change for _, change in every])
    undoing = _Undoing(reader, why or f"undone: {first.op} of {to_text(first.at)}", kept)
    for entry, change in reversed(every):
        if isinstance(change, SettingChanged) and change.name == ROWS:
            undoing.rows(change.value, rows_before[entry.seq])
        else:
            _undo(undoing, change, brought, entry)
    added = (change.edge for _, change in every if isinstance(change, EdgeAdded))
    undoing.changes = _taken_over(act, undoing, [edge for edge in added if edge.memory_id not in kept])
    once = tuple(dict.fromkeys(undoing.changes))
    undoing.changes = list(once)
    undoing.settled()
    return Changes("undo", tuple(undoing.changes)), undoing.result(
        ", ".join(f"{entry.op} {entry.seq}" for entry in entries)
    )


def _said_again(reader: Reader, brought: set[str], changes: Sequence[Change]) -> frozenset[str]:
    """Of the memories that a write brought, those that another telling still backs."""
    undone = {(one.memory_id, one.source_id) for one in changes if isinstance(one, Reinforced) and one.on}
    backed = {one.memory_id for one in reader.evidence(brought) if (one.memory_id, one.source_id) not in undone}
    standing = ((memory_id, reader.memory(memory_id)) for memory_id in backed)
    return frozenset(one for one, memory in standing if memory is not None and memory.state is not State.FORGOTTEN)


def _taken_over(act: Act, undoing: _Undoing, brought: list[Edge]) -> list[Change]:
    """With who takes the place of what goes: another memory that tells the same, or the next in line."""
    marks = [one for one in undoing.changes if isinstance(one, Marked) and one.mark is Mark.FORGOTTEN and one.on]
    gone = [one.id for one in marks if one.thing is Thing.MEMORY]
    back = {one.id for one in undoing.changes if isinstance(one, Marked) and one.mark is Mark.FORGOTTEN and not one.on}
    taking_over = [one for one in heirs(act, gone, UNDONE) if not _comes_back(act.reader, one.edge, back)]
    added = (_edge(act.reader, edge.id) for edge in brought)
    places = {one.before.id: one.edge for one in taking_over}
    line = NextInLine(act, tuple(edge for edge in added if edge is not None), UNDONE, places)
    for edge, closing in line.taken_back():
        undoing.closing(edge, closing)
    changes = [*undoing.changes, *(change for one in taking_over for change in one.changes())]
    changes += line.closings(one for one in undoing.changes if isinstance(one, EdgeReopened))
    return with_links(changes, handed_on(act, gone, UNDONE))


def _comes_back(reader: Reader, like: Edge, back: set[str]) -> bool:
    """Whether the same fact on the same evidence is among what is shown again."""
    ends = EdgeFilter(source_ids=(like.source_id,), target_ids=(like.target_id,), relations=(like.relation,))
    known = reader.edges(replace(ends, include_closed=True, include_forgotten=True))
    return any(one.id in back and one.memory_id == like.memory_id for one in known)


def changes_rows(entry: Entry) -> bool:
    """Whether it changes the space's own relations."""
    return any(isinstance(change, SettingChanged) and change.name == ROWS for change in entry.changes())


def _undo(undoing: _Undoing, change: Change, brought: set[str], entry: Entry) -> None:  # noqa: PLR0912  one arm a change
    reader = undoing.reader
    match change:
        case MemoryAdded(memory):
            if memory.id not in undoing.kept:
                undoing.memory(memory.id)
        case EdgeAdded(added):
            edge = _edge(reader, added.id)
            if edge is not None and added.memory_id not in brought and added.source_id not in undoing.kept:
                undoing.edge(edge)
        case EdgeClosed(edge_id) as closing:
            edge = _edge(reader, edge_id)
            if edge is not None and closing.evidence not in undoing.kept:
                undoing.closing(edge, closing)
        case EdgeReopened(edge_id, undone=evidence):
            undoing.reopening(edge_id, evidence)
        case Reinforced(memory_id, source_id, span, True):
            if any(one.source_id == source_id for one in reader.evidence([memory_id])):
                undoing.changes.append(Reinforced(memory_id, source_id, span, False))
        case EntityMerged(entity_id, into_id):
            own = reader.own_entity(entity_id)
            if own is not None and own[1] == into_id:
                undoing.changes.append(EntitySplit(entity_id, into_id, undoing.why))
        case Marked(thing, thing_id, mark, on) if mark is not Mark.WAITING:
            undoing.changes += _unmark(reader, thing, thing_id, mark, on, undoing.why)
        case Marked():
            pass
        case _ if not isinstance(change, _STAYS):
            raise InvalidRequest(
                f"what: entry {entry.seq} ({entry.op}) holds a change that cannot be undone: {change_name(change)}"
            )


def _unmark(reader: Reader, thing: Thing, thing_id: str, mark: Mark, on: bool, why: str | None) -> Iterator[Marked]:
    """The opposite, if it still stands. What comes back must not go against what was linked since."""
    memory, edge = reader.memory(thing_id), _edge(reader, thing_id)
    stands = mark in memory.marks if memory else bool(edge and edge.forgotten_at)
    if stands == on and (memory or edge):
        if on and edge is not None:
            refuse_circle(reader, edge.source_id, edge.target_id, edge.relation)
        yield Marked(thing, thing_id, mark, not on, why)


def _edge(reader: Reader, edge_id: str) -> Edge | None:
    found = reader.edges(EdgeFilter(ids=(edge_id,), include_closed=True, include_forgotten=True))
    return found[0] if found else None

"""What follows when memories leave, forgotten or purged, and when one comes back?

It is as if they had not been told. A fact that another memory tells too stands on that. What they had ended is open
again, or ends where the next in line begins. What had made way for them makes way for what they had made way for, or
is back. Who comes back takes all of this up again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from treering.model.changes import Change, EdgeAdded, EdgeClosed, EdgeReopened, Marked, Thing
from treering.model.edge import Edge
from treering.model.memory import Mark
from treering.store.contract import Act, EdgeFilter, Event, Reader
from treering.store.next_in_line import NextInLine
from treering.store.repeated import RULE, heirs
from treering.store.succession import handed_on
from treering.store.windows import open_closings, reopening

BACK = "what it stood in for is back"


def leaving(act: Act, gone: Collection[str], how: str) -> list[Change]:
    """To be written with their going. Read as all stands before."""
    if not gone:
        return []
    which = EdgeFilter(evidence_ids=tuple(sorted(gone)), include_closed=True)
    taking_over = heirs(act, gone, how)
    line = NextInLine(act, tuple(act.reader.edges(which)), how, {one.before.id: one.edge for one in taking_over})
    reopened = list(_reopened(act.reader, gone))
    changes: list[Change] = [change for one in taking_over for change in one.changes()]
    changes += reopened
    changes += line.closings({one.edge_id: one for one in reopened}.values())
    return with_links(changes, handed_on(act, gone, how))


def with_links(changes: list[Change], links: Iterator[EdgeAdded]) -> list[Change]:
    """Together with those of the links whose ends are not linked already."""
    linked = {_ends(one.edge) for one in changes if isinstance(one, EdgeAdded)}
    return [*changes, *(one for one in links if _ends(one.edge) not in linked)]


def returning(reader: Reader, memory_id: str) -> Iterator[Change]:
    """What its leaving had changed, as far as that still stands, is as before."""
    events = reader.events(memory_id)
    left = next((one for one in reversed(events) if _is_leaving(one, memory_id)), None)
    if left is None:
        return
    told = [one.change for one in events if one.seq == left.seq]
    opened = tuple(one.edge_id for one in told if isinstance(one, EdgeReopened) and one.undone == memory_id)
    for edge in reader.edges(EdgeFilter(ids=opened, include_closed=True, include_forgotten=True)) if opened else ():
        closing = closed_again(reader, edge, memory_id)
        yield from [closing] if closing is not None else []
    which = EdgeFilter(evidence_id=memory_id, facts_only=True, include_closed=True, include_forgotten=True)
    for fact in reader.edges(which):
        alike = EdgeFilter(source_ids=(fact.source_id,), target_ids=(fact.target_id,), relations=(fact.relation,))
        for one in reader.edges(replace(alike, include_closed=True)):
            if one.rule == RULE and one.recorded_at == left.at:
                yield Marked(Thing.EDGE, one.id, Mark.FORGOTTEN, True, BACK)


def closed_again(reader: Reader, edge: Edge, evidence: str | None) -> EdgeClosed | None:
    """The closing on this evidence that was undone last, if it would end the window as it stands earlier."""
    told = [one.change for one in reader.events(edge.id)]
    closings = [one for one in told if isinstance(one, EdgeClosed) and one.evidence == evidence]
    if not closings or (edge.valid_until is not None and edge.valid_until <= closings[-1].valid_until):
        return None
    last = closings[-1]
    return EdgeClosed(edge.id, last.valid_until, edge.valid_until, last.rule, evidence, last.why)


def _reopened(reader: Reader, gone: Collection[str]) -> Iterator[EdgeReopened]:
    """Windows whose latest end rests on what goes."""
    ended = [one.change for one in reader.events(*sorted(gone)) if isinstance(one.change, EdgeClosed)]
    closed = dict.fromkeys(one.edge_id for one in ended if one.evidence in gone)
    for edge in reader.edges(EdgeFilter(ids=tuple(closed), include_closed=True)) if closed else ():
        stack = open_closings(reader, edge.id)
        while stack and stack[-1][1].evidence in gone and edge.memory_id not in gone:
            yield reopening(stack)
            stack.pop()


def _is_leaving(event: Event, memory_id: str) -> bool:
    change = event.change
    return isinstance(change, Marked) and (change.id, change.mark, change.on) == (memory_id, Mark.FORGOTTEN, True)


def _ends(edge: Edge) -> tuple[str, str, str]:
    return edge.source_id, edge.target_id, edge.relation

"""What undoes the latest closing of an edge? Its window then ends again where, and for the reason, it did before."""

from __future__ import annotations

from datetime import datetime

from treering.model.changes import EdgeClosed, EdgeReopened
from treering.store.contract import Reader


def open_closings(reader: Reader, edge_id: str) -> list[tuple[datetime, EdgeClosed]]:
    """The closings of an edge that have not been undone, oldest first, each with when it became known. One that rests
    on a memory private to others is not there."""
    everything = reader.all_seeing()
    stack: list[tuple[datetime, EdgeClosed]] = []
    for event in everything.events(edge_id):
        match event.change:
            case EdgeClosed(evidence=evidence) as closing:
                hidden = evidence is not None and reader.memory(evidence) is None and everything.memory(evidence)
                if not hidden:
                    stack.append((event.at, closing))
            case EdgeReopened(undone=undone):
                places = [place for place, (_, one) in enumerate(stack) if one.evidence == undone]
                if places:
                    del stack[places[-1]]
    return stack


def reopening(stack: list[tuple[datetime, EdgeClosed]]) -> EdgeReopened:
    """The undoing of the last of these closings."""
    last = stack[-1][1]
    if len(stack) == 1:
        return EdgeReopened(last.edge_id, last.previous, undone=last.evidence)
    before = stack[-2][1]
    return EdgeReopened(last.edge_id, last.previous, before.rule, before.evidence, before.why, last.evidence)

"""What does a fact stand on once the memory that told it first is gone? On the next memory that tells the same.

"Ana works at Acme" and "Ana is employed by Acme" are one fact, told twice. With the first forgotten it holds as the
second tells it: from then on, on its evidence, seen by those who may see it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from treering.model.changes import EdgeAdded, EdgeClosed, EdgeRepeated
from treering.model.edge import Edge
from treering.model.memory import State
from treering.store.contract import Act, EdgeFilter

RULE = "told again"
WHY = "what told it first was {how}"


@dataclass(frozen=True)
class Heir:
    """`edge` takes the place of `before`; `told` are the memories that tell it besides, in order."""

    before: Edge
    edge: Edge
    told: tuple[EdgeRepeated, ...]

    def changes(self) -> Iterator[EdgeAdded | EdgeClosed | EdgeRepeated]:
        yield EdgeAdded(self.edge)
        end = self.before.valid_until
        if end != self.edge.valid_until and end is not None:
            why, evidence = self.before.closed_why, self.before.closed_evidence
            yield EdgeClosed(self.edge.id, end, None, self.before.closed_by or RULE, evidence, why)
        yield from (replace(one, edge_id=self.edge.id) for one in self.told)


def heirs(act: Act, gone: Collection[str], how: str) -> list[Heir]:
    """`gone` are the memories that go, and how. Facts that are forgotten by themselves stay so."""
    if not gone:
        return []
    which = EdgeFilter(evidence_ids=tuple(sorted(gone)), facts_only=True, include_closed=True)
    facts = [edge for edge in act.reader.edges(which) if not edge.period.empty]
    told: dict[str, list[EdgeRepeated]] = defaultdict(list)
    for event in act.reader.events(*(edge.id for edge in facts)) if facts else ():
        if isinstance(event.change, EdgeRepeated) and _stands(act, event.change.memory_id, gone):
            told[event.change.edge_id].append(event.change)
    return [_heir(act, edge, told[edge.id], how) for edge in facts if told[edge.id] and _held(edge, told[edge.id][0])]


def _heir(act: Act, edge: Edge, told: list[EdgeRepeated], how: str) -> Heir:
    first, *others = told
    memory = act.reader.memory(first.memory_id)
    assert memory is not None
    standing_in = Edge(
        id=act.mint(),
        space=act.space,
        source_id=edge.source_id,
        target_id=edge.target_id,
        relation=edge.relation,
        confidence=first.confidence,
        strength=edge.strength,
        valid_from=first.since,
        valid_until=edge.valid_until if edge.closed_by is None else None,
        recorded_at=act.at,
        memory_id=first.memory_id,
        observed_by=memory.observed_by,
        rule=RULE,
        why=WHY.format(how=how),
    )
    return Heir(edge, act.writer.sign(standing_in), tuple(others))


def _held(edge: Edge, told: EdgeRepeated) -> bool:
    """Its window may have been closed to before it was told again."""
    return edge.valid_until is None or edge.valid_until > told.since


def _stands(act: Act, memory_id: str, gone: Collection[str]) -> bool:
    memory = act.reader.memory(memory_id)
    return memory is not None and memory_id not in gone and memory.state is not State.FORGOTTEN

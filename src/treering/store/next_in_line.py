"""What ends where the next begins, once what stood between them is gone?

Oslo made way for Rome, and Rome for Nice. With Rome undone, forgotten or purged it is Nice that Oslo makes way for: its
window ends where Rome's did, by the rule below and on the evidence of Nice, and the memory of Oslo is superseded by
that of Nice. If Nice goes as well, Oslo is open again. Where another memory tells of Rome too, Oslo makes way for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from treering.model.changes import EdgeAdded, EdgeClosed, EdgeReopened
from treering.model.edge import Edge, Family, Link
from treering.model.memory import Visibility
from treering.relations.own import Relations
from treering.store.contract import Act, EdgeFilter
from treering.store.own_relations import relations_of
from treering.store.succession import RULE, WHY, succession
from treering.store.windows import open_closings


@dataclass(frozen=True)
class NextInLine:
    """`gone` are the edges that go, as they stand before, and how; `heirs` what takes the place of some, by their ids,
    because another memory tells the same."""

    act: Act
    gone: tuple[Edge, ...]
    how: str
    heirs: Mapping[str, Edge] = field(default_factory=dict)

    @cached_property
    def _relations(self) -> Relations:
        return relations_of(self.act.reader)

    def taken_back(self) -> Iterator[tuple[Edge, EdgeClosed]]:
        """Closings by this rule that made way for something which is itself gone now."""
        for gone in self._facts():
            for edge in self._values(gone):
                stack = open_closings(self.act.reader, edge.id)
                last = stack[-1][1] if stack else None
                if last is not None and (last.rule, last.valid_until, last.evidence) == (
                    RULE,
                    gone.valid_from,
                    gone.memory_id,
                ):
                    yield edge, last

    def closings(self, reopened: Iterable[EdgeReopened]) -> Iterator[EdgeClosed | EdgeAdded]:
        for one in list(reopened):
            for edge in self.act.reader.edges(EdgeFilter(ids=(one.edge_id,), include_closed=True)):
                for between in self._facts():
                    if self._answers(between) == self._answers(edge):
                        yield from self._ends_at(edge, between, one)

    def _answers(self, edge: Edge) -> tuple[str, str]:
        """Which question: what of whom."""
        return edge.source_id, self._relations.one(edge.relation)

    def _facts(self) -> Iterator[Edge]:
        return (edge for edge in self.gone if edge.family is Family.FACT)

    def _values(self, like: Edge) -> list[Edge]:
        names = self._relations.names(like.relation)
        which = EdgeFilter(source_ids=(like.source_id,), relations=names, include_closed=True)
        gone = {edge.id for edge in self.gone}
        return [edge for edge in self.act.reader.edges(which) if edge.id not in gone]

    def _ends_at(self, edge: Edge, between: Edge, reopened: EdgeReopened) -> Iterator[EdgeClosed | EdgeAdded]:
        later = self.heirs.get(between.id) or self._after(edge, between)
        if later is None or later.valid_from <= edge.valid_from or not self._openly_said(later):
            return
        if reopened.valid_until is None or reopened.valid_until > later.valid_from:
            why = WHY.format(how=self.how)
            yield EdgeClosed(edge.id, later.valid_from, reopened.valid_until, RULE, later.memory_id, why)
            yield from self._superseded(edge, between, later)

    def _after(self, edge: Edge, between: Edge) -> Edge | None:
        """What began where the one between them ended."""
        if between.closed_by is None or between.valid_until is None:
            return None
        began = (one for one in self._values(between) if one.valid_from == between.valid_until and one.id != edge.id)
        return next(began, None)

    def _openly_said(self, later: Edge) -> bool:
        """What is private ends nothing for those who may not know of it, and they would see the window of before."""
        memory = self.act.reader.memory(later.memory_id) if later.memory_id else None
        return memory is None or memory.visibility is Visibility.SPACE

    def _superseded(self, edge: Edge, between: Edge, later: Edge) -> Iterator[EdgeAdded]:
        """The memory makes way as that between had, from the same time on, if it had made way for that."""
        old = self.act.reader.memory(edge.memory_id) if edge.memory_id else None
        made_way = self._link_between(between, edge)
        if old is None or not made_way or later.memory_id in (None, old.id):
            return
        if between.id in self.heirs:
            since = max(made_way[0].valid_from, later.valid_from)
            like = [replace(made_way[0], source_id=later.memory_id, valid_from=since)]
        else:
            like = self._link_between(later, between)
        yield from (EdgeAdded(succession(self.act, link, old, self.how)) for link in like[:1])

    def _link_between(self, newer: Edge, older: Edge) -> list[Edge]:
        """By which the memory behind one fact had superseded that behind the other."""
        if newer.memory_id is None or older.memory_id is None:
            return []
        ends = EdgeFilter(source_ids=(newer.memory_id,), target_ids=(older.memory_id,))
        return self.act.reader.edges(replace(ends, relations=(Link.SUPERSEDES.value,)))

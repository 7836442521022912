"""Which memories leave the present when facts end? Those that say nothing more, and the changes that had led there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from treering.ingest.extract.contract import Cue
from treering.ingest.relate.cues import says_much
from treering.ingest.relate.decided import Decided
from treering.ingest.relate.says_more import says_more
from treering.language.en.one_thing import things_said
from treering.model.changes import EdgeClosed
from treering.model.edge import LIKELY, Edge
from treering.model.entity import fold
from treering.model.memory import Kind, Memory, MemoryRecord, View
from treering.relations import Taste
from treering.store.contract import EdgeFilter, MemoryFilter


@dataclass(frozen=True)
class MemoryClosing:
    so_far: Decided

    def follow(self, memory: MemoryRecord, closings: list[EdgeClosed], since: datetime, cue: Cue | None = None) -> None:
        """A memory whose facts have all ended leaves the present; with it goes the change that had led there. What was
        thought of a thing stands when the thing is left. `cue` says whether the new one speaks of a change."""
        if not closings:
            return
        ids = tuple(one.edge_id for one in closings)
        edges = self.so_far.reader.edges(EdgeFilter(ids=ids, include_closed=True))
        rules = {one.edge_id: one for one in closings}
        for edge in edges:
            self._goes_with_it(memory, edge, rules[edge.id].valid_until)
        for edge in edges:
            closing = rules[edge.id]
            self.so_far.closed.append(self.so_far.as_told(edge, closing.valid_until, closing.rule, memory.id))
            told_by = edge.memory_id if edge.confidence >= LIKELY else None  # a guess takes no memory along
            old = self.so_far.reader.memory(told_by) if told_by else None
            another_role = cue is not None and old is not None and self._is_about_the_role(old, edge)
            if old is not None and (another_role or (self._says_nothing_more(old) and not self._is_thought(old, edge))):
                at = max(closing.valid_until, since) if closing.rule != "corrected" else memory.said_at
                self.so_far.supersede(memory, old, at, closing.rule, 1.0, f"{edge.relation} {closing.rule}")
            for sibling in self._that_led_there(old, edge) if old is not None else ():
                self.so_far.supersede(
                    memory, sibling, closing.valid_until, closing.rule, 1.0, "what it led to has ended"
                )

    def _says_nothing_more(self, old: Memory) -> bool:
        """All the facts it states have ended, but for those said by the way: "my friend Ada lives in Oslo"; and it says
        nothing beside them: no more things than facts."""
        ended = {one.edge_id for one in self.so_far.way.closed}
        facts = [fact for fact in self.so_far.facts_of(old.id) if not self.so_far.relations.aside(fact.relation)]
        over = all(fact.id in ended or fact.valid_until is not None for fact in facts)
        return over and things_said(old.content) <= max(1, len(facts)) and not self._says_more(old)

    def _is_thought(self, old: Memory, edge: Edge) -> bool:
        """What somebody thinks of a thing, in other words than that they have it. A taste is what ends here."""
        relations = self.so_far.relations
        if old.kind is not Kind.VIEWPOINT or edge.relation in relations.tasting(Taste.FOR) | relations.tasting(
            Taste.AGAINST
        ):
            return False
        source, target = (self.so_far.name(one) for one in (edge.source_id, edge.target_id))
        return old.content != relations.stated(source, edge.relation, target)

    def _says_more(self, old: Memory) -> bool:
        """A long statement says more than its facts. An event is told with all that it names."""
        if says_much(old.content):
            return True
        named = self.so_far.names_in(old) if old.kind is Kind.EPISODE else ()
        return says_more(old.content, (*self.so_far.values_of(old.id), *named))

    def _is_about_the_role(self, old: Memory, edge: Edge) -> bool:
        """It says in so many words what role somebody has; where they have it may still stand. Who does not say that it
        has changed may well have two."""
        role = self.so_far.reader.entity(edge.target_id)
        return (
            not self._says_more(old)
            and edge.relation in self.so_far.relations.marked("ends_with")
            and role is not None
            and fold(role.name) in fold(old.content)
        )

    def _goes_with_it(self, memory: MemoryRecord, edge: Edge, until: datetime) -> None:
        """A role ends with the job it was said of."""
        with_it = self.so_far.relations.ends_with(edge.relation)
        if not with_it or edge.memory_id is None:
            return
        which = EdgeFilter(evidence_id=edge.memory_id, relations=tuple(sorted(with_it)), include_closed=True)
        ended = {one.edge_id for one in self.so_far.way.closed}
        for role in self.so_far.reader.edges(which):
            if role.source_id == edge.source_id and role.valid_until is None and role.id not in ended:
                self.so_far.close(role, max(until, role.valid_from), "ended with it", memory)
                self.so_far.closed.append(
                    self.so_far.as_told(role, max(until, role.valid_from), "ended with it", memory.id)
                )

    def _that_led_there(self, old: Memory, edge: Edge) -> Iterator[Memory]:
        name = self.so_far.reader.entity(edge.target_id)
        for one in self.so_far.reader.memories(MemoryFilter(view=View.CURRENT, source_id=old.source_id)):
            speaks_of_it = name is not None and fold(name.name) in fold(one.content)
            if one.id != old.id and one.kind is Kind.EPISODE and speaks_of_it and self._says_nothing_more(one):
                yield one

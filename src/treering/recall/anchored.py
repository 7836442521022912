"""When was the event that a question tells the time by? "before I moved to Austin", "since I joined Stripe", "after the
wedding": looked up among the facts, and where there is none among the episodes, that the question may see.

What is found becomes a window of the question, open before or after. Where nothing fits well, or several things at
several times fit as well, the question is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from treering.language.when.anchors import Anchor, AnchorRelation, anchors
from treering.language.when.window import Window
from treering.language.words import words
from treering.model.edge import Edge
from treering.model.time import begun, from_micros, to_micros
from treering.recall import temporal
from treering.recall.asked_facts import (
    OWNER,
    asks_for,
    by_the_owner,
    tells_how_it_was,
    tells_the_beginning,
    tells_the_end,
)
from treering.recall.asked_time import HALF_MEANT, AskedWindow
from treering.recall.graph import named_in
from treering.recall.index.columns import Numbers
from treering.recall.index.space import KINDS, SpaceIndex
from treering.recall.question import Question, without
from treering.recall.visibility import VisibleMemories
from treering.store.contract import EdgeFilter, Reader
from treering.store.own_relations import relations_of
from treering.values import dataclass

FACTS_LOOKED_AT = 200
EPISODE = KINDS.index("episode")
MOST_DAYS = 2
"""On more days than this the words of an event are no name for one."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class AnchorEvent:
    """What an anchor speaks of: when it began, when it was over, and the number of the memory that tells it."""

    begins: datetime
    ends: datetime | None
    told_in: int | None


@dataclass(frozen=True, slots=True)
class Anchored:
    """The question with the windows that its anchors stand for, and which memories tell what these are before."""

    question: Question
    borders: frozenset[int] = frozenset()
    """What tells of the move is no answer to what was before it."""
    before_facts: tuple[Window, ...] = ()
    """Of these windows what held last is meant: who was it before Ben is who made way for Ben."""


def anchored(question: Question, reader: Reader, index: SpaceIndex, visible: VisibleMemories) -> Anchored:
    found: list[Window] = []
    borders: set[int] = set()
    before: list[Window] = []
    named: list[Window] = []
    for anchor in anchors(question.text):
        looking = _Looking(question, anchor, reader, index, visible)
        fact = looking.fact()
        event = fact or looking.episode()
        if event is None:
            continue
        window = _window(anchor, event, question.text)
        found.append(window)
        named += [window] if fact or anchor.relation is AnchorRelation.BEFORE else []
        if anchor.relation is AnchorRelation.BEFORE:
            borders |= {*looking.told_of(event)}
            before += [window] if fact else []
    return Anchored(_with(question, found, named), frozenset(borders), tuple(before)) if found else Anchored(question)


def _with(question: Question, windows: list[Window], named: list[Window]) -> Question:
    """`named`: those whose words only name a time. What came of an episode is told in words of the episode as well."""
    return replace(
        question,
        terms=tuple(dict.fromkeys(words(without(question.text, (*question.windows, *named))))),
        windows=(*question.windows, *windows),
        stretches=(*question.stretches, *(AskedWindow(one, HALF_MEANT) for one in windows)),
    )


def _window(anchor: Anchor, event: AnchorEvent, text: str) -> Window:
    """After a day begins with it: what came of something is often told on the day itself."""
    span = anchor.cue_span[0], anchor.span[1]
    start: datetime | None = event.begins
    end: datetime | None = None
    match anchor.relation:
        case AnchorRelation.BEFORE:
            start, end = None, _day_of(event.begins)
        case AnchorRelation.UNTIL:
            start, end = None, _day_of(event.begins) + DAY
        case AnchorRelation.DURING:
            end = event.ends
    return Window(start, end, text[span[0] : span[1]], span)


def _day_of(point: datetime) -> datetime:
    return from_micros(to_micros(point) // temporal.DAY * temporal.DAY)


@dataclass(frozen=True, slots=True)
class _Looking:
    """For the event of one anchor."""

    question: Question
    anchor: Anchor
    reader: Reader
    index: SpaceIndex
    visible: VisibleMemories

    # among facts

    def fact(self) -> AnchorEvent | None:
        """The beginning of a fact that the anchor names an end of, or its end: "after leaving Stripe", "after Stripe".
        Of several the last."""
        things = set(named_in(self.reader, self.anchor.text)) - set(self._owner())
        if not things:
            return None
        found = [edge for edge in self._facts(things) if self._is_meant(edge)]
        over = tells_the_end(self._stems) or (self._is_bare and self.anchor.relation is AnchorRelation.AFTER)
        dated = [(edge.valid_until if over else begun(edge.valid_from), edge) for edge in found]
        known = [(at, edge.id, edge) for at, edge in dated if at is not None]
        if not known:
            return None
        at, _, edge = max(known)
        lasts = self._is_bare or tells_how_it_was(self._stems)
        return AnchorEvent(
            at, edge.valid_until if lasts else _day_of(at) + DAY, self.index.number.get(edge.memory_id or "")
        )

    def _facts(self, things: set[str]) -> Iterator[Edge]:
        """Between what the anchor names and whom the question is about, of what may be seen."""
        whom = {*named_in(self.reader, self.question.text), *self._owner()}
        asked = EdgeFilter(
            either_ids=tuple(sorted(things)), facts_only=True, include_closed=True, limit=FACTS_LOOKED_AT
        )
        for edge in self.reader.edges(asked):
            ends = {edge.source_id, edge.target_id}
            if ends & things and ends - things <= whom:
                yield edge

    def _is_meant(self, edge: Edge) -> bool:
        """By the words beside the name; where there are none, by those of the question."""
        relations = relations_of(self.reader)
        if self._is_bare:
            at_a_time = relations.one_at_a_time if self.anchor.relation is AnchorRelation.DURING else ()
            stems = frozenset(words(self.question.text))
            return edge.relation in at_a_time or asks_for(edge.relation, stems, relations)
        return tells_the_end(self._stems) or tells_the_beginning(edge.relation, self._stems, relations)

    @property
    def _stems(self) -> frozenset[str]:
        return frozenset(words(self.anchor.text))

    @property
    def _is_bare(self) -> bool:
        """It is a name and nothing else that tells: "before Stripe", "while I was at Stripe"."""
        return all(word[:1].isupper() for word in self.anchor.text.split() if words(word))

    def _owner(self) -> list[str]:
        asks = by_the_owner(self.question.text)
        return [entity for _, entity in self.reader.named({OWNER})] if asks else []

    # among episodes

    def episode(self) -> AnchorEvent | None:
        """What happened and holds every word of the event; of several the first that was told. What went on while
        something happened is told in its words, and needs no window."""
        if self._is_bare or self.anchor.relation is AnchorRelation.DURING:
            return None
        held = self._holding()
        some = held[self.index["kind"][held] == EPISODE]
        days = np.unique(self._days(some))
        if not len(days) or len(days) > MOST_DAYS:
            return None
        first = int(some[0])
        return AnchorEvent(from_micros(int(self._days(some)[0]) * temporal.DAY), None, first)

    def told_of(self, event: AnchorEvent) -> Iterator[int]:
        """All that tells it: what dates it, and what holds its words and is of the same day."""
        held = self._holding()
        yield from held[self._days(held) == to_micros(event.begins) // temporal.DAY].tolist()
        if event.told_in is not None:
            yield event.told_in

    def _holding(self) -> Numbers:
        """The memories that may be seen and hold every word of the event."""
        held: Numbers | None = None
        for term in dict.fromkeys(words(self.anchor.text)):
            memories, _ = self.index.words.of(term, self.visible.known)
            held = memories if held is None else np.intersect1d(held, memories, assume_unique=True)
        return np.zeros(0, np.int64) if held is None else held[self.visible.seen[held]]

    def _days(self, memories: Numbers) -> Numbers:
        found: Numbers = self.index["begins"][memories] // temporal.DAY
        return found

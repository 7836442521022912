"""Which taste makes way for a newer one? Liking for disliking the same thing, and one favourite or preference for
another of its kind.

Tastes may be many, so that only those end which cannot hold beside the new one: nobody loves pizza and hates it. What
is said of a thing under some circumstance, "hiking in the rain", says nothing of the thing itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.ingest.extract.contract import Claim
from treering.ingest.relate.decided import Decided
from treering.language.words import words
from treering.model.edge import Edge
from treering.model.memory import MemoryRecord
from treering.relations import Taste

_FAVOURITE = re.compile(r"\bfavou?rite ((?:[\w-]+ ){0,2}?[\w-]+)(?: is|'s| was)\b", re.IGNORECASE)
_ONLY_WHEN = re.compile(
    r"[\s,.!]*(?:(?:now|nowadays|any ?more|these days|lately|again|after all|so much|very much|a lot|at all|too"
    r"|(?:over|to|than|instead of|rather than)\s.*)[\s,.!]*)*",
    re.IGNORECASE,
)
"""What may stand behind a thing that is liked without saying under which circumstance."""


def is_favourite(relation: str) -> bool:
    """Of a favourite there is one of its kind: FAVOURITE_COLOUR."""
    return relation.startswith(("FAVORITE_", "FAVOURITE_"))


@dataclass(frozen=True)
class Tastes:
    so_far: Decided

    def that_make_way(self, memory: MemoryRecord, claim: Claim, edge: Edge) -> Iterator[Edge]:
        """Those that held when the new one began, and cannot hold beside it."""
        tastes = self._for | self.so_far.relations.tasting(Taste.AGAINST)
        if claim.relation not in tastes:
            return
        for one in self.so_far.of_subject(edge.source_id, tastes):
            held = one.id not in self.so_far.added and one.period.holds(edge.valid_from)
            if held and (self._is_the_opposite(memory, edge, one) or self._is_another_of_its_kind(memory, edge, one)):
                yield one

    @property
    def _for(self) -> frozenset[str]:
        return self.so_far.relations.tasting(Taste.FOR)

    def _is_the_opposite(self, memory: MemoryRecord, edge: Edge, other: Edge) -> bool:
        same = self.so_far.way.entity(edge.target_id) == self.so_far.way.entity(other.target_id)
        turned = (edge.relation in self._for) != (other.relation in self._for)
        return (
            same
            and turned
            and self._is_plain(memory.content, edge)
            and self._is_plain(self.so_far.told_by(other), other)
        )

    def _is_another_of_its_kind(self, memory: MemoryRecord, edge: Edge, other: Edge) -> bool:
        relations = self.so_far.relations
        if relations.one(edge.relation) != relations.one(other.relation) or edge.target_id == other.target_id:
            return False
        said, before = memory.content, self.so_far.told_by(other)
        kinds = (_FAVOURITE.search(text) for text in (said, before))
        now, was = (words(found[1]) if found else [] for found in kinds)
        if now or was:
            return now == was
        return edge.relation in relations.marked("one_of_a_kind") and self._is_of_one_kind(said, before, edge, other)

    def _is_of_one_kind(self, said: str, before: str, edge: Edge, other: Edge) -> bool:
        """Window seats and aisle seats."""
        was, is_ = (self.so_far.name(one.target_id) for one in (other, edge))
        several = len(was.split()) > 1 and len(is_.split()) > 1 and words(was)[-1:] == words(is_)[-1:]
        return several and self._is_plain(said, edge) and self._is_plain(before, other)

    def _is_plain(self, text: str, edge: Edge) -> bool:
        _, found, rest = text.lower().partition(self.so_far.name(edge.target_id).lower())
        return bool(found) and _ONLY_WHEN.fullmatch(rest) is not None

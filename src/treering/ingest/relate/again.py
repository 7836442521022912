"""What would the judge say of memories that are there already? Each is judged with those near it that were said before,
as it would be if it were told now. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from treering.ingest.reading import Reading, passage_of
from treering.ingest.relate.judged import CANDIDATES, GATE, words_of
from treering.ingest.relate.near import DOUBTFUL, acts, may_make_way, over, why_over
from treering.mind.contract import Passage
from treering.mind.judging import Judge, Pair
from treering.model.edge import Link
from treering.model.memory import Memory, View
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader

_LINKS = tuple(link.value for link in (Link.SUPERSEDES, Link.CONTRADICTS, Link.DERIVED_FROM))
"""Between two that are linked so, it has been decided."""
LOOKED_AT = 2
"""So many of the nearest are judged; nobody waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgedAgain(Value):
    """A verdict on two memories. `acts`: whether it is sure enough to let the older one make way, else it is proposed.
    `seq`: the entry in which that was written."""

    newer_id: str
    older_id: str
    newer: str
    older: str
    score: float
    why: str
    acts: bool
    seq: int | None = None


class RelateSpace(Protocol):
    def reading(self) -> AbstractContextManager[Reader]: ...

    def embed(self, passages: Sequence[Passage]) -> Reading: ...

    def nearest(self, reading: Reading, passages: Sequence[Passage], limit: int) -> list[list[tuple[str, float]]]: ...


def judged_again(ground: RelateSpace, judge: Judge, memories: Sequence[Memory]) -> Iterator[JudgedAgain]:
    """The likeliest verdict for each older memory, the first said first."""
    with ground.reading() as reader:
        sources = reader.sources({one.source_id for one in memories})
    passages = [passage_of(sources[one.source_id], one.content, one.span) for one in memories]
    found = ground.nearest(ground.embed(list(dict.fromkeys(passages))), passages, CANDIDATES)
    gone: set[str] = set()
    for newer, near in zip(memories, found, strict=True):
        with ground.reading() as reader:
            older = _older(reader, newer, [one for one, cosine in near if cosine >= GATE])[:LOOKED_AT]
            said = reader.sources({one.source_id for one in (newer, *older)})
        words = {one.id: words_of(one, said.get(one.source_id)) for one in (newer, *older)}
        pairs = [Pair(words[old.id], words[newer.id]) for old in older]
        for old, told in zip(older, judge.judge(pairs), strict=True):
            if over(told) < DOUBTFUL or old.id in gone or newer.id in gone:
                continue
            sure = acts(told, old)
            if sure:
                gone.add(old.id)
            yield JudgedAgain(
                newer_id=newer.id,
                older_id=old.id,
                newer=newer.content,
                older=old.content,
                score=over(told),
                why=why_over(told, told.by or judge.name),
                acts=sure,
            )


def _older(reader: Reader, newer: Memory, near: Sequence[str]) -> list[Memory]:
    """Those that hold, were said before, and of which nothing was decided with it; the nearest first."""
    edges = EdgeFilter(source_ids=(newer.id,), relations=_LINKS, include_closed=True)
    decided = {edge.target_id for edge in reader.edges(edges)}
    wanted = tuple(one for one in near if one != newer.id and one not in decided)
    known = {one.id: one for one in reader.memories(MemoryFilter(view=View.CURRENT, ids=wanted))} if wanted else {}
    return [
        old
        for one in wanted
        if (old := known.get(one)) is not None
        and old.source_id != newer.source_id
        and old.said_at < newer.said_at
        and may_make_way(old, newer)
    ]

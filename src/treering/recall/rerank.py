"""What does a reranker say of the best? It reads them together with the question, and its word joins the sum.

It is one more modifier, so that everything behind it (sessions make room, repeats stand as one, what is outdated gives
way, every hit explains itself) stays as it is. Numbers of different rerankers have nothing in common: what counts is
where a text stands between the worst and the best of those that were read together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from treering.errors import InvalidRequest, Unavailable
from treering.mind.contract import Passage, Reranker
from treering.model.memory import View
from treering.recall.fuse import Fused, Weights
from treering.recall.index.columns import Numbers
from treering.recall.search import Search
from treering.store.contract import MemoryFilter, Reader

READ, MOST_READ = 40, 100
Part = tuple[Reader, Search, Fused]
"""What one space has to say."""


class Reranking:
    """One question's: `trouble` says why the reranker had no say, if it should have had."""

    def __init__(self, reranker: Reranker, question: str, limit: int, weights: Weights) -> None:
        self._reranker, self._question, self._weights = reranker, question, weights
        self._read = min(max(READ, 2 * limit), MOST_READ)
        self.by: str | None = None
        self.trouble: str | None = None

    def of(self, parts: Sequence[Part]) -> list[Fused]:
        """Each space's sum with what the reranker says; as it was, where that cannot be had."""
        best = self._best(parts)
        texts = [text for part, places in zip(parts, best, strict=True) for text in _texts(part, places)]
        if not texts:
            return [fused for _, _, fused in parts]
        try:
            told = np.asarray(self._reranker.scores(self._question, texts), float)
        except Unavailable as error:
            self.trouble = f"the hits stand in the order of the signals alone: {error}"
            return [fused for _, _, fused in parts]
        if told.shape != (len(texts),) or not np.all(np.isfinite(told)):
            raise InvalidRequest(
                f"reranker {self._reranker.name}: it gave {told.shape} for {len(texts)} texts, not a finite number each"
            )
        self.by = self._reranker.name
        least, most = float(told.min()), float(told.max())
        below = (told - most) / (most - least) if most > least else np.zeros(len(told))
        ends = np.cumsum([len(places) for places in best])[:-1]
        return [
            self._joined(fused, places, some)
            for (_, _, fused), places, some in zip(parts, best, np.split(below, ends), strict=True)
        ]

    def _best(self, parts: Sequence[Part]) -> list[Numbers]:
        """Places in the pool of each space, of the best of all."""
        score = np.concatenate([fused.score for _, _, fused in parts]) if parts else np.zeros(0)
        chosen = np.sort(np.argsort(-score, kind="stable")[: self._read])
        starts = np.cumsum([0, *(len(fused.pool) for _, _, fused in parts)])
        return [chosen[(chosen >= start) & (chosen < end)] - start for start, end in pairwise(starts.tolist())]

    def _joined(self, fused: Fused, places: Numbers, below: Numbers) -> Fused:
        """Whatever was not read stands with the worst of what was."""
        said = np.full(len(fused.pool), -1.0)
        said[places] = below
        score = fused.score + self._weights.rerank * said
        return replace(fused, features={**fused.features, "rerank": said}, score=score)


def _texts(part: Part, places: Numbers) -> list[str]:
    """As the embedders read them: who speaks, and what is said."""
    reader, search, fused = part
    ids = tuple(search.index.ids[int(number)] for number in fused.pool[places])
    found = {memory.id: memory for memory in (reader.memories(MemoryFilter(view=View.ALL, ids=ids)) if ids else ())}
    sources = reader.sources({memory.source_id for memory in found.values()})
    said = (Passage.said(sources[found[one].source_id].speaker, found[one].content) for one in ids)
    return [passage.lead + passage.text for passage in said]

"""How near is it in meaning? Cosines of the turn, of its best sentence, of the turns beside it, of its session."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.search import Search

PARTS_OF = 1_000  # sentences are compared for the best of the pool only


@dataclass(frozen=True, slots=True)
class Nearness:
    """`cosine` is by number of memory; beyond what was compared it is zero."""

    dense: Numbers
    session: Numbers
    cosine: Numbers


def nearest(search: Search, limit: int) -> Numbers:
    """The memories nearest to the question among those that may be answers."""
    vectors = search.index.vectors
    if vectors is None or search.vector is None:
        return np.zeros(0, np.int64)
    return vectors.nearest(search.vector, search.allowed, limit)


def nearness(search: Search, pool: Numbers) -> Nearness | None:
    """Of each of the pool; none without an embedder. The best of a session is looked for among the pool, the turns
    beside it, and, where the space is small, all that are seen."""
    vectors, known = search.index.vectors, search.sight.known
    if vectors is None or search.vector is None:
        return None
    compared = _with_neighbours(search, pool)
    if search.sight.count <= len(pool) * 2:
        compared = np.union1d(compared, np.flatnonzero(search.sight.seen))
    cosine = np.zeros(known + 1, np.float32)  # the last is no turn, which is number -1
    cosine[compared] = vectors.cosines(search.vector, compared)
    sessions = search.column("session")
    best = np.full(len(search.sight.session_lengths), -1.0, np.float32)
    np.maximum.at(best, sessions[compared], cosine[compared])
    return Nearness(cosine[pool], best[sessions[pool]], cosine)


def _with_neighbours(search: Search, pool: Numbers) -> Numbers:
    """The pool and the turns right beside it, as far as they may be seen."""
    beside = [one for _, one in search.index.neighbours(pool, search.sight.known, 1)]
    every: Numbers = np.unique(np.concatenate([pool, *beside]))
    seen: Numbers = search.sight.seen[every] & (every >= 0)
    return every[seen]


def late(search: Search, pool: Numbers, near: Nearness, score: Numbers) -> tuple[Numbers, Numbers]:
    """The cosine of each turn's best sentence, and the better one of the turns right beside it. Sentences are looked at
    for the best of the pool so far and their neighbours; for the others the whole turn stands."""
    vectors, best_part = search.index.vectors, near.cosine.copy()
    best = np.lexsort((pool, -score))[:PARTS_OF]
    if vectors is not None and search.vector is not None:
        looked_at = _with_neighbours(search, np.sort(pool[best]))
        best_part[looked_at] = vectors.best_parts(search.vector, looked_at, near.cosine[looked_at])
    before, after = (one for _, one in search.index.neighbours(pool, search.sight.known, 1))
    return best_part[pool], np.maximum(best_part[before], best_part[after])

"""How near is it in meaning? Cosines of the whole turn, of its best sentence, of the turn before it, of its session."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.search import Search

PARTS_OF = 1_000  # sentences are compared for the best of the pool only


@dataclass(frozen=True, slots=True)
class Nearness:
    dense: Numbers
    previous: Numbers
    session: Numbers


def nearest(search: Search, limit: int) -> Numbers:
    """The memories nearest to the question among those that may be answers."""
    vectors = search.index.vectors
    if vectors is None or search.vector is None:
        return np.zeros(0, np.int64)
    return vectors.nearest(search.vector, search.allowed, limit)


def nearness(search: Search, pool: Numbers) -> Nearness | None:
    """Of each of the pool; none without an embedder. The best of a session is looked for among the pool, the turns
    before it, and, where the space is small, all that are seen."""
    vectors, known = search.index.vectors, search.sight.known
    if vectors is None or search.vector is None:
        return None
    before = search.column("previous")[pool]
    before = np.where((before >= 0) & search.sight.seen[before], before, -1)
    compared = np.unique(np.concatenate([pool, before[before >= 0]]))
    if search.sight.count <= len(pool) * 2:
        compared = np.union1d(compared, np.flatnonzero(search.sight.seen))
    cosine = np.zeros(known + 1, np.float32)  # the last is no turn, which is number -1
    cosine[compared] = vectors.cosines(search.vector, compared)
    sessions = search.column("session")
    best = np.full(int(sessions.max()) + 1, -1.0, np.float32)
    np.maximum.at(best, sessions[compared], cosine[compared])
    return Nearness(cosine[pool], cosine[before], best[sessions[pool]])


def late(search: Search, pool: Numbers, dense: Numbers, score: Numbers) -> Numbers:
    """The cosine of the best sentence, for the best of the pool so far; of the whole for the others."""
    vectors = search.index.vectors
    if vectors is None or search.vector is None:
        return dense
    best = np.lexsort((pool, -score))[:PARTS_OF]
    found = dense.copy()
    found[best] = vectors.best_parts(search.vector, pool[best], dense[best])
    return found

"""How near is it in meaning? Cosines of the turn, of its best sentence, of the turns beside it, of its session."""

from __future__ import annotations

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Meanings
from treering.recall.search import Search, best_first, marked

SHORTLIST, SHORTLIST_SHARE = 2_000, 125  # so many, and one in so many of all
WHOLE_UP_TO = 4_096
PARTS_OF = 500  # sentences, and neighbours, are compared for the best of the pool only


class Nearness:
    """The question against the memories of one space; each is compared once, when it is first asked for."""

    def __init__(self, search: Search, vectors: Meanings, question: Numbers) -> None:
        self._search, self._vectors, self._question = search, vectors, question
        # the last is no turn, which is number -1
        self._cosine = np.zeros(search.sight.known + 1, np.float32)
        self._compared = np.zeros(search.sight.known + 1, bool)
        self._compared[-1] = True

    def of(self, memories: Numbers) -> Numbers:
        missing = memories[~self._compared[memories]]
        if len(missing):
            self._cosine[missing] = self._vectors.cosines(self._question, missing)
            self._compared[missing] = True
        found: Numbers = self._cosine[memories]
        return found

    def nearest(self, limit: int) -> Numbers:
        """The nearest among those that may be answers, the best first."""
        most = max(SHORTLIST + self._search.sight.count // SHORTLIST_SHARE, limit)
        some = self._vectors.shortlist(self._question, self._search.allowed, most)
        return some[best_first(some, self.of(some), limit)]

    def among(self, which: Numbers, limit: int) -> Numbers:
        """The nearest among those marked."""
        some = self._vectors.shortlist(self._question, which, limit)
        return some[best_first(some, self.of(some), limit)]

    def sessions(self) -> Numbers:
        """The best cosine in every session, among all that were compared; where the space is small, all are."""
        sight = self._search.sight
        if sight.count <= WHOLE_UP_TO:
            self.of(np.flatnonzero(sight.seen))
        sessions, compared = self._search.column("session"), np.flatnonzero(self._compared[:-1])
        best = np.full(len(sight.session_lengths), -1.0, np.float32)
        np.maximum.at(best, sessions[compared], self._cosine[compared])
        return best

    def late(self, pool: Numbers, score: Numbers) -> tuple[Numbers, Numbers]:
        """The cosine of each turn's best sentence, and the better one of the turns right beside it. Looked at for the
        best of the pool so far; for the others the whole turn stands, and no neighbour."""
        best = pool if len(pool) <= PARTS_OF else pool[best_first(pool, score, PARTS_OF)]
        known = self._search.sight.known
        beside = [one for _, one in self._search.beside(best, 1)]
        looked_at = marked(known + 1, np.concatenate([best, *beside]))
        looked_at[-1] = False
        every = np.flatnonzero(looked_at)
        part, better = np.zeros(known + 1, np.float32), np.zeros(known + 1, np.float32)
        part[every] = self._vectors.best_parts(self._question, every, self.of(every))
        better[best] = np.maximum(part[beside[0]], part[beside[1]])
        return np.where(looked_at[pool], part[pool], self.of(pool)), better[pool]

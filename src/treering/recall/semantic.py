"""How near is it in meaning? Cosines of the turn, of its best sentence, of the turns beside it, of its session."""

from __future__ import annotations

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Meanings
from treering.recall.search import Search, best_first, marked

SHORTLIST, SHORTLIST_SHARE = 2_000, 125  # so many, and one in so many of all
WHOLE_UP_TO = 4_096
NEAREST_KNOWN, LEAST_KNOWN = 500, 300
"""How cosines fall off over so many of the nearest tells of all others; a store that measures may tell fewer, and with
less than the least nothing is said."""
BY_CHANCE = 0.7  # of several drawn from all, the best is as likely as not among the first 0.7 in so many


class Nearness:
    """The question against the memories of one space; each is compared once, when it is first asked for."""

    def __init__(self, search: Search, vectors: Meanings, question: Numbers) -> None:
        self._search, self._vectors, self._question = search, vectors, question
        # the last is no turn, which is number -1
        self._cosine = np.empty(search.visible.known + 1, np.float32)
        self._compared = np.zeros(search.visible.known + 1, bool)
        self._cosine[-1], self._compared[-1] = 0.0, True
        self._falling: tuple[int, float, float] | None = None
        """How many of the nearest are known, the cosine of the last of them, and how much is lost as ranks grow e-fold
        from there."""
        self.looked_at = np.zeros(search.visible.known + 1, bool)
        """Marks those of which the sentences were looked at."""

    def of(self, memories: Numbers) -> Numbers:
        missing = memories[~self._compared[memories]]
        if len(missing):
            self._cosine[missing] = self._vectors.cosines(self._question, missing)
            self._compared[missing] = True
        found: Numbers = self._cosine[memories]
        return found

    def nearest(self, limit: int) -> Numbers:
        """The nearest among those that may be answers, the best first."""
        most = max(SHORTLIST + self._search.visible.count // SHORTLIST_SHARE, limit)
        some = self._vectors.shortlist(self._question, self._search.allowed, most)
        cosines = self.of(some)
        known = min(len(some), NEAREST_KNOWN)
        if known >= LEAST_KNOWN:
            places = len(some) - known, len(some) - known // 5
            last, fifth = np.partition(cosines, places)[[*places]].tolist()
            self._falling = known, last, (fifth - last) / np.log(5)
        return some[best_first(some, cosines, limit)]

    def among(self, which: Numbers, limit: int) -> Numbers:
        """The nearest among those marked."""
        some = self._vectors.shortlist(self._question, which, limit)
        return some[best_first(some, self.of(some), limit)]

    def sessions(self) -> Numbers:
        """The best cosine in every session: where the space is small, of all its turns. Elsewhere those that were not
        compared are taken to be as near as their best would be by chance."""
        visible = self._search.visible
        if visible.count <= WHOLE_UP_TO:
            self.of(np.flatnonzero(visible.seen))
        compared = np.flatnonzero(self._compared[:-1])
        return self._best(visible.sessions[compared], self._cosine[compared], visible.session_turns)

    def company(self, memories: Numbers) -> Numbers:
        """The same for the session of each of these, by all that was compared since."""
        visible, compared = self._search.visible, np.flatnonzero(self._compared[:-1])
        own = visible.sessions[memories]
        some = np.flatnonzero(marked(len(visible.session_turns), own))
        place = np.full(len(visible.session_turns), -1)
        place[some] = np.arange(len(some))
        there = place[visible.sessions[compared]]
        here = there >= 0
        best = self._best(there[here], self._cosine[compared[here]], visible.session_turns[some])
        found: Numbers = best[place[own]]
        return found

    def _best(self, sessions: Numbers, cosines: Numbers, turns: Numbers) -> Numbers:
        """In sessions of so many turns each, some of which were compared."""
        best = self._by_chance(turns - np.bincount(sessions, minlength=len(turns)))
        np.maximum.at(best, sessions, cosines)
        return best

    def _by_chance(self, turns: Numbers) -> Numbers:
        """How near the best of so many turns may be, of which nothing is known but that they are not of the nearest."""
        if self._falling is None:
            return np.full(len(turns), -1.0, np.float32)
        known, last, loss = self._falling
        rank = BY_CHANCE * np.count_nonzero(self._search.allowed) / np.arange(1, max(int(turns.max()), 0) + 1)
        near = np.append(-1.0, last - loss * np.log(np.maximum(rank / known, 1)))
        found: Numbers = near.astype(np.float32)[np.maximum(turns, 0)]
        return found

    def late(self, pool: Numbers, score: Numbers) -> tuple[Numbers, Numbers]:
        """The cosine of each turn's best sentence, and the better one of the turns right beside it. Looked at for the
        best of the pool so far; for the others the whole turn stands, and no neighbour."""
        most = self._vectors.looked_into
        places = np.arange(len(pool)) if len(pool) <= most else best_first(pool, score, most)
        known, best = self._search.visible.known, pool[places]
        beside = [one for _, one in self._search.beside(best, 1)]
        looked_at = marked(known + 1, np.concatenate([best, *beside]))
        looked_at[-1] = False
        every = np.flatnonzero(looked_at)
        self._vectors.bring(every)
        self.looked_at = looked_at
        part, better = np.empty(known + 1, np.float32), np.zeros(len(pool), np.float32)
        part[every], part[-1] = self._vectors.best_parts(self._question, every, self.of(every)), 0.0
        better[places] = np.maximum(part[beside[0]], part[beside[1]])
        return np.where(looked_at[pool], part[pool], self.of(pool)), better

    def last_sentences(self, memories: Numbers) -> Numbers:
        """The cosine of the sentence with which each ends."""
        return self._vectors.last_parts(self._question, memories, self.of(memories))

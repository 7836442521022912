"""How well do the words fit? BM25 over a turn with its neighbours, the share of the question that a turn holds, and the
rare words that the best hits have in common.

In conversation the answer often stands beside the turn that has the question's words: hence the block of neighbours.
All counts are taken among the memories that may be seen.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.search import Search

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
REACH = 4  # turns to either side
PREFIX_WORDS = 5
ECHO_HITS, ECHO_WORDS = 5, 12
ECHO_LEAST, ECHO_SHARE = 20, 0.03  # how common a word may be and still be called rare


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a term stands among the seen, and how much it tells."""

    memories: Numbers
    times: Numbers
    idf: float


class Keywords:
    def __init__(self, search: Search) -> None:
        self._search = search
        self._seen = search.sight.seen
        self.terms = {term: self._find(term) for term in search.question.terms}

    def _find(self, term: str) -> _Found:
        memories, times = self._search.index.words.of(term, self._search.sight.known)
        if not len(memories) and term in self._search.question.capitalised:
            memories, times = self._by_beginning(term)
        seen = self._seen[memories]
        return _Found(memories[seen], times[seen], self._idf(int(np.count_nonzero(seen))))

    def _idf(self, holders: int) -> float:
        return math.log(1 + (self._search.sight.count - holders + 0.5) / (holders + 0.5))

    def _by_beginning(self, term: str) -> tuple[Numbers, Numbers]:
        """A name that nobody has may be the beginning of one: all memories with a word that begins so."""
        words, known = self._search.index.words, self._search.sight.known
        longer = [words.of(word, known) for word in words.beginning_with(term, PREFIX_WORDS)]
        if not longer:
            return words.of(term, known)
        memories, first = np.unique(np.concatenate([one for one, _ in longer]), return_index=True)
        return memories, np.concatenate([times for _, times in longer])[first]

    def best(self, limit: int) -> Numbers:
        """The memories whose own words fit best, not counting neighbours."""
        score = np.zeros(self._search.sight.known, np.float32)
        length = self._search.column("length")
        for found in self.terms.values():
            score[found.memories] += found.idf * self._impact(found.times, length[found.memories], 1)
        holders = np.flatnonzero(score)
        if len(holders) <= limit:
            return holders
        return holders[np.argpartition(-score[holders], limit - 1)[:limit]]

    def _impact(self, times: Numbers, length: Numbers, turns: int) -> Numbers:
        usual = self._search.sight.mean_length * turns
        room = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / usual)
        return times * (SATURATION + 1) / (times + room)

    def block(self, pool: Numbers) -> Numbers:
        """BM25 over each turn and those around it, taken as one."""
        search, known = self._search, self._search.sight.known
        around = [pool, *(one for _, one in search.index.neighbours(pool, known, REACH))]
        own = search.column("length")
        length = np.sum([np.where((one >= 0) & self._seen[one], own[one], 0) for one in around], axis=0)
        often = np.zeros(known + 1, np.uint8)  # the last stands for no neighbour, which is number -1
        score = np.zeros(len(pool), np.float32)
        for found in self.terms.values():
            if len(found.memories):
                often[found.memories] = found.times
                times: Numbers = np.sum([often[one] for one in around], axis=0, dtype=np.float32)  # type: ignore[assignment]
                often[found.memories] = 0
                score += found.idf * self._impact(times, length, len(around))
        return score

    def cover(self, pool: Numbers) -> Numbers:
        """The share of what the question's words tell that each turn holds; names of speakers are left out."""
        telling = {term: found for term, found in self.terms.items() if term not in self._search.named.stems}
        whole = sum(found.idf for found in telling.values())
        held = np.zeros(self._search.sight.known, np.float32)
        for found in telling.values():
            held[found.memories] += found.idf
        return held[pool] / whole if whole else held[pool]

    def echo(self, pool: Numbers, score: Numbers) -> Numbers:
        """A second hop: how much each turn shares of the rare words of the best hits, which the question lacks.

        A hit must not vouch for itself: only what the other hits have in common with it counts.
        """
        best = np.lexsort((pool, -score))[:ECHO_HITS]
        share = {int(place): self._rare_words(int(pool[place]), rank) for rank, place in enumerate(best)}
        weight: dict[int, float] = defaultdict(float)
        for words in share.values():
            for word, part in words.items():
                weight[word] += part
        chosen = dict(sorted(weight.items(), key=lambda pair: (-pair[1], pair[0]))[:ECHO_WORDS])
        length = self._search.column("length")
        echo = np.zeros(len(pool), np.float32)
        names = self._names(chosen)
        for word, all_of_it in chosen.items():
            found = self._find(names[word])
            impact = np.zeros(self._search.sight.known, np.float32)
            impact[found.memories] = found.idf * self._impact(found.times, length[found.memories], 1)
            vouched = np.full(len(pool), all_of_it, np.float32)
            for place, words in share.items():
                vouched[place] -= words.get(word, 0.0)
            echo += vouched * impact[pool]
        most = float(echo.max()) if len(echo) else 0.0
        return echo / most if most > 0 else echo

    def _rare_words(self, memory: int, rank: int) -> dict[int, float]:
        words, sight = self._search.index.words, self._search.sight
        numbers = words.words_of(memory)
        names = self._names({int(one): 0.0 for one in numbers})
        limit = max(ECHO_LEAST, ECHO_SHARE * sight.count)
        found = {}
        for number, name in names.items():
            if name in self.terms or name.isdigit():
                continue
            memories, _ = words.of(name, sight.known)
            holders = int(np.count_nonzero(self._seen[memories]))
            if 1 < holders < limit:
                found[number] = self._idf(holders) / (2 + rank) / math.sqrt(max(len(numbers), 1))
        return found

    def _names(self, numbers: dict[int, float]) -> dict[int, str]:
        return {number: self._search.index.words.word(number) for number in numbers}

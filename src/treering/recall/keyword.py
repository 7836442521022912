"""How well do the words fit? BM25 over a turn with its neighbours, the share of the question that a turn holds, and the
rare words that the best hits have in common.

In conversation the answer often stands beside the turn that has the question's words: hence the block of neighbours.
All counts are taken among the memories that may be seen.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field

import numpy as np

from treering.language.words import stem, words
from treering.recall.index.columns import Numbers
from treering.recall.search import Search, best_first, growing, marked
from treering.recall.visibility import VisibleMemories
from treering.values import dataclass

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
REACH, FADING = 4, 0.8  # turns to either side, and what is left of a word with each
PREFIX_WORDS = 5
COUNTED_EXACTLY = 1_500
BEST_WORDED = (200, 1_500)
ECHO_HITS, ECHO_WORDS = 5, 12
ECHO_LEAST, ECHO_SHARE = 20, 0.03  # how common a word may be and still be called rare
MOST_KEPT = 200_000  # postings, sixteen bytes each


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a term stands among the seen, how much it tells, what it is worth in each, and in how many blocks it is."""

    memories: Numbers
    times: Numbers
    idf: float
    worth: Numbers
    blocks: int


@dataclass(slots=True)
class _Kept:
    """The terms that were looked up under one sight, by what the question has of them: the first some of them."""

    terms: dict[tuple[str, bool], _Found] = field(default_factory=dict)
    postings: int = 0

    def keep(self, term: tuple[str, bool], found: _Found) -> _Found:
        if 0 < len(found.memories) <= MOST_KEPT - self.postings:
            self.postings += len(found.memories)
            self.terms[term] = found
        return found


@dataclass(frozen=True, slots=True)
class _Held:
    """What of the question the memories of a pool and those around them hold: how often, by distance and term."""

    pool: Numbers
    around: list[tuple[int, Numbers]]
    often: Numbers


@dataclass(frozen=True, slots=True)
class _Measure:
    """By what the words of sessions are measured: how many are seen, and how long each is beside the usual."""

    seen: int
    room: Numbers
    in_order: bool
    """Whether sessions follow one another, as where they are told one after the other."""
    one_each: bool
    """And every memory is a session by itself."""
    is_by_memory: bool = False
    """And so everywhere, that a session measures as its memory does: what is known of these holds of those."""

    def by_session(self, sessions: Numbers, times: Numbers) -> tuple[Numbers, Numbers]:
        """The sessions in which a word stands, from those of its memories, and how often in each. There is no need to
        count through all of them where they are in order."""
        if self.one_each:
            return sessions, times
        if self.in_order:
            starts = np.append(0, np.flatnonzero(sessions[1:] != sessions[:-1]) + 1)
            return sessions[starts], np.add.reduceat(times, starts, dtype=np.float64)
        often = np.bincount(sessions, weights=times, minlength=len(self.room))
        holders = np.flatnonzero(often)
        return holders, often[holders]


class Keywords:
    def __init__(self, search: Search) -> None:
        self._search = search
        self._seen = search.visible.seen
        self._last: _Held | None = None
        self.terms = {term: self._found(term) for term in search.question.terms}
        others = {term: found for term, found in self.terms.items() if term not in search.named.stems}
        self._telling = others or self.terms
        self._whole = self._own(self.terms.values())
        self.best = self._best(growing(*BEST_WORDED, search.visible.count))
        self.sessions = self._sessions()

    def _found(self, term: str) -> _Found:
        """Other questions that may see the same ask for many of the same words."""
        kept = self._search.visible.once("terms", lambda _: _Kept())
        key = term, term in self._search.question.capitalised
        return kept.terms.get(key) or kept.keep(key, self._find(*key))

    def _find(self, term: str, capitalised: bool) -> _Found:
        memories, times = self._search.index.words.of(term, self._search.visible.known)
        if capitalised and not self._seen[memories].any():
            memories, times = self._by_beginning(term)
        if term in self._search.named.stems and self._search.index.embedder is None:
            memories, times = self._or_said_by(term, memories, times)
        visible, length = self._search.visible, self._search.column("length")
        memories = memories.astype(np.intp)  # any other kind would be turned into it wherever it is looked up by
        if visible.count < visible.known and not (seen := self._seen[memories]).all():
            memories, times = memories[seen], times[seen]
        idf = _idf(visible.count, len(memories))
        room = visible.once("room", lambda its: _room(length, its.mean_length))
        return _Found(memories, times, idf, idf * _impact(times, room[memories]), self._blocks_with(memories))

    def _or_said_by(self, term: str, memories: Numbers, times: Numbers) -> tuple[Numbers, Numbers]:
        """With what the speaker of this name says: an embedder knows who speaks, and where there is none nothing else
        would lead there."""
        index = self._search.index
        theirs = [one for word, some in index.speaker_words.copy().items() if stem(word) == term for one in some]
        said = np.setdiff1d(np.flatnonzero(np.isin(self._search.column("speaker"), theirs)), memories)
        every = np.concatenate([memories, said])
        order = np.argsort(every)
        return every[order], np.concatenate([times, np.ones(len(said), times.dtype)])[order]

    def _by_beginning(self, term: str) -> tuple[Numbers, Numbers]:
        """A name that nobody has may be the beginning of one: all memories with a word that begins so."""
        postings, known = self._search.index.words, self._search.visible.known
        longer = [postings.of(word, known) for word in postings.beginning_with(term)]
        seen = [one for one in longer if self._seen[one[0]].any()][:PREFIX_WORDS]
        if not seen:
            return postings.of(term, known)
        memories, first = np.unique(np.concatenate([one for one, _ in seen]), return_index=True)
        return memories, np.concatenate([times for _, times in seen])[first]

    def _best(self, limit: int) -> Numbers:
        """The memories whose own words fit best, not counting neighbours."""
        score = self._whole
        holders = np.flatnonzero(score != 0)  # marks are looked through much faster than numbers
        if len(holders) <= limit:
            return holders
        return holders[np.argpartition(-score[holders], limit - 1)[:limit]]

    def own(self, pool: Numbers) -> Numbers:
        """BM25 over the turn itself, without the names of speakers."""
        all_tell = len(self._telling) == len(self.terms)
        own: Numbers = (self._whole if all_tell else self._own(self._telling.values()))[pool]
        return own

    def _own(self, terms: Iterable[_Found]) -> Numbers:
        score = np.zeros(self._search.visible.known, np.float32)
        for found in terms:
            score[found.memories] += found.worth
        return score

    def block(self, pool: Numbers) -> Numbers:
        """BM25 over each turn and those around it, taken as one; what is further away counts less."""
        search, held = self._search, self._held(pool)
        shares = [FADING ** abs(far) for far, _ in held.around]
        own = search.visible.once("lengths", lambda _: np.append(search.column("length"), 0))  # no turn is number -1
        length = _added(share * own[one] for share, (_, one) in zip(shares, held.around, strict=True))
        room = _room(length, search.visible.mean_length * self._turns_around())
        block = np.zeros(len(pool), np.float32)
        for row, found in enumerate(self.terms.values()):
            often = held.often[:, row]
            some = np.flatnonzero(np.bitwise_or.reduce(often, axis=0))  # most blocks have none of a word
            times = _added(share * one for share, one in zip(shares, often[:, some], strict=True))
            block[some] += np.float32(_idf(search.visible.count, found.blocks)) * _impact(times, room[some])
        return block

    def _held(self, pool: Numbers) -> _Held:
        """Asked for one pool at a time, by several."""
        if self._last is None or self._last.pool is not pool:
            # where nobody has a neighbour at this distance, nothing would be added
            beside = [(far, one) for far, one in self._search.beside(pool, REACH) if (one >= 0).any()]
            self._last = _Held(pool, [(0, pool), *beside], self._often([pool, *(one for _, one in beside)]))
        return self._last

    def _often(self, places: list[Numbers]) -> Numbers:
        """How often each term stands in the memories at these places, by place and term."""
        often = np.zeros(
            self._search.visible.known + 1, np.uint8
        )  # the last stands for no neighbour, which is number -1
        every = np.stack(places)
        found = np.empty((len(self.terms), *every.shape), np.uint8)
        for row, term in zip(found, self.terms.values(), strict=True):
            often[term.memories] = term.times
            np.take(often, every, out=row, mode="wrap")
            _clear(often, term.memories)
        return found.swapaxes(0, 1)

    def _turns_around(self) -> float:
        """How many turns a block has on average, those further away counted less."""

        def mean(visible: VisibleMemories) -> float:
            turns = visible.session_turns
            whole = turns.sum() + 2 * sum(FADING**far * np.maximum(turns - far, 0).sum() for far in range(1, REACH + 1))
            return float(whole) / max(visible.count, 1)

        return self._search.visible.once("turns around", mean)

    def _blocks_with(self, memories: Numbers) -> int:
        """How many turns have the word of these in their block. A word of very many is in about as many blocks as
        chance has it."""
        count, holders = self._search.visible.count, len(memories)
        if holders > COUNTED_EXACTLY:
            return round(count * -math.expm1(-holders * self._turns_around() / count))
        if self._search.visible.once("all alone", lambda visible: bool(visible.session_turns.max(initial=0) <= 1)):
            return holders
        known = self._search.visible.known
        near = np.zeros(known + 1, bool)
        near[memories] = True
        for _, beside in self._search.beside(memories, REACH):
            near[beside] = True
        return int(np.count_nonzero(near[:known]))

    def _sessions(self) -> Numbers:
        """For every session BM25 over the whole of it, taken as one; how rare a word is, is counted in sessions."""
        visible = self._search.visible
        measure = visible.once("sessions", _measured)
        if measure.is_by_memory:
            return self._whole
        score = np.zeros(len(visible.session_lengths), np.float32)
        for found in self.terms.values():
            if len(found.memories):
                holders, times = measure.by_session(visible.sessions[found.memories], found.times)
                score[holders] += _idf(measure.seen, len(holders)) * _impact(times, measure.room[holders])
        return score

    def cover(self, pool: Numbers) -> Numbers:
        """The share of what the question's words tell that a turn holds, half of it by itself and half with the turns
        right beside it; names of speakers are left out."""
        whole = sum(found.idf for found in self._telling.values()) or 1.0
        held = self._held(pool)
        near = [place for place, (far, _) in enumerate(held.around) if abs(far) <= 1]
        own, within = held.often[0] > 0, np.logical_or.reduce(held.often[near] > 0, axis=0)
        share = np.zeros(len(pool), np.float32)
        for row, (term, found) in enumerate(self.terms.items()):
            if term in self._telling:
                share += found.idf / whole / 2 * (own[row].astype(np.float32) + within[row])
        return share

    def before(self, pool: Numbers) -> Numbers:
        """The same share, of the turn right before each."""
        whole = sum(found.idf for found in self._telling.values()) or 1.0
        held, share = self._held(pool), np.zeros(len(pool), np.float32)
        for place in (place for place, (far, _) in enumerate(held.around) if far == -1):
            for row, (term, found) in enumerate(self.terms.items()):
                if term in self._telling:
                    share += found.idf / whole * (held.often[place, row] > 0)
        return share

    def holding(self, phrase: str) -> Numbers:
        """The memories that hold all words of a phrase, in whatever order."""
        held: Numbers | None = None
        for word in words(phrase):
            memories, _ = self._search.index.words.of(word, self._search.visible.known)
            held = memories if held is None else np.intersect1d(held, memories, assume_unique=True)
        return held[self._seen[held]] if held is not None else np.zeros(0, np.int64)

    def echo(self, pool: Numbers, score: Numbers) -> Numbers:
        """A second hop: how much each turn shares of the rare words of the best hits, which the question lacks.

        A hit must not vouch for itself: only what the other hits have in common with it counts.
        """
        best = best_first(pool, score, ECHO_HITS)
        share = {int(place): self._rare_words(int(pool[place]), rank) for rank, place in enumerate(best)}
        weight: dict[int, float] = defaultdict(float)
        for told in share.values():
            for word, part in told.items():
                weight[word] += part
        chosen = dict(sorted(weight.items(), key=lambda pair: (-pair[1], pair[0]))[:ECHO_WORDS])
        if not chosen:
            return np.zeros(len(pool), np.float32)
        places, rows, impact = self._in_pool(list(chosen), pool)
        vouched = np.asarray(list(chosen.values()), np.float32)[rows]
        own = [
            (row * len(pool) + place, told[word])
            for row, word in enumerate(chosen)
            for place, told in share.items()
            if word in told
        ]
        by_word = rows * len(pool) + places  # ascending: word by word, and in each by place
        vouched[np.searchsorted(by_word, [at for at, _ in own])] -= np.asarray([part for _, part in own], np.float32)
        echo = np.bincount(places, vouched * impact, len(pool)).astype(np.float32)
        most = float(echo.max())
        return echo / most if most > 0 else echo

    def _in_pool(self, numbers: list[int], pool: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Where in the pool each of these words stands, word by word: the places, which of the words, and what it is
        worth there."""
        postings, visible = self._search.index.words, self._search.visible
        found = [postings.of(postings.word(number), visible.known) for number in numbers]
        memories = np.concatenate([one for one, _ in found])
        held = np.flatnonzero(marked(visible.known, pool)[memories])
        here = memories[held]
        rows = np.repeat(np.arange(len(found)), [len(one) for one, _ in found])[held]
        idf = np.asarray([_idf(visible.count, self._holders(one)) for one, _ in found])
        times = np.concatenate([times for _, times in found])[held]
        worth = idf[rows] * _impact(times, _room(self._search.column("length")[here], visible.mean_length))
        return np.searchsorted(pool, here), rows, worth

    def _holders(self, memories: Numbers) -> int:
        """How many of them may be seen."""
        whole = self._search.visible.count == self._search.visible.known
        return len(memories) if whole else int(np.count_nonzero(self._seen[memories]))

    def _rare_words(self, memory: int, rank: int) -> dict[int, float]:
        postings, visible = self._search.index.words, self._search.visible
        numbers = postings.words_of(memory)
        limit = max(ECHO_LEAST, ECHO_SHARE * visible.count)
        found = {}
        for number, many in zip(numbers.tolist(), postings.counts(numbers, visible.known), strict=True):
            word = postings.word(number)
            if word in self.terms or word.isdigit() or many >= 2 * limit:
                continue
            holders = many if visible.count == visible.known else self._holders(postings.of(word, visible.known)[0])
            if 1 < holders < limit:
                found[number] = _idf(visible.count, holders) / (2 + rank) / math.sqrt(len(numbers))
        return found


def _idf(count: int, holders: int) -> float:
    return math.log(1 + (count - holders + 0.5) / (holders + 0.5))


def _room(length: Numbers, usual: float) -> Numbers:
    """How often a word must stand in a text of this length for half of what it can be worth there."""
    room: Numbers = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / usual)
    return room


def _impact(times: Numbers, room: Numbers) -> Numbers:
    impact: Numbers = times * (SATURATION + 1) / (times + room)
    return impact


def _measured(visible: VisibleMemories) -> _Measure:
    lengths, sessions = visible.session_lengths, visible.sessions
    seen = max(int(np.count_nonzero(lengths)), 1)
    room = _room(lengths, float(lengths.sum()) / seen or 1.0)
    apart = np.diff(sessions)
    one_each = bool((apart > 0).all())
    alike = one_each and len(sessions) == len(lengths) and seen == visible.count
    is_by_memory = alike and np.array_equal(room, _room(lengths, visible.mean_length))
    return _Measure(seen, room, bool((apart >= 0).all()), one_each, is_by_memory)


def _clear(numbers: Numbers, places: Numbers) -> None:
    """Sets these to nought; where they are many, all of them is quicker."""
    if len(places) * 64 > len(numbers):
        numbers.fill(0)
    else:
        numbers[places] = 0


def _added(parts: Iterable[Numbers]) -> Numbers:
    first, *others = parts
    whole = first.astype(np.float32)
    for one in others:
        whole += one
    return whole

"""Which memories hold a word, and how often? Postings in arrays: a large sorted part, and a small tail that is new.

Memories are known by number, in the order in which they were learned, so that every list is sorted and the state at an
earlier time is a prefix of it. Nothing is weighed here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

import numpy as np

from treering.recall.index.columns import Column, Numbers

TAIL_POSTINGS = 100_000
MOST_TIMES = 255


@dataclass(frozen=True, slots=True)
class _Held:
    """The large part, and what came since: exchanged as one, so that who reads never sees half of it."""

    starts: Numbers
    memories: Numbers
    times: Numbers
    tail: dict[int, tuple[list[int], list[int]]]


class Postings:
    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        """The number of each word."""
        self._spelling: list[str] = []
        self._held = _Held(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8), {})
        self._tail_size = 0
        self._sorted: list[str] | None = None
        self.forward = Column(np.int32)
        """The words of every memory, one memory after the other."""
        self.ends = Column(np.int64)
        """Where the words of each memory end in `forward`."""

    def add(self, memory: int, words: Iterable[str]) -> int:
        """Learns the words of the next memory; answers how many there were, with repeats."""
        counted = Counter(words)
        numbers = []
        for word, times in counted.items():
            number = self.number.get(word)
            if number is None:
                number = self.number[word] = len(self._spelling)
                self._spelling.append(word)
            memories, often = self._held.tail.setdefault(number, ([], []))
            memories.append(memory)
            often.append(min(times, MOST_TIMES))
            numbers.append(number)
        self.forward.extend(numbers)
        self.ends.extend([len(self.forward)])
        self._tail_size += len(numbers)
        if self._tail_size > max(TAIL_POSTINGS, len(self._held.memories) // 4):
            self.settle()
        return counted.total()

    def of(self, word: str, memories: int) -> tuple[Numbers, Numbers]:
        """Among the first `memories`: those that hold the word, in order, and how often each does."""
        number, held = self.number.get(word), self._held
        if number is None:
            return held.memories[:0], held.times[:0]
        start, end = held.starts[number : number + 2] if number + 1 < len(held.starts) else (0, 0)
        found, times = held.memories[start:end], held.times[start:end]
        tail = held.tail.get(number)
        if tail is not None:
            often = tail[1][:]  # the shorter list while another thread appends
            found = np.concatenate([found, np.asarray(tail[0][: len(often)], np.int32)])
            times = np.concatenate([times, np.asarray(often, np.uint8)])
        if len(found) and found[-1] >= memories:
            cut = int(np.searchsorted(found, memories))
            return found[:cut], times[:cut]
        return found, times

    def word(self, number: int) -> str:
        return self._spelling[number]

    def spelling(self) -> list[str]:
        """Every word, in the order of its number."""
        return self._spelling

    def words_of(self, memory: int) -> Numbers:
        """The numbers of the words of one memory, each once."""
        ends = self.ends.rows
        found: Numbers = self.forward.rows[0 if memory == 0 else ends[memory - 1] : ends[memory]]
        return found

    def beginning_with(self, prefix: str) -> Iterator[str]:
        """Words that begin so, in alphabetical order."""
        if self._sorted is None or len(self._sorted) != len(self.number):
            self._sorted = sorted(self.number)
        first = bisect_left(self._sorted, prefix)
        return takewhile(lambda word: word.startswith(prefix), islice(self._sorted, first, None))

    def settle(self) -> None:
        """Sorts the tail into the large part."""
        if not self._tail_size:
            return
        held, tail = self._held, dict(sorted(self._held.tail.items()))
        old = np.zeros(len(self.number), np.int64)
        old[: len(held.starts) - 1] = np.diff(held.starts)
        new = np.zeros(len(self.number), np.int64)
        new[list(tail)] = [len(memories) for memories, _ in tail.values()]
        starts = np.concatenate([[0], np.cumsum(old + new)])
        memories, times = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)
        kept = np.repeat(starts[:-1] - np.cumsum(old) + old, old) + np.arange(len(held.memories))
        memories[kept], times[kept] = held.memories, held.times
        added = np.repeat(starts[:-1] + old - np.cumsum(new) + new, new) + np.arange(int(new.sum()))
        memories[added] = np.fromiter((one for found, _ in tail.values() for one in found), np.int32)
        times[added] = np.fromiter((one for _, often in tail.values() for one in often), np.uint8)
        self._held, self._tail_size = _Held(starts, memories, times, {}), 0

    # as arrays, for a snapshot

    def arrays(self) -> dict[str, Numbers]:
        self.settle()
        return {
            "starts": self._held.starts,
            "memories": self._held.memories,
            "times": self._held.times,
            "forward": self.forward.rows,
            "ends": self.ends.rows,
        }

    @classmethod
    def from_arrays(cls, words: list[str], arrays: dict[str, Numbers]) -> Postings:
        postings = cls()
        postings.number = {word: number for number, word in enumerate(words)}
        postings._spelling = words
        postings._held = _Held(arrays["starts"], arrays["memories"], arrays["times"], {})
        postings.forward = Column(np.int32, start=arrays["forward"])
        postings.ends = Column(np.int64, start=arrays["ends"])
        return postings

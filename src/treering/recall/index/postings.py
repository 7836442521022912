"""Which memories hold a word, and how often? Postings in arrays: a large sorted part, and a small tail that is new.

Memories are known by number, in the order in which they were learned, so that every list is sorted and the state at an
earlier time is a prefix of it. Nothing is weighed here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

import numpy as np

from treering.recall.index.columns import MemoryColumn, Numbers
from treering.values import dataclass

TAIL_POSTINGS, TAIL_SHARE = 10_000, 16
"""So many, or one in so many of all, are looked through as they came; then they are sorted in."""
MOST_TIMES = 255


@dataclass(frozen=True, slots=True)
class _Held:
    """The large part, and what came since: exchanged as one, so that who reads never sees half of it."""

    starts: Numbers
    memories: Numbers
    times: Numbers
    tail: dict[int, tuple[list[int], list[int]]]


class _Numbers(dict[str, int]):
    """Numbers words as they are first asked for."""

    def __init__(self, words: list[str]) -> None:
        super().__init__((word, number) for number, word in enumerate(words))
        self._spelling = words

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self._spelling)
        self._spelling.append(word)
        return number


class Postings:
    def __init__(self) -> None:
        self._spelling: list[str] = []
        self.number: dict[str, int] = _Numbers(self._spelling)
        """The number of each word."""
        self._held = _Held(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8), {})
        self._tail_size = 0
        self._waiting: list[tuple[Numbers, Numbers, Numbers]] = []
        """Words, memories and times that were added and not yet filed."""
        self._sorted: list[str] | None = None
        self.forward = MemoryColumn(np.int32)
        """The words of every memory, one memory after the other."""
        self.ends = MemoryColumn(np.int64)
        """Where the words of each memory end in `forward`."""

    def add(self, said: Iterable[Iterable[str]]) -> list[int]:
        """Learns the words of the next memories; answers how many each had, with repeats. Found once they are filed."""
        number, every, lengths = self.number, list[int](), list[int]()
        for words in said:
            before = len(every)
            every += [number[word] for word in words]
            lengths.append(len(every) - before)
        first = len(self.ends)
        whose = np.repeat(np.arange(first, first + len(lengths), dtype=np.int64), lengths)
        # each word of a memory once, where it stands first, and how often it stands there
        _, places, times = np.unique(whose << 32 | np.asarray(every, np.int64), return_index=True, return_counts=True)
        order = np.argsort(places)
        numbers, memories = np.asarray(every, np.int32)[places[order]], whose[places[order]].astype(np.int32)
        often = np.minimum(times[order], MOST_TIMES).astype(np.uint8)
        self._waiting.append((numbers, memories, often))
        ends = len(self.forward) + np.cumsum(np.bincount(memories - first, minlength=len(lengths)))
        self.forward.extend(numbers)
        self.ends.extend(ends)
        return lengths

    def file(self) -> None:
        """Few postings join the tail; many are sorted in at once, with the tail."""
        waiting = sum(len(words) for words, _, _ in self._waiting)
        if self._tail_size + waiting > max(TAIL_POSTINGS, len(self._held.memories) // TAIL_SHARE):
            self.settle()
            return
        tail = self._held.tail
        for added in self._waiting:
            for word, memory, times in zip(*(part.tolist() for part in added), strict=True):
                memories, often = tail.setdefault(word, ([], []))
                memories.append(memory)
                often.append(times)
        self._waiting, self._tail_size = [], self._tail_size + waiting

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

    def count(self, number: int, memories: int) -> int:
        """Among the first `memories`: how many hold the word of this number."""
        held, tail = self._held, self._held.tail.get(number)
        later = 0 if tail is None else bisect_left(tail[0], memories)
        if number + 1 >= len(held.starts):
            return later
        start, end = int(held.starts[number]), int(held.starts[number + 1])
        if start < end and held.memories[end - 1] >= memories:
            end = start + int(np.searchsorted(held.memories[start:end], memories))
        return end - start + later

    def counts(self, numbers: Numbers, memories: int) -> list[int]:
        """The same of several words."""
        held = self._held
        if memories < len(self.ends) or int(numbers.max(initial=0)) + 1 >= len(held.starts):
            return [self.count(number, memories) for number in numbers.tolist()]
        found: list[int] = (held.starts[numbers + 1] - held.starts[numbers]).tolist()
        if not held.tail:
            return found
        tails = (held.tail.get(number) for number in numbers.tolist())
        later = (0 if tail is None else bisect_left(tail[0], memories) for tail in tails)
        return [one + more for one, more in zip(found, later, strict=True)]

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
        """Sorts everything into the large part."""
        if not self._tail_size and not self._waiting:
            return
        held, (words, memories, times) = self._held, self._unsettled()
        old = np.zeros(len(self._spelling), np.int64)
        old[: len(held.starts) - 1] = np.diff(held.starts)
        new = np.bincount(words, minlength=len(old))
        starts = np.concatenate([[0], np.cumsum(old + new)])
        all_memories, all_times = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)
        kept = np.repeat(starts[:-1] - np.cumsum(old) + old, old) + np.arange(len(held.memories))
        all_memories[kept], all_times[kept] = held.memories, held.times
        added = np.repeat(starts[:-1] + old - np.cumsum(new) + new, new) + np.arange(len(words))
        order = np.argsort(words, kind="stable")
        all_memories[added], all_times[added] = memories[order], times[order]
        self._held, self._tail_size, self._waiting = _Held(starts, all_memories, all_times, {}), 0, []

    def _unsettled(self) -> tuple[Numbers, Numbers, Numbers]:
        """Words, memories and times of the tail and of what is not filed; the memories of each word in order."""
        tail = self._held.tail
        counts = np.asarray([len(memories) for memories, _ in tail.values()], np.int64)
        words = np.repeat(np.fromiter(tail, np.int32), counts)
        memories = np.fromiter((one for found, _ in tail.values() for one in found), np.int32)
        times = np.fromiter((one for _, often in tail.values() for one in often), np.uint8)
        parts = zip((words, memories, times), *self._waiting, strict=True)
        return tuple(np.concatenate(part) for part in parts)  # type: ignore[return-value]

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
        postings._spelling = words
        postings.number = _Numbers(words)
        postings._held = _Held(arrays["starts"], arrays["memories"], arrays["times"], {})
        postings.forward = MemoryColumn(np.int32, start=arrays["forward"])
        postings.ends = MemoryColumn(np.int64, start=arrays["ends"])
        return postings

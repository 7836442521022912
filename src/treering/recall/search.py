"""What is put to one space? A question with all that was read in it, and the memories that it may see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treering.language.when.window import Window
from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Meanings
from treering.recall.index.space import SpaceIndex
from treering.recall.question import NamedSpeakers, Question
from treering.recall.visibility import VisibleMemories
from treering.values import dataclass

LARGE = 100_000


@dataclass(frozen=True, slots=True)
class Search:
    index: SpaceIndex
    visible: VisibleMemories
    allowed: Numbers
    """Marks the seen memories that the filters leave: only these are answers, while all that are seen inform."""
    question: Question
    named: NamedSpeakers
    vector: Numbers | None
    """The question as the space's embedder reads it."""
    skip: frozenset[str] = frozenset()
    """Signals that are left out."""
    vectors: Meanings | None = None
    """What the memories are compared with it by."""
    borders: frozenset[int] = frozenset()
    """Those that tell of an event which the question asks what was before."""
    before_facts: tuple[Window, ...] = ()
    """Windows that end where a fact begins: what held last before it is meant."""

    def column(self, name: str) -> Numbers:
        """As far as it is known."""
        found: Numbers = self.index[name][: self.visible.known]
        return found

    def beside(self, memories: Numbers, reach: int) -> Iterator[tuple[int, Numbers]]:
        """By distance, up to `reach` turns before (negative) and after: the neighbour of each in its session, -1 where
        there is none."""
        for links, sign in ((self.visible.previous, -1), (self.visible.following, 1)):
            at = memories
            for distance in range(1, reach + 1):
                at = links[at]
                yield sign * distance, at

    @property
    def candidates(self) -> int:
        """How many may be answers."""
        return int(np.count_nonzero(self.allowed))

    @property
    def lists(self) -> bool:
        """The filters narrow the search, and no word of the question says what is wanted of what they leave."""
        return not self.question.terms and not self.question.phrases and self.candidates < self.visible.count

    def runs(self, signal: str) -> bool:
        return signal not in self.skip


def growing(few: int, many: int, memories: int) -> int:
    """So many of those that a signal puts first are weighed: few in a small space, many from `LARGE` memories on."""
    return few + (many - few) * min(memories, LARGE) // LARGE


def marked(size: int, numbers: Numbers) -> Numbers:
    marks = np.zeros(size, bool)
    marks[numbers] = True
    return marks


def best_first(things: Numbers, score: Numbers, limit: int) -> Numbers:
    """The places of the `limit` with the highest score; of equal ones the earlier thing first. Only those that may be
    among them are put in order."""
    if len(things) <= 2 * limit:
        return np.lexsort((things, -score))[:limit]
    least = np.partition(score, len(score) - limit)[-limit]
    some = np.flatnonzero(score >= least)
    return some[np.lexsort((things[some], -score[some]))[:limit]]

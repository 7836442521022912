"""What has faded so far that it may be put away? The weakest memories are archived, or forgotten; none is ever purged.

Never taken: what is identity-defining, what was promoted, and what others rest on. All memories are looked at before
anything is locked, a few at a time; the chosen are looked at again under the lock.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import field
from datetime import datetime

from treering.model import limits
from treering.model.changes import Changes, Marked, Thing
from treering.model.memory import Mark, View
from treering.model.value import Value
from treering.store.contract import Act, MemoryFilter, Reader, Standing
from treering.upkeep.policies import Policies, present
from treering.values import dataclass

_AT_ONCE = 512
PREVIEW_CHARS = 80
SHOWN = 100


@dataclass(frozen=True, slots=True, repr=False)
class Faded(Value):
    id: str
    score: float
    content: str
    """Its beginning."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Collected(Value):
    """What was put away, the weakest first: the `ids` of all, and the first hundred `memories`. `left`: how many more
    are below the threshold; `kept`: how many of those below it were left alone, and why; `freed_score`: what was left
    of the collected, all together."""

    archived: int
    forgotten: int
    ids: tuple[str, ...]
    memories: tuple[Faded, ...]
    freed_score: float
    threshold: float
    looked_at: int
    left: int
    kept: dict[str, int]
    dry_run: bool = False


@dataclass(slots=True)
class Weakest:
    """The weakest memories of a look at all of them, no more than `most`."""

    most: int
    looked_at: int = 0
    below: int = 0
    kept: dict[str, int] = field(default_factory=lambda: {"importance": 0, "promoted": 0, "cited": 0})
    _heap: list[tuple[float, str]] = field(default_factory=list)

    def take(self, score: float, memory_id: str) -> None:
        self.below += 1
        if len(self._heap) < self.most:
            heapq.heappush(self._heap, (-score, memory_id))
        else:
            heapq.heappushpop(self._heap, (-score, memory_id))

    @property
    def ids(self) -> list[str]:
        return [memory_id for _, memory_id in sorted(self._heap, key=lambda one: (-one[0], one[1]))]


def weakest(reader: Reader, limit: int | None) -> Weakest:
    """All current memories that may be collected, of which the weakest are kept."""
    policies, at = Policies.of(reader), present(reader)
    found = Weakest(limit or limits.BATCH)
    faded: list[tuple[float, str]] = []
    for one in reader.standing():
        found.looked_at += 1
        score = policies.decay.score(one, at)
        if score < policies.bands.faded and not _kept(found, policies, one):
            faded.append((score, one.id))
        if len(faded) == _AT_ONCE:
            _take(reader, found, faded)
    _take(reader, found, faded)
    return found


def _kept(found: Weakest, policies: Policies, one: Standing) -> bool:
    if policies.persistence.never_lets_go(one):
        found.kept["importance"] += 1
    elif one.promoted:
        found.kept["promoted"] += 1
    else:
        return False
    return True


def _take(reader: Reader, found: Weakest, faded: list[tuple[float, str]]) -> None:
    cited = reader.cited([memory_id for _, memory_id in faded])
    found.kept["cited"] += len(cited)
    for score, memory_id in faded:
        if memory_id not in cited:
            found.take(score, memory_id)
    faded.clear()


def collect(act: Act, found: Weakest, archive: bool) -> tuple[Changes, Collected]:
    policies = Policies.of(act.reader)
    gone = list(_still_faded(act.reader, policies, found.ids, act.at))
    mark = Mark.ARCHIVED if archive else Mark.FORGOTTEN
    changes = tuple(
        Marked(Thing.MEMORY, memory_id, mark, True, f"faded to {score:.4f}, below {policies.bands.faded:g}")
        for score, memory_id in gone
    )
    return Changes("gc", changes), Collected(
        archived=len(gone) if archive else 0,
        forgotten=0 if archive else len(gone),
        ids=tuple(memory_id for _, memory_id in gone),
        memories=_in_words(act.reader, gone[:SHOWN]),
        freed_score=round(sum(score for score, _ in gone), 6),
        threshold=policies.bands.faded,
        looked_at=found.looked_at,
        left=found.below - len(gone),
        kept=found.kept,
    )


def _still_faded(reader: Reader, policies: Policies, ids: list[str], at: datetime) -> Iterator[tuple[float, str]]:
    """What was used, promoted, cited or taken meanwhile is left alone."""
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        cited = reader.cited(some)
        found = {one.id: one for one in reader.standing(some)}
        for memory in (found[one] for one in some if one in found and one not in cited):
            score = policies.decay.score(memory, at)
            if score < policies.bands.faded and _may_go(policies, memory):
                yield round(score, 6), memory.id


def _may_go(policies: Policies, memory: Standing) -> bool:
    return not memory.promoted and not policies.persistence.never_lets_go(memory)


def _in_words(reader: Reader, gone: list[tuple[float, str]]) -> tuple[Faded, ...]:
    which = MemoryFilter(view=View.ALL, ids=tuple(memory_id for _, memory_id in gone))
    said = {memory.id: memory.content[:PREVIEW_CHARS] for memory in reader.memories(which)} if gone else {}
    return tuple(Faded(memory_id, score, said[memory_id]) for score, memory_id in gone)

"""Which memories belong together? Groups of those that are alike, each held together by a figure, its cohesion; and
pairs that say the same.

How alike two memories are is told by whoever has read them (`Likeness`): a space's vectors, else their words. Only what
the same people may see is grouped, so that nothing made of a group can show what one of its members hid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations
from typing import Protocol

from treering.model import limits
from treering.model.memory import Kind, Memory, Visibility
from treering.model.value import Value
from treering.store.contract import MemoryFilter, Progress, Reader
from treering.upkeep.duplicates import say_the_same
from treering.values import dataclass

THRESHOLD, DUPLICATE_THRESHOLD, MAX_SIZE = 0.83, 0.88, 12
AUTO_MERGE, REVIEW = 0.85, 0.65
NEIGHBOURS = 16
"""How many of the nearest of each memory are looked at: more than a group may have."""
PREVIEW_CHARS = 100
_PAGE = 5_000


class Likeness(Protocol):
    """Who can say how alike memories are, from 0 to 1."""

    def pairs(
        self, ids: Sequence[str], least: float, each: int, progress: Progress | None = None
    ) -> list[tuple[str, str, float]]:
        """Of these, the pairs that are at least so alike, for each memory its nearest; the most alike first."""

    def between(self, ids: Sequence[str]) -> list[list[float]]:
        """How alike each of these is to each."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cluster(Value):
    """`cohesion` is the mean likeness of its pairs; `suggested_action`: auto-merge, review or keep."""

    id: str
    size: int
    cohesion: float
    suggested_action: str
    memory_ids: tuple[str, ...]
    content_previews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Duplicate(Value):
    """Two memories that say the same, the one known first before the other."""

    id1: str
    id2: str
    content1_preview: str
    content2_preview: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Clustering(Value):
    """What was found; `mode` is clustering or duplicate_detection. `memories` is how many were looked at."""

    mode: str
    strategy: str
    threshold: float
    memories: int
    clusters_found: int = 0
    clusters: tuple[Cluster, ...] = ()
    duplicates_found: int = 0
    duplicates: tuple[Duplicate, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True)
class ClusterItem:
    """What grouping needs to know of a memory. `circle` is who may see it: nobody named is everybody."""

    id: str
    content: str
    circle: frozenset[str]
    happened: datetime | None
    """When, if it is something that happened rather than something that holds."""
    source_id: str
    span: tuple[int, int]

    def is_told_with(self, other: ClusterItem) -> bool:
        """Whether one stands in the words of the other: a statement, and a clause of it."""
        (a, b), (c, d) = self.span, other.span
        return self.source_id == other.source_id and ((a <= c and d <= b) or (c <= a and b <= d))


def leaves(reader: Reader) -> Iterator[ClusterItem]:
    """All that holds now and may be seen, the first known first."""
    after = None
    while page := reader.memories(MemoryFilter(after=after, limit=_PAGE)):
        yield from (leaf_of(one) for one in page)
        after = page[-1].recorded_at, page[-1].id


def leaf_of(memory: Memory) -> ClusterItem:
    happened = memory.event_time if memory.kind is Kind.EPISODE else None
    return ClusterItem(memory.id, memory.content, circle_of(memory), happened, memory.source_id, memory.span)


def circle_of(memory: Memory) -> frozenset[str]:
    if memory.visibility is Visibility.SPACE:
        return frozenset()
    return frozenset((*memory.visible_to, *([memory.observed_by] if memory.observed_by else [])))


def cluster_id(memory_ids: Sequence[str]) -> str:
    """The same for the same members, whenever, wherever and by whichever way they were found."""
    return "cluster-" + hashlib.sha256("\n".join(sorted(memory_ids)).encode()).hexdigest()[:16]


def cohesion(alike: Sequence[Sequence[float]]) -> float:
    """The mean of all pairs."""
    pairs = [alike[one][other] for one, other in combinations(range(len(alike)), 2)]
    return round(min(1.0, max(0.0, sum(pairs) / len(pairs))), 4) if pairs else 1.0


def suggested(cohesion: float) -> str:
    return "auto-merge" if cohesion >= AUTO_MERGE else "review" if cohesion >= REVIEW else "keep"


def clusters(
    found: Sequence[ClusterItem], likeness: Likeness, threshold: float, max_size: int, progress: Progress | None = None
) -> list[Cluster]:
    """Groups of two or more, the most coherent first. The most alike come together first, and a group that is full
    takes no more."""
    members, groups = _grouped(found, likeness, threshold, max_size, progress), list[Cluster]()
    by_id = {leaf.id: leaf for leaf in found}
    for ids in members:
        whole = cohesion(likeness.between(ids))
        groups.append(
            Cluster(
                id=cluster_id(ids),
                size=len(ids),
                cohesion=whole,
                suggested_action=suggested(whole),
                memory_ids=tuple(ids),
                content_previews=tuple(preview(by_id[one].content) for one in ids),
            )
        )
    return sorted(groups, key=lambda one: (-one.cohesion, one.id))


def _grouped(
    found: Sequence[ClusterItem], likeness: Likeness, threshold: float, max_size: int, progress: Progress | None
) -> Iterator[list[str]]:
    by_id = {leaf.id: leaf for leaf in found}
    group = {leaf.id: [leaf.id] for leaf in found}
    for one, other, _ in likeness.pairs(list(group), threshold, NEIGHBOURS, progress):
        mine, others = group[one], group[other]
        if mine is others or by_id[one].circle != by_id[other].circle or len(mine) + len(others) > max_size:
            continue
        if by_id[one].is_told_with(by_id[other]):
            continue
        mine += others
        group.update((moved, mine) for moved in others)
    order = {leaf.id: place for place, leaf in enumerate(found)}
    once = {id(members): members for members in group.values() if len(members) > 1}
    for members in once.values():
        yield sorted(members, key=order.__getitem__)


def duplicates(
    found: Sequence[ClusterItem], likeness: Likeness, threshold: float, progress: Progress | None = None
) -> list[Duplicate]:
    """Pairs that say the same, the most alike first, and no more than are told. Nearness alone does not tell "Sam lives
    in Oslo" from "Sam lived in Oslo": the words decide."""
    by_id = {leaf.id: leaf for leaf in found}
    order = {leaf.id: place for place, leaf in enumerate(found)}
    same = []
    for one, other, alike in likeness.pairs(list(by_id), threshold, NEIGHBOURS, progress):
        first, second = sorted((by_id[one], by_id[other]), key=lambda leaf: order[leaf.id])
        if same_said(first, second):
            same.append(_duplicate(first, second, alike))
            if len(same) == limits.DUPLICATES:  # of what was said a thousand times each is one of each other
                break
    return same


def same_said(first: ClusterItem, second: ClusterItem) -> bool:
    """Whether two say the same to the same people."""
    of_one_kind = first.circle == second.circle and _at_the_same_time(first, second)
    return of_one_kind and say_the_same(first.content, second.content)


def _at_the_same_time(first: ClusterItem, second: ClusterItem) -> bool:
    """What happened on two days happened twice, in whatever words."""
    if first.happened is None or second.happened is None:
        return True
    return first.happened.date() == second.happened.date()


def _duplicate(first: ClusterItem, second: ClusterItem, alike: float) -> Duplicate:
    return Duplicate(
        id1=first.id,
        id2=second.id,
        content1_preview=preview(first.content),
        content2_preview=preview(second.content),
        similarity=round(min(1.0, alike), 4),
    )


def preview(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= PREVIEW_CHARS else line[: PREVIEW_CHARS - 1] + "…"

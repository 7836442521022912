"""Which spaces are there, below which, and how much is known in each? A tree with true counts, however much is cut."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

from treering.model.value import Value
from treering.store.contract import Reader
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Branch(Value):
    """A space or a part of one's path. `count` is what it holds itself, `subtree_count` what it and all below hold, as
    far as the reader may see; `left_out` is how many spaces directly below are not shown."""

    space: str
    name: str
    count: int
    subtree_count: int
    children: tuple[Branch, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """How much of the tree is shown: so many levels below the root, and so many spaces besides it."""

    depth: int
    limit: int


Open = Callable[[str], AbstractContextManager[Reader]]
"""A reader of a space and all below it."""


def taxonomy(open_at: Open, every: Iterable[str], prefix: str | None, cut: TreeLimits) -> Branch:
    """From `prefix` on, or of `every` space. Those nearest to the root are kept, in the order of their names."""
    root = prefix or ""
    names = [one for one in every if prefix is None or one == prefix or one.startswith(prefix + "/")]
    counts = _counts(open_at, [prefix] if prefix is not None else sorted({one.split("/")[0] for one in names}))
    below: dict[str, set[str]] = defaultdict(set)
    totals: Counter[str] = Counter()
    for name in names:
        for path in _down_to(name, root):
            totals[path] += counts.get(name, 0)
            if path != root:
                below[_above(path)].add(path)
    return _branch(root, below, _nearest(root, below, cut), counts, totals)


def _counts(open_at: Open, tops: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for top in tops:
        with open_at(top) as reader:
            counts |= reader.census()
    return counts


def _down_to(name: str, root: str) -> Iterable[str]:
    """The root, and every path from there to the space itself."""
    segments = name.split("/")
    begins = len(root.split("/")) if root else 0
    return ["/".join(segments[:end]) for end in range(begins, len(segments) + 1)]


def _above(path: str) -> str:
    return path.rpartition("/")[0]


def _nearest(root: str, below: Mapping[str, set[str]], cut: TreeLimits) -> set[str]:
    kept: set[str] = set()
    waiting = deque([(root, 0)])
    while waiting:
        path, level = waiting.popleft()
        for one in sorted(below.get(path, ())) if level < cut.depth else ():
            if len(kept) == cut.limit:
                return kept
            kept.add(one)
            waiting.append((one, level + 1))
    return kept


def _branch(
    path: str, below: Mapping[str, set[str]], kept: set[str], counts: Mapping[str, int], totals: Mapping[str, int]
) -> Branch:
    under = below.get(path, set())
    shown = sorted(under & kept)
    return Branch(
        space=path,
        name=path.rpartition("/")[2],
        count=counts.get(path, 0),
        subtree_count=totals.get(path, 0),
        children=tuple(_branch(one, below, kept, counts, totals) for one in shown),
        left_out=len(under) - len(shown),
    )

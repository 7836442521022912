"""Would a backup answer as this store does? A restored copy and the store itself are asked the same, as things were known
when the backup was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING

from treering.model.memory import View
from treering.model.value import Value
from treering.store.contract import MemoryFilter, Scope, Store
from treering.store.verify import Verification
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.door.upkeep import Keeps

HITS = 5
ASKED_CHARS = 400
MOST_DIFFERENCES = 20


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rehearsal(Value):
    """`ok`: the backup verifies, and answers as this store does. `behind`: by space, how many entries were written since.
    `purged_since`: spaces in which something was purged since, whose bytes this backup still holds; their answers are
    not compared. `asked` and `alike`: questions, and how many were answered the same."""

    ok: bool
    name: str = ""
    sealed: bool = False
    spaces: tuple[str, ...] = ()
    entries: int = 0
    rows: int = 0
    behind: dict[str, int] = field(default_factory=dict)
    purged_since: tuple[str, ...] = ()
    asked: int = 0
    alike: int = 0
    differences: tuple[str, ...] = ()


class _Comparing:
    def __init__(self, here: Keeps, there: Keeps, copy: Store) -> None:
        self._here, self._there, self._copy = here, there, copy
        self.behind = dict[str, int]()
        self.purged = list[str]()
        self.differences = list[str]()
        self.asked = self.alike = 0

    def space(self, name: str, questions: int) -> None:
        mine, head = self._here._store, self._copy.head(name)
        same = next(iter(mine.entries(name, head.seq - 1, 1)), None) if head.seq else None
        if head.seq and (same is None or same.hash != head.hash):
            self.differences.append(f"{name}: entry {head.seq} of the backup is not in the journal here")
            return
        self.behind[name] = mine.head(name).seq - head.seq
        if mine.purges(name) != self._copy.purges(name):
            self.purged.append(name)
            return
        if head.at is None:
            return
        here, there = (self._counts(door, name, head.at) for door in (self._here, self._there))
        if here != there:
            self.differences.append(f"{name}: {there} in the backup, {here} here")
        for question in self._questions(name, questions):
            self._ask(name, question, head.at)

    def _ask(self, space: str, question: str, at: datetime) -> None:
        here, there = (
            [hit.memory.id for hit in door.recall(question, limit=HITS, space=space, as_of=at, known_at=at)]
            for door in (self._here, self._there)
        )
        self.asked += 1
        self.alike += here == there
        if here != there:
            self.differences.append(f"{space}: {question[:60]!r} finds {there} in the backup, {here} here")

    def _counts(self, door: Keeps, space: str, at: datetime) -> dict[str, int]:
        with door._reading(space, at, at) as reader:
            counts = reader.counts()
        return {**counts.memories, "entities": counts.entities, "edges": counts.edges}

    def _questions(self, name: str, most: int) -> Iterator[str]:
        """What the first and the last memories say."""
        with self._copy.reader(Scope(name, self._here.now(), principal=self._here.actor)) as reader:
            some = (MemoryFilter(view=View.CURRENT, limit=most, newest_first=newest) for newest in (False, True))
            first, last = (reader.memories(one) for one in some) if most > 0 else ([], [])
        both = dict.fromkeys(one.content[:ASKED_CHARS] for pair in zip(first, last, strict=True) for one in pair)
        yield from list(both)[: max(0, most)]


def rehearse(here: Keeps, there: Keeps, copy: Store, checked: Verification, questions: int) -> Rehearsal:
    comparing = _Comparing(here, there, copy)
    for index, name in enumerate(checked.spaces):
        left = len(checked.spaces) - index
        comparing.space(name, -(-(questions - comparing.asked) // left))
    differences = [*map(str, checked.differences), *comparing.differences]
    return Rehearsal(
        ok=not differences,
        spaces=checked.spaces,
        entries=checked.entries,
        rows=checked.rows or 0,
        behind=comparing.behind,
        purged_since=tuple(comparing.purged),
        asked=comparing.asked,
        alike=comparing.alike,
        differences=tuple(differences[:MOST_DIFFERENCES]),
    )

"""Stores of one space that go their own ways and meet in any order: whatever was exchanged when, and wherever an
exchange was cut off, once all have met they give the same answers at every moment, every journal verifies, and what
each had known before it met the others is as it was."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, NotFound
from treering.ingest.extract.extractors import Extractors
from treering.model.changes import EntityMerged
from treering.model.memory import View
from treering.store.contract import EdgeFilter, MemoryFilter, Scope
from treering.store.reference import ReferenceStore
from treering.store.sqlite import SqliteStore

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Acme", "Oslo")
STORES = 3


@dataclass
class Clock:
    now: datetime = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Household:
    """A few stores, each with a clock of its own, the first of them the reference."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        kept = [ReferenceStore(), *(SqliteStore(":memory:", durability="off") for _ in range(STORES - 1))]
        self.doors = [
            Treering(one, clock=Clock(START + n * timedelta(minutes=7)), actor=f"at {n}", extractors=Extractors("none"))
            for n, one in enumerate(kept)
        ]

    def of(self, n: int) -> Treering:
        return self.doors[n % STORES]

    def act(self, n: int, name: str, a: int, b: int) -> None:  # noqa: PLR0912  one arm an operation
        door = self.of(n)
        memories = [one.id for one in door.list(view="all", limit=200)]
        edges = [one for one in every_edge(door) if one.family.value == "fact"]
        pick = lambda some, k: some[k % len(some)] if some else None  # noqa: E731
        one, other = pick(memories, a), pick(memories, b)
        edge = pick(edges, a)
        try:
            match name:
                case "add":
                    key = f"key {b}" if a == 0 else None
                    door.add(f"{NAMES[a % 4]} said {b}", entities=[NAMES[a % 4]], key=key, tags=[f"t{b % 2}"])
                case "fact":
                    door.assert_fact(NAMES[a % 2], ("WORKS_FOR", "LIVES_IN")[b % 2], NAMES[2 + (a + b) % 2])
                case "replace" if one:
                    door.link(door.add(f"instead {a} {b}").memories[0].id, one, "supersedes")
                case "derive" if one:
                    door.link(door.add(f"from it {a}").memories[0].id, one, "derived_from")
                case "link" if one and other:
                    door.link(one, other, ("supersedes", "related_to", "derived_from")[a % 3])
                case "forget" if one:
                    door.forget(one)
                case "restore" if one:
                    door.restore(one)
                case "invalidate" if edge:
                    at = edge.valid_from + timedelta(hours=b % 3)
                    door.invalidate(edge.source_id, edge.target_id, edge.relation, at=at)
                case "reopen" if edge:
                    door.reopen(edge.source_id, edge.target_id, edge.relation)
                case "merge":
                    door.entity_merge(NAMES[a % 4], NAMES[b % 4])
                case "split" if merged := merged_in(door):
                    door.entity_split(pick(merged, a))
                case "touch" if one:
                    door.touch(one)
                case "purge" if one:
                    door.purge(one, "asked")
                case "setting":
                    door.settings({"touch_on_recall": bool(b % 2)})
        except (Conflict, NotFound):
            return  # such a thing cannot be asked of this store now
        except InvalidRequest as error:
            if not any(said in str(error) for said in ("itself", "the same entity", "is not merged")):
                raise

    def exchange(self, into: int, out_of: int, lines: int | None) -> int:
        """One store takes over the journal of another, or only so many lines and a half of it."""
        if into % STORES == out_of % STORES or not self.of(out_of).spaces():
            return 0
        self.count += 1
        path = self.folder / f"{self.count}.jsonl"
        self.of(out_of).export(str(path), space="default")
        if lines is not None:
            written = path.read_bytes().splitlines(keepends=True)
            half = b"".join(one[: len(one) // 2] for one in written[lines : lines + 1])
            path.write_bytes(b"".join(written[:lines]) + half)
        try:
            return self.of(into).receive_journal(str(path)).received
        except InvalidRequest as error:
            if lines is None or "no entry of a journal" not in str(error):
                raise
            return 0  # cut off before the first entry was whole

    def meet(self) -> None:
        """Each with each, until nobody has anything new to tell."""
        for _ in range(12):
            pairs = [(a, b) for a in range(STORES) for b in range(STORES) if a != b]
            if not sum(self.exchange(a, b, None) for a, b in pairs):
                return
        raise AssertionError("they never stop telling each other something new")

    def close(self) -> None:
        for door in self.doors:
            door.close()


def every_edge(door: Treering) -> list[Any]:
    with door._reading(None) as reader:
        return reader.edges(EdgeFilter(include_closed=True))


def merged_in(door: Treering) -> list[str]:
    changes = [change for entry in door._store.entries("default") for change in entry.changes()]
    return sorted({one.entity_id for one in changes if isinstance(one, EntityMerged)})


def answers(door: Treering, as_of: datetime, known_at: datetime | None = None) -> dict[str, Any]:
    """All that a store says at a moment, but for when it came to know it."""
    with door._store.reader(Scope("default", door.now(), as_of, known_at, None)) as reader:
        everything = reader.all_seeing()
        memories = everything.memories(MemoryFilter(view=View.ALL))
        edges = everything.edges(EdgeFilter(include_closed=True, include_forgotten=True))
        return {
            "memories": sorted(
                (one.id, one.content, one.state.value, one.valid_from, one.valid_until, one.use_count, one.tags)
                for one in memories
            ),
            "edges": sorted(
                (one.id, one.source_id, one.target_id, one.relation, one.valid_from, str(one.valid_until),
                 one.forgotten_at is None)
                for one in edges
            ),
            "sources": sorted((one.source_id, everything.source(one.source_id).content) for one in memories),
            "entities": sorted((one.id, one.name, tuple(sorted(set(one.aliases)))) for one in everything.entities()),
            "usage": everything.setting("touch_on_recall"),
        }  # fmt: skip


def conflicts(door: Treering) -> set[frozenset[str]]:
    return {frozenset((one.newer.content, one.older.content)) for one in door.contradictions(limit=100)}


_numbers = st.integers(0, 11)
_acts = st.tuples(
    st.just("act"),
    st.integers(0, STORES - 1),
    st.sampled_from(
        ("add", "add", "add", "fact", "fact", "fact", "replace", "replace", "derive", "link", "forget", "restore",
         "invalidate", "reopen", "merge", "split", "touch", "purge", "setting")
    ),
    _numbers,
    _numbers,
)  # fmt: skip
_exchanges = st.tuples(
    st.just("exchange"), st.integers(0, 2), st.integers(0, 2), st.none() | st.integers(0, 12), st.none()
)


@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(
    st.lists(_acts | _acts | _acts | _exchanges, min_size=4, max_size=28),
    st.lists(st.integers(0, 5_000), min_size=2, max_size=4),
)
def test_stores_that_have_met_answer_alike_at_every_moment(steps: list[tuple[Any, ...]], minutes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = Household(Path(folder))
        try:
            for kind, n, *more in steps:
                if kind == "act":
                    house.act(n, *more)
                else:
                    house.exchange(n, more[0], more[1])
            moments = [START + timedelta(seconds=one) for one in minutes]
            before = [[answers(door, at, START + timedelta(hours=1)) for at in moments] for door in house.doors]
            purged = any(one[0] == "act" and one[2] == "purge" for one in steps)
            house.doors[0].now()
            for door in house.doors:
                door._clock.now = max(door._clock.now, START + timedelta(hours=1))  # type: ignore[attr-defined]
            house.meet()
            for at in [*moments, START + timedelta(days=2)]:
                first, *others = [answers(door, at) for door in house.doors]
                for other in others:
                    assert other == first
            assert conflicts(house.doors[0]) == conflicts(house.doors[1]) == conflicts(house.doors[2])
            for door, then in zip(house.doors, before, strict=True):
                found = door.verify()
                assert found.ok, found.differences
                if not purged:  # a purge is the one thing that changes what was known
                    assert [answers(door, at, START + timedelta(hours=1)) for at in moments] == then
        finally:
            house.close()

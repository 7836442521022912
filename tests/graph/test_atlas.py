"""Walks from memory: made when they are worth it, always as the reader sees the store, and gone when they must."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, scope
from tests.graph.test_walks import names, state

from treering.door import Treering
from treering.graph import atlas as room
from treering.graph.atlas import Atlas
from treering.graph.index.adjacency import Adjacency
from treering.graph.walk import Trail, WalkLimits, by_steps
from treering.model.changes import Changes, EdgeAdded, EntityAdded
from treering.model.edge import Direction, Edge
from treering.model.entity import Entity
from treering.model.ids import mint
from treering.store.contract import Reader, StepTaken, Store, Ways, Writer

ROUTE = WalkLimits(Ways(), 3, 1_000)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The starts of the walks that were answered from memory."""
    starts: list[str] = []
    walk = Adjacency.walk

    def counting(self: Adjacency, start: str, *more: Any) -> Trail:
        starts.append(start)
        return walk(self, start, *more)

    monkeypatch.setattr(Adjacency, "walk", counting)
    return starts


def impatient(door: Treering) -> Treering:
    door._charted.append(Atlas(door._store, patience=0))
    return door


def test_an_index_is_made_once_much_was_walked_and_answers_the_same(mem: Treering, served: list[str]) -> None:
    state(mem, *(f"A KNOWS N{n}" for n in range(20)))
    atlas = Atlas(mem._store, patience=50)
    mem._charted.append(atlas)
    first = mem.graph("A", direction="out")
    for _ in range(2):
        assert mem.graph("A", direction="out") == first
    assert not served
    mem.graph("A", direction="out")  # this one finds that it is worth it
    maker = atlas._kept["lab"].maker
    assert maker is not None
    maker.join()
    assert mem.graph("A", direction="out") == first
    assert len(served) == 1


def test_what_another_wrote_to_the_file_is_walked_at_once(
    db_path: Path, clock: HandClock, new_store: Callable[[str], Store], served: list[str]
) -> None:
    ours, theirs = (Treering(new_store(str(db_path)), clock=clock, space="lab") for _ in range(2))
    impatient(ours)
    state(theirs, "A KNOWS B")
    assert names(ours.graph("A", direction="out")) == {"A": 0, "B": 1}
    state(theirs, "B KNOWS C", "A LIKES D 2001-")
    assert names(ours.graph("A", direction="out")) == {"A": 0, "B": 1, "D": 1, "C": 2}
    theirs.invalidate("A", "B", "KNOWS", at="2010-01-01")
    assert names(ours.graph("A", direction="out")) == {"A": 0, "D": 1}
    assert names(ours.graph("A", as_of="2009-01-01", direction="out")) == {"A": 0, "B": 1, "D": 1, "C": 2}
    assert len(served) == 4


def test_what_another_process_wrote_is_walked_at_once(file_mem: Treering, db_path: Path, served: list[str]) -> None:
    impatient(file_mem)
    state(file_mem, "A KNOWS B")
    assert names(file_mem.graph("A", direction="out")) == {"A": 0, "B": 1}
    told = "import treering; treering.open({!r}, space='lab').assert_fact('B', 'KNOWS', 'C', valid_from='2001-01-01')"
    subprocess.run([sys.executable, "-c", told.format(str(db_path))], check=True, timeout=60)
    assert names(file_mem.graph("A", direction="out")) == {"A": 0, "B": 1, "C": 2}
    assert len(served) == 2


def test_a_reader_that_began_earlier_does_not_see_what_came_later(file_mem: Treering, clock: HandClock) -> None:
    state(file_mem, "A KNOWS B")
    a, atlas, store = file_mem.entity_get("A").id, Atlas(file_mem._store, patience=0), file_mem._store
    with store.reader(scope(clock)) as early:
        before = by_steps(early, "lab", a, ROUTE)
        assert atlas(early, "lab", a, ROUTE) == before
        state(file_mem, "B KNOWS C")
        with store.reader(scope(clock)) as late:
            assert len(atlas(late, "lab", a, ROUTE).edge_ids) == 2
        assert atlas(early, "lab", a, ROUTE) == before
    with store.reader(scope(clock)) as late:
        assert len(atlas(late, "lab", a, ROUTE).edge_ids) == 2


def test_what_was_known_earlier_is_answered_by_the_store(mem: Treering, clock: HandClock, served: list[str]) -> None:
    impatient(mem)
    state(mem, "A KNOWS B")
    then = clock.now
    clock.advance(days=1)
    state(mem, "A KNOWS C")
    assert names(mem.graph("A", known_at=then, direction="out")) == {"A": 0, "B": 1}
    assert not served
    assert names(mem.graph("A", direction="out")) == {"A": 0, "B": 1, "C": 1}
    assert served


def test_nothing_of_what_was_purged_stays_in_memory(mem: Treering) -> None:
    impatient(mem)
    state(mem, "A KNOWS B")
    note = mem.add("Hush", entities=["A"], triples=[["A", "HAS_SECRET_SCAR", "Elbow"]])
    elbow = mem.entity_get("Elbow").id
    assert "Elbow" in names(mem.graph("A", direction="out"))
    mem.purge(note.id, "asked")
    assert names(mem.graph("A", direction="out")) == {"A": 0, "B": 1}
    index = mem._atlas._kept["lab"].index
    assert index is not None
    assert index.edges.names == ["KNOWS"]
    assert not {elbow, note.id} & set(index.edges.nodes.names)


def test_tables_made_anew_elsewhere_are_learned_anew(
    file_mem: Treering, db_path: Path, new_store: Callable[[str], Store]
) -> None:
    impatient(file_mem)
    state(file_mem, "A KNOWS B")
    file_mem.graph("A", direction="out")
    before = file_mem._atlas._kept["lab"].index
    file_mem.graph("A", direction="out")
    assert file_mem._atlas._kept["lab"].index is before
    new_store(str(db_path)).rebuild("lab")
    assert names(file_mem.graph("A", direction="out")) == {"A": 0, "B": 1}
    assert file_mem._atlas._kept["lab"].index is not before
    file_mem._drop_indexes("lab")
    assert "lab" not in file_mem._atlas._kept


def test_an_index_that_failed_to_learn_is_made_anew(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    impatient(mem)
    state(mem, "A KNOWS B")
    mem.graph("A", direction="out")
    state(mem, "A KNOWS C", "A KNOWS D")
    with monkeypatch.context() as patch:
        patch.setattr(Adjacency, "_learn", lambda self, change: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            mem.graph("A", direction="out")
    assert names(mem.graph("A", direction="out")) == {"A": 0, "B": 1, "C": 1, "D": 1}


def test_one_that_has_missed_much_is_made_anew(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    impatient(mem)
    state(mem, "A KNOWS B")
    mem.graph("A", direction="out")
    before = mem._atlas._kept["lab"].index
    monkeypatch.setattr(room, "MOST_MISSED", 1)
    state(mem, "B KNOWS C")
    mem.graph("A", direction="out")
    assert mem._atlas._kept["lab"].index is before
    state(mem, "C KNOWS D")
    state(mem, "C KNOWS E")
    assert names(mem.graph("A", direction="out")) == {"A": 0, "B": 1, "C": 2, "D": 3, "E": 3}
    assert mem._atlas._kept["lab"].index is not before


def test_the_spaces_walked_longest_ago_make_room(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    impatient(mem)
    monkeypatch.setattr(room, "MOST_SPACES", 2)
    for space in ("one", "two", "three"):
        state(mem, "A KNOWS B", space=space)
        mem.graph("A", space=space, direction="out")
    assert list(mem._atlas._kept) == ["two", "three"]


def test_a_door_can_be_closed_while_an_index_is_being_made(
    new_store: Callable[[str], Store], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = Treering(new_store("sqlite"), clock=clock, space="lab")
    state(door, "A KNOWS B", "B KNOWS C")
    door._charted.append(Atlas(door._store, patience=1))
    begun = threading.Event()

    def slowly(self: Atlas, ties: Any) -> Any:
        begun.set()
        assert self._closed.wait(20)
        yield from while_open(self, ties)

    while_open = Atlas._while_open
    monkeypatch.setattr(Atlas, "_while_open", slowly)
    door.graph("A", direction="out")
    door.graph("A", direction="out")
    assert begun.wait(20)
    assert names(door.graph("A", direction="out")) == {"A": 0, "B": 1, "C": 2}
    place = door._atlas._kept["lab"]
    door.close()
    assert place.index is None
    assert place.maker is not None
    assert not place.maker.is_alive()


def test_many_walk_at_once_while_one_writes(file_mem: Treering) -> None:
    impatient(file_mem)
    state(file_mem, "A KNOWS N0")
    wrong: list[object] = []

    def walk() -> None:
        last = 0
        for _ in range(25):
            found = file_mem.graph("A", depth=1, direction="out").edges_walked
            if found < last:
                wrong.append((last, found))
            last = found

    walkers = [threading.Thread(target=walk) for _ in range(4)]
    for walker in walkers:
        walker.start()
    for n in range(1, 12):
        state(file_mem, f"A KNOWS N{n}")
    for walker in walkers:
        walker.join()
    assert not wrong
    assert file_mem.graph("A", direction="out").edges_walked == 12


# hubs


@dataclass
class Watched:
    """A reader that remembers how much was asked of it at once."""

    reader: Reader
    most: int = 0

    def steps(self, space: str, nodes: Any, ways: Ways, limit: int) -> list[StepTaken]:
        found = self.reader.steps(space, nodes, ways, limit)
        self.most = max(self.most, len(found))
        return found


def hub(store: Store, clock: HandClock, edges: int) -> str:
    """A node with so many edges that lead away, and as many that lead to it."""
    fresh, writer = mint(clock.now), Writer("ann")
    ids = [fresh() for _ in range(edges // 20 + 1)]

    def made(_: Reader, at: datetime) -> Changes:
        nodes = [EntityAdded(Entity(id=one, space="lab", name=one, recorded_at=at)) for one in ids]
        return Changes("assert_facts", tuple(nodes))

    def tied(_: Reader, at: datetime) -> Changes:
        ends = [(ids[0], ids[1 + n % (len(ids) - 1)]) for n in range(5_000)]
        both = [end if n % 2 else end[::-1] for n, end in enumerate(ends)]
        return Changes("assert_facts", tuple(EdgeAdded(_edge(fresh(), *end, at)) for end in both))

    store.write("lab", writer, clock.now, made)
    for _ in range(edges * 2 // 5_000):
        store.write("lab", writer, clock.now, tied)
    return ids[0]


def _edge(edge_id: str, source: str, target: str, at: datetime) -> Edge:
    return Edge(
        id=edge_id,
        space="lab",
        source_id=source,
        target_id=target,
        relation="KNOWS",
        valid_from=datetime.fromisoformat("2000-01-01T00:00:00+00:00").astimezone(at.tzinfo),
        recorded_at=at,
    )


def walk_a_hub(file_mem: Treering, clock: HandClock, edges: int, limit: int) -> None:
    centre = hub(file_mem._store, clock, edges)
    atlas = Atlas(file_mem._store, patience=0)
    with file_mem._store.reader(scope(clock)) as reader:
        for direction in Direction:
            watched, route = Watched(reader), WalkLimits(Ways(direction), 3, limit)
            trail = by_steps(watched, "lab", centre, route)  # type: ignore[arg-type]
            assert (len(trail.edge_ids), trail.truncated) == (limit, True)
            assert watched.most <= 3 * limit + 2
            assert atlas(reader, "lab", centre, route) == trail
    walk = file_mem.graph(centre, limit=limit, direction="out")
    assert (walk.edges_walked, walk.truncated) == (limit, True)


def test_a_hub_is_walked_within_the_limit(file_mem: Treering, clock: HandClock) -> None:
    walk_a_hub(file_mem, clock, 5_000, 50)


@pytest.mark.slow
def test_a_hub_with_a_hundred_thousand_edges_is_walked_within_the_limit(file_mem: Treering, clock: HandClock) -> None:
    walk_a_hub(file_mem, clock, 100_000, 1_000)

"""A process that keeps a space, killed at random moments, and a parent that looks whether anything was done twice.

Run as a module it is that process: `python -m tests.property.killing_upkeep keeper FILE NAME`.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from tests.property.killing import SPACE, Process, _say

GROUPS = 20
LEASE_SECONDS = 0.5
"""So short that what a killed runner left is taken up while the killing goes on."""


def keeper(path: str, name: str) -> None:
    """Keeps the space until nothing is left to do, or it is killed."""
    from treering.door import open as open_door
    from treering.errors import Unavailable

    with open_door(path, actor="ann", space=SPACE, embedder="none") as door:
        while True:
            scheduler = door._scheduler(None, 600, lease_seconds=LEASE_SECONDS)
            try:
                told = scheduler.run_scheduled(force=True)
            except Unavailable:
                time.sleep(0.05)
                continue
            if told.pipeline is not None:
                _say(merged=sum(one.success for one in told.pipeline.merge), resumed=told.pipeline.resumed)
            time.sleep(0.05)


def fill(path: Path) -> None:
    from treering.door import open as open_door

    with open_door(path, actor="ann", space=SPACE, embedder="none") as door:
        items = [
            {
                "content": f"Person{group} likes thing{group} and place{group}{how}",
                "entities": [f"A{group}", f"B{group}"],
            }
            for group in range(GROUPS)
            for how in ("", " really", ", still")
        ]
        door.add_many(items)


def kill_and_look(folder: Path, rounds: int, seed: int) -> tuple[int, int]:
    """Answers how often it was killed in the middle of a run, and how many attempts the last broken run took."""
    chance, path = random.Random(seed), folder / "upkeep.db"
    fill(path)
    one = Process("keeper", folder, path, "ann", module="tests.property.killing_upkeep")
    other = Process("keeper", folder, path, "ben", module="tests.property.killing_upkeep")
    broken = 0
    try:
        for _ in range(rounds):
            for process in (one, other):
                process.start()
            _wait_for_a_merge(path, chance)
            for process in (one, other):
                process.kill()
            broken += _is_broken(path)
        one.start()
        give_up = time.monotonic() + 90
        while _clusters_left(path):
            assert time.monotonic() < give_up, "some groups are never merged"
            time.sleep(0.1)
    finally:
        for process in (one, other):
            if process.alive:
                process.kill()
    check(path)
    return broken, len(list(one.said()))


def _merges(path: Path) -> int:
    from treering.door import open as open_door

    with open_door(path, actor="ann", space=SPACE, embedder="none") as door:
        return sum(entry.op == "consolidate" for entry in door._store.entries(SPACE))


def _wait_for_a_merge(path: Path, chance: random.Random) -> None:
    before, give_up = _merges(path), time.monotonic() + 30
    while _merges(path) == before and before < GROUPS and time.monotonic() < give_up:
        time.sleep(0.02)
    time.sleep(chance.random() * 0.1)


def _is_broken(path: Path) -> bool:
    from treering.door import open as open_door

    with open_door(path, actor="ann", space=SPACE, embedder="none") as door:
        run = door._store.tending.run(SPACE)
        return run is not None and run.ended_at is None


def _clusters_left(path: Path) -> int:
    return GROUPS - _merges(path)


def check(path: Path) -> None:
    """Every group was merged, none twice, and the store is sound."""
    from treering.door import open as open_door
    from treering.store.contract import EdgeFilter, Scope

    with open_door(path, actor="ann", space=SPACE, embedder="none") as door:
        found = door.verify()
        assert found.ok, [str(one) for one in found.differences]
        with door._store.reader(Scope(SPACE, door._now(), principal="ann")) as reader:
            derived = reader.edges(EdgeFilter(relations=("derived_from",)))
            related = reader.edges(EdgeFilter(relations=("related_to",), include_forgotten=True))
        assert len(derived) == 3 * GROUPS
        assert len({edge.target_id for edge in derived}) == 3 * GROUPS, "something was merged twice"
        pairs = [frozenset((edge.source_id, edge.target_id)) for edge in related]
        assert len(pairs) == len(set(pairs)), "something was related twice"
        assert len(door.list(limit=1000)) == GROUPS
        items = door.review_list(limit=1000)
        assert len({one.key for one in items}) == len(items)


if __name__ == "__main__":
    {"keeper": keeper}[sys.argv[1]](*sys.argv[2:])

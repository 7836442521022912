"""What if the engine itself is killed? kill -9 in the middle of writes, and a start on what is left of its files:
nothing acknowledged is lost, the chain verifies, and pgvector and Apache AGE are in step. And a writer that is killed
while the engine goes on.

PGlite writes its log to files but never asks the disk to keep them (`fsync` is off in it): what is shown here is the
death of a process, not of a machine.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from tests.pglite import Engine, alone, must_be_here, out_of_step
from tests.property.killing import ALONE, Process, check_acknowledged, check_sound

from treering.door import Treering


def kill_the_engine(folder: Path, rounds: int, seed: int) -> int:
    """A writer who never gives up, and an engine that dies under it again and again; how much it was told is kept."""
    must_be_here()
    engine, chance = Engine(folder / "data"), random.Random(seed)
    path = f"{ALONE}{engine.url}"
    writer = Process("writer", folder, path, "ann", "patient")
    try:
        writer.start()
        for _ in range(rounds):
            writer.does(4)
            time.sleep(chance.random() * 0.3)
            engine.kill()
            with writer.held():  # its connection is gone, and there is only one
                engine.start()
                check_acknowledged(path, [writer])
        writer.does(1)
        writer.kill()
        check_in_step(engine)
        check_sound(path, [writer])
        return check_acknowledged(path, [writer])
    finally:
        if writer.alive:
            writer.kill()
        engine.close()


def kill_the_writer(folder: Path, rounds: int, seed: int) -> int:
    """The engine goes on, and what the writer had begun is undone."""
    must_be_here()
    engine, chance = Engine(), random.Random(seed)
    path = f"{ALONE}{engine.url}"
    writer = Process("writer", folder, path, "ann")
    try:
        for _ in range(rounds):
            writer.start()
            writer.does(2)
            time.sleep(chance.random() * 0.3)
            writer.kill()
            check_acknowledged(path, [writer])
        check_in_step(engine)
        check_sound(path, [writer])
        return check_acknowledged(path, [writer])
    finally:
        if writer.alive:
            writer.kill()
        engine.close()


def check_in_step(engine: Engine) -> None:
    store = alone(engine.url, vectors="pgvector", graph="age")
    found = out_of_step(store)
    store.close()
    assert not found


@pytest.mark.timeout(110)
def test_nothing_acknowledged_is_lost_when_the_engine_is_killed_and_started_again(tmp_path: Path) -> None:
    assert kill_the_engine(tmp_path, rounds=1, seed=1) > 4


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nothing_acknowledged_is_lost_in_many_rounds_of_killing_the_engine(tmp_path: Path) -> None:
    assert kill_the_engine(tmp_path, rounds=20, seed=7) > 80


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nothing_acknowledged_is_lost_when_the_writer_to_an_engine_of_one_connection_is_killed(tmp_path: Path) -> None:
    assert kill_the_writer(tmp_path, rounds=15, seed=3) > 15


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_with_relaxed_durability_a_killed_engine_keeps_a_beginning_of_what_was_written(tmp_path: Path) -> None:
    """`normal` lets the server acknowledge before its log is written: the last writes may be lost, never some in the
    middle, and what is there verifies."""
    must_be_here()
    engine = Engine(tmp_path / "data")
    store = alone(engine.url, "normal", vectors="pgvector", graph="age")
    door = Treering(store, actor="ann", space="lab")
    told = [door.add(f"Ann said {number}").id for number in range(60)]
    engine.kill()
    engine.start()
    left = [one.id for one in door.list(limit=100)]
    assert left == told[: len(left)]
    assert len(left) < len(told), "nothing was lost: then the tests of kills above show nothing"
    assert door.verify().ok
    store.close()
    engine.close()

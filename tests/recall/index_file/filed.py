"""What a test of an index that is kept in a file stands on: a life to tell, questions to ask of it, the file it was
written to, and whether that file was used."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conftest import HandClock

from treering.door import Treering
from treering.recall.index import snapshot
from treering.store import open_store
from treering.store.contract import Store

ROOT = Path(__file__).parents[3]
NAMES = ("Ada", "Bo", "Cleo", "Dov")
THINGS = ("tea", "the garden", "a cello", "Berlin", "the harbour", "a lamp", "tomatoes", "größere Häuser", "日本語")
QUESTIONS = (
    "Who likes tea in the garden?",
    "What did Ada say about the harbour last week?",
    "a cello in Berlin",
    "When did Bo buy tomatoes?",
    "größere Häuser",
    "nothing known whatsoever",
)


def tell(door: Treering, clock: HandClock, count: int, seed: int = 1) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        clock.advance(hours=chance.randrange(1, 30))
        who, other = chance.sample(NAMES, 2)
        door.add(
            f"{who} likes {chance.choice(THINGS)}. {other} bought {chance.choice(THINGS)} on day {chance.randrange(9)}",
            speaker=chance.choice((*NAMES, None)),
            session=chance.choice(("s1", "s2", "s\n3", None)),
            tags=chance.sample(("work", "home", "süß"), chance.randrange(3)),
            title=chance.choice((None, "Notes")),
            entities=[who],
            importance=chance.random(),
        )


Opened = Callable[..., Treering]


def answers(door: Treering) -> list[Any]:
    found = [door.recall(one, explain=True, limit=20, neighbours=1) for one in QUESTIONS]
    found += [door.recall(one, tags=["home"], session="s1", speaker="Ada") for one in QUESTIONS]
    assert any(len(one) for one in found)
    return found


def afresh(path: Path, clock: HandClock, embedder: Any) -> list[Any]:
    """The answers of an index made from the store alone."""
    copy = path.with_name("afresh.db")
    copy.unlink(missing_ok=True)
    with closing(open_store(str(path))) as source:
        source.backup(copy)
    with closing(open_store(str(copy))) as store:
        assert not list(copy.parent.glob("afresh.db.index/*"))
        found = answers(Treering(store, clock=clock, space="lab", embedder=embedder))
    copy.unlink()
    return found


@contextmanager
def closing(store: Store) -> Iterator[Store]:
    try:
        yield store
    finally:
        store.close()


def files(path: Path) -> list[Path]:
    return sorted(path.with_name(path.name + ".index").glob("*.idx"))


@contextmanager
def loads(counted: list[bool]) -> Iterator[None]:
    """Notes for every file looked for whether it was used."""
    real = snapshot.load

    def load(*args: Any) -> Any:
        found = real(*args)
        counted.append(found is not None)
        return found

    snapshot.load = load
    try:
        yield
    finally:
        snapshot.load = real


_WRITTEN: dict[tuple[str, int, datetime], tuple[TemporaryDirectory[str], datetime]] = {}
"""What was written before, by embedder, count and when it began, and when it ended."""


def written(opened: Opened, clock: HandClock, path: Path, count: int = 60) -> Path:
    """A store with a life in it, and the file of its index: made once and copied."""
    door = opened()
    which = door._minds.default, count, clock.now
    if which not in _WRITTEN:
        tell(door, clock, count)
        answers(door)
        door.close()
        _WRITTEN[which] = TemporaryDirectory(), clock.now
        shutil.copytree(path.parent, _WRITTEN[which][0].name, dirs_exist_ok=True)
    else:
        door.close()
        folder, clock.now = _WRITTEN[which]
        shutil.copytree(folder.name, path.parent, dirs_exist_ok=True)
    (one,) = files(path)
    return one


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=False, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip

"""When is the file of an index not believed? When a byte of it was changed, when it is of another format, and when it
is about another store, or another state of this one."""

from __future__ import annotations

import logging
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import DIMS, Hashing
from tests.recall.index_file.filed import Opened, afresh, answers, closing, files, loads, tell, written

from treering.door import Treering
from treering.language.words import words
from treering.recall.cues import flags_of
from treering.recall.index import snapshot
from treering.recall.index.space import SpaceIndex
from treering.store import open_store
from treering.store.contract import Store


def not_used(opened: Opened, path: Path, clock: HandClock, embedder: Any) -> None:
    used: list[bool] = []
    door = opened(path)
    with loads(used):
        found = answers(door)
    door._found[0].drop_indexes("lab")  # or closing would write a good one
    assert used == [False]
    assert found == afresh(path, clock, embedder)


def _reload(path: Path, wanted: SpaceIndex, store: Store) -> SpaceIndex | None:
    with store.snapshot() as held:
        return snapshot.load(path.parent, held, wanted)


@pytest.fixture
def damage(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any, caplog: pytest.LogCaptureFixture
) -> Iterator[Callable[[bytes], bool]]:
    """Whether an index is made from a file of these bytes."""
    caplog.set_level(logging.CRITICAL, "treering")
    file = written(opened, clock, db_path, 12)
    wanted = SpaceIndex("lab", *(("hashing@64", DIMS) if embedder != "none" else (None, 0)))
    whole = file.read_bytes()
    with closing(open_store(str(db_path))) as store:

        def tried(content: bytes) -> bool:
            file.write_bytes(content)
            return _reload(file, wanted, store) is not None

        def changed(place: int) -> bool:
            """With one bit of the byte at this place turned, for the while."""
            with file.open("r+b") as raw:
                os.pwrite(raw.fileno(), bytes([whole[place] ^ 1 << place % 8]), place)
                used = _reload(file, wanted, store) is not None
                os.pwrite(raw.fileno(), whole[place : place + 1], place)
            return used

        tried.whole, tried.changed = whole, changed  # type: ignore[attr-defined]
        assert tried(whole)
        yield tried


def test_a_file_with_any_byte_of_its_head_changed_is_not_used(damage: Any) -> None:
    length = int.from_bytes(damage.whole[8:12], "little")
    for place in range(44 + length):
        assert not damage.changed(place), place


def test_a_file_with_a_byte_of_its_arrays_changed_is_not_used(damage: Any) -> None:
    start = 44 + int.from_bytes(damage.whole[8:12], "little")
    for place in random.Random(1).sample(range(start, len(damage.whole)), 300):
        assert not damage.changed(place), place


def test_a_file_cut_short_or_made_longer_is_not_used(damage: Any) -> None:
    size = len(damage.whole)
    for length in sorted({0, 1, 8, 11, 12, 43, 44, 45, size - 1, *random.Random(2).sample(range(size), 45)}):
        assert not damage(damage.whole[:length]), length
    assert not damage(damage.whole + b"\0")
    assert not damage(os.urandom(size))


def test_a_damaged_file_is_told_of_and_written_anew(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any, caplog: pytest.LogCaptureFixture
) -> None:
    file = written(opened, clock, db_path)
    file.write_bytes(file.read_bytes()[:-1])
    door = opened()
    found = answers(door)
    assert "is not used, the index is made anew from the store" in caplog.text
    assert found == afresh(db_path, clock, embedder)
    door.close()
    used: list[bool] = []
    with loads(used):
        answers(opened())
    assert used == [True]


def test_a_file_of_another_format_or_version_is_not_used(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(opened, clock, db_path)
    for name, value in (("FORMAT", snapshot.FORMAT + 1), ("VERSION", "9.9")):
        with monkeypatch.context() as patched:
            patched.setattr(snapshot, name, value)
            not_used(opened, db_path, clock, embedder)


def test_a_file_about_another_store_at_the_same_path_is_not_used(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    for one in db_path.parent.glob("work.db*"):
        if one.is_file():
            one.unlink()
    other = opened()
    tell(other, clock, 60, seed=9)
    not_used(opened, db_path, clock, embedder)


def test_a_file_that_knows_more_than_a_store_from_a_backup_is_not_used(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    door = opened()
    tell(door, clock, 20)
    door.backup(str(db_path.with_name("copy.db")))
    tell(door, clock, 20, seed=2)
    answers(door)
    door.close()
    assert len(files(db_path)) == 1
    shutil.move(db_path.with_name("copy.db"), db_path)
    not_used(opened, db_path, clock, embedder)
    again = opened()  # and it goes another way from there
    tell(again, clock, 30, seed=3)
    not_used(opened, db_path, clock, embedder)


def test_a_file_with_vectors_that_were_let_go_of_is_not_used(db_path: Path, clock: HandClock) -> None:
    mind = Hashing()
    with Treering(open_store(str(db_path)), clock=clock, space="lab", embedder=mind) as door:
        tell(door, clock, 20)
        answers(door)
    with Treering(open_store(str(db_path)), clock=clock, space="lab", embedder=mind) as door:
        door._store.drop_vectors("lab", mind.name)
        door.reembed(mind.name)
        used: list[bool] = []
        with loads(used):
            found = answers(door)
        assert used == [False]
        assert found == afresh(db_path, clock, mind)
        # and the same for one in memory
        door._store.drop_vectors("lab", mind.name)
        door.reembed(mind.name)
        assert answers(door) == found
        assert answers(door)[0].index[0].embedded == 20


def test_a_file_that_somebody_else_put_there_is_not_used(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(opened, clock, db_path)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    not_used(opened, db_path, clock, embedder)


def test_who_changes_what_an_index_makes_of_a_memory_raises_the_format() -> None:
    sample = (
        "Melanie's paintings: 3 größere Häuser, 日本語 and a café_au-lait since last Friday, because she felt great! "
        "From now on always remember that I'd prefer tea at 9 pm in Berlin; twice. Do you? "
    )
    expected = (
        "melani paint 3 grosser hauser 日本 本語 cafe au lait sinc last friday felt great now alway rememb prefer tea "
        "9 pm berlin twice"
    )
    assert (words(sample), snapshot.FORMAT) == (expected.split(), 2)
    assert (flags_of(sample, "Ada"), flags_of(sample, "assistant")) == (767, 383)

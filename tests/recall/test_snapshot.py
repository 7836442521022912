"""An index that comes back from a file answers as the one that was saved, or is not believed."""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import STORES, HandClock
from tests.recall.hashing import DIMS, Hashing

from treering.door import Treering
from treering.language.words import words
from treering.recall import shelf
from treering.recall.cues import flags_of
from treering.recall.index import postings, snapshot
from treering.recall.index.packed import pack
from treering.recall.index.space import SpaceIndex
from treering.store import beside, open_store
from treering.store.contract import Store

ROOT = Path(__file__).parents[2]
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


@pytest.fixture(autouse=True)
def _small_indexes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "NEW", 0)


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


@pytest.fixture(params=["meaning", "words"])
def embedder(request: pytest.FixtureRequest) -> Any:
    return Hashing() if request.param == "meaning" else "none"


@pytest.fixture
def opened(db_path: Path, clock: HandClock, embedder: Any) -> Iterator[Opened]:
    """Opens the same file again and again, as processes would one after the other."""
    doors: list[Treering] = []

    def make(path: Path = db_path) -> Treering:
        doors.append(Treering(open_store(str(path), "normal"), clock=clock, space="lab", embedder=embedder))
        return doors[-1]

    yield make
    for door in doors:
        door.close()


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


def written(opened: Opened, clock: HandClock, path: Path, count: int = 60) -> Path:
    """A store with a life in it, and the file of its index."""
    door = opened()
    tell(door, clock, count)
    answers(door)
    door.close()
    (one,) = files(path)
    return one


def test_an_index_from_a_file_answers_as_one_made_from_the_store(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    used: list[bool] = []
    with loads(used):
        found = answers(opened())
    assert used == [True]
    assert found == afresh(db_path, clock, embedder)


def test_what_was_remembered_since_is_learned_on_top_of_the_file(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    more = opened()
    tell(more, clock, 25, seed=2)
    used: list[bool] = []
    with loads(used):
        found = answers(more)
    assert used == [True]
    assert found == afresh(db_path, clock, embedder)
    tell(more, clock, 5, seed=3)
    assert answers(more) == afresh(db_path, clock, embedder)


def test_a_door_closed_again_and_again_leaves_one_file_that_has_learned_all(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    for round_ in range(4):
        door = opened()
        tell(door, clock, 10, seed=round_)
        answers(door)
        door.close()
        assert len(files(db_path)) == 1
    assert answers(opened()) == afresh(db_path, clock, embedder)


def test_the_file_and_its_folder_belong_to_their_owner_alone(opened: Opened, clock: HandClock, db_path: Path) -> None:
    file = written(opened, clock, db_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_another_process_uses_the_file_and_says_the_same(opened: Opened, clock: HandClock, db_path: Path) -> None:
    written(opened, clock, db_path)
    asked = opened()
    here = [[(hit.memory.id, hit.score) for hit in asked.recall(one)] for one in QUESTIONS]
    embedder = "Hashing()" if asked._minds.default != "none" else "'none'"
    code = f"""
import json, sys
from datetime import datetime
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.test_snapshot import QUESTIONS, loads
from treering.door import Treering
from treering.store import open_store
used = []
clock = HandClock(datetime.fromisoformat({clock.now.isoformat()!r}))
door = Treering(open_store(sys.argv[1]), clock=clock, space="lab", embedder={embedder})
with loads(used):
    found = [[(hit.memory.id, hit.score) for hit in door.recall(one)] for one in QUESTIONS]
print(json.dumps([used, found]))
"""
    used, there = json.loads(run(code, str(db_path)).stdout)
    assert used == [True]
    assert [[tuple(hit) for hit in one] for one in there] == here


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=False, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


def test_a_question_writes_nothing(opened: Opened, clock: HandClock, db_path: Path) -> None:
    def listing() -> list[tuple[str, int, int]]:
        return [(str(one), one.stat().st_mtime_ns, one.stat().st_size) for one in sorted(db_path.parent.rglob("*"))]

    door = opened()
    tell(door, clock, 20)
    before = listing()
    answers(door)
    assert listing() == before
    door.close()
    tell(door := opened(), clock, 20, seed=2)
    before = listing()
    answers(door)
    assert listing() == before


def test_a_small_index_is_not_written_and_a_large_one_once(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "NEW", 30)
    door = opened()
    tell(door, clock, 30)
    answers(door)
    door.add("one more")
    door.close()
    assert files(db_path) == []
    door = opened()
    answers(door)
    door.add("the last straw")
    (file,) = files(db_path)  # by the writing, while the door is open
    first = file.stat().st_mtime_ns
    tell(door, clock, 5, seed=2)
    answers(door)
    door.close()
    assert file.stat().st_mtime_ns == first


# what is not believed


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


# purges


def test_a_purge_removes_the_file_and_no_older_index_is_written_after_it(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    file = written(opened, clock, db_path)
    door, elsewhere = opened(), opened()
    answers(elsewhere)
    tell(elsewhere, clock, 3, seed=5)
    answers(elsewhere)
    gone = door.add("The code is Mitternachtsblau", tags=["panzerknacker"], session="nachtsitzung").id
    answers(elsewhere)
    assert door.purge(gone, "asked to").scrubbed
    assert not file.exists()
    elsewhere.close()  # with an index that knows the code
    assert files(db_path) == []
    assert answers(door) == afresh(db_path, clock, embedder)
    door.close()
    (new,) = files(db_path)
    for trace in (b"mitternachtsblau", b"panzerknacker", b"nachtsitzung"):
        assert trace not in new.read_bytes()
    assert answers(opened()) == afresh(db_path, clock, embedder)


@pytest.mark.parametrize("moment", [0, 1, 2])
def test_a_purge_that_comes_while_an_index_is_written_leaves_none(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """At each of the three times at which the writer asks whether something was purged."""
    door, other = opened(), opened()
    tell(door, clock, 10)
    gone = door.add("The code is Mitternachtsblau").id
    answers(door)
    real, asked = door._store.purges, []

    def purges(space: str) -> int:
        asked.append(space)
        found = real(space)
        if len(asked) - 1 == moment:
            other.purge(gone, "asked to")  # just after the question
        return found

    monkeypatch.setattr(door._store, "purges", purges)
    door.close()
    assert len(asked) > moment
    left = [one.name for one in db_path.with_name("work.db.index").iterdir()]
    assert left == []


def test_a_file_from_before_a_purge_that_turns_up_again_is_removed_at_sight(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    file = written(opened, clock, db_path)
    old = file.read_bytes()
    door = opened()
    door.purge(door.add("The code is 8142").id, "asked to")
    file.write_bytes(old)
    answers(door)
    assert not file.exists()


def test_a_purge_reaches_what_lies_beside_whatever_name_the_file_is_opened_by(
    opened: Opened, clock: HandClock, db_path: Path
) -> None:
    written(opened, clock, db_path)
    other_name = db_path.with_name("link.db")
    other_name.symlink_to(db_path)
    door = opened(other_name)
    door.purge(door.add("The code is 8142").id, "asked to")
    assert files(db_path) == files(other_name) == []


def test_the_files_of_other_spaces_outlive_a_purge(opened: Opened, clock: HandClock, db_path: Path) -> None:
    written(opened, clock, db_path)
    door = opened().space("other")
    door.purge(door.add("The code is 8142").id, "asked to")
    assert len(files(db_path)) == 1


def test_a_purge_whose_scrub_never_came_is_made_good_at_the_next_open(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(opened, clock, db_path)
    door = opened()
    gone = door.add("The code is 8142").id
    monkeypatch.setattr(door._store, "scrub", lambda: False)
    door.purge(gone, "asked to")
    assert file.exists()
    opened()
    assert not file.exists()


def test_a_file_that_cannot_be_removed_holds_the_scrub_up(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(opened, clock, db_path)
    door = opened()
    gone = door.add("The code is 8142").id

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        assert door.purge(gone, "asked to").scrubbed is False
    assert file.exists()
    opened()
    assert not file.exists()


def test_a_backup_takes_no_index_along(opened: Opened, clock: HandClock, db_path: Path) -> None:
    written(opened, clock, db_path)
    opened().backup(str(db_path.with_name("copy.db")))
    assert [one.name for one in db_path.parent.glob("copy.db*")] == ["copy.db"]


def test_tables_that_are_mended_take_what_was_made_from_them_along(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    door, elsewhere = opened(), opened()
    with door._store._writing() as raw:  # type: ignore[attr-defined]
        raw.run("UPDATE memory SET content = 'Ada likes gin in the garden', recorded_at = recorded_at + 1")
    for one in files(db_path):
        one.unlink()
    assert answers(elsewhere) != []
    assert door.doctor(repair=True).ok
    assert files(db_path) == []
    right = afresh(db_path, clock, embedder)
    assert answers(door) == right
    elsewhere._found[0].keep_indexes()  # learned from the damaged tables
    assert files(db_path) == []
    assert answers(elsewhere) == right
    elsewhere.close()
    assert answers(opened()) == right


# crashes, and places that cannot be written to


@pytest.mark.parametrize("moment", ["first", "middle", "fsync", "replace", "after"])
@pytest.mark.parametrize("old", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_process_killed_while_it_writes_leaves_the_old_file_or_none_or_the_new(
    db_path: Path, clock: HandClock, moment: str, old: bool
) -> None:
    def opened() -> Treering:
        return Treering(open_store(str(db_path)), clock=clock, space="lab", embedder=Hashing())

    with opened() as door:
        tell(door, clock, 15)
        if old:
            answers(door)
    with opened() as door:
        tell(door, clock, 15, seed=2)
    before = [one.read_bytes() for one in files(db_path)]
    code = f"""
import os, signal, sys
from datetime import datetime
from pathlib import Path
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from treering.door import Treering
from treering.recall import shelf
from treering.recall.index import snapshot
from treering.store import open_store
shelf.NEW = 0
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
door = Treering(open_store(sys.argv[1]), clock=HandClock(datetime.fromisoformat({clock.now.isoformat()!r})),
                space="lab", embedder=Hashing())
door.recall("tea in the garden")
parts, replace = snapshot._parts, Path.replace
passes = []
def some(arrays):
    passes.append(1)
    for number, part in enumerate(parts(arrays)):
        if len(passes) == 2 and number == (1 if {moment!r} == "first" else 30):
            die()
        yield part
def moved(self, target):
    done = replace(self, target)
    die()
if {moment!r} in ("first", "middle"):
    snapshot._parts = some
elif {moment!r} == "fsync":
    snapshot.os.fsync = die
elif {moment!r} == "replace":
    Path.replace = die
else:
    Path.replace = moved
door.close()
"""
    died = run(code, str(db_path))
    assert died.returncode == -signal.SIGKILL, died.stderr
    after = [one.read_bytes() for one in files(db_path)]
    if moment == "after":
        assert len(after) == 1
        assert after != before
    else:
        assert after == before
    used: list[bool] = []
    with loads(used), opened() as door:
        assert answers(door) == afresh(db_path, clock, Hashing())
    assert used[0] == (old or moment == "after")


def test_what_a_killed_process_left_is_removed_in_time(opened: Opened, clock: HandClock, db_path: Path) -> None:
    file = written(opened, clock, db_path)
    left = file.with_suffix(".0123.tmp")
    new = file.with_suffix(".4567.tmp")
    for one in (left, new):
        one.write_bytes(b"half")
    long_ago = time.time() - 2 * snapshot.ABANDONED_SECONDS
    os.utime(left, (long_ago, long_ago))
    tell(door := opened(), clock, 5, seed=2)
    answers(door)
    door.close()
    assert not left.exists()
    assert new.exists()


def test_two_processes_that_write_at_once_leave_a_whole_file(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    tell(opened(), clock, 40)
    mind = "Hashing()" if embedder != "none" else "'none'"
    code = f"""
import sys
from datetime import datetime
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from treering.door import Treering
from treering.recall import shelf
from treering.store import open_store
shelf.NEW = 0
clock = HandClock(datetime.fromisoformat({clock.now.isoformat()!r}))
door = Treering(open_store(sys.argv[1]), clock=clock, space="lab", embedder={mind})
for _ in range(15):
    door.recall("tea")
    for place in door._found[0]._shelf._kept.values():
        place.written = (-9, -9)
    door._found[0].keep_indexes()
"""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    command = [sys.executable, "-c", code, str(db_path)]
    running = [subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}) for _ in range(2)]
    used: list[bool] = []
    while any(one.poll() is None for one in running):
        door = opened()
        with loads(used):
            door.recall("tea")
        door._found[0].drop_indexes("lab")
        door.close()
    assert [one.returncode for one in running] == [0, 0]
    assert used == sorted(used)  # once there is one, it is whole at any time
    with loads(used):
        found = answers(opened())
    assert used[-1]
    assert found == afresh(db_path, clock, embedder)
    assert len(list(db_path.with_name("work.db.index").iterdir())) == 1


@pytest.mark.parametrize("fault", ["a file in its place", "read-only", "full", "replace"])
def test_a_door_closes_although_its_index_cannot_be_written(
    opened: Opened,
    clock: HandClock,
    db_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: str,
) -> None:
    door = opened()
    tell(door, clock, 10)
    answers(door)

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    if fault == "full":
        monkeypatch.setattr(os, "fsync", fails)
    elif fault == "read-only":
        monkeypatch.setattr(os, "open", fails)
    elif fault == "replace":
        monkeypatch.setattr(Path, "replace", fails)
    else:
        db_path.with_name("work.db.index").write_text("not a folder")
    door.close()
    assert "the index of lab could not be written" in caplog.text
    if fault != "a file in its place":
        assert list(db_path.with_name("work.db.index").iterdir()) == []


@pytest.mark.parametrize("kind", STORES)
def test_only_a_file_that_can_be_written_to_has_a_place_beside_it(
    new_store: Callable[[str], Store], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = new_store(kind)
    folder = store.beside()
    assert (folder is not None) == (kind == "sqlite")
    if folder is not None:
        assert not folder.exists()
        assert folder.name.endswith(".db.index")
        monkeypatch.setattr(os, "access", lambda *_: False)
        assert store.beside() is None
    assert beside.stamp(store.beside(), "lab") == ""


def test_a_store_without_such_a_place_answers_all_the_same(store: Store, clock: HandClock) -> None:
    door = Treering(store, clock=clock, space="lab", embedder=Hashing())
    tell(door, clock, 10)
    answers(door)
    door.close()


# following


@pytest.mark.parametrize("seed", range(6))
def test_an_index_that_follows_in_steps_is_the_one_that_learns_all_at_once(
    seed: int, clock: HandClock, new_store: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By whatever steps, and with a file in between."""
    monkeypatch.setattr(postings, "TAIL_POSTINGS", 40)
    monkeypatch.setattr("treering.recall.index.space.BATCH", 7)
    chance, store, mind = random.Random(seed), new_store("sqlite"), Hashing()
    steps, filed = SpaceIndex("lab", mind.name, DIMS), SpaceIndex("lab", mind.name, DIMS)
    for round_ in range(6):
        door = Treering(store, clock=clock, space="lab", embedder=mind)
        tell(door, clock, chance.randrange(12), seed=100 * seed + round_)
        if chance.random() < 0.4:
            door.add_many(
                [{"content": f"Cleo reads book {one}", "session": "s2"} for one in range(9)], embed_later=True
            )
            steps.follow(store)
            door.reembed(mind.name)
        steps.follow(store)
        filed.follow(store)
        snapshot.save(snapshot.capture(filed), tmp_path / "files", lambda: 0)
        again = snapshot.load(tmp_path / "files", store, SpaceIndex("lab", mind.name, DIMS)) if len(filed) else filed
        assert again is not None
        filed = again
    once = SpaceIndex("lab", mind.name, DIMS)
    once.follow(store)
    for other in (steps, filed):
        assert_same(other, once)


def assert_same(one: SpaceIndex, other: SpaceIndex) -> None:
    known = len(other)
    for word in other.words.spelling():
        for cut in (known, known // 2):
            assert one.words.count(one.words.number[word], cut) == len(other.words.of(word, cut)[0])
        for upto in (known // 2, known):
            for mine, theirs in zip(one.words.of(word, upto), other.words.of(word, upto), strict=True):
                np.testing.assert_array_equal(mine, theirs)
    for number in range(known):
        np.testing.assert_array_equal(one.words.words_of(number), other.words.words_of(number))
    assert list(one.words.beginning_with("g")) == list(other.words.beginning_with("g"))
    for column in ("previous", "following"):
        np.testing.assert_array_equal(one[column][:known], other[column][:known])
    for name in ("ids", "number", "sessions", "session_ends", "speakers", "tagged", "entity_ids"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("seq", "hash", "known", "place", "last_vector", "purges"):
        assert getattr(one, name) == getattr(other, name), name
    mine, theirs = pack(one), pack(other)
    assert mine.keys() == theirs.keys()
    for name, array in theirs.items():
        assert mine[name].dtype == array.dtype
        np.testing.assert_array_equal(mine[name], array, err_msg=name)


def test_an_index_that_failed_half_way_begins_anew(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treering.recall.index.space.BATCH", 4)
    door = opened()
    door.add_many([{"content": f"Ada likes tea number {one}", "session": "s1"} for one in range(10)])
    real, calls = SpaceIndex._learn, []

    def learn(self: SpaceIndex, texts: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise MemoryError
        real(self, texts)

    monkeypatch.setattr(SpaceIndex, "_learn", learn)
    with pytest.raises(MemoryError):
        door.recall("tea")
    assert len(door.recall("tea number", limit=50)) == 10

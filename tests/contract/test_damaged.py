"""What becomes of a file of which a page is destroyed? All that can be said of it is said, and as long as the journal
can be read it is made whole again, with nothing lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, everything, scope

from treering.door import Treering
from treering.errors import Unavailable
from treering.model.embedding import Embedded
from treering.store import open_store
from treering.store.sqlite import renewing

MEMORIES = 60


class Damaged:
    """Copies of one healthy file, each with one page destroyed."""

    def __init__(self, folder: Path, clock: HandClock) -> None:
        self.path, self.clock = folder / "work.db", clock
        with closing(open_store(str(self.path), "normal")) as store:
            self._write(store)
            self.told = everything(store, scope(clock))
        with closing(sqlite3.connect(self.path)) as raw:
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.page_size = raw.execute("PRAGMA page_size").fetchone()[0]
            self.roots = dict(raw.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0"))
        self.healthy = self.path.read_bytes()
        self.pages = len(self.healthy) // self.page_size

    def _write(self, store: Any) -> None:
        mem = Treering(store, clock=self.clock, actor="ann", space="lab")
        ids = []
        for n in range(MEMORIES):
            self.clock.advance(minutes=1)
            words = f"Visit {n} of Person{n % 7} to the harbour of Place{n % 5}, with a long story about it"
            ids.append(mem.add(words, entities=[f"Person{n % 7}", f"Place{n % 5}"], tags=[f"t{n % 3}"]).id)
        mem.touch(ids[0])
        mem.add("Elsewhere", space="den")
        mem.review_create("stale", "archive", memory_ids=[ids[1]])
        store.keep_vectors("lab", [Embedded(one, "small@1", bytes(200)) for one in ids])

    def at(self, page: int) -> Treering:
        for beside in ("-wal", "-shm"):
            Path(f"{self.path}{beside}").unlink(missing_ok=True)
        start = (page - 1) * self.page_size
        end = start + self.page_size
        self.path.write_bytes(self.healthy[:start] + b"\xff" * self.page_size + self.healthy[end:])
        return Treering(open_store(str(self.path), "normal"), clock=self.clock, actor="ann", space="lab")

    def of(self, name: str) -> Treering:
        return self.at(self.roots[name])


@pytest.fixture
def damaged(tmp_path: Path, clock: HandClock) -> Damaged:
    return Damaged(tmp_path, clock)


def test_whatever_page_is_destroyed_verify_says_so_and_returns(damaged: Damaged) -> None:
    unopened, silent = 0, []
    for page in range(2, damaged.pages + 1, 5):
        try:
            mem = damaged.at(page)
        except Exception:
            unopened += 1  # the schema itself
            continue
        with closing(mem):
            found = mem.verify()
        if found.ok:
            silent.append(page)
    assert silent == []
    assert unopened <= 4


@pytest.mark.parametrize("name", ["sqlite_autoindex_journal_1", "journal", "space"])
def test_a_journal_that_cannot_be_read_is_told_of_and_nothing_is_touched(damaged: Damaged, name: str) -> None:
    with closing(damaged.of(name)) as mem:
        assert not mem.verify().ok
        diagnosis = mem.doctor(repair=True)
    if name == "sqlite_autoindex_journal_1":  # the entries themselves are there
        assert diagnosis.ok
        return
    assert not diagnosis.ok
    assert diagnosis.trouble is not None
    assert "nothing was mended" in diagnosis.trouble
    assert not list(damaged.path.parent.glob("*.damaged-*"))


def test_a_file_without_its_journal_is_told_of(damaged: Damaged) -> None:
    with closing(sqlite3.connect(damaged.path)) as raw:
        raw.execute("DROP TABLE journal")
        raw.commit()
    store = open_store(str(damaged.path))
    with closing(Treering(store)) as mem:
        assert not mem.verify().ok
        assert not mem.doctor(repair=True).ok


@pytest.mark.parametrize(
    "names", [("memory", "sqlite_autoindex_memory_1"), ("edge", "edge_by_source"), ("source", "alias")]
)
def test_a_damaged_file_is_made_whole_from_its_journal_and_nothing_is_lost(
    damaged: Damaged, names: tuple[str, ...]
) -> None:
    for number, name in enumerate(names, 1):
        with closing(damaged.of(name)) as mem:
            diagnosis = mem.doctor(repair=True)
            assert (diagnosis.ok, diagnosis.lost, diagnosis.trouble) == (True, (), None)
            assert diagnosis.repaired == ("den", "lab")
            assert everything(mem._store, scope(damaged.clock)) == damaged.told
            assert len(mem.review_list()) == 1
            assert len(list(mem._store.vectors("lab", "small@1"))) == MEMORIES
            assert mem.doctor(repair=True).set_aside is None
        aside = damaged.path.with_name(f"work.db.damaged-{number}")
        assert diagnosis.set_aside == str(aside)
        assert (aside.stat().st_mode & 0o777, aside.stat().st_size) == (0o600, len(damaged.healthy))
    beside = {one.name for one in damaged.path.parent.iterdir() if one.is_dir()}
    assert beside <= {"work.db.index"}


def test_of_what_is_in_no_journal_all_is_kept_that_can_be_read(damaged: Damaged) -> None:
    with closing(sqlite3.connect(damaged.path)) as raw:
        pages = defaultdict(list)
        for name, page in raw.execute("SELECT name, pageno FROM dbstat WHERE pagetype = 'leaf'"):
            pages[name].append(page)
    with closing(damaged.at(pages["embedding"][1])) as mem:
        diagnosis = mem.doctor(repair=True)
        assert (diagnosis.ok, diagnosis.lost) == (True, ("embedding",))
        assert 0 < len(list(mem._store.vectors("lab", "small@1"))) < MEMORIES
        assert mem.verify().ok


def test_which_spaces_a_damaged_file_has_is_told_all_the_same(damaged: Damaged) -> None:
    with closing(damaged.of("journal")) as mem:
        assert [one.name for one in mem.spaces()] == ["den", "lab"]


def test_others_who_have_the_file_open_go_on_with_the_whole_one(damaged: Damaged) -> None:
    with closing(damaged.of("memory")) as mem:
        code = """
import sys, treering
with treering.open(sys.argv[1], space="lab", actor="bob", embedder="none") as other:
    print(other.about(), flush=True)
    sys.stdin.readline()
    other.add("Written afterwards")
    print(len(other.list(limit=500).memories), flush=True)
"""
        command = [sys.executable, "-c", code, str(damaged.path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdin is not None
            assert other.stdout is not None
            other.stdout.readline()
            assert mem.doctor(repair=True).ok
            other.stdin.write("\n")
            other.stdin.flush()
            assert int(other.stdout.readline()) == MEMORIES + 1
        assert mem.verify().ok
        assert len(mem.list(limit=500).memories) == MEMORIES + 1


def test_what_somebody_writes_meanwhile_is_not_overwritten(damaged: Damaged, monkeypatch: pytest.MonkeyPatch) -> None:
    aside = renewing.set_aside

    def written_to(path: Path) -> Path:
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("INSERT INTO spending VALUES ('lab', 'today', 1, 1)")
            raw.commit()
        return aside(path)

    with closing(damaged.of("edge")) as mem:
        monkeypatch.setattr(renewing, "set_aside", written_to)
        with pytest.raises(Unavailable, match="try again"):
            mem.doctor(repair=True)
        assert mem._store.spent("lab") == (1, 1)
        monkeypatch.setattr(renewing, "set_aside", aside)
        assert mem.doctor(repair=True).ok
        assert mem._store.spent("lab") == (1, 1)

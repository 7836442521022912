"""What if the power goes? A write-ahead log that ends anywhere, or was damaged, gives a prefix of what was written."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from treering.door import Treering
from treering.door import open as open_door
from treering.model.memory import View

WRITES = 24
TEARS = 40


class Torn:
    """A file whose writes are all still in its log, copied while it is open, and what each write had acknowledged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.acknowledged: list[tuple[int, tuple[str, ...]]] = []
        with open_door(folder / "whole.db", space="acme", actor="ann") as door:
            self._write(door)
            shutil.copy(folder / "whole.db", folder / "copy.db")
            shutil.copy(folder / "whole.db-wal", folder / "copy.db-wal")
        self.log = (folder / "copy.db-wal").read_bytes()

    def _write(self, door: Treering) -> None:
        for n in range(WRITES):
            if n % 5 == 4:
                done = door.add_many([{"content": f"{n}, the first"}, {"content": f"{n}, the second", "tags": ["x"]}])
            elif n % 5 == 3:
                done = door.revise(self.acknowledged[-1][1][0], f"{n}, on second thoughts")
            else:
                done = door.add(f"{n}, as it was said", entities=["Ann"], triples=[["Ann", "KNOWS", f"someone {n}"]])
            self.acknowledged.append((done.seq, tuple(one.id for one in done.memories)))

    def opened(self, log: bytes) -> int:
        """Opens a copy with this log; it must hold whole writes only, the first ones. Answers how many."""
        path = self.folder / "torn.db"
        for part in self.folder.glob("torn.db*"):
            part.unlink()
        shutil.copy(self.folder / "copy.db", path)
        path.with_name("torn.db-wal").write_bytes(log)
        with open_door(path, space="acme", actor="ann") as door:
            found = door.verify()
            assert found.ok, [str(one) for one in found.differences]
            survived = door.status().seq
            kept = [one.id for one in door.list(view=View.ALL, limit=1000)]
            assert sorted(kept) == sorted(one for _, ids in self.acknowledged[:survived] for one in ids)
            assert door.add("life goes on").seq == survived + 1
        return survived


@pytest.fixture(scope="module")
def torn(tmp_path_factory: pytest.TempPathFactory) -> Torn:
    made = Torn(tmp_path_factory.mktemp("torn"))
    assert made.opened(made.log) == WRITES
    return made


def test_a_log_that_ends_anywhere_gives_the_first_of_the_acknowledged_writes(torn: Torn) -> None:
    chance = random.Random(1)
    lengths = sorted(chance.randrange(len(torn.log)) for _ in range(TEARS))
    survivors = [torn.opened(torn.log[:length]) for length in lengths]
    assert survivors == sorted(survivors)
    assert len(set(survivors)) > TEARS / 4


def test_a_damaged_log_gives_the_writes_before_the_damage(torn: Torn) -> None:
    chance = random.Random(2)
    for _ in range(TEARS // 2):
        place = chance.randrange(len(torn.log))
        damaged = torn.log[:place] + bytes([torn.log[place] ^ (1 << chance.randrange(8))]) + torn.log[place + 1 :]
        assert torn.opened(damaged) <= WRITES


def test_a_log_that_is_lost_altogether_gives_an_empty_store(torn: Torn) -> None:
    assert torn.opened(b"") == 0

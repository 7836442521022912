"""The store of examples/own_store.py writes only what a store must write first, and passes the tests of every store.

docs/concepts/write-a-store.md tells how a store of one's own is held to them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from examples.own_store import FileStore

from treering.door import Treering
from treering.store.reference import JournalStore

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "concepts" / "write-a-store.md"
CONTRACT = sorted(
    path.name for kind in ("store_*", "vectors*") for path in Path(__file__).parent.glob(f"test_{kind}.py")
)


def test_what_must_be_written_first_is_a_dozen_methods_and_told_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert len(JournalStore.__abstractmethods__) <= 12
    assert [name for name in JournalStore.__abstractmethods__ if f"| `{name}(" not in page] == []


def test_what_is_put_is_there_for_who_has_the_file_open_too(tmp_path: Path) -> None:
    door, other = (Treering(FileStore(tmp_path / "a.jsonl"), space="me") for _ in range(2))
    door.add("Ada lives in Lisbon", triples=[("Ada", "LIVES_IN", "Lisbon")])
    other.add("Bo lives in Bergen", triples=[("Bo", "LIVES_IN", "Bergen")])
    assert {fact.object for fact in door.facts()} == {"Lisbon", "Bergen"}
    assert door.verify().ok


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "a.jsonl")
    Treering(store, space="me").add("Ada lives in Lisbon")
    before, vectors = (tmp_path / "a.jsonl").read_text(), len(store.places())
    (entry,) = store.journal("me")

    def failing() -> None:
        with store.writing():
            store.put_entry(entry)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert len(store.journal("me")) == 1
    assert len(store.places()) == vectors
    assert (tmp_path / "a.jsonl").read_text() == before


def test_what_is_purged_is_gone_from_the_file(tmp_path: Path) -> None:
    door = Treering(FileStore(tmp_path / "a.jsonl"), space="me")
    memory = door.add("Ada lives in Lisbon").memories[0].id
    door.purge(memory, "asked to")
    assert "Lisbon" not in (tmp_path / "a.jsonl").read_text()
    assert door.verify().ok


@pytest.mark.slow
def test_it_passes_the_tests_of_every_store() -> None:
    files = [f"tests/contract/{name}" for name in CONTRACT]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
        cwd=ROOT, env={**os.environ, "TREERING_TEST_STORE": "examples.own_store:FileStore"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4_000:]
    assert " passed" in done.stdout

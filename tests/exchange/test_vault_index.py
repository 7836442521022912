"""The index of a vault: brought up to date with what changed, kept beside the store, and never believed too much."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.conftest import HandClock
from tests.exchange.vaults import many, put
from tests.recall.hashing import Hashing

import treering
from treering.door import Treering
from treering.exchange.vault.index import VaultIndex
from treering.exchange.vault.place import Seen, Vault
from treering.exchange.vault.search import search


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def found(vault: Vault, index: VaultIndex, query: str) -> list[str]:
    return [one.path for one in search(vault, index, query, (), 10)[0]]


def test_five_thousand_notes_are_read_once_and_then_only_what_changed(root: Path, clock: HandClock) -> None:
    many(root, 5_000)
    with treering.open(root.parent / "work.db", clock=clock, vault=root, embedder="none") as mem:
        first = mem.index_vault()
    assert (first.notes, first.read, first.unchanged, first.removed) == (5_000, 5_000, 0, 0)
    put(root, "folder 3/note 3.md", "now about squirrels", settled=False)
    put(root, "folder 4/new.md", "another squirrel")
    (root / "folder 5/note 5.md").unlink()
    (root / "folder 6/note 6.md").rename(root / "moved.md")
    began = time.process_time()
    with treering.open(root.parent / "work.db", clock=clock, vault=root, embedder="none") as mem:
        again = mem.index_vault()
        took = time.process_time() - began
        assert (again.notes, again.read, again.removed, again.unchanged) == (5_000, 3, 2, 4_997)
        squirrels = {one.path for one in mem.search_unified("squirrel").results}
        assert squirrels == {"folder 4/new.md", "folder 3/note 3.md"}
        assert mem.search_unified("word3").results == mem.search_unified("word5").results == ()
        assert [one.path for one in mem.search_unified("word6").results] == ["moved.md"]
    assert took < 10


def test_a_note_that_changes_within_a_tick_of_the_clock_is_read_again(root: Path) -> None:
    vault, index = Vault.opened(root), VaultIndex()
    file = put(root, "a.md", "first", settled=False)
    index.refresh(vault)
    before = file.stat()
    file.write_text("other")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert index.refresh(vault).read == 1
    assert found(vault, index, "other") == ["a.md"]


def test_a_note_that_is_only_touched_is_not_taken_for_changed(root: Path) -> None:
    vault, index = Vault.opened(root), VaultIndex()
    file = put(root, "a.md", "first")
    index.refresh(vault)
    os.utime(file)
    assert (index.refresh(vault).read, index.refresh(vault).unchanged) == (0, 1)


def test_a_note_that_is_written_while_it_is_read_is_read_again_next_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, index = Vault.opened(root), VaultIndex()
    file = put(root, "a.md", "first")
    real = Vault.read

    def meanwhile(self: Vault, seen: Seen) -> bytes:
        data = real(self, seen)
        file.write_text("second thoughts")
        return data

    monkeypatch.setattr(Vault, "read", meanwhile)
    index.refresh(vault)
    monkeypatch.undo()
    assert found(vault, index, "first") == []  # its text is no longer what was indexed
    assert index.refresh(vault).read == 1
    assert found(vault, index, "thoughts") == ["a.md"]


def test_a_note_that_goes_while_the_vault_is_walked_is_told_of(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault, index = Vault.opened(root), VaultIndex()
    put(root, "a.md", "first")
    seen = list(vault.notes())
    (root / "a.md").unlink()
    monkeypatch.setattr(Vault, "notes", lambda self: iter(seen))
    told = index.refresh(vault)
    assert (told.notes, [one.path for one in told.unread]) == (0, ["a.md"])


def test_what_cannot_be_read_is_told_and_does_not_hide_the_rest(root: Path) -> None:
    vault, index = Vault.opened(root), VaultIndex()
    put(root, "good.md", "squirrels")
    put(root, "binary.md", b"\x00\x01")
    put(root, "latin.md", b"caf\xe9")
    put(root, "broken.md", "---\ntags: [a\n---\nsquirrels too")
    put(root, "empty.md", "")
    put(root, "huge.md", "nut " * 100_000)
    told = index.refresh(vault)
    assert sorted(one.path for one in told.unread) == ["binary.md", "latin.md"]
    assert sorted(found(vault, index, "squirrels")) == ["broken.md", "good.md"]
    assert found(vault, index, "nut") == ["huge.md"]
    assert found(vault, index, "empty") == ["empty.md"]
    put(root, "good.md", b"\x00 now binary", settled=False)
    assert index.refresh(vault).notes == 3


def test_names_that_differ_in_letters_only_are_notes_of_their_own(root: Path) -> None:
    put(root, "Ada.md", "squirrel one")
    put(root, "ada.md", "squirrel two")
    vault, index = Vault.opened(root), VaultIndex()
    assert index.refresh(vault).notes == len(list(root.iterdir()))
    assert len(found(vault, index, "squirrel")) == len(list(root.iterdir()))


@pytest.mark.parametrize(
    "name", ["CON.md", "trailing dot..md", "🌳.md", "x" * 200 + ".md", "a b  c.md", "-rf.md", "%2e.md"]
)
def test_odd_names_are_read(root: Path, name: str) -> None:
    put(root, name, "squirrel")
    vault, index = Vault.opened(root), VaultIndex()
    index.refresh(vault)
    assert found(vault, index, "squirrel") == [name]


def test_the_file_beside_the_store_is_used_and_may_be_deleted_or_damaged(root: Path, clock: HandClock) -> None:
    many(root, 20)

    def index() -> tuple[int, int]:
        with treering.open(root.parent / "work.db", clock=clock, vault=root, embedder="none") as mem:
            told = mem.index_vault()
            return told.read, told.unchanged

    assert index() == (20, 0)
    [file] = (root.parent / "work.db.index").glob("*.vault")
    assert index() == (0, 20)
    whole = file.read_bytes()
    for damaged in (
        b"",
        b"{}",
        whole[:-20],
        b'{"format": 1, "notes": [[1]]}',
        whole.replace(b'"format": 1', b'"format": 0'),
    ):
        file.write_bytes(damaged)
        assert index() == (20, 0)
    file.unlink()
    assert index() == (20, 0)
    assert file.stat().st_mode & 0o077 == 0


def test_a_purge_takes_the_index_along(root: Path, clock: HandClock) -> None:
    with treering.open(root.parent / "work.db", clock=clock, vault=root, embedder="none") as mem:
        one = mem.add("the code is quokka").id
        mem.promote(one, force=True)
        assert mem.search_unified("quokka").results[0].path is not None
        [file] = (root.parent / "work.db.index").glob("*.vault")
        assert "quokka" in file.read_text()
        mem.purge(one, "asked to")
        assert not file.exists()
        assert mem.search_unified("quokka").results == ()


def test_a_store_in_memory_indexes_too(root: Path, clock: HandClock) -> None:
    many(root, 5)
    with treering.open(":memory:", clock=clock, vault=root) as mem:
        assert mem.index_vault().read == 5
        assert mem.index_vault().read == 0


def test_progress_is_told(root: Path, mem: Treering) -> None:
    many(root, 12)
    told: list[tuple[int, int]] = []
    mem.watched(lambda done, of: told.append((done, of))).index_vault(root)
    assert told == [(n, 12) for n in range(1, 13)]


# meaning


def test_sections_are_read_for_meaning_as_they_are_looked_at_and_once(root: Path, clock: HandClock) -> None:
    many(root, 100)
    read: list[str] = []

    class Counting(Hashing):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            read.extend(texts)
            return super().embed(texts)

    def door() -> Treering:
        return treering.open(root.parent / "work.db", clock=clock, vault=root, embedder=Counting())

    with door() as mem:
        mem.search_unified("word7 garden")
        assert 0 < len(read) <= 32
        assert mem.index_vault(embed=True).embedded == 100
        assert len(read) == 100
    with door() as mem:
        assert mem.search_unified("word7 garden").results[0].path == "folder 7/note 7.md"
        put(root, "folder 7/note 7.md", "word7 is elsewhere now", settled=False)
        mem.index_vault(embed=True)
    assert len(read) == 101

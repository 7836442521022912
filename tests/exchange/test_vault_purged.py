"""Notes that quote what is purged: ours go with it if nobody has touched them, and all others are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.exchange.vault.writing import is_untouched
from treering.store import open_store

WORDS = "Egon keeps the key under the third stone"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def mem(tmp_path: Path, root: Path, clock: HandClock) -> Treering:
    store = open_store(str(tmp_path / "work.db"), "normal")
    return Treering(store, clock=clock, actor="ann", space="lab", vault=root)


def noted(mem: Treering, content: str = WORDS, **more: object) -> tuple[str, str]:
    """A memory with a note of its own: its id, and where the note is."""
    memory = mem.add(content, **more).id  # type: ignore[arg-type]
    return memory, mem.promote(memory, force=True).notes[memory]


def test_our_note_goes_with_its_memory(mem: Treering, root: Path) -> None:
    memory, path = noted(mem)
    assert is_untouched((root / path).read_text("utf-8"))
    assert mem.purge(memory, "asked to", dry_run=True).notes_removed == (path,)
    assert (root / path).exists()
    report = mem.purge(memory, "asked to")
    assert (report.notes_removed, report.notes_left) == ((path,), ())
    assert not (root / path).exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "\nMy own thoughts.\n",
        lambda text: text.replace("use_count: 0", "use_count: 1"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(WORDS, "Now something else"),
        lambda text: "\n".join(line for line in text.split("\n") if not line.startswith("written:")),
    ],
)
def test_a_note_that_was_changed_is_named_and_never_removed(mem: Treering, root: Path, change: object) -> None:
    memory, path = noted(mem)
    changed = change((root / path).read_text("utf-8"))  # type: ignore[operator]
    (root / path).write_bytes(changed.encode())
    report = mem.purge(memory, "asked to")
    assert (report.notes_removed, report.notes_left) == ((), (path,))
    assert (root / path).read_bytes() == changed.encode()


def test_a_note_that_was_moved_is_still_ours(mem: Treering, root: Path) -> None:
    memory, path = noted(mem)
    (root / "Archive").mkdir()
    (root / path).rename(root / "Archive" / "renamed.md")
    assert mem.purge(memory, "asked to").notes_removed == ("Archive/renamed.md",)


def test_a_note_of_somebodys_own_that_quotes_it_is_named(mem: Treering, root: Path) -> None:
    memory = mem.add(WORDS).id
    (root / "Diary.md").write_text("Today I heard that\n" + WORDS.replace(" the ", "\nthe ") + ".\n")
    (root / "Other.md").write_text("Nothing of that here.\n")
    report = mem.purge(memory, "asked to")
    assert (report.notes_removed, report.notes_left) == ((), ("Diary.md",))
    assert (root / "Diary.md").exists()


def test_a_note_of_ours_that_links_to_it_by_its_words_goes_too_and_can_be_written_again(
    mem: Treering, root: Path
) -> None:
    memory = mem.add(WORDS.replace("Egon keeps", "Egon: keeps")).id  # a link holds no colon
    other = mem.add("Egon is careful").id
    mem.link(other, memory, "related_to")
    path = mem.promote(other, force=True).notes[other]
    assert "third stone" in (root / path).read_text("utf-8")
    assert mem.purge(memory, "asked to").notes_removed == (path,)
    again = mem.promote(other, force=True).notes[other]
    assert "third stone" not in (root / again).read_text("utf-8")


def test_what_quotes_a_purged_memory_takes_its_note_along(mem: Treering, root: Path) -> None:
    memory = mem.add(WORDS).id
    derived, path = noted(mem, "In short: the third stone", derived_from=[memory])
    report = mem.purge(memory, "asked to")
    assert set(report.memories) == {memory, derived}
    assert report.notes_removed == (path,)


def test_notes_of_other_memories_stay(mem: Treering, root: Path) -> None:
    memory, _ = noted(mem)
    _, other = noted(mem, "Benny drives")
    report = mem.purge(memory, "asked to")
    assert other not in (*report.notes_removed, *report.notes_left)
    assert (root / other).exists()


def test_a_vault_that_is_gone_holds_up_no_purge_and_is_named(mem: Treering, root: Path) -> None:
    memory = mem.add(WORDS).id
    root.rmdir()
    report = mem.purge(memory, "asked to")
    assert report.notes_left == (str(root),)
    assert mem.list().memories == ()


def test_a_note_that_cannot_be_read_is_named(mem: Treering, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = mem.add(WORDS).id
    (root / "Huge.md").write_text("x" * 100)
    monkeypatch.setattr("treering.model.limits.NOTE_BYTES", 50)
    assert mem.purge(memory, "asked to").notes_left == ("Huge.md",)


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfe" + WORDS.encode("utf-16-le"), b"Caf\xe9 der Nacht", b"\0"])
def test_a_note_that_is_no_text_is_named_and_holds_up_nothing(
    mem: Treering, root: Path, tmp_path: Path, data: bytes
) -> None:
    memory, path = noted(mem)
    (root / "A binary.md").write_bytes(data)
    assert mem.purge(memory, "asked to", dry_run=True).notes_left == ("A binary.md",)
    report = mem.purge(memory, "asked to")
    assert (report.notes_removed, report.notes_left, report.scrubbed) == ((path,), ("A binary.md",), True)
    assert not any(WORDS.encode() in one.read_bytes() for one in tmp_path.glob("work.db*") if one.is_file())


def test_the_bytes_are_gone_before_anything_is_done_in_the_vault(
    mem: Treering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = mem.add(WORDS).id

    def broken(*_: object) -> None:
        raise OSError("the drive is gone")

    monkeypatch.setattr("treering.exchange.vault.removing.remove_notes", broken)
    with pytest.raises(OSError, match="the drive is gone"):
        mem.purge(memory, "asked to")
    assert not any(WORDS.encode() in one.read_bytes() for one in tmp_path.glob("work.db*") if one.is_file())


def test_without_a_vault_there_is_nothing_to_tell(tmp_path: Path, clock: HandClock) -> None:
    bare = Treering(open_store(":memory:"), clock=clock, space="lab")
    report = bare.purge(bare.add(WORDS).id, "asked to")
    assert (report.notes_removed, report.notes_left) == ((), ())

"""A memory written down as a note: under a name that every system can hold, whole, and never over another."""

from __future__ import annotations

import os
import threading
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Doors, HandClock, examples

from treering.door import Treering
from treering.errors import Forbidden, InvalidRequest
from treering.exchange.vault import writing
from treering.exchange.vault.drafting import note_drafts
from treering.exchange.vault.file_names import NAME_BYTES, alike, safe_name
from treering.exchange.vault.note import read_note
from treering.exchange.vault.place import Vault
from treering.exchange.vault.writing import FOLDER, NoteDraft, is_untouched, write_note

RESERVED = ["CON", "con", "PRN", "aux", "NUL", "COM1", "lpt9", "CON.txt", "nul .x"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def notes(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def draft(mem: Treering, content: str, **more: object) -> NoteDraft:
    memory_id = mem.add(content, **more).id  # type: ignore[arg-type]
    with mem._reading(None) as reader:
        [one] = note_drafts(reader, [memory_id])
    return one


# names


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Ada works at Google", "Ada works at Google"),
        ('a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j"),
        ("[[Ada]] #tag ^block", "Ada tag block"),
        ("  trailing dots and blanks . . ", "trailing dots and blanks"),
        ("../../etc/passwd", "etc passwd"),
        (".hidden", "hidden"),
        ("two\nlines\tand \x00 controls", "two lines and controls"),
        ("right\u202eto left", "right to left"),
        ("🌳 grows", "🌳 grows"),
        ("🌳", "🌳"),
        ("cafe\u0301", "café"),
        ("...", "Memory 1"),
        ("///", "Memory 1"),
        ("", "Memory 1"),
        ("CON", "Note CON"),
        ("console", "console"),
    ],
)
def test_a_note_is_called_after_its_words_as_far_as_every_system_allows(words: str, name: str) -> None:
    assert safe_name(words, "Memory 1") == name


@pytest.mark.parametrize("words", RESERVED)
def test_names_that_windows_keeps_for_itself_are_not_used(words: str) -> None:
    assert safe_name(words, "x").split(".")[0].strip().casefold() not in {one.casefold() for one in RESERVED}


@pytest.mark.parametrize(
    "words", ["word " * 100, "x" * 1000, "é" * 500, "👩‍👩‍👧‍👦" * 60, "日本語" * 90, "e" + "\u0301" * 400]
)
def test_a_long_name_is_cut_between_words_and_signs(words: str) -> None:
    name = safe_name(words, "x")
    assert 0 < len(name.encode()) <= NAME_BYTES
    assert not name.endswith((" ", "\u200d"))
    if "👩" in words:
        assert name == "👩‍👩‍👧‍👦" * (len(name) // 7)


@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=200))
def test_any_words_give_a_name_that_can_be_written_and_listed(words: str) -> None:
    name = safe_name(words, "Memory 1")
    assert name
    assert name == name.strip(" .")
    assert not set(name) & set('\\/:*?"<>|#^[]\0\n\r\t')
    assert len(name.encode()) <= NAME_BYTES + len("Note ")
    assert unicodedata.is_normalized("NFC", name)


def test_names_alike_to_some_system_are_told() -> None:
    assert alike("ADA.md") == alike("ada.md")
    assert alike("café.md") == alike("cafe\u0301.md")
    assert alike("straße.md") == alike("STRASSE.md")
    assert alike("ada.md") != alike("adam.md")


# the note


def test_a_note_tells_what_is_known_about_its_memory(mem: Treering, root: Path) -> None:
    one = draft(
        mem,
        "Ada works at Google",
        title="Ada's job",
        context="small talk: over lunch",
        tags=["work", "old friends", "2024"],
        entities=["Ada", "Google [US]"],
        key="turn-1",
    )
    written = write_note(Vault.opened(root), one)
    assert (written.path, written.created) == (f"{FOLDER}/Ada's job.md", True)
    text = (root / written.path).read_text("utf-8")
    front, body = text.removeprefix("---\n").split("---\n", 1)
    assert is_untouched(text)
    assert {name: value for name, value in yaml.safe_load(front).items() if name != "written"} == {
        "id": one.memory.id,
        "space": "lab",
        "created": one.memory.said_at,
        "last_used": one.memory.last_used,
        "use_count": 0,
        "tags": ["work", "old-friends", "n2024"],
        "entities": ["[[Ada]]", "[[Google US]]"],
        "source": "turn-1",
    }
    assert body == "\nAda works at Google\n\n## Context\n\nsmall talk: over lunch\n"


def test_what_a_memory_is_tied_to_is_linked(mem: Treering, root: Path, clock: HandClock) -> None:
    first = mem.add("Ada lives in Berlin").id
    clock.advance(hours=1)
    second = mem.revise(first, "Ada lives in Paris").id
    secret = mem.add("Ada is ill", visibility="private").id
    mem.link(second, secret)
    with mem._reading(None) as reader:
        [one] = note_drafts(reader, [second])
    text = (root / write_note(Vault.opened(root), one).path).read_text()
    assert text.endswith("## Related\n\n- supersedes [[Ada lives in Berlin]]\n")


def test_a_note_read_again_is_known_as_the_memorys(mem: Treering, root: Path) -> None:
    one = draft(mem, "---\nid: 7\n---\n# Not front matter\n[[Ada]]")
    path = write_note(Vault.opened(root), one).path
    note = read_note(path, (root / path).read_bytes())
    assert (note.memory_id, note.space, note.trouble) == (one.memory.id, "lab", None)
    assert note.text[note.body :].strip() == one.memory.content


def test_a_note_that_is_there_is_never_changed(mem: Treering, root: Path) -> None:
    vault = Vault.opened(root)
    mine = root / FOLDER / "ADA WORKS AT GOOGLE.md"
    mine.parent.mkdir()
    mine.write_text("my own words")
    first, second = draft(mem, "Ada works at Google"), draft(mem, "Ada works at Google")
    assert write_note(vault, first).path == f"{FOLDER}/Ada works at Google 2.md"
    assert write_note(vault, second).path == f"{FOLDER}/Ada works at Google 3.md"
    edited = root / FOLDER / "Ada works at Google 2.md"
    edited.write_text(edited.read_text() + "\nand my thoughts\n")
    again = write_note(vault, first)
    assert (again.path, again.created) == (f"{FOLDER}/Ada works at Google 2.md", False)
    assert edited.read_text().endswith("and my thoughts\n")
    assert mine.read_text() == "my own words"
    assert len(notes(root)) == 3


def test_many_who_write_at_once_get_a_note_each(mem: Treering, root: Path) -> None:
    drafts = [draft(mem, "Ada works at Google") for _ in range(8)]
    paths: list[str] = []
    threads = [
        threading.Thread(target=lambda one=one: paths.append(write_note(Vault.opened(root), one).path))
        for one in drafts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(paths)) == len(notes(root)) == 8


def test_a_disk_without_hard_links_is_written_to_all_the_same(
    mem: Treering, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    one = draft(mem, "Ada works at Google")
    assert write_note(Vault.opened(root), one).created
    assert write_note(Vault.opened(root), draft(mem, "Ada works at Google")).path.endswith(" 2.md")
    assert [name for name in notes(root) if name.endswith(".tmp")] == []


def test_a_write_that_fails_leaves_nothing_behind(mem: Treering, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", full)
    with pytest.raises(InvalidRequest, match="No space left"):
        write_note(Vault.opened(root), draft(mem, "Ada works at Google"))
    assert notes(root) == []


# promotion


def promotable(mem: Treering, clock: HandClock, content: str = "Ada works at Google", **more: object) -> str:
    memory_id = mem.add(content, **more).id  # type: ignore[arg-type]
    clock.advance(hours=30)
    return memory_id


@pytest.fixture
def with_vault(doors: Doors, root: Path) -> Treering:
    door: Treering = doors("ann")
    door._vault = str(root)
    return door


def test_promotion_writes_a_note_and_says_where(with_vault: Treering, clock: HandClock, root: Path) -> None:
    one = promotable(with_vault, clock)
    planned = with_vault.promote(one, dry_run=True)
    assert (planned.notes, notes(root)) == ({one: f"{FOLDER}/Ada works at Google.md"}, [])
    done = with_vault.promote(one)
    assert (done.notes, done.target) == (planned.notes, "obsidian")
    assert notes(root) == [f"{FOLDER}/Ada works at Google.md"]


def test_a_note_that_was_moved_is_still_the_memorys(with_vault: Treering, clock: HandClock, root: Path) -> None:
    one = promotable(with_vault, clock)
    [path] = with_vault.promote(one).notes.values()
    (root / "People").mkdir()
    (root / path).rename(root / "People" / "Ada.md")
    assert with_vault.promote(one).notes == {one: "People/Ada.md"}
    assert notes(root) == ["People/Ada.md"]


def test_a_memory_promoted_before_there_was_a_vault_gets_its_note_when_asked_for(
    mem: Treering, clock: HandClock, root: Path
) -> None:
    one = promotable(mem, clock)
    assert mem.promote(one).notes == {}
    assert list(mem.promote(one, vault=root).notes) == [one]
    assert mem.promote(one, vault=root).promoted_ids == ()


def test_the_tier_alone_writes_no_note_and_a_note_needs_a_vault(
    with_vault: Treering, mem: Treering, clock: HandClock, root: Path
) -> None:
    one = promotable(with_vault, clock)
    assert with_vault.promote(one, target="long").notes == {}
    assert notes(root) == []
    with pytest.raises(InvalidRequest, match="TREERING_VAULT"):
        mem.promote(promotable(mem, clock, "Bo is here"), target="obsidian")
    with pytest.raises(InvalidRequest, match="vault"):
        mem.promote(promotable(mem, clock, "Cy is here"), vault=root / "missing")
    assert mem.list()[-1].state == "active"


def test_what_only_some_may_see_is_promoted_without_a_note(with_vault: Treering, clock: HandClock, root: Path) -> None:
    secret = promotable(with_vault, clock, "Ada is ill", visibility="private")
    done = with_vault.promote(secret)
    assert (done.promoted_ids, done.notes, notes(root)) == ((secret,), {}, [])


def test_a_vault_whose_folder_leads_out_gets_no_note(
    with_vault: Treering, clock: HandClock, root: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / FOLDER).symlink_to(outside)
    with pytest.raises(Forbidden, match="leads out"):
        with_vault.promote(promotable(with_vault, clock))
    assert list(outside.iterdir()) == []
    assert with_vault.list()[0].state == "active"

"""What a vault holds and what a note says: nothing outside is read, and what cannot be read is told of."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.errors import Forbidden, InvalidRequest
from treering.exchange.vault import front_matter
from treering.exchange.vault.note import read_note
from treering.exchange.vault.place import Seen, Unreadable, Vault
from treering.model import limits


def put(root: Path, path: str, text: str | bytes = "words\n") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def paths(vault: Vault) -> list[str]:
    return [one.path for one in vault.notes()]


# the folder


def test_notes_are_met_folder_by_folder_and_hidden_ones_are_none(root: Path) -> None:
    for path in ("b.md", "a/z.MD", "a/y.markdown", "a/picture.png", ".obsidian/x.md", ".trash/old.md", ".secret.md"):
        put(root, path)
    assert paths(Vault.opened(root)) == ["b.md", "a/y.markdown", "a/z.MD"]


def test_a_link_out_of_the_vault_is_not_followed_and_told_of(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    put(outside, "secret.md")
    put(root, "in.md")
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "again.md").symlink_to(root / "in.md")
    (root / "circle").symlink_to(root)
    vault = Vault.opened(root)
    assert paths(vault) == ["in.md"]
    assert [one.path for one in vault.passed] == ["folder", "link.md"]
    assert all("leads out" in one.why for one in vault.passed)


def test_a_vault_that_is_itself_a_link_is_the_folder_it_leads_to(root: Path, tmp_path: Path) -> None:
    put(root, "in.md")
    (tmp_path / "short").symlink_to(root)
    assert paths(Vault.opened(tmp_path / "short")) == ["in.md"]


def test_a_note_that_is_swapped_for_a_link_before_it_is_opened_is_not_read(root: Path, tmp_path: Path) -> None:
    secret = put(tmp_path, "secret.md", "secret")
    note = put(root, "in.md")
    vault = Vault.opened(root)
    [seen] = vault.notes()
    note.unlink()
    note.symlink_to(secret)
    with pytest.raises(Unreadable):
        vault.read(seen)


def test_a_folder_on_the_way_that_is_swapped_for_a_link_is_not_read_through(root: Path, tmp_path: Path) -> None:
    put(root, "a/in.md", "mine")
    put(tmp_path, "outside/in.md", "secret")
    vault = Vault.opened(root)
    [seen] = vault.notes()
    (root / "a").rename(root / ".b")
    (root / "a").symlink_to(tmp_path / "outside")
    with pytest.raises(Unreadable, match="replaced"):
        vault.read(seen)


def test_a_pipe_called_like_a_note_does_not_hang_anybody(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    put(root, "folder.md/in.md")
    vault = Vault.opened(root)
    assert paths(vault) == ["folder.md/in.md"]
    assert [one.path for one in vault.passed] == ["pipe.md"]


def test_a_name_that_is_no_text_is_told_of(root: Path) -> None:
    try:
        (root / os.fsdecode(b"bad\xff.md")).write_text("x")
    except OSError:  # a system that refuses such names has nothing to tell
        return
    vault = Vault.opened(root)
    assert paths(vault) == []
    assert [one.why for one in vault.passed] == ["its name cannot be read"]


@pytest.mark.parametrize("where", ["missing", "file.md"])
def test_what_is_no_folder_is_no_vault(tmp_path: Path, where: str) -> None:
    put(tmp_path, "file.md")
    with pytest.raises(InvalidRequest, match="vault: "):
        Vault.opened(tmp_path / where)


@pytest.mark.parametrize("inside", ["..", "a/../../b", "/etc", "C:\\temp", "\\\\host\\share", "..\\up", "a/..\\..\\b"])
def test_a_folder_outside_is_refused(root: Path, inside: str) -> None:
    with pytest.raises(Forbidden, match="leads out"):
        Vault.opened(root).folder(inside)


def test_a_folder_that_is_a_link_leading_out_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "Treering").symlink_to(tmp_path / "outside")
    with pytest.raises(Forbidden, match="leads out"):
        Vault.opened(root).folder("Treering/2026")
    assert list((tmp_path / "outside").iterdir()) == []


# the bytes


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        (b"caf\xe9", "not UTF-8, from byte 3"),
        (b"a" * (limits.NOTE_BYTES + 1), "more than 4,194,304 bytes"),
    ],
)
def test_what_cannot_be_read_is_told_with_the_reason(root: Path, data: bytes, why: str) -> None:
    put(root, "a.md", data)
    vault = Vault.opened(root)
    [seen] = vault.notes()
    with pytest.raises(Unreadable, match=why):
        read_note(seen.path, vault.read(seen))


def test_a_note_of_exactly_the_most_bytes_is_read(root: Path) -> None:
    put(root, "a.md", b"a" * limits.NOTE_BYTES)
    vault = Vault.opened(root)
    [seen] = vault.notes()
    assert len(vault.read(seen)) == limits.NOTE_BYTES


def test_a_note_that_has_gone_is_told_of(root: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        Vault.opened(root).read(Seen("gone.md", 0, 0))


# the note

FULL = """---
title: Types at work
tags: [coding, "#ts", 42, Coding]
entities: ["[[Ada]]", "[[people/Bo Ek|Bo]]", Cy]
created: 2025-01-02
updated: 2025-03-04T05:06:07+02:00
---
Intro with [[TypeScript#Strict|strict]] and ![[picture.png]] and [[diagram.svg]] #style/types.

## Lint

Use `[[not a link]]` and #tools, not #123 nor a#b.

```
#no_tag [[Nobody]]
```
"""


def test_a_note_is_read_with_its_title_tags_links_and_times() -> None:
    note = read_note("work/Types.md", FULL.encode())
    assert note.title == "Types at work"
    assert note.tags == ("coding", "ts", "42", "style/types", "tools")
    assert [one.name for one in note.links] == ["Ada", "Bo Ek", "Cy", "TypeScript"]
    assert [one.start > note.body for one in note.links] == [False, False, False, True]
    assert note.created == datetime(2025, 1, 2, tzinfo=UTC)
    assert note.updated == datetime(2025, 3, 4, 3, 6, 7, tzinfo=UTC)
    assert [one.path for one in note.sections()] == [(), ("Lint",)]
    assert note.text[slice(note.sections()[0].start, note.sections()[0].end)].startswith("Intro")
    assert (note.memory_id, note.trouble) == (None, None)


def test_a_note_without_front_matter_is_called_after_its_file() -> None:
    note = read_note("a/My day.md", "\ufeffIt was\r\nfine\r".encode())
    assert (note.title, note.text, note.body) == ("My day", "It was\nfine\n", 0)


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("tags: [a, b", "expected ',' or ']'"),
        ("a: b: c", "mapping values are not allowed"),
        ("- just\n- a list", "it is a list"),
        ("a: &x [1]\nb: *x", "refers to itself"),
        ("a: " + "[" * 60 + "]" * 60, "nested too deeply"),
        ("a: !!python/object/apply:os.system ['true']", "could not determine a constructor"),
        ("a: " + "x" * 40_000, "at most 32,768"),
        ("\tindented: by tab", "cannot start any token"),
    ],
)
def test_broken_front_matter_is_told_and_the_note_is_read_without_it(broken: str, why: str) -> None:
    note = read_note("a.md", f"---\n{broken}\n---\nThe body #kept\n".encode())
    assert note.trouble is not None
    assert why in note.trouble
    assert note.text[note.body :] == "The body #kept\n"
    assert note.tags == ("kept",)


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert read_note("a.md", b"---\nno end").body == 0
    assert read_note("a.md", b"----\na: 1\n---\n").body == 0


def test_values_of_other_kinds_than_expected_are_passed_over() -> None:
    text = "---\ntags: {a: 1}\nentities: 7\ntitle: [x]\ncreated: soon\nid: 12\nspace: 3\n---\nx"
    note = read_note("t.md", text.encode())
    assert (note.tags, note.links, note.title, note.created, note.memory_id) == ((), (), "t", None, None)


def test_what_stands_twice_is_written_twice_and_not_as_a_reference() -> None:
    then, tags = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), ["a", "b"]
    text = front_matter.written({"said": then, "recorded": then, "tags": tags, "more": tags})
    assert "*" not in text
    assert front_matter.split(text)[0] == {"said": then, "recorded": then, "tags": tags, "more": tags}


def test_front_matter_comes_back_as_it_was_written() -> None:
    values = {"id": "x", "title": "a: b # c\n'\"", "tags": ["ä", "- b", "1"], "n": 3, "empty": []}
    text = front_matter.written(values) + "body\n---\nmore\n"
    assert front_matter.split(text) == (values, len(text) - len("body\n---\nmore\n"), None)


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_a_note(text: str) -> None:
    for data in (text, f"---\n{text}\n---\n{text}"):
        encoded = data.encode("utf-8", "replace").replace(b"\x00", b"")
        note = read_note("a.md", encoded)
        together = "".join(note.text[one.start : one.end] for one in note.sections())
        assert "".join(together.split()) == "".join(note.text[note.body :].split())
        assert all(len(tag) <= limits.TAG_CHARS for tag in note.tags)

"""`add_file`: a document is a source with a memory a section, a chat a source and a memory a message, each once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import Doors, HandClock, contents, scope
from tests.ingest.file_samples import WHATSAPP_PHONE, as_json, chatgpt, docx, paragraph, pdf

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded
from treering.ingest.add import NOTHING_READ
from treering.ingest.draft import Draft
from treering.ingest.files.read import FileRead, read_file
from treering.model import limits
from treering.model.source import Source, SourceKind
from treering.model.time import utc
from treering.store.contract import Store

MANUAL = "# Manual\n\nWelcome.\n\n## Setup\n\n### Linux\n\nRun it.\n\n### Windows\n\nClick it.\n"


def read(name: str, data: bytes, **given: object) -> FileRead:
    return read_file(name, data, Draft(content=name, **given))  # type: ignore[arg-type]


def sources_of(store: Store, clock: HandClock, ids: tuple[str, ...]) -> list[Source]:
    with store.reader(scope(clock)) as reader:
        found = reader.sources(ids)
        return [found[one] for one in ids]


# Reading


def test_a_document_is_one_source_word_for_word_with_a_span_for_every_section() -> None:
    [source] = read("manual.md", MANUAL.encode()).sources
    assert source.content == MANUAL
    assert source.draft.source_kind is SourceKind.DOCUMENT
    assert [(one.title, MANUAL[slice(*span)] == one.content) for one, span in source.memories] == [
        ("Manual", True),
        ("Manual > Setup > Linux", True),
        ("Manual > Setup > Windows", True),
    ]
    assert source.memories[1][0].context == "manual.md: Manual > Setup > Linux"


def test_what_has_no_headings_is_called_by_the_name_of_the_file() -> None:
    [(memory, _)] = read("trip to Porto.txt", b"We went by train.").sources[0].memories
    assert (memory.title, memory.context) == ("trip to Porto", "trip to Porto.txt")


def test_a_long_text_is_split_into_parts_that_keep_their_offsets() -> None:
    text = "".join(f"# Chapter {n}\n\n" + f"Zoë said {n}. " * 1000 + "\n\n" for n in range(1, 240))
    assert len(text.encode()) > 3 << 20
    found = read("long.md", text.encode())
    assert len(found.sources) == 4
    for number, source in enumerate(found.sources, 1):
        meta = source.draft.meta or {}
        offset = meta["offset"]
        assert (meta["part"], meta["parts"], meta["file"], meta["media_type"]) == (
            number,
            4,
            "long.md",
            "text/markdown",
        )
        assert text[offset : offset + len(source.content)] == source.content
        assert len(source.content.encode()) <= limits.SOURCE_BYTES
        assert all(source.content[slice(*span)] == draft.content for draft, span in source.memories)
    said = "".join(draft.content for draft in found.drafts)
    assert "".join(said.split()) == "".join(text.split())


def test_parts_hold_also_where_a_text_is_mostly_blank_or_of_wide_letters() -> None:
    for text in ("a\n" + "\n" * limits.SOURCE_BYTES + "b", "漢字。" * (limits.SOURCE_BYTES // 8)):
        found = read("a.txt", text.encode())
        assert len(found.sources) > 1
        assert "".join("".join(one.content for one in found.drafts).split()) == "".join(text.split())


def test_a_file_that_would_make_too_many_memories_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE_MEMORIES", 1_000)
    assert len(read("a.jsonl", b'{"a": 1}\n' * 1_000).drafts) == 1_000
    with pytest.raises(LimitExceeded, match="at most 1,000 at once"):
        read("a.jsonl", b'{"a": 1}\n' * 1_001)


@pytest.mark.slow
def test_a_file_that_would_make_more_than_fifty_thousand_memories_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="at most 50,000 at once"):
        read("a.jsonl", b'{"a": 1}\n' * 50_001)


def test_a_very_long_message_is_kept_whole_and_remembered_in_sections() -> None:
    words = "A long answer. " * 5000
    [source] = read("a.json", as_json([{"role": "user", "content": words}])).sources
    assert source.content == words
    assert len(source.memories) > 10
    assert all(words[slice(*span)] == draft.content for draft, span in source.memories)


def test_a_message_without_a_time_was_said_with_the_one_before() -> None:
    said = [
        {"role": "a", "content": "1"},
        {"role": "a", "content": "2", "at": "2024-03-12"},
        {"role": "b", "content": "3"},
    ]
    found = read("a.json", as_json(said), at=utc("2020-01-01"))
    assert [one.draft.at for one in found.sources] == [utc("2020-01-01"), utc("2024-03-12"), utc("2024-03-12")]


# The door


def test_the_sections_of_a_document_are_memories_on_its_source(mem: Treering, store: Store, clock: HandClock) -> None:
    added = mem.add_file(MANUAL.encode(), name="manual.md", tags=["manual"], meta={"by": "Ann"}, at="2025-01-01")
    [source] = sources_of(store, clock, added.source_ids)
    assert (source.kind, source.content) == (SourceKind.DOCUMENT, MANUAL)
    assert source.meta == {
        "by": "Ann", "file": "manual.md", "media_type": "text/markdown", "part": 1, "parts": 1, "offset": 0,
    }  # fmt: skip
    memories = mem.list(tags=["manual"])
    assert contents(memories) == [one.content for one in added.memories]
    assert all(MANUAL[slice(*one.span)] == one.content for one in memories)
    assert [one.title for one in memories] == ["Manual", "Manual > Setup > Linux", "Manual > Setup > Windows"]
    assert {one.source_id for one in memories} == set(added.source_ids)
    assert (memories[0].meta, memories[0].said_at) == ({"by": "Ann", "file": "manual.md"}, utc("2025-01-01"))
    assert mem.verify().ok


def test_a_section_is_recalled_by_its_words_and_by_its_headings(file_mem: Treering) -> None:
    file_mem.add_file(MANUAL.encode(), name="manual.md")
    assert file_mem.recall("How to run it on Linux")[0].memory.title == "Manual > Setup > Linux"


@pytest.mark.parametrize("form", ["text", "path"])
def test_a_file_is_given_by_its_path(form: str, mem: Treering, tmp_path: Path) -> None:
    path = tmp_path / "notes.docx"
    path.write_bytes(docx(paragraph("Tea", "Heading1"), paragraph("White tea is mild.")))
    added = mem.add_file(str(path) if form == "text" else path)
    assert mem.get(added.id).content == "# Tea\n\nWhite tea is mild."
    assert mem.get(added.id).meta == {"file": "notes.docx"}


def test_a_pdf_is_remembered(mem: Treering) -> None:
    assert "Ada was born" in mem.add_file(pdf("Ada was born in London.")).memories[0].content


def test_a_chat_is_remembered_message_by_message(mem: Treering, store: Store, clock: HandClock) -> None:
    added = mem.add_file(WHATSAPP_PHONE.encode(), name="Ana and Bo.txt")
    sources = sources_of(store, clock, added.source_ids)
    assert [(one.kind, one.speaker, one.session, one.occurred_at) for one in sources] == [
        (SourceKind.MESSAGE, "Ana", "Ana and Bo", utc("2024-03-12T09:15:33Z")),
        (SourceKind.MESSAGE, "Bo Ek", "Ana and Bo", utc("2024-03-13T10:00:00Z")),
    ]
    assert contents(mem.list(speaker="Bo Ek")) == ["I moved to Porto: finally"]
    assert added.notes[0].startswith("left out: line 1 has no speaker")


def test_the_caller_says_who_spoke_and_where_if_the_file_does_not(mem: Treering) -> None:
    mem.add_file(b"Plain words.", speaker="Ana", session="s1")
    mem.add_file(as_json([{"role": "Bo", "content": "hi"}]), session="s2")
    assert contents(mem.list(speaker="Ana", session="s1")) == ["Plain words."]
    assert contents(mem.list(speaker="Bo", session="s2")) == ["hi"]


def test_a_dry_run_says_what_would_be_and_writes_nothing(mem: Treering) -> None:
    tried = mem.add_file(MANUAL.encode(), name="a.md", dry_run=True)
    assert (len(tried.memories), tried.dry_run) == (3, True)
    assert not mem.list(view="all")


# Once


def test_the_same_file_again_is_not_written_again(mem: Treering, clock: HandClock) -> None:
    first = mem.add_file(MANUAL.encode(), name="a.md")
    clock.advance(days=1)
    again = mem.add_file(MANUAL.encode(), name="b.md")
    assert again.repeated
    assert not first.repeated
    assert (again.memories, again.seq) == (first.memories, first.seq)
    assert not mem.add_file(MANUAL.encode(), name="a.md", space="other").repeated
    assert not mem.add_file(MANUAL.replace("Click", "Press").encode(), name="a.md").repeated


def test_a_note_of_the_same_words_is_not_the_file(mem: Treering) -> None:
    mem.add("Plain words.")
    assert not mem.add_file(b"Plain words.").repeated
    assert mem.add_file(b"Plain words.").repeated


def test_of_a_file_that_grew_only_the_new_parts_are_written(file_mem: Treering) -> None:
    text = "".join(f"Line {n} of the log.\n\n" for n in range(50_000)).encode()
    first = file_mem.add_file(text, name="log.txt")
    again = file_mem.add_file(text + b"One more.\n", name="log.txt")
    assert len(first.source_ids) == 2
    assert again.source_ids[0] == first.source_ids[0]
    assert again.source_ids[1] != first.source_ids[1]


def test_an_export_made_anew_adds_only_what_was_said_since(mem: Treering, clock: HandClock) -> None:
    export = chatgpt()
    first = mem.add_file(as_json(export), name="conversations.json")
    clock.advance(days=30)
    assert mem.add_file(as_json(export), name="conversations-2.json").repeated
    nodes = export[0]["mapping"]
    more = {"author": {"role": "user"}, "content": {"parts": ["Thanks!"]}, "create_time": 1710239999.0}
    nodes["q3"] = {"id": "q3", "parent": "a2", "children": [], "message": more}
    export[0]["current_node"] = "q3"
    again = mem.add_file(as_json(export), name="conversations.json")
    assert not again.repeated
    assert [one.id for one in again.memories[:4]] == [one.id for one in first.memories]
    assert len(mem.list(view="all")) == 5


def test_what_somebody_else_adds_meanwhile_is_not_written_again(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = doors("ann", "bob")

    def slowly(*_: object) -> object:
        monkeypatch.undo()
        assert not bob.add_file(MANUAL.encode()).repeated
        return NOTHING_READ

    monkeypatch.setattr(ann, "_read", slowly)
    assert ann.add_file(MANUAL.encode()).repeated
    assert len(ann.list()) == 3


def test_the_same_words_said_twice_in_a_chat_are_two_messages(mem: Treering) -> None:
    said = [{"role": "a", "content": "ok"}, {"role": "a", "content": "ok"}]
    assert len(mem.add_file(as_json(said)).memories) == 2
    assert mem.add_file(as_json(said)).repeated
    assert len(mem.add_file(as_json([*said, said[0]])).memories) == 3
    assert len(mem.list()) == 3


@pytest.mark.parametrize(
    "data", [MANUAL.encode(), as_json([{"role": "a", "content": "x"}, {"role": "b", "content": "y"}])]
)
def test_a_key_with_the_same_file_gives_the_first_result_and_with_another_is_a_conflict(
    data: bytes, mem: Treering
) -> None:
    first = mem.add_file(data, key="k")
    again = mem.add_file(data, key="k")
    assert again.repeated
    assert [one.id for one in again.memories] == [one.id for one in first.memories]
    assert not mem.add_file(data, key="another").repeated
    for other in (b"Other words.", data.replace(b"y", b"z").replace(b"Click", b"Press"), data.replace(b" it.\n", b"")):
        if other != data:
            with pytest.raises(Conflict, match="used before with other content"):
                mem.add_file(other, key="k")


def test_a_key_with_a_chat_that_grew_is_a_conflict(mem: Treering) -> None:
    said = [{"role": "a", "content": "x"}]
    mem.add_file(as_json(said), key="k")
    with pytest.raises(Conflict, match="used before with other content"):
        mem.add_file(as_json([*said, {"role": "b", "content": "y"}]), key="k")


def test_a_key_that_somebody_used_in_private_is_in_use(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add_file(b"Plain words.", key="k", visibility="private")
    for words in (b"Plain words.", b"Other words."):
        with pytest.raises(Conflict, match="'k' is in use; give a new key"):
            bob.add_file(words, key="k")


@pytest.mark.parametrize("data", [MANUAL.encode(), WHATSAPP_PHONE.encode()])
def test_that_another_has_the_file_in_private_cannot_be_told(data: bytes, doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add_file(data, name="a.txt", visibility="private")
    first = bob.add_file(data, name="a.txt")
    assert not first.repeated
    assert bob.add_file(data, name="a.txt").repeated
    assert len(bob.list()) == len(first.memories)


@pytest.mark.parametrize("name", ["manual.md", "chat.jsonl"])
def test_a_private_file_is_seen_by_those_it_names_and_added_anew_for_one_more(name: str, doors: Doors) -> None:
    ann, bob, cy = doors("ann", "bob", "cy")
    data = MANUAL.encode() if name == "manual.md" else b'{"role": "user", "content": "The boiler is old."}\n'
    to_bob = {"name": name, "session": "s", "visibility": "private", "visible_to": ["bob"]}
    told = ann.add_file(data, **to_bob)
    assert [len(door.list()) for door in (ann, bob, cy)] == [len(told.memories), len(told.memories), 0]
    assert ann.add_file(data, **to_bob).repeated
    assert ann.add_file(data, **{**to_bob, "visible_to": ["ann"]}).repeated
    assert ann.add_file(data, **{**to_bob, "visible_to": ()}).repeated
    assert not ann.add_file(data, **{**to_bob, "visible_to": ["bob", "cy"]}).repeated
    assert len(cy.list()) == len(told.memories)
    with pytest.raises(InvalidRequest, match="visible_to: names principals of a private memory"):
        ann.add_file(b"Other words.", visible_to=["bob"])


def test_what_was_private_can_be_added_for_all_to_see(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add_file(MANUAL.encode(), visibility="private")
    assert ann.add_file(MANUAL.encode(), visibility="private").repeated
    assert not ann.add_file(MANUAL.encode()).repeated
    assert len(bob.list()) == 3


def test_a_purged_section_leaves_the_others_and_the_key_as_they_were(mem: Treering) -> None:
    added = mem.add_file(MANUAL.encode(), name="a.md", key="k")
    mem.purge(added.memories[1].id, "private")
    again = mem.add_file(MANUAL.encode(), name="a.md", key="k")
    assert again.repeated
    assert len(again.memories) == 2
    assert mem.verify().ok


# What is refused


def test_a_path_that_leads_nowhere_is_told(mem: Treering, tmp_path: Path) -> None:
    for path in ("nowhere.md", tmp_path, "a\x00b"):
        with pytest.raises(InvalidRequest, match=r"file: .* (cannot be read|is not the path of a file)"):
            mem.add_file(path)
    for nothing in ("", 7, None):
        with pytest.raises(InvalidRequest, match="give the path of a file, or its bytes"):
            mem.add_file(nothing)  # type: ignore[arg-type]


def test_a_file_without_text_writes_nothing(mem: Treering) -> None:
    with pytest.raises(InvalidRequest, match="is empty"):
        mem.add_file(b"", name="a.md")
    assert not mem.list(view="all")


def test_json_is_kept_as_it_was_written(mem: Treering, store: Store, clock: HandClock) -> None:
    text = json.dumps([{"name": "Ann", "likes": "tea"}, {"name": "Bo", "likes": "chess"}], indent=1)
    added = mem.add_file(text.encode(), name="people.json")
    [source] = sources_of(store, clock, added.source_ids)
    assert (source.kind, source.content) == (SourceKind.FILE, text)
    assert [mem.get(one.id).title for one in added.memories] == ["Ann", "Bo"]


def test_signs_that_no_store_can_hold_are_replaced(mem: Treering) -> None:
    said = b'[{"role": "a", "content": "x\\u0000y\\ud800z"}]'
    assert mem.add_file(said).memories[0].content == "x\ufffdy\ufffdz"

"""A vault taken in: each note a source with a memory a section, once, and again only as far as it changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.conftest import Doors, HandClock, everything, scope
from tests.exchange.vaults import many, put

import treering
from treering.door import Treering
from treering.errors import InvalidRequest

NOTE = """---
tags: [coding, preferences]
entities: ["[[Ada]]"]
---
# Style

We prefer strict types in [[TypeScript]].

# Lint

Use [[ESLint]] #tools
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    put(folder, "Types.md", NOTE)
    return folder


def test_a_note_is_a_source_with_a_memory_a_section(mem: Treering, root: Path) -> None:
    done = mem.import_vault(root, tags=["vault"])
    assert (done.notes, done.added, done.memories, done.superseded) == (1, 1, 2, 0)
    style, lint = mem.list()
    assert (style.title, style.content) == (
        "Types > Style",
        "# Style\n\nWe prefer strict types in [[TypeScript]].",
    )
    assert style.tags == ("vault", "coding", "preferences", "tools")
    assert (style.meta["note"], style.context) == ("Types.md", "Types.md")
    with mem._reading(None) as reader:
        source = reader.source(style.source_id)
        assert source is not None
        assert (source.content, source.kind) == (NOTE, "note")
        assert source.content[slice(*style.span)] == style.content
    assert [one.id for one in mem.list(entities=["TypeScript"])] == [style.id]
    assert [one.id for one in mem.list(entities=["ESLint"])] == [lint.id]
    assert len(mem.list(entities=["Ada"])) == 2
    assert mem.verify().ok


def test_what_is_known_is_not_written_again(mem: Treering, root: Path) -> None:
    mem.import_vault(root)
    before = mem.status()
    again = mem.import_vault(root)
    assert (again.added, again.unchanged, again.memories, again.seqs) == (0, 1, 0, ())
    assert mem.status() == before


def test_a_section_that_changed_takes_the_place_of_what_stood_there(
    mem: Treering, root: Path, clock: HandClock
) -> None:
    mem.import_vault(root)
    kept = mem.list()[0].id
    clock.advance(days=1)
    put(root, "Types.md", NOTE.replace("Use [[ESLint]]", "Use [[Biome]]") + "\n# New\n\nAnd more.\n", settled=False)
    done = mem.import_vault(root)
    assert (done.added, done.memories, done.superseded) == (1, 2, 1)
    clock.now += timedelta(days=365)
    assert [one.content.split("\n")[-1] for one in mem.list()] == [
        "We prefer strict types in [[TypeScript]].",
        "Use [[Biome]] #tools",
        "And more.",
    ]
    assert mem.list()[0].id == kept
    assert "Use [[ESLint]] #tools" in mem.list(view="history")[1].content
    mem.undo(",".join(map(str, done.seqs)))
    assert len(mem.list()) == 2
    assert mem.verify().ok


def test_a_note_was_said_when_it_was_made_and_a_change_when_it_was_written(mem: Treering, root: Path) -> None:
    put(root, "Day.md", "---\ncreated: 2025-05-01\n---\nIt rained.\n")
    mem.import_vault(root)
    [day] = [one for one in mem.list() if one.title == "Day"]
    assert day.said_at == datetime(2025, 5, 1, tzinfo=UTC)
    put(root, "Day.md", "---\ncreated: 2025-05-01\nupdated: 2025-06-01\n---\nIt poured.\n")
    mem.import_vault(root)
    [day] = [one for one in mem.list() if one.title == "Day"]
    assert (day.content, day.said_at) == ("It poured.", datetime(2025, 6, 1, tzinfo=UTC))
    assert [one.content for one in mem.list(as_of="2025-05-15T00:00:00Z") if one.title == "Day"] == ["It rained."]


def test_the_profile_of_a_space_does_not_tell_its_notes(mem: Treering, root: Path) -> None:
    mem.import_vault(root)
    mem.add("Ada likes tea")
    assert [one.text for one in mem.profile().sentences] == ["Ada likes tea."]


def test_the_same_words_in_two_notes_are_memories_of_both(mem: Treering, root: Path) -> None:
    put(root, "a/Types.md", NOTE)
    assert mem.import_vault(root).memories == 4


def test_it_goes_on_where_it_was_broken_off(file_mem: Treering, root: Path) -> None:
    many(root, 120)

    def stop(done: int, of: int) -> None:
        if done == 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        file_mem.watched(stop).import_vault(root)
    assert len(file_mem.list(limit=1000)) == 101
    told: list[tuple[int, int]] = []
    done = file_mem.watched(lambda done, of: told.append((done, of))).import_vault(root)
    assert (done.added, done.unchanged, told) == (21, 100, [(50, 121), (100, 121), (121, 121)])
    assert len(file_mem.list(limit=1000)) == 122
    assert file_mem.verify().ok


def test_a_dry_run_writes_nothing_and_counts_the_same(mem: Treering, root: Path) -> None:
    planned = mem.import_vault(root, dry_run=True)
    assert (planned.added, planned.memories, planned.dry_run, mem.status().seq) == (1, 2, True, 0)
    assert mem.import_vault(root).memories == 2


def test_notes_that_were_written_for_memories_are_not_taken_in(mem: Treering, root: Path) -> None:
    mem.promote(mem.add("quokkas smile").id, force=True, vault=root)
    done = mem.import_vault(root)
    assert (done.notes, done.own, done.added) == (2, 1, 1)
    assert len([one for one in mem.list() if "quokka" in one.content]) == 1


def test_what_cannot_be_read_is_told_and_the_rest_is_taken_in(mem: Treering, root: Path, tmp_path: Path) -> None:
    put(root, "binary.md", b"\x00\x01")
    put(root, "empty.md", "---\ntags: [a]\n---\n\n")
    put(root, "broken.md", "---\ntags: [a\n---\nkept all the same")
    (root / "out.md").symlink_to(put(tmp_path, "outside.md", "secret"))
    done = mem.import_vault(root)
    assert sorted(one.path for one in done.unread) == ["binary.md", "out.md"]
    assert (done.added, done.empty) == (2, 1)
    contents = " ".join(one.content for one in mem.list())
    assert "kept all the same" in contents
    assert "secret" not in contents


def test_a_note_larger_than_a_source_becomes_several(file_mem: Treering, root: Path) -> None:
    put(root, "Long.md", "".join(f"# Part {n}\n\n{'word ' * 400}\n\n" for n in range(600)))
    done = file_mem.import_vault(root)
    assert done.memories > 600
    sources = {one.source_id for one in file_mem.list(limit=1000)}
    assert len(sources) == 3
    assert file_mem.import_vault(root).added == 0


def test_private_notes_are_known_to_their_owner_alone(doors: Doors, root: Path) -> None:
    ann, bob = doors("ann", "bob")
    ann.import_vault(root, visibility="private")
    assert len(bob.list()) == 0
    done = bob.import_vault(root)
    assert (done.added, done.unchanged) == (1, 0)
    assert len(bob.list()) == 2
    assert ann.import_vault(root, visibility="private").added == 0


def test_every_store_takes_in_the_same(tmp_path: Path, root: Path, clock: HandClock) -> None:
    told = []
    for url in ("reference:", ":memory:", str(tmp_path / "a.db")):
        with treering.open(url, clock=clock, actor="ann", space="lab") as mem:
            mem.import_vault(root)
            put(root, "Types.md", NOTE.replace("ESLint", "Biome"))
            mem.import_vault(root)
            put(root, "Types.md", NOTE)
            world = everything(mem._store, scope(clock))
            told.append([(one.content, one.title, one.tags, one.state) for one in world["all"]])
    assert told[0] == told[1] == told[2]


def test_no_vault_is_an_error_that_says_what_to_set(mem: Treering) -> None:
    with pytest.raises(InvalidRequest, match="TREERING_VAULT"):
        mem.import_vault()


def test_the_environment_names_the_vault(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_VAULT", str(root))
    with treering.open(":memory:") as mem:
        assert mem.index_vault().notes == 1
    with treering.open(":memory:", vault=root / "missing") as mem, pytest.raises(InvalidRequest, match="vault"):
        mem.import_vault()

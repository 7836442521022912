"""Memories and notes in one ranking: each says which it is, and nothing is shown that may not be seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Doors, HandClock
from tests.exchange.vaults import put

from treering.door import Treering
from treering.errors import CallerError, InvalidRequest
from treering.operation import READS


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    put(folder, "TypeScript.md", "---\ntags: [coding, preferences]\n---\n# Style\n\nWe prefer strict TypeScript.\n")
    put(folder, "Garden.md", "Squirrels eat the nuts in the garden.\n\n## Tools\n\nA rake and a spade.\n")
    return folder


@pytest.fixture
def mem(doors: Doors, root: Path) -> Treering:
    door: Treering = doors("ann")
    door._vault = str(root)
    return door


def shown(mem: Treering, *args: object, **more: object) -> list[tuple[str, str]]:
    found = mem.search_unified(*args, **more)  # type: ignore[arg-type]
    return [(one.kind, one.path or one.content) for one in found.results]


def test_notes_and_memories_stand_in_one_order_and_say_which_they_are(mem: Treering) -> None:
    mem.add("User prefers TypeScript over JavaScript", tags=["preferences"])
    found = mem.search_unified("typescript preferences")
    assert [one.kind for one in found.results] == ["memory", "note"]
    assert found.results[0].score > found.results[1].score > 0
    assert (found.results[1].title, found.results[1].heading) == ("TypeScript", "Style")
    assert found.results[1].content == "We prefer strict TypeScript."
    assert (found.notes, found.count) == (2, 2)


def test_weights_decide_between_the_kinds(mem: Treering) -> None:
    mem.add("User prefers TypeScript over JavaScript")
    even = mem.search_unified("typescript", ltm_weight=1.0)
    usual = mem.search_unified("typescript")
    by_kind = {one.kind: one.score for one in even.results}
    weighed = {one.kind: one.score for one in usual.results}
    assert weighed["note"] == pytest.approx(by_kind["note"] * 0.7, abs=1e-3)
    assert weighed["memory"] == by_kind["memory"]
    assert mem.search_unified("typescript", stm_weight=0.1).results[0].kind == "note"


def test_the_text_has_a_line_a_result_and_ids_and_paths_if_asked_for(mem: Treering) -> None:
    one = mem.add("User prefers TypeScript", tags=["preferences"]).id
    short, long = str(mem.search_unified("typescript")), str(mem.search_unified("typescript", verbose=True))
    assert short.splitlines()[0] == "2 results for: typescript"
    assert "[memory " in short
    assert "[note " in short
    assert one not in short
    assert "TypeScript.md" not in short
    assert f"id: {one}" in long
    assert "path: TypeScript.md · tags: coding, preferences" in long


def test_tags_narrow_both(mem: Treering) -> None:
    mem.add("User prefers tea", tags=["preferences"])
    mem.add("User is tall")
    assert sorted(shown(mem, tags=["preferences"])) == [("memory", "User prefers tea"), ("note", "TypeScript.md")]
    assert shown(mem, "tea typescript", tags=["preferences", "coding"]) == [("note", "TypeScript.md")]


def test_without_a_question_the_newest_are_shown(mem: Treering, clock: HandClock) -> None:
    mem.add("old news")
    clock.advance(days=30)
    mem.add("fresh news")
    kinds = shown(mem)
    assert kinds[0] == ("memory", "fresh news")
    assert kinds[-1] == ("memory", "old news")
    assert len(shown(mem, limit=2)) == 2


def test_only_memories_of_the_last_days_and_with_so_much_left(mem: Treering, clock: HandClock) -> None:
    mem.add("squirrels of old")
    clock.advance(days=30)
    mem.add("squirrels of today")
    assert len(shown(mem, "squirrels")) == 3
    assert ("memory", "squirrels of old") not in shown(mem, "squirrels", window_days=14)
    assert ("memory", "squirrels of old") not in shown(mem, "squirrels", min_score=0.5)
    assert ("memory", "squirrels of today") in shown(mem, "squirrels", window_days=14, min_score=0.5)


def test_a_promoted_memory_is_shown_once_with_the_path_of_its_note(mem: Treering) -> None:
    one = mem.add("quokkas smile").id
    mem.promote(one, force=True)
    [found] = mem.search_unified("quokkas").results
    assert (found.kind, found.id, found.path) == ("memory", one, "Treering/quokkas smile.md")


def test_a_note_that_was_taken_in_is_shown_once(mem: Treering) -> None:
    mem.import_vault()
    found = mem.search_unified("typescript").results
    assert [(one.kind, one.path) for one in found] == [("memory", "TypeScript.md")]


def test_without_a_vault_memories_alone_are_searched(doors: Doors, root: Path) -> None:
    plain: Treering = doors("ann")
    plain.add("squirrels here")
    found = plain.search_unified("squirrels")
    assert ([one.kind for one in found.results], found.vault, found.notes) == (["memory"], None, 0)
    assert [one.kind for one in plain.search_unified("garden", vault=root).results] == ["note"]
    with pytest.raises(InvalidRequest, match="vault"):
        plain.search_unified("squirrels", vault=root / "missing")
    with pytest.raises(InvalidRequest, match="TREERING_VAULT"):
        plain.index_vault()


def test_at_another_moment_memories_alone_are_searched(mem: Treering, clock: HandClock) -> None:
    one = mem.add("squirrels here").id
    then = clock.advance(days=1)
    clock.advance(days=1)
    mem.revise(one, "squirrels gone")
    clock.advance(days=1)
    assert (
        shown(mem, "squirrels", as_of=then) == shown(mem, "squirrels", known_at=then) == [("memory", "squirrels here")]
    )
    assert sorted(shown(mem, "squirrels")) == [("memory", "squirrels gone"), ("note", "Garden.md")]


def test_a_question_about_nothing_known_finds_nothing(mem: Treering) -> None:
    assert mem.search_unified("helicopter maintenance in Norway").results == ()


@pytest.mark.parametrize(
    "bad",
    [{"limit": 0}, {"stm_weight": -1}, {"ltm_weight": 11}, {"window_days": 0}, {"min_score": -0.1}, {"query": ""}],
)
def test_what_is_out_of_bounds_is_refused_by_name(mem: Treering, bad: dict[str, object]) -> None:
    with pytest.raises(CallerError, match=next(iter(bad))):
        mem.search_unified(**bad)  # type: ignore[arg-type]


# what may be seen


def test_a_note_of_a_memory_is_seen_by_those_who_see_the_memory(mem: Treering, doors: Doors, root: Path) -> None:
    """A note may have been written when the memory was public, or by hand."""
    bob: Treering = doors("bob")
    secret = mem.add("the lair is under the quokka house", visibility="private").id
    put(root, "note.md", f"---\nid: {secret}\nspace: lab\n---\nthe lair is under the quokka house")
    assert shown(bob, "quokka lair", vault=root) == []
    assert shown(mem, "quokka lair") == [("memory", "note.md")]


def test_a_note_of_a_memory_is_not_seen_from_another_space(mem: Treering) -> None:
    mem.promote(mem.add("quokkas smile").id, force=True)
    assert shown(mem, "quokkas smile", space="elsewhere") == []
    assert shown(mem, "squirrels", space="elsewhere") == [("note", "Garden.md")]


@pytest.mark.parametrize("gone", ["forget", "revise", "purge"])
def test_a_note_of_a_memory_that_holds_no_longer_is_not_shown(mem: Treering, clock: HandClock, gone: str) -> None:
    one = mem.add("quokkas smile").id
    mem.promote(one, force=True)
    clock.advance(hours=1)
    {
        "forget": lambda: mem.forget(one),
        "revise": lambda: mem.revise(one, "wombats frown"),
        "purge": lambda: mem.purge(one, "asked to"),
    }[gone]()
    clock.advance(hours=1)
    assert [one for one in mem.search_unified("quokkas smile").results if "quokka" in one.content] == []


def test_searching_changes_nothing(mem: Treering) -> None:
    mem.add("squirrels here")
    before = mem.status()
    mem.search_unified("squirrels")
    mem.index_vault()
    assert mem.status().seq == before.seq
    assert Treering.search_unified.operation.effect is READS  # type: ignore[attr-defined]

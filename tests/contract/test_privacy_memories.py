"""Rule 7: who sees a private memory, and what its names, keys, times and purges tell to others."""

from __future__ import annotations

import json

import pytest
from tests.conftest import Doors, HandClock, contents, scope
from tests.contract.private import outcome

from treering.errors import NotFound
from treering.store.contract import Store
from treering.store.sql import story


def test_a_private_memory_is_seen_by_its_observer_and_those_it_names_and_by_nobody_else(doors: Doors) -> None:
    ann, bob, cy = doors("ann", "bob", "cy")
    memory = ann.add("For Cy", visibility="private", visible_to=["cy"]).id
    assert [len(door.list(view="all")) for door in (ann, bob, cy)] == [1, 0, 1]
    assert ann.get(memory) == cy.get(memory)
    assert len(bob.list(principal="cy")) == 1
    assert len(ann.list(principal="")) == 0
    revised = cy.revise(memory, "For Ann").id
    assert [len(door.list()) for door in (ann, bob, cy)] == [1, 0, 1]
    assert ann.get(memory).superseded_by == revised


def test_a_name_that_only_a_private_memory_brought_is_new_to_others_who_use_it(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Secret", visibility="private", entities=["Lair"]).id
    assert bob.add("Mine", entities=["lair"]).entities[0].created is True
    assert bob.add("Mine too", entities=["LAIR"]).entities[0].created is False
    seen = bob.entity_get("lair")
    assert seen.memory_id != secret
    assert secret not in json.dumps(bob.history(seen.id).to_dict())
    assert "Lair" in ann.entity_get("lair").name


def test_registering_a_name_that_a_private_memory_brought_makes_it_known_without_telling(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Secret", visibility="private", entities=["Lair"]).id
    first = bob.entity_register("Lair", aliases=["Den"])
    assert (first.created, first.aliases_added) == (True, ("Den",))
    assert bob.entity_register("Lair").created is False
    assert secret not in json.dumps(bob.history(first.entity_id).to_dict())
    assert ann.entity_get("den").id == first.entity_id


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_private_write_cannot_be_undone_by_its_number_nor_its_kind_be_learned(doors: Doors, dry_run: bool) -> None:
    ann, bob = doors("ann", "bob")
    mine = bob.add("Mine")
    secret = ann.add("Secret", visibility="private", entities=["Lair"])
    ann.forget(ann.add("Second", visibility="private").id)
    for seq in (secret.seq, ann.status().seq):
        told = outcome(lambda: bob.undo(str(seq), dry_run=dry_run), str(seq))  # noqa: B023
        assert told == outcome(lambda: bob.undo("99", dry_run=dry_run), "99")
    both = outcome(lambda: bob.undo(f"{mine.seq},{secret.seq}", dry_run=dry_run), str(secret.seq))
    assert both.startswith("NotFound")
    assert ann.get(secret.id).state == "active"
    assert ann.undo(str(secret.seq), dry_run=dry_run).forgotten == (secret.id,)
    assert bob.undo(str(mine.seq), dry_run=dry_run).forgotten == (mine.id,)


def test_very_many_private_writes_do_not_move_the_time_of_the_last_open_one(
    doors: Doors, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "_LOOKED_BACK", 3)
    ann, bob = doors("ann", "bob")
    bob.add("Open")
    at = bob.status().changed_at
    clock.advance(hours=1)
    for number in range(6):
        ann.add(f"Secret {number}", visibility="private")
    assert bob.status().changed_at == at
    assert [one.changed_at for one in bob.spaces()] == [at]
    assert (bob.moments(clock="known").changes, ann.moments(clock="known").changes) == (1, 7)
    assert [one.changed_at for one in ann.spaces()] == [ann.status().changed_at] > [at]


def test_a_private_write_moves_no_time_for_who_asks_what_was_known_before_it(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    bob.add("Open")
    at = bob.status().changed_at
    clock.advance(hours=1)
    before = clock.now.isoformat()
    clock.advance(hours=1)
    ann.add("Secret", visibility="private")
    assert bob.status(known_at=before).changed_at == at
    clock.advance(hours=1)
    bob.remember("Kept, and read later", extractor="none")
    assert bob.status(known_at=before).changed_at == bob.status().changed_at > at


def test_a_private_memory_that_is_purged_leaves_no_time_behind(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    bob.add("Open")
    before = bob.moments(clock="known")
    clock.advance(hours=1)
    ann.purge(ann.add("Secret", visibility="private", entities=["Lair"]).id, "asked to")
    assert bob.moments(clock="known") == before
    assert bob.status().changed_at == before.ticks[-1].at


def test_a_key_used_in_private_is_refused_to_others_in_the_same_words_whatever_they_say(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("The secret", key="turn-1", visibility="private")
    ann.add("Said openly", key="turn-2")
    said = [outcome(lambda: bob.add(text, key="turn-1"), "x") for text in ("The secret", "A guess")]  # noqa: B023
    assert said[0] == said[1]
    assert said[0].startswith("Conflict")
    assert "secret" not in said[0]
    assert bob.add("Said openly", key="turn-2").repeated is True


def test_a_purge_tells_nothing_of_private_memories_that_hold_the_same_words(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    hidden = ann.add("They said: the same words", visibility="private").id
    mine = bob.add("the same words").id
    assert bob.purge(mine, "asked to", dry_run=True).found == ()
    ann.link(hidden, mine, "derived_from")
    report = bob.purge(mine, "asked to")
    assert report.memories == (mine,)
    assert hidden not in json.dumps(report.to_dict())
    with pytest.raises(NotFound):
        ann.get(hidden)


def test_the_source_of_a_private_memory_is_not_there_for_others(doors: Doors, store: Store, clock: HandClock) -> None:
    ann = doors("ann")
    source = ann.add("The secret", visibility="private", visible_to=["cy"]).source_ids[0]
    for principal, sees in (("ann", True), ("cy", True), ("bob", False), (None, False)):
        with store.reader(scope(clock, principal=principal)) as reader:
            assert (reader.source(source) is not None) is sees


def test_spaces_share_no_names_keys_settings_or_numbers(doors: Doors) -> None:
    one, two = doors("ann", space="one"), doors("ann", space="two")
    first = one.add("Ada is here", entities=["Ada"], key="k", title="T")
    one.settings({"functional_relations": []})
    assert (two.status().seq, len(two.list(view="all")), two.status().entities) == (0, 0, 0)
    second = two.add("Other words", entities=["ada"], key="k")
    assert second.entities[0].created is True
    assert second.entities[0].id != first.entities[0].id
    assert two.settings()["functional_relations"] != []
    assert one.entity_get("Ada").name == "Ada"
    assert two.entity_get("Ada").name == "ada"
    assert [one.status().seq, two.status().seq] == [2, 1]
    two.entity_register("T")


def test_reading_children_takes_in_what_is_below_and_nothing_beside(doors: Doors) -> None:
    for space in ("acme", "acme/lab", "acme/lab/den", "acme-x", "acmeé"[:-1] + "x", "acme.x", "ac", "zzz/acme"):
        doors("ann", space=space).add(f"In {space}", entities=[space.replace("/", " ")])
    door = doors("ann", space="acme")
    assert sorted(contents(door.list(children=True))) == ["In acme", "In acme/lab", "In acme/lab/den"]
    assert contents(door.list()) == ["In acme"]
    assert door.status(children=True).memories["active"] == 3
    assert door.status(children=True).entities == 3
    assert sorted(contents(door.list(space="acme/lab", children=True))) == ["In acme/lab", "In acme/lab/den"]


def test_children_keep_what_is_private_there_private(doors: Doors) -> None:
    ann, bob = doors("ann", space="acme/lab"), doors("bob", space="acme")
    ann.add("Secret", visibility="private", triples=[["Ada", "OWNS", "Lair"]])
    bob.add("Open")
    assert contents(bob.list(view="all", children=True)) == ["Open"]
    assert bob.facts(children=True, include_closed=True) == []
    assert bob.status(children=True).entities == 0

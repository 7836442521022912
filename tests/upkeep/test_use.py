"""What being used does to a memory, and that it can be told of any known time."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, everything, scope
from tests.contract.sqlite_files import as_written_by_schema

import treering
from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, NotFound
from treering.ingest.strength import strength_of
from treering.model.changes import Changes, Used
from treering.model.memory import Use
from treering.store.contract import Store


def test_a_memory_never_used_was_last_used_when_it_was_recorded(mem: Treering) -> None:
    memory = mem.get(mem.add("Ada likes tea").id)
    assert (memory.use_count, memory.review_count, memory.cross_domain_count) == (0, 0, 0)
    assert memory.last_used == memory.recorded_at


def test_a_touch_counts_and_answers_the_old_and_the_new_score(mem: Treering, clock: HandClock) -> None:
    tea = mem.add("Ada likes tea", strength=1.0).id
    clock.advance(days=3)
    touched = mem.touch(tea)
    assert touched.old_score == pytest.approx(0.5, abs=1e-6)
    assert touched.new_score == pytest.approx(2**0.6, abs=1e-6)
    assert (touched.use_count, touched.strength, touched.band) == (1, 1.0, "strong")
    memory = mem.get(tea)
    assert (memory.use_count, memory.last_used, memory.strength) == (1, clock.now, 1.0)


def test_a_boost_adds_a_tenth_of_strength_up_to_two(mem: Treering) -> None:
    tea = mem.add("Ada likes tea", strength=1.85).id
    assert [mem.touch(tea, boost=True).strength for _ in range(3)] == [1.95, 2.0, 2.0]
    assert mem.get(tea).strength == 2.0
    told = [event.what for event in mem.history(tea).events][-3:]
    assert told == ["touched, strength + 0.1", "touched, strength + 0.05", "touched"]


def test_a_dry_touch_says_what_would_be_and_leaves_it(mem: Treering, clock: HandClock) -> None:
    tea = mem.add("Ada likes tea", strength=1.0).id
    clock.advance(days=1)
    assert mem.touch(tea, dry_run=True).use_count == 1
    assert mem.get(tea).use_count == 0


def test_what_is_forgotten_is_not_used(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    mem.forget(tea)
    with pytest.raises(Conflict, match="is forgotten; restore it before it is used"):
        mem.touch(tea)
    with pytest.raises(NotFound, match="id: there is no memory"):
        mem.touch("nothing")


def test_how_often_it_was_used_can_be_asked_of_any_known_time(mem: Treering, clock: HandClock) -> None:
    tea = mem.add("Ada likes tea", strength=1.0).id
    clock.advance(days=1)
    mem.touch(tea, boost=True)
    then = clock.now
    asked = mem.get(tea, known_at=then), mem.scores([tea], known_at=then), mem.list(known_at=then)
    clock.advance(days=1)
    mem.touch(tea)
    mem.observe([tea], ["x"])
    mem.promote(tea, force=True)
    assert (mem.get(tea, known_at=then), mem.scores([tea], known_at=then), mem.list(known_at=then)) == asked
    assert (asked[0].use_count, asked[0].strength, asked[0].tier) == (1, 1.1, "mid")
    assert (mem.get(tea).use_count, mem.get(tea).tier) == (3, "long")


def test_memories_used_in_an_answer_are_counted_as_used_and_reviewed(mem: Treering) -> None:
    tea, jazz = mem.add("Ada likes tea").id, mem.add("Ada likes jazz").id
    seen = mem.observe([tea, jazz, tea, "nothing"])
    assert (seen.reinforced, seen.count, seen.cross_domain_count, seen.reason) == (True, 2, 0, None)
    assert [(one.id, one.status, one.use_count, one.review_count) for one in seen.results] == [
        (tea, "reinforced", 1, 1),
        (jazz, "reinforced", 1, 1),
        ("nothing", "not_found", 0, 0),
    ]
    assert mem.get(tea).review_count == 1


@pytest.mark.parametrize(
    ("own", "context", "across"),
    [
        (["security", "jwt"], ["api", "backend"], True),
        (["a", "b", "c"], ["A", "x", "y"], True),  # one of five
        (["a", "b"], ["a", "c", "d"], True),  # one of four
        (["a", "b"], ["a", "c"], False),  # one of three
        (["a"], ["a"], False),
        ([], ["api"], False),
        (["security"], [], False),
    ],
)
def test_use_in_another_domain_makes_a_memory_stronger(
    mem: Treering, own: list[str], context: list[str], across: bool
) -> None:
    memory_id = mem.add("JWT everywhere", tags=own, strength=1.0).id
    [one] = mem.observe([memory_id], context).results
    assert (one.cross_domain, one.strength) == (across, 1.1 if across else 1.0)
    memory = mem.get(memory_id)
    assert (memory.cross_domain_count, memory.strength) == (int(across), one.strength)


def test_reinforcement_can_be_switched_off_and_says_so(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    mem.settings({"reinforcement": {"enabled": False}})
    before = mem.status().seq
    seen = mem.observe([tea], ["x"])
    assert (seen.reinforced, seen.count, seen.results) == (False, 0, ())
    assert seen.reason == "reinforcement is switched off in lab; settings turns it on: reinforcement.enabled"
    assert (mem.get(tea).use_count, mem.status().seq) == (0, before)


def test_what_a_memory_takes_over_from_others_counts_when_it_happened(mem: Treering, clock: HandClock) -> None:
    whole = mem.add("Ada likes tea and jazz", strength=1.0).id
    earlier = clock.now
    clock.advance(days=2)
    used = Used(whole, Use.INHERITED, times=4, at=earlier)
    mem._write(None, lambda act: (Changes("consolidate", (used,)), None))
    memory = mem.get(whole)
    assert (memory.use_count, memory.last_used, memory.review_count) == (4, earlier, 0)


def test_a_purge_takes_the_uses_along(mem: Treering, store: Store, clock: HandClock) -> None:
    tea, jazz = mem.add("Ada likes tea").id, mem.add("Ada likes jazz").id
    mem.observe([tea, jazz], ["x"])
    mem.touch(tea)
    mem.purge(tea, "asked to")
    assert not [row for row in store.rows("lab") if row.table == "used" and row.values["memory_id"] == tea]
    changes = [change for entry in store.entries("lab") for change in entry.changes()]
    assert [one.memory_id for one in changes if isinstance(one, Used)] == [jazz]
    assert mem.get(jazz).use_count == 1
    assert mem.verify().ok


def test_uses_are_exported_imported_and_made_again(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Any, new_store: Any
) -> None:
    tea = mem.add("Ada likes tea", tags=["drink"]).id
    clock.advance(days=1)
    mem.observe([tea], ["api"])
    mem.touch(tea, boost=True)
    mem.promote(tea, force=True)
    mem.export(str(tmp_path / "out.jsonl"))
    for kind in ("reference", "memory"):
        other = new_store(kind)
        Treering(other).import_journal(str(tmp_path / "out.jsonl"))
        assert everything(other, scope(clock)) == everything(store, scope(clock))
    before = everything(store, scope(clock))
    store.rebuild("lab")
    assert everything(store, scope(clock)) == before


def test_history_tells_every_use(mem: Treering) -> None:
    tea = mem.add("Ada likes tea", tags=["drink"], strength=1.0).id
    mem.touch(tea)
    mem.observe([tea], ["api"])
    assert [event.what for event in mem.history(tea).events][-2:] == [
        "touched",
        "observed in another domain, strength + 0.1",
    ]


def test_uses_stay_when_the_write_is_undone_that_counted_them(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    mem.touch(tea)
    assert not mem.undo(str(mem.status().seq)).changed
    assert mem.get(tea).use_count == 1


def test_scores_tell_when_a_memory_will_have_faded(mem: Treering, clock: HandClock) -> None:
    tea, jazz = mem.add("Ada likes tea", strength=1.0).id, mem.add("Ada likes jazz", importance=0.9).id
    clock.advance(days=7)
    first, second = mem.scores([jazz, tea, "nothing"])
    assert (first.id, second.id) == (jazz, tea)
    assert second.score == pytest.approx(0.293447, abs=1e-6)
    assert (second.band, second.age_days) == ("active", 7.0)
    assert second.review_priority == pytest.approx(1 - ((0.293447 - 0.25) / 0.1) ** 2, abs=1e-4)
    assert second.persistence == pytest.approx(0.6 * math.exp(-0.035), abs=1e-6)
    assert second.fading_at is not None
    clock.now = second.fading_at
    assert mem.scores([tea])[0].score == pytest.approx(0.1, abs=1e-5)


def test_a_space_fades_as_its_own_settings_say(mem: Treering, clock: HandClock) -> None:
    mem.settings({"decay": {"model": "exponential", "kinds": {"preference": {"model": "two_component"}}, "tags": {}}})
    fact, taste = mem.add("A fact", strength=1.0).id, mem.add("A taste", kind="preference", strength=1.0).id
    other = mem.add("Elsewhere", space="other", strength=1.0).id
    clock.advance(days=14)
    assert [round(one.score, 6) for one in mem.scores([fact, taste])] == [0.039429, 0.074916]
    assert round(mem.scores([other], space="other")[0].score, 6) == 0.166718


def test_settings_name_what_is_wrong_with_them(mem: Treering) -> None:
    for given, told in (
        ({"decay": {"model": "linear"}}, r"decay.model: 'linear' is not one of power_law, exponential, two_component"),
        ({"decay": {"half_life": 3}}, r"decay: has no part 'half_life'; did you mean half_life_days\?"),
        ({"decay": {"beta": -1}}, r"decay.beta: -1 is out of bounds; give a number from 0 to 2"),
        ({"decay": {"half_life_days": float("inf")}}, r"decay.half_life_days: inf is not a number"),
        ({"decay": {"kinds": {"poem": {}}}}, r"kind: 'poem' is not one of"),
        ({"decay": {"tags": {" ": {}}}}, r"decay.tags: an empty tag"),
        ({"decay": {"kinds": {"fact": {"pace": 1}}}}, r"decay.kinds: has no part 'pace'"),
        ({"decay": [1]}, r"decay: \[1\] is not an object; give one with some of: model"),
        ({"retention": {"collect_below": 0.5}}, r"retention: collect_below 0.5 is above fading_below 0.1"),
        ({"review": {"low": 0.5}}, r"review: low 0.5 is above high 0.35; turn them round"),
        ({"promotion": {"uses": 2.5}}, r"promotion.uses: 2.5 is not a whole number from 1 to"),
        ({"tiers": {"enabled": "yes"}}, r"tiers.enabled: 'yes' is neither true nor false"),
    ):
        with pytest.raises(InvalidRequest, match=told):
            mem.settings(given)
    assert mem.status().seq == 0


def test_what_a_setting_leaves_out_has_its_default(mem: Treering) -> None:
    assert mem.settings({"promotion": {"uses": 3}})["promotion"] == {
        "score": 0.65,
        "uses": 3,
        "within_days": 14.0,
        "min_age_days": 1.0,
    }
    assert mem.settings({"promotion": None})["promotion"]["uses"] == 5


@pytest.mark.parametrize(
    ("content", "entities", "strength"),
    [
        ("x" * 100, 0, 1.04),
        ("x" * 5_000, 0, 1.2),
        ("x" * 250, 2, 1.22),
        ("x" * 250, 9, 1.4),
        ("Remember: keys", 0, 1.4056),
        ("Is it on?" + " " * 1, 0, 1.054),
        ("This is important. " + "x" * 600 + "?", 6, 1.95),
    ],
)
def test_how_strong_a_memory_begins_is_read_off_it(content: str, entities: int, strength: float) -> None:
    assert strength_of(content, entities) == pytest.approx(strength)


def test_a_strength_that_was_given_stands_and_one_that_was_not_is_found(mem: Treering) -> None:
    assert mem.get(mem.add("Important: call Bo", strength=0.3).id).strength == 0.3
    triple = [["Ada", "KNOWS", "Bo"]]
    found = mem.get(mem.add("Important: Ada knows Bo", entities=["ada"], triples=triple).id).strength
    assert found == strength_of("Important: Ada knows Bo", 2)
    told = mem.remember("Ada decided to move to Paris", extractor="none").memories[0].id
    assert mem.get(told).strength == strength_of("Ada decided to move to Paris", 0)


def test_what_others_use_counts_for_all_who_see_the_memory(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    tea = ann.add("Ada likes tea").id
    bob.touch(tea)
    assert ann.get(tea).use_count == 1


def test_a_file_from_before_uses_were_kept_is_read_as_never_used(tmp_path: Any) -> None:
    today, path = tmp_path / "today.db", tmp_path / "old.db"
    with treering.open(today) as mem:
        tea = mem.add("Ada likes tea").id
    as_written_by_schema(5, today, path)
    with treering.open(path) as mem:
        assert mem.get(tea).use_count == 0
        assert mem.touch(tea).use_count == 1
        assert mem.verify().ok

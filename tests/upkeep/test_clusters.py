"""What belongs together: groups with stable ids, their cohesion, and never across what different people may see."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import InvalidRequest
from treering.model.ids import mint
from treering.store import open_store
from treering.upkeep.cluster import ClusterItem, cluster_id, clusters, cohesion, duplicates, suggested
from treering.upkeep.overlap import ByWords

TEA = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")


def ids_of(found: object) -> list[tuple[str, ...]]:
    return [one.memory_ids for one in found.clusters]  # type: ignore[attr-defined]


def test_memories_that_are_alike_are_one_cluster_and_others_are_in_none(mem: Treering) -> None:
    tea = [mem.add(one).id for one in TEA]
    mem.add("The server runs on port 8080")
    found = mem.cluster()
    assert ids_of(found) == [tuple(tea)]
    assert (found.mode, found.strategy, found.threshold, found.memories) == ("clustering", "similarity", 0.83, 4)
    assert found.clusters_found == 1
    only = found.clusters[0]
    assert only.size == 3
    assert only.content_previews == TEA
    assert only.cohesion == pytest.approx((2 * 4 / 20**0.5 + 4 / 5) / 3, abs=1e-4)
    assert only.suggested_action == "auto-merge"


def test_a_cluster_has_the_same_id_whenever_and_however_its_members_are_found(mem: Treering, clock: HandClock) -> None:
    ids = [mem.add(one).id for one in TEA]
    first = mem.cluster().clusters[0]
    mem.add("Ben drives a bus")
    clock.advance(days=3)
    assert mem.cluster(threshold=0.85, max_size=5, strategy="words").clusters[0].id == first.id
    assert first.id == cluster_id(list(reversed(ids)))
    mem.add("Sam likes green tea!")
    assert mem.cluster().clusters[0].id != first.id


@pytest.mark.parametrize(
    ("figure", "action"), [(0.85, "auto-merge"), (0.8499, "review"), (0.65, "review"), (0.6499, "keep")]
)
def test_cohesion_decides_what_is_suggested(figure: float, action: str) -> None:
    assert suggested(figure) == action


def test_cohesion_is_the_mean_of_every_pair() -> None:
    assert cohesion([[1, 0.9, 0.6], [0.9, 1, 0.3], [0.6, 0.3, 1]]) == 0.6


def test_a_cluster_takes_no_more_than_its_size(mem: Treering) -> None:
    for number in range(7):
        mem.add(f"Sam likes green tea {'!' * number}")
    found = mem.cluster(max_size=3)
    assert sorted(one.size for one in found.clusters) in ([3, 3], [2, 2, 3])
    members = [memory for one in found.clusters for memory in one.memory_ids]
    assert len(members) == len(set(members))


def test_what_is_forgotten_superseded_or_archived_is_in_no_cluster(mem: Treering) -> None:
    kept, gone = mem.add(TEA[0]).id, mem.add(TEA[1]).id
    mem.forget(gone)
    assert mem.cluster().clusters == ()
    mem.restore(gone)
    assert ids_of(mem.cluster()) == [(kept, gone)]
    mem.revise(gone, "Sam plays chess on Sundays")
    assert mem.cluster().clusters == ()


def test_private_memories_come_together_only_with_those_of_the_same_circle(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    public = [ann.add(TEA[0]).id, ann.add(TEA[1]).id]
    secret = [ann.add(one, visibility="private").id for one in TEA[:2]]
    shared = [ann.add(one, visibility="private", visible_to=["bob"]).id for one in TEA[:2]]
    assert sorted(ids_of(ann.cluster())) == sorted([tuple(public), tuple(secret), tuple(shared)])
    assert sorted(ids_of(bob.cluster())) == sorted([tuple(public), tuple(shared)])
    assert bob.cluster().memories == 4
    pairs = {(one.id1, one.id2) for one in bob.cluster(find_duplicates=True).duplicates}
    assert pairs == {tuple(public), tuple(shared)}


def test_duplicates_say_the_same_and_look_alikes_do_not(mem: Treering) -> None:
    first = mem.add("Sam lives in Oslo").id
    again = mem.add("Sam is living in Oslo.").id
    for other in ("Sam lived in Oslo", "Sam does not live in Oslo", "Kim lives in Oslo", "Sam lives in Oslo 7"):
        mem.add(other)
    found = mem.cluster(find_duplicates=True)
    assert [(one.id1, one.id2) for one in found.duplicates] == [(first, again)]
    assert (found.mode, found.duplicates_found, found.threshold) == ("duplicate_detection", 1, 0.88)
    assert found.duplicates[0].content2_preview == "Sam is living in Oslo."
    assert found.duplicates[0].similarity >= 0.88


def test_a_threshold_too_small_to_square_is_as_none(mem: Treering) -> None:
    for text in ("Sam lives in Oslo", "Sam is living in Oslo."):
        mem.add(text)
    for least in (0.0, 2.2e-313, 5e-324):
        assert mem.cluster(find_duplicates=True, duplicate_threshold=least).duplicates_found == 1
        assert mem.cluster(threshold=least).clusters_found == 1


def test_what_happened_on_two_days_is_no_duplicate(mem: Treering) -> None:
    for day in (1, 2):
        mem.add("Sam had lunch with Kim", kind="episode", event_time=f"2025-05-0{day}T12:00:00Z")
    assert mem.cluster(find_duplicates=True).duplicates == ()
    mem.add("Sam had lunch with Kim.", kind="episode", event_time="2025-05-02T18:00:00Z")
    assert mem.cluster(find_duplicates=True).duplicates_found == 1


@pytest.mark.parametrize(
    "wrong", [{"strategy": "magic"}, {"threshold": 1.2}, {"max_size": 1}, {"duplicate_threshold": -0.1}]
)
def test_bounds_are_checked(mem: Treering, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest):
        mem.cluster(**wrong)  # type: ignore[arg-type]


def test_with_an_embedder_meaning_brings_together_what_words_do_not(clock: HandClock) -> None:
    door = Treering(open_store(":memory:", "normal"), clock=clock, actor="ann", space="lab", embedder="static")
    with door:
        alike = [
            door.add("Sam likes tea").id,
            door.add("Sam enjoys tea").id,
        ]
        door.add("Quarterly revenue grew by a third")
        assert ids_of(door.cluster()) == [tuple(alike)]
        assert 0.83 <= door.cluster().clusters[0].cohesion < 1
        assert door.cluster(strategy="words").clusters == ()
        merged = door.consolidate(door.cluster().clusters[0].id, mode="apply")
        assert door.cluster().clusters == ()
        assert door._store.left("lab", "static") == 0, "the new memory was read with the write"
        assert merged.new_memory_id in [hit.memory.id for hit in door.recall("What does Sam like to drink?").hits]


def _leaves(texts: list[str]) -> list[ClusterItem]:
    fresh = mint(HandClock().now)
    return [ClusterItem(fresh(), text, frozenset(), None, f"src-{place}", (0, 9)) for place, text in enumerate(texts)]


def test_pairs_by_words_are_all_that_comparing_every_two_would_find() -> None:
    things = ("tea", "coffee", "chess", "boats", "maps", "birds")
    texts = [f"Sam likes {a} and {b} on {day}" for a, b in combinations(things, 2) for day in ("Monday", "Friday")]
    found = _leaves(texts)
    likeness = ByWords({one.id: one.content for one in found})
    ids = [one.id for one in found]
    alike = likeness.between(ids)
    every = {(a, b) for (m, a), (n, b) in combinations(enumerate(ids), 2) if alike[m][n] >= 0.75}
    assert {(a, b) for a, b, _ in likeness.pairs(ids, 0.75, 1000)} == every
    assert every


def test_thousands_that_say_the_same_are_grouped_and_not_all_compared() -> None:
    found = _leaves(["Sam likes green tea"] * 3_000)
    likeness = ByWords({one.id: one.content for one in found})
    groups = clusters(found, likeness, 0.83, 12)
    assert max(one.size for one in groups) == 12
    assert sum(one.size for one in groups) > 2_700
    assert len(duplicates(found, likeness, 0.88)) <= 16 * 3_000

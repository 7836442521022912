"""Several memories become one: nothing they say is lost, all of it can be undone, and nobody sees more than before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Doors, HandClock, contents, everything, examples, scope

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded, NotFound
from treering.language.sentences import sentences
from treering.model.memory import State
from treering.store.contract import EdgeFilter, Store
from treering.upkeep.merged import one_text

TEA = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")


def _clustered(mem: Treering, **more: float) -> str:
    return str(mem.cluster(**more).clusters[0].id)  # type: ignore[arg-type]


def test_a_preview_says_what_would_be_and_writes_nothing(mem: Treering) -> None:
    mem.add(TEA[0], tags=["drinks"], entities=["Sam"])
    mem.add(TEA[1], tags=["taste"], entities=["Sam", "Tea"], strength=1.4)
    before = mem.status().seq
    told = mem.consolidate(_clustered(mem))
    assert (told.mode, told.auto_detect, told.candidates_found) == ("preview", False, 1)
    only = told.previews[0]
    assert only.merged_content_preview == "Sam likes green tea. Sam likes green tea a lot"
    assert only.merged_entities == ("Sam", "Tea")
    assert only.merged_tags == ("drinks", "taste")
    assert only.calculated_strength == pytest.approx(1.4 + 0.1 * only.cohesion * 2)
    assert mem.status().seq == before


def test_applied_one_memory_says_it_all_and_the_others_are_archived(mem: Treering, clock: HandClock) -> None:
    first = mem.add(TEA[0], tags=["drinks"], entities=["Sam"], event_time="2024-03-01T00:00:00Z", importance=0.4).id
    clock.advance(days=1)
    second = mem.add(
        TEA[1], tags=["taste"], entities=["Tea"], strength=1.4, event_time="2024-02-01T00:00:00Z", confidence=0.8
    ).id
    clock.advance(days=1)
    mem.touch(first)
    used = mem.get(first).last_used
    clock.advance(days=1)
    told = mem.consolidate(_clustered(mem), mode="apply", why="the same")
    assert told.new_memory_id is not None
    new = mem.get(told.new_memory_id)
    assert new.content == "Sam likes green tea a lot. Sam likes green tea"
    assert set(new.tags) == {"drinks", "taste"}
    assert new.strength == pytest.approx(min(2, 1.4 + 0.1 * told.merged[0].cohesion * 2))
    assert (new.importance, new.confidence) == (0.6, 0.8)
    assert new.event_time == mem.get(second).event_time
    assert (new.use_count, new.last_used) == (1, used)
    assert told.source_ids == (second, first)
    assert (told.archived_count, told.relations_created) == (2, 2)
    assert [mem.get(one).state for one in (first, second)] == [State.ARCHIVED] * 2
    assert contents(mem.list()) == [new.content]
    assert mem.list(entities=["Tea"])[0].id == new.id
    assert mem.verify().ok


def test_the_new_memory_is_derived_from_each(mem: Treering, store: Store, clock: HandClock) -> None:
    ids = [mem.add(one).id for one in TEA]
    told = mem.consolidate(_clustered(mem), mode="apply")
    with store.reader(scope(clock)) as reader:
        edges = reader.edges(EdgeFilter(relations=("derived_from",)))
    assert [(edge.source_id, edge.rule) for edge in edges] == [(told.new_memory_id, "consolidated")] * 3
    assert {edge.target_id for edge in edges} == set(ids)
    assert {edge.id for edge in edges} == set(told.relation_ids)


def test_strength_has_its_bounds(mem: Treering) -> None:
    for one in TEA:
        mem.add(one, strength=1.9)
    told = mem.consolidate(_clustered(mem), mode="apply")
    assert mem.get(told.new_memory_id or "").strength == 2.0
    for number in range(8):
        mem.add(f"Ben drives the red bus{'!' * number}", strength=1.0)
    told = mem.consolidate(_clustered(mem), mode="apply")
    assert mem.get(told.new_memory_id or "").strength == pytest.approx(1.5), "no more than half is added"


def test_undo_restores_exactly(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.add(TEA[0], tags=["a"], entities=["Sam"], triples=[["Sam", "LIKES", "Tea"]])
    mem.add(TEA[1], visibility="space")
    mem.touch(mem.list()[0].id)
    clock.advance(hours=1)
    before = everything(store, scope(clock))
    told = mem.consolidate(_clustered(mem), mode="apply")
    during = mem.list(view="all")
    undone = mem.undo(",".join(map(str, told.seqs)))
    assert set(undone.restored) == set(told.source_ids)
    assert undone.forgotten == (told.new_memory_id,)
    after = everything(store, scope(clock))
    for what in ("current", "history", "standing", "entities"):
        assert after[what] == before[what], what
    assert len(during) == 3
    assert mem.verify().ok


def test_what_was_believed_before_a_consolidation_is_still_read(mem: Treering, clock: HandClock) -> None:
    for one in TEA:
        mem.add(one)
    then = clock.advance(hours=1)
    clock.advance(days=1)
    mem.consolidate(auto=True, mode="apply")
    assert contents(mem.list(known_at=then)) == list(TEA)
    assert len(mem.list(as_of=then)) == 1, "what is known now holds from when the first was said"


def test_auto_merges_every_coherent_cluster_each_in_a_write_of_its_own(mem: Treering) -> None:
    for one in (*TEA, "Ben drives a bus", "Ben drives a bus now", "Ada plays chess"):
        mem.add(one)
    seen = []
    told = mem.watched(lambda done, of: seen.append((done, of))).consolidate(auto=True, mode="apply")
    assert len(told.merged) == 2
    assert len(set(told.seqs)) == 2
    assert told.new_memory_id is None
    assert len(mem.list()) == 3
    assert seen[-1] == (2, 2)
    again = mem.consolidate(auto=True, mode="apply")
    assert (again.candidates_found, again.merged) == (0, ())


def test_the_cohesion_threshold_bounds_what_auto_takes(mem: Treering) -> None:
    mem.add("Sam likes green tea with milk")
    mem.add("Sam likes green tea with sugar")
    assert mem.cluster(threshold=0.7).clusters[0].cohesion == pytest.approx(0.8)
    mem.add("Sam likes green tea")
    (found,) = mem.cluster().clusters
    assert 0.8 < found.cohesion < 0.9
    assert mem.consolidate(auto=True, cohesion_threshold=0.95).candidates_found == 0
    assert mem.consolidate(auto=True, cohesion_threshold=0.75).candidates_found == 1


def test_link_relates_every_two_once_and_keeps_all(mem: Treering, store: Store, clock: HandClock) -> None:
    ids = [mem.add(one).id for one in TEA]
    found = _clustered(mem)
    told = mem.consolidate(found, mode="link")
    assert (told.relations_created, told.cluster_id) == (3, found)
    assert len(mem.list()) == 3
    with store.reader(scope(clock)) as reader:
        edges = reader.edges(EdgeFilter(relations=("related_to",)))
    assert {frozenset((one.source_id, one.target_id)) for one in edges} == {
        frozenset(pair) for pair in ((ids[0], ids[1]), (ids[0], ids[2]), (ids[1], ids[2]))
    }
    assert mem.consolidate(found, mode="link").relations_created == 0
    mem.undo(str(told.seqs[0]))
    assert mem.consolidate(found, mode="link").relations_created == 3


def test_auto_link_takes_what_is_near_but_not_near_enough_to_merge(mem: Treering) -> None:
    mem.add("Sam likes green tea with milk")
    mem.add("Sam likes black tea and bread")
    (loose,) = mem.cluster(threshold=0.5).clusters
    assert 0.4 <= loose.cohesion < 0.75
    assert mem.consolidate(auto=True, mode="apply").merged == ()
    told = mem.consolidate(auto=True, mode="link", cohesion_threshold=0.7)
    assert told.relations_created in (0, 1)


def test_a_cluster_whose_members_have_changed_is_refused(mem: Treering) -> None:
    ids = [mem.add(one).id for one in TEA]
    found = _clustered(mem)
    mem.forget(ids[0])
    with pytest.raises(Conflict, match="cluster again"):
        mem.consolidate(found, mode="apply")
    assert len(mem.list()) == 2
    mem.restore(ids[0])
    mem.consolidate(found, mode="apply")
    with pytest.raises(Conflict, match="archived by now"):
        mem.consolidate(found, mode="apply")


def test_neither_both_nor_none_of_cluster_and_auto(mem: Treering) -> None:
    for wrong in ({}, {"cluster_id": "cluster-1", "auto": True}):
        with pytest.raises(InvalidRequest, match="cluster_id"):
            mem.consolidate(**wrong)  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="cluster-1"):
        mem.consolidate("cluster-1")


def test_a_cluster_is_known_by_id_in_another_process_and_gone_with_a_purge(doors: Doors) -> None:
    ann, other = doors("ann", "ann")
    ids = [ann.add(one).id for one in TEA]
    found = _clustered(ann)
    assert other.consolidate(found).previews[0].memory_count == 3
    ann.purge(ids[1], "asked to")
    with pytest.raises(NotFound):
        other.consolidate(found)


def test_a_consolidation_of_private_memories_is_seen_by_nobody_else(doors: Doors) -> None:
    ann, bob, cy = doors("ann", "bob", "cy")
    for one in TEA:
        ann.add(one, visibility="private", visible_to=["cy"], entities=["Lair"])
    found = _clustered(ann)
    with pytest.raises(NotFound) as told:
        bob.consolidate(found, mode="apply")
    with pytest.raises(NotFound) as never:
        bob.consolidate("cluster-0000000000000000", mode="apply")
    assert str(told.value).replace(found, "ID") == str(never.value).replace("cluster-0000000000000000", "ID")
    merged = cy.consolidate(found, mode="apply")
    new = ann.get(merged.new_memory_id or "")
    assert new.visibility == "private"
    assert {new.observed_by, *new.visible_to} == {"ann", "cy"}
    assert list(bob.list(view="all")) == []
    with pytest.raises(NotFound):
        bob.get(new.id)
    with pytest.raises(NotFound):
        bob.entity_get("Lair")
    assert cy.entity_get("Lair").name == "Lair"


def test_the_facts_of_what_was_merged_still_stand(mem: Treering) -> None:
    mem.add(TEA[0], triples=[["Sam", "LIKES", "Tea"]])
    mem.add(TEA[1])
    mem.consolidate(auto=True, mode="apply")
    assert [fact.relation for fact in mem.facts(subject="Sam")] == ["LIKES"]


def test_more_than_a_memory_holds_is_refused_and_held_up_by_nothing_in_auto(mem: Treering) -> None:
    long = "Sam likes green tea. " * 1_200
    for ending in ("one two", "three four"):
        mem.add((long + ending).replace(". Sam", f". {ending} Sam"))
    for one in ("Ben drives a bus", "Ben drives a bus now"):
        mem.add(one)
    texts = [f"Sentence {number} of {who} is unlike any other." for who in "ab" for number in range(700)]
    with pytest.raises(LimitExceeded, match="Keep them apart"):
        one_text([" ".join(texts[:700]), " ".join(texts[700:])])


WORDS = st.sampled_from(
    [
        "Sam",
        "Kim",
        "tea",
        "likes",
        "3",
        "pm.",
        "No!",
        "Oslo?",
        "e.g.",
        "Dr.",
        "Ann\n",
        "-",
        "and",
        "好。",
        "3.5",
        "“Yes”",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=25).map(" ".join).filter(str.strip)


@given(st.lists(TEXTS, min_size=1, max_size=6))
@settings(max_examples=examples(80), deadline=None)
def test_no_sentence_of_a_source_is_lost(texts: list[str]) -> None:
    whole = one_text(texts)
    folded = " ".join(whole.lower().split())
    for text in texts:
        for begin, end in sentences(text):
            said = " ".join(text[begin:end].lower().split()).rstrip(" .!…。")
            assert said in folded, (said, whole)


def test_lines_stay_lines_and_repeats_go() -> None:
    assert one_text(["Tea is good. Milk too", "tea is GOOD!", "Milk too. And bread."]) == (
        "Tea is good. Milk too. And bread."
    )
    assert one_text(["Sam likes C++.", "Does Sam like C++?", "Does Sam like C++", "sam likes c++"]) == (
        "Sam likes C++. Does Sam like C++? Does Sam like C++"
    ), "a question is not the statement of the same words"
    assert one_text(["- one\n- two", "- two\n- three"]) == "- one\n- two\n\n- three"

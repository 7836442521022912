"""What is remembered in private is seen, named, doubted and confirmed for nobody else."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock, scope
from tests.ingest.doors import door
from tests.ingest.telling import claim, current, known, lives, objects, tell
from tests.recall.hashing import Hashing

from treering.errors import Conflict, NotFound
from treering.model.job import Stage
from treering.store.contract import Store


def test_what_is_remembered_in_private_is_seen_by_nobody_else_in_any_way(
    doors: Doors, store: Store, clock: HandClock
) -> None:
    ann, bob = doors("ann", "bob")
    tell(ann, "Ada lives in Oslo", lives("Ada", "Oslo"), entities=["Ada", "Oslo"])
    clock.advance(days=1)
    receipt = tell(
        ann,
        "Ada secretly lives in Rome",
        lives("Ada", "Rome"),
        entities=["Ada", "Rome"],
        cue="change",
        call={"visibility": "private"},
    )
    assert objects(ann, "Ada", "LIVES_IN") == {"Rome"}
    assert current(ann) == ["Ada secretly lives in Rome"]
    assert objects(bob, "Ada", "LIVES_IN") == {"Oslo"}
    assert current(bob) == ["Ada lives in Oslo"]
    assert [hit.memory.content for hit in bob.recall("Where does Ada live? Rome")] == ["Ada lives in Oslo"]
    with pytest.raises(NotFound):
        bob.entity_get("Rome")
    with store.reader(scope(clock, principal="bob")) as reader:
        assert reader.source(receipt.source_ids[0]) is None
    for one in (*receipt.edges, *receipt.closed):
        history = [event.op for event in bob.history(one.id).events] if one in receipt.closed else []
        assert "remember" not in history[1:]


def test_what_is_told_for_somebody_else_alone_is_read_and_theirs(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    for city in ("Porto", "Braga"):
        call = {"visibility": "private", "observed_by": "bob"}
        receipt = tell(ann, f"User lives in {city}", lives("User", city), entities=["User", city], call=call)
        assert receipt.stage is Stage.ENRICHED
        assert [one.content for one in receipt.memories] == [f"User lives in {city}"]
        assert {(one.source, one.target) for one in receipt.edges} == {("User", city)}
        clock.advance(days=1)
    assert current(bob) == ["User lives in Porto", "User lives in Braga"]
    assert current(ann) == []
    assert known(ann) == set()


def test_a_job_that_tells_for_somebody_else_alone_brings_a_memory(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.enqueue("Ada is ill", visibility="private", observed_by="bob", extractor="none")
    ann.run_jobs()
    assert current(bob) == ["Ada is ill"]


def test_a_name_taken_in_private_is_not_the_owners_name_to_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    tell(ann, "User lives in Oslo", lives("User", "Oslo"), entities=["User", "Oslo"])
    tell(ann, "Teun is a name", entities=["Teun"])
    clock.advance(days=1)
    tell(ann, "User is called Teun", claim("User", "NAMED", "Teun"), call={"visibility": "private"})
    assert known(bob) == {("User", "LIVES_IN", "Oslo")}
    assert bob.entity_get("User").name == "User"


def test_a_doubt_that_came_up_in_private_is_not_told_to_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    johnson, other = ({"name": name, "kind": "person"} for name in ("Katherine Johnson", "Katharine Johnson"))
    tell(ann, "Katherine Johnson called", entities=[johnson])
    tell(ann, "Katharine Johnson called too", entities=[other], call={"visibility": "private"})
    tell(bob, "Katharine Johnson rang", entities=[{**other, "kind": "ship"}])
    assert known(ann, relation="POSSIBLE_SAME")
    assert known(bob, relation="POSSIBLE_SAME") == set()


def test_what_somebody_says_in_private_is_no_evidence_for_what_all_see(store: Store, clock: HandClock) -> None:
    mem = door(store, clock, embedder=Hashing())
    mem.remember("Ada plays the cello on weekends")
    receipt = mem.remember("Ada plays the cello on weekends", visibility="private")
    assert receipt.duplicates == ()
    assert len(receipt.memories) == 1


def test_a_key_used_in_private_is_refused_to_others_in_the_same_words(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.remember("Ada is ill", key="k", visibility="private", extractor="none")
    told = set()
    for content in ("Ada is ill", "Ada is well"):
        with pytest.raises(Conflict) as refused:
            bob.remember(content, key="k", extractor="none")
        told.add(str(refused.value))
    assert len(told) == 1

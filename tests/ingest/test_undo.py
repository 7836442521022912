"""How is a write taken back? After an undo the present is as if it had not been, and the journal tells of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, scope
from tests.ingest.telling import claim, current, day, known, lives, objects, tell, works
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.ingest.extract.extractors import Extractors
from treering.ingest.receipt import Receipt
from treering.model.memory import State
from treering.store.contract import EdgeFilter, Store

ASKED = ("Where does User work?", "Who is Alex?", "Oslo", "Which editor does User use?")


def present(mem: Treering, store: Store, clock: HandClock) -> dict[str, Any]:
    """All that a user sees of the present: facts, memories with their states, answers, who is who."""
    with store.reader(scope(clock)) as reader:
        edges = reader.edges(EdgeFilter(include_closed=True))
        names = {one.name: (reader.own_entity(one.id) or (None, None))[1] for one in reader.entities()}
    # a name that nothing speaks of any more stays, and does no harm
    spoken = {one.source_id for one in edges} | {one.target_id for one in edges}
    return {
        "facts": sorted((one.id, one.valid_from, one.valid_until, one.closed_by or "") for one in edges),
        "memories": [(one.id, one.state, one.valid_from, one.valid_until) for one in mem.list(view="history")],
        "recall": [[(hit.memory.id, len(hit.sources)) for hit in mem.recall(asked)] for asked in ASKED],
        "who": {name: into for name, into in names.items() if mem.entity_get(name).id in spoken},
    }


def a_life(mem: Treering, clock: HandClock) -> None:
    tell(
        mem,
        "User works at Google as an engineer",
        works("User", "Google", "2020"),
        claim("User", "HAS_ROLE", "engineer", "2020"),
        entities=["User", "Google"],
    )
    tell(mem, "User lives in Oslo", lives("User", "Oslo", "2019"), entities=["User", "Oslo"])
    tell(mem, "User uses Vim", claim("User", "USES", "Vim"), entities=["Vim"])
    clock.advance(days=1)
    tell(mem, "User switched to Zed", claim("User", "USES", "Zed", instead_of="Vim"), cue="change", entities=["Zed"])
    tell(mem, "User plans to go to Kyoto", claim("User", "PLANNED", "Kyoto"), kind="episode")
    tell(mem, "Alex Rivera called", entities=[{"name": "Alex Rivera", "kind": "person"}])
    clock.advance(days=1)


WRITES: dict[str, Callable[[Treering], Receipt]] = {
    "a new fact": lambda mem: tell(mem, "Bo lives in Rome", lives("Bo", "Rome"), entities=["Bo", "Rome"]),
    "a value replaced": lambda mem: tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change"),
    "a job left, and the role with it": lambda mem: tell(
        mem, "User works at Stripe", works("User", "Stripe", "2025"), cue="change"
    ),
    "ended": lambda mem: tell(mem, "User left Google", works("User", "Google", stance="ends"), kind="episode"),
    "corrected": lambda mem: tell(mem, "Actually it is Bergen", lives("User", "Bergen"), cue="correction"),
    "never": lambda mem: tell(mem, "User never lived in Oslo", lives("User", "Oslo", stance="never")),
    "replaced by name, and returned": lambda mem: tell(
        mem, "User went back from Zed to Vim", claim("User", "USES", "Vim", instead_of="Zed"), cue="change"
    ),
    "done": lambda mem: tell(mem, "User visited Kyoto", claim("User", "VISITED", "Kyoto"), kind="episode"),
    "not certain": lambda mem: tell(mem, "User may live in Rome", lives("User", "Rome"), confidence=0.4),
    "the owner named": lambda mem: tell(mem, "User is called Teun", claim("User", "NAMED", "Teun"), entities=["User"]),
    "a doubt": lambda mem: tell(mem, "Alex Riveira rang", entities=[{"name": "Alex Riveira", "kind": "person"}]),
    "a nickname": lambda mem: tell(mem, "Alex rang", entities=[{"name": "Alex", "kind": "person"}]),
    "several statements": lambda mem: mem.remember(
        "User moved to Rome. User works at Stripe.",
        drafts=[
            {"content": "User moved to Rome.", "triples": [lives("User", "Rome")]},
            {"content": "User works at Stripe.", "triples": [works("User", "Stripe")]},
            {"content": "User left Rome for Nice", "triples": [lives("User", "Nice")]},
        ],
    ),
    "in private": lambda mem: tell(
        mem, "User lives in Rome", lives("User", "Rome"), cue="change", call={"visibility": "private"}
    ),
    "a plain text": lambda mem: mem.remember("The marmalade incident", extractor="none"),
}


@pytest.mark.parametrize("name", WRITES)
def test_after_an_undo_the_present_is_as_before_the_write(
    mem: Treering, store: Store, clock: HandClock, name: str
) -> None:
    a_life(mem, clock)
    before = present(mem, store, clock)
    receipt = WRITES[name](mem)
    meanwhile = present(mem, store, clock)
    assert meanwhile != before
    undone = mem.undo(str(receipt.seq))
    assert undone.changed is True
    assert present(mem, store, clock) == before
    found = mem.verify()
    assert found.ok, found.differences


@pytest.mark.parametrize("name", WRITES)
def test_an_undo_once_more_changes_nothing(mem: Treering, store: Store, clock: HandClock, name: str) -> None:
    a_life(mem, clock)
    receipt = WRITES[name](mem)
    mem.undo(str(receipt.seq))
    head = store.head("lab")
    again = mem.undo(str(receipt.seq))
    assert (again.changed, again.forgotten, again.reopened) == (False, (), ())
    assert store.head("lab") == head


@pytest.mark.parametrize("name", WRITES)
def test_a_dry_run_of_an_undo_tells_the_same_and_does_nothing(
    mem: Treering, store: Store, clock: HandClock, name: str
) -> None:
    a_life(mem, clock)
    receipt = WRITES[name](mem)
    head = store.head("lab")
    dry = mem.undo(str(receipt.seq), dry_run=True)
    assert store.head("lab") == head
    wet = mem.undo(str(receipt.seq))
    assert (dry.dry_run, wet.dry_run) == (True, False)
    assert {**dry.to_dict(), "dry_run": False} == wet.to_dict()


def test_what_was_undone_can_be_said_again(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    for _ in range(2):
        receipt = tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change")
        assert objects(mem, "User", "LIVES_IN") == {"Rome"}
        mem.undo(str(receipt.seq))
        assert objects(mem, "User", "LIVES_IN") == {"Oslo"}
        clock.advance(days=1)


def test_what_was_known_before_the_undo_is_still_known_of_then(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    receipt = tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change")
    clock.advance(days=1)
    mem.undo(str(receipt.seq))
    assert objects(mem, "User", "LIVES_IN", known_at=receipt.at, as_of=clock.now) == {"Rome"}
    assert [event.op for event in mem.history(receipt.closed[0].id).events][-1] == "undo"


# one edge


def test_the_undoing_of_a_closing_brings_the_memory_back(mem: Treering, clock: HandClock) -> None:
    old = tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    new = tell(mem, "User lives in Rome", lives("User", "Rome"))
    assert mem.get(old.id).state is State.SUPERSEDED
    undone = mem.undo(new.closed[0].id)
    assert undone.reopened == (new.closed[0].id,)
    assert mem.get(old.id).state is State.ACTIVE
    assert objects(mem, "User", "LIVES_IN") == {"Oslo", "Rome"}


def test_the_undoing_of_a_supersedes_link_brings_the_memory_back_and_leaves_the_facts(
    mem: Treering, clock: HandClock
) -> None:
    old = tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    new = tell(mem, "User lives in Rome", lives("User", "Rome"))
    (link,) = [one for one in new.edges if one.relation == "supersedes"]
    undone = mem.undo(link.id)
    assert undone.forgotten == (link.id,)
    assert mem.get(old.id).state is State.ACTIVE
    assert objects(mem, "User", "LIVES_IN") == {"Rome"}
    assert mem.undo(link.id).changed is False


def test_the_undoing_of_a_fact_that_nothing_closed_forgets_it(mem: Treering) -> None:
    tell(mem, "Ada knows Bo", claim("Ada", "KNOWS", "Bo"))
    (fact,) = mem.facts(subject="Ada")
    assert mem.undo(fact.id).forgotten == (fact.id,)
    assert known(mem) == set()
    assert mem.undo(fact.id).changed is False


def test_the_undoing_of_a_conflict_takes_it_out_of_answers(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Bo lives in Oslo", lives("Bo", "Oslo"))
    clock.advance(days=1)
    receipt = tell(mem, "Bo may live in Rome", lives("Bo", "Rome"), confidence=0.4)
    (link,) = [one for one in receipt.edges if one.relation == "contradicts"]
    assert any(hit.conflicts for hit in mem.recall("Where does Bo live?"))
    mem.undo(link.id)
    assert not any(hit.conflicts for hit in mem.recall("Where does Bo live?"))


# evidence


def test_the_undoing_of_something_said_again_takes_the_evidence_back(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("none"), embedder=Hashing())
    first = mem.remember("Ada plays the cello on weekends")
    again = mem.remember("Ada plays the cello on weekends")
    assert len(mem.recall("cello")[0].sources) == 2
    assert mem.undo(str(again.seq)).changed is True
    assert [one.id for one in mem.recall("cello")[0].sources] == list(first.source_ids)
    assert mem.undo(str(again.seq)).changed is False
    once_more = mem.remember("Ada plays the cello on weekends")
    assert [one.memory_id for one in once_more.duplicates] == [first.id]
    assert len(mem.recall("cello")[0].sources) == 2


def test_what_was_said_again_stays_until_that_is_undone_too(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("reader"), embedder=Hashing())
    old = mem.remember("I live in Oslo.", at=clock.now)
    clock.advance(days=2)
    first = mem.remember("I moved to Bergen and my sister Ada works at Bolt.", at=clock.now)
    clock.advance(days=2)
    again = mem.remember("I moved to Bergen and my sister Ada works at Bolt.", at=clock.now)
    said = sorted({one.memory_id for one in again.duplicates})
    assert said
    before = held(mem)

    refused = mem.undo(str(first.seq))
    assert (refused.kept, set(refused.forgotten) & set(said)) == (tuple(said), set())
    assert held(mem) == before

    assert mem.undo(str(again.seq)).kept == ()
    gone = mem.undo(str(first.seq))
    assert set(gone.forgotten) >= set(said)
    assert held(mem) == {("User", "LIVES_IN", "Oslo")}
    assert old.id in {hit.memory.id for hit in mem.recall("Where do I live?")}


def test_both_tellings_are_undone_at_once(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("none"), embedder=Hashing())
    first, again = (mem.remember("Ada plays the cello on weekends") for _ in range(2))
    undone = mem.undo(f"{first.seq}, {again.seq}")
    assert (undone.forgotten, undone.kept) == ((first.id,), ())
    assert not mem.recall("cello")


def held(mem: Treering) -> set[tuple[str, str, str]]:
    return {(one.subject, one.relation, one.object) for one in mem.facts()}


# other writes, and what cannot be undone


def test_a_forgetting_is_undone_by_restoring(mem: Treering) -> None:
    memory = mem.add("Ada came").id
    mem.forget(memory)
    undone = mem.undo(str(mem.status().seq))
    assert undone.restored == (memory,)
    assert current(mem) == ["Ada came"]


def test_a_merge_is_undone_by_splitting(mem: Treering) -> None:
    mem.add("Ada came", entities=["Ada", "Countess"])
    merged = mem.entity_merge("Countess", "Ada").entity_id
    undone = mem.undo(str(mem.status().seq))
    assert undone.split == (merged,)
    assert mem.entity_get("Countess").name == "Countess"


@pytest.mark.parametrize("what", ["a purge", "a setting"])
def test_an_entry_that_cannot_be_undone_is_refused_whole(mem: Treering, store: Store, what: str) -> None:
    memory = mem.add("Ada came", entities=["Ada"]).id
    if what == "a purge":
        mem.purge(memory, "asked to")
    else:
        mem.settings({"functional_relations": ["KNOWS"]})
    head = store.head("lab")
    with pytest.raises(InvalidRequest, match="cannot be undone"):
        mem.undo(str(head.seq))
    assert store.head("lab") == head


def test_an_undo_of_what_was_purged_since_takes_back_what_is_left(mem: Treering, clock: HandClock) -> None:
    receipt = mem.remember(
        "User lives in Rome. Bo has a dog.",
        drafts=[{"content": "User lives in Rome."}, {"content": "Bo has a dog."}],
    )
    mem.purge(receipt.memories[0].id, "asked to")
    undone = mem.undo(str(receipt.seq))
    assert undone.forgotten == (receipt.memories[1].id,)
    assert mem.verify().ok


@pytest.mark.parametrize("what", ["0", "999", "00000000-0000-7000-8000-000000000000", "Ada"])
def test_what_is_not_there_cannot_be_undone(mem: Treering, what: str) -> None:
    mem.add("Ada came", entities=["Ada"])
    with pytest.raises(NotFound):
        mem.undo(what)


def test_an_undo_gives_its_reason_to_who_asks_later(mem: Treering) -> None:
    receipt = tell(mem, "Ada knows Bo", claim("Ada", "KNOWS", "Bo"))
    mem.undo(str(receipt.seq), why="misheard")
    assert mem.history(receipt.id).events[-1].why == "misheard"


# several sources


def test_the_receipt_of_a_conversation_is_undone_as_a_whole(mem: Treering, store: Store, clock: HandClock) -> None:
    a_life(mem, clock)
    before = present(mem, store, clock)
    receipt = mem.remember(messages=[{"content": "The first thing"}, {"content": "The second"}], extractor="none")
    for seq in range(receipt.seq, receipt.seq - len(receipt.source_ids), -1):
        mem.undo(str(seq))
    assert present(mem, store, clock) == before


# privacy


def test_the_undoing_of_anothers_private_entry_shows_and_changes_nothing(doors: Doors, store: Store) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here", entities=["Ada"])
    private = {"visibility": "private"}
    secret = tell(ann, "Ada lives in Lair", lives("Ada", "Lair"), entities=["Lair"], call=private)
    head = store.head("lab")
    with pytest.raises(NotFound, match="there is no entry"):
        bob.undo(str(secret.seq))
    assert store.head("lab") == head
    for one in (*secret.edges, *secret.closed):
        with pytest.raises(NotFound):
            bob.undo(one.id)
    assert objects(ann, "Ada", "LIVES_IN") == {"Lair"}


def test_a_closing_on_private_evidence_is_not_there_to_be_undone_by_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    tell(ann, "Ada lives in Oslo", lives("Ada", "Oslo"), entities=["Ada", "Oslo"])
    clock.advance(days=1)
    secret = tell(ann, "Ada lives in Lair", lives("Ada", "Lair"), call={"visibility": "private"})
    (closed,) = secret.closed
    assert bob.undo(closed.id, dry_run=True).reopened == ()
    assert bob.reopen("Ada", "Oslo", "LIVES_IN").changed is False
    assert objects(ann, "Ada", "LIVES_IN") == {"Lair"}
    assert ann.undo(closed.id).reopened == (closed.id,)
    assert objects(ann, "Ada", "LIVES_IN") == {"Lair", "Oslo"}


def test_an_edge_that_was_closed_twice_in_one_write_is_open_again_after_its_undo(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo", "2019"))
    before = present(mem, store, clock)
    clock.advance(days=1)
    receipt = tell(
        mem,
        "User left Oslo in 2021, no, was never there",
        lives("User", "Oslo", "2021", stance="ends"),
        lives("User", "Oslo", stance="never"),
    )
    assert objects(mem, "User", "LIVES_IN", as_of=day("2020")) == set()
    mem.undo(str(receipt.seq))
    assert present(mem, store, clock) == before
    assert mem.undo(str(receipt.seq)).changed is False


def test_a_conversation_is_taken_back_whole_by_the_entries_of_its_receipt(mem: Treering) -> None:
    receipt = mem.remember(messages=[{"content": "Ada sails"}, {"content": "Bo rows"}], extractor="none")
    assert len(receipt.entries) == 2
    undone = mem.undo(", ".join(map(str, receipt.entries)))
    assert set(undone.forgotten) == {one.id for one in receipt.memories}
    assert len(mem.list()) == 0
    assert mem.undo(",".join(map(str, receipt.entries))).changed is False


@pytest.mark.parametrize("nothing", [",", " ", ", ,"])
def test_undoing_nothing_is_refused_with_a_reason(mem: Treering, nothing: str) -> None:
    mem.add("Ada sails")
    with pytest.raises(NotFound, match="what"):
        mem.undo(nothing)

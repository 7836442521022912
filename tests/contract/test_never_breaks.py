"""The rules of the model that may never break, on every store. Rule 7 is test_privacy.py, rule 12 test_purge.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.conftest import STORES, HandClock, contents, everything, scope, write_a_life

from treering.door import Treering
from treering.errors import NotFound
from treering.model.changes import SourceAdded
from treering.model.memory import View
from treering.store.contract import EdgeFilter, MemoryFilter, Store, Writer

# 1. Content, valid_from and recorded_at never change after the write.


def test_content_and_times_of_every_memory_and_edge_stay_as_written_whatever_happens_later(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    first: dict[str, Any] = {}
    write = store.write

    def watched(*args: Any) -> Any:
        entry = write(*args)
        for one in things():
            first.setdefault(one.id, one)
        return entry

    def things() -> Iterator[Any]:
        with store.reader(scope(clock)) as reader:
            yield from reader.memories(MemoryFilter(view=View.ALL))
            yield from reader.edges(EdgeFilter(include_closed=True, include_forgotten=True))

    store.write = watched  # type: ignore[method-assign]
    write_a_life(mem, clock)
    clock.advance(days=1000)
    last = {one.id: one for one in things()}
    assert len(last) > 15
    for thing_id, now in last.items():
        then = first[thing_id]
        assert (now.valid_from, now.recorded_at) == (then.valid_from, then.recorded_at)
        assert getattr(now, "content", None) == getattr(then, "content", None)


def test_no_operation_of_the_door_takes_new_content_for_an_old_id(mem: Treering, clock: HandClock) -> None:
    first = mem.add("As it was said")
    clock.advance(days=1)
    new = mem.revise(first.id, "As it is now")
    assert new.id != first.id
    assert mem.get(first.id).content == "As it was said"
    assert mem.get(first.id).recorded_at == first.at


# 2. Replaying the journal into an empty store gives an equal store.


@pytest.mark.parametrize("kind", STORES)
def test_a_replayed_journal_answers_everything_as_the_first_store_does(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], kind: str
) -> None:
    write_a_life(mem, clock)
    other = new_store(kind)
    other.replay(store.entries("lab"))
    assert list(other.entries("lab")) == list(store.entries("lab"))
    moments = [entry.at for entry in store.entries("lab")]
    for principal in ("ann", "doc", "bob", None):
        for known_at in (None, moments[3], moments[len(moments) // 2]):
            for as_of in (None, datetime(2020, 6, 1, tzinfo=UTC)):
                where = scope(clock, principal=principal, known_at=known_at, as_of=as_of)
                assert everything(other, where) == everything(store, where)


def test_a_rebuilt_store_has_the_same_rows_as_before(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    before = list(store.rows("lab"))
    store.rebuild("lab")
    assert list(store.rows("lab")) == before


# 3. A read with known_at in the past is not changed by later writes.


def test_what_was_believed_at_each_past_moment_is_told_the_same_forever(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    believed: dict[datetime, Any] = {}
    write = store.write
    as_of = clock.now + timedelta(hours=2)

    def past(at: datetime) -> dict[str, Any]:
        told = everything(store, scope(clock, known_at=at, as_of=as_of))
        return {name: value for name, value in told.items() if name != "head"}

    def watched(space: str, writer: Writer, now: datetime, plan: Any) -> Any:
        entry = write(space, writer, now, plan)
        if entry is not None and entry.op != "purge":
            believed[entry.at] = past(entry.at)
        return entry

    store.write = watched  # type: ignore[method-assign]
    told = write_a_life(mem, clock)
    del told
    believed.pop(max(believed))  # what was purged is the one exception
    assert len(believed) > 15
    for at, then in believed.items():
        assert past(at) == then


def test_the_instant_of_a_write_knows_it_and_the_microsecond_before_does_not(mem: Treering, clock: HandClock) -> None:
    clock.advance(seconds=5)
    receipt = mem.add("Learned now", entities=["Ada"])
    assert contents(mem.list(known_at=receipt.at)) == ["Learned now"]
    before = receipt.at - timedelta(microseconds=1)
    assert contents(mem.list(known_at=before, as_of=receipt.at)) == []
    assert mem.status(known_at=before).entities == 0
    with pytest.raises(NotFound):
        mem.get(receipt.id, known_at=before)


def test_a_mark_a_closing_and_a_merge_are_each_believed_from_their_own_instant_on(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    memory = mem.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]]).id
    bob = mem.entity_register("Robert").entity_id
    clock.advance(hours=1)
    instants = {}
    for name, do in {
        "closed": lambda: mem.invalidate("Ada", "Bo", "KNOWS"),
        "merged": lambda: mem.entity_merge(bob, "Bo"),
        "forgotten": lambda: mem.forget(memory),
    }.items():
        clock.advance(hours=1)
        do()
        instants[name] = store.head("lab").at
    tick = timedelta(microseconds=1)
    facts = lambda at: len(mem.facts(known_at=at, as_of=clock.now))  # noqa: E731
    assert (facts(instants["closed"] - tick), facts(instants["closed"])) == (1, 0)
    names = [mem.entity_get(bob, known_at=instants["merged"] + shift).name for shift in (-tick, 0 * tick)]
    assert names == ["Robert", "Bo"]
    states = [mem.get(memory, known_at=instants["forgotten"] + shift).state for shift in (-tick, 0 * tick)]
    assert states == ["active", "forgotten"]


# 4. forget hides the memory and the edges whose evidence it is, everywhere; restore brings back exactly those.


def test_forgetting_hides_a_memory_and_what_rests_on_it_and_restoring_brings_back_exactly_that(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    kept = mem.add("Ada likes tea", entities=["Ada"]).id
    gone = mem.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]], tags=["work"], session="s").id
    mem.link(kept, gone)
    own = mem.link(gone, kept, "extends").edge.id
    mem.forget(own)
    mem.assert_fact("Ada", "KNOWS", "Bo", memory_id=gone)
    mem.assert_fact("Ada", "LIKES", "Bo")
    clock.advance(hours=1)

    def seen() -> tuple[Any, ...]:
        with store.reader(scope(clock)) as reader:
            edges = [edge.id for edge in reader.edges(EdgeFilter(include_closed=True))]
            touching = [edge.id for edge in reader.edges(EdgeFilter(either_ids=(gone,), include_closed=True))]
        return (
            [contents(mem.list(view=view)) for view in ("current", "history")],
            contents(mem.list(entities=["Acme"])),
            contents(mem.list(tags=["work"])),
            contents(mem.list(session="s")),
            [fact.id for fact in mem.facts(include_closed=True)],
            edges,
            touching,
            mem.status().edges,
        )

    before = seen()
    hidden = mem.forget(gone, why="asked to")
    after = seen()
    assert after[0] == [["Ada likes tea"], ["Ada likes tea"]]
    assert after[1:4] == ([], [], [])
    assert [fact.relation for fact in mem.facts(include_closed=True)] == ["LIKES"]
    assert after[6] == []
    assert set(before[5]) - set(after[5]) == set(hidden.edges)
    assert mem.get(gone).state == "forgotten"
    assert mem.forget(gone).changed is False
    clock.advance(hours=1)
    back = mem.restore(gone)
    assert set(back.edges) == set(hidden.edges)
    assert own not in hidden.edges
    assert seen() == before
    assert mem.restore(gone).changed is False


def test_forgetting_what_supersedes_brings_the_older_memory_back_into_view(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin").id
    clock.advance(days=1)
    new = mem.revise(old, "Ada lives in Paris").id
    assert contents(mem.list()) == ["Ada lives in Paris"]
    mem.forget(new)
    assert contents(mem.list()) == ["Ada lives in Berlin"]
    assert mem.get(old).superseded_by is None
    mem.restore(new)
    assert contents(mem.list()) == ["Ada lives in Paris"]
    assert mem.get(old).superseded_by == new


def test_an_edge_between_two_forgotten_memories_stays_hidden_until_both_are_back(mem: Treering) -> None:
    a, b = mem.add("One").id, mem.add("Two").id
    mem.link(a, b)
    mem.forget(a)
    mem.forget(b)
    mem.restore(a)
    assert mem.status().edges == 0
    mem.restore(b)
    assert mem.status().edges == 1


# 5. A closed edge is walked for as_of inside its window and not outside; closing at T keeps as_of < T true.


def test_a_closed_edge_holds_inside_its_window_and_at_neither_side_of_it(mem: Treering) -> None:
    since, until = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)
    mem.assert_fact("Ada", "WORKS_FOR", "Acme", valid_from=since)
    mem.invalidate("Ada", "Acme", "WORKS_FOR", at=until)
    tick = timedelta(microseconds=1)
    moments = (since - tick, since, since + tick, until - tick, until, until + tick)
    assert [len(mem.facts(as_of=at)) for at in moments] == [0, 1, 1, 1, 0, 0]
    assert [mem.status(as_of=at).edges for at in moments] == [0, 1, 1, 1, 0, 0]
    assert len(mem.facts(include_closed=True)) == 1


def test_an_edge_written_with_its_end_holds_as_one_closed_later_does(mem: Treering) -> None:
    mem.assert_fact("Ada", "MET", "Bo", valid_from="2020-01-01T00:00:00Z", valid_until="2020-01-02T00:00:00Z")
    assert len(mem.facts(as_of="2020-01-01T00:00:00Z")) == 1
    assert len(mem.facts(as_of="2020-01-01T23:59:59.999999Z")) == 1
    assert mem.facts(as_of="2020-01-02T00:00:00Z") == []
    assert mem.facts(as_of="2019-12-31T23:59:59.999999Z") == []


def test_a_memory_holds_from_its_event_or_its_saying_until_it_expires_or_is_superseded(
    mem: Treering, clock: HandClock
) -> None:
    said = clock.now
    past = mem.add("It rained", event_time=said - timedelta(days=2)).id
    planned = mem.add("Ada will travel", event_time=said + timedelta(days=9)).id
    expiring = mem.add("Meeting at three", expires_at=said + timedelta(days=1)).id
    tick = timedelta(microseconds=1)
    begins = mem.get(planned).valid_from
    assert begins == said
    assert mem.get(past).valid_from == said - timedelta(days=2)
    assert contents(mem.list(as_of=said - timedelta(days=2))) == ["It rained"]
    assert contents(mem.list(as_of=said - timedelta(days=2) - tick)) == []
    end = mem.get(expiring).valid_until
    assert mem.get(expiring, as_of=end - tick).state == "active"
    assert mem.get(expiring, as_of=end).state == "expired"
    clock.advance(days=3)
    mem.revise(planned, "Ada will stay")
    assert mem.get(planned).valid_until == clock.now
    assert mem.get(planned, as_of=clock.now - tick).state == "active"
    assert mem.get(planned, as_of=clock.now).state == "superseded"


# 10. Supersession never removes.


def test_a_superseded_memory_is_reachable_by_history_by_as_of_and_in_the_history_view(
    mem: Treering, clock: HandClock
) -> None:
    first = mem.add("Ada lives in Berlin").id
    then = clock.now
    clock.advance(days=30)
    second = mem.revise(first, "Ada lives in Paris").id
    clock.advance(days=30)
    third = mem.revise(second, "Ada lives in Rome").id
    clock.advance(days=30)
    assert contents(mem.list()) == ["Ada lives in Rome"]
    assert contents(mem.list(as_of=then)) == ["Ada lives in Berlin"]
    assert contents(mem.list(as_of=then + timedelta(days=31))) == ["Ada lives in Paris"]
    assert len(mem.list(view="history")) == 3
    assert mem.history(first).superseded_by == (second, third)
    assert mem.history(third).supersedes == (second, first)
    assert [mem.get(one).state for one in (first, second, third)] == ["superseded", "superseded", "active"]
    assert (mem.get(first).superseded_by, mem.get(second).superseded_by) == (second, third)


# 11. Every memory leads to its source span, every change to rule and evidence, and it can be undone.


def test_every_memory_leads_to_the_words_it_was_said_in(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    with store.reader(scope(clock)) as reader:
        memories = reader.memories(MemoryFilter(view=View.ALL))
        assert len(memories) == 6
        for memory in memories:
            source = reader.source(memory.source_id)
            assert source is not None
            assert source.content[slice(*memory.span)] == memory.content
            assert source.occurred_at == memory.said_at
            said = [event for event in reader.events(memory.source_id) if isinstance(event.change, SourceAdded)]
            assert len(said) == 1


def test_a_superseded_memory_leads_to_what_did_it_and_unlinking_undoes_it(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin").id
    clock.advance(days=1)
    new = mem.revise(old, "Ada lives in Paris", why="she said so").id
    event = mem.history(old).events[-1]
    assert (event.type, event.rule, event.evidence, event.why) == ("edge_added", "revised", new, "she said so")
    edge = mem.unlink(new, old, "supersedes").edge_ids[0]
    assert mem.get(old).state == "active"
    mem.restore(edge)
    assert mem.get(old).state == "superseded"


def test_a_closed_fact_leads_to_the_rule_and_memory_that_closed_it_and_reopening_undoes_it(
    mem: Treering, clock: HandClock
) -> None:
    edge = mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from="2020-01-01T00:00:00Z").facts[0].id
    heard = mem.add("Ada moved to Paris").id
    clock.advance(days=1)
    mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from="2024-01-01T00:00:00Z", memory_id=heard, supersede=True)
    closed = mem.history(edge).events[-1]
    assert (closed.type, closed.rule, closed.evidence) == ("edge_closed", "functional", heard)
    assert [fact.closed_by for fact in mem.facts(object="Berlin", include_closed=True)] == ["functional"]
    moved = mem.reopen("Ada", "Berlin", "LIVES_IN")
    assert (moved.valid_until, moved.changed) == (None, True)
    assert sorted(fact.object for fact in mem.facts()) == ["Berlin", "Paris"]


def test_a_merged_entity_leads_to_the_rule_and_reason_and_a_split_undoes_it(mem: Treering) -> None:
    mem.assert_fact("Bob", "KNOWS", "Ada")
    mem.assert_fact("Robert", "LIKES", "Ada")
    bob, robert = mem.entity_get("Bob"), mem.entity_get("Robert")
    before = [fact.to_dict() for fact in mem.facts()]
    mem.entity_merge("Bob", "Robert", why="one person")
    for one, words in ((bob.id, "merged into Robert"), (robert.id, "took in Bob")):
        event = next(event for event in mem.history(one).events if event.type == "entity_merged")
        assert (event.rule, event.why, event.what) == ("stated", "one person", words)
    assert {fact.subject for fact in mem.facts()} == {"Robert"}
    mem.entity_split(bob.id)
    assert [fact.to_dict() for fact in mem.facts()] == before
    assert (mem.entity_get("Bob"), mem.entity_get("Robert")) == (bob, robert)


def test_a_contradiction_leads_to_both_sides_and_can_be_taken_back(mem: Treering) -> None:
    older, newer = mem.add("The sky is green").id, mem.add("The sky is blue").id
    edge = mem.link(newer, older, "contradicts", why="seen outside").edge.id
    for one in (older, newer):
        event = mem.history(one).events[-1]
        assert (event.rule, event.evidence, event.why) == ("stated", newer, "seen outside")
    mem.forget(edge)
    assert mem.status().edges == 0
    mem.restore(edge)
    assert mem.status().edges == 1

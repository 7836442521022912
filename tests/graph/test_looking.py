"""What an onlooker is told: the times there are, what was believed when, what was written, and what was said."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.graph.overview import Overview


def _moved(mem: Treering, clock: HandClock) -> dict[str, int]:
    """Sam moved, and it was learned late."""
    first = mem.add("Sam lives in Rome", triples=[("Sam", "LIVES_IN", "Rome")])
    clock.advance(days=30)
    mem.assert_fact("Sam", "LIVES_IN", "Nice", valid_from="2026-01-10T00:00:00Z", supersede=True)
    return {"first": first.seq, "second": mem.status().seq}


def test_a_late_correction_is_three_beliefs(mem: Treering, clock: HandClock) -> None:
    seq = _moved(mem, clock)
    told = mem.beliefs("Sam")
    assert [(one.object, one.valid_until is None, one.known_until is None) for one in told.beliefs] == [
        ("Rome", True, False),
        ("Rome", False, True),
        ("Nice", True, True),
    ]
    assert [(one.seq, one.ended_by) for one in told.beliefs] == [
        (seq["first"], seq["second"]),
        (seq["second"], None),
        (seq["second"], None),
    ]


def test_every_belief_is_what_facts_would_say_inside_its_rectangle_and_nowhere_else(
    mem: Treering, clock: HandClock
) -> None:
    _moved(mem, clock)
    clock.advance(days=5)
    mem.forget(mem.list(words="Rome")[0].id)
    clock.advance(days=5)
    mem.undo(str(mem.status().seq))
    beliefs = mem.beliefs("Sam").beliefs
    valid = sorted({at for one in beliefs for at in (one.valid_from, one.valid_until) if at is not None})
    known = sorted({at for one in beliefs for at in (one.known_from, one.known_until) if at is not None})
    for as_of in valid:
        for known_at in known:
            there = {
                one.id
                for one in beliefs
                if one.known_from <= known_at
                and (one.known_until is None or one.known_until > known_at)
                and one.valid_from <= as_of
                and (one.valid_until is None or one.valid_until > as_of)
            }
            assert there == {one.id for one in mem.facts(as_of=as_of, known_at=known_at)}


def test_beliefs_of_a_memory_a_relation_and_of_nothing(mem: Treering, clock: HandClock) -> None:
    _moved(mem, clock)
    memory = mem.list(words="Rome")[0]
    assert {one.id for one in mem.beliefs(memory.id).beliefs if one.thing == "memory"} == {memory.id}
    assert {one.object for one in mem.beliefs(relation="LIVES_IN").beliefs} == {"Rome", "Nice"}
    with pytest.raises(InvalidRequest, match="say about what"):
        mem.beliefs()
    with pytest.raises(NotFound):
        mem.beliefs("Nobody")


def test_moments_lead_from_one_change_to_the_next(mem: Treering, clock: HandClock) -> None:
    _moved(mem, clock)
    ticks = mem.moments(clock="known").ticks
    assert mem.moments(clock="known", after=ticks[0].until, limit=1).ticks[0].at == ticks[1].at
    assert mem.moments(clock="known", before=ticks[1].at, limit=1).ticks[0].until == ticks[0].until
    assert mem.moments(clock="known", after=ticks[-1].until).ticks == ()
    one = mem.moments(clock="valid", limit=1)
    assert (len(one.ticks), one.ticks[0].changes) == (1, one.changes)


def test_moments_that_lie_together_are_one_tick_and_none_is_lost(mem: Treering, clock: HandClock) -> None:
    for number in range(40):
        mem.add(f"number {number}")
        clock.advance(hours=1)
    few, all_ = mem.moments(clock="known", limit=7), mem.moments(clock="known", limit=1_000)
    assert len(few.ticks) <= 7 < len(all_.ticks) == 40
    assert few.memories == sum(one.memories for one in few.ticks) == 40
    assert [one.until < two.at for one, two in zip(few.ticks, few.ticks[1:], strict=False)].count(False) == 0


def test_the_journal_tells_who_wrote_what_the_newest_first(mem: Treering, clock: HandClock) -> None:
    _moved(mem, clock)
    page = mem.journal(limit=1)
    assert [line.seq for line in page.lines] == [mem.status().seq]
    assert page.lines[0].changes[0].what.startswith("Sam LIVES_IN Nice")
    assert any("Sam LIVES_IN Rome: closed at" in one.what for one in page.lines[0].changes)
    assert "functional" in page.lines[0].rules
    older = mem.journal(before=page.before, limit=50)
    assert [line.seq for line in older.lines] == list(range(mem.status().seq - 1, 0, -1))
    assert older.before is None


def _undone(mem: Treering) -> dict[int, int]:
    return {line.seq: line.undone_by for line in mem.journal(limit=100).lines if line.undone_by is not None}


def test_an_entry_that_was_undone_says_by_which_and_one_that_stands_says_nothing(
    mem: Treering, clock: HandClock
) -> None:
    old = mem.add("Sam lives in Rome", triples=[("Sam", "LIVES_IN", "Rome")])
    clock.advance(days=1)
    new = mem.revise(old.id, "Sam lives in Nice", triples=[("Sam", "LIVES_IN", "Nice")])
    assert _undone(mem) == {}
    mem.undo(str(new.seq))
    taken_back = mem.status().seq
    assert _undone(mem) == {new.seq: taken_back}
    assert {one.seq for one in mem.history(new.id).events if one.undone_by == taken_back} == {new.seq}
    (replaced,) = [one for one in mem.history(old.id).events if one.what.startswith("was replaced by")]
    assert replaced.undone_by == taken_back, "what was replaced holds again, and its history says so"
    again = mem.revise(old.id, "Sam lives in Oslo", triples=[("Sam", "LIVES_IN", "Oslo")])
    assert _undone(mem) == {new.seq: taken_back}, "another write that does the same is not undone"
    assert again.seq not in _undone(mem)


def test_only_what_was_taken_back_is_undone_not_what_was_forgotten_or_half_of_it(mem: Treering) -> None:
    kept = mem.add("Sam sings")
    mem.forget(kept.id)
    forgotten = mem.status().seq
    assert _undone(mem) == {}, "to forget is a deed of its own"
    mem.restore(kept.id)
    assert _undone(mem) == {forgotten: mem.status().seq}
    mem.forget(kept.id)
    assert mem.status().seq not in _undone(mem)
    mem.assert_facts([("Sam", "KNOWS", "Kim"), ("Sam", "KNOWS", "Lee")])
    half = mem.status().seq
    known = mem.facts(relation="KNOWS")
    mem.undo(known[0].id)
    assert half not in _undone(mem), "the other one stands"
    mem.undo(str(half))
    assert _undone(mem)[half] == mem.status().seq


def test_a_closing_is_undone_by_the_entry_that_opened_it_again(mem: Treering, clock: HandClock) -> None:
    _moved(mem, clock)
    closing = mem.status().seq
    clock.advance(days=1)
    mem.undo(str(closing))
    assert _undone(mem)[closing] == mem.status().seq
    a, b = mem.entity_register("Sam B").entity_id, mem.entity_get("Sam").id
    mem.entity_merge(a, b)
    merged = mem.status().seq
    mem.entity_split(a)
    assert _undone(mem)[merged] == mem.status().seq


def test_a_memory_that_ended_a_fact_says_which_and_in_the_order_of_time(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Sam lives in Rome", triples=[("Sam", "LIVES_IN", "Rome")])
    clock.advance(days=1)
    new = mem.revise(old.id, "Sam lives in Nice", triples=[("Sam", "LIVES_IN", "Nice")])
    told = [one.what for one in mem.history(new.id).events]
    assert told[0] == "remembered"
    (ended,) = [one for one in told if "closed at" in one]
    assert ended.startswith("Sam LIVES_IN Rome: closed at ")
    assert not [one for one in told if "→" in one or "←" in one]
    edge = mem.facts(subject="Sam", include_closed=True, as_of=None)[0].id
    assert all("Sam LIVES_IN" not in one.what for one in mem.history(edge).events if one.type == "edge_closed")


def test_the_journal_does_not_tell_of_what_is_private_to_others(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    bob.add("Bob's secret", visibility="private")
    ann.add("open to all")
    assert [line.changes[0].what for line in ann.journal().lines] == ["remembered “open to all”"]
    assert len(bob.journal().lines) == 2


def test_a_source_is_shown_without_what_was_forgotten_or_is_private(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    said = "Ann sings. Bob dances. Kim reads."
    drafts = [{"content": one} for one in ("Ann sings", "Bob dances", "Kim reads")]
    receipt = ann.remember(said, drafts=drafts, extractor="none")
    source = receipt.source_ids[0]
    assert ann.source(source).content == said
    dances = next(one for one in receipt.memories if "dances" in one.content)
    ann.forget(dances.id)
    for door in (ann, bob):
        shown = door.source(source)
        assert len(shown.content) == len(said)
        assert dances.id not in {one.memory_id for one in shown.memories}
    with pytest.raises(NotFound):
        ann.source(dances.id)


def test_words_for_a_time_are_read_from_where_one_stands(mem: Treering) -> None:
    (window,) = mem.when("last May", reference="2026-02-10T09:00:00Z")
    assert (f"{window.start:%Y-%m}", f"{window.end:%Y-%m}") == ("2025-05", "2025-06")
    assert mem.when("blue as the sea") == []


def test_an_entity_is_found_by_how_its_name_begins(mem: Treering) -> None:
    mem.entity_register("Nora Lind", aliases=["Norchen"], kind="person")
    mem.entity_register("Norway", kind="place")
    mem.entity_register("Sam")
    assert [one.name for one in mem.entities(named="nor")] == ["Norway", "Nora Lind"]
    assert [one.name for one in mem.entities(named="norc")] == ["Nora Lind"]
    assert [one.name for one in mem.entities(named="nor", kind="person")] == ["Nora Lind"]


def test_a_decision_is_asked_once_more(mem: Treering) -> None:
    memory = mem.add("Kim reads").id
    item = mem.review_create("decay", "archive", memory_ids=[memory], proposal={"op": "archive"})
    mem.review_dismiss(item.id)
    assert mem.review_list() == []
    assert mem.review_reopen(item.id).status == "open"
    assert [one.id for one in mem.review_list()] == [item.id]
    assert mem.review_reopen(item.id).status == "open"
    applied = mem.review_apply(item.id)
    mem.undo(str(applied.seq))
    assert mem.review_reopen(item.id).seq is None


def _crowd(mem: Treering) -> None:
    """A hub whom all know, a ring around it, and one pair apart; the hub is a person."""
    mem.entity_register("Hub", kind="person")
    ring = [(f"R{n}", "NEXT_TO", f"R{(n + 1) % 6}") for n in range(6)]
    mem.assert_facts([*((f"R{n}", "KNOWS", "Hub") for n in range(6)), *ring, ("Far", "OWNS", "Away")])


def _seen(found: Overview) -> set[tuple[str, str, str]]:
    names = {one.id: one.name for one in found.nodes}
    return {(names[one.source_id], one.relation, names[one.target_id]) for one in found.edges}


def test_from_afar_a_space_that_fits_is_seen_whole(mem: Treering, clock: HandClock) -> None:
    _crowd(mem)
    clock.advance(days=1)
    mem.invalidate("Far", "Away", "OWNS")
    for as_of, known_at in ((None, None), ("2020-01-01T00:00:00Z", None), (None, clock.now)):
        found = mem.overview(as_of=as_of, known_at=known_at)
        facts = mem.facts(as_of=as_of, known_at=known_at)
        assert _seen(found) == {(one.subject, one.relation, one.object) for one in facts}
        assert (found.facts, found.truncated) == (len(facts), False)
        assert found.entities == len(found.nodes) == len({end for one in _seen(found) for end in (one[0], one[2])})


def test_from_afar_the_most_connected_are_kept_with_all_that_is_between_them(mem: Treering) -> None:
    _crowd(mem)
    found = mem.overview(nodes=3)
    assert found.nodes[0].name == "Hub"
    assert [one.facts for one in found.nodes] == [6, 3, 3]
    kept = {one.name for one in found.nodes}
    assert _seen(found) == {
        (one.subject, one.relation, one.object) for one in mem.facts() if {one.subject, one.object} <= kept
    }
    assert (found.entities, found.facts, found.truncated) == (9, 13, True)
    few = mem.overview(edges=4)
    assert len(few.edges) <= 4
    assert few.truncated
    assert {one.source_id for one in few.edges} <= {one.id for one in few.nodes}


def test_what_is_asked_for_from_afar_is_looked_for_in_all_there_is(mem: Treering) -> None:
    """A filter is no sieve for what fits: it finds the one pair that would not have been kept."""
    _crowd(mem)
    assert _seen(mem.overview(relations=["OWNS"], nodes=2)) == {("Far", "OWNS", "Away")}
    people = mem.overview(kind="person")
    assert {one[1] for one in _seen(people)} == {"KNOWS"}
    assert len(mem.overview(confidence=1.0).edges) == 13
    mem.assert_fact("Far", "LIKES", "Away", confidence=0.4)
    assert "LIKES" not in {one[1] for one in _seen(mem.overview(confidence=0.5))}
    assert people.relations == {"KNOWS": 6, "NEXT_TO": 6, "OWNS": 1}, "what could be asked for is told whatever was"
    assert people.kinds == {"concept": 8, "person": 1}


def test_more_than_may_be_seen_from_afar_is_refused(mem: Treering) -> None:
    with pytest.raises(InvalidRequest, match="nodes"):
        mem.overview(nodes=10_001)
    with pytest.raises(InvalidRequest, match="relation"):
        mem.overview(relations=["größe"])

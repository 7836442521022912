"""What happened to a memory or an entity? Every kind of change is on its timeline, in order, with its reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, notary_of, write_a_life
from tests.contract.purging import two_said_in_one_breath

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.graph.story import _MARKS
from treering.model.changes import Changes, KeyBound, Marked, Reinforced, SettingChanged, Thing
from treering.model.memory import Mark
from treering.store.contract import Store


def marked(mem: Treering, thing: Thing, thing_id: str, mark: Mark, on: bool, why: str) -> None:
    """As upkeep will do it."""
    mem._write(None, lambda act: (Changes("upkeep", (Marked(thing, thing_id, mark, on, why),)), None))


def types(mem: Treering, node: str, **more: Any) -> list[str]:
    return [event.type for event in mem.timeline(node, **more)]


def happened(mem: Treering, node: str) -> list[tuple[str, str, str | None]]:
    return [(event.type, event.what, event.why) for event in mem.timeline(node)]


def test_a_fact_stands_where_it_began_and_where_it_ended_and_why(mem: Treering) -> None:
    mem.assert_fact("Ada", "WORKS_FOR", "Google", valid_from="2020-03-01")
    mem.invalidate("Ada", "Google", "WORKS_FOR", at="2024-06-01", why="left")
    mem.assert_fact("Ada", "WORKS_FOR", "Stripe", valid_from="2024-06-01")
    told = [event for event in mem.timeline("Ada") if event.relation]
    assert [(event.type, event.what, f"{event.at:%Y-%m}") for event in told] == [
        ("edge_added", "Ada WORKS_FOR Google", "2020-03"),
        ("edge_invalidated", "Ada WORKS_FOR Google", "2024-06"),
        ("edge_added", "Ada WORKS_FOR Stripe", "2024-06"),
    ]
    added, closed, _ = told
    assert (added.valid_from, added.valid_until) == (added.at, None)
    assert (closed.valid_from, closed.valid_until) == (added.at, closed.at)
    assert (closed.why, closed.rule, closed.op, closed.actor) == ("left", "invalidated", "invalidate", "ann")
    ends = mem.entity_get("Ada").id, mem.entity_get("Google").id
    assert {(event.source_id, event.target_id) for event in (added, closed)} == {ends}


def test_a_fact_that_was_written_with_its_end_is_told_at_both_ends_of_its_window(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from="2010-01-01", valid_until="2015-01-01")
    began, ended = mem.timeline("Rome", relations=["LIVES_IN"])
    assert [(one.type, f"{one.at:%Y-%m-%d}") for one in (began, ended)] == [
        ("edge_added", "2010-01-01"),
        ("edge_invalidated", "2015-01-01"),
    ]
    assert (ended.valid_from, ended.valid_until, ended.rule) == (began.at, ended.at, began.rule)
    assert types(mem, "Rome", since="2014-01-01", until="2016-01-01") == ["edge_invalidated"]


def test_an_end_that_was_moved_is_told_where_it_is_believed_to_be(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "MEMBER_OF", "Choir", valid_from="2019-01-01", valid_until="2031-01-01")
    before = clock.now
    clock.advance(days=1)
    mem.invalidate("Ada", "Choir", "MEMBER_OF", at="2020-06-01", why="left early")

    def ends(**more: Any) -> list[int]:
        return [one.at.year for one in mem.timeline("Choir", **more) if one.type == "edge_invalidated"]

    assert ends() == [2020]
    assert ends(known_at=before) == [2031]
    mem.reopen("Ada", "Choir", "MEMBER_OF")
    assert 2031 in ends()


@pytest.mark.parametrize(
    ("said", "where"), [("I quit Stripe last March.", "Stripe"), ("I left Siemens in 2019.", "Siemens")]
)
def test_a_fact_of_which_only_the_end_was_told_begins_nowhere_on_a_timeline(
    mem: Treering, said: str, where: str
) -> None:
    mem.remember(said, at="2025-02-10T09:00:00Z")
    [over] = [fact for fact in mem.facts(object=where, include_closed=True) if fact.valid_until]
    told = [event for event in mem.timeline(where) if event.edge_id == over.id]
    assert [(event.type, event.at) for event in told] == [("edge_invalidated", over.valid_until)]


def test_a_timeline_is_found_by_id_name_or_alias(mem: Treering) -> None:
    entity = mem.entity_register("Ada Lovelace", aliases=["Ada"])
    memory = mem.add("Ada likes tea", entities=["Ada"]).id
    by_id = mem.timeline(entity.entity_id)
    assert by_id == mem.timeline("Ada Lovelace") == mem.timeline("ada")
    assert (by_id.thing, by_id.name) == (Thing.ENTITY, "Ada Lovelace")
    assert mem.timeline(memory).thing is Thing.MEMORY
    with pytest.raises(NotFound, match="node: there is no memory or entity 'Nobody'"):
        mem.timeline("Nobody")
    fact = mem.assert_fact("Ada", "KNOWS", "Bo").facts[0].id
    with pytest.raises(NotFound, match="node: there is no memory or entity"):
        mem.timeline(fact)


def test_a_memory_is_said_held_mentions_states_and_makes_way(mem: Treering, clock: HandClock) -> None:
    home = mem.add("Ada lives in Berlin", entities=["Ada"], triples=[["Ada", "LIVES_IN", "Berlin"]]).id
    clock.advance(days=1)
    mem.revise(home, "Ada lives in Paris", triples=[["Ada", "LIVES_IN", "Paris"]], why="moved")
    assert happened(mem, home) == [
        ("source_added", "kept word for word", None),
        ("memory_added", "“Ada lives in Berlin”", None),
        ("edge_added", "“Ada lives in Berlin” about_entity Ada", None),
        ("edge_added", "“Ada lives in Berlin” about_entity Berlin", None),
        ("edge_added", "Ada LIVES_IN Berlin", None),
        ("superseded", "“Ada lives in Paris” supersedes “Ada lives in Berlin”", "moved"),
        ("edge_invalidated", "Ada LIVES_IN Berlin", None),
    ]
    superseded = mem.timeline(home)[5]
    assert (superseded.at, superseded.rule) == (clock.now, "revised")


def test_an_entity_tells_when_what_is_known_of_it_made_way(mem: Treering, clock: HandClock) -> None:
    home = mem.add("Ada lives in Berlin", entities=["Ada"]).id
    clock.advance(days=1)
    mem.revise(home, "Ada lives in Paris", why="moved")
    assert ("superseded", "“Ada lives in Paris” supersedes “Ada lives in Berlin”", "moved") in happened(mem, "Ada")


# every kind of change


def _ends_and_opens(mem: Treering, clock: HandClock) -> str:
    mem.assert_fact("Ada", "KNOWS", "Bo")
    mem.invalidate("Ada", "Bo", "KNOWS", why="lost touch")
    mem.reopen("Ada", "Bo", "KNOWS")
    return "Ada"


def _forgotten_and_restored(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("Ada likes tea").id
    mem.forget(memory, why="asked to")
    mem.restore(memory, why="asked for")
    return memory


def _untied(mem: Treering, clock: HandClock) -> str:
    one, other = mem.add("Ada likes tea").id, mem.add("Ada likes cake").id
    edge = mem.link(one, other, why="both sweet").edge
    mem.unlink(one, other, why="not both")
    mem.restore(edge.id, why="both after all")
    return one


def _kept_away(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("Ada likes tea").id
    for mark in (Mark.ARCHIVED, Mark.PROMOTED):
        for on in (True, False):
            marked(mem, Thing.MEMORY, memory, mark, on, f"{mark.value} {on}")
    return memory


def _on_hold(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("Ada owes Bo a hat").id
    mem.hold("case 7", memory)
    mem.release("case 7 is closed", memory)
    return memory


def _read_later(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("Ada likes tea").id
    source = mem.get(memory).source_id
    for on in (True, False):
        marked(mem, Thing.SOURCE, source, Mark.WAITING, on, f"waiting {on}")
    return memory


def _expired(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("Ada meets Bo at three", expires_at=clock.now + timedelta(hours=3)).id
    clock.advance(hours=4)
    return memory


def _said_again(mem: Treering, clock: HandClock) -> str:
    told = write_a_life(mem, clock)
    receipt = next(
        entry for entry in mem._store.entries("lab") if any(isinstance(one, Reinforced) for one in entry.changes())
    )
    mem.undo(str(receipt.seq))
    return str(told.tea)


def _named(mem: Treering, clock: HandClock) -> str:
    mem.entity_register("Ada")
    mem.entity_register("Ada", aliases=["Lady Lovelace"])
    lutetia = mem.entity_register("Augusta").entity_id
    mem.entity_merge("Augusta", "Ada", why="the same")
    mem.entity_split(lutetia, why="not the same")
    return "Ada"


def _used(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("Ada likes tea").id
    clock.advance(hours=1)
    mem.touch(memory)
    return memory


def _vouched(mem: Treering, clock: HandClock) -> str:
    fact = mem.assert_fact("Ada", "KNOWS", "Bo").facts[0].id
    notary_of(mem).attest(fact)
    return "Ada"


def _purged(mem: Treering, clock: HandClock) -> str:
    memory = mem.add("The code is 1234").id
    mem.purge(memory, "asked to")
    return memory


HAPPENINGS: dict[str, tuple[Callable[[Treering, HandClock], str], dict[str, str | None]]] = {
    "an end and its undoing": (
        _ends_and_opens,
        {"edge_added": None, "edge_invalidated": "lost touch", "edge_reopened": "the closing was taken back"},
    ),
    "a memory hidden": (
        _forgotten_and_restored,
        {"memory_added": None, "forgotten": "asked to", "restored": "asked for"},
    ),
    "a link untied": (
        _untied,
        {"edge_added": "both sweet", "forgotten": "not both", "restored": "both after all"},
    ),
    "a memory put away": (
        _kept_away,
        {
            "archived": "archived True",
            "unarchived": "archived False",
            "promoted": "promoted True",
            "demoted": "promoted False",
        },
    ),
    "a memory on hold": (_on_hold, {"held": "case 7", "released": "case 7 is closed"}),
    "a source read later": (
        _read_later,
        {"source_added": None, "waiting": "waiting True", "read": "waiting False"},
    ),
    "a memory whose time is over": (_expired, {"expired": "the time has come that was given with it"}),
    "a memory said again, and not": (_said_again, {"reinforced": None, "unreinforced": None}),
    "an entity named, merged and split": (
        _named,
        {"entity_added": None, "aliases_added": None, "merged": "the same", "split": "not the same"},
    ),
    "a memory used": (_used, {"used": None}),
    "a fact vouched for": (_vouched, {"edge_attested": "vouched for by notary"}),
    "a memory purged": (_purged, {"purged": "asked to"}),
}


@pytest.mark.parametrize("case", HAPPENINGS)
def test_what_happened_is_on_the_timeline_with_its_reason(mem: Treering, clock: HandClock, case: str) -> None:
    happen, expected = HAPPENINGS[case]
    events = {event.type: event for event in mem.timeline(happen(mem, clock))}
    assert expected.items() <= {kind: event.why for kind, event in events.items()}.items()
    for kind in expected.keys() - {"expired"}:
        assert events[kind].op
        assert events[kind].actor == ("notary" if kind == "edge_attested" else "ann")


def test_every_mark_and_every_change_that_touches_a_node_is_tried_above() -> None:
    tried = {kind for _, expected in HAPPENINGS.values() for kind in expected}
    assert set(_MARKS.values()) <= tried
    assert {(mark, on) for mark in Mark for on in (True, False)} == _MARKS.keys()
    assert SettingChanged("extractor", None).about == KeyBound("ann", "k").about == ()


def test_the_timelines_of_a_whole_life_tell_every_change_but_those_about_no_node(
    mem: Treering, clock: HandClock
) -> None:
    told = write_a_life(mem, clock)
    nodes = [memory.id for memory in mem.list(view="all")] + [told.gone]
    nodes += ["Ada", "Bo", "Google", "Paris", "Berlin", "Tea", "Alphabet", told.lutetia, told.bo]
    seqs = {event.seq for node in nodes for event in mem.timeline(node)}
    with_nodes = {entry.seq for entry in mem._store.entries("lab") if _tells(entry.changes())}
    assert with_nodes <= seqs


def _tells(changes: Any) -> bool:
    return any(not isinstance(one, SettingChanged | KeyBound) for one in changes)


# which events


def test_since_until_and_relations_narrow_it(mem: Treering) -> None:
    for year, place in ((2019, "Oslo"), (2021, "Rome"), (2023, "Nice")):
        mem.assert_fact("Ada", "LIVES_IN", place, valid_from=f"{year}-01-01", valid_until=f"{year + 1}-01-01")
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from="2021-06-01")

    def places(**more: Any) -> list[str]:
        return [event.what for event in mem.timeline("Ada", **more)]

    assert places(since="2021-01-01", until="2021-06-01") == ["Ada LIVES_IN Rome"]
    assert places(since="2021-01-01", until="2022-01-01") == ["Ada LIVES_IN Rome", "Ada KNOWS Bo"]
    assert places(relations=["knows"]) == ["Ada KNOWS Bo"]
    assert places(relations=["LIVES_IN"], since="2023-01-01") == ["Ada LIVES_IN Nice", "Ada LIVES_IN Nice"]
    assert mem.timeline("Ada", limit=2).truncated
    assert places(limit=2) == ["Ada LIVES_IN Oslo", "Ada LIVES_IN Oslo"]
    assert not mem.timeline("Ada").truncated
    with pytest.raises(InvalidRequest, match="relation"):
        mem.timeline("Ada", relations=["???"])


def test_a_timeline_ascends_whatever_the_order_in_which_it_was_learned(mem: Treering, clock: HandClock) -> None:
    for year in (2023, 2019, 2021):
        clock.advance(hours=1)
        mem.assert_fact("Ada", "VISITED", f"Town {year}", valid_from=f"{year}-01-01")
    times = [event.at for event in mem.timeline("Ada")]
    assert times == sorted(times)
    assert [event.what[-4:] for event in mem.timeline("Ada", relations=["VISITED"])] == ["2019", "2021", "2023"]


def test_what_was_learned_later_is_not_on_the_timeline_of_an_earlier_belief(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from="2019-01-01")
    before = clock.now
    clock.advance(days=1)
    mem.invalidate("Ada", "Bo", "KNOWS", at="2020-01-01")
    assert types(mem, "Ada", relations=["KNOWS"]) == ["edge_added", "edge_invalidated"]
    assert types(mem, "Ada", relations=["KNOWS"], known_at=before) == ["edge_added"]


def test_an_entity_tells_of_what_was_merged_into_it_and_no_longer_after_a_split(
    mem: Treering, clock: HandClock
) -> None:
    mem.assert_fact("Bob", "WORKS_FOR", "Google", valid_from="2020-01-01")
    mem.assert_fact("Robert", "LIVES_IN", "Oslo", valid_from="2021-01-01")
    clock.advance(hours=1)
    merged = mem.entity_merge("Bob", "Robert").entity_id
    both = ["Robert WORKS_FOR Google", "Robert LIVES_IN Oslo"]
    relations = ["WORKS_FOR", "LIVES_IN"]
    assert [event.what for event in mem.timeline("Bob", relations=relations)] == both
    assert "entity_added" in types(mem, "Robert")
    assert [event.what for event in mem.timeline("Robert") if event.type == "merged"] == ["Bob is the same as Robert"]
    clock.advance(hours=1)
    mem.entity_split(merged)
    assert [event.what for event in mem.timeline("Robert", relations=relations)] == ["Robert LIVES_IN Oslo"]
    assert [event.what for event in mem.timeline("Bob", relations=relations)] == ["Bob WORKS_FOR Google"]
    before = clock.now - timedelta(minutes=30)
    assert [event.what for event in mem.timeline("Robert", relations=relations, known_at=before)] == both


def test_what_rests_on_a_forgotten_memory_is_hidden_until_it_is_restored(mem: Treering, clock: HandClock) -> None:
    job = mem.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]]).id
    mem.assert_fact("Ada", "KNOWS", "Bo")
    clock.advance(hours=1)
    mem.forget(job, why="asked to")
    assert types(mem, "Ada") == ["entity_added", "edge_added"]
    assert types(mem, job)[-1] == "forgotten"
    clock.advance(hours=1)
    mem.restore(job)
    assert types(mem, "Ada")[-2:] == ["forgotten", "restored"]
    assert "Ada WORKS_FOR Google" in [event.what for event in mem.timeline("Ada")]


def test_nobody_sees_on_a_timeline_what_is_private_to_another(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    public = ann.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]]).id
    before = bob.timeline("Ada"), bob.timeline(public)
    clock.advance(hours=1)
    secret = ann.add("Ada will leave", visibility="private", triples=[["Ada", "OWNS", "Lair"]]).id
    ann.link(secret, public, "supersedes")
    ann.link(secret, public, "contradicts")
    ann.forget(secret)
    ann.restore(secret)
    assert (bob.timeline("Ada"), bob.timeline(public)) == before
    assert len(ann.timeline("Ada")) > len(before[0])
    assert "superseded" in types(ann, public)
    with pytest.raises(NotFound):
        bob.timeline(secret)


def test_a_source_of_which_words_were_purged_is_kept_again_with_those_blanked(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    home, code, _ = two_said_in_one_breath(mem, store, clock)
    clock.advance(hours=1)
    mem.purge(code, "asked to")
    assert types(mem, home) == ["memory_added", "source_restated"]

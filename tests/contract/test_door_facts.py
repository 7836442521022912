"""Which facts hold, and who are they about? One value at a time where the space says so, whatever the order in which
they are learned; names lead to entities, through merges and out of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.conftest import Doors, HandClock
from tests.contract.spans import DAY, at, windows

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, NotFound
from treering.store.contract import Store


def test_a_newer_value_closes_the_older_one_only_when_asked_and_only_where_one_holds_at_a_time(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from=at(2022))
    assert windows(mem) == [("Berlin", 2020, None), ("Paris", 2022, None)]
    told = mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from=at(2024), supersede=True)
    assert len(told.closed) == 2
    assert windows(mem) == [("Berlin", 2020, 2024), ("Paris", 2022, 2024), ("Rome", 2024, None)]
    mem.assert_facts([["Ada", "LIKES", "tea"], ["Ada", "LIKES", "coffee"]], supersede=True)
    assert len(mem.facts(relation="LIKES")) == 2
    mem.assert_fact("Bo", "LIVES_IN", "Oslo", supersede=True)
    assert len(mem.facts(relation="LIVES_IN")) == 2


def test_a_fact_learned_late_goes_into_the_past_and_leaves_the_present(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from=at(2024), supersede=True)
    told = mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from=at(2022), supersede=True)
    assert windows(mem) == [("Berlin", 2020, 2022), ("Paris", 2022, 2024), ("Rome", 2024, None)]
    assert told.facts[0].valid_until == at(2024)
    early = mem.assert_fact("Ada", "LIVES_IN", "Oslo", valid_from=at(2010), valid_until=at(2012), supersede=True)
    assert (early.facts[0].valid_until, early.closed) == (at(2012), ())
    assert [fact.object for fact in mem.facts(as_of=at(2023))] == ["Paris"]


def test_the_same_value_and_one_that_had_ended_are_left_alone(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Oslo", valid_from=at(2010), valid_until=at(2012))
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    told = mem.assert_fact("Ada", "LIVES_IN", "berlin", valid_from=at(2022), supersede=True)
    assert told.closed == ()
    assert windows(mem) == [("Oslo", 2010, 2012), ("Berlin", 2020, None), ("Berlin", 2022, None)]


def test_another_value_from_the_same_instant_takes_the_place_of_the_first(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from=at(2020), supersede=True)
    assert [fact.object for fact in mem.facts()] == ["Paris"]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 0, 2)])
def test_many_values_at_once_follow_one_another_whatever_their_order(mem: Treering, order: tuple[int, ...]) -> None:
    mem.assert_fact("Ada", "WORKS_FOR", "Acme", valid_from=at(2015))
    facts = [
        {"subject": "Ada", "relation": "WORKS_FOR", "object": name, "valid_from": at(year)}
        for name, year in (("Bell", 2018), ("Cray", 2020), ("Dell", 2022))
    ]
    told = mem.assert_facts([facts[n] for n in order], supersede=True)
    assert windows(mem) == [("Acme", 2015, 2018), ("Bell", 2018, 2020), ("Cray", 2020, 2022), ("Dell", 2022, None)]
    assert {(one.object, one.valid_until.year if one.valid_until else None) for one in told.facts} == {
        ("Bell", 2020), ("Cray", 2022), ("Dell", None),
    }  # fmt: skip
    assert len(told.entities_created) == 3


def test_which_relations_have_one_value_is_the_spaces_own_setting(mem: Treering) -> None:
    assert "LIVES_IN" in mem.settings()["functional_relations"]
    changed = mem.settings({"functional_relations": ["prefers"]})
    assert changed["functional_relations"] == ["PREFERS"]
    mem.assert_fact("Ada", "PREFERS", "tea", valid_from=at(2020))
    mem.assert_fact("Ada", "PREFERS", "coffee", valid_from=at(2021), supersede=True)
    assert windows(mem) == [("tea", 2020, 2021), ("coffee", 2021, None)]
    assert "LIVES_IN" in mem.settings(space="other")["functional_relations"]
    with pytest.raises(InvalidRequest, match="there is no setting 'colour'"):
        mem.settings({"colour": "blue"})


def test_facts_are_found_by_subject_relation_object_and_moment(mem: Treering, clock: HandClock) -> None:
    memory = mem.add("Heard", event_time=at(2021)).id
    mem.assert_facts(
        [
            {"subject": "Ada", "relation": "KNOWS", "object": "Bo", "valid_from": at(2020), "confidence": 0.5},
            {"subject": "Bo", "relation": "KNOWS", "object": "Ada", "memory_id": memory},
            {"subject": "Ada", "relation": "LIKES", "object": "Bo", "valid_until": at(2030)},
            {"subject": "Ada", "relation": "MET", "object": "Cy", "valid_from": at(2018), "valid_until": at(2019)},
        ]
    )
    told = lambda **more: [(f.subject, f.relation, f.object) for f in mem.facts(**more)]  # noqa: E731
    assert len(told()) == 3
    assert told(subject="ada") == [("Ada", "KNOWS", "Bo"), ("Ada", "LIKES", "Bo")]
    assert told(object="Ada") == [("Bo", "KNOWS", "Ada")]
    assert told(relation="knows", subject="Ada") == [("Ada", "KNOWS", "Bo")]
    assert told(relation="met") == []
    assert told(relation="met", include_closed=True) == [("Ada", "MET", "Cy")]
    assert told(as_of=at(2018, 6)) == [("Ada", "MET", "Cy")]
    assert told(limit=1, include_closed=True) == [("Ada", "MET", "Cy")]
    assert told(known_at=clock.now - DAY) == []
    fact = mem.facts(subject="Bo")[0]
    assert (fact.valid_from, fact.memory_id) == (at(2021), memory)
    assert mem.facts(subject="Ada", relation="KNOWS")[0].confidence == 0.5
    assert told(subject="Ada", min_confidence=0.5) == told(subject="Ada")
    assert told(subject="Ada", min_confidence=0.51) == [("Ada", "LIKES", "Bo")]
    assert len(told(min_confidence=0.51, limit=2)) == 2, "the limit counts what is left"
    assert fact.subject_id == mem.entity_get("Bo").id
    with pytest.raises(NotFound, match="subject: there is no entity 'Zoe' in lab"):
        mem.facts(subject="Zoe")
    with pytest.raises(NotFound, match="memory_id"):
        mem.assert_fact("Ada", "KNOWS", "Bo", memory_id=fact.id)


def test_many_facts_are_stated_all_or_none(mem: Treering, store: Store) -> None:
    with pytest.raises(InvalidRequest):
        mem.assert_facts([["Ada", "KNOWS", "Bo"], ["Ada", "?", "Bo"]])
    with pytest.raises(NotFound):
        mem.assert_facts([["Ada", "KNOWS", "Bo"], {"subject": "A", "relation": "R", "object": "B", "memory_id": "x"}])
    assert store.head("lab").seq == 0


def test_registering_again_reuses_the_entity_and_adds_only_new_aliases(mem: Treering, store: Store) -> None:
    first = mem.entity_register("Ada Lovelace", aliases=["Ada"], kind="person")
    assert (first.created, first.kind, first.aliases, first.aliases_added) == (True, "person", ("Ada",), ("Ada",))
    again = mem.entity_register(" ADA  lovelace", aliases=["ada", "Countess", "Ada Lovelace"], kind="place")
    assert (again.entity_id, again.created, again.name, again.kind) == (
        first.entity_id,
        False,
        "Ada Lovelace",
        "person",
    )
    assert (again.aliases, again.aliases_added) == (("Ada", "Countess"), ("Countess",))
    head = store.head("lab")
    assert mem.entity_register("Ada Lovelace", aliases=["COUNTESS"]).aliases_added == ()
    assert store.head("lab") == head
    assert mem.entity_get("countess").aliases == ("Ada", "Countess")


def test_a_name_that_titles_a_memory_is_not_taken_for_an_entity(mem: Treering) -> None:
    mem.add("Something", title="Roadmap")
    with pytest.raises(Conflict, match=r"^name: a memory in this space is titled 'Roadmap'; register the entity under"):
        mem.entity_register("Roadmap")
    assert mem.status().entities == 0


@pytest.mark.parametrize("spelled", ["road map", "ROAD MAP", "Road  Map", "\uff32oad Map"])
def test_a_title_is_one_in_whatever_spelling_and_for_other_names_too(mem: Treering, spelled: str) -> None:
    titled = mem.add("Something", title="Road Map").id
    with pytest.raises(Conflict, match=r"^name: .*titled 'Road Map'; register the entity under another name"):
        mem.entity_register(spelled)
    with pytest.raises(Conflict, match=r"^aliases: .*titled 'Road Map'"):
        mem.entity_register("Plan", aliases=["Schedule", spelled])
    assert mem.status().entities == 0
    assert mem.entity_register("Roads", aliases=["Map"]).created
    mem.forget(titled)
    assert mem.entity_register(spelled).created


def test_a_title_that_only_others_may_see_stands_in_nobodys_way(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Something", title="Road Map", visibility="private")
    assert bob.entity_register("road map").created


def test_of_several_with_an_alias_the_newest_answers(mem: Treering, clock: HandClock) -> None:
    mem.entity_register("Robert", aliases=["Bob"])
    clock.advance(hours=1)
    newer = mem.entity_register("Bobby", aliases=["bob"]).entity_id
    assert mem.entity_get("BOB").id == newer
    assert mem.entity_get("Bob", known_at=clock.now - timedelta(minutes=1)).name == "Robert"
    with pytest.raises(NotFound, match="alias: there is no entity 'Zoe' in lab; check the id"):
        mem.entity_get("Zoe")


def test_an_entity_known_from_a_memory_becomes_the_spaces_own_when_registered(mem: Treering) -> None:
    memory = mem.add("Ada is here", entities=["Ada"]).id
    assert mem.entity_get("Ada").memory_id == memory
    told = mem.entity_register("Ada", aliases=["Countess"])
    assert told.created is False
    assert mem.entity_get("Ada").memory_id is None
    mem.purge(memory, "asked to")
    assert mem.entity_get("countess").name == "Ada"


def test_a_merge_is_made_once_and_a_split_undoes_it(mem: Treering, store: Store) -> None:
    bob, robert = mem.entity_register("Bob").entity_id, mem.entity_register("Robert").entity_id
    told = mem.entity_merge("Bob", "Robert", why="same")
    assert (told.entity_id, told.into_id, told.changed) == (bob, robert, True)
    assert mem.entity_merge(bob, robert).changed is False
    with pytest.raises(InvalidRequest, match="are the same entity already"):
        mem.entity_merge("Robert", "robert")
    assert mem.entity_split(bob).changed is True
    assert mem.entity_split(bob).changed is False
    with pytest.raises(NotFound, match="entity_id: there is no entity 'Zoe'"):
        mem.entity_split("Zoe")
    with pytest.raises(NotFound, match="into: there is no entity 'Zoe'"):
        mem.entity_merge("Bob", "Zoe")
    assert mem.entity_get("Bob").id == bob


def test_a_name_that_was_merged_away_leads_to_what_took_it_in(mem: Treering) -> None:
    mem.entity_register("Bob")
    robert = mem.entity_register("Robert").entity_id
    mem.entity_merge("Bob", "Robert")
    assert mem.add("Bob is here", entities=["Bob"]).entities[0].id == robert
    again = mem.entity_register("Bob", aliases=["Bobby"])
    assert (again.entity_id, again.created) == (robert, False)
    assert mem.entity_get("bobby").id == robert
    assert mem.verify().ok

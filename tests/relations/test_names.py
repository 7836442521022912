"""A relation may be given under several names. A fact keeps the one that it was given; asked for, walked over, ended or
closed, all names of a row are one relation."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import claim, current, known, objects, rules, tell

from treering.door import Treering
from treering.errors import InvalidRequest, LimitExceeded
from treering.relations import table
from treering.relations.own import NAMES, TABLE


def collects(mem: Treering, cardinality: str = "many") -> None:
    mem.relation_set("COLLECTS", gloss="what somebody collects", cardinality=cardinality, also=["collector of"])


def test_a_name_stands_for_its_row_and_any_other_for_itself() -> None:
    assert TABLE.one("EMPLOYED_BY") == TABLE.one("WORKS_FOR") == "WORKS_FOR"
    assert TABLE.one("CLIMBS_WITH") == "CLIMBS_WITH"
    assert TABLE.names("EMPLOYED_BY") == TABLE.names("WORKS_FOR")
    assert set(TABLE.names("WORKS_FOR")) == {"WORKS_FOR", *table()["WORKS_FOR"].also}
    assert TABLE.names("CLIMBS_WITH") == ("CLIMBS_WITH",)
    assert TABLE.names() == ()


def test_a_name_that_only_comes_close_is_a_relation_of_its_own() -> None:
    assert TABLE.names("CONTAINS") == ("CONTAINS",)
    assert TABLE.stated("Oslo", "CONTAINS", "Frogner") == "Oslo contains Frogner"
    assert TABLE.stated("Ada", "EMPLOYED_BY", "Acme") == "Ada works at Acme"
    assert TABLE.happens("PUBLISHED")
    assert not TABLE.happens("CONTAINS")


# asked for


@pytest.mark.parametrize(("given", "asked"), [("EMPLOYED_BY", "WORKS_FOR"), ("WORKS_FOR", "EMPLOYED_BY")])
def test_facts_are_found_by_any_name_and_keep_the_one_that_they_were_given(
    mem: Treering, given: str, asked: str
) -> None:
    mem.assert_fact("Ada", given, "Acme")
    assert [fact.relation for fact in mem.facts(relation=asked)] == [given]
    assert mem.facts(subject="Ada", relation=asked, object="Acme", include_closed=True)
    assert [fact.relation for fact in mem.entity("Ada").facts_now] == [given]


def test_a_walk_a_path_a_timeline_and_the_overview_take_them_as_one(mem: Treering) -> None:
    mem.assert_fact("Ada", "EMPLOYED_BY", "Acme")
    mem.assert_fact("Acme", "LIKES", "tea")
    assert [edge.relation for edge in mem.graph("Ada", relations=["WORKS_FOR"]).edges] == ["EMPLOYED_BY"]
    assert len(mem.paths("Ada", "Acme", relations=["works at"])) == 1
    told = [one.relation for one in mem.timeline("Ada", relations=["WORKS_FOR"])]
    assert told == ["EMPLOYED_BY"]
    assert [edge.relation for edge in mem.overview(relations=["WORKS_FOR"]).edges] == ["EMPLOYED_BY"]
    assert [one.what for one in mem.beliefs("Ada", "WORKS_FOR").beliefs] == ["Ada EMPLOYED_BY Acme"]


def test_a_question_asks_for_it_by_the_words_of_its_row(mem: Treering) -> None:
    told = "Twelve years and counting, said Cy over lunch at Ikea"
    tell(mem, told, claim("Cy", "EMPLOYED_BY", "Ikea"))
    mem.add("The bridge was closed for repairs")
    hits = mem.recall("Who employs Cy?")
    assert [hit.memory.content for hit in hits if "states what is asked for" in hit.why] == [told]


def test_a_question_asks_for_it_by_the_words_of_its_other_name_too(mem: Treering) -> None:
    collects(mem)
    told = "Old maps again, under every bed of Ada's house"
    tell(mem, told, claim("Ada", "COLLECTOR_OF", "old maps"))
    for question in ("What is Ada a collector of?", "What collects Ada?"):
        assert any("states what is asked for" in hit.why for hit in mem.recall(question)), question


# ended


@pytest.mark.parametrize(("first", "second"), [("EMPLOYED_BY", "WORKS_FOR"), ("WORKS_FOR", "EMPLOYED_BY")])
def test_a_newer_value_closes_the_older_one_under_another_name(
    mem: Treering, clock: HandClock, first: str, second: str
) -> None:
    mem.assert_fact("Ada", first, "Acme")
    clock.advance(days=1)
    mem.assert_fact("Ada", second, "Bell", supersede=True)
    assert known(mem, subject="Ada") == {("Ada", second, "Bell")}


def test_what_one_write_brings_under_two_names_is_of_one_relation(mem: Treering) -> None:
    facts = [["Ada", "WORKS_AT", "Acme", "2020-01-01"], ["Ada", "EMPLOYED_BY", "Bell", "2021-01-01"]]
    mem.assert_facts(
        [{"subject": who, "relation": how, "object": where, "valid_from": since} for who, how, where, since in facts],
        supersede=True,
    )
    assert objects(mem, "Ada", "WORKS_FOR") == {"Bell"}


def test_what_is_told_closes_what_was_given_under_another_name(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada works at Acme", claim("Ada", "EMPLOYED_BY", "Acme"))
    clock.advance(days=1)
    told = tell(mem, "Ada works at Bell", claim("Ada", "WORKS_FOR", "Bell"))
    assert rules(told) == {("Acme", "functional")}
    assert current(mem) == ["Ada works at Bell"]


def test_the_same_under_another_name_is_told_again_and_not_twice(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada works at Acme", claim("Ada", "EMPLOYED_BY", "Acme"))
    clock.advance(days=1)
    tell(mem, "Ada works at Acme", claim("Ada", "WORKS_FOR", "Acme"))
    assert known(mem, subject="Ada") == {("Ada", "EMPLOYED_BY", "Acme")}


def test_an_end_and_a_denial_reach_it_under_its_other_name(mem: Treering, clock: HandClock) -> None:
    collects(mem)
    for thing in ("maps", "stamps"):
        mem.assert_fact("Ada", "COLLECTOR_OF", thing)
    clock.advance(days=1)
    tell(mem, "Ada no longer collects maps", claim("Ada", "COLLECTS", "maps", stance="ends"))
    assert objects(mem, "Ada", "COLLECTS") == {"stamps"}
    tell(mem, "Ada has never collected stamps", claim("Ada", "COLLECTS", "stamps", stance="never"))
    assert objects(mem, "Ada", "COLLECTS") == set()


def test_tastes_and_families_are_of_all_names(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada loves squash", claim("Ada", "LOVES", "squash"))
    tell(mem, "Ada is dating Bo", claim("Ada", "DATING", "Bo"))
    clock.advance(days=1)
    tell(mem, "Ada hates squash", claim("Ada", "HATES", "squash"))
    tell(mem, "Ada and Bo have split up", claim("Ada", "MARRIED_TO", "Bo", stance="ends"))
    assert known(mem, subject="Ada") == {("Ada", "HATES", "squash")}


def test_a_window_is_moved_by_any_name(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "EMPLOYED_BY", "Acme")
    clock.advance(days=1)
    moved = mem.invalidate("Ada", "Acme", "WORKS_FOR")
    assert (moved.relation, moved.changed) == ("EMPLOYED_BY", True)
    assert objects(mem, "Ada", "WORKS_FOR") == set()
    assert mem.reopen("Ada", "Acme", "WORKS_AT").changed
    assert objects(mem, "Ada", "WORKS_FOR") == {"Acme"}


def test_what_stood_between_two_names_and_goes_lets_them_meet(mem: Treering, clock: HandClock) -> None:
    for name, where in (("WORKS_AT", "Acme"), ("WORKS_FOR", "Bell"), ("EMPLOYED_BY", "Cog")):
        tell(mem, f"Ada works at {where}", claim("Ada", name, where))
        clock.advance(days=1)
    [between] = [one for one in mem.list(view="all") if "Bell" in one.content]
    mem.forget(between.id)
    acme, cog = (mem.facts(object=one, include_closed=True)[0] for one in ("Acme", "Cog"))
    assert acme.valid_until == cog.valid_from


def test_a_diff_tells_what_took_its_place_under_another_name(mem: Treering, clock: HandClock) -> None:
    before = clock.now
    clock.advance(days=1)
    mem.assert_fact("Ada", "EMPLOYED_BY", "Acme")
    clock.advance(days=1)
    mem.assert_fact("Ada", "WORKS_FOR", "Bell", supersede=True)
    [replaced] = mem.diff(from_=before).superseded
    assert (replaced.fact.object, [one.object for one in replaced.by]) == ("Acme", ["Bell"])


def test_a_fact_goes_with_the_words_that_said_it_by_another_name(mem: Treering, clock: HandClock) -> None:
    told = mem.add("Ada lives in Oslo", triples=[["Ada", "RESIDES_IN", "Oslo"]])
    clock.advance(days=1)
    mem.revise(told.id, "Ada visited Oslo in June")
    assert objects(mem, "Ada", "LIVES_IN") == set()


def test_two_names_of_one_value_at_a_time_contradict(mem: Treering) -> None:
    mem.assert_fact("Ada", "SPOUSE", "Bo")
    mem.assert_fact("Ada", "MARRIED_TO", "Cy")
    mem.assert_fact("Ada", "BELONGS_TO", "the choir")
    [found] = mem.contradictions()
    assert {found.newer.content, found.older.content} == {"Ada MARRIED_TO Cy", "Ada SPOUSE Bo"}


def test_a_list_of_names_that_a_space_set_is_of_all_their_names(mem: Treering, clock: HandClock) -> None:
    mem.settings({"functional_relations": ["LEADS"]})
    mem.assert_fact("Ada", "MANAGES", "Bo")
    clock.advance(days=1)
    mem.assert_fact("Ada", "HEADS", "Cy", supersede=True)
    assert objects(mem, "Ada", "LEADS") == {"Cy"}
    assert {one.name for one in mem.relations() if one.one_at_a_time} == {"MANAGES"}


# a space's own names


def test_a_space_gives_a_relation_other_names(mem: Treering) -> None:
    mem.assert_fact("Ada", "COLLECTOR_OF", "old maps")
    assert mem.facts(relation="COLLECTS") == []
    collects(mem)
    [row] = mem.relations(own_only=True)
    assert row.also == ("COLLECTOR_OF",)
    assert [fact.relation for fact in mem.facts(relation="COLLECTS")] == ["COLLECTOR_OF"]
    mem.relation_set("COLLECTS", also=[])
    assert mem.facts(relation="COLLECTS") == []


def test_a_row_of_its_own_comes_before_the_name_that_it_was_of_another(mem: Treering) -> None:
    mem.assert_fact("Ada", "WORKS_AT", "the mill")
    mem.relation_set("WORKS_AT", gloss="the place where somebody works")
    assert mem.facts(relation="WORKS_FOR") == []
    mem.relation_remove("WORKS_AT")
    mem.relation_set("TOILS_AT", gloss="where somebody works hard", also=["WORKS_AT"])
    assert mem.facts(relation="WORKS_FOR") == []
    assert objects(mem, "Ada", "TOILS_AT") == {"the mill"}
    [works] = [one for one in mem.relations() if one.name == "WORKS_FOR"]
    assert "WORKS_AT" not in works.also


def test_a_row_with_other_names_closes_under_all_of_them(mem: Treering, clock: HandClock) -> None:
    collects(mem, "one")
    tell(mem, "Ada collects maps", claim("Ada", "COLLECTOR_OF", "maps"))
    clock.advance(days=1)
    told = tell(mem, "Ada collects stamps", claim("Ada", "COLLECTS", "stamps"))
    assert rules(told) == {("maps", "functional")}


@pytest.mark.parametrize(
    ("also", "told"),
    [
        (["WORKS_FOR"], "also: WORKS_FOR has a row of its own, so it is no other name of COLLECTS"),
        (["collects"], "also: COLLECTS is the relation itself"),
        (["ñ"], "cannot be a name of a relation; name it such as COACHED_BY"),
        (["HOARDS"], "also: HOARDS is given to COLLECTS and to KEEPS; leave it out of one of them"),
    ],
)
def test_a_name_that_cannot_be_another_is_refused(mem: Treering, also: list[str], told: str) -> None:
    mem.relation_set("KEEPS", gloss="what somebody keeps", also=["HOARDS"])
    with pytest.raises(InvalidRequest, match=told):
        mem.relation_set("COLLECTS", gloss="what somebody collects", also=also)


def test_there_is_a_bound_on_names(mem: Treering) -> None:
    with pytest.raises(LimitExceeded, match=f"at most {NAMES} beside its own"):
        mem.relation_set("COLLECTS", gloss="what somebody collects", also=[f"N{n}" for n in range(NAMES + 1)])

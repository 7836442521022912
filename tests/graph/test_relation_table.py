"""A space may have relations of its own, and other thoughts about those of the table: they are listed, told, asked for
and taken back like all that a space decides for itself."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Doors, HandClock
from tests.ingest.telling import claim, current, objects, tell

from treering.door import Treering
from treering.errors import InvalidRequest, LimitExceeded, NotFound
from treering.graph.relation_table import RelationRow
from treering.relations import Cardinality, table
from treering.relations.own import ROWS, WORDS


def row(mem: Treering, name: str, **at: Any) -> RelationRow | None:
    return next((one for one in mem.relations(**at) if one.name == name), None)


def mentors(mem: Treering, cardinality: str = "one") -> RelationRow:
    return mem.relation_set(
        "mentored by",
        gloss="who mentors somebody",
        cardinality=cardinality,
        sentence="{s} is mentored by {v}",
        asked=["mentor", "Mentors"],
    )


# what there is


def test_a_space_knows_the_whole_table_to_begin_with(mem: Treering) -> None:
    found = mem.relations()
    assert [one.name for one in found] == sorted(table())
    assert not any(one.own for one in found)
    assert mem.relations(own_only=True) == []
    works = row(mem, "WORKS_FOR")
    assert works is not None
    assert (works.gloss, works.cardinality, works.one_at_a_time) == ("who somebody works for", Cardinality.ONE, True)
    assert {one.name for one in found if one.one_at_a_time} == set(mem.settings()["functional_relations"])


def test_a_new_row_is_listed_in_its_space_and_in_no_other(mem: Treering) -> None:
    told = mentors(mem)
    assert told == row(mem, "MENTORED_BY")
    assert (told.name, told.own, told.one_at_a_time) == ("MENTORED_BY", True, True)
    assert (told.sentence, told.asked) == ("{s} is mentored by {v}", ("mentor", "mentors"))
    assert mem.relations(own_only=True) == [told]
    assert len(mem.relations()) == len(table()) + 1
    assert row(mem, "MENTORED_BY", space="other") is None


def test_a_new_row_needs_only_its_gloss_and_then_has_many_values(mem: Treering) -> None:
    told = mem.relation_set("COACHES", gloss="whom somebody coaches")
    assert (told.cardinality, told.one_at_a_time, told.sentence) == (Cardinality.MANY, False, "{s}: {v}")


def test_what_is_left_out_stays_as_it_was(mem: Treering) -> None:
    mentors(mem)
    changed = mem.relation_set("MENTORED_BY", family="school")
    assert (changed.family, changed.gloss, changed.cardinality) == ("school", "who mentors somebody", Cardinality.ONE)
    over = mem.relation_set("LIKES", gloss="what somebody is fond of")
    assert over.own
    assert set(over.asked) == table()["LIKES"].asked
    assert mem.relation_set("MENTORED_BY", family="").family is None


def test_setting_a_row_as_it_is_writes_nothing(mem: Treering) -> None:
    mentors(mem)
    seq = mem.status().seq
    mentors(mem)
    assert mem.status().seq == seq


# what it does


def test_a_row_with_one_value_makes_the_newer_close_the_older(mem: Treering, clock: HandClock) -> None:
    mentors(mem)
    tell(mem, "Ada is the mentor of User", claim("User", "MENTORED_BY", "Ada"))
    clock.advance(days=1)
    told = tell(mem, "Bo is the mentor of User", claim("User", "MENTORED_BY", "Bo"))
    assert [(one.target, one.rule) for one in told.closed] == [("Ada", "functional")]
    assert objects(mem, "User", "MENTORED_BY") == {"Bo"}
    assert current(mem) == ["Bo is the mentor of User"]


def test_without_the_row_both_stand(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada is the mentor of User", claim("User", "MENTORED_BY", "Ada"))
    clock.advance(days=1)
    tell(mem, "Bo is the mentor of User", claim("User", "MENTORED_BY", "Bo"))
    assert objects(mem, "User", "MENTORED_BY") == {"Ada", "Bo"}


def test_a_stated_fact_and_what_contradicts_follow_the_row_too(mem: Treering) -> None:
    for mentor in ("Ada", "Bo"):
        mem.assert_fact("User", "MENTORED_BY", mentor)
    assert mem.contradictions() == []
    mentors(mem)
    [found] = mem.contradictions()
    assert {found.newer.content, found.older.content} == {"User MENTORED_BY Ada", "User MENTORED_BY Bo"}
    mem.assert_fact("User", "MENTORED_BY", "Cy", supersede=True)
    assert objects(mem, "User", "MENTORED_BY") == {"Cy"}


@pytest.mark.parametrize("cardinality", ["many", "event"])
def test_a_row_may_let_values_stand_that_the_table_would_close(
    mem: Treering, clock: HandClock, cardinality: str
) -> None:
    assert not mem.relation_set("LIVES_IN", cardinality=cardinality).one_at_a_time
    tell(mem, "User lives in Oslo", claim("User", "LIVES_IN", "Oslo"))
    clock.advance(days=1)
    assert tell(mem, "User lives in Rome", claim("User", "LIVES_IN", "Rome")).closed == ()
    assert objects(mem, "User", "LIVES_IN") == {"Oslo", "Rome"}


def test_a_row_comes_before_the_list_of_names_and_one_that_says_nothing_of_it_does_not(mem: Treering) -> None:
    mem.settings({"functional_relations": ["KNOWS", "LIKES", "MET"]})
    mem.relation_set("KNOWS", cardinality="many")
    mem.relation_set("OWNS", cardinality="one")
    mem.relation_set("LIKES", gloss="what somebody is fond of")
    assert {one.name for one in mem.relations() if one.one_at_a_time} == {"OWNS", "LIKES", "MET"}


def test_numbers_stand_beside_one_another_where_the_space_says_so(mem: Treering, clock: HandClock) -> None:
    """A relation that nobody knows has one value where that is a number; a row of the space may say otherwise."""
    for name in ("LUCKY_NUMBER", "WINNING_NUMBER"):
        if name == "WINNING_NUMBER":
            mem.relation_set(name, gloss="a number that won", cardinality="many")
        for number in ("17", "42"):
            tell(mem, f"The {name.lower().replace('_', ' ')} of User was {number}", claim("User", name, number))
            clock.advance(days=1)
    assert objects(mem, "User", "LUCKY_NUMBER") == {"42"}
    assert objects(mem, "User", "WINNING_NUMBER") == {"17", "42"}


def test_relations_of_one_family_end_together(mem: Treering, clock: HandClock) -> None:
    mem.relation_set("LEASES", gloss="what somebody leases", family="having")
    tell(mem, "User leases a Golf", claim("User", "LEASES", "Golf"))
    tell(mem, "User climbs with Ada", claim("User", "CLIMBS_WITH", "Ada"))
    clock.advance(days=1)
    tell(mem, "User no longer has the Golf", claim("User", "OWNS", "Golf", stance="ends"))
    assert objects(mem, "User", "LEASES") == set()
    assert objects(mem, "User", "CLIMBS_WITH") == {"Ada"}


def test_a_question_asks_for_it_by_its_own_words(mem: Treering) -> None:
    told = "Every Tuesday at six there is somebody with patience: Ada"
    tell(mem, told, claim("User", "MENTORED_BY", "Ada"))
    mem.add("The bridge was closed for repairs")

    def found() -> bool:
        hits = mem.recall("Which sensei do I have?")
        return any(hit.memory.content == told and "states what is asked for" in hit.why for hit in hits)

    assert not found()
    mem.relation_set("MENTORED_BY", gloss="who mentors somebody", asked=["sensei"])
    assert found()


# in time, and back


def test_the_rows_are_known_in_their_time(mem: Treering, clock: HandClock) -> None:
    before = clock.now
    clock.advance(days=1)
    mentors(mem)
    then = clock.now
    clock.advance(days=1)
    mem.relation_set("MENTORED_BY", cardinality="many")
    clock.advance(days=1)
    mem.relation_remove("MENTORED_BY")
    assert row(mem, "MENTORED_BY") is None
    assert row(mem, "MENTORED_BY", known_at=before) is None
    shown = row(mem, "MENTORED_BY", known_at=then)
    assert shown is not None
    assert shown.cardinality is Cardinality.ONE


def test_a_removed_row_gives_the_table_back_and_leaves_the_facts(mem: Treering) -> None:
    mem.relation_set("WORKS_FOR", cardinality="many", gloss="whom somebody works with")
    mem.assert_facts([["Ada", "WORKS_FOR", "Acme"], ["Ada", "WORKS_FOR", "Bell"]], supersede=True)
    gone = mem.relation_remove("works for")
    assert (gone.gloss, gone.own) == ("whom somebody works with", True)
    again = row(mem, "WORKS_FOR")
    assert again is not None
    assert (again.gloss, again.own, again.one_at_a_time) == ("who somebody works for", False, True)
    assert objects(mem, "Ada", "WORKS_FOR") == {"Acme", "Bell"}


def test_a_row_is_undone_and_only_that_row(mem: Treering) -> None:
    mentors(mem)
    made = mem.status().seq
    mem.relation_set("COACHES", gloss="whom somebody coaches")
    tried = mem.undo(str(made), dry_run=True)
    assert tried.relations == ("MENTORED_BY",)
    assert row(mem, "MENTORED_BY") is not None
    undone = mem.undo(str(made))
    assert (undone.relations, undone.changed) == (("MENTORED_BY",), True)
    assert [one.name for one in mem.relations(own_only=True)] == ["COACHES"]
    assert not mem.undo(str(made)).changed


def test_a_change_and_a_removal_are_undone_to_what_was_there_before(mem: Treering) -> None:
    first = mentors(mem)
    mem.relation_set("MENTORED_BY", cardinality="many")
    changed = mem.status().seq
    mem.relation_remove("MENTORED_BY")
    removed = mem.status().seq
    assert not mem.undo(str(changed)).changed, "it has been changed since"
    assert mem.undo(str(removed)).relations == ("MENTORED_BY",)
    assert mem.undo(str(changed)).relations == ("MENTORED_BY",)
    assert mem.relations(own_only=True) == [first]
    assert mem.undo(f"{changed} {removed}").changed is False
    assert mem.verify().ok


def test_several_writes_are_undone_at_once_the_last_first(mem: Treering) -> None:
    mentors(mem)
    mem.relation_set("MENTORED_BY", cardinality="many")
    last = mem.status().seq
    undone = mem.undo(f"{last - 1} {last}")
    assert undone.relations == ("MENTORED_BY",)
    assert mem.relations(own_only=True) == []


def test_whoever_opens_the_space_has_its_rows(mem: Treering, doors: Doors) -> None:
    mentors(mem)
    assert [one.name for one in doors("bob").relations(own_only=True)] == ["MENTORED_BY"]
    assert mem.verify().ok


# what is refused


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"cardinality": "one"}, "gloss: NEW_ONE is a new relation; say what it means"),
        ({}, "nothing is said of 'NEW_ONE'; give at least one of gloss, cardinality"),
        ({"gloss": " "}, "gloss"),
        ({"gloss": "x" * 201}, "is not a text of 1 to 200 characters"),
        ({"gloss": "x", "cardinality": "two"}, "cardinality: .*not 'two'"),
        ({"gloss": "x", "sentence": "{s} does it"}, r"with \{s\} for the subject and \{v\} for the value, once each"),
        ({"gloss": "x", "sentence": "{s} {v} {v}"}, "once each"),
        ({"gloss": "x", "sentence": "{s} {v} {0}"}, "once each"),
        ({"gloss": "x", "sentence": "{s!r} {v}"}, "once each"),
        ({"gloss": "x", "sentence": "{s} {v"}, "once each"),
        ({"gloss": "x", "family": "Two words"}, "family: 'Two words' is not a word in lower case"),
        ({"gloss": "x", "asked": ["two words"]}, "asked: .* is not a list of single words"),
        ({"gloss": "x", "asked": ["x" * 41]}, "asked: .* is not a list of single words"),
    ],
)
def test_a_row_that_says_too_little_or_something_else_is_refused(
    mem: Treering, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidRequest, match=told):
        mem.relation_set("NEW_ONE", **given)
    assert mem.relations(own_only=True) == []


def test_bounds_are_told(mem: Treering) -> None:
    with pytest.raises(LimitExceeded, match=f"a relation has at most {WORDS}"):
        mem.relation_set("NEW_ONE", gloss="x", asked=[f"w{n}" for n in range(WORDS + 1)])
    full = {f"R{n}": {"gloss": "x"} for n in range(ROWS)}
    mem.settings({"relations": full})
    assert len(mem.relations(own_only=True)) == ROWS
    with pytest.raises(LimitExceeded, match=f"a space has at most {ROWS} rows of its own"):
        mem.relation_set("ONE_MORE", gloss="x")


def test_only_a_row_that_is_there_is_removed(mem: Treering) -> None:
    with pytest.raises(NotFound, match="no row of its own for WORKS_FOR; it is as in the table"):
        mem.relation_remove("WORKS_FOR")
    with pytest.raises(NotFound, match="for NO_SUCH; nor is it in the table"):
        mem.relation_remove("no such")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["WORKS_FOR"], "is not an object with a row for each relation"),
        ({"WORKS_FOR": "one"}, "WORKS_FOR is 'one', not an object"),
        ({"WORKS_FOR": {}}, "the row of WORKS_FOR is empty"),
        ({"WORKS_FOR": {"colour": "red"}}, "WORKS_FOR has colour; a row has gloss, cardinality"),
        ({"ñ": {"gloss": "x"}}, "cannot be written as UPPER_SNAKE"),
    ],
)
def test_the_setting_is_held_to_the_same(mem: Treering, value: Any, told: str) -> None:
    with pytest.raises(InvalidRequest, match=told):
        mem.settings({"relations": value})

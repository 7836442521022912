"""Who or what is meant by a name? Which spellings are one thing, and who must never be taken for somebody else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import claim, known, lives, objects, tell, works

from treering.door import Treering
from treering.ingest.extract.contract import Mentioned
from treering.ingest.resolve import Resolving
from treering.model.changes import Changes
from treering.store.contract import Act
from treering.store.naming import NameRegister


def person(name: str) -> dict[str, str]:
    return {"name": name, "kind": "person"}


def company(name: str) -> dict[str, str]:
    return {"name": name, "kind": "organization"}


def meet(mem: Treering, name: str, kind: str = "person", **call: Any) -> str:
    """Something is said of it; the id of the entity that was meant."""
    return tell(mem, f"{name} was spoken of", entities=[{"name": name, "kind": kind}], call=call).entities[0].id


def resolve(mem: Treering, *mentioned: Mentioned, **more: Any) -> list[Any]:
    """Names as an extractor gives them, resolved in one write; the entities, and the doubts about them."""

    def planned(act: Act) -> tuple[Changes, Any]:
        resolving = Resolving(act, NameRegister(act), **more)
        found = [resolving.entity(one) for one in mentioned]
        return Changes("name", tuple(resolving.naming.added)), [*found, resolving.doubts]

    return mem._write(None, planned)  # type: ignore[no-any-return]


@pytest.mark.parametrize("spelling", ["anthropic", "ANTHROPIC", " Anthropic ", "Ａｎｔｈｒｏｐｉｃ"])  # noqa: RUF001
def test_case_width_and_blanks_make_no_other_name(mem: Treering, spelling: str) -> None:
    assert meet(mem, "Anthropic", "organization") == meet(mem, spelling, "organization")


def test_a_spelling_that_is_nearly_the_same_is_the_same_organization(mem: Treering) -> None:
    first = meet(mem, "Goldman Sachs", "organization")
    assert meet(mem, "Goldmann Sachs", "organization") == first
    assert mem.entity_get("Goldmann Sachs").name == "Goldman Sachs"


@pytest.mark.parametrize(
    ("one", "other"), [("Pixel 6", "Pixel 7"), ("Python 3.11", "Python 3.12"), ("Studio 54", "Studio 45")]
)
def test_names_with_other_numbers_are_other_things(mem: Treering, one: str, other: str) -> None:
    assert meet(mem, one, "technology") != meet(mem, other, "technology")


def test_things_of_another_kind_are_not_merged_however_alike_their_names(mem: Treering) -> None:
    assert meet(mem, "Goldman Sachs", "organization") != meet(mem, "Goldmann Sachs", "project")


def test_people_are_never_merged_on_a_likeness_and_it_is_said_that_they_may_be_the_same(mem: Treering) -> None:
    first = meet(mem, "Katherine Johnson")
    receipt = tell(mem, "Katharine Johnson called", entities=[person("Katharine Johnson")])
    other = receipt.entities[0].id
    assert other != first
    assert [(one.entity_id, one.other_id) for one in receipt.possible_same] == [(other, first)]
    assert receipt.possible_same[0].score >= 0.9
    assert mem.entity_get("Katherine Johnson").id == first


def test_a_first_name_is_the_one_person_who_has_it(mem: Treering) -> None:
    first = meet(mem, "Alex Rivera")
    assert meet(mem, "Alex") == first


def test_a_first_name_of_two_is_neither_of_them_but_for_the_one_in_the_same_session(mem: Treering) -> None:
    rivera = meet(mem, "Alex Rivera", session="monday")
    chen = meet(mem, "Alex Chen", session="friday")
    assert rivera != chen
    assert meet(mem, "Alex", session="monday") == rivera
    assert meet(mem, "Alex", session="friday") == chen
    receipt = tell(mem, "Alex called", entities=[person("Alex")])
    assert receipt.entities[0].id not in (rivera, chen)
    assert {one.other_id for one in receipt.possible_same} == {rivera, chen}


def test_a_first_name_of_two_in_the_same_session_is_neither_of_them(mem: Treering) -> None:
    both = {meet(mem, "Sarah Jones", session="one"), meet(mem, "Sarah Miller", session="one")}
    for city in ("Utah", "Ohio"):
        said = lives("Sarah", city)
        receipt = tell(mem, f"Sarah lives in {city}", said, entities=[person("Sarah")], call={"session": "one"})
        assert receipt.entities[0].id not in both
        assert receipt.closed == ()
        assert {one.other_id for one in receipt.possible_same} == both


def test_a_full_name_after_a_first_name_is_kept_apart_and_said_to_be_possibly_the_same(mem: Treering) -> None:
    first = meet(mem, "Alex")
    receipt = tell(mem, "Alex Rivera called", entities=[person("Alex Rivera")])
    assert receipt.entities[0].id != first
    assert [one.other_id for one in receipt.possible_same] == [first]


def test_two_people_of_one_name_in_two_roles_stay_two(mem: Treering) -> None:
    (choir, _) = resolve(mem, Mentioned("Anna", "person", "choir"))
    dentist, doubts = resolve(mem, Mentioned("Anna", "person", "dentist"))
    assert choir.id != dentist.id
    assert [(one.entity_id, one.other_id) for one in doubts] == [(dentist.id, choir.id)]
    again, _ = resolve(mem, Mentioned("Anna", "person", "choir"))
    assert again.id == choir.id


@pytest.mark.parametrize(
    "said",
    [
        "Thanks for the tip, Anna.",
        "Great news Anna!",
        "Sorry to hear about your job, Anna.",
        "I've had some tough times with my business, Anna.",
        "How is your sister, Anna?",
        "I met your sister Anna yesterday.",
        "I met a girl called Anna.",
        "I saw the Anna Karenina film.",
    ],
)
def test_what_is_said_to_somebody_does_not_tell_her_from_another_of_her_name(mem: Treering, said: str) -> None:
    for text in ("My dentist Anna called.", said, "Anna sings."):
        mem.remember(text, speaker="Ben", session="one")
    assert [one.name for one in mem.entities() if one.name.startswith("Anna (")] == []


@pytest.mark.parametrize("role", ["sister", "client", "yoga teacher"])
def test_what_somebody_is_to_the_speaker_does(mem: Treering, role: str) -> None:
    for text in ("My dentist Anna called.", f"I met my {role} Anna."):
        mem.remember(text, speaker="Ben", session="one")
    assert f"Anna ({role})" in [one.name for one in mem.entities()]


def test_somebodys_sister_is_not_the_sister_of_somebody_else(mem: Treering) -> None:
    mine, _ = resolve(mem, Mentioned("sister", "person"))
    hers, _ = resolve(mem, Mentioned("sister", "person"), first_person="Ada")
    assert (mine.name, hers.name) == ("User's sister", "Ada's sister")
    assert mine.id != hers.id


@pytest.mark.parametrize(
    ("said", "homes"),
    [
        (
            ("My older sister lives in Rome.", "My younger sister lives in Milan.", "My older sister moved to Bari."),
            {("User's older sister", "Bari"), ("User's younger sister", "Milan")},
        ),
        (
            ("My brother lives in Rome.", "My other brother lives in Bonn.", "My brother moved to Turin."),
            {("User's brother", "Turin"), ("User's other brother", "Bonn")},
        ),
        (
            ("My big brother lives in Oslo.", "My elder brother moved to Bergen."),
            {("User's older brother", "Bergen")},
        ),
        (
            ("My roommate lives in Rome.", "My former roommate lives in Bonn."),
            {("User's roommate", "Rome"), ("User's former roommate", "Bonn")},
        ),
        (
            ("My client lives in Rome.", "My client lives in Bonn."),
            {("User's client", "Rome"), ("User's client", "Bonn")},
        ),
    ],
)
def test_who_has_a_role_that_several_have_is_told_apart(
    mem: Treering, clock: HandClock, said: tuple[str, ...], homes: set[tuple[str, str]]
) -> None:
    for text in said:
        mem.remember(text, session="one", extractor="reader")
        clock.advance(days=1)
    assert {(one.subject, one.object) for one in mem.facts(relation="LIVES_IN")} == homes


def test_a_possible_same_is_an_edge_that_waits_for_somebody_to_decide(mem: Treering) -> None:
    meet(mem, "Katherine Johnson")
    meet(mem, "Katharine Johnson")
    ((subject, _, object_),) = known(mem, relation="POSSIBLE_SAME")
    assert {subject, object_} == {"Katherine Johnson", "Katharine Johnson"}


# the owner


def test_the_owner_takes_its_name_and_its_facts_come_along(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    tell(mem, "User is called Teun", claim("User", "NAMED", "Teun"))
    assert objects(mem, "Teun", "LIVES_IN") == {"Oslo"}
    assert objects(mem, "User", "LIVES_IN") == {"Oslo"}
    assert mem.entity_get("User").name == "Teun"
    clock.advance(days=1)
    tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change")
    assert objects(mem, "Teun", "LIVES_IN") == {"Rome"}
    clock.advance(days=1)
    tell(mem, "Teun lives in Nice", lives("Teun", "Nice"), cue="change")
    assert objects(mem, "User", "LIVES_IN") == {"Nice"}


def test_the_owner_takes_another_name_when_it_says_so_and_the_older_one_stays_another_name(
    mem: Treering, clock: HandClock
) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    tell(mem, "My name is Teun", claim("User", "NAMED", "Teun"))
    clock.advance(days=1)
    renamed = tell(mem, "My name is Piet", claim("Teun", "NAMED", "Piet"))
    assert mem.entity_get("User").name == mem.entity_get("Teun").name == "Piet"
    assert objects(mem, "Piet", "LIVES_IN") == {"Oslo"}
    assert [mem.get(one).content for one in renamed.superseded] == ["My name is Teun"]
    assert mem.verify().ok
    mem.undo(str(renamed.entries[0]))
    assert mem.entity_get("User").name == "Teun"


def test_what_may_be_no_name_does_not_take_the_place_of_the_owners(mem: Treering, clock: HandClock) -> None:
    """ "I'm Piet tonight", "call me Piet"."""
    tell(mem, "User is called Teun", claim("User", "NAMED", "Teun"))
    clock.advance(days=1)
    tell(mem, "User is called Piet", claim("User", "NAMED", "Piet"))
    assert mem.entity_get("User").name == "Teun"


def test_who_has_the_owners_name_and_a_role_is_somebody_else(mem: Treering, clock: HandClock) -> None:
    for text in ("My name is Robin.", "My friend Robin lives in Turku.", "I live in Oslo.", "My friend Robin sings."):
        mem.remember(text, session="one", extractor="reader")
        clock.advance(days=1)
    assert objects(mem, "Robin (friend)", "LIVES_IN") == {"Turku"}
    assert objects(mem, "User", "LIVES_IN") == {"Oslo"}


def test_the_owner_does_not_become_a_friend_of_the_same_name(mem: Treering, clock: HandClock) -> None:
    for text in ("My friend Robin lives in Turku.", "My name is Robin.", "I live in Oslo."):
        mem.remember(text, session="one", extractor="reader")
        clock.advance(days=1)
    assert objects(mem, "Robin", "LIVES_IN") == {"Turku"}
    assert objects(mem, "User", "LIVES_IN") == {"Oslo"}


def test_two_names_for_the_owner_in_one_breath_give_it_the_first(mem: Treering) -> None:
    tell(mem, "User is Teun, or Piet", claim("User", "NAMED", "Teun"), claim("User", "NAMED", "Piet"))
    assert mem.entity_get("User").name == "Teun"
    assert mem.verify().ok


def test_a_name_that_is_already_another_name_of_the_owner_changes_nothing(mem: Treering) -> None:
    tell(mem, "User met Teun", entities=["User", "Teun"])
    mem.entity_merge("Teun", "User")
    tell(mem, "User is called Teun", claim("User", "NAMED", "Teun"))
    assert mem.entity_get("Teun").name == "User"
    assert mem.verify().ok


def test_the_name_of_somebody_else_is_not_the_owners(mem: Treering) -> None:
    tell(mem, "User met Acme", entities=["User", "Acme"])
    tell(mem, "Acme is called Apex now", claim("Acme", "NAMED", "Apex"), cue="change")
    assert mem.entity_get("User").name == "User"


def test_before_the_owner_was_named_it_is_user_to_whoever_asks_what_was_known_then(
    mem: Treering, clock: HandClock
) -> None:
    before = tell(mem, "User works at Stripe", works("User", "Stripe")).at
    clock.advance(days=1)
    tell(mem, "User is called Teun", claim("User", "NAMED", "Teun"))
    assert known(mem, known_at=before, as_of=clock.now) == {("User", "WORKS_FOR", "Stripe")}
    assert known(mem) == {("Teun", "WORKS_FOR", "Stripe")}

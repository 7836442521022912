"""What does a new statement do to what is known? Every rule by which a fact ends, and all that must leave facts alone.

The statements come as drafts with their facts, so that nothing here hangs on how a sentence is read.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import claim, current, day, known, lives, objects, rules, tell, windows, works

from treering.door import Treering
from treering.model.memory import State

# one value at a time


def test_a_newer_value_ends_the_older_one_where_it_begins(mem: Treering, clock: HandClock) -> None:
    old = tell(mem, "User works at Google", works("User", "Google", "2020-03-01"))
    clock.advance(days=1)
    new = tell(mem, "User works at Anthropic", works("User", "Anthropic", "2025-05-01"))
    assert windows(mem, "User", "WORKS_FOR") == [
        ("Google", "2020-03-01", "2025-05-01"),
        ("Anthropic", "2025-05-01", None),
    ]
    (closed,) = new.closed
    assert (closed.source, closed.target, closed.rule, closed.evidence) == ("User", "Google", "functional", new.id)
    assert closed.valid_until == day("2025-05-01")
    assert new.superseded == (old.id,)
    assert current(mem) == ["User works at Anthropic"]


def test_what_was_replaced_is_reachable_by_as_of_by_history_and_by_what_was_known_then(
    mem: Treering, clock: HandClock
) -> None:
    before = tell(mem, "User works at Google", works("User", "Google", "2020-03-01")).at
    clock.advance(days=1)
    tell(mem, "User works at Anthropic", works("User", "Anthropic", "2025-05-01"))
    assert objects(mem, "User", "WORKS_FOR", as_of=day("2024")) == {"Google"}
    assert objects(mem, "User", "WORKS_FOR", as_of=day("2019")) == set()
    assert objects(mem, "User", "WORKS_FOR", known_at=before, as_of=clock.now) == {"Google"}
    assert windows(mem, "User", "WORKS_FOR", known_at=before) == [("Google", "2020-03-01", None)]
    assert current(mem, known_at=before) == ["User works at Google"]
    assert set(current(mem, view="history")) == {"User works at Google", "User works at Anthropic"}


def test_a_relation_that_can_have_several_values_keeps_them_all(mem: Treering) -> None:
    tell(mem, "User knows Ada", claim("User", "KNOWS", "Ada"))
    receipt = tell(mem, "User knows Bo", claim("User", "KNOWS", "Bo"))
    assert receipt.closed == ()
    assert objects(mem, "User", "KNOWS") == {"Ada", "Bo"}


def test_which_relations_have_one_value_is_the_spaces_own_choice(mem: Treering, clock: HandClock) -> None:
    mem.settings({"functional_relations": ["KNOWS"]})
    for person in ("Ada", "Bo"):
        tell(mem, f"User knows {person}", claim("User", "KNOWS", person))
        tell(mem, f"User works at {person}'s", works("User", f"{person}'s"))
        clock.advance(days=1)
    assert objects(mem, "User", "KNOWS") == {"Bo"}
    assert objects(mem, "User", "WORKS_FOR") == {"Ada's", "Bo's"}


def test_the_values_of_another_subject_are_left_alone(mem: Treering, clock: HandClock) -> None:
    """ "My sister moved to Berlin" closes nothing of mine."""
    tell(mem, "User lives in Chicago", lives("User", "Chicago"))
    clock.advance(days=1)
    receipt = tell(mem, "User's sister lives in Berlin", lives("User's sister", "Berlin"), cue="change")
    assert receipt.closed == ()
    assert known(mem) == {("User", "LIVES_IN", "Chicago"), ("User's sister", "LIVES_IN", "Berlin")}
    assert len(current(mem)) == 2


def test_a_fact_learned_late_goes_into_the_past_and_never_closes_the_present(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User works at Anthropic", works("User", "Anthropic", "2025-05-01"))
    clock.advance(days=1)
    late = tell(mem, "User joined Google in 2020", works("User", "Google", "2020-03-01"))
    assert late.closed == ()
    assert late.superseded == ()
    assert windows(mem, "User", "WORKS_FOR") == [
        ("Google", "2020-03-01", "2025-05-01"),
        ("Anthropic", "2025-05-01", None),
    ]
    assert late.memories[0].triples[0].valid_until == day("2025-05-01")


def test_a_value_learned_late_between_two_others_splits_the_first(mem: Treering, clock: HandClock) -> None:
    for where, since in (("Oslo", "2010"), ("Austin", "2024"), ("Chicago", "2018")):
        tell(mem, f"User moved to {where}", lives("User", where, since))
        clock.advance(days=1)
    assert windows(mem, "User", "LIVES_IN") == [
        ("Oslo", "2010-01-01", "2018-01-01"),
        ("Chicago", "2018-01-01", "2024-01-01"),
        ("Austin", "2024-01-01", None),
    ]


def test_what_is_said_to_be_over_closes_nothing_that_holds(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User works at Anthropic", works("User", "Anthropic", "2025-05-01"))
    clock.advance(days=1)
    past = works("User", "Google", "2020-03-01", valid_until=day("2024-02-01"))
    receipt = tell(mem, "User worked at Google from 2020 to 2024", past)
    assert (receipt.closed, receipt.conflicts) == ((), ())
    assert objects(mem, "User", "WORKS_FOR") == {"Anthropic"}
    assert objects(mem, "User", "WORKS_FOR", as_of=day("2022")) == {"Google"}


def test_a_past_that_overlaps_what_still_holds_contradicts_it_and_both_stay(mem: Treering, clock: HandClock) -> None:
    first = tell(mem, "User works at Anthropic", works("User", "Anthropic", "2020-01-01"))
    clock.advance(days=1)
    past = works("User", "Google", "2021-01-01", valid_until=day("2022-01-01"))
    receipt = tell(mem, "User worked at Google in 2021", past)
    assert receipt.closed == ()
    ((memory, other),) = [(one.memory_id, one.other_id) for one in receipt.conflicts]
    assert (memory, other) == (receipt.id, first.id)
    assert objects(mem, "User", "WORKS_FOR") == {"Anthropic"}
    assert len(current(mem)) == 2
    hit = next(hit for hit in mem.recall("Where does User work? Anthropic") if hit.memory.id == first.id)
    assert [one.memory_id for one in hit.conflicts] == [receipt.id]


def test_a_claim_that_is_not_certain_closes_nothing_and_is_shown_as_a_conflict(mem: Treering, clock: HandClock) -> None:
    first = tell(mem, "Bo lives in Oslo", lives("Bo", "Oslo"))
    clock.advance(days=1)
    receipt = tell(mem, "Bo may have moved to Rome", lives("Bo", "Rome"), confidence=0.4)
    assert receipt.closed == ()
    assert [(one.other_id, one.why) for one in receipt.conflicts] == [(first.id, "not certain")]
    assert "Bo lives in Oslo" in current(mem)
    assert "Oslo" in objects(mem, "Bo", "LIVES_IN")


def test_the_same_value_again_adds_no_edge_and_goes_on_from_where_it_began(mem: Treering, clock: HandClock) -> None:
    first = tell(mem, "User lives in Chicago", lives("User", "Chicago", "2018-01-01"))
    clock.advance(days=1)
    again = tell(mem, "Chicago is where User lives, near the lake", lives("User", "Chicago"))
    assert [one.relation for one in again.edges if one.relation.isupper()] == []
    assert again.memories[0].triples[0].valid_from == day("2018-01-01")
    assert windows(mem, "User", "LIVES_IN") == [("Chicago", "2018-01-01", None)]
    assert again.superseded == ()
    assert mem.get(first.id).state is State.ACTIVE


def test_a_return_to_an_old_value_opens_another_window(mem: Treering, clock: HandClock) -> None:
    for where, since in (("Chicago", "2018"), ("Austin", "2021"), ("Chicago", "2024")):
        tell(mem, f"User moved to {where} in {since}", lives("User", where, since))
        clock.advance(days=1)
    assert windows(mem, "User", "LIVES_IN") == [
        ("Chicago", "2018-01-01", "2021-01-01"),
        ("Austin", "2021-01-01", "2024-01-01"),
        ("Chicago", "2024-01-01", None),
    ]
    assert current(mem) == ["User moved to Chicago in 2024"]


def test_an_attribute_with_a_value_has_one_at_a_time(mem: Treering, clock: HandClock) -> None:
    tell(mem, "The sprint is 3 weeks", claim("Sprint", "LENGTH", "3 weeks"))
    clock.advance(days=1)
    receipt = tell(mem, "The sprint is 2 weeks", claim("Sprint", "LENGTH", "2 weeks"))
    assert rules(receipt) == {("3 weeks", "functional")}
    assert objects(mem, "Sprint", "LENGTH") == {"2 weeks"}


# what goes with it


def test_a_plan_that_has_come_about_is_planned_no_more(mem: Treering, clock: HandClock) -> None:
    plan = tell(mem, "User plans to visit Kyoto", claim("User", "PLANNED", "Kyoto"), kind="episode")
    clock.advance(days=30)
    receipt = tell(mem, "User visited Kyoto", claim("User", "VISITED", "Kyoto"), kind="episode")
    assert rules(receipt) == {("Kyoto", "done")}
    assert objects(mem, "User", "PLANNED") == set()
    assert receipt.superseded == (plan.id,)


def test_a_plan_of_somebody_else_stays_planned(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada plans to visit Kyoto", claim("Ada", "PLANNED", "Kyoto"))
    clock.advance(days=30)
    assert tell(mem, "User visited Kyoto", claim("User", "VISITED", "Kyoto")).closed == ()
    assert objects(mem, "Ada", "PLANNED") == {"Kyoto"}


def test_a_role_ends_with_the_job_it_was_said_of(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Alex works at Stripe as a PM", works("Alex", "Stripe"), claim("Alex", "HAS_ROLE", "PM"))
    clock.advance(days=1)
    receipt = tell(mem, "Alex works at Adyen", works("Alex", "Adyen"), cue="change")
    assert rules(receipt) == {("Stripe", "functional"), ("PM", "ended with it")}
    assert known(mem, subject="Alex") == {("Alex", "WORKS_FOR", "Adyen")}
    assert current(mem) == ["Alex works at Adyen"]


def test_a_memory_stays_while_one_of_its_facts_holds(mem: Treering, clock: HandClock) -> None:
    both = tell(mem, "User works at Stripe and lives in Oslo", works("User", "Stripe"), lives("User", "Oslo"))
    clock.advance(days=1)
    receipt = tell(mem, "User works at Adyen", works("User", "Adyen"), cue="change")
    assert receipt.superseded == ()
    assert mem.get(both.id).state is State.ACTIVE
    clock.advance(days=1)
    assert tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change").superseded == (both.id,)


def test_two_changes_in_one_call_end_what_the_first_of_them_began(mem: Treering) -> None:
    mem.remember(
        drafts=[
            {"content": "User lives in Oslo", "triples": [lives("User", "Oslo", "2020")]},
            {"content": "User moved to Rome", "triples": [lives("User", "Rome", "2022")]},
            {"content": "User moved to Nice", "triples": [lives("User", "Nice", "2024")]},
        ]
    )
    assert windows(mem, "User", "LIVES_IN") == [
        ("Oslo", "2020-01-01", "2022-01-01"),
        ("Rome", "2022-01-01", "2024-01-01"),
        ("Nice", "2024-01-01", None),
    ]
    assert current(mem) == ["User moved to Nice"]


@pytest.mark.parametrize("stance", ["holds", "ends", "never"])
def test_every_closing_and_edge_names_its_rule_and_the_memory_that_did_it(
    mem: Treering, clock: HandClock, stance: str
) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    receipt = tell(mem, "User and Oslo, or Rome", lives("User", "Rome" if stance == "holds" else "Oslo", stance=stance))
    assert receipt.closed
    for one in (*receipt.closed, *receipt.edges):
        assert one.rule
        assert one.evidence == receipt.id
    for edge in receipt.closed:
        assert mem.history(edge.id).events[-1].rule == edge.rule


def test_what_holds_until_something_known_to_come_makes_way_for_it_then(mem: Treering, clock: HandClock) -> None:
    mem.remember(drafts=[{"content": "Zoe works at Ikea from March", "triples": [job("Zoe", "Ikea", "2026-03-01")]}])
    clock.advance(hours=1)
    now = mem.remember(drafts=[{"content": "Zoe works at Lidl till then", "triples": [job("Zoe", "Lidl", None)]}])
    assert mem.get(now.id).state is State.ACTIVE
    clock.now = datetime(2026, 4, 1, tzinfo=UTC)
    assert mem.get(now.id).state is State.SUPERSEDED
    assert [one.object for one in mem.facts(subject="Zoe", relation="WORKS_FOR")] == ["Ikea"]


def job(who: str, where: str, since: str | None) -> dict[str, Any]:
    return {"subject": who, "relation": "WORKS_FOR", "object": where, **({"valid_from": since} if since else {})}


def test_what_lasted_until_some_year_is_past_and_closes_nothing(mem: Treering) -> None:
    mem.remember(drafts=[{"content": "Zoe works at Ikea", "triples": [job("Zoe", "Ikea", None)]}])
    until = {**job("Zoe", "Nokia", None), "valid_until": "2019-01-01T00:00:00Z"}
    mem.remember(drafts=[{"content": "Zoe worked at Nokia until 2019", "triples": [until]}])
    assert [one.object for one in mem.facts(subject="Zoe", relation="WORKS_FOR")] == ["Ikea"]
    (nokia,) = mem.facts(subject="Zoe", object="Nokia", include_closed=True)
    assert nokia.valid_until == datetime(2019, 1, 1, tzinfo=UTC)


def test_a_long_statement_stands_when_the_one_fact_it_states_ends(mem: Treering, clock: HandClock) -> None:
    much = " and told me at length what the work was like, who sat next to whom, and what they had for lunch" * 2
    tell(mem, "User works at Google" + much, works("User", "Google", "2020-03-01"))
    clock.advance(days=1)
    receipt = tell(mem, "User works at Anthropic", works("User", "Anthropic", "2025-05-01"))
    assert objects(mem, "User", "WORKS_FOR") == {"Anthropic"}
    assert receipt.superseded == ()
    assert current(mem) == ["User works at Google" + much, "User works at Anthropic"]


def test_a_memory_that_says_more_things_than_facts_stays_when_they_end(mem: Treering, clock: HandClock) -> None:
    both = tell(mem, "User works at Stripe, sits by the window", works("User", "Stripe"))
    one = tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    assert tell(mem, "User works at Adyen", works("User", "Adyen"), cue="change").superseded == ()
    assert mem.get(both.id).state is State.ACTIVE
    assert tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change").superseded == (one.id,)


def test_what_led_to_a_state_makes_way_with_it_and_what_led_elsewhere_stands(mem: Treering, clock: HandClock) -> None:
    mem.remember(
        "Ada moved to Oslo. She met Bo.",
        drafts=[
            {"content": "Ada moved to Oslo", "kind": "episode"},
            {"content": "Ada met Bo", "kind": "episode"},
            {"content": "Ada lives in Oslo", "triples": [lives("Ada", "Oslo")]},
        ],
    )
    clock.advance(days=1)
    tell(mem, "Ada lives in Rome now", lives("Ada", "Rome"), cue="change")
    assert set(current(mem)) == {"Ada met Bo", "Ada lives in Rome now"}

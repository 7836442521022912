"""From when until when does a fact hold among others of its kind? Ends that lie between, facts told the other way,
and what several rules see at once.

The statements come as drafts with their facts, so that nothing here hangs on how a sentence is read.
"""

from __future__ import annotations

from tests.conftest import HandClock
from tests.ingest.telling import claim, current, day, lives, objects, rules, tell, windows, works

from treering.door import Treering


def test_what_is_learned_late_ends_where_the_next_stretch_of_the_same_begins(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User worked at Google for a year", works("User", "Google", "2018", valid_until=day("2019")))
    clock.advance(days=1)
    tell(mem, "User works at Google", works("User", "Google", "2022"))
    clock.advance(days=1)
    tell(mem, "User joined Google in 2010", works("User", "Google", "2010"))
    assert windows(mem, "User", "WORKS_FOR") == [
        ("Google", "2010-01-01", "2018-01-01"),
        ("Google", "2018-01-01", "2019-01-01"),
        ("Google", "2022-01-01", None),
    ]


def test_what_is_over_and_was_never_so_is_taken_out_of_the_past_too_whichever_way_it_was_told(
    mem: Treering, clock: HandClock
) -> None:
    tell(
        mem,
        "Ada was married to Bo from 2010 to 2015",
        claim("Ada", "MARRIED_TO", "Bo", "2010", valid_until=day("2015")),
    )
    assert objects(mem, "Ada", "MARRIED_TO", as_of=day("2012")) == {"Bo"}
    clock.advance(days=1)
    tell(mem, "Bo was never married to Ada", claim("Bo", "MARRIED_TO", "Ada", stance="never"))
    assert objects(mem, "Ada", "MARRIED_TO", as_of=day("2012")) == set()


def test_what_is_never_so_of_two_leaves_others_alone_that_were_told_the_other_way(
    mem: Treering, clock: HandClock
) -> None:
    tell(mem, "Ada is married to Cleo", claim("Ada", "MARRIED_TO", "Cleo", "2010"))
    clock.advance(days=1)
    assert tell(mem, "Bo was never married to Ada", claim("Bo", "MARRIED_TO", "Ada", stance="never")).closed == ()
    assert objects(mem, "Ada", "MARRIED_TO") == {"Cleo"}


def test_a_statement_leaves_the_present_with_the_last_of_its_facts_and_not_before(
    mem: Treering, clock: HandClock
) -> None:
    both = tell(mem, "User works at Google and lives in Chicago", works("User", "Google"), lives("User", "Chicago"))
    clock.advance(days=1)
    assert tell(mem, "User moved to Oslo", lives("User", "Oslo"), cue="change").superseded == ()
    clock.advance(days=1)
    last = tell(mem, "User left Google", works("User", "Google", stance="ends"))
    assert last.superseded == (both.id,)
    assert "User works at Google and lives in Chicago" not in current(mem)


def test_what_is_had_again_ends_what_had_taken_its_place_for_who_has_it_again_alone(
    mem: Treering, clock: HandClock
) -> None:
    def uses(who: str, what: str) -> dict[str, object]:
        return claim(who, "USES", what)

    tell(mem, "User uses Vim", uses("User", "Vim"))
    clock.advance(days=1)
    tell(
        mem,
        "User switched from Vim to Zed, as Ada did",
        {**uses("User", "Zed"), "instead_of": "Vim"},
        uses("Ada", "Zed"),
        cue="change",
    )
    clock.advance(days=1)
    receipt = tell(mem, "User went back to Vim", uses("User", "Vim"), cue="change")
    assert rules(receipt) == {("Zed", "returned")}
    assert (objects(mem, "User", "USES"), objects(mem, "Ada", "USES")) == ({"Vim"}, {"Zed"})

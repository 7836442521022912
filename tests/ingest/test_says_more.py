"""Does a statement say more than its facts? Such a one stays when a fact of it ends; the others make way."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import current, lives, objects, tell

from treering.door import Treering
from treering.ingest.relate.says_more import says_more


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Ada lives in Ghent and keeps bees", ["Ghent"]),
        ("Ada lives in Ghent and work at the docks", ["Ghent"]),
        ("Ada lives in Ghent, where her cousin Bo also lives", ["Ghent"]),
        ("Ada works at Hatch but lives on a boat", ["Hatch"]),
        ("Ada works at Hatch; her brother flies planes", ["Hatch"]),
        ("Ada rows on Sundays and works at Hatch", ["Hatch"]),
        ("Ada is vegan and allergic to nuts", ["vegan"]),
        ("the sprint is 3 weeks and demos are held by Bo", ["3 weeks"]),
    ],
)
def test_a_clause_without_a_fact_says_more(text: str, values: list[str]) -> None:
    assert says_more(text, values)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Ada lives in Ghent", ["Ghent"]),
        ("Ada lives in Ghent, Belgium", ["Ghent"]),
        ("Ada lives in Ghent, a city of canals", ["Ghent"]),
        ("Ada lives in Ghent with two cats and a lodger", ["Ghent"]),
        ("Ada lives in Ghent, been here for years, loves it", ["Ghent"]),
        ("Ada and her wife live in Ghent", ["Ghent"]),
        ("Ada works at Marks and Spencer in sales and support", ["Marks and Spencer"]),
        ("Ada works at Hatch, which is a bank", ["Hatch"]),
        ("Ada works at Hatch, is up at five", ["Hatch"]),
        ("Ada's rent is 900, due on the first", ["900"]),
        ("Ada: two things to know: the deadline is May 9", ["May 9"]),
        ("Ada lives in Ghent and works at Hatch", ["Ghent", "Hatch"]),
    ],
)
def test_what_only_goes_on_or_points_back_says_no_more(text: str, values: list[str]) -> None:
    assert not says_more(text, values)


@pytest.mark.parametrize("beside", ["has two kids", "study law at night", "loves sailing"])
def test_a_statement_stays_for_what_it_says_beside_the_fact_that_ended(
    mem: Treering, clock: HandClock, beside: str
) -> None:
    tell(mem, f"User lives in Boston and {beside}", lives("User", "Boston"))
    clock.advance(days=1)
    receipt = tell(mem, "User lives in Austin", lives("User", "Austin"), cue="change")
    assert [one.target for one in receipt.closed] == ["Boston"]
    assert receipt.superseded == ()
    assert objects(mem, "User", "LIVES_IN") == {"Austin"}
    assert f"User lives in Boston and {beside}" in current(mem)


def test_a_statement_near_in_words_does_not_take_the_place_of_one_that_says_more(
    mem: Treering, clock: HandClock
) -> None:
    mem.remember("The sprint length is 3 weeks and Kaya writes the minutes.")
    clock.advance(days=1)
    mem.remember("The sprint length is 2 weeks now.")
    assert any("minutes" in one for one in current(mem))

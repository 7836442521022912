"""What names only who was it before is beside the point, unless it speaks of what is asked for or is as near as the
answer: each of these gates alone, on statements made for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import HandClock, scope

from treering.door import Treering
from treering.recall.asked_now import Asked
from treering.recall.bygone import Replaced, bygone
from treering.recall.question import read_question
from treering.recall.stated import Statement
from treering.store.contract import Store

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "near", "is_left_out"),
    [
        ("Oskar: tent pegs, a dozen of them", 0.1, True),
        ("Oskar: tent pegs for the scouts, a dozen", 0.1, False),  # it speaks of what is asked for
        ("Oskar: tent pegs, a dozen of them", 0.5, False),  # it is more than half as near as the answer
    ],
)
def test_what_names_only_who_was_it_before_is_left_out_where_it_has_nothing_to_do_with_the_question(
    mem: Treering, store: Store, clock: HandClock, text: str, near: float, is_left_out: bool
) -> None:
    old = mem.add("Oskar leads the scouts", entities=["Oskar"]).id
    oskar = mem.entity_get("Oskar").id
    answer = Statement("new", "Petra leads the scouts", "Petra leads the scouts", NOON, NOON, 0.8)
    other = Statement("other", text, text, NOON, NOON - timedelta(days=9), near, entities=frozenset({oskar}))
    asked = Asked(read_question("Who leads the scouts now?", NOON))
    with store.reader(scope(clock)) as reader:
        found = [*bygone(asked, [answer, other], [Replaced(old, "new", "Oskar leads the scouts")], reader)]
    assert found == ([("other", "new")] if is_left_out else [])

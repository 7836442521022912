"""Facts that a model only thinks likely: one guess makes way for another, and never what was read for certain.

The facts are handed in with the words, so that nothing here hangs on how a sentence is read.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.ingest.telling import claim
from tests.ingest.test_judged import Fixed
from tests.recall.hashing import Hashing

import treering
from treering import Treering
from treering.ingest.relate.decided import SURE
from treering.mind.judging import Verdict
from treering.model.edge import LIKELY

GUESS, CERTAIN = 0.3, 1.0
NONE = Fixed(Verdict.NONE, 0.9)


class Guessing:
    """Tells a memory things month by month, each with the facts of User that it states."""

    def __init__(self, judge: Fixed = NONE) -> None:
        self._month = 0
        self.mem: Treering = treering.open(":memory:", embedder=Hashing(), judge=judge, extractor="none")

    def told(
        self, text: str, *facts: tuple[str, str], stance: str = "holds", confidence: float = GUESS, **draft: Any
    ) -> None:
        stated = [claim("User", *fact, stance=stance, confidence=confidence) for fact in facts]
        self.draft(text, stated, **draft)

    def draft(self, text: str, stated: list[dict[str, Any]], **draft: Any) -> None:
        self._month += 1
        self.mem.remember(
            text,
            drafts=[{"content": text, "triples": stated, **draft}],
            at=datetime(2025, self._month, 1, tzinfo=UTC),
            session=str(self._month),
        )

    def held(self) -> dict[str, int | None]:
        """Each value with the month in which it ended."""
        return {
            one.object: None if one.valid_until is None else one.valid_until.month
            for one in self.mem.facts(include_closed=True)
        }


@pytest.fixture
def guessing() -> Guessing:
    return Guessing()


def test_a_guess_is_less_than_likely() -> None:
    assert GUESS < LIKELY <= SURE <= CERTAIN


def test_a_guess_takes_the_place_of_a_guess(guessing: Guessing) -> None:
    guessing.told("boxes unpacked, hello Lugo", ("LIVES_IN", "Lugo"))
    guessing.told("boxes unpacked, hello Vigo", ("LIVES_IN", "Vigo"))
    assert guessing.held() == {"Lugo": 2, "Vigo": None}


def test_of_what_adds_up_both_stay(guessing: Guessing) -> None:
    guessing.told("boxes unpacked, hello Zed", ("USES", "Zed"))
    guessing.told("boxes unpacked, hello Vim", ("USES", "Vim"))
    assert guessing.held() == {"Zed": None, "Vim": None}


def test_a_guess_ends_nothing_that_is_certain(guessing: Guessing) -> None:
    guessing.told("I live in Ghent.", ("LIVES_IN", "Ghent"), confidence=CERTAIN)
    guessing.told("boxes unpacked, hello Vigo", ("LIVES_IN", "Vigo"))
    guessing.told("so much for Ghent", ("LIVES_IN", "Ghent"), stance="ends")
    assert guessing.held() == {"Ghent": None, "Vigo": None}
    assert guessing.mem.contradictions() == []


def test_what_is_likely_to_be_over_ends_a_guess(guessing: Guessing) -> None:
    guessing.told("paddled all day in the Tahe", ("OWNS", "Tahe"))
    guessing.told("the Tahe went to a lad from Bergen", ("OWNS", "Tahe"), stance="ends")
    assert guessing.held() == {"Tahe": 2}


@pytest.mark.parametrize(("verdict", "ended"), [(Verdict.REPLACES, 2), (Verdict.ADDS, None)])
def test_a_doubtful_verdict_is_enough_for_a_guess(verdict: Verdict, ended: int | None) -> None:
    guessing = Guessing(Fixed(verdict, 0.7))
    guessing.told("plain text editor of the house: Zed", ("USES", "Zed"))
    guessing.told("plain text editor of the house: Vim", ("USES", "Vim"))
    assert guessing.held() == {"Zed": ended, "Vim": None}
    assert [one.state.value for one in guessing.mem.list().memories] == ["active", "active"]


def test_a_memory_does_not_leave_with_a_guess_about_it(guessing: Guessing) -> None:
    guessing.told("Kate is fast", ("USES", "Kate"))
    gone, new = claim("User", "USES", "Kate", stance="ends"), claim("User", "USES", "Zed", instead_of="Kate")
    guessing.draft("I switched from Kate to Zed.", [gone, new], cue="change")
    assert guessing.held()["Kate"] == 2
    assert {one.state.value for one in guessing.mem.list(view="all")} == {"active"}

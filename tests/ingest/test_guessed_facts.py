"""Facts that a model only thinks likely: one guess makes way for another, and never what was read for certain."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.ingest.test_judged import Fixed
from tests.recall.hashing import Hashing

import treering
from treering import Treering
from treering.ingest.extract.contract import Claim, Stance
from treering.ingest.extract.learned_facts import TurnFacts
from treering.mind.judging import Verdict

NONE = Fixed(Verdict.NONE, 0.9)


class Guessing:
    """Tells a memory things of which a model makes the claims that it is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, judge: Fixed = NONE) -> None:
        self._patch, self._month = monkeypatch, 0
        self.mem: Treering = treering.open(":memory:", embedder=Hashing(), judge=judge, extractor="hybrid")

    def told(self, text: str, *claims: tuple[str, str], stance: Stance = Stance.HOLDS, confidence: float = 0.3) -> None:
        self._month += 1
        made = [
            Claim(subject="User", relation=relation, object=value, stance=stance, confidence=confidence)
            for relation, value in claims
        ]
        self._patch.setattr(TurnFacts, "claims", lambda _: made)
        self.mem.remember(text, at=datetime(2025, self._month, 1, tzinfo=UTC), session=str(self._month))

    def held(self) -> dict[str, int | None]:
        """Each value with the month in which it ended."""
        return {
            one.object: None if one.valid_until is None else one.valid_until.month
            for one in self.mem.facts(include_closed=True)
        }


@pytest.fixture
def guessing(monkeypatch: pytest.MonkeyPatch) -> Guessing:
    return Guessing(monkeypatch)


def test_a_guess_takes_the_place_of_a_guess(guessing: Guessing) -> None:
    guessing.told("boxes unpacked, hello Lugo", ("LIVES_IN", "Lugo"))
    guessing.told("boxes unpacked, hello Vigo", ("LIVES_IN", "Vigo"))
    assert guessing.held() == {"Lugo": 2, "Vigo": None}


def test_of_what_adds_up_both_stay(guessing: Guessing) -> None:
    guessing.told("boxes unpacked, hello Zed", ("USES", "Zed"))
    guessing.told("boxes unpacked, hello Vim", ("USES", "Vim"))
    assert guessing.held() == {"Zed": None, "Vim": None}


def test_a_guess_ends_nothing_that_is_certain(guessing: Guessing) -> None:
    guessing.told("I live in Ghent.")
    guessing.told("boxes unpacked, hello Vigo", ("LIVES_IN", "Vigo"))
    guessing.told("so much for Ghent", ("LIVES_IN", "Ghent"), stance=Stance.ENDS)
    assert guessing.held() == {"Ghent": None, "Vigo": None}
    assert guessing.mem.contradictions() == []


def test_what_is_likely_to_be_over_ends_a_guess(guessing: Guessing) -> None:
    guessing.told("paddled all day in the Tahe", ("OWNS", "Tahe"))
    guessing.told("the Tahe went to a lad from Bergen", ("OWNS", "Tahe"), stance=Stance.ENDS)
    assert guessing.held() == {"Tahe": 2}


@pytest.mark.parametrize(("verdict", "ended"), [(Verdict.REPLACES, 2), (Verdict.ADDS, None)])
def test_a_doubtful_verdict_is_enough_for_a_guess(
    monkeypatch: pytest.MonkeyPatch, verdict: Verdict, ended: int | None
) -> None:
    guessing = Guessing(monkeypatch, Fixed(verdict, 0.7))
    guessing.told("plain text editor of the house: Zed", ("USES", "Zed"))
    guessing.told("plain text editor of the house: Vim", ("USES", "Vim"))
    assert guessing.held() == {"Zed": ended, "Vim": None}
    assert [one.state.value for one in guessing.mem.list().memories] == ["active", "active"]


def test_a_memory_does_not_leave_with_a_guess_about_it(guessing: Guessing) -> None:
    guessing.told("Kate is fast", ("USES", "Kate"))
    guessing.told("I switched from Kate to Zed.")
    assert guessing.held()["Kate"] == 2
    assert {one.state.value for one in guessing.mem.list(view="all")} == {"active"}

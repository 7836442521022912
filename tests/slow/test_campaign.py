"""The campaign itself, in its smallest size: every step that needs no server runs, and a failure is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import campaign
from tests.campaign import Size, report, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_SMALL = Size(0, 2, 0, 0, 0, 1, 50, 8)


def test_a_small_campaign_loses_nothing_and_says_how_small_it_was() -> None:
    outcomes = run(_SMALL)
    assert [(one.step, one.trouble) for one in outcomes if not one.ok] == []
    told = report(_SMALL, outcomes, (0.0, 0.0))
    assert "This is a short run" in told
    assert "| 2 rounds | 200 rounds | ok |" in told
    assert "| left out | 3,600 s | left out |" in told
    assert "This is the whole campaign." in report(Size(), outcomes, (0.0, 0.0))


def test_a_step_that_fails_is_told_and_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(size: Size, folder: Path) -> str:
        raise AssertionError("3 acknowledged writes are lost")

    monkeypatch.setattr(campaign, "STEPS", (("Soak", "soak_seconds", "s", fails), *campaign.STEPS[6:7]))
    outcomes = run(Size(soak_seconds=1, jumps=10))
    assert [one.ok for one in outcomes] == [False, True]
    assert "| **failed** | AssertionError: 3 acknowledged writes are lost |" in report(Size(), outcomes, (0, 0))

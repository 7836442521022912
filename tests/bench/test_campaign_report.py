"""What a campaign writes down when it is run in parts."""

from __future__ import annotations

from dataclasses import replace

from tests.campaign import STEPS, WHOLE, Outcome, Size, report

LEFT_OUT = Size(*[0] * 8)
LOAD = (0.0, 0.0)


def outcomes(size: Size, told: str) -> list[Outcome]:
    return [
        Outcome(name, f"{getattr(size, part):,} {unit}", told) if getattr(size, part) else Outcome(name, "left out")
        for name, part, unit, _ in STEPS
    ]


def test_a_step_that_is_left_out_keeps_what_was_seen_of_it_before() -> None:
    soak = replace(LEFT_OUT, soak_seconds=3600)
    first = report(soak, outcomes(soak, "memory stayed flat"), LOAD)
    assert "This is a short run" in first
    rest = replace(WHOLE, soak_seconds=0)
    second = report(rest, outcomes(rest, "none lost"), LOAD, first)
    assert "This is the whole campaign." in second
    [kept] = [line for line in second.splitlines() if line.startswith("| Soak |")]
    assert kept.startswith("| Soak | 3,600 s | 3,600 s | ok | (")
    assert "commit" in kept
    assert "memory stayed flat" in kept
    third = report(rest, outcomes(rest, "none lost"), LOAD, second)
    assert kept in third.splitlines()


def test_a_short_step_that_was_kept_makes_no_whole_campaign() -> None:
    soak = replace(LEFT_OUT, soak_seconds=90)
    first = report(soak, outcomes(soak, "memory stayed flat"), LOAD)
    rest = replace(WHOLE, soak_seconds=0)
    assert "This is a short run" in report(rest, outcomes(rest, "none lost"), LOAD, first)


def test_nothing_is_kept_of_a_step_that_runs_again() -> None:
    first = report(WHOLE, outcomes(WHOLE, "lost all"), LOAD)
    second = report(WHOLE, outcomes(WHOLE, "none lost"), LOAD, first)
    assert "lost all" not in second

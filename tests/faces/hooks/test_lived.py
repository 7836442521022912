"""What the start of a session is told after thirty sessions with reversals: what holds, what is needed, little else."""

from __future__ import annotations

from bench.lived import block_after, judged_on

from bench import lived_held_out, lived_sessions


def test_what_was_reversed_is_not_told_and_what_is_needed_is() -> None:
    told = judged_on(lived_sessions)["800"]
    assert told["said_though_over"] == []
    assert told["needed"] >= 0.9
    assert told["of_what_is_needed_said"] >= 0.9


def test_so_it_is_in_a_project_that_nothing_was_made_for() -> None:
    told = judged_on(lived_held_out)["800"]
    assert told["current"] >= 0.85
    assert told["needed"] >= 0.85
    assert told["of_what_is_needed_said"] >= 0.85


def test_a_small_budget_is_kept_and_a_secret_is_not_told() -> None:
    from treering.language.tokens import tokens_of

    for budget in (150, 400, 800):
        assert tokens_of(block_after(lived_sessions.SESSIONS, budget)) <= budget
    assert "fo1_" not in block_after(lived_sessions.SESSIONS, 1_600)

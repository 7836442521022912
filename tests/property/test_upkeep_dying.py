"""Upkeep that is killed in the middle is gone on with, and nothing is done twice; the long version is in tests/slow."""

from __future__ import annotations

from pathlib import Path

from tests.property.killing_upkeep import kill_and_look


def test_upkeep_killed_in_the_middle_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    broken, _ = kill_and_look(tmp_path, rounds=1, seed=1)
    assert broken, "no run was under way when it was killed"

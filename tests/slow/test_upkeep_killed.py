"""The long version: two keepers, killed again and again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.property.killing_upkeep import kill_and_look

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(5))
def test_keepers_killed_again_and_again_do_everything_once(tmp_path: Path, seed: int) -> None:
    broken, _ = kill_and_look(tmp_path, rounds=8, seed=seed)
    assert broken

"""The long version: two keepers, killed again and again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.property.killing_upkeep import kill_and_look

pytestmark = pytest.mark.slow


def test_keepers_killed_again_and_again_do_everything_once(tmp_path: Path) -> None:
    broken = 0
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        broken += kill_and_look(folder, rounds=8, seed=seed)[0]
    assert broken, "no keeper was killed while it was at it"

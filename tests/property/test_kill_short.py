"""What if the process dies? kill -9 while two processes write to one file; the long version is in tests/slow."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.property.killing import kill_and_look


@pytest.mark.timeout(110)
def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    kill_and_look(tmp_path, rounds=6, verify_every=3, seed=1)

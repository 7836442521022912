"""kill -9 in a loop of fifty while two processes write to one file: nothing acknowledged is lost, nothing is half."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.property.killing import kill_and_look


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nothing_acknowledged_is_lost_in_fifty_rounds_of_killing(tmp_path: Path) -> None:
    acknowledged = kill_and_look(tmp_path, rounds=50, verify_every=5, seed=50)
    print(f"{acknowledged} acknowledgements survived 50 rounds of kill -9")

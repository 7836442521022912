"""kill -9 in a loop of forty while one process asks for jobs and two do them: nothing is lost, and nothing is twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.property.killing_jobs import kill_and_look


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_job_that_was_accepted_is_done_once_in_forty_rounds_of_killing(tmp_path: Path) -> None:
    jobs, begun_again = kill_and_look(tmp_path, rounds=40, seed=9)
    print(f"{jobs} jobs survived 40 rounds of kill -9, at least {begun_again} of them begun more than once")
    assert begun_again

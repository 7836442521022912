"""Do the stores mean the same by what is told? Random tellings, undone, forgotten and purged, and all that follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.property.histories import Drawn, check_remembering, check_remembering_on_pglite, rememberings
from tests.recall.hashing import Hashing

_ALL = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
FAST = settings(max_examples=4, deadline=None, derandomize=True, print_blob=True, suppress_health_check=_ALL)
SLOW = settings(max_examples=400, deadline=None, print_blob=True, suppress_health_check=_ALL)


@FAST
@given(drawn=rememberings(most=8))
def test_the_stores_answer_alike_whatever_is_told_and_taken_back(drawn: Drawn, tmp_path: Path) -> None:
    check_remembering(drawn, tmp_path, Hashing())


@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(SLOW, phases=[Phase.reuse, Phase.generate, Phase.shrink])
@given(drawn=rememberings(most=25))
def test_the_stores_answer_alike_after_long_tellings(drawn: Drawn, tmp_path: Path) -> None:
    check_remembering(drawn, tmp_path, Hashing())


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(SLOW, max_examples=25)
@given(drawn=rememberings(most=12))
def test_where_pgvector_measures_and_age_walks_the_answers_are_alike_whatever_is_told_and_taken_back(
    drawn: Drawn, tmp_path: Path
) -> None:
    check_remembering_on_pglite(drawn, tmp_path, Hashing())

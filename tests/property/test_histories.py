"""Do the reference store, SQLite and PostgreSQL mean the same? Random histories, and every answer at random moments."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.property.drawing import Op, Question, Ref
from tests.property.histories import (
    Drawn,
    check,
    check_briefly_on_pglite,
    check_on_pglite,
    check_on_postgres,
    histories,
)

_ALL = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
FAST = settings(max_examples=5, deadline=None, derandomize=True, print_blob=True, suppress_health_check=_ALL)
SLOW = settings(max_examples=400, deadline=None, print_blob=True, suppress_health_check=_ALL)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="treering-history-") as made:
        yield Path(made)


@FAST
@given(drawn=histories(most=16))
def test_reference_and_sqlite_answer_every_question_alike_after_any_history(drawn: Drawn, folder: Path) -> None:
    check(drawn, folder)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(SLOW, phases=[Phase.reuse, Phase.generate, Phase.shrink])
@given(drawn=histories(most=40))
def test_reference_and_sqlite_answer_alike_after_long_histories(drawn: Drawn, folder: Path) -> None:
    check(drawn, folder)


@settings(FAST, max_examples=3)
@given(drawn=histories(most=10))
def test_postgres_answers_every_question_as_the_reference_does_after_any_history(drawn: Drawn, folder: Path) -> None:
    check_on_postgres(drawn, folder)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(SLOW, max_examples=100)
@given(drawn=histories(most=30))
def test_postgres_answers_as_the_reference_does_after_long_histories(drawn: Drawn, folder: Path) -> None:
    check_on_postgres(drawn, folder)


@settings(FAST, max_examples=2)
@given(drawn=histories(most=12, least=8))
def test_pgvector_and_age_on_one_connection_answer_as_the_reference_does_after_any_history(drawn: Drawn) -> None:
    check_briefly_on_pglite(drawn, moments=4)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(SLOW, max_examples=25)
@given(drawn=histories(most=20))
def test_pgvector_and_age_on_one_connection_answer_as_the_reference_does_after_long_histories(
    drawn: Drawn, folder: Path
) -> None:
    check_on_pglite(drawn, folder)


def test_an_entity_keeps_its_name_when_the_memory_that_named_it_first_is_purged(folder: Path) -> None:
    """SQLite once lost the name, and could never again add a memory that mentions it."""
    ops = (
        Op("add", {"content": "Ann came", "entities": ["Ann"]}),
        Op("add", {"content": "Ann stayed", "entities": ["Ann"]}),
        Op("purge", {"id": Ref("memory", 0), "why": "asked"}),
        Op("add", {"content": "Ann left", "entities": ["Ann"]}),
    )
    check(Drawn(ops, (Question(0, None), Question(3, 1)), pause=1), folder)

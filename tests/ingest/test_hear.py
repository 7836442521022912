"""Messages are kept with the times they were said at, however these are written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import treering
from treering.errors import InvalidRequest


def test_a_message_says_its_time_as_text_or_as_a_datetime() -> None:
    with treering.open(":memory:", embedder="none") as mem:
        told = mem.remember(
            messages=[
                {"content": "I paint.", "at": "2026-02-10T09:00:00+01:00"},
                {"content": "I sing.", "at": datetime(2026, 2, 11, tzinfo=UTC)},
                {"content": "I run."},
            ],
            at="2026-02-12T00:00:00Z",
            extractor="none",
        )
        said = [mem.get(one.id).said_at for one in told.memories]
    assert said == [datetime(2026, 2, 10, 8, tzinfo=UTC), *(datetime(2026, 2, day, tzinfo=UTC) for day in (11, 12))]


def test_a_time_without_a_zone_is_refused_with_the_number_of_its_message() -> None:
    with (
        treering.open(":memory:", embedder="none") as mem,
        pytest.raises(InvalidRequest, match=r"messages\[1\]\.at: .*2026-02-10T09:00"),
    ):
        mem.remember(messages=[{"content": "I paint."}, {"content": "I sing.", "at": "2026-02-10T09:00"}])

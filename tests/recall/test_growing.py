"""How many are weighed grows with the space, and stops growing."""

from __future__ import annotations

import pytest

from treering.recall.search import LARGE, growing


@pytest.mark.parametrize(
    ("memories", "weighed"), [(0, 300), (LARGE // 2, 1_150), (LARGE, 2_000), (LARGE + 1, 2_000), (50 * LARGE, 2_000)]
)
def test_more_are_weighed_in_a_larger_space_up_to_a_bound(memories: int, weighed: int) -> None:
    assert growing(300, 2_000, memories) == weighed

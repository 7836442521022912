"""How often a word stands in each session: the same by whatever way it is counted."""

from __future__ import annotations

import random

import numpy as np
import pytest

from treering.recall.keyword import _Measure


def measure(count: int, **known: bool) -> _Measure:
    return _Measure(1, np.ones(count), **{"in_order": False, "one_each": False, **known})


@pytest.mark.parametrize("seed", range(20))
def test_sessions_that_follow_one_another_are_counted_as_those_that_do_not(seed: int) -> None:
    chance = random.Random(seed)
    sessions = np.asarray(sorted(chance.randrange(9) for _ in range(chance.randrange(1, 30))), np.int32)
    times = np.asarray([chance.randrange(1, 256) for _ in sessions], np.uint8)
    slowly = measure(9).by_session(sessions, times)
    quickly = measure(9, in_order=True).by_session(sessions, times)
    assert [one.tolist() for one in quickly] == [one.tolist() for one in slowly]
    alone, first = np.unique(sessions, return_index=True)
    single = measure(9, in_order=True, one_each=True).by_session(alone, times[first])
    assert [one.tolist() for one in single] == [one.tolist() for one in measure(9).by_session(alone, times[first])]

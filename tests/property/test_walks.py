"""Does a walk from memory come to the same as one that asks the store? Random histories of closings, reopenings,
forgetting, merges, secrets and purges, followed entry by entry, and walks at random moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from tests.property.histories import PRINCIPALS, SPACES, Drawn, Question, Twins, histories, pair

from treering.graph.atlas import Atlas
from treering.graph.index import adjacency
from treering.graph.walk import Route, by_steps
from treering.model.edge import Direction
from treering.store.contract import Scope, Ways

_ALL = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
FAST = settings(max_examples=50, deadline=None, derandomize=True, print_blob=True, suppress_health_check=_ALL)
SLOW = settings(max_examples=600, deadline=None, print_blob=True, suppress_health_check=_ALL)
RELATIONS = (None, ("KNOWS", "LIVES_IN"), ("contradicts",), ("about_entity", "supersedes", "WORKS_FOR"))


def routes() -> Iterator[Route]:
    for number, direction in enumerate(Direction):
        for closed in (False, True):
            yield Route(Ways(direction, None, closed), depth=3, limit=1_000)
            yield Route(Ways(direction, RELATIONS[number + closed]), depth=8, limit=4)


def compare(twins: Twins, atlases: dict[str, Atlas], scope: Scope, some: slice = slice(None)) -> int:
    """Every way of walking, from every node; answers how many edges were walked."""
    walked = 0
    starts = [*twins.known.ids("memory"), *twins.known.ids("entity")][some]
    for name, store in twins.stores.items():
        with twins.first.reader(scope) as right, store.reader(scope) as reader:
            for space in reader.spaces:
                for start in starts:
                    whole = right.entity(start)
                    here = start if whole is None else whole.id
                    for route in routes():
                        trail = by_steps(right, space, here, route)
                        assert by_steps(reader, space, here, route) == trail, (name, scope, start, route)
                        assert atlases[name](reader, space, here, route) == trail, (name, scope, start, route)
                        walked += len(trail.edge_ids)
    return walked


def follow(drawn: Drawn, counts: list[int]) -> None:
    twins = pair(":memory:")
    atlases = {name: Atlas(store, patience=0) for name, store in twins.stores.items()}
    try:
        for number, op in enumerate(drawn.ops):
            twins.run(op)
            now = Question(number, None, PRINCIPALS[number % 4], False, op.space)
            counts.append(compare(twins, atlases, replace(twins.scope(now), as_of=None), slice(number % 5, None, 5)))
        for question in drawn.asked:
            counts.append(compare(twins, atlases, twins.scope(question), slice(0, None, 2)))
        for principal in PRINCIPALS:
            asked = Question(drawn.pause * 7, None, principal, True, SPACES[0])
            counts.append(compare(twins, atlases, twins.scope(asked), slice(1, None, 2)))
    finally:
        twins.close()


@FAST
@given(drawn=histories(most=16))
def test_a_walk_from_memory_comes_to_what_the_store_comes_to_after_any_history(drawn: Drawn) -> None:
    follow(drawn, [])


@pytest.mark.slow
@pytest.mark.timeout(1800)
@SLOW
@given(drawn=histories(most=40))
def test_a_walk_from_memory_comes_to_what_the_store_comes_to_after_long_histories(drawn: Drawn) -> None:
    follow(drawn, [])


@settings(FAST, max_examples=15)
@given(drawn=histories(most=16))
def test_what_came_later_is_put_in_order_with_what_was_there(drawn: Drawn) -> None:
    """With an index that puts every new edge in its place at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adjacency, "SETTLE", 0)
        follow(drawn, [])

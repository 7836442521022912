"""Which of the weighed become the answer, in which order? The best first, and a session that gave some makes room."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from treering.recall.fuse import Fused
from treering.recall.index.columns import Numbers
from treering.recall.search import Search

LIST_SPREAD, SPREAD = 0.5, 0.0
LIKENESS_COSTS = 8.0  # what a perfect likeness to a hit already chosen costs, where variety is wanted
LOOKED_AT = 60
SPARE = 1.5  # chosen beyond the limit, for those that turn out to say the same


@dataclass(frozen=True, slots=True)
class Order:
    limit: int
    is_list: bool
    diversify: float = 0.0


def in_order(search: Search, fused: Fused, order: Order) -> list[int]:
    """Places in the pool: greedily the best, where a session that gave c already costs `spread * ln(1 + c)`."""
    weight = LIST_SPREAD if order.is_list else SPREAD
    wanted = math.ceil(order.limit * SPARE) + 2
    best = np.lexsort((fused.pool, -fused.score))[: max(wanted * 2, LOOKED_AT)]
    if not weight and not order.diversify:
        return [int(one) for one in best[:wanted]]
    left = fused.score[best].astype(float)
    sessions = search.column("session")[fused.pool[best]]
    alike = _likeness(search, fused.pool[best]) if order.diversify else None
    nearest = np.zeros(len(best))
    given: dict[int, int] = defaultdict(int)
    cost = np.zeros(len(best))
    chosen = []
    for _ in range(min(wanted, len(best))):
        place = int(np.argmax(left - cost - order.diversify * LIKENESS_COSTS * nearest))
        chosen.append(int(best[place]))
        left[place] = -np.inf
        session = int(sessions[place])
        given[session] += 1
        cost[sessions == session] = weight * math.log(1 + given[session])
        if alike is not None:
            nearest = np.maximum(nearest, alike[place])
    return chosen


def _likeness(search: Search, memories: Numbers) -> Numbers | None:
    vectors = search.index.vectors
    if vectors is None:
        return None
    rows = vectors.row.rows[memories]
    found = vectors.whole.rows[rows].astype(np.float32) * vectors.scale.rows[rows][:, None] * (rows >= 0)[:, None]
    alike: Numbers = np.maximum(found @ found.T, 0)
    return alike

"""Which of the weighed become the answer, in which order? The best first, and a session that gave some makes room.

Where many are asked for, breadth counts after the first: a turn of every session before more of the same.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field, replace

import numpy as np

from treering.one_core import one_core
from treering.recall.fuse import WEIGHTS, Fused, Weights
from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Meanings
from treering.recall.search import Search, best_first
from treering.values import dataclass

LIST_SPREAD = 0.5  # what a session that gave c turns costs in a list: this times ln(1 + c)
LIKENESS_COSTS = 8.0  # what a perfect likeness to a hit already chosen costs, where variety is wanted
LOOKED_AT = 60
SPARE = 1.2  # how many are chosen at first, of the limit
FIRST, BEST_OF_SESSION = 10, 5
LEAST_EVIDENCE, LEAST_WORDS = 0.5, 0.05  # what must speak for a memory by itself: less is noise
KIN_OF, KIN_AMONG, KIN_FADES = 5, 200, 2.0
"""Of so many of the best, the kin is looked for among so many; that of one whose sum is lower by the last counts a
third."""


@dataclass(frozen=True, slots=True)
class Order:
    """`wanted` may be more than the `limit` of the answer, for those that turn out to say the same. `read`: so many are
    wanted by who reads them, however little speaks for them. `kin`: what being wholly like one of the best adds to what
    speaks for reading a memory."""

    limit: int
    wanted: int
    is_list: bool
    diversify: float = 0.0
    weights: Weights = WEIGHTS
    read: int = 0
    kin: float = 0.0


@dataclass(frozen=True, slots=True)
class Ordered:
    """Places in the pool, the best first, and what it cost each in the order that others went before."""

    places: list[int]
    costs: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    unspoken_for: frozenset[int] = frozenset()
    """Those for which too little speaks by itself: they are to be read, and are hits only if they answer."""
    reads: Mapping[int, float] = field(default_factory=dict)
    """What speaks for reading each, where that is not what speaks for it."""


def in_order(search: Search, fused: Fused, order: Order) -> Ordered:
    """Some more than asked for."""
    found = _spoken_for(search, fused, order)
    if order.read and order.kin and search.vectors is not None and len(fused.pool):
        return _with_kin(search.vectors, fused, order, found)
    missing = order.read - len(found.places)
    if missing <= 0:
        return found
    left = np.setdiff1d(np.arange(len(fused.pool)), found.places)
    more = [int(one) for one in left[best_first(fused.pool[left], fused.score[left], missing)]]
    return replace(found, places=[*found.places, *more], unspoken_for=frozenset(more))


def _with_kin(held: Meanings, fused: Fused, order: Order, found: Ordered) -> Ordered:
    """A matter goes on in words that the question has none of ("the letter says Friday after all"): who reads what was
    found for its beginning is shown what is like it in meaning as well. What else the day's talk was about says nothing
    of a turn then."""
    best = best_first(fused.pool, fused.score, max(min(KIN_AMONG, held.looked_into), order.read))
    score, vectors = fused.score[best], held.whole_rows(fused.pool[best])
    near = np.exp((score[:KIN_OF] - score[0]) / KIN_FADES)
    with one_core:
        alike = vectors @ vectors[:KIN_OF].T
    reads = score + order.kin * (np.maximum(alike, 0) * near).max(1)
    if "session_words" in fused.features:
        reads = reads - order.weights.session_words * fused.features["session_words"][best]
    told = dict(zip(best.tolist(), reads.tolist(), strict=True))
    chosen = set(found.places)
    more = [one for one in best[np.argsort(-reads, kind="stable")[: order.read]].tolist() if one not in chosen]
    return replace(found, places=[*found.places, *more], unspoken_for=frozenset(more), reads=told)


def _spoken_for(search: Search, fused: Fused, order: Order) -> Ordered:
    wanted = order.wanted
    spoken_for = fused.evidence(order.weights) > least_evidence(search, fused)
    some = np.flatnonzero(spoken_for)
    best = some[best_first(fused.pool[some], fused.score[some], max(wanted * 2, LOOKED_AT))]
    sessions = search.visible.sessions[fused.pool]
    if order.is_list or order.diversify:
        ordered = _greedy(search, fused, best, sessions, wanted, order)
    else:
        ordered = Ordered([int(one) for one in best[:wanted]])
    if order.limit <= 2 * FIRST or not ordered.places:
        return ordered
    widened = [one for one in _widened(ordered.places, fused.score, sessions, wanted) if spoken_for[one]]
    return replace(ordered, places=widened)


def least_evidence(search: Search, fused: Fused) -> Numbers:
    """For each of the pool. Where no more is asked than what the filters leave, anything will do."""
    if search.lists:
        return np.zeros(len(fused.pool))
    return np.where(fused.read, LEAST_EVIDENCE, LEAST_WORDS)


def _greedy(search: Search, fused: Fused, best: Numbers, sessions: Numbers, wanted: int, order: Order) -> Ordered:
    spread = LIST_SPREAD if order.is_list else 0.0
    left, own = fused.score[best].astype(float), sessions[best]
    alike = _likeness(search, fused.pool[best]) if order.diversify else None
    nearest, cost = np.zeros(len(best)), np.zeros(len(best))
    given: dict[int, int] = defaultdict(int)
    chosen: list[int] = []
    costs: dict[int, dict[str, float]] = {}

    def paid(place: int) -> dict[str, float]:
        told = {"spread": -float(cost[place]), "likeness": -order.diversify * LIKENESS_COSTS * float(nearest[place])}
        return {name: round(one, 4) for name, one in told.items() if one}

    for _ in range(min(wanted, len(best))):
        place = int(np.argmax(left - cost - order.diversify * LIKENESS_COSTS * nearest))
        chosen.append(int(best[place]))
        costs[chosen[-1]] = paid(place)
        left[place] = -np.inf
        session = int(own[place])
        given[session] += 1
        cost[own == session] = spread * math.log(1 + given[session])
        if alike is not None:
            nearest = np.maximum(nearest, alike[place])
    costs |= {int(one): paid(place) for place, one in enumerate(best) if int(one) not in costs}
    return Ordered(chosen, costs)


def _likeness(search: Search, memories: Numbers) -> Numbers | None:
    if search.vectors is None:
        return None
    found = search.vectors.whole_rows(memories)
    with one_core:
        alike: Numbers = np.maximum(found @ found.T, 0)
    return alike


def _widened(chosen: list[int], score: Numbers, sessions: Numbers, wanted: int) -> list[int]:
    """The first stay, then as many more of their sessions; then the best turn of every other session, the sessions in
    order of the mean of their best turns; then the rest."""
    shown = {int(sessions[one]) for one in chosen[:FIRST]}
    head = chosen[:FIRST] + [one for one in chosen[FIRST:] if int(sessions[one]) in shown][:FIRST]
    order = np.lexsort((-score, sessions))
    by_session = sessions[order]
    starts = np.flatnonzero(np.concatenate([[True], by_session[1:] != by_session[:-1]]))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    counted = rank < BEST_OF_SESSION
    number = np.cumsum(rank == 0) - 1
    mean = np.bincount(number[counted], weights=score[order][counted]) / np.bincount(number[counted])
    others = [
        int(order[starts[one]]) for one in np.lexsort((starts, -mean)) if int(by_session[starts[one]]) not in shown
    ]
    return list(dict.fromkeys([*head, *others[: wanted // 2], *chosen]))[:wanted]

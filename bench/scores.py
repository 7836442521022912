"""How good is a ranking? Measures over the keys that came back, best first, and the keys that hold the answer."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

MEASURES = ("hit@5", "hit@10", "all@10", "recall@10", "ndcg@10", "mrr")
Score = dict[str, float]


def score(ranked: Sequence[str], evidence: Collection[str]) -> Score:
    """Of one question. A key that comes twice counts where it comes first, and takes one place."""
    places = [place for place, key in enumerate(dict.fromkeys(ranked)) if key in evidence]
    return of_places(places, len(evidence))


def of_places(places: Sequence[int], wanted: int) -> Score:
    """`places`: where evidence stands, from zero, in order; `wanted`: how much of it there is."""

    def within(depth: int) -> list[int]:
        return [place for place in places if place < depth]

    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, wanted)))
    return {
        "hit@5": float(bool(within(5))),
        "hit@10": float(bool(within(10))),
        "all@10": float(len(within(10)) == wanted),
        "recall@10": len(within(10)) / wanted,
        "ndcg@10": sum(1 / math.log2(place + 2) for place in within(10)) / ideal,
        "mrr": 1 / (places[0] + 1) if places else 0.0,
    }


def mean(scores: Sequence[Score]) -> Score:
    return {name: round(float(np.mean([one[name] for one in scores])), 4) for name in MEASURES}


def interval(values: Sequence[float], rounds: int = 1_000, seed: int = 0) -> tuple[float, float]:
    """Where the mean lies in 95 of 100 worlds in which the questions were drawn anew from these."""
    drawn = np.random.default_rng(seed).integers(0, len(values), (rounds, len(values)))
    low, high = np.quantile(np.asarray(values, float)[drawn].mean(axis=1), [0.025, 0.975])
    return round(float(low), 4), round(float(high), 4)

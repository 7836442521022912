"""How well and how fast is a space kept? `make bench-upkeep`.

    python -m bench.upkeep [--memories 100000]

Duplicates: the hand-made pairs of bench/data/duplicates.txt, each looked at by the embedder and by the words, as
`cluster(find_duplicates=True)` does. Clusters: a space of so many made-up memories with what an embedder made of them,
grouped whole; the time, and the most memory the process took.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAIRS = Path(__file__).parent / "data" / "duplicates.txt"
GOAL_PRECISION = 0.95


# duplicates


@dataclass(frozen=True, slots=True)
class Pair:
    same: bool
    first: str
    second: str


def labelled_pairs() -> list[Pair]:
    lines = [line.split(" | ") for line in PAIRS.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [Pair(label.strip() == "same", first.strip(), second.strip()) for label, first, second in lines]


def score_duplicates(embedder: str) -> dict[str, Any]:
    """Of the pairs taken for duplicates, how many are; of those that are, how many were taken."""
    import numpy as np

    from treering.mind import open_embedder
    from treering.mind.contract import Passage
    from treering.upkeep.cluster import DUPLICATE_THRESHOLD
    from treering.upkeep.duplicates import say_the_same

    mind, pairs = open_embedder(embedder), labelled_pairs()
    firsts, seconds = (
        [np.asarray(rows[0]) for rows in mind.embed_passages([Passage.said(None, text) for text in texts])]
        for texts in ([one.first for one in pairs], [one.second for one in pairs])
    )
    near = [float(a @ b) >= DUPLICATE_THRESHOLD for a, b in zip(firsts, seconds, strict=True)]
    taken = [one for one, close in zip(pairs, near, strict=True) if close and say_the_same(one.first, one.second)]
    by_cosine = [one for one, close in zip(pairs, near, strict=True) if close]
    right, wanted = sum(one.same for one in taken), sum(one.same for one in pairs)
    return {
        "embedder": embedder,
        "pairs": len(pairs),
        "same": wanted,
        "taken": len(taken),
        "precision": round(right / max(1, len(taken)), 4),
        "recall": round(right / wanted, 4),
        "precision_by_cosine_alone": round(sum(one.same for one in by_cosine) / max(1, len(by_cosine)), 4),
    }

"""What does a finder give a judge to read, of all that one user has told? `python -m training.found DATA` writes
`DATA/found.json`: for each question of a store its nearest turns and what is like these, as the product looks for them
(`recall/select.py`, kin), the likeliest first.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from training.train import stores_in
from treering.mind.turnfinder2 import Turnfinder2

KEPT = 16
NEARNESS, KIN, KIN_OF, FADES = 12.0, 9.0, 5, 2.0
"""What being wholly like a question counts, and being wholly like one of the best; how fast that fades with their
distance from the best."""


def ranked(said: Any, asked: Any) -> list[int]:
    """`said`: a vector for each turn, `asked`: the question's."""
    near = NEARNESS * (said @ asked)
    best = np.argsort(-near, kind="stable")[:KIN_OF]
    kin = (np.maximum(said @ said[best].T, 0) * np.exp((near[best] - near[best[0]]) / FADES)).max(1)
    return [int(one) for one in np.argsort(-(near + KIN * kin), kind="stable")[:KEPT]]


def main() -> None:
    folder, finder = Path(sys.argv[1]), Turnfinder2()
    found: dict[str, list[int]] = {}
    for store in stores_in(folder):
        said, asked = (_centred(finder, some) for some in (store["lines"], [one["q"] for one in store["questions"]]))
        for one, vector in zip(store["questions"], asked, strict=True):
            found[f"{store['lines'][0]}|{one['q']}"] = ranked(said, vector)
    (folder / "found.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    print(len(found), "questions")


def _centred(finder: Turnfinder2, some: list[str]) -> Any:
    vectors = np.asarray(finder.embed(some), np.float32)
    vectors = vectors - vectors.mean(0)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


if __name__ == "__main__":
    main()

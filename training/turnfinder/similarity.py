"""How well do cosines follow what people think of two sentences? `… similarity MODEL_FOLDER sts|sick FILE`.

FILE is the test part of the STS benchmark (`sts-test.csv`) or SICK (`SICK.txt`, of which the test part is taken), as
they are published. Told is Spearman's rank correlation. Neither is a task of the finders: it shows what was unlearned.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from training.turnfinder.cosine import opened


def pairs(kind: str, file: Path) -> list[tuple[str, str, float]]:
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    if kind == "sts":
        return [(row[5], row[6], float(row[4])) for row in rows]
    head = rows[0]
    first, second, told, part = (head.index(name) for name in ("sentence_A", "sentence_B", "relatedness_score",
                                                               "SemEval_set"))  # fmt: skip
    return [(row[first], row[second], float(row[told])) for row in rows[1:] if row[part] == "TEST"]


def ranks(numbers: Any) -> Any:
    """Of equal ones the mean of their places."""
    _, place, often = np.unique(numbers, return_inverse=True, return_counts=True)
    return (np.cumsum(often) - (often - 1) / 2)[place]


def main() -> None:
    folder, kind, file = sys.argv[1:4]
    model, some = opened(folder), pairs(kind, Path(file))
    near = [float(model.read([one])[0] @ model.read([other])[0]) for one, other, _ in some]
    told = np.corrcoef(ranks(np.array(near)), ranks(np.array([score for _, _, score in some])))[0, 1]
    print(f"{folder}, {kind}: {told:.4f}, n {len(some)}")


if __name__ == "__main__":
    main()

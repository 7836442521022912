"""Background talk that answers nothing, out of Synthetic-Persona-Chat (CC BY 4.0).

`python -m training.chat FILE.csv … OUT`

`neutral`: nobody's own affairs; `own`: of whoever says it; `asked`: questions to somebody else.
"""

from __future__ import annotations

import csv
import json
import random
import re
import sys
from pathlib import Path

_FIRST = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our|us)\b", re.IGNORECASE)
_TURN = re.compile(r"^User [12]: *", re.MULTILINE)
MOST = 9_000


def talk(paths: list[Path]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {"neutral": {}, "own": {}, "asked": {}}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                for turn in _TURN.split(row[-1])[1:]:
                    text = " ".join(turn.split())
                    if not 8 <= len(text) <= 160:
                        continue
                    sort = "own" if _FIRST.search(text) else "asked" if text.endswith("?") else "neutral"
                    found[sort][text] = None
    draw = random.Random(7)
    return {sort: sorted(draw.sample(sorted(some), min(MOST, len(some)))) for sort, some in found.items()}


if __name__ == "__main__":
    *sources, out = map(Path, sys.argv[1:])
    told = talk(sources)
    out.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    print({sort: len(some) for sort, some in told.items()})

"""Turns whose facts nobody has labelled, for a larger net to give its opinion of: `python -m training.turns DATA`.

Those of stores, talks, courses, and of the stories of blind sets that have been asked; with what was said before, each
second time.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from training.data import lines

FOUND_IN = ("stores/*.jsonl", "talks/*.jsonl", "courses/*.jsonl", "asked/*/stories.jsonl", "asked/*/life.jsonl",
            "asked/*/work.jsonl")  # fmt: skip
LONGEST = 600


def turns(folder: Path) -> list[dict[str, str]]:
    draw, found = random.Random(1), dict[str, dict[str, str]]()
    for told in lines(path for pattern in FOUND_IN for path in folder.glob(pattern)):
        said = [(turn.get("speaker") or "User", str(turn.get("text") or "")) for turn in told.get("turns") or ()]
        for place, (speaker, text) in enumerate(said):
            if 0 < len(text) <= LONGEST:
                before = [": ".join(one) for one in said[max(0, place - 2) : place]] if draw.random() < 0.5 else []
                found[text] = {"speaker": speaker, "text": text, "before": " ".join(before)}
    some = list(found.values())
    draw.shuffle(some)
    return some


if __name__ == "__main__":
    made = turns(Path(sys.argv[1]))
    (Path(sys.argv[1]) / "turns.json").write_text(json.dumps(made, ensure_ascii=False))
    print(len(made))

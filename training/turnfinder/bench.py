"""`bench.finding` with another turnfinder: `python -m training.turnfinder.bench MODEL_FOLDER [its options]`.

MODEL_FOLDER holds `model_int8.onnx` and `vocab.txt`, as `export` writes them. Their digests are not checked.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

from bench import finding
from treering.mind import open_embedder, turnfinder


def main() -> None:
    folder = Path(sys.argv.pop(1)).resolve()
    for name in turnfinder.DIGESTS:
        turnfinder.DIGESTS[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()

    def opened(name: str, **options: Any) -> Any:
        return open_embedder(name, folder=folder, **options)

    finding.open_embedder = opened  # type: ignore[assignment]
    finding.main()


if __name__ == "__main__":
    main()

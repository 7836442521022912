"""From trained weights to what is shipped: one int8 ONNX file.

`python -m training.export WEIGHTS NAME LAYERS PARTS DATA OUT.onnx`

The graph takes word pieces and gives what the heads say; heads over pieces of a message are given as matrices, to be
laid over means of the states (`pieces.npz` beside it).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training import data
from training.net import Net
from training.train import packed_weights

PIECE_HEADS = ("mood", "relation", "kind", "lasts", "importance", "worth")


class Whole(torch.nn.Module):
    """All that the graph gives, in a fixed order."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net
        self.names = [name for name, part in (("verdict", "judge"), ("role", "role")) if part in net.parts]
        if "read" in net.parts:
            self.names += ["cut", "tag", "name", "asks", "slot", "states"]

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        states = self.net.trunk(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]
        weight = attention_mask.unsqueeze(-1).float()
        mean = (states * weight).sum(1) / weight.sum(1)
        both, heads = torch.cat([states[:, 0], mean], 1), self.net.heads
        given: dict[str, Any] = {"states": states}
        for name in self.names:
            if name in ("verdict", "role"):
                given[name] = torch.softmax(heads[name](both), -1)
            elif name in ("cut", "tag", "name"):
                given[name] = torch.softmax(heads[name](states), -1)
            elif name == "asks":
                given[name] = torch.softmax(heads[name](mean), -1)
            elif name == "slot":
                given[name] = torch.nn.functional.normalize(heads[name](mean), dim=-1)
        return tuple(given[name] for name in self.names)


def main() -> None:
    weights, name, layers, parts, folder, out = sys.argv[1:7]
    net = Net(Path(folder) / "config.json", int(layers), len(data.relations()), frozenset(parts.split(",")), 0.0)
    net.trunk.config._attn_implementation = "eager"
    missing = net.load_state_dict(packed_weights(Path(weights), name), strict=False)
    assert not [key for key in missing.missing_keys if "position_ids" not in key], missing
    net.eval()
    whole = Whole(net)
    ids = torch.tensor([[101, 2054, 102, 2023, 2003, 102]])
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            whole, (ids, torch.ones_like(ids), torch.zeros_like(ids)), str(plain), opset_version=17, dynamo=False,
            input_names=["input_ids", "attention_mask", "token_type_ids"], output_names=whole.names,
            dynamic_axes={n: {0: "rows", 1: "places"} for n in ("input_ids", "attention_mask", "token_type_ids")}
            | {n: {0: "rows", 1: "places"} for n in whole.names if n in ("cut", "tag", "name", "states")}
            | {n: {0: "rows"} for n in whole.names if n not in ("cut", "tag", "name", "states")},
        )  # fmt: skip
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(plain, out, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
                         op_types_to_quantize=["MatMul", "Gather"])  # fmt: skip
    if "read" in net.parts:
        laid = {
            f"{head}.{part}": getattr(net.heads[head], part).detach().numpy()
            for head in PIECE_HEADS
            for part in ("weight", "bias")
        }
        if "list" in net.parts:
            for place, layer in (("inner", 0), ("outer", 2)):
                laid |= {f"part.{place}.{part}": getattr(net.heads["part"][layer], part).detach().numpy()
                         for part in ("weight", "bias")}  # fmt: skip
        np.savez(Path(out).with_name("pieces.npz"), **laid, relations=np.array(data.relations()))
    print(out, Path(out).stat().st_size, whole.names)


if __name__ == "__main__":
    main()

"""From weights to what is shipped: `python -m training.turnfinder.export WEIGHTS NAME DATA OUT_FOLDER [LAYERS]`.

One int8 ONNX graph: word pieces and their mask in, a vector of length one out. The word table is int8 with a scale for
each row; products are int8 by channel, with activations scaled as they come. OUT_FOLDER gets the model, the vocabulary
and the config; their digests are printed as `mind/turnfinder/__init__.py` wants them.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training.train import packed_weights
from training.turnfinder.net import Finder, base_weights

MODEL = "model_int8.onnx"


class Table(nn.Module):
    """The word table in eight bits, as it is stored in the graph."""

    def __init__(self, weight: Any) -> None:
        super().__init__()
        scale = weight.abs().amax(1, keepdim=True) / 127 + 1e-12
        self.register_buffer("tab", torch.round(weight / scale).to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, ids: Any) -> Any:
        return self.tab[ids].float() * self.scale[ids]


class Whole(nn.Module):
    def __init__(self, net: Finder) -> None:
        super().__init__()
        self.m = net.m

    def forward(self, input_ids: Any, attention_mask: Any) -> Any:
        states = self.m(input_ids=input_ids, attention_mask=attention_mask)[0]
        weight = attention_mask.unsqueeze(-1).float()
        mean = (states * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
        return mean / mean.norm(dim=-1, keepdim=True).clamp(min=1e-12)


def main() -> None:
    weights, name, folder, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    layers = int(sys.argv[5]) if len(sys.argv) > 5 else 6
    out.mkdir(parents=True, exist_ok=True)
    net = Finder(folder / "config.json", layers, attention="eager")
    net.begin(base_weights(folder / "base.npz") if name == "base" else packed_weights(weights, name))
    net.m.embeddings.word_embeddings = Table(net.m.embeddings.word_embeddings.weight.detach())
    whole = Whole(net).eval()
    ids = torch.tensor([[101, 2054, 2003, 2023, 1029, 102]])
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            whole, (ids, torch.ones_like(ids)), str(plain), opset_version=17, dynamo=False,
            input_names=["input_ids", "attention_mask"], output_names=["embedding"],
            dynamic_axes={"input_ids": {0: "rows", 1: "places"}, "attention_mask": {0: "rows", 1: "places"},
                          "embedding": {0: "rows"}},
        )  # fmt: skip
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(plain, out / MODEL, weight_type=QuantType.QInt8, per_channel=True,
                         op_types_to_quantize=["MatMul"], extra_options={"MatMulConstBOnly": True})  # fmt: skip
    for other in ("vocab.txt", "config.json"):
        shutil.copy(folder / other, out / other)
    check(whole, out / MODEL, layers)
    for each in (MODEL, "vocab.txt"):
        print(f'    "{each}": "{hashlib.sha256((out / each).read_bytes()).hexdigest()}",', (out / each).stat().st_size)


def check(whole: Whole, path: Path, layers: int) -> None:
    """The states that the loader asks for are there, and int8 gives what the weights give."""
    import onnx
    import onnxruntime

    states = f"/m/encoder/layer.{layers - 1}/output/LayerNorm/LayerNormalization_output_0"
    inside = {name for node in onnx.load(path).graph.node for name in node.output}
    assert states in inside, [name for name in inside if f"layer.{layers - 1}/output" in name]
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    draw = torch.Generator().manual_seed(1)
    for length in (8, 24, 120):
        ids = torch.randint(1996, 8000, (1, length), generator=draw)
        with torch.no_grad():
            exact = whole(ids, torch.ones_like(ids))[0]
        given = session.run(None, {"input_ids": ids.numpy(), "attention_mask": torch.ones_like(ids).numpy()})[0][0]
        print(
            "cosine of int8 to the weights,",
            length,
            "pieces:",
            round(float((exact * torch.from_numpy(given)).sum()), 4),
        )


if __name__ == "__main__":
    main()

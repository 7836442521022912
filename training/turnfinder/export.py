"""From weights to what is shipped:
`python -m training.turnfinder.export WEIGHTS NAME DATA OUT_FOLDER [LAYERS|judge] [SHARE]`.

One int8 ONNX graph: word pieces and their mask in, a vector of length one out; of a judge, the pieces of a question and
a turn with their types in, one number out. The word table, int8 with a scale for each row, lies beside the model, as it
is shared. Products are int8 by channel, with activations scaled as they come. OUT_FOLDER gets the model, the table, the
vocabulary and the config; their digests are printed as `mind/turnfinder/__init__.py` wants them. Of several NAMEs, with
commas between, the mean is taken; SHARE of the stock weights is mixed in.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn

from training.turnfinder.net import Finder, Judge
from training.turnfinder.train import start_weights
from treering.mind.word_table import NAME as WORDS_NAME
from treering.mind.word_table import with_words

MODEL, WORDS = "model_int8.onnx", "words.int8"


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


class Paired(nn.Module):
    def __init__(self, net: Judge) -> None:
        super().__init__()
        self.m, self.head = net.m, net.head

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        states = self.m(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]
        return self.head(states[:, 0])


def main() -> None:
    weights, name, folder, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    last = sys.argv[5] if len(sys.argv) > 5 else "6"
    layers = 6 if last == "judge" else int(last)
    out.mkdir(parents=True, exist_ok=True)
    net = (Judge if last == "judge" else Finder)(folder / "config.json", layers, attention="eager")
    stock = start_weights(folder, weights, "")
    some = [stock if one == "base" else start_weights(folder, weights, one) for one in name.split(",")]
    own = {key: sum(one[key] for one in some) / len(some) for key in some[0]}
    share = float(sys.argv[6]) if len(sys.argv) > 6 else 0.0
    net.begin({key: (1 - share) * value + share * stock.get(key, value) for key, value in own.items()})
    net.m.embeddings.word_embeddings = Table(net.m.embeddings.word_embeddings.weight.detach())
    inputs = ["input_ids", "attention_mask"] + ["token_type_ids"] * isinstance(net, Judge)
    output = "score" if isinstance(net, Judge) else "embedding"
    whole = (Paired(net) if isinstance(net, Judge) else Whole(net)).eval()
    ids = torch.tensor([[101, 2054, 2003, 2023, 1029, 102]])
    given = (ids, torch.ones_like(ids), torch.ones_like(ids))[: len(inputs)]
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            whole, given, str(plain), opset_version=17, dynamo=False, input_names=inputs, output_names=[output],
            dynamic_axes={**{one: {0: "rows", 1: "places"} for one in inputs}, output: {0: "rows"}},
        )  # fmt: skip
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(plain, out / MODEL, weight_type=QuantType.QInt8, per_channel=True,
                         op_types_to_quantize=["MatMul"], extra_options={"MatMulConstBOnly": True})  # fmt: skip
    model = onnx.load(out / MODEL)
    (out / WORDS).write_bytes(without_words(model))
    onnx.save(model, out / MODEL)
    for other in ("vocab.txt", "config.json", "tokenizer.json"):
        shutil.copy(folder / other, out / other)
    if isinstance(whole, Whole):
        check(whole, out / MODEL, layers)
    for each in (MODEL, "vocab.txt", WORDS):
        print(f'    "{each}": "{hashlib.sha256((out / each).read_bytes()).hexdigest()}",', (out / each).stat().st_size)


def without_words(model: Any) -> bytes:
    """Takes the word table out of an ONNX model, which asks for `words` in its place, and gives the table's bytes."""
    from onnx import numpy_helper

    graph = model.graph
    table = next(one for one in graph.initializer if one.name.split(".")[-1] == "tab")
    graph.initializer.remove(table)
    for node in graph.node:
        for place, name in enumerate(node.input):
            if name == table.name:
                node.input[place] = WORDS_NAME
    given: bytes = numpy_helper.to_array(table).tobytes()
    return given


def check(whole: Whole, path: Path, layers: int) -> None:
    """The states that the loader asks for are there, and int8 gives what the weights give."""
    import onnxruntime

    states = f"/m/encoder/layer.{layers - 1}/output/LayerNorm/LayerNormalization_output_0"
    inside = {name for node in onnx.load(path).graph.node for name in node.output}
    assert states in inside, [name for name in inside if f"layer.{layers - 1}/output" in name]
    joined = with_words(path.read_bytes(), (path.parent / WORDS).read_bytes())
    session = onnxruntime.InferenceSession(joined, providers=["CPUExecutionProvider"])
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

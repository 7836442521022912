"""From what is shipped back to weights, so that a training can go on from them:
`python -m training.restore MODEL_FOLDER OUT_FOLDER NAME`. What reads facts gets the name with `facts` before it.

What export has rounded stays rounded; a further training makes up for it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

_LAYER = re.compile(r"^/(.+)/MatMul_quant$")


def weights(folder: Path) -> dict[str, Any]:
    """By the names that the net has for them."""
    graph = onnx.load(str(folder / "model_int8.onnx")).graph
    given = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name.startswith("net.") and not name.endswith(("_quantized", "_scale", "_zero_point")):
            found[name.removeprefix("net.")] = value
        elif name.startswith("net.trunk.embeddings") and name.endswith("_quantized"):
            plain = name.removesuffix("_quantized")
            exact = value.astype(np.float32) - given[f"{plain}_zero_point"].astype(np.float32)
            found[plain.removeprefix("net.")] = exact * given[f"{plain}_scale"]
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            plain = node.input[1].removesuffix("_quantized")
            exact = (given[node.input[1]].astype(np.float32) - given[f"{plain}_zero_point"]) * given[f"{plain}_scale"]
            if plain.startswith("net."):  # a transposed layer, written as one
                found[plain.removeprefix("net.")] = exact.T
            elif (layer := _LAYER.match(node.name)) is not None:
                own = layer[1].replace("/", ".")
                found[(own if own.startswith("trunk") else f"heads.{own}") + ".weight"] = exact.T
    laid = np.load(folder / "pieces.npz")
    for name in (one for one in laid.files if one != "relations"):
        found["heads." + name.replace("part.inner", "part.0").replace("part.outer", "part.2")] = laid[name]
    return found


def fact_weights(folder: Path) -> dict[str, Any]:
    """Of what reads facts, but for its relations, whose list may change, and for what weighs values."""
    graph = onnx.load(str(folder / "facts_int8.onnx")).graph
    given = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {name.removeprefix("net."): value for name, value in given.items() if name.startswith("net.layers")}
    for node in graph.node:
        if node.op_type == "MatMulInteger" and (layer := _LAYER.match(node.name)) is not None:
            plain = node.input[1].removesuffix("_quantized")
            exact = (given[node.input[1]].astype(np.float32) - given[f"{plain}_zero_point"]) * given[f"{plain}_scale"]
            found[layer[1].replace("/", ".") + ".weight"] = exact.T
    laid = np.load(folder / "facts.npz")
    for name in laid.files:
        own, _, part = name.rpartition(".")
        if own == "mood" or own.endswith(("_query", "_key")):
            end, _, what = own.rpartition("_")
            found[f"{what}.{end}.{part}" if end else name] = laid[name]
    return found


if __name__ == "__main__":
    source, out, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    for called, made in ((name, weights(source)), (f"facts{name}", fact_weights(source))):
        np.savez(out / f"{called}_0.npz", **{key: value.astype(np.float16) for key, value in made.items()})

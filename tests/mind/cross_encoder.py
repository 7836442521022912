"""A cross-encoder of a few steps, as a file: the share of a text's word pieces that stand in the question as well."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import BertWordPieceTokenizer

from treering.mind.turnfinder import VOCABULARY, Turnfinder

CARRIED = Path(sys.modules[Turnfinder.__module__].__file__ or "").parent
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def written(folder: Path, *, outputs: int = 1, inputs: tuple[str, ...] = INPUTS) -> Path:
    """`outputs`: how many numbers it gives for a pair, where one is right."""
    folder.mkdir(parents=True, exist_ok=True)
    BertWordPieceTokenizer(str(CARRIED / VOCABULARY), lowercase=True).save(str(folder / "tokenizer.json"))
    onnx.save(_model(outputs, inputs), str(folder / "model.onnx"))
    return folder


def _model(outputs: int, inputs: tuple[str, ...]) -> onnx.ModelProto:
    node = helper.make_node
    ids, mask, kinds = (inputs[0], *INPUTS[1:])
    nodes = [
        node("Cast", [mask], ["there"], to=TensorProto.FLOAT),
        node("Cast", [kinds], ["second"], to=TensorProto.FLOAT),
        node("Sub", ["there", "second"], ["first"]),
        node("Unsqueeze", ["first", "last"], ["first_down"]),
        node("Unsqueeze", ["second", "middle"], ["second_across"]),
        node("Mul", ["first_down", "second_across"], ["pairs"]),
        node("Unsqueeze", [ids, "last"], ["ids_down"]),
        node("Unsqueeze", [ids, "middle"], ["ids_across"]),
        node("Equal", ["ids_down", "ids_across"], ["same"]),
        node("Cast", ["same"], ["alike"], to=TensorProto.FLOAT),
        node("Mul", ["pairs", "alike"], ["shared"]),
        node("ReduceMax", ["shared", "middle"], ["found"], keepdims=0),
        node("ReduceSum", ["found", "middle"], ["count"], keepdims=1),
        node("ReduceSum", ["second", "middle"], ["length"], keepdims=1),
        node("Div", ["count", "length"], ["share"]),
        node("Concat", ["share"] * outputs, ["logits"], axis=1),
    ]
    axes = {"middle": [1], "last": [2]}
    graph = helper.make_graph(
        nodes,
        "share",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs", "length"]) for name in (ids, mask, kinds)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", outputs])],
        [numpy_helper.from_array(np.array(value, np.int64), name) for name, value in axes.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)

"""Which word vectors do the finders and turnjudge read by? One table, joined to each model when it is opened.

Each of them began with the word vectors of all-MiniLM-L6-v2 and left them as they were. They are half of a model in
eight bits, so the package holds them once, beside the vocabulary, and the models without them. A model is a protobuf
message, to which a tensor is added by writing it behind (`inner_output` tells why).
"""

from __future__ import annotations

from treering.errors import Corrupted
from treering.mind.inner_output import field, varint

NAME = "words"
"""Of the tensor, in every model that wants it."""
WIDTH = 384
# as onnx.proto3 numbers them
_MODEL_GRAPH, _GRAPH_INITIALIZER = 7, 5
_TENSOR_DIMS, _TENSOR_NAME, _TENSOR_BYTES = 1, 8, 9
_ELEMENT_IS_INT8 = b"\x10\x03"  # field 2, a number: 3 stands for int8


def with_words(model: bytes, words: bytes) -> bytes:
    """`words`: one row of `WIDTH` signed bytes for each entry of the vocabulary."""
    rows, rest = divmod(len(words), WIDTH)
    if rest or not rows:
        raise Corrupted(f"a word table of {len(words)} bytes has no whole rows; reinstall the package it belongs to")
    dims = field(_TENSOR_DIMS, varint(rows) + varint(WIDTH))
    tensor = dims + _ELEMENT_IS_INT8 + field(_TENSOR_NAME, NAME.encode()) + field(_TENSOR_BYTES, words)
    return model + field(_MODEL_GRAPH, field(_GRAPH_INITIALIZER, tensor))

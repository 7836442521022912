"""How is a tensor inside an ONNX model made an output of it, when the file is to stay as it is?

A model file is one protobuf message, and protobuf lets messages be joined end to end: read as one, fields that hold a
message are merged and lists grow. So a few bytes put after those of the file, which say "a model whose graph has one
more output", add that output to the graph. The file is not written, its digest stays, and no ONNX library is needed.
"""

from __future__ import annotations

# field number * 8 + 2 (a field with a length), as onnx.proto3 numbers them
_MODEL_GRAPH = 7 << 3 | 2
_GRAPH_OUTPUT = 12 << 3 | 2
_VALUE_NAME = 1 << 3 | 2
_VALUE_TYPE = 2 << 3 | 2
_TYPE_TENSOR = 1 << 3 | 2
_ELEMENT_IS_FLOAT = b"\x08\x01"  # field 1, a number: 1 stands for float32. The shape is left to the runtime.


def with_output(model: bytes, tensor: str) -> bytes:
    """The model with that float32 tensor as its last output."""
    tensor_type = _field(_VALUE_TYPE, _field(_TYPE_TENSOR, _ELEMENT_IS_FLOAT))
    output = _field(_GRAPH_OUTPUT, _field(_VALUE_NAME, tensor.encode()) + tensor_type)
    return model + _field(_MODEL_GRAPH, output)


def _field(tag: int, body: bytes) -> bytes:
    return bytes([tag]) + _varint(len(body)) + body


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    low, more = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(more) if more else bytes([low])

"""How is a tensor inside an ONNX model made an output of it, when the file is to stay as it is?

A model file is one protobuf message, and protobuf lets messages be joined end to end: read as one, fields that hold a
message are merged and lists grow. So a few bytes put after those of the file, which say "a model whose graph has one
more output", add that output to the graph. The file is not written, its digest stays, and no ONNX library is needed.
"""

from __future__ import annotations

# fields with a length, as onnx.proto3 numbers them
_MODEL_GRAPH, _GRAPH_OUTPUT = 7, 12
_VALUE_NAME, _VALUE_TYPE = 1, 2
_TYPE_TENSOR = 1
_HAS_A_LENGTH = 2
_ELEMENT_IS_FLOAT = b"\x08\x01"  # field 1, a number: 1 stands for float32. The shape is left to the runtime.


def with_output(model: bytes, tensor: str) -> bytes:
    """The model with that float32 tensor as its last output."""
    return model + field(_MODEL_GRAPH, field(_GRAPH_OUTPUT, float_tensor(tensor)))


def float_tensor(name: str) -> bytes:
    """An input or output of a graph."""
    return field(_VALUE_NAME, name.encode()) + field(_VALUE_TYPE, field(_TYPE_TENSOR, _ELEMENT_IS_FLOAT))


def field(number: int, body: bytes) -> bytes:
    return varint(number << 3 | _HAS_A_LENGTH) + varint(len(body)) + body


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    low, more = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(more) if more else bytes([low])

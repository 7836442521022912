"""How is an ONNX model read as two, one after the other, when the file is to stay as it is?

The runtime computes a whole graph, whatever is asked of it: who wants the states behind the second layer pays for all
six. So the graph is cut at a few tensors: what leads to them is one model, and what goes on from them another. Weights
that both need lie in both, the others in one, and every number is computed as in the whole. A tensor that is known to
be zeros, as the mask of a text that nothing is added to, is not added. No ONNX library is needed: a model is a protobuf
message, of which only the lists of the graph are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from treering.errors import Corrupted
from treering.mind.inner_output import field, float_tensor

# as onnx.proto3 numbers them
MODEL_GRAPH = 7
NODE, INITIALIZER, INPUT, OUTPUT, VALUE_INFO = 1, 5, 11, 12, 13  # of a graph
NODE_INPUT, NODE_OUTPUT, NODE_KIND = 1, 2, 4
INITIALIZER_NAME, VALUE_NAME = 8, 1
_NUMBER, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5  # how a field is written


@dataclass(frozen=True, slots=True)
class ModelNode:
    written: memoryview
    inputs: frozenset[str]
    outputs: frozenset[str]
    kind: str


def cut_at(model: bytes, tensors: Sequence[str], zeros: str | None = None) -> tuple[bytes, bytes]:
    """Two models: the first has these float32 tensors as its outputs, the second takes them as its first inputs and has
    the outputs of the whole. `zeros`: a tensor of zeros, which is only added."""
    read = list(_fields(memoryview(model)))
    graphs = [body for number, body, _ in read if number == MODEL_GRAPH]
    if len(graphs) != 1:
        raise Corrupted("a model has no graph, or more than one; reinstall the package it belongs to")
    graph = graphs[0]
    around = b"".join(written for number, _, written in read if number != MODEL_GRAPH)
    nodes = [
        ModelNode(
            written, frozenset(_names(body, NODE_INPUT)), frozenset(_names(body, NODE_OUTPUT)), _name(body, NODE_KIND)
        )
        for number, body, written in _fields(graph)
        if number == NODE
    ]
    if zeros is not None:
        nodes = _without(nodes, zeros)
    missing = set(tensors).difference(*(node.outputs for node in nodes))
    if missing:
        raise Corrupted(f"a model has no tensor {min(missing)!r} to be cut at; reinstall the package it belongs to")
    ends = [(body, written) for number, body, written in _fields(graph) if number == OUTPUT]
    outputs = frozenset(_name(body, VALUE_NAME) for body, _ in ends)
    cut = frozenset(tensors)
    lower = _part(graph, _leading_to(nodes, cut, frozenset()))
    upper = _part(graph, _leading_to(nodes, outputs, cut))
    found = b"".join(field(OUTPUT, float_tensor(one)) for one in tensors)
    handed = b"".join(field(INPUT, float_tensor(one)) for one in tensors)
    return (
        around + field(MODEL_GRAPH, lower + found),
        around + field(MODEL_GRAPH, handed + upper + b"".join(written for _, written in ends)),
    )


def _without(nodes: list[ModelNode], zeros: str) -> list[ModelNode]:
    """What they were added to goes on as it is."""
    added = [node for node in nodes if zeros in node.inputs]
    if not added or any(node.kind != "Add" or len(node.inputs) != 2 for node in added):
        raise Corrupted(f"a model does not add {zeros!r}, or not only; reinstall the package it belongs to")
    instead = {made: other for node in added for made in node.outputs for other in node.inputs - {zeros}}
    return [_reading(node, instead) for node in nodes if zeros not in node.inputs]


def _reading(node: ModelNode, instead: Mapping[str, str]) -> ModelNode:
    """The node, with other tensors where it read these."""
    if node.inputs.isdisjoint(instead):
        return node
    ((_, body, _),) = _fields(node.written)
    parts = [
        field(NODE_INPUT, instead[name].encode())
        if number == NODE_INPUT and (name := str(one, "utf-8")) in instead
        else written
        for number, one, written in _fields(body)
    ]
    inputs = frozenset(instead.get(one, one) for one in node.inputs)
    return replace(node, written=memoryview(field(NODE, b"".join(parts))), inputs=inputs)


def _leading_to(nodes: list[ModelNode], wanted: frozenset[str], given: frozenset[str]) -> list[ModelNode]:
    """Those that are needed for what is wanted, in their order; what is given is not made."""
    missing, needed = wanted - given, []
    for node in reversed(nodes):  # each stands after those it needs
        if node.outputs & missing:
            needed.append(node)
            missing = (missing | node.inputs) - given
    return needed[::-1]


def _part(graph: memoryview, nodes: list[ModelNode]) -> bytes:
    """The graph with these nodes and what they read, without outputs."""
    read = frozenset[str]().union(*(node.inputs for node in nodes))
    named = {INITIALIZER: INITIALIZER_NAME, INPUT: VALUE_NAME}
    parts = [node.written for node in nodes]
    for number, body, written in _fields(graph):
        if number in named:
            parts += [written] if _name(body, named[number]) in read else []
        elif number not in (NODE, OUTPUT, VALUE_INFO):  # what is known of inner tensors the runtime finds out again
            parts.append(written)
    return b"".join(parts)


def _names(message: memoryview, wanted: int) -> list[str]:
    return [str(body, "utf-8") for number, body, _ in _fields(message) if number == wanted]


def _name(message: memoryview, wanted: int) -> str:
    return next((str(body, "utf-8") for number, body, _ in _fields(message) if number == wanted), "")


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Of each field its number, what it holds where that has a length, and all that is written of it. Nothing is
    copied: weights are most of a model."""
    at = 0
    while at < len(message):
        start = at
        tag, at = _number(message, at)
        body, kind = message[:0], tag & 7
        if kind == _LENGTH:
            size, at = _number(message, at)
            body, at = message[at : at + size], at + size
        elif kind == _NUMBER:
            _, at = _number(message, at)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        else:
            raise Corrupted(f"byte {start} of a model begins no field; reinstall the package it belongs to")
        if at > len(message):
            raise Corrupted(f"a model ends within its field at byte {start}; reinstall the package it belongs to")
        yield tag >> 3, body, message[start:at]


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first, and where it ends."""
    number = shift = 0
    while at < len(message):
        byte = message[at]
        number, shift, at = number | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return number, at
    raise Corrupted("a model ends within a number; reinstall the package it belongs to")

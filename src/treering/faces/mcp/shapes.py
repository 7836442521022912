"""What will an answer look like? JSON Schema of an operation's result, read off the types of its fields.

What is inside a field is not told: clients pay for every word, and `docs/reference` has it all.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Collection, Mapping
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Any

from treering.model.value import Value, plain
from treering.operation import Operation

_WORDS: dict[Any, str] = {
    str: "string",
    bytes: "string",
    datetime: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
RESULT = "result"
"""Under this name an answer stands that is no object of its own."""


def answer_schema(operation: Operation, only: Collection[str] | None = None) -> dict[str, Any]:
    """Of what `structured` gives. `only`: the fields to tell of; others may come too."""
    kind: Any = typing.get_type_hints(operation.method).get("return")
    if _is_value(kind):
        hints = _hints(kind)
        told = {
            one.name: shape(hints.get(one.name, Any)) for one in fields(kind) if only is None or one.name in only
        }  # fmt: skip
    else:
        inner = shape(kind)
        told = {} if inner == {"type": "object"} else {RESULT: inner}
    return {"type": "object", "properties": told, "required": list(told)} if told else {"type": "object"}


def structured(result: Any) -> dict[str, Any]:
    """An answer as a JSON object: as `to_dict` has it, or under `result` if it is a list or a word."""
    told = plain(result)
    return told if isinstance(told, dict) else {RESULT: told}


def shape(kind: Any) -> dict[str, Any]:
    """Of a type, as far as one word goes; nothing is said of what is not known."""
    if kind in _WORDS:
        return {"type": _WORDS[kind]}
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _either(inside)
    if origin is typing.Annotated:
        return shape(inside[0])
    plain_kind = origin or kind
    if not isinstance(plain_kind, type):
        return {}
    if issubclass(plain_kind, tuple | list | frozenset):
        return {"type": "array"}
    if issubclass(plain_kind, Enum):
        return {"type": "string"}
    if issubclass(plain_kind, Value | Mapping):
        return {"type": "object"}
    return {}


def _either(kinds: tuple[Any, ...]) -> dict[str, Any]:
    ways = [shape(one) for one in kinds]
    if {} in ways:
        return {}
    words = list(dict.fromkeys(one["type"] for one in ways))
    return {"type": words[0] if len(words) == 1 else words}


def _is_value(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Value) and hasattr(kind, "__dataclass_fields__")


def _hints(kind: Any) -> dict[str, Any]:
    """The types of a value's fields; one whose type is not there to be read is left open."""
    try:
        return typing.get_type_hints(kind)
    except NameError:
        return {one.name: hint for one in fields(kind) if (hint := _hint(kind, one.name)) is not None}


def _hint(kind: Any, name: str) -> Any:
    """The type of one field alone, as the module that wrote it down understands it."""
    home = next(one for one in kind.__mro__ if name in inspect.get_annotations(one))
    alone = type("Alone", (), {"__annotations__": {name: home.__annotations__[name]}, "__module__": home.__module__})
    try:
        return typing.get_type_hints(alone)[name]
    except NameError:
        return None

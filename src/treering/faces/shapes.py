"""What will an answer look like? JSON Schema of an operation's result, read off the types of its fields."""

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

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    bytes: {"type": "string"},
}
RESULT = "result"
"""Under this name an answer stands that is no object of its own."""


def answer_schema(operation: Operation, only: Collection[str] | None = None, *, deep: bool = False) -> dict[str, Any]:
    """Of what `structured` gives. `only`: the fields to tell of; others may come too. `deep`: also what is inside a
    field, with what is told twice under `$defs`; where clients pay for every word, it is not told."""
    kind = typing.get_type_hints(operation.method).get("return")
    told = _Shapes(deep)
    if _is_value(kind):
        return _with_defs(told.fields_of(kind, only), told.defs)
    inner = told.of(kind)
    if _is_either(kind) and all(_is_value(one) for one in typing.get_args(kind)):
        return _with_defs({"type": "object", **inner}, told.defs)
    if inner.get("type") == "object":
        return {"type": "object"}
    return _with_defs({"type": "object", "properties": {RESULT: inner}, "required": [RESULT]}, told.defs)


def structured(result: Any) -> dict[str, Any]:
    """An answer as a JSON object: as `to_dict` has it, or under `result` if it is a list or a word."""
    told = plain(result)
    return told if isinstance(told, dict) else {RESULT: told}


def _is_value(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Value) and hasattr(kind, "__dataclass_fields__")


def _is_either(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


def _with_defs(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "$defs": defs} if defs else schema


class _Shapes:
    """`deep`: values inside values are told too, each once."""

    def __init__(self, deep: bool) -> None:
        self.deep = deep
        self.defs: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        origin, inside = typing.get_origin(kind), typing.get_args(kind)
        if _is_either(kind):
            return self._either(inside)
        if origin is typing.Annotated:
            return self.of(inside[0])
        if origin in (tuple, list, frozenset) or kind in (tuple, list):
            return self._list(inside)
        if _is_value(kind):
            return self._named(kind)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string"} if not self.deep else {"type": "string", "enum": [one.value for one in kind]}
        if isinstance(origin or kind, type) and issubclass(origin or kind, Mapping):
            return {"type": "object"}
        return {}

    def fields_of(self, kind: Any, only: Collection[str] | None = None) -> dict[str, Any]:
        hints = _hints(kind)
        told = {one.name: self.of(hints.get(one.name, Any)) for one in fields(kind) if only is None or one.name in only}
        return {"type": "object", "properties": told, "required": list(told)}

    def _either(self, kinds: tuple[Any, ...]) -> dict[str, Any]:
        ways = [self.of(one) for one in kinds]
        if {} in ways:
            return {}
        if all(set(one) == {"type"} for one in ways):
            words = list(dict.fromkeys(one["type"] for one in ways))
            return {"type": words[0] if len(words) == 1 else words}
        return {"anyOf": ways}

    def _list(self, inside: tuple[Any, ...]) -> dict[str, Any]:
        items = self.of(inside[0]) if inside and self.deep else {}
        if len(inside) > 1 and Ellipsis not in inside:  # a pair of fixed length, of one kind in all results
            return {"type": "array", "items": items} if all(one == inside[0] for one in inside) else {"type": "array"}
        return {"type": "array", "items": items} if items else {"type": "array"}

    def _named(self, kind: Any) -> dict[str, Any]:
        if not self.deep:
            return {"type": "object"}
        if kind.__name__ not in self.defs:
            self.defs[kind.__name__] = {}  # first, for kinds that hold their own
            self.defs[kind.__name__] = self.fields_of(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}


def _hints(kind: Any) -> dict[str, Any]:
    """The types of a value's fields; one whose type is not there to be read is left open."""
    try:
        return typing.get_type_hints(kind)
    except NameError:
        found = {}
        for one in fields(kind):
            try:
                found[one.name] = typing.get_type_hints(_holder(kind, one.name))[one.name]
            except NameError:
                continue
        return found


def _holder(kind: Any, name: str) -> Any:
    """A class with that one field, in the module that wrote it down."""
    home = next(one for one in kind.__mro__ if name in inspect.get_annotations(one))
    return type("Holder", (), {"__annotations__": {name: home.__annotations__[name]}, "__module__": home.__module__})

"""How does an answer that came as JSON become the value it was? Read off the types of an operation's result.

The other way round is `model.value.plain`: together they change nothing.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any

from treering.errors import Fault
from treering.language.when.window import Window
from treering.model.meta import Meta
from treering.model.time import utc
from treering.operation import Operation

Read = Callable[[Any], Any]

_NAMED_LATE = {"Window": Window}
"""Types that a module names without importing them."""


def answer_of(operation: Operation, told: Any) -> Any:
    try:
        return _of(typing.get_type_hints(operation.method, include_extras=True)["return"])(told)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Fault(
            f"{operation.name}: the server answered in another way than this version knows ({error!r})"
        ) from error


@cache
def _of(kind: Any) -> Read:
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _of(inside[0])
    if origin in (typing.Union, types.UnionType):
        return _either(inside)
    if origin in (tuple, list, frozenset):
        each = [_of(one) for one in inside if one is not Ellipsis]
        if origin is tuple and len(each) > 1:
            return lambda told: tuple(read(one) for read, one in zip(each, told, strict=True))
        return lambda told: origin(each[0](one) for one in told)
    if kind is datetime:
        return utc
    if kind is bytes:
        return bytes.fromhex
    if kind is Meta:
        return Meta
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if is_dataclass(kind):
        return _value(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping) and len(inside) > 1:
        each_value = _of(inside[1])
        return lambda told: {name: each_value(one) for name, one in told.items()}
    return lambda told: told


def _either(kinds: tuple[Any, ...]) -> Read:
    """The first that fits; in our answers that is nothing, or the one other kind."""
    others = [_of(one) for one in kinds if one is not type(None)]
    if len(others) > 1:
        return lambda told: told
    return lambda told: None if told is None else others[0](told)


def _value(kind: Any) -> Read:
    found: dict[str, Read] = {}

    def read(told: Mapping[str, Any]) -> Any:
        if not found:  # late, for kinds that hold their own
            hints = typing.get_type_hints(kind, localns=_NAMED_LATE)
            found.update({one.name: _of(hints[one.name]) for one in fields(kind) if one.init})
        return kind(**{name: found[name](one) for name, one in told.items() if name in found})

    return read

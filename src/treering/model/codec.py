"""How is a value written down? Canonical JSON, and the way from frozen values to JSON objects and back.

A field that has its default is left out, and so are `space` and `recorded_at`, which the journal entry around the
value gives. Canonical means: keys sorted, no blanks, UTF-8, no NaN; equal values give equal bytes.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from treering.errors import Corrupted
from treering.model.time import to_text, utc

T = TypeVar("T")
GIVEN = frozenset({"space", "recorded_at"})

_writer = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: Any) -> str:
    return _writer.encode(value)


def encode(value: Any) -> dict[str, Any]:
    """A frozen value as a JSON object."""
    written: dict[str, Any] = {}
    for name, default in _written_fields(type(value)):  # type: ignore[arg-type]
        one = getattr(value, name)
        if one is not default and one != default:
            written[name] = _plain(one)
    return written


def decode(cls: type[T], data: Mapping[str, Any], **given: Any) -> T:
    """The value again. `given` is what was left out, handed on to the values inside."""
    known = _readers(cls)  # type: ignore[arg-type]
    try:
        read = {name: known[name](value, given) for name, value in data.items()}
        read.update((name, given[name]) for name in GIVEN & known.keys())
        return cls(**read)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Corrupted(f"cannot read {cls.__name__} from {canonical(dict(data))[:200]}: {error!r}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, datetime):
        return to_text(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return dict(value)
    return encode(value) if is_dataclass(value) else value


@cache
def _written_fields(cls: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(cls) if field.name not in GIVEN)


Reader = Callable[[Any, dict[str, Any]], Any]


@cache
def _readers(cls: Any) -> dict[str, Reader]:
    hints = typing.get_type_hints(cls)
    return {field.name: _reader(hints[field.name]) for field in fields(cls)}


def _reader(hint: Any) -> Reader:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        inner = _reader(next(one for one in arguments if one is not type(None)))
        return lambda value, given: None if value is None else inner(value, given)
    if origin is tuple:
        inner = _reader(arguments[0])
        return lambda value, given: tuple(inner(one, given) for one in value)
    if hint is datetime:
        return lambda value, given: utc(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value, given: hint(value)
    if is_dataclass(hint):
        return lambda value, given: decode(typing.cast(type, hint), value, **given)
    return lambda value, given: value

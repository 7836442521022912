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
from operator import attrgetter
from typing import Any, TypeVar

from treering.errors import Corrupted
from treering.model.time import to_text, utc

T = TypeVar("T")
GIVEN = frozenset({"space", "recorded_at"})

_json = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: Any) -> str:
    return _json.encode(value)


def encode(value: Any) -> dict[str, Any]:
    """A frozen value as a JSON object."""
    fetch, columns = _writers(type(value))  # type: ignore[arg-type]
    return {
        name: one if write is None else write(one)
        for one, (name, default, write) in zip(fetch(value), columns, strict=True)
        if one is not default and one != default
    }


def decode(cls: type[T], data: Mapping[str, Any], **given: Any) -> T:
    """The value again. `given` is what was left out, handed on to the values inside."""
    known = _readers(cls)  # type: ignore[arg-type]
    try:
        read = {name: known[name](value, given) for name, value in data.items()}
        read.update((name, given[name]) for name in GIVEN & known.keys())
        return cls(**read)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Corrupted(f"cannot read {cls.__name__} from {canonical(dict(data))[:200]}: {error!r}") from error


Writer = Callable[[Any], Any] | None


@cache
def _writers(cls: Any) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[tuple[str, Any, Writer], ...]]:
    """How to fetch the fields of a class in one go, and for each its name, default and the way to write it."""
    hints = typing.get_type_hints(cls)
    columns = tuple((one.name, one.default, _writer(hints[one.name])) for one in fields(cls) if one.name not in GIVEN)
    names = [name for name, _, _ in columns]
    if len(names) == 1:
        return (lambda value: (getattr(value, names[0]),)), columns
    return attrgetter(*names), columns


def _writer(hint: Any) -> Writer:
    """None for what is plain already."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        inner = _writer(next(one for one in arguments if one is not type(None)))
        return inner and (lambda value: None if value is None else inner(value))
    if origin is tuple:
        each = _writer(arguments[0])
        return list if each is None else (lambda value: [each(one) for one in value])
    if hint is datetime:
        return to_text
    if isinstance(hint, type) and issubclass(hint, Enum):
        return attrgetter("value")
    return encode if is_dataclass(hint) else None


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

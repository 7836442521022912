"""What do all values have in common? They are frozen, read well, and turn into plain data for the outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from datetime import datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar

from treering.model.time import to_text


class Value:
    """The manners of every frozen dataclass a caller can hold."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data: times as ISO text with `Z`, words as text, sequences as lists."""
        kind: Any = type(self)
        names, values = _fields(kind)
        return {
            name: value if type(value) in _AS_THEY_ARE else plain(value)
            for name, value in zip(names, values(self), strict=True)
        }

    def __repr__(self) -> str:
        told = (
            f"{field.name}={_brief(getattr(self, field.name))}"
            for field in fields(self)
            if not _is_default(field, getattr(self, field.name))
        )
        return f"{type(self).__name__}({', '.join(told)})"


@cache
def _fields(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], Iterable[Any]]]:
    """Their names, and all their values at once."""
    names = tuple(field.name for field in fields(kind))
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda value: [getattr(value, name) for name in names]


_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    kind: Any = type(value)
    return value if kind in _AS_THEY_ARE else _way(kind)(value)


@cache
def _way(kind: Any) -> Callable[[Any], Any]:
    """How values of a class become plain: looked up once for each class, since an answer has hundreds of values."""
    for known, way in _WAYS.items():
        if issubclass(kind, known):
            return way
    return lambda value: value


def _listed(values: Iterable[Any]) -> list[Any]:
    return [value if type(value) in _AS_THEY_ARE else plain(value) for value in values]


_WAYS: Mapping[type, Callable[[Any], Any]] = {
    Value: lambda value: value.to_dict(),
    datetime: to_text,
    Enum: lambda value: value.value,
    Mapping: lambda value: {key: plain(one) for key, one in value.items()},
    tuple: _listed,
    list: _listed,
    frozenset: _listed,
    bytes: bytes.hex,
}


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default is not MISSING:
        return bool(value == field.default)
    return value is None or value == ()


def _brief(value: Any) -> str:
    if isinstance(value, datetime):
        return to_text(value)
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str) and len(value) > 60:
        return repr(value[:59] + "…")
    return repr(value)

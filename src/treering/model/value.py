"""What do all values have in common? They are frozen, read well, and turn into plain data for the outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, ClassVar

from treering.model.time import to_text


class Value:
    """The manners of every frozen dataclass a caller can hold."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data: times as ISO text with `Z`, words as text, sequences as lists."""
        kind: Any = type(self)
        return {name: plain(getattr(self, name)) for name in _names(kind)}

    def __repr__(self) -> str:
        told = (
            f"{field.name}={_brief(getattr(self, field.name))}"
            for field in fields(self)
            if not _is_default(field, getattr(self, field.name))
        )
        return f"{type(self).__name__}({', '.join(told)})"


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    kind = type(value)
    if kind in _AS_THEY_ARE:  # most of an answer
        return value
    if kind is tuple or kind is list:  # and most of the rest
        return [plain(one) for one in value]
    match value:
        case Value():
            return value.to_dict()
        case datetime():
            return to_text(value)
        case Enum():
            return value.value
        case Mapping():
            return {key: plain(one) for key, one in value.items()}
        case tuple() | list() | frozenset():
            return [plain(one) for one in value]
        case bytes():
            return value.hex()
    return value


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

"""How is a value of another system's file understood? Times as seconds or text, lists and objects as JSON or as they
are. What cannot be understood is refused with what it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from treering.errors import InvalidRequest
from treering.model.time import utc

_MILLISECONDS = 10**11
"""Seconds beyond this lie past the year 5000: they are milliseconds."""


def time_of(value: object, name: str) -> datetime:
    """From seconds or milliseconds since 1970, or ISO text; text without an offset is UTC."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if abs(value) > _MILLISECONDS else value
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, OSError, ValueError):
            raise InvalidRequest(f"{name}: {value!r} is not a time") from None
    if isinstance(value, str) and value.strip():
        text = value.strip().replace(" ", "T")
        try:
            read = datetime.fromisoformat(text)
        except ValueError:
            raise InvalidRequest(f"{name}: {value!r} is not a time") from None
        return utc(read if read.tzinfo else read.replace(tzinfo=UTC), name)
    raise InvalidRequest(f"{name}: {value!r} is not a time")


def time_or_none(value: object, name: str) -> datetime | None:
    return None if value in (None, "") else time_of(value, name)


def texts(value: object) -> tuple[str, ...]:
    """From a list, or the JSON of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return (value,) if isinstance(value, str) and value else ()
    return tuple(str(one) for one in value if str(one).strip()) if isinstance(value, list | tuple) else ()


def fields(value: object) -> dict[str, Any]:
    """From an object, or the JSON of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return dict(value) if isinstance(value, Mapping) else {}


def whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

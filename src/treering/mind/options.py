"""Do the options fit the class that is to be made with them? A wrong one is told by name before anything is made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from treering.errors import InvalidRequest

T = TypeVar("T")


def made(who: str, made_by: Callable[..., T], options: Mapping[str, Any], see: str = "") -> T:
    """`who` opens the error, and `see` ends it: where such options are set."""
    try:
        inspect.signature(made_by).bind(**options)
    except TypeError as error:
        raise InvalidRequest(f"{who}: {error}{see}") from None
    return made_by(**options)

"""A property that is found once and kept: `functools.cached_property` without the lock that Python 3.11 takes for it.

Judging what is outdated looks at some hundreds of them for one question, and taking the locks took as long as finding
them. Two threads that ask at the same time may both find it: it is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["once"]

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801 - it is written as a decorator
        def __init__(self, find: Callable[[Any], Any]) -> None:
            self._find, self._name, self.__doc__ = find, find.__name__, find.__doc__

        def __get__(self, owner: Any, kind: type | None = None) -> Any:
            if owner is None:
                return self
            found = owner.__dict__[self._name] = self._find(owner)  # from now on it is found there first
            return found

"""The door for asyncio: the same operations, awaited.

Nothing is written twice: every operation of the door is called in a thread, so that the event loop is never held up.
What type checkers see is in `aio.pyi`, generated from the same signatures.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self

from treering import door


class AsyncTreering:
    """A door whose every operation is a coroutine."""

    def __init__(self, behind: Callable[[], door.Treering]) -> None:
        self._behind = behind
        self._opened: door.Treering | None = None
        self._opening = threading.Lock()

    def _door(self) -> door.Treering:
        """Opened once, also when several first calls come at the same time."""
        with self._opening:
            if self._opened is None:
                self._opened = self._behind()
            return self._opened

    def space(self, name: str) -> AsyncTreering:
        """The same door, bound to a space."""
        return AsyncTreering(lambda: self._door().space(name))

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        if name not in door.OPERATIONS:
            raise AttributeError(f"there is no operation {name!r}; there are: {', '.join(door.OPERATIONS)}")

        @functools.wraps(door.OPERATIONS[name].method)
        async def call(*args: Any, **kwargs: Any) -> Any:
            return await asyncio.to_thread(lambda: getattr(self._door(), name)(*args, **kwargs))

        return call

    async def close(self) -> None:
        if self._opened is not None:
            await asyncio.to_thread(self._opened.close)

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._door)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def open(*args: Any, **kwargs: Any) -> AsyncTreering:  # noqa: A001
    """As `treering.open`, for `async with`; the store is opened on entry or at the first call."""
    return AsyncTreering(lambda: door.open(*args, **kwargs))

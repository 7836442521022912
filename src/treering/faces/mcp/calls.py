"""How is the door asked on behalf of a client? In a thread, so that the client is heard meanwhile: it is told how far
long work is, and when it no longer wants the answer the work stops at its next step.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread

from treering.errors import CallerError, TreeringError, Unavailable
from treering.faces.mcp.tool import Tool, ToolAnswer

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

    from treering.faces.afar import Door
    from treering.ingest.extract.client import Sampler
    from treering.mind.model import ModelMessage

T = TypeVar("T")
log = logging.getLogger(__name__)
SECONDS_BETWEEN_TELLINGS = 0.2


class Abandoned(BaseException):
    """Nobody waits for the answer any more. No `Exception`: nothing on the way may take it for a failure to mend."""


class Call:
    """One call of a tool, from the arguments to what is told; and what the client may be asked in between."""

    def __init__(self, session: ServerSession, request_id: str | int | None, wants_progress: bool) -> None:
        self._session, self._request_id, self._wants_progress = session, request_id, wants_progress
        self._abandoned = threading.Event()
        self._told_at = 0.0
        self._loop: asyncio.AbstractEventLoop

    async def ask(self, door: Callable[[], Door], tool: Tool, arguments: dict[str, Any]) -> ToolAnswer:
        self._loop = asyncio.get_running_loop()
        work = partial(self._answered, door, tool, arguments)
        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            self._abandoned.set()
            raise

    def _answered(self, door: Callable[[], Door], tool: Tool, arguments: dict[str, Any]) -> ToolAnswer:
        """Runs in a thread of its own. Whatever goes wrong is told in words that can be acted on."""
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            return tool.call(self._attended(door()), given)
        except TreeringError as error:
            return failure(error)
        except Exception as error:
            log.error("%s: a fault of Treering itself (%r)", tool.name, error, exc_info=sys.flags.dev_mode)
            return failure(error)

    def _attended(self, door: Door) -> Door:
        return door.watched(self._progress).lent(self._sampler())

    def _progress(self, done: int, of: int) -> None:
        if self._abandoned.is_set():
            raise Abandoned
        now = time.monotonic()
        if self._wants_progress and (done >= of or now - self._told_at >= SECONDS_BETWEEN_TELLINGS):
            self._told_at = now
            self._wait_for(self._session.report_progress, done, of)

    def _sampler(self) -> Sampler | None:
        """The client's own model, where it lends one and can be asked."""
        lends = self._session.client_capabilities
        if lends is None or lends.sampling is None or not self._session.can_send_request:
            return None
        from treering.faces.mcp.sampling import sampled

        def sample(messages: Sequence[ModelMessage], max_tokens: int) -> str:
            words: str = self._wait_for(sampled, self._session, self._request_id, messages, max_tokens)
            return words

        return sample

    def _wait_for(self, ask: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> T:
        """From whatever thread the work is in. The client may be gone before it answers."""
        asked = asyncio.run_coroutine_threadsafe(ask(*arguments), self._loop)
        while not self._abandoned.is_set():
            try:
                return asked.result(SECONDS_BETWEEN_TELLINGS)
            except TimeoutError:
                if asked.done():
                    raise
        asked.cancel()
        raise Abandoned


def failure(error: Exception) -> ToolAnswer:
    """What a model can act on: the kind of error, what was wrong, how to mend it."""
    if not isinstance(error, TreeringError):
        message = f"a fault of Treering itself ({type(error).__name__}); nothing is half written"
        return ToolAnswer({"error": {"code": "fault", "message": message}}, f"fault: {message}", failed=True)
    from treering.faces.mcp.quoting import one_line

    words = f"{error.code}: {one_line(str(error))}"
    if isinstance(error, Unavailable):
        after = error.retry_after_seconds
        words += "; try again" + (f" in {after:g} seconds" if after else " later")
    elif isinstance(error, CallerError):
        words += " (nothing was changed)"
    return ToolAnswer({"error": {"code": error.code, "message": str(error)}}, words, failed=True)

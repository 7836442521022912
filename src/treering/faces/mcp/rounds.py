"""How is a client's model asked where a server has no way to ask back? Since the protocol of 2026 a call is answered
with what the server wants to know; the client has its model answer, and calls again with that.

Meanwhile the work waits here, in its thread. A client that does not come back is waited for no longer than a person
takes to allow it; then the reader reads what is left, so that nothing said is lost.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp_types.version import is_version_at_least

from treering.errors import Unavailable
from treering.faces.mcp.calls import SECONDS_BETWEEN_TELLINGS, Call
from treering.faces.mcp.sampling import request, words_of
from treering.faces.mcp.tool import Tool, ToolAnswer

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

    from treering.faces.afar import Door
    from treering.ingest.extract.client import Sampler
    from treering.mind.model import ModelMessage

SINCE = "2026-07-28"
PATIENCE_SECONDS = 120.0
MOST_ROUNDS = 8
"""Clients give up after ten."""
AT_ONCE = 16
"""So many texts are asked about in one round."""
MOST_WAITING = 32
_GATHERED_SECONDS = 0.05
"""Those that are asked about at the same time become known within this."""

Wanted = dict[str, types.InputRequest]


def by_rounds(session: ServerSession) -> bool:
    """Whether this client lends its model, and is to be asked in this way."""
    lends = session.client_capabilities
    return lends is not None and lends.sampling is not None and is_version_at_least(session.protocol_version, SINCE)


class Rounds(Call):
    """One call of a tool over as many requests as it takes."""

    def __init__(self, session: ServerSession, wants_progress: bool) -> None:
        super().__init__(session, None, wants_progress)
        self._asked: dict[str, tuple[types.CreateMessageRequest, Future[str]]] = {}
        self._numbers = itertools.count(1)
        self._sent: set[str] = set()
        self._news = asyncio.Event()
        self._rounds = 0
        self._left_alone = False

    async def begin(self, door: Callable[[], Door], tool: Tool, arguments: dict[str, Any]) -> ToolAnswer | Wanted:
        self._loop = asyncio.get_running_loop()
        self._work: asyncio.Future[ToolAnswer] = self._loop.create_future()
        inside = copy_context()
        threading.Thread(
            target=lambda: inside.run(self._done, door, tool, arguments), name="mcp call", daemon=True
        ).start()
        return await self._next()

    async def go_on(self, session: ServerSession, answers: Mapping[str, types.InputResponse]) -> ToolAnswer | Wanted:
        """With what the client's model said."""
        self._session = session
        for key in self._sent:
            _settle(self._asked.pop(key)[1], answers.get(key))
        return await self._next()

    @property
    def is_over(self) -> bool:
        return self._work.done()

    async def _next(self) -> ToolAnswer | Wanted:
        """What is told, or what must be known first."""
        news = asyncio.ensure_future(self._news.wait())
        either: set[asyncio.Future[Any]] = {self._work, news}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not self._work.done():
                await asyncio.sleep(_GATHERED_SECONDS)
            if self._work.done():
                return self._work.result()
        except asyncio.CancelledError:
            self._abandoned.set()
            raise
        finally:
            news.cancel()
        self._news.clear()
        self._rounds += 1
        self._sent = set(self._asked)
        return {key: asked for key, (asked, _) in self._asked.items()}

    # in the thread of the work

    def _done(self, door: Callable[[], Door], tool: Tool, arguments: dict[str, Any]) -> None:
        try:
            told = self._answered(door, tool, arguments)
        except BaseException:  # nobody waits for it any more
            return
        with suppress(RuntimeError):  # the server is gone
            self._loop.call_soon_threadsafe(self._work.set_result, told)

    def _progress(self, done: int, of: int) -> None:
        if self._rounds == 0 or self._abandoned.is_set():  # later requests have asked for an answer, not for news
            super()._progress(done, of)

    def _sampler(self) -> Sampler | None:
        return _Lent(self)

    def ask_model(self, messages: Sequence[ModelMessage], max_tokens: int) -> str:
        if self._left_alone or self._rounds >= MOST_ROUNDS:
            raise Unavailable("the client does not answer any more" if self._left_alone else "too many rounds")
        waits: Future[str] = Future()
        self._loop.call_soon_threadsafe(self._want, request(messages, max_tokens), waits)
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until and not self._loop.is_closed():
            with suppress(TimeoutError):
                return waits.result(SECONDS_BETWEEN_TELLINGS)
        self._left_alone = True
        raise Unavailable("the client did not come back with an answer")

    def _want(self, asked: types.CreateMessageRequest, waits: Future[str]) -> None:
        self._asked[f"read-{next(self._numbers)}"] = asked, waits
        self._news.set()


class _Lent:
    """The client's model, of which much may be asked at once."""

    at_once = AT_ONCE

    def __init__(self, call: Rounds) -> None:
        self._call = call

    def __call__(self, messages: Sequence[ModelMessage], max_tokens: int) -> str:
        return self._call.ask_model(messages, max_tokens)


def _settle(waits: Future[str], answer: types.InputResponse | None) -> None:
    if waits.done():
        return
    try:
        if not isinstance(answer, types.CreateMessageResult):
            raise TypeError("the client answered something else than was asked")
        waits.set_result(words_of(answer))
    except TypeError as error:
        waits.set_exception(error)


class PendingCalls:
    """Calls whose clients are to come back, each by a word that only that client was told, and that holds once."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[object, Rounds]] = {}

    @property
    def is_full(self) -> bool:
        self._calls = {word: one for word, one in self._calls.items() if not one[1].is_over}
        return len(self._calls) >= MOST_WAITING

    def put(self, owner: object, call: Rounds) -> str:
        word = secrets.token_urlsafe(24)
        self._calls[word] = owner, call
        return word

    def take(self, owner: object, word: str) -> Rounds | None:
        """None if there is no such call, or it is another's."""
        found = self._calls.get(word)
        if found is None or found[0] != owner:
            return None
        return self._calls.pop(word)[1]

"""How long may a connection take, and how much may it say before it asks for anything? Who sends a request must get on
with it, and who is answered must listen: half a header, half a body or an answer that nobody reads hold a connection
open for a while and no longer. A header has an end: the work of reading one grows with the square of its length.

What takes long here is not counted against the caller: an operation may run, and a stream of events may be silent.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treering.faces.rest.policy import ServerPolicy

    _Protocol = Any
else:
    _Protocol = object

LEAST_BYTES_A_SECOND = 1024
"""A body that comes faster than this may be as long as it likes in coming."""
HEAD_BYTES = 64 * 1024
"""The most that may come before the end of a head, or between two parts of a body."""
_CLOSING = b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout" + _CLOSING
_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large" + _CLOSING


def with_deadlines(protocol: Any, policy: ServerPolicy) -> Any:
    """The same protocol of the web server, for connections that end when they take too long."""
    told = {"policy": policy, "steps_are_told": hasattr(protocol, "on_body")}
    return type("Timed", (_Timed, protocol), told)


class _Timed(_Protocol):  # type: ignore[misc]
    """Over a protocol of the web server: what it is told, it hands on, and counts the time."""

    policy: ServerPolicy
    steps_are_told: bool
    """Else the parser has a bound of its own."""
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _asked: Any = None
    """The request whose body is coming."""
    _began = 0.0
    _received = 0
    _steps = 0
    _without_step = 0
    """Bytes since a head was complete or a part of a body came."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        before = self._steps
        super().data_received(data)
        self._without_step = 0 if self._steps != before else self._without_step + len(data)
        if self.steps_are_told and self._without_step > HEAD_BYTES:
            self._forget()
            self._end(_TOO_LONG)
            return
        request = self.cycle
        if request is None or request.response_complete:
            if self._timer is None and not self._is_idle():
                self._await_headers()
        elif request is not self._asked:
            self._asked, self._began, self._received = request, self.loop.time(), len(data)
            self._await_body()
        else:
            self._received += len(data)
            if not request.more_body:
                self._forget()

    def on_headers_complete(self) -> None:
        self._steps += 1
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._steps += 1
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._steps += 1
        super().on_message_complete()

    def connection_lost(self, error: Exception | None) -> None:
        self._forget()
        self._is_read()
        super().connection_lost(error)

    def on_response_complete(self) -> None:
        self._forget()
        super().on_response_complete()

    # what is waited for

    def _is_idle(self) -> bool:
        """Between two requests, with nothing of the next one: the web server's own timer runs."""
        return self.timeout_keep_alive_task is not None

    def _await_headers(self) -> None:
        self._forget()
        self._timer = self.loop.call_later(self.policy.header_seconds, self._give_up)

    def _await_body(self) -> None:
        self._forget()
        if not self._asked.more_body:
            return
        allowed = self.policy.body_seconds + self._received / LEAST_BYTES_A_SECOND
        left = self._began + allowed - self.loop.time()
        if left <= 0 and not self.flow.read_paused:  # else it is we who do not read on
            self._give_up()
        else:
            self._timer = self.loop.call_later(max(left, 1.0), self._await_body)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        self._end(_TOO_SLOW)

    def _end(self, saying: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(saying)
        self.transport.close()

    # an answer that is not read

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self.policy.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._is_read()
        super().resume_writing()

    def _is_read(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

"""What of what a client sends can be read? The rest is answered too: who asks for something waits for an answer."""

from __future__ import annotations

import json
import re
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream


class CheckedStream:
    """The messages of a stream. A request that no message can be made of is answered with what is wrong with it."""

    def __init__(self, incoming: ReadStream[SessionMessage | Exception], outgoing: WriteStream[SessionMessage]) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    @property
    def last_context(self) -> Any:
        """As the server knows it from its own streams."""
        return getattr(self._incoming, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        while True:
            heard = await self._incoming.receive()
            refused = refusal(heard) if isinstance(heard, ValidationError) else None
            if refused is None:
                return heard
            await self._outgoing.send(SessionMessage(refused))

    async def aclose(self) -> None:
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def refusal(error: ValidationError) -> types.JSONRPCError | None:
    """The answer to a line that is no message, if it asks for one: a request with its id. Python reads JSON that the
    protocol's own reader does not, such as half of a surrogate pair."""
    from treering.errors import InvalidRequest
    from treering.model.limits import must_be_whole

    wrong = error.errors(include_url=False)[0]
    asked = _request(wrong["input"])
    if asked is None:
        return None
    try:
        must_be_whole(asked, "the request")
        why = f"the request cannot be read: {wrong['msg']}"
    except InvalidRequest as half:
        why = str(half)
    return types.JSONRPCError(
        jsonrpc="2.0", id=asked["id"], error=types.ErrorData(code=types.INVALID_PARAMS, message=why)
    )


_ID = r'"id"\s*:\s*("[^"\\]{1,200}"|[0-9]{1,18})\s*'
_FIRST, _LAST = re.compile(_ID + "[,}]"), re.compile(_ID + r"}\s*$")
_ENDS = 500
"""Characters at either end of a line in which its method and its id are looked for."""


def _request(line: object) -> dict[str, Any] | None:
    try:
        read: Any = json.loads(line) if isinstance(line, str) else None
    except (ValueError, RecursionError):
        return _asked_by(str(line))
    asks = isinstance(read, dict) and "method" in read and isinstance(read.get("id"), int | str)
    return read if asks and str(read["id"]).isascii() else None


def _asked_by(line: str) -> dict[str, Any] | None:
    """Of what cannot be read, too deep or with a number of thousands of digits, who waits for an answer."""
    head, tail = line[:_ENDS].partition('"params"')[0], line[-_ENDS:]
    found = _FIRST.search(head) or _LAST.search(tail)
    return {"id": json.loads(found[1])} if found and '"method"' in line[:_ENDS] + tail else None

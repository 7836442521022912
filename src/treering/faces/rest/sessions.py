"""Which process holds an agent's session? The one that opened it: the session's id says so, and who else is asked sends
the request on, through that process's side door.

A session lives in one process since the agent can be asked in the middle of a call, and can take a call back. When its
process has died the session is not found, and the agent opens another, as the protocol has it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import anyio
import httpx
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treering.faces.rest.answers import refusal
from treering.faces.rest.post import Post, side_door

SESSION = "mcp-session-id"
_BETWEEN = "."
_NUMBER = re.compile(r"[0-9]{1,4}")
LOOK_SECONDS = 0.5
"""How often it is asked whether who opened a stream may still hear it."""
_OF_ONE_CONNECTION = frozenset({"connection", "keep-alive", "transfer-encoding", "x-request-id"})


class Sessions:
    """In place of the application that serves agents, where several processes do."""

    def __init__(self, app: ASGIApp, post: Post) -> None:
        self._app, self._folder, self._number = app, post.folder, str(post.number)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get(SESSION)
        own, _, number = (given or "").rpartition(_BETWEEN)
        if given is None or number == self._number:
            await self._app(_with_session(scope, own) if given else scope, receive, self._numbering(send))
        elif _NUMBER.fullmatch(number) and side_door(self._folder, int(number)).exists():
            await self._send_on(scope, receive, send, int(number))
        else:
            await _not_found(scope, receive, send)

    def _numbering(self, send: Send) -> Send:
        async def numbered(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                if SESSION in headers:
                    headers[SESSION] += _BETWEEN + self._number
                message = {**message, "headers": headers.raw}
            await send(message)

        return numbered

    async def _send_on(self, scope: Scope, receive: Receive, send: Send, number: int) -> None:
        request = Request(scope, receive)
        body = await request.body()
        inside = httpx.AsyncHTTPTransport(uds=str(side_door(self._folder, number)))
        headers = [*_passed_on(request.headers.raw), (b"x-request-id", scope["state"]["request"].encode())]
        client = httpx.AsyncClient(transport=inside, timeout=None, trust_env=False)
        async with client, anyio.create_task_group() as group:
            asked = client.build_request(request.method, str(request.url), headers=headers, content=body)
            try:
                answer = await client.send(asked, stream=True)
            except httpx.TransportError:  # it has just died
                await _not_found(scope, receive, send)
                return
            group.start_soon(_left, receive, group.cancel_scope)
            told = _passed_on(answer.headers.raw)
            await send({"type": "http.response.start", "status": answer.status_code, "headers": told})
            async for piece in answer.aiter_raw():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
            group.cancel_scope.cancel()


class EndsWithItsKey:
    """The same application, whose every answer ends when the key that asked for it is revoked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, ended, streams = False, False, False

        async def heard(message: Message) -> None:
            nonlocal begun, ended, streams
            begun, ended = True, message["type"] == "http.response.body" and not message.get("more_body")
            if message["type"] == "http.response.start":
                kind = Headers(raw=list(message.get("headers", ()))).get("content-type", "")
                streams = kind.startswith("text/event-stream")
            elif streams:
                message = {**message, "body": _on_one_line(message.get("body", b""))}
            await send(message)

        async with anyio.create_task_group() as group:
            group.start_soon(_until_revoked, scope["state"]["still"], group.cancel_scope)
            await self._app(scope, receive, heard)
            group.cancel_scope.cancel()
        if begun and not ended:
            await send({"type": "http.response.body", "body": b""})
        elif not begun:
            await refusal(401, "the key of this request does not hold any more")(scope, receive, send)


_BREAKS = ((b"\xe2\x80\xa8", rb"\u2028"), (b"\xe2\x80\xa9", rb"\u2029"), (b"\xc2\x85", rb"\u0085"))
"""Characters that end a line for some who read one, and how JSON writes them so that they do not."""


def _on_one_line(events: bytes) -> bytes:
    """What agents are told is JSON on a line: there these characters stand in texts alone."""
    for raw, escaped in _BREAKS:
        events = events.replace(raw, escaped)
    return events


async def _until_revoked(still: Callable[[], Awaitable[bool]], cancelled: anyio.CancelScope) -> None:
    while await still():
        await anyio.sleep(LOOK_SECONDS)
    cancelled.cancel()


def by_the_side_door(scope: Scope) -> bool:
    """Whether a request was sent on by another process of this server, which has let it in and counted it."""
    return scope.get("client") is None and scope.get("path") == "/mcp"


def _with_session(scope: Scope, session: str) -> Scope:
    headers = MutableHeaders(raw=list(scope["headers"]))
    headers[SESSION] = session
    return {**scope, "headers": headers.raw}


def _passed_on(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [one for one in headers if one[0].decode("latin-1").lower() not in _OF_ONE_CONNECTION]


async def _left(receive: Receive, cancelled: anyio.CancelScope) -> None:
    """An agent that leaves in the middle wants no more of the answer."""
    while (await receive())["type"] != "http.disconnect":
        pass
    cancelled.cancel()


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    await refusal(404, "there is no such session, or no longer; open another")(scope, receive, send)

"""How are clients served over HTTP? An application for any ASGI server, mounted in another (`rest/app`, `rest/agents`).

The caller says who may come: `doors` gives the door for a request, `admit` refuses what it may not have.
"""

from __future__ import annotations

from treering import extras

extras.need("mcp", "serving agents")

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from treering.faces.mcp.server import Admit, Doors, server

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

MOST_BODY_BYTES = 4 * 1024 * 1024
THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")


class HttpFace:
    """The application. Whoever mounts it enters `running()` in its own lifespan:

    async with mcp.running(): …           routes = [Route("/mcp", endpoint=mcp)]
    """

    def __init__(self, sessions: StreamableHTTPSessionManager) -> None:
        self._sessions = sessions

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._sessions.handle_request(scope, receive, send)


def http_app(
    doors: Doors,
    tools: str = "core",
    *,
    admit: Admit | None = None,
    hosts: Sequence[str] | None = THIS_MACHINE,
    most_body_bytes: int = MOST_BODY_BYTES,
) -> HttpFace:
    """`hosts`: the names under which clients may come; None where the server it is mounted in sees to that."""
    here = server(doors, tools, from_afar=True, admit=admit)
    manager = StreamableHTTPSessionManager(
        here, security_settings=_only(hosts), max_request_body_size=most_body_bytes, json_response=False
    )
    return HttpFace(manager)


def _only(hosts: Sequence[str] | None) -> TransportSecuritySettings:
    if hosts is None:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = [spelled for host in hosts for spelled in (host, f"{host}:*")]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in names]
    return TransportSecuritySettings(allowed_hosts=names, allowed_origins=origins)

"""Agents alone: `treering mcp --http`. The same gate, keys and guard as the whole server has, and no route but /mcp."""

from __future__ import annotations

from treering import extras

extras.need("server", "the server")

from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from treering.faces.mcp.http import http_app
from treering.faces.rest.app import caller_of
from treering.faces.rest.authenticator import Authenticator
from treering.faces.rest.dialects import RefusalDialects
from treering.faces.rest.gate import AccessGate
from treering.faces.rest.guarded import guarded
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.rate import Buckets
from treering.faces.rest.running import config_of
from treering.faces.rest.serve import listening_at
from treering.faces.rest.sessions import EndsWithItsKey

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from treering.door import Treering


def agents(door: Treering, policy: ServerPolicy) -> ASGIApp:
    strict = door if policy.private_webhooks else door.telling_only_public()
    mcp = http_app(lambda request: guarded(strict, caller_of(request)), policy.tools, hosts=None)
    app = Starlette(routes=[Route("/mcp", EndsWithItsKey(mcp))], lifespan=lambda _: mcp.running())
    return AccessGate(app, Authenticator(strict), policy, door.actor, Buckets(None), RefusalDialects(()))


def serve(open_door: Callable[[], Treering], tools: str, port: int) -> None:
    """On this machine, at /mcp, until it is told to stop."""
    policy = ServerPolicy(port=port, tools=tools, shutdown_seconds=5.0)
    with open_door() as door:
        config = config_of(agents(door, policy), policy)
        with listening_at(policy) as listening:
            uvicorn.Server(config).run(sockets=[listening])

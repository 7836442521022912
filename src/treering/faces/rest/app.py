"""The server as one application: its routes, what every request passes, and what runs beside them."""

from __future__ import annotations

from treering import extras

extras.need("server", "the server")

import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from treering.door import Treering
from treering.errors import TreeringError
from treering.faces.dialects import DIALECTS
from treering.faces.dialects.contract import Dialect
from treering.faces.dialects.longmem import LONGMEM
from treering.faces.mcp.http import HttpFace, http_app
from treering.faces.rest import dialects, files, longmem, progress, stream, whoami
from treering.faces.rest import page as people
from treering.faces.rest.answers import JsonResponse, Refusal, fault_told, left, refusal
from treering.faces.rest.authenticator import Authenticator
from treering.faces.rest.caller import Caller
from treering.faces.rest.describe import document
from treering.faces.rest.dialects import RefusalDialects
from treering.faces.rest.docs_page import POLICY, page
from treering.faces.rest.edges import behind_proxies, for_origins
from treering.faces.rest.frugal import GivesBack
from treering.faces.rest.gate import AccessGate
from treering.faces.rest.gauges import Gauges, embedding_counts
from treering.faces.rest.guarded import guarded
from treering.faces.rest.native import Native
from treering.faces.rest.page import HEADERS
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.post import Post
from treering.faces.rest.rate import Buckets
from treering.faces.rest.running import BackgroundWork
from treering.faces.rest.sessions import EndsWithItsKey, Sessions
from treering.faces.rest.soundness import Soundness
from treering.faces.rest.watch import ServerMetrics
from treering.mind import OVER_THE_NETWORK
from treering.version import VERSION


def application(
    door: Treering, policy: ServerPolicy, works: tuple[BackgroundWork, ...] = (), among: Post | None = None
) -> ASGIApp:
    """`among`: the post of this process, where several serve together."""
    door = door if policy.private_webhooks else door.telling_only_public()
    folder = None if among is None else among.folder
    native, watch = (
        Native(door, policy.threads_each, _questions(door, policy)),
        ServerMetrics(door.traces, folder, Gauges(door)),
    )
    door.hear_embedding(embedding_counts(watch.registry))
    chosen = DIALECTS[policy.dialect]
    voices = RefusalDialects((LONGMEM, chosen))
    mcp = http_app(lambda request: guarded(door, caller_of(request)), policy.tools, hosts=None)
    routes: list[BaseRoute] = [
        Route("/healthz", _alive),
        Route("/readyz", _Ready(door).answer),
        Route("/metrics", watch.metrics),
        Route("/openapi.json", _Description(policy.dialect).answer),
        Route("/docs", _docs),
        *people.routes(),
        *whoami.routes(),
        Route("/mcp", EndsWithItsKey(mcp) if among is None else Sessions(EndsWithItsKey(mcp), among)),
        *longmem.routes(native),
        *_spoken(native, watch, chosen),
        *files.routes(native),
        *stream.routes(native),
        *progress.routes(native),
        *native.routes(),
    ]
    # Were it among the handlers of the application, the connection would be cut after the answer: who asks on meets a
    # reset, for a fault that was another's.
    faults = {Exception: _refusing(voices, fault_told)}
    app = Starlette(
        routes=routes,
        lifespan=lambda _: _beside(door, works, policy, mcp),
        exception_handlers={
            ClientDisconnect: _refusing(voices, left),
            TreeringError: _refusing(voices, fault_told),
            HTTPException: _refusing(voices, _not_here),
        },
        middleware=[Middleware(ExceptionMiddleware, handlers=faults)],
    )
    gate = AccessGate(app, Authenticator(door), policy, door.actor, Buckets(folder), voices)
    outside = ExceptionMiddleware(gate, handlers=faults)
    return behind_proxies(watch.around(for_origins(outside, policy)), policy)


def _questions(door: Treering, policy: ServerPolicy) -> int:
    """How many are worked at together: as many as there are threads where they wait for the network."""
    at_hand = door.equipment()
    waits = at_hand.reranker or (at_hand.embedder or "").partition("/")[0] in OVER_THE_NETWORK
    return policy.threads_each if waits else policy.questions_each


def _spoken(native: Native, watch: ServerMetrics, dialect: Dialect) -> list[Route]:
    """The other systems' routes: of those that share paths, the dialect has them. What tells nothing of anybody is told
    by the server itself."""
    others = [one for one in DIALECTS.values() if one.prefix == dialect.prefix and one is not dialect]
    return [
        Route(f"{dialect.prefix}/health", _alive),
        Route(f"{dialect.prefix}/metrics", watch.metrics),
        *dialects.routes(native, dialect, others),
    ]


@asynccontextmanager
async def _beside(
    door: Treering, works: tuple[BackgroundWork, ...], policy: ServerPolicy, mcp: HttpFace
) -> AsyncIterator[None]:
    works = (*works, Soundness(door), GivesBack())
    threads = [threading.Thread(target=one.work, daemon=True) for one in works]
    for thread in threads:
        thread.start()
    try:
        async with mcp.running():
            yield
    finally:
        for one in works:
            one.stop()
        for thread in threads:
            await anyio.to_thread.run_sync(thread.join, policy.shutdown_seconds)


def caller_of(request: Request | None) -> Caller:
    assert request is not None, "over HTTP there is a request"
    caller: Caller = request.state.caller
    return caller


async def _alive(request: Request) -> Response:
    return JsonResponse({"status": "ok"})


class _Ready:
    def __init__(self, door: Treering) -> None:
        self._door = door

    async def answer(self, request: Request) -> Response:
        """Whether the store answers and can be written to: to a damaged file or a full disk nobody is to be sent."""
        await anyio.to_thread.run_sync(self._door.spaces)
        troubles = await anyio.to_thread.run_sync(self._door.troubles)
        if troubles:
            return refusal(503, "; ".join(troubles), "unavailable", {"Retry-After": "60"})
        return JsonResponse({"status": "ok", "version": VERSION})


class _Description:
    def __init__(self, dialect: str) -> None:
        self._dialect = dialect

    async def answer(self, request: Request) -> Response:
        return JsonResponse(document(self._dialect))


async def _docs(request: Request) -> Response:
    return HTMLResponse(page(), headers={**HEADERS, "Content-Security-Policy": POLICY})


def _refusing(
    voices: RefusalDialects, tell: Callable[[Exception, str | None], Refusal]
) -> Callable[[Request, Exception], Awaitable[JsonResponse]]:
    async def refuse(request: Request, error: Exception) -> JsonResponse:
        number = request.scope.get("state", {}).get("request")
        return voices.worded(request.scope["path"], tell(error, number))

    return refuse


def _not_here(error: Exception, request: str | None = None) -> Refusal:
    assert isinstance(error, HTTPException)
    said = {404: "there is nothing at this path; /docs lists what there is", 405: "this path is asked in another way"}
    return refusal(error.status_code, said.get(error.status_code, str(error.detail)), headers=error.headers)

"""What is going on? A number for every request, a line in the log, and counts for those who watch.

The log says which operation was asked for, by whom, with which key, about which space, how it ended and how long it
took; never what was said.
"""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treering.access.rights import Role
from treering.faces.rest.gauges import Gauges
from treering.faces.rest.sessions import by_the_side_door
from treering.traces import Traces, failed
from treering.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from treering.faces.rest.caller import Caller

LOG = logging.getLogger(__name__)
_OURS = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_STORES = frozenset({"/api/v1/memories", "/api/v1/memories/bulk", "/api/v1/import"})
_RECALLS = frozenset({"/api/v1/recall", "/api/v1/search"})
_NUMBERS = random.Random()
"""Nobody has to guess at them, and to ask the system for each would hand the interpreter to another thread."""
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class ServerMetrics:
    """The counts of one server: of all its processes together, where they share a `folder`."""

    def __init__(self, traces: Traces | None = None, folder: Path | None = None, gauges: Gauges | None = None) -> None:
        self._traces, self._folder, self._gauges = traces, folder, gauges
        self.registry = CollectorRegistry()
        named: dict[str, Any] = {"registry": self.registry, "namespace": "treering"}
        self._requests = Counter("requests", "Requests, by route and status.", ["route", "method", "status"], **named)
        self._seconds = Histogram("request_seconds", "How long they took.", ["route"], buckets=_SECONDS, **named)
        theirs: dict[str, Any] = {"registry": self.registry, "namespace": "ai_memory"}
        self._stored = Counter("store", "Calls of ai-memory's clients that store.", ["result"], **theirs)
        self._recalled = Counter("recall", "Calls of ai-memory's clients that recall or search.", ["result"], **theirs)
        self._at_once = Gauge("requests_in_progress", "Requests being answered.", multiprocess_mode="livesum", **named)
        Gauge("build", "Which version serves.", ["version"], multiprocess_mode="max", **named).labels(VERSION).set(1)

    async def metrics(self, request: Request) -> Response:
        """What is told of the store itself is for who may see all of it."""
        caller: Caller = request.state.caller
        caller.must_be(Role.READ)
        counts = self.registry if self._folder is None else _of_all(self._folder)
        told = generate_latest(counts)
        if self._gauges is not None and caller.sees_all:
            told += await anyio.to_thread.run_sync(self._gauges.told)
        return Response(told, media_type=CONTENT_TYPE_LATEST)

    def around(self, app: ASGIApp) -> ASGIApp:
        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            number = scope.setdefault("state", {})["request"] = _number(Headers(scope=scope))
            if by_the_side_door(scope):  # that was counted where it came in
                await app(scope, receive, send)
                return
            began, status, noted = time.monotonic(), [500], False

            def note() -> None:
                nonlocal noted
                if not noted:
                    noted = True
                    self._note(scope, number, status[0], time.monotonic() - began)

            async def numbered(message: Message) -> None:
                if message["type"] == "http.response.start":
                    status[0] = message["status"]
                    message["headers"] = [*message.get("headers", ()), (b"x-request-id", number.encode())]
                elif not message.get("more_body"):
                    note()  # who has the answer has been counted
                await send(message)

            with self._at_once.track_inprogress(), self._span(scope, status):
                try:
                    await app(scope, receive, numbered)
                finally:
                    note()

        return watched

    def _as_theirs(self, path: str, method: str) -> Counter | None:
        """Under which of ai-memory's own names a request is counted too."""
        if path in _STORES and method == "POST":
            return self._stored
        return self._recalled if path in _RECALLS else None

    @contextmanager
    def _span(self, scope: Scope, status: list[int]) -> Iterator[None]:
        """Which route it took, and how it ended, is known afterwards."""
        if self._traces is None:
            yield
            return
        method = scope["method"]
        with self._traces.span(method, {"http.request.method": method}, Headers(scope=scope)) as span:
            try:
                yield
            finally:
                _describe(span, f"{method} {_path(scope)}", _path(scope), status[0])

    def _note(self, scope: Scope, number: str, status: int, seconds: float) -> None:
        path = _path(scope)
        method = scope["method"] if scope["method"] in _METHODS else "other"  # anybody may make up more
        self._requests.labels(path, method, str(status)).inc()
        self._seconds.labels(path).observe(seconds)
        counted = self._as_theirs(path, method)
        if counted is not None:
            counted.labels("ok" if status < 400 else "err").inc()
        caller: Caller | None = scope.get("state", {}).get("caller")
        told = {
            "request": number,
            "method": scope["method"],
            "route": path,
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
            "caller": None if caller is None else caller.name,
            "key": None if caller is None else caller.key_id,
            "space": None if caller is None else ", ".join(caller.visit.spaces) or None,
            "client": (scope.get("client") or (None,))[0],
        }
        LOG.log(logging.WARNING if status >= 500 else logging.INFO, json.dumps(told, ensure_ascii=False))


def _path(scope: Scope) -> str:
    """As the route is written: what a caller put in its place may be anything."""
    return str(getattr(scope.get("route"), "path", "-")).replace(":path}", "}")


def _describe(span: Span, name: str, route: str, status: int) -> None:
    span.update_name(name)
    span.set_attribute("http.route", route)
    span.set_attribute("http.response.status_code", status)
    if status >= 500:
        failed(span, str(status))


def _of_all(folder: Path) -> CollectorRegistry:
    """What all processes have counted, those that have ended included."""
    counts = CollectorRegistry()
    MultiProcessCollector(counts, str(folder))  # type: ignore[no-untyped-call]
    return counts


def _number(headers: Headers) -> str:
    """The caller's own, if it can be one."""
    given = headers.get("x-request-id", "")
    return given if _OURS.fullmatch(given) else f"{_NUMBERS.getrandbits(64):016x}"

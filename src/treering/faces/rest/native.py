"""Treering's own routes: one for each operation of the door, made from the same table as every other face.

One of a space is at `/v1/spaces/{space}/{operation}`: by POST with its parameters as JSON, and if it only reads
by GET with them in the query. What concerns the whole store is at `/v1/{operation}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.door import OPERATIONS, Treering
from treering.errors import InvalidRequest
from treering.faces.afar import Door
from treering.faces.rest.answers import answer
from treering.faces.rest.asked import arguments_of, body_of
from treering.faces.rest.caller import Caller
from treering.faces.rest.guarded import guarded
from treering.faces.rest.rights import OVER_ALL, has_space
from treering.model.space import space_name
from treering.operation import Operation
from treering.values import dataclass

T = TypeVar("T")

BY_FILE = frozenset(
    {"add_file", "export", "import_journal", "backup", "import_vault", "receive_journal", "sync", "audit_export"}
)
"""Operations that name files of the machine they run on: over HTTP files travel in bodies, or not at all."""

QUESTIONS = frozenset({"recall", "context", "why_not"})
"""Operations that keep a core busy for as long as they last."""


@dataclass(frozen=True, slots=True)
class Routed:
    """One operation at one path, for the router and for the description."""

    operation: Operation
    path: str
    methods: tuple[str, ...]
    of_space: bool
    fixed: tuple[str, ...] = ()
    """Parameters that stand in the path."""


def listed() -> list[Routed]:
    """Every operation's routes, and those by which memories are met as resources."""
    routes = []
    for operation in OPERATIONS.values():
        if operation.name in BY_FILE:
            continue
        methods = ("GET", "POST") if operation.effect.reads_only else ("POST",)
        if has_space(operation):
            routes.append(Routed(operation, f"/v1/spaces/{{space}}/{operation.name}", methods, True))
        if not has_space(operation) or operation.name in OVER_ALL:
            routes.append(Routed(operation, f"/v1/{operation.name}", methods, False))
    return [*routes, *_resources()]


def _resources() -> list[Routed]:
    memories = "/v1/spaces/{space}/memories"
    one = memories + "/{id}"
    return [
        Routed(OPERATIONS["list"], memories, ("GET",), True),
        Routed(OPERATIONS["add"], memories, ("POST",), True),
        Routed(OPERATIONS["get"], one, ("GET",), True, ("id",)),
        Routed(OPERATIONS["forget"], one, ("DELETE",), True, ("id",)),
        Routed(OPERATIONS["history"], one + "/history", ("GET",), True, ("id",)),
    ]


class Native:
    def __init__(self, door: Treering, threads: int, questions: int) -> None:
        """`threads`: for all who ask; `questions`: how many of them may be at work on one."""
        self.door = door
        self._limiter: anyio.CapacityLimiter | None = None
        self._asking: anyio.CapacityLimiter | None = None
        self._threads, self._questions = threads, questions

    def routes(self) -> list[Route]:
        return [self._route(one) for one in sorted(listed(), key=lambda one: -len(one.path.split("/")))]

    def _route(self, routed: Routed) -> Route:
        async def endpoint(request: Request) -> Response:
            return await self.serve(request, routed)

        path = routed.path.replace("{space}", "{space:path}")
        return Route(path, endpoint, methods=list(routed.methods), name=routed.operation.name)

    async def serve(self, request: Request, routed: Routed) -> Response:
        operation = routed.operation
        arguments = await self._arguments(request, routed)
        later = operation.name == "remember" and _is_later(request)
        caller: Caller = request.state.caller
        if later:
            job = await self.call(caller, "enqueue", _for_later(arguments))
            return answer(job, 202, {"Location": f"/v1/spaces/{job.space}/job?id={job.id}"})
        return answer(await self.call(caller, operation.name, arguments))

    async def _arguments(self, request: Request, routed: Routed) -> dict[str, Any]:
        query = request.query_params
        if request.method == "POST":
            arguments = await body_of(request)
            for name in query:
                if name != "sync":
                    raise InvalidRequest(f"{name}: stands in the query; a POST has its parameters in the body")
        else:
            arguments = arguments_of(routed.operation, query)
        if request.method == "POST" and "idempotency-key" in request.headers and _has(routed.operation, "key"):
            arguments.setdefault("key", request.headers["idempotency-key"])
        arguments |= {name: request.path_params[name] for name in routed.fixed}
        if routed.of_space:
            space = space_name(request.path_params["space"])
            if arguments.setdefault("space", space) != space:
                raise InvalidRequest(f"space: {arguments['space']!r} is not the space of the path, {space!r}")
        return arguments

    async def call(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Any:
        """One operation, on behalf of who asks."""
        if name not in QUESTIONS:
            return await self.run(caller, lambda door: getattr(door, name)(**arguments))
        if self._asking is None:
            self._asking = anyio.CapacityLimiter(self._questions)
        async with self._asking:
            return await self.run(caller, lambda door: getattr(door, name)(**arguments))

    async def run(self, caller: Caller, ask: Callable[[Door], T]) -> T:
        """Asks the door, as this caller may use it, in a thread."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._threads)
        door = guarded(self.door, caller)
        return await anyio.to_thread.run_sync(ask, door, limiter=self._limiter)


def _has(operation: Operation, name: str) -> bool:
    return any(one.name == name for one in operation.parameters)


def _is_later(request: Request) -> bool:
    wish = request.query_params.get("sync", "false").lower()
    if wish not in ("true", "false", "1", "0"):
        raise InvalidRequest(f"sync: {wish!r} is neither true nor false")
    return wish in ("false", "0")


def _for_later(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.pop("dry_run", False):
        raise InvalidRequest("dry_run: says what would happen now; give ?sync=true")
    return arguments

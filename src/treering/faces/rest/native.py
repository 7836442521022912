"""Treering's own routes: one for each operation of the door, made from the same table as every other face.

One of a space is at `/v1/spaces/{space}/{operation}`: by POST with its parameters as JSON, and if it only reads
by GET with them in the query. What concerns the whole store is at `/v1/{operation}`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.access.keys import Role
from treering.door import OPERATIONS, Treering
from treering.errors import InvalidRequest
from treering.faces.rest.answers import answer
from treering.faces.rest.asked import arguments_of, body_of
from treering.faces.rest.caller import Caller
from treering.model.space import space_name
from treering.operation import Operation

ADMIN = frozenset(
    {"purge", "settings", "doctor", "reembed", "import_journal", "run_jobs", "key_create", "key_list", "key_revoke",
     "webhook_add", "webhook_list", "webhook_remove", "webhook_letters", "webhook_resend"}
)  # fmt: skip
"""What only an admin may do, besides removing."""
BY_FILE = frozenset({"add_file", "export", "import_journal", "backup", "import_vault"})
"""Operations that name files of the machine they run on: over HTTP files travel in bodies, or not at all."""
OVER_ALL = frozenset({"spaces", "verify", "doctor", "run_jobs"})
"""Operations that may be asked of the whole store."""

Call = Callable[[Request, Operation, dict[str, Any]], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Routed:
    """One operation at one path, for the router and for the description."""

    operation: Operation
    path: str
    methods: tuple[str, ...]
    of_space: bool
    fixed: tuple[str, ...] = ()
    """Parameters that stand in the path."""


def needs(operation: Operation) -> Role:
    if operation.effect.removes_bytes or operation.name in ADMIN:
        return Role.ADMIN
    return Role.READ if operation.effect.reads_only else Role.WRITE


def has_space(operation: Operation) -> bool:
    return any(one.name == "space" for one in operation.parameters)


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
    def __init__(self, door: Treering, threads: int) -> None:
        self.door = door
        self._limiter: anyio.CapacityLimiter | None = None
        self._threads = threads

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
        caller, space = self.admitted(request, operation, arguments)
        if later:
            job = await self.call(caller, space, "enqueue", _for_later(arguments))
            return answer(job, 202, {"Location": f"/v1/spaces/{space}/job?id={job.id}"})
        return answer(await self.call(caller, space, operation.name, arguments))

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

    def admitted(
        self, request: Request, operation: Operation, arguments: Mapping[str, Any]
    ) -> tuple[Caller, str | None]:
        """Whether this caller may ask this; and where."""
        caller: Caller = request.state.caller
        caller.must_be(needs(operation))
        caller.must_speak_for(arguments.get("principal"))
        space = arguments.get("space")
        if space is not None:
            below = arguments.get("children") not in (None, False, "false", "0", "")
            caller.must_open(str(space), below=below)
        elif operation.name != "spaces":
            caller.must_see_all()
        return caller, space

    async def call(self, caller: Caller, space: str | None, name: str, arguments: Mapping[str, Any]) -> Any:
        """Calls the door in a thread, on behalf of who asks."""
        door = self.door.acting_for(caller.name)
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._threads)
        result = await anyio.to_thread.run_sync(
            lambda: getattr(door, name)(**arguments), abandon_on_cancel=False, limiter=self._limiter
        )
        return result if caller.sees_all else _narrowed(caller, name, result)


def _narrowed(caller: Caller, name: str, result: Any) -> Any:
    """Without what would tell of spaces that the caller's key does not open."""
    if name == "spaces":
        return [one for one in result if caller.key is None or caller.key.opens(one.name)]
    if name == "status":
        return replace(result, spaces=1, store={"engine": result.store.get("engine")})
    return result


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

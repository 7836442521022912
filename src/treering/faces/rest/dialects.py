"""The other systems' routes: each dialect's, as its own data has them, asked of the door on behalf of who calls; and in
whose words a request is refused."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute

from treering.errors import TreeringError
from treering.faces.dialects.contract import Dialect, DialectRoute
from treering.faces.rest.answers import JsonResponse, Refusal, failure
from treering.faces.rest.asked import body_of
from treering.faces.rest.native import Native
from treering.model.value import plain

_AGENT = "x-agent-id"
_SLASHED = "{collection}"
"""A gap for a name that may hold slashes, as spaces do."""
_GAP = re.compile(r"\{[^}]*\}")
Handler = Callable[[Request], Awaitable[Response]]


def routes(native: Native, dialect: Dialect, others: Iterable[Dialect] = ()) -> list[HttpRoute]:
    """The dialect's own, and those of others that it shares no path with. Those with fewer gaps come first, so that a
    name is not taken for an id; and last those that end in a name with slashes in it, which would take all others."""
    ordered = sorted(
        spoken_by(dialect, others), key=lambda one: (one[1].path.endswith(_SLASHED), one[1].path.count("{"))
    )
    return [_route(native, by, route) for by, route in ordered]


def spoken_by(dialect: Dialect, others: Iterable[Dialect] = ()) -> Iterator[tuple[Dialect, DialectRoute]]:
    taken: set[str] = set()
    for one in (dialect, *others):
        yield from ((one, route) for route in one.routes if _shape(one, route) not in taken)
        taken |= {_shape(one, route) for route in one.routes}


def _shape(dialect: Dialect, route: DialectRoute) -> str:
    """The path with its gaps unnamed."""
    return _GAP.sub("{}", dialect.prefix + route.path)


def _route(native: Native, dialect: Dialect, route: DialectRoute) -> HttpRoute:
    async def answered(request: Request) -> Response:
        given = await _given(request, route)
        answer = await native.run(request.state.caller, lambda door: route(door, given))
        status = route.again if route.again and answer.get("created") is False else route.status
        return Response(status_code=204) if status == 204 else JsonResponse(plain(answer), status)

    path = (dialect.prefix + route.path).replace(_SLASHED, _SLASHED.replace("}", ":path}"))
    return HttpRoute(path, speaking(dialect, answered), methods=[route.method])


def speaking(dialect: Dialect, handle: Handler) -> Handler:
    """The same, with errors told as the dialect has them."""

    async def spoken(request: Request) -> Response:
        try:
            return await handle(request)
        except TreeringError as error:
            return _worded(dialect, failure(error))

    return spoken


def described_answers(statuses: Iterable[int]) -> dict[str, Any]:
    """For the description of a route: that system's own answers and refusals."""
    content: dict[str, Any] = {"application/json": {"schema": {}}}
    good = {"description": "As that system answers.", "content": content}
    return {
        **{str(one): {"description": "Done."} if one == 204 else good for one in statuses},
        "4XX": {"description": "Refused, in that system's shape.", "content": content},
        "5XX": {"description": "The store does not answer now.", "content": content},
    }


class RefusalDialects:
    """In whose words is a request refused that came to no route? In those of the system below whose prefix it asks."""

    def __init__(self, spoken: Iterable[Dialect]) -> None:
        self._spoken = {f"{one.prefix}/": one for one in spoken}

    def worded(self, path: str, refused: Refusal) -> JsonResponse:
        dialect = next((one for prefix, one in self._spoken.items() if f"{path}/".startswith(prefix)), None)
        return refused if dialect is None else _worded(dialect, refused)


def _worded(dialect: Dialect, refused: Refusal) -> JsonResponse:
    error = TreeringError(refused.message)
    error.code = refused.code
    return JsonResponse(dialect.fault(error), refused.status_code, refused.also)


async def _given(request: Request, route: DialectRoute) -> dict[str, Any]:
    """Path, query and body together; what the path says counts. Who reports it is who the header names, unless the
    body says it: with a key the actor is the key's own name."""
    query = {name: request.query_params.getlist(name) for name in request.query_params}
    said = {name: values[0] if len(values) == 1 else values for name, values in query.items()}
    body = await body_of(request, route.array) if request.method != "GET" else {}
    agent = request.headers.get(_AGENT)
    by = {"agent_id": agent} if agent and not route.tool.effect.reads_only and _names_agent(route) else {}
    return {**by, **said, **body, **request.path_params}


def _names_agent(route: DialectRoute) -> bool:
    return "agent_id" in route.tool.arguments.model_fields

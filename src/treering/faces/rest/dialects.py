"""The other systems' routes: each dialect's, as its own data has them, asked of the door on behalf of who calls."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute

from treering.errors import TreeringError
from treering.faces.dialects.contract import Dialect, Route
from treering.faces.rest.answers import Json, failure, status_of
from treering.faces.rest.asked import body_of
from treering.faces.rest.native import Native
from treering.model.value import plain

_AGENT = "x-agent-id"


def routes(native: Native, dialect: Dialect) -> list[HttpRoute]:
    """Those with fewer gaps first, so that a name is not taken for an id."""
    ordered = sorted(dialect.routes, key=lambda one: one.path.count("{"))
    return [_route(native, dialect, one) for one in ordered]


def _route(native: Native, dialect: Dialect, route: Route) -> HttpRoute:
    async def endpoint(request: Request) -> Response:
        try:
            given = await _given(request, route)
            answer = await native.run(request.state.caller, lambda door: route(door, given))
        except TreeringError as error:
            told = failure(error)
            return Json(dialect.fault(error), status_of(error), _kept(told.headers))
        return Response(status_code=204) if route.status == 204 else Json(plain(answer), route.status)

    return HttpRoute(dialect.prefix + route.path, endpoint, methods=[route.method])


async def _given(request: Request, route: Route) -> dict[str, Any]:
    """Path, query and body together; what the path says counts. Who reports it is who the header names, unless the
    body says it: with a key the actor is the key's own name."""
    query = {name: request.query_params.getlist(name) for name in request.query_params}
    said = {name: values[0] if len(values) == 1 else values for name, values in query.items()}
    body = await body_of(request, route.array) if request.method != "GET" else {}
    agent = request.headers.get(_AGENT)
    by = {"agent_id": agent} if agent and not route.tool.effect.reads_only and _names_agent(route) else {}
    return {**by, **said, **body, **request.path_params}


def _names_agent(route: Route) -> bool:
    return "agent_id" in route.tool.arguments.model_fields


def _kept(headers: Any) -> dict[str, str]:
    return {name: headers[name] for name in ("retry-after",) if name in headers}

"""Who am I to this server? The name in which a caller writes, what its key may do, and which spaces it opens."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.access.rights import Role
from treering.faces.rest.answers import JsonResponse
from treering.faces.rest.caller import Caller
from treering.version import VERSION

PATH = "/v1/whoami"


def routes() -> list[Route]:
    return [Route(PATH, _told, name="whoami")]


async def _told(request: Request) -> Response:
    caller: Caller = request.state.caller
    told = {
        "name": caller.name,
        "role": caller.role,
        "spaces": [*caller.rights.paths],
        "rights": [{"role": one.role, "path": one.path} for one in caller.rights.held],
        "by_key": caller.is_known,
        "version": VERSION,
    }
    return JsonResponse(told)


def described(refusals: dict[str, Any]) -> dict[str, Any]:
    """For the description of the routes."""
    text = {"type": "string"}
    right = {"type": "object", "required": ["role", "path"], "properties": {"role": {"enum": [*Role]}, "path": text}}
    shape = {
        "type": "object",
        "required": ["name", "role", "spaces", "rights", "by_key", "version"],
        "properties": {
            "name": {**text, "description": "In which name is written what you write."},
            "role": {"enum": [*Role, None], "description": "The highest that you have; null if you may do nothing."},
            "spaces": {"type": "array", "items": text, "description": "What is open to you; * is every space."},
            "rights": {"type": "array", "items": right, "description": "Which role you have where."},
            "by_key": {"type": "boolean", "description": "By a key or a token; false where the server needs none."},
            "version": text,
        },
    }
    answer = {"description": "Who you are here.", "content": {"application/json": {"schema": shape}}}
    told = {"operationId": "whoami", "summary": "Who am I to this server, and what may I do?"}
    return {PATH: {"get": {**told, "responses": {"200": answer, **refusals}}}}

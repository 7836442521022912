"""Who am I to this server? The name in which a caller writes, what its key may do, and which spaces it opens."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.faces.rest.answers import Json
from treering.faces.rest.caller import Caller
from treering.version import VERSION

PATH = "/v1/whoami"


def routes() -> list[Route]:
    return [Route(PATH, _told, name="whoami")]


async def _told(request: Request) -> Response:
    caller: Caller = request.state.caller
    spaces = ["*"] if caller.key is None else [*caller.key.spaces]
    told = {"name": caller.name, "role": str(caller.role), "spaces": spaces, "by_key": caller.key is not None}
    return Json({**told, "version": VERSION})


def described(refusals: dict[str, Any]) -> dict[str, Any]:
    """For the description of the routes."""
    text = {"type": "string"}
    shape = {
        "type": "object",
        "required": ["name", "role", "spaces", "by_key", "version"],
        "properties": {
            "name": {**text, "description": "In which name is written what you write."},
            "role": {"enum": ["read", "write", "admin"]},
            "spaces": {"type": "array", "items": text, "description": "What your key opens; * is every space."},
            "by_key": {"type": "boolean", "description": "False where the server has no keys yet."},
            "version": text,
        },
    }
    answer = {"description": "Who you are here.", "content": {"application/json": {"schema": shape}}}
    told = {"operationId": "whoami", "summary": "Who am I to this server, and what may I do?"}
    return {PATH: {"get": {**told, "responses": {"200": answer, **refusals}}}}

"""How far is it? A check of a whole journal takes a while: asked for as a stream of events it tells how many entries it
has seen, and at last its result; asked for plainly it answers as every operation does."""

from __future__ import annotations

import json
import queue
from collections.abc import AsyncIterator

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from treering.door import OPERATIONS
from treering.errors import TreeringError
from treering.faces.rest.answers import failure
from treering.faces.rest.guarded import guarded
from treering.faces.rest.native import Native, Routed
from treering.model.space import space_name
from treering.model.value import plain

LOOK_SECONDS = 0.1
_PATH = "/v1/spaces/{space}/verify"


def routes(native: Native) -> list[Route]:
    whole = Routed(OPERATIONS["verify"], _PATH, ("GET", "POST"), True)

    async def endpoint(request: Request) -> Response:
        if request.method == "GET" and "text/event-stream" in request.headers.get("accept", ""):
            return _watched(native, request)
        return await native.serve(request, whole)

    return [Route(_PATH.replace("{space}", "{space:path}"), endpoint, methods=["GET", "POST"], name="verify")]


def _watched(native: Native, request: Request) -> Response:
    space, caller = space_name(request.path_params["space"]), request.state.caller
    guarded(native.door, caller).must_allow("verify", space=space)
    steps: queue.SimpleQueue[tuple[int, int | None]] = queue.SimpleQueue()
    told: list[str] = []

    async def work() -> None:
        try:
            found = await native.run(caller, lambda door: door.watched(lambda *at: steps.put(at)).verify(space=space))
            told.append(_event("result", plain(found)))
        except TreeringError as error:
            told.append(_event("error", json.loads(bytes(failure(error).body))["error"]))

    async def lines() -> AsyncIterator[str]:
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            while not told:
                await anyio.sleep(LOOK_SECONDS)
                latest = None
                while not steps.empty():
                    latest = steps.get_nowait()
                if latest is not None:
                    yield _event("progress", {"done": latest[0], "of": latest[1]})
        yield told[0]

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def _event(kind: str, what: object) -> str:
    return f"event: {kind}\ndata: {json.dumps(what, ensure_ascii=False, default=str)}\n\n"

"""What happens, as it happens: the journal of a space as server-sent events.

Each event is one change, as `events` tells it; its id is where to go on from, so that a client that comes back with
`Last-Event-ID` misses nothing and sees nothing twice.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from treering.door import OPERATIONS
from treering.errors import InvalidRequest, TreeringError
from treering.faces.rest.caller import Caller, ServedRequest
from treering.faces.rest.native import Native, Routed
from treering.graph.happened import Happenings
from treering.model import limits
from treering.model.space import space_name

LOOK_SECONDS = 0.5
ALIVE_SECONDS = 15.0
_AT_ONCE = 200
_PATH = "/v1/spaces/{space}/events"


def routes(native: Native) -> list[Route]:
    page = Routed(OPERATIONS["events"], _PATH, ("GET", "POST"), True)

    async def endpoint(request: Request) -> Response:
        if request.method == "GET" and "text/event-stream" in request.headers.get("accept", ""):
            return await _stream(native, request)
        return await native.serve(request, page)

    return [Route(_PATH.replace("{space}", "{space:path}"), endpoint, methods=["GET", "POST"], name="events")]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(limits.SEQ)) and int(text) <= limits.SEQ


async def _stream(native: Native, request: Request) -> Response:
    space = space_name(request.path_params["space"])
    caller: Caller = request.state.caller
    await native.call(caller, "events", {"space": space, "limit": 1})  # refused before the answer has begun
    # that it was opened is recorded, not every look
    looking = replace(caller, visit=ServedRequest(caller.visit.request))
    given = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    seq, _, index = given.partition(".")
    if not _is_number(seq) or (index and not _is_number(index)):
        raise InvalidRequest(f"Last-Event-ID: {given[:60]!r} is not the id of an event, such as 17.0")
    reached, seen = (int(seq) - 1, int(index)) if index else (int(seq), -1)

    async def lines() -> AsyncIterator[str]:
        after, skip, silent = max(reached, 0), (reached + 1, seen), 0.0
        while not await request.is_disconnected():
            try:
                if not await request.state.still():
                    yield 'event: end\ndata: "the key does not hold any more"\n\n'
                    return
                asked = {"space": space, "after": after, "limit": _AT_ONCE}
                happened: Happenings = await native.call(looking, "events", asked)
            except TreeringError as error:
                yield f"event: error\ndata: {json.dumps(str(error))}\n\n"
                return
            for one in happened.events:
                if (one.seq, one.index) > skip:
                    told = json.dumps(one.to_dict(), ensure_ascii=False)
                    yield f"id: {one.seq}.{one.index}\nevent: {one.type}\ndata: {told}\n\n"
                    silent = 0.0
            after = happened.after
            if not happened.more:
                await anyio.sleep(LOOK_SECONDS)
                silent += LOOK_SECONDS
            if silent >= ALIVE_SECONDS:
                yield ": alive\n\n"
                silent = 0.0

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})

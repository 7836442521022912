"""LongMem's routes, below `/v1/memory`: those that its dialect has as data, and what only HTTP knows. What is told may
be read later and asked about by a number; files come as parts of a form."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from pydantic import Field
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.errors import InvalidRequest, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import Arguments, checked
from treering.faces.dialects.longmem import LONGMEM
from treering.faces.dialects.longmem.places import known
from treering.faces.dialects.longmem.told import RELATIONS, REVISIONS, collection_of, told
from treering.faces.dialects.namespaces import space_of
from treering.faces.rest import dialects
from treering.faces.rest.answers import Json
from treering.faces.rest.asked import body_of
from treering.faces.rest.native import Native
from treering.files import Sent
from treering.model.job import Job
from treering.model.memory import Memory
from treering.model.value import plain

PREFIX = LONGMEM.prefix
_YES = ("true", "1")
_OF_A_FACT = ("id", "text", "type", "expires_at", "is_latest")


class Content(Arguments):
    content: str = Field(min_length=1)


def routes(native: Native) -> list[Route]:
    serving = _Serving(native)
    one = "/collections/{collection}"
    own: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
        ("POST", one + "/remember", serving.remember),
        ("POST", one + "/drop", serving.drop),
        ("GET", "/extract/job/{id}", partial(serving.told_of, extraction)),
        ("GET", "/ingest/batch/{id}", partial(serving.told_of, batch)),
    ]
    ours = [Route(PREFIX + path, dialects.speaking(LONGMEM, ask), methods=[method]) for method, path, ask in own]
    return [*ours, *dialects.routes(native, LONGMEM)]


class _Serving:
    def __init__(self, native: Native) -> None:
        self._native = native

    async def told_of(self, ask: Callable[[Door, str], Any], request: Request) -> Response:
        number = request.path_params["id"]
        return Json(plain(await self._native.run(request.state.caller, lambda door: ask(door, number))))

    async def remember(self, request: Request) -> Response:
        said = checked(Content, await body_of(request), "remember")
        space = space_of(request.path_params["collection"])
        at_once = request.query_params.get("sync", "false").lower() in _YES
        if not at_once:
            asked = {"content": said.content, "space": space}
            job = await self._native.call(request.state.caller, "enqueue", asked)
            return Json({"job_id": job_number(job), "status": job.status.value}, 202)

        def now(door: Door) -> Any:
            receipt = door.remember(said.content, space=space)
            again = [one.memory_id for one in receipt.duplicates]
            return {"facts": facts_of(door, space, [*(one.id for one in receipt.memories), *again])}

        return Json(plain(await self._native.run(request.state.caller, now)))

    async def drop(self, request: Request) -> Response:
        """A file, or several, each as it stands. They are read at once; who asks for it later is answered with a batch,
        and one file that cannot be read does not keep the others out."""
        space = space_of(request.path_params["collection"])
        made: list[dict[str, Any]] = []
        async with request.form(max_files=100, max_fields=50) as form:
            files = [one for _, one in form.multi_items() if isinstance(one, UploadFile)]
            wish = str(form.get("async_ingest") or request.query_params.get("async_ingest") or "false").lower()
            if not files:
                raise InvalidRequest("file: send at least one file as a part of the form")
            for file in files:
                given = {"file": Sent(await file.read(), file.filename or "file.txt"), "space": space}
                try:
                    receipt = await self._native.call(request.state.caller, "add_file", given)
                except InvalidRequest:
                    if len(files) == 1 and wish not in _YES:
                        raise
                    continue
                made.append({"file": file.filename, "memories": [one.id for one in receipt.memories]})
        failed = len(files) - len(made)
        if wish not in _YES:
            told = {"files": made, "memories": sum(len(one["memories"]) for one in made), "failed": failed}
            return Json(told, 201)
        number = _number(f"{len(made)}/{failed} {space}")
        return Json({"batch_id": number, "queued": len(files)}, 202)


# what is done later


def extraction(door: Door, number: str) -> Any:
    job_id, space = _read_number(number)
    job = door.job(job_id, space=space)
    ids = list(job.result.memory_ids) if job.result is not None else []
    trouble = "; ".join(one.message for one in job.errors) or None
    return {"job_id": number, "status": job.status, "facts": facts_of(door, space, ids), "error": trouble}


def batch(door: Door, number: str) -> Any:
    """It was done before its number was given: the number tells how it went."""
    counts, space = _read_number(number)
    done, _, failed = counts.partition("/")
    if not (done.isdecimal() and failed.isdecimal()):
        raise NotFound(f"there is no batch {number!r}")
    known(door, collection_of(space))
    total = int(done) + int(failed)
    return {"batch_id": number, "total": total, "done": int(done), "failed": int(failed), "complete": True}


def job_number(job: Job) -> str:
    """A job is found by its space and id: the number that clients hold tells both."""
    return _number(f"{job.id} {job.space}")


def _number(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_number(number: str) -> tuple[str, str]:
    try:
        first, _, space = base64.urlsafe_b64decode(number + "=" * (-len(number) % 4)).decode().partition(" ")
    except (binascii.Error, ValueError):
        first, space = "", ""
    if not space:
        raise NotFound(f"there is no job {number!r}")
    return first, space


# as LongMem shows things


def facts_of(door: Door, space: str, ids: list[str]) -> list[dict[str, Any]]:
    return [_fact(door, door.get(one, space=space)) for one in dict.fromkeys(ids)]


def _fact(door: Door, memory: Memory) -> dict[str, Any]:
    about = told(memory)
    links = door.graph(memory.id, relations=list(RELATIONS), depth=1, direction="out", space=memory.space).edges
    ends = ((one.relation, REVISIONS.client_id(door.get(one.target_id, space=memory.space))) for one in links)
    relation, other = next(((RELATIONS[name], end) for name, end in ends if end != about["id"]), ("none", None))
    return {**{name: about[name] for name in _OF_A_FACT}, "relation": relation, "related_id": other}

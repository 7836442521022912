"""LongMem's routes, below `/v1/memory`: those that its dialect has as data, and what only HTTP knows. What is told may
be read later and asked about by a number; files come as parts of a form."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.errors import InvalidRequest, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import checked
from treering.faces.dialects.longmem import LONGMEM
from treering.faces.dialects.longmem.places import known
from treering.faces.dialects.longmem.remembering import Told, facts_of, remembered
from treering.faces.dialects.longmem.told import collection_of
from treering.faces.rest import dialects
from treering.faces.rest.answers import JsonResponse
from treering.faces.rest.asked import body_of
from treering.faces.rest.native import Native
from treering.files import Sent
from treering.model.job import Job
from treering.model.namespaces import space_of
from treering.model.value import plain

PREFIX = LONGMEM.prefix
REMEMBER = PREFIX + "/collections/{collection}/remember"
DROP = PREFIX + "/collections/{collection}/drop"
JOB, BATCH = PREFIX + "/extract/job/{id}", PREFIX + "/ingest/batch/{id}"
_YES = ("true", "1")
_IN_QUERY = ("at", "session", "speaker")
"""Of what is told, this may also stand in the query."""


def routes(native: Native) -> list[Route]:
    serving = _Serving(native)
    own: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
        ("POST", REMEMBER, serving.remember),
        ("POST", DROP, serving.drop),
        ("GET", JOB, partial(serving.told_of, extraction)),
        ("GET", BATCH, partial(serving.told_of, batch)),
    ]
    ours = [
        Route(path.replace("{collection}", "{collection:path}"), dialects.speaking(LONGMEM, ask), methods=[method])
        for method, path, ask in own
    ]
    return [*ours, *dialects.routes(native, LONGMEM)]


class _Serving:
    def __init__(self, native: Native) -> None:
        self._native = native

    async def told_of(self, ask: Callable[[Door, str], Any], request: Request) -> Response:
        number = request.path_params["id"]
        return JsonResponse(plain(await self._native.run(request.state.caller, lambda door: ask(door, number))))

    async def remember(self, request: Request) -> Response:
        collection, asked = request.path_params["collection"], request.query_params
        body = {
            **{name: asked[name] for name in _IN_QUERY if name in asked},
            **await body_of(request),
        }
        said = checked(Told, body, "remember")
        if asked.get("sync", "false").lower() not in _YES:
            job = await self._native.call(request.state.caller, "enqueue", said.as_asked(collection))
            return JsonResponse({"job_id": job_number(job), "status": job.status.value}, 202)
        return JsonResponse(
            plain(await self._native.run(request.state.caller, lambda door: remembered(door, said, collection)))
        )

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
            return JsonResponse(told, 201)
        number = _number(f"{len(made)}/{failed} {space}")
        return JsonResponse({"batch_id": number, "queued": len(files)}, 202)


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


# for the description of the routes


def described(hoisted: Callable[[Mapping[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """`hoisted`: puts the definitions of a schema among the shared ones."""
    told = hoisted(Told.model_json_schema())
    told.pop("title", None)
    read = _asked_by_number("extract_job", "What came of something told that was to be read later.")
    taken_in = _asked_by_number("ingest_batch", "How many files of a form were taken in.")
    remember = {
        **_named("remember", "Remember what was said: later, or at once if `sync` is true."),
        "parameters": [_COLLECTION, _wish("sync"), *(_in_query(one, told["properties"][one]) for one in _IN_QUERY)],
        "requestBody": _body("application/json", told),
        "responses": dialects.described_answers((200, 202)),
    }
    drop = {
        **_named("drop", "Take in files: the parts of a form that are files, under whatever names."),
        "parameters": [_COLLECTION, _wish("async_ingest")],
        "requestBody": _body("multipart/form-data", _FORM),
        "responses": dialects.described_answers((201, 202)),
    }
    return {REMEMBER: {"post": remember}, DROP: {"post": drop}, JOB: {"get": read}, BATCH: {"get": taken_in}}


_COLLECTION = {"name": "collection", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
_NUMBER = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {"file": {"type": "string", "format": "binary"}, "async_ingest": {"enum": ["true", "false"]}},
}


def _named(name: str, summary: str) -> dict[str, Any]:
    return {"operationId": f"longmem_{name}", "summary": summary, "tags": [LONGMEM.name]}


def _asked_by_number(name: str, summary: str) -> dict[str, Any]:
    return {**_named(name, summary), "parameters": [_NUMBER], "responses": dialects.described_answers((200,))}


def _wish(name: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "boolean", "default": False}}


def _in_query(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    shape = {key: value for key, value in schema.items() if key != "description"}
    return {"name": name, "in": "query", "schema": shape, "description": schema.get("description", "")}


def _body(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {kind: {"schema": schema}}}

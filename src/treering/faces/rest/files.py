"""How do files travel? In bodies: a file to remember as an upload, a journal as a stream of lines, in and out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
from starlette.background import BackgroundTask
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from treering.door import OPERATIONS
from treering.errors import InvalidRequest
from treering.faces.rest.answers import answer
from treering.faces.rest.asked import arguments_of, body_of, lists_of
from treering.faces.rest.describe_beside import DOWNLOADS, LINES
from treering.faces.rest.native import Native
from treering.files import Scratch, Sent, new_scratch, scratch
from treering.model import limits
from treering.model.space import space_name
from treering.operation import Operation

_PIECE_BYTES = 64 * 1024


def routes(native: Native) -> list[Route]:
    handling = _Files(native)
    return [
        Route("/v1/spaces/{space:path}/add_file", handling.add_file, methods=["POST"], name="add_file"),
        Route("/v1/spaces/{space:path}/export", handling.export, methods=["GET"], name="export"),
        Route("/v1/export", handling.export, methods=["GET"], name="export_all"),
        Route("/v1/audit_export", handling.audit_export, methods=["GET"], name="audit_export"),
        Route("/v1/backup", handling.backup, methods=["GET", "POST"], name="backup"),
        Route("/v1/spaces/{space:path}/receive_journal", handling.receive_journal, methods=["POST"]),
        Route("/v1/import_journal", handling.import_journal, methods=["POST"], name="import_journal"),
    ]


class _Files:
    def __init__(self, native: Native) -> None:
        self._native = native

    async def add_file(self, request: Request) -> Response:
        """Multipart with a part `file`, or the bytes themselves with `?name=`; other parameters beside it."""
        operation = OPERATIONS["add_file"]
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        arguments = arguments_of(operation, request.query_params)
        _must_not_be_said(operation, arguments)
        if kind == "multipart/form-data":
            arguments |= await _uploaded(request, operation)
        else:
            arguments["file"] = Sent(await request.body())
            if not arguments.get("name"):
                raise InvalidRequest(
                    "name: say what the file is called (?name=notes.md), or send it as a form's `file`"
                )
        if "file" not in arguments or not arguments["file"].data:
            raise InvalidRequest("file: is empty; send the file as a form's part `file`, or as the body")
        arguments["space"] = space_name(request.path_params["space"])
        return answer(await self._native.call(request.state.caller, "add_file", arguments), 201)

    async def export(self, request: Request) -> Response:
        space = request.path_params.get("space")
        arguments = {"space": space_name(space)} if space is not None else {}
        form = request.query_params.get("format", "journal")
        if form not in DOWNLOADS:
            raise InvalidRequest(f"format: {form!r} is not one of {', '.join(DOWNLOADS)}")
        arguments["format"], (suffix, media_type) = form, DOWNLOADS[form]
        made, done = await self._made(request, "export", f"export{suffix}", arguments)
        name = (space or "all").replace("/", ".")
        return _download(made, f"{name}{suffix}", media_type, {"Treering-Entries": str(done.entries)})

    async def audit_export(self, request: Request) -> Response:
        operation = OPERATIONS["audit_export"]
        arguments = arguments_of(operation, request.query_params)
        _must_not_be_said(operation, arguments)
        made, done = await self._made(request, operation.name, "audit.jsonl", arguments)
        told = {"Treering-Records": str(done.records), "Treering-Head": done.head}
        return _download(made, "audit.jsonl", LINES, told)

    async def _made(self, request: Request, name: str, file: str, arguments: Mapping[str, Any]) -> tuple[Scratch, Any]:
        """A file that an operation writes for the caller, and what it says of it."""
        made = new_scratch(file)
        try:
            return made, await self._native.call(request.state.caller, name, {**arguments, "path": made})
        except BaseException:
            made.remove()
            raise

    async def backup(self, request: Request) -> Response:
        """The whole store as one file."""
        operation = OPERATIONS["backup"]
        said = await body_of(request) if request.method == "POST" else arguments_of(operation, request.query_params)
        _must_not_be_said(operation, said)
        made, done = await self._made(request, "backup", "backup", said)
        told = {
            "Content-Length": str(done.bytes),
            "Treering-Sha256": done.sha256,
            "Treering-Spaces": str(done.spaces),
            "Treering-Entries": str(done.entries),
            "Treering-Sealed": "yes" if done.sealed else "no",
            "Treering-Verified": "yes" if done.verified else "no",
        }
        return _download(made, f"treering.db{'.sealed' if done.sealed else ''}", "application/octet-stream", told)

    async def import_journal(self, request: Request) -> Response:
        operation = OPERATIONS["import_journal"]
        return await self._journal(request, operation, arguments_of(operation, request.query_params))

    async def receive_journal(self, request: Request) -> Response:
        operation = OPERATIONS["receive_journal"]
        said = arguments_of(operation, request.query_params)
        return await self._journal(request, operation, {**said, "space": space_name(request.path_params["space"])})

    async def _journal(self, request: Request, operation: Operation, arguments: dict[str, Any]) -> Response:
        _must_not_be_said(operation, arguments)
        with scratch("journal.jsonl") as made:
            async with await anyio.Path(made.path).open("wb") as file:
                async for piece in request.stream():
                    await file.write(piece)
            asked = {**arguments, "path": made}
            return answer(await self._native.call(request.state.caller, operation.name, asked))


def _must_not_be_said(operation: Operation, said: Mapping[str, Any]) -> None:
    """A file is a body, or a form's part with a file in it: whatever is words there names none."""
    for name in sorted(operation.files & said.keys()):
        raise InvalidRequest(f"{name}: is the file itself; send it as a form's part `file`, or as the body")


async def _uploaded(request: Request, operation: Operation) -> dict[str, Any]:
    """The parts of a form; lists may come several times."""
    given: dict[str, Any] = {}
    lists = lists_of(operation)
    async with request.form(max_files=1, max_fields=50, max_part_size=limits.SOURCE_BYTES) as form:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if name != "file":
                    raise InvalidRequest(f"{name}: a file belongs in the part `file`")
                given["file"] = Sent(await value.read(), value.filename)
                continue
            _must_not_be_said(operation, {name: value})
            if name in lists:
                given.setdefault(name, []).append(value)
            else:
                given[name] = value
    return given


def _download(made: Scratch, name: str, media_type: str, told: Mapping[str, str]) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', **told}
    after = BackgroundTask(made.remove)
    return StreamingResponse(_pieces(made), media_type=media_type, headers=headers, background=after)


async def _pieces(made: Scratch) -> AsyncIterator[bytes]:
    async with await anyio.Path(made.path).open("rb") as file:
        while piece := await file.read(_PIECE_BYTES):
            yield piece

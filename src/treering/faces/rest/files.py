"""How do files travel? In bodies: a file to remember as an upload, a journal as a stream of lines, in and out."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
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
from treering.faces.rest.asked import arguments_of, lists_of
from treering.faces.rest.describe import DOWNLOADS
from treering.faces.rest.native import Native
from treering.model import limits
from treering.model.space import space_name

_PIECE_BYTES = 64 * 1024


def routes(native: Native) -> list[Route]:
    handling = _Files(native)
    return [
        Route("/v1/spaces/{space:path}/add_file", handling.add_file, methods=["POST"], name="add_file"),
        Route("/v1/spaces/{space:path}/export", handling.export, methods=["GET"], name="export"),
        Route("/v1/export", handling.export, methods=["GET"], name="export_all"),
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
        if kind == "multipart/form-data":
            arguments |= await _uploaded(request, lists_of(operation))
        else:
            arguments["file"] = await request.body()
            if not arguments.get("name"):
                raise InvalidRequest(
                    "name: say what the file is called (?name=notes.md), or send it as a form's `file`"
                )
        if not arguments.get("file"):
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
        folder = tempfile.TemporaryDirectory(prefix="treering-")
        path = Path(folder.name) / f"export{suffix}"
        try:
            done = await self._native.call(request.state.caller, "export", {**arguments, "path": str(path)})
        except BaseException:
            folder.cleanup()
            raise
        name = (space or "all").replace("/", ".")
        told = {
            "Content-Disposition": f'attachment; filename="{name}{suffix}"',
            "Treering-Entries": str(done.entries),
        }
        return StreamingResponse(
            _pieces(path), media_type=media_type, headers=told, background=BackgroundTask(folder.cleanup)
        )

    async def import_journal(self, request: Request) -> Response:
        operation = OPERATIONS["import_journal"]
        arguments: dict[str, Any] = arguments_of(operation, request.query_params)
        with tempfile.TemporaryDirectory(prefix="treering-") as folder:
            path = anyio.Path(folder) / "journal.jsonl"
            async with await path.open("wb") as file:
                async for piece in request.stream():
                    await file.write(piece)
            asked = {**arguments, "path": str(path)}
            return answer(await self._native.call(request.state.caller, operation.name, asked))


async def _uploaded(request: Request, lists: frozenset[str]) -> dict[str, Any]:
    """The parts of a form; those of `lists` may come several times."""
    given: dict[str, Any] = {}
    async with request.form(max_files=1, max_fields=50, max_part_size=limits.SOURCE_BYTES) as form:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if name != "file":
                    raise InvalidRequest(f"{name}: a file belongs in the part `file`")
                given["file"] = await value.read()
                given.setdefault("name", value.filename)
            elif name in lists:
                given.setdefault(name, []).append(value)
            else:
                given[name] = value
    return given


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    async with await anyio.Path(path).open("rb") as file:
        while piece := await file.read(_PIECE_BYTES):
            yield piece

"""The page for people: a handful of built files, the same for everybody and with nothing of anybody in them. What it
shows it asks the public routes for, with the key of who looks at it; it may load and call nothing but this server."""

from __future__ import annotations

import functools
import gzip
import hashlib
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.errors import NotFound
from treering.faces.page import INDEX, KINDS, built

ASSETS = "/page/"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
"""No script or style of its own words, none from elsewhere, in no frame; always asked for anew, and then told by its
mark that nothing has changed."""


def is_page(path: str) -> bool:
    """Whether this path is one of the page's files: they need no key."""
    return path == "/" or path.startswith(ASSETS)


def routes() -> list[Route]:
    return [Route("/", _serve, name="page"), Route(ASSETS + "{name}", _serve, name="page_file")]


async def _serve(request: Request) -> Response:
    name = request.path_params.get("name", INDEX)
    files = _files()
    if name not in files:
        raise NotFound(f"{request.url.path}: the page has no such file")
    kind, plain, packed, mark = files[name]
    headers = {**HEADERS, "ETag": mark, "Vary": "Accept-Encoding"}
    if mark in _marks(request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=kind)
    return Response(plain, headers=headers, media_type=kind)


def _marks(given: str) -> Iterable[str]:
    return (one.strip().removeprefix("W/") for one in given.split(","))


@functools.cache
def _files() -> dict[str, tuple[str, bytes, bytes, str]]:
    """Read and packed once a process: by name the media type, the bytes, the same packed, and their mark."""
    told = {}
    for name, path in built().items():
        plain = path.read_bytes()
        mark = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
        told[name] = (KINDS[path.suffix], plain, gzip.compress(plain, 9, mtime=0), mark)
    return told

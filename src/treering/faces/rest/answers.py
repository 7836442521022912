"""How does the server answer? JSON; and for every kind of error its status, in one table and one shape."""

from __future__ import annotations

import functools
import json
import logging
import math
import re
import traceback
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from treering import errors
from treering.door import OPERATIONS
from treering.ingest.receipt import Receipt
from treering.model.value import plain

STATUS: dict[type[errors.TreeringError], int] = {
    errors.InvalidRequest: 400,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Held: 409,
    errors.Forbidden: 403,
    errors.LimitExceeded: 413,
    errors.QuotaExceeded: 507,
    errors.CallerError: 400,
    errors.Unavailable: 503,
    errors.Unsupported: 422,  # the server is well: what was asked for is not set up in it
    errors.Fault: 500,
    errors.Corrupted: 500,
    errors.TreeringError: 500,
}
NO_DETAILS: Mapping[str, str] = {}
_PARAMETER = re.compile(r"([a-z_]+)(?:[.\[][\w.\[\]]*)?: ")
LOG = logging.getLogger(__name__)
UNAUTHORIZED, TOO_MANY, HEADERS_TOO_LARGE = 401, 429, 431
_CODES = {
    401: "unauthorized",
    499: "left",
    404: "not_found",
    405: "method_not_allowed",
    415: "unsupported_media_type",
    429: "too_many_requests",
    431: "headers_too_large",
}


class JsonResponse(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return to_json(content, inf_nan_mode="null")


class Refusal(JsonResponse):
    """What was refused and why, in the one shape; `also` are the headers that tell more of it."""

    def __init__(
        self, status: int, message: str, code: str, headers: Mapping[str, str] | None, details: Mapping[str, str]
    ) -> None:
        self.message, self.code, self.also = message, code, dict(headers or {})
        super().__init__({"error": {"code": code, "message": message, "details": dict(details)}}, status, headers)


def answer(result: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> JsonResponse:
    return JsonResponse(plain(result.in_brief() if isinstance(result, Receipt) else result), status, headers)


def status_of(error: BaseException) -> int:
    """Of the nearest kind in the table; whatever is no error of ours is a fault."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def refusal(
    status: int,
    message: str,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
    details: Mapping[str, str] = NO_DETAILS,
) -> Refusal:
    return Refusal(status, message, code or _CODES.get(status, "error"), headers, details)


def details_of(error: errors.TreeringError) -> dict[str, str]:
    """What a program can go on with: which parameter is wrong, or of what there is nothing. Messages begin with the
    parameter they are about."""
    details = {}
    begins = _PARAMETER.match(str(error))
    if isinstance(error, errors.CallerError) and begins is not None and begins[1] in _known_parameters():
        details["parameter"] = begins[1]
    if isinstance(error, errors.NotFound) and error.ref is not None:
        details["id"] = error.ref
    return details


@functools.cache
def _known_parameters() -> frozenset[str]:
    return frozenset(one.name for operation in OPERATIONS.values() for one in operation.parameters)


def failure(error: BaseException) -> Refusal:
    """What is no error of ours is not told: it might quote what another may not see."""
    status = status_of(error)
    if not isinstance(error, errors.TreeringError):
        return refusal(500, "something went wrong here; nothing was written by this request", "fault")
    headers = {}
    if isinstance(error, errors.Unavailable):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after_seconds or 1)))
    return refusal(status, str(error), error.code, headers, details_of(error))


def left(error: Exception, request: str | None = None) -> Refusal:
    """Who hung up before all was said, or while it was answered: nobody's fault, and nobody hears this."""
    return refusal(499, "the caller has left")


def fault_told(error: Exception, request: str | None = None) -> Refusal:
    """The same, and whoever keeps the server finds it in the log if it is a fault of ours, by the request's number."""
    if status_of(error) >= 500 and not isinstance(error, errors.Unavailable):
        what = f"a fault of Treering itself ({type(error).__name__})"
        told = {"request": request, "error": what, "traceback": "".join(traceback.format_exception(error))}
        LOG.error(json.dumps(told, ensure_ascii=False))
    return failure(error)

"""What does a request ask for? Its query and body as the arguments of an operation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request

from treering.errors import InvalidRequest
from treering.model.limits import must_be_whole, too_deep
from treering.operation import Operation

_JSON = ("application/json", "text/json")


async def body_of(request: Request, array: str | None = None) -> dict[str, Any]:
    """A JSON object; an empty body is an empty one, whatever its type. A list is what `array` names, where it may."""
    data = await request.body()
    if not data.strip():
        return {}
    kind = request.headers.get("content-type", _JSON[0]).partition(";")[0].strip().lower()
    if kind not in _JSON and not kind.endswith("+json"):
        raise InvalidRequest(f"Content-Type: {kind!r} is not application/json")
    return read_object(data, array)


def read_object(data: bytes | str, array: str | None = None) -> dict[str, Any]:
    try:
        read = json.loads(data, parse_constant=_no_number)
    except RecursionError:
        raise too_deep("the body") from None
    except ValueError as error:
        raise InvalidRequest(f"the body is not JSON ({error})") from None
    must_be_whole(read, "the body")
    if isinstance(read, list) and array is not None:
        return {array: read}
    if not isinstance(read, dict):
        raise InvalidRequest("the body is JSON, but no object: give the parameters by name")
    return read


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON number")


def arguments_of(operation: Operation, query: QueryParams) -> dict[str, Any]:
    """From a query string: lists by repetition, objects as JSON, the rest as text for the operation to read."""
    for name in sorted(operation.by_body & query.keys()):
        raise InvalidRequest(f"{name}: does not belong in an address; send it in the body of a POST")
    kinds = _kinds(operation)
    return {name: _read(name, kinds.get(name, frozenset()), query.getlist(name)) for name in query}


def lists_of(operation: Operation) -> frozenset[str]:
    """Its parameters that are lists."""
    return frozenset(name for name, kinds in _kinds(operation).items() if "array" in kinds)


@cache
def _kinds(operation: Operation) -> Mapping[str, frozenset[str | None]]:
    """What each parameter may be, as JSON has it. To write the whole schema takes longer than most questions."""
    shapes = operation.schema().get("properties", {})
    return {
        name: frozenset(one.get("type") for one in (shape, *shape.get("anyOf", ()))) for name, shape in shapes.items()
    }


def _read(name: str, kinds: frozenset[str | None], given: list[str]) -> Any:
    if "array" in kinds:
        return [_maybe_object(one) for one in given]
    if len(given) > 1:
        raise InvalidRequest(f"{name}: was given {len(given)} times; give it once")
    if "object" in kinds:
        return _maybe_object(given[0])
    return None if given[0] == "" and "null" in kinds else given[0]


def _maybe_object(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # what lies too deep is no more an object than what is broken off
        return text

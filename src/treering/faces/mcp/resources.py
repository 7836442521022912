"""Which things can a client read by address? `memory://{id}`, `entity://{id}`, `profile://{space}`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from treering.door import OPERATIONS
from treering.errors import CallerError, NotFound, TreeringError
from treering.model.value import plain

if TYPE_CHECKING:
    from treering.door import Treering

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Address:
    """A kind of resource: what its address ends in, what it is, and how it is read."""

    ends_in: str
    title: str
    description: str
    operation: str
    read: Callable[[Any, str], Any]


ADDRESSES: dict[str, Address] = {
    "memory": Address(
        "id", "A memory", "One memory with its state and window.", "get", lambda door, one: door.get(one)
    ),
    "entity": Address(
        "id", "An entity", "An entity by id or name, with all its names.", "entity_get",
        lambda door, one: door.entity_get(one),
    ),
    "profile": Address(
        "space", "A profile", "What is known of a space in short, each sentence cited.", "profile",
        lambda door, one: door.profile(space=one),
    ),
}  # fmt: skip


def templates() -> list[types.ResourceTemplate]:
    return [
        types.ResourceTemplate(
            name=scheme,
            title=one.title,
            description=one.description,
            uri_template=f"{scheme}://{{{one.ends_in}}}",
            mime_type=JSON,
        )
        for scheme, one in ADDRESSES.items()
        if one.operation in OPERATIONS
    ]


def read(door: Callable[[], Treering], uri: str) -> types.ReadResourceResult:
    scheme, _, rest = uri.partition("://")
    address = ADDRESSES.get(scheme)
    if address is None or address.operation not in OPERATIONS or not rest:
        known = ", ".join(one.uri_template for one in templates())
        raise MCPError(types.INVALID_PARAMS, f"uri: {uri!r} is no address here; there are {known}")
    try:
        found = address.read(door(), unquote(rest))
    except NotFound as error:
        raise MCPError(types.INVALID_PARAMS, f"not_found: {error}", {"uri": uri}) from None
    except CallerError as error:
        raise MCPError(types.INVALID_PARAMS, f"{error.code}: {error}") from None
    except TreeringError as error:
        raise MCPError(types.INTERNAL_ERROR, f"{error.code}: {error}") from None
    text = json.dumps(plain(found), ensure_ascii=False, indent=1)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=text)])

"""Which things can a client read by address? `memory://{id}`, `entity://{id}`, `profile://{space}`.

An address names no space: what it names is looked for in the door's own space, then in all that the caller may read.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from treering.door import OPERATIONS
from treering.errors import CallerError, Forbidden, NotFound, TreeringError
from treering.faces.dialects.everywhere import SpaceAndBelow, everywhere
from treering.faces.mcp.quoting import as_json
from treering.model.value import plain
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.faces.afar import Door

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Address:
    """A kind of resource: what its address ends in, what it is, and how it is read."""

    ends_in: str
    title: str
    description: str
    operation: str
    read: Callable[[Any, str], Any]


def _wherever_it_is(door: Door, operation: str, one: str) -> Any:
    """What a space does not have, and what may not be seen in it, are the same: not there."""
    ask: Callable[..., Any] = getattr(door, operation)

    def asked(place: SpaceAndBelow | None) -> Any:
        where = {} if place is None else {"space": place.space, "children": place.children}
        try:
            return ask(one, **where)
        except NotFound:
            return None

    with suppress(Forbidden):
        if (here := asked(None)) is not None:
            return here
    for found in everywhere(door, None, asked):
        if found is not None:
            return found
    raise NotFound(f"id: there is no {one!r} in any space that you may read")


ADDRESSES: dict[str, Address] = {
    "memory": Address(
        "id", "A memory", "One memory with its state and window.", "get",
        lambda door, one: _wherever_it_is(door, "get", one),
    ),
    "entity": Address(
        "id", "An entity", "An entity by id or name, with all its names.", "entity_get",
        lambda door, one: _wherever_it_is(door, "entity_get", one),
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


def read(door: Callable[[], Door], uri: str) -> types.ReadResourceResult:
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
    text = as_json(plain(found), indent=1)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=text)])

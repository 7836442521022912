"""How is a schema made small? Clients pay for every word of it on every turn: what says nothing is left out, and what
says something is said once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

_SAYS_NOTHING: tuple[Any, ...] = (None, False, [], {}, "")
_BOUNDS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})


def slim(schema: Mapping[str, Any], keep: Collection[str] | None = None, *, brief: bool = False) -> dict[str, Any]:
    """An operation's schema with the parameters to `keep`, all if none are named.

    Being left out and being null are the same to an operation, so only the first is told. `brief` leaves out lengths
    too: whoever exceeds them is told by the error.
    """
    shown = {
        name: _one(one, brief)
        for name, one in schema.get("properties", {}).items()
        if keep is None or name in keep
    }  # fmt: skip
    required = [name for name in schema.get("required", ()) if name in shown]
    slimmed: dict[str, Any] = {"type": "object", "properties": shown}
    if keep is None and schema.get("additionalProperties") is False:
        slimmed["additionalProperties"] = False
    if required:
        slimmed["required"] = required
    if "$defs" in schema:
        slimmed["$defs"] = {name: _one(one, brief) for name, one in schema["$defs"].items()}
    return slimmed


def _one(schema: Mapping[str, Any], brief: bool) -> dict[str, Any]:
    left: dict[str, Any] = {}
    for word, value in _without_null(schema).items():
        if word in ("title", "examples") or (brief and word in _BOUNDS):
            continue
        if word == "default" and value in _SAYS_NOTHING:
            continue
        if word == "additionalProperties" and value is True:
            continue
        left[word] = _inside(word, value, brief)
    return left


def _inside(word: str, value: Any, brief: bool) -> Any:
    if word == "items" and isinstance(value, Mapping):
        return _one(value, brief)
    if word in ("anyOf", "prefixItems") and isinstance(value, list):
        return [_one(one, brief) for one in value]
    if word == "properties":
        return {name: _one(one, brief) for name, one in value.items()}
    return value


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    ways = schema.get("anyOf")
    if not ways or {"type": "null"} not in ways:
        return dict(schema)
    others = [one for one in ways if one != {"type": "null"}]
    rest = {word: value for word, value in schema.items() if word != "anyOf"}
    return {**others[0], **rest} if len(others) == 1 else {"anyOf": others, **rest}

"""What can be asked, written down: the OpenAPI document, made from the same table as the routes."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from treering.door import OPERATIONS
from treering.faces.dialects import DIALECTS
from treering.faces.dialects.contract import Dialect, DialectRoute
from treering.faces.dialects.longmem import LONGMEM
from treering.faces.rest import longmem
from treering.faces.rest.describe_beside import REFUSALS, beside, in_path, refusal, refusals
from treering.faces.rest.dialects import described_answers, spoken_by
from treering.faces.rest.examples import EXAMPLES
from treering.faces.rest.native import Routed, listed
from treering.faces.rest.rights import needs
from treering.faces.shapes import RESULT, answer_schema
from treering.operation import Operation
from treering.version import VERSION

_AS_A_NAME = re.compile(r"[^a-z_]+")
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "details"],
            "properties": {
                "code": {"type": "string", "examples": ["not_found"]},
                "message": {"type": "string", "examples": ["id: there is no memory '…' in the space acme"]},
                "details": {
                    "type": "object",
                    "description": "What a program can go on with: which parameter is wrong, of what there is nothing.",
                    "properties": {"parameter": {"type": "string"}, "id": {"type": "string"}},
                    "examples": [{"parameter": "id", "id": "019b796d-d600-7280-b922-80989e16b893"}],
                },
            },
        }
    },
}


_OF_A_MEMORY = ("get", "history", "lineage", "touch", "archive", "restore", "forget", "revise", "purge")
_OF_A_JOB = ("job", "cancel_job")
_OF_A_REVIEW = ("review_get", "review_claim", "review_apply", "review_dismiss", "review_close", "review_reopen")
_LEADS_TO = {
    "add": ("/memories/0/id", _OF_A_MEMORY),
    "revise": ("/memories/0/id", _OF_A_MEMORY),
    "enqueue": ("/id", _OF_A_JOB),
    "review_create": ("/id", _OF_A_REVIEW),
}
"""What can be asked next with an id of an answer, and where that stands in it."""


@functools.cache
def document(dialect: str = "ai-memory") -> dict[str, Any]:
    """`dialect`: whose routes are meant where other systems share a path."""
    told = _Telling()
    paths: dict[str, dict[str, Any]] = {}
    for routed in listed():
        for method in routed.methods:
            paths.setdefault(routed.path, {})[method.lower()] = told.of(routed, method)
    paths |= beside(told.result)
    for path, methods in _borrowed(told, dialect).items():
        paths[path] = {**methods, **paths.get(path, {})}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Treering",
            "version": VERSION,
            "description": "Memory for AI agents that keeps every ring: what is true now, what was true then, what was "
            "believed then.",
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"key": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(told.schemas.items())),
            "responses": {code: refusal(what) for code, what in REFUSALS.items()},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "bearerFormat": "tr_…"}},
        },
    }


class _Telling:
    """Collects the schemas that operations share."""

    def __init__(self) -> None:
        self.schemas: dict[str, Any] = {"Error": _ERROR}

    def of(self, routed: Routed, method: str) -> dict[str, Any]:
        operation = routed.operation
        by_query = method != "POST"
        told: dict[str, Any] = {
            "operationId": _operation_id(method, routed.path),
            "summary": operation.summary,
            "description": f"{operation.description}\n\nTakes a key that may {needs(operation)}.",
            "tags": [operation.method.__qualname__.partition(".")[0].lower()],
            "parameters": [in_path(one) for one in _parts(routed.path)],
            "responses": {**self._answers(operation), **refusals()},
        }
        schema = self._arguments(routed)
        if by_query:
            schema["properties"] = {one: s for one, s in schema["properties"].items() if one not in operation.by_body}
            told["parameters"] += _in_query(schema, EXAMPLES[operation.name])
        else:
            content = {"schema": schema, "examples": {"one": {"value": EXAMPLES[operation.name]}}}
            told["requestBody"] = {
                "required": bool(schema.get("required")),
                "content": {"application/json": content},
            }
        if operation.name == "remember":
            told["parameters"].append(_SYNC)
        return told

    def _answers(self, operation: Operation) -> dict[str, Any]:
        good: dict[str, Any] = {
            "description": "As asked.",
            "content": {"application/json": {"schema": self.result(operation)}},
        }
        if operation.name in _LEADS_TO:
            place, others = _LEADS_TO[operation.name]
            good["links"] = {one: _link(one, place) for one in others}
        if operation.name != "remember":
            return {"200": good}
        job = {"application/json": {"schema": self.result(OPERATIONS["job"])}}
        return {"200": good, "202": {"description": "Accepted, and on disk: a job.", "content": job}}

    def result(self, operation: Operation) -> dict[str, Any]:
        told = self.hoisted(answer_schema(operation, deep=True))
        whole = told["properties"].get(RESULT) if list(told.get("properties", ())) == [RESULT] else None
        return dict(told if whole is None else whole)

    def _arguments(self, routed: Routed) -> dict[str, Any]:
        """What is to be said besides what stands in the path."""
        told = self.hoisted(routed.operation.schema())
        said = {*routed.fixed, *routed.operation.files, *(["space"] if routed.of_space else [])}
        told["properties"] = {name: one for name, one in told.get("properties", {}).items() if name not in said}
        told["required"] = [name for name in told.get("required", ()) if name not in said]
        told.pop("title", None)
        return told

    def borrowed(self, spoken: Dialect, route: DialectRoute, path: str) -> dict[str, Any]:
        gaps, own = _parts(path), _operation_id(route.method, route.path.replace("-", "_or_"))
        schema = self.hoisted(route.tool.schema())
        fields = {name: one for name, one in schema.get("properties", {}).items() if name not in gaps}
        required = [name for name in schema.get("required", ()) if name in fields]
        statuses = {route.status, *([route.again] if route.again else [])}
        told: dict[str, Any] = {
            "operationId": f"{_AS_A_NAME.sub('_', spoken.name)}_{own}",
            "summary": route.tool.description.split(". ")[0],
            "description": route.tool.description,
            "tags": [spoken.name],
            "parameters": [{"name": one, "in": "path", "required": True, "schema": {"type": "string"}} for one in gaps],
            "responses": described_answers(sorted(statuses)),
        }
        if route.method == "GET":
            told["parameters"] += _in_query({"properties": fields, "required": required}, {})
        elif fields:
            body = {**schema, "properties": fields, "required": required}
            body.pop("title", None)
            told["requestBody"] = {"required": bool(required), "content": {"application/json": {"schema": body}}}
        return told

    def hoisted(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """With its definitions among the shared ones."""
        told: dict[str, Any] = _moved(schema)
        self.schemas |= told.pop("$defs", {})
        return told


_SYNC = {
    "name": "sync",
    "in": "query",
    "schema": {"type": "boolean", "default": False},
    "description": "Answer when it is remembered, with the receipt; else at once, with a job.",
}


def _operation_id(method: str, path: str) -> str:
    return f"{method.lower()}_{_AS_A_NAME.sub('_', path.removeprefix('/v1/')).strip('_')}"


def _link(operation: str, place: str) -> dict[str, Any]:
    return {
        "operationId": _operation_id("POST", f"/v1/spaces/{{space}}/{operation}"),
        "parameters": {"space": "$request.path.space"},
        "requestBody": {"id": f"$response.body#{place}"},
    }


def _moved(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: one.replace("#/$defs/", "#/components/schemas/") if name == "$ref" else _moved(one)
            for name, one in value.items()
        }
    return [_moved(one) for one in value] if isinstance(value, list) else value


def _parts(path: str) -> list[str]:
    return [one[1:-1] for one in path.split("/") if one.startswith("{")]


def _in_query(schema: Mapping[str, Any], example: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": {key: value for key, value in one.items() if key != "description"},
            "description": one.get("description", ""),
            **({"examples": {"one": {"value": example[name]}}} if name in example else {}),
        }
        for name, one in schema.get("properties", {}).items()
    ]


def _borrowed(told: _Telling, dialect: str) -> dict[str, dict[str, Any]]:
    """The other systems' routes, in their words."""
    paths: dict[str, dict[str, Any]] = {}
    chosen = DIALECTS[dialect]
    others = [one for one in DIALECTS.values() if one.prefix == chosen.prefix and one is not chosen]
    for spoken, route in (*spoken_by(LONGMEM), *spoken_by(chosen, others)):
        path = spoken.prefix + route.path
        paths.setdefault(path, {}).setdefault(route.method.lower(), told.borrowed(spoken, route, path))
    return {**paths, **longmem.described(told.hoisted)}

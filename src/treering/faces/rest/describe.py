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
from treering.faces.rest import longmem, whoami
from treering.faces.rest.dialects import described_answers, spoken_by
from treering.faces.rest.examples import EXAMPLES
from treering.faces.rest.native import Routed, listed
from treering.faces.rest.rights import needs
from treering.faces.shapes import RESULT, answer_schema
from treering.operation import Operation
from treering.version import VERSION

LINES = "application/x-ndjson"
DOWNLOADS = {
    "journal": (".jsonl", LINES),
    "jsonl": (".jsonl", LINES),
    "graphml": (".graphml", "application/graphml+xml"),
    "cypher": (".cypher", "text/plain; charset=utf-8"),
}
"""The forms that are one file: its ending, and its media type."""
_BYTES, _A_FILE = "application/octet-stream", {"type": "string", "format": "binary"}
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
_PATH_PARTS: dict[str, dict[str, Any]] = {
    "space": {
        "schema": {"type": "string", "pattern": r"^[a-z0-9._-]+(/[a-z0-9._-]+){0,7}$", "maxLength": 200},
        "description": "The space. Its slashes are written as they are: /v1/spaces/acme/research/recall.",
        "examples": {"one": {"value": "acme/research"}},
    },
    "id": {"schema": {"type": "string", "minLength": 1, "maxLength": 200}, "description": "The id of a memory."},
}
_REFUSALS = {
    "400": "The request cannot be read: what is wrong, with what value, and how to mend it.",
    "401": "A key is needed, or this one does not hold.",
    "403": "This key may not do that.",
    "404": "Nothing of that id or name can be seen from here.",
    "409": "It clashes with what is already known.",
    "413": "More than a limit allows.",
    "422": "What is asked for is not set up in this server, such as a language model.",
    "429": "Too many requests; wait as long as Retry-After says.",
    "507": "The space holds as much as was granted to it.",
    "503": "The store or a mind does not answer now, or the queue is full; try again after Retry-After.",
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
    paths |= _beside(told)
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
            "responses": {code: _refusal(what) for code, what in _REFUSALS.items()},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "bearerFormat": "tr_…"}},
        },
    }


def _refusal(what: str) -> dict[str, Any]:
    return {"description": what, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}


def _refusals() -> dict[str, Any]:
    return {code: {"$ref": f"#/components/responses/{code}"} for code in _REFUSALS}


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
            "parameters": [_in_path(one) for one in _parts(routed.path)],
            "responses": {**self._answers(operation), **_refusals()},
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


_AS_ANOTHER = {
    "name": "space",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The name under which a journal of one space is taken in; its own if left out.",
    "examples": {"one": {"value": "acme/copy"}},
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


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, **_PATH_PARTS[name]}


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


def _beside(told: _Telling) -> dict[str, Any]:
    """Routes that no operation stands behind, or that speak of files."""
    space = _in_path("space")
    receipt, imported = told.result(OPERATIONS["add_file"]), told.result(OPERATIONS["import_journal"])
    kinds = {kind for _, kind in DOWNLOADS.values()}
    lines = {"description": "The file.", "content": {kind: {"schema": {"type": "string"}} for kind in sorted(kinds)}}
    copy = {"description": "The backup; its digest is in Treering-Sha256.", "content": {_BYTES: {"schema": _A_FILE}}}
    sealing = {
        "type": "object",
        "properties": {
            "passphrase": {"type": "string", "minLength": 12, "maxLength": 1024},
            "verify": {"type": "boolean", "default": True},
        },
        "additionalProperties": False,
    }
    sealed = {"one": {"value": {"passphrase": "some words drawn by chance"}}}
    format_ = {"name": "format", "in": "query", "schema": {"enum": [*DOWNLOADS]}}
    received = told.result(OPERATIONS["receive_journal"])
    counts = {"description": "One figure a line.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    file = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
    alive = {"description": "It is.", "content": {"application/json": {"schema": {"type": "object"}}}}
    return {
        "/v1/spaces/{space}/add_file": {
            "post": {
                "operationId": "add_file",
                "summary": OPERATIONS["add_file"].summary,
                "parameters": [space],
                "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": file}}},
                "responses": {
                    "201": {"description": "Remembered.", "content": {"application/json": {"schema": receipt}}},
                    **_refusals(),
                },
            }
        },
        "/v1/spaces/{space}/export": {
            "get": {
                "operationId": "export",
                "summary": "The journal of a space, lossless, or another form of what is known; takes an admin's key.",
                "parameters": [space, format_],
                "responses": {"200": lines, **_refusals()},
            }
        },
        "/v1/export": {
            "get": {
                "operationId": "export_all",
                "summary": "The journals of all spaces, lossless, or another form; takes an admin's key for *.",
                "parameters": [format_],
                "responses": {"200": lines, **_refusals()},
            }
        },
        "/v1/audit_export": {
            "get": {
                "operationId": "audit_export",
                "summary": "The audit trail, one record a line, each with its hash; takes an admin's key for *.",
                "parameters": [
                    {"name": one, "in": "query", "schema": {"type": "string", "format": "date-time"}}
                    for one in ("since", "until")
                ],
                "responses": {
                    "200": {"description": "The file.", "content": {LINES: {"schema": {"type": "string"}}}},
                    **_refusals(),
                },
            }
        },
        "/v1/backup": {
            "get": {
                "operationId": "backup",
                "summary": "The whole store as one file, verified; takes an admin's key for *.",
                "responses": {"200": copy, **_refusals()},
            },
            "post": {
                "operationId": "backup_sealed",
                "summary": "The same, sealed with a passphrase if one is given.",
                "requestBody": {"content": {"application/json": {"schema": sealing, "examples": sealed}}},
                "responses": {"200": copy, **_refusals()},
            },
        },
        "/v1/spaces/{space}/receive_journal": {
            "post": {
                "operationId": "receive_journal",
                "summary": OPERATIONS["receive_journal"].summary,
                "description": "The other store's journal is the body, one entry a line, as export gives it; it may be "
                "cut off. Takes the key of an admin of all spaces.",
                "parameters": [space],
                "requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}},
                "responses": {
                    "200": {"description": "Taken over.", "content": {"application/json": {"schema": received}}},
                    **_refusals(),
                },
            }
        },
        "/v1/import_journal": {
            "post": {
                "operationId": "import_journal",
                "summary": OPERATIONS["import_journal"].summary,
                "description": "The journal is the body, one entry a line, as export gives it. Takes an admin's key.",
                "parameters": [_AS_ANOTHER],
                "requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}},
                "responses": {
                    "200": {"description": "Taken in.", "content": {"application/json": {"schema": imported}}},
                    "500": _refusal("The journal does not hold together; nothing was taken in."),
                    **_refusals(),
                },
            }
        },
        "/mcp": {
            "post": {
                "operationId": "mcp",
                "summary": "The Model Context Protocol for agents: streamable HTTP.",
                "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}},
                "responses": {"default": {"description": "As the protocol has it: JSON, or a stream of events."}},
            }
        },
        "/metrics": {
            "get": {
                "operationId": "metrics",
                "summary": "Counts and times for Prometheus; nothing of what is remembered.",
                "responses": {"200": counts, **_refusals()},
            }
        },
        **whoami.described(_refusals()),
        "/healthz": {"get": {"operationId": "healthz", "summary": "Is it alive?", "responses": {"200": alive}}},
        "/readyz": {
            "get": {
                "operationId": "readyz",
                "summary": "Does the store answer?",
                "responses": {"200": alive, "503": {"$ref": "#/components/responses/503"}},
            }
        },
    }

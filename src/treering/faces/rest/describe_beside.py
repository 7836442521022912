"""Which routes does no operation stand behind, or do speak of files? Their part of the OpenAPI document, and what every
part of it has in common: how a request is refused, and what stands in a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treering.door import OPERATIONS
from treering.faces.rest import whoami
from treering.operation import Operation

LINES = "application/x-ndjson"
DOWNLOADS = {
    "journal": (".jsonl", LINES),
    "jsonl": (".jsonl", LINES),
    "graphml": (".graphml", "application/graphml+xml"),
    "cypher": (".cypher", "text/plain; charset=utf-8"),
}
"""The forms that are one file: its ending, and its media type."""
_BYTES, _A_FILE = "application/octet-stream", {"type": "string", "format": "binary"}
PATH_PARTS: dict[str, dict[str, Any]] = {
    "space": {
        "schema": {"type": "string", "pattern": r"^[a-z0-9._-]+(/[a-z0-9._-]+){0,7}$", "maxLength": 200},
        "description": "The space. Its slashes are written as they are: /v1/spaces/acme/research/recall.",
        "examples": {"one": {"value": "acme/research"}},
    },
    "id": {"schema": {"type": "string", "minLength": 1, "maxLength": 200}, "description": "The id of a memory."},
}
REFUSALS = {
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
_AS_ANOTHER = {
    "name": "space",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The name under which a journal of one space is taken in; its own if left out.",
    "examples": {"one": {"value": "acme/copy"}},
}

Result = Callable[[Operation], dict[str, Any]]
"""How the answer of an operation is described."""


def refusal(what: str) -> dict[str, Any]:
    return {"description": what, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}


def refusals() -> dict[str, Any]:
    return {code: {"$ref": f"#/components/responses/{code}"} for code in REFUSALS}


def in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, **PATH_PARTS[name]}


def beside(result: Result) -> dict[str, Any]:
    return {**_files(result), **_exports(), **_journals(result), **_server()}


def _files(result: Result) -> dict[str, Any]:
    receipt = result(OPERATIONS["add_file"])
    file = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
    return {
        "/v1/spaces/{space}/add_file": {
            "post": {
                "operationId": "add_file",
                "summary": OPERATIONS["add_file"].summary,
                "parameters": [in_path("space")],
                "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": file}}},
                "responses": {
                    "201": {"description": "Remembered.", "content": {"application/json": {"schema": receipt}}},
                    **refusals(),
                },
            }
        },
    }


def _exports() -> dict[str, Any]:
    """What is taken out: knowledge, the audit trail, the whole store."""
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
    return {
        "/v1/spaces/{space}/export": {
            "get": {
                "operationId": "export",
                "summary": "The journal of a space, lossless, or another form of what is known; takes an admin's key.",
                "parameters": [in_path("space"), format_],
                "responses": {"200": lines, **refusals()},
            }
        },
        "/v1/export": {
            "get": {
                "operationId": "export_all",
                "summary": "The journals of all spaces, lossless, or another form; takes an admin's key for *.",
                "parameters": [format_],
                "responses": {"200": lines, **refusals()},
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
                    **refusals(),
                },
            }
        },
        "/v1/backup": {
            "get": {
                "operationId": "backup",
                "summary": "The whole store as one file, verified; takes an admin's key for *.",
                "responses": {"200": copy, **refusals()},
            },
            "post": {
                "operationId": "backup_sealed",
                "summary": "The same, sealed with a passphrase if one is given.",
                "requestBody": {"content": {"application/json": {"schema": sealing, "examples": sealed}}},
                "responses": {"200": copy, **refusals()},
            },
        },
    }


def _journals(result: Result) -> dict[str, Any]:
    received, imported = result(OPERATIONS["receive_journal"]), result(OPERATIONS["import_journal"])
    return {
        "/v1/spaces/{space}/receive_journal": {
            "post": {
                "operationId": "receive_journal",
                "summary": OPERATIONS["receive_journal"].summary,
                "description": "The other store's journal is the body, one entry a line, as export gives it; it may be "
                "cut off. Takes the key of an admin of all spaces.",
                "parameters": [in_path("space")],
                "requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}},
                "responses": {
                    "200": {"description": "Taken over.", "content": {"application/json": {"schema": received}}},
                    **refusals(),
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
                    "500": refusal("The journal does not hold together; nothing was taken in."),
                    **refusals(),
                },
            }
        },
    }


def _server() -> dict[str, Any]:
    """The server itself: agents, figures, whether it is there."""
    counts = {"description": "One figure a line.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    alive = {"description": "It is.", "content": {"application/json": {"schema": {"type": "object"}}}}
    return {
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
                "responses": {"200": counts, **refusals()},
            }
        },
        **whoami.described(refusals()),
        "/healthz": {"get": {"operationId": "healthz", "summary": "Is it alive?", "responses": {"200": alive}}},
        "/readyz": {
            "get": {
                "operationId": "readyz",
                "summary": "Does the store answer?",
                "responses": {"200": alive, "503": {"$ref": "#/components/responses/503"}},
            }
        },
    }

"""The description as a page that people can read: one file, nothing fetched from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import html
from typing import Any

from treering.faces.rest.describe import document

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border-top: 1px solid #8884; padding: .4rem 0; }
summary { cursor: pointer; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
.method { display: inline-block; width: 4.5rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
td { padding: .15rem .8rem .15rem 0; vertical-align: top; }
"""
_MARK = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_MARK}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""No script, and no style but its own."""


def page() -> str:
    told = document()
    rows = [_route(path, method, one) for path, ways in told["paths"].items() for method, one in ways.items()]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Treering</title>"
        f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style>"
        f"<h1>Treering {html.escape(told['info']['version'])}</h1><p>{html.escape(told['info']['description'])} "
        "The whole description for machines is at <a href=/openapi.json>/openapi.json</a>.</p>" + "".join(rows)
    )


def _route(path: str, method: str, told: dict[str, Any]) -> str:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    said = [(one["name"], one.get("schema", {}), one.get("description", "")) for one in told.get("parameters", ())]
    said += [(name, one, one.get("description", "")) for name, one in body.get("properties", {}).items()]
    table = "".join(
        f"<tr><td><code>{html.escape(name)}</code><td>{html.escape(_kind(shape))}<td>{html.escape(what)}"
        for name, shape, what in said
    )
    return (
        f"<details><summary><span class=method>{method.upper()}</span><code>{html.escape(path)}</code> "
        f"{html.escape(told.get('summary', ''))}</summary><p>{html.escape(told.get('description', ''))}</p>"
        f"<table>{table}</table></details>"
    )


def _kind(shape: dict[str, Any]) -> str:
    kinds = [one.get("type", one.get("$ref", "").rpartition("/")[2]) for one in shape.get("anyOf", [shape])]
    return " or ".join(str(one) for one in kinds if one and one != "null")

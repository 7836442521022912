"""Which packages does a part of Treering need beyond the core, and are they installed?

The core is memory, store, graph, recall and reading. A part that needs more asks here before it imports anything, so
that what is missing is said by name, with the command that installs it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from treering.errors import Unsupported

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "mcp": ("anyio", "mcp", "mcp_types"),
    "server": ("anyio", "mcp", "mcp_types", "prometheus_client", "python_multipart", "starlette", "uvicorn"),
    "postgres": ("psycopg", "psycopg_pool"),
    "files": ("markitdown",),
    "adk": ("google.adk",),
    "agno": ("agno",),
    "anthropic": ("anthropic",),
    "claude-agent": ("claude_agent_sdk",),
    "crewai": ("crewai",),
    "haystack": ("haystack",),
    "langgraph": ("langgraph", "langchain_core"),
    "llama-index": ("llama_index.core",),
    "oidc": ("jwt",),
    "openai-agents": ("agents",),
    "pydantic-ai": ("pydantic_ai",),
    "strands": ("strands.memory",),
    "otel": ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http"),
}
"""By the extra's name in pyproject.toml: the modules without which its part does not work."""


def missing(extra: str) -> tuple[str, ...]:
    return tuple(module for module in EXTRAS[extra] if not _is_installed(module))


def need(extra: str, what: str) -> None:
    """`Unsupported`, with how to mend it, unless all that the extra brings is installed. `what` begins the message."""
    if absent := missing(extra):
        raise Unsupported(not_installed(extra, what, ", ".join(absent)))


def not_installed(extra: str, what: str, named: str) -> str:
    return f"{what} needs packages that are not installed ({named}); run: pip install 'treering[{extra}]'"


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):  # of a package whose parent is missing, or that may not be imported
        return False

"""Treering: monotonic, bitemporal knowledge-graph memory for AI agents.

    import treering
    mem = treering.open("work.db")
    mem.add("User works at Anthropic", entities=["User", "Anthropic"])

Importing this package does nothing; each name is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from treering.version import VERSION as __version__  # noqa: N811

if TYPE_CHECKING:
    from treering.door import Treering as Treering
    from treering.door import open as open  # noqa: A004
    from treering.door.restoring import restore_backup as restore_backup
    from treering.errors import Conflict as Conflict
    from treering.errors import Corrupted as Corrupted
    from treering.errors import Forbidden as Forbidden
    from treering.errors import Held as Held
    from treering.errors import InvalidRequest as InvalidRequest
    from treering.errors import LimitExceeded as LimitExceeded
    from treering.errors import NotFound as NotFound
    from treering.errors import QuotaExceeded as QuotaExceeded
    from treering.errors import TreeringError as TreeringError
    from treering.errors import Unavailable as Unavailable
    from treering.errors import Unsupported as Unsupported
    from treering.faces import aio as aio
    from treering.faces.client import Client as Client
    from treering.language.when import when as when
    from treering.model.identity import Identity as Identity

_HOMES = {
    "Client": "treering.faces.client",
    "Treering": "treering.door",
    "open": "treering.door",
    "restore_backup": "treering.door.restoring",
    "Identity": "treering.model.identity",
    "when": "treering.language.when",
    **dict.fromkeys(
        (
            "Conflict",
            "Corrupted",
            "Forbidden",
            "Held",
            "InvalidRequest",
            "LimitExceeded",
            "NotFound",
            "QuotaExceeded",
            "TreeringError",
            "Unavailable",
            "Unsupported",
        ),
        "treering.errors",
    ),
}

__all__ = ["__version__", "aio", *sorted(_HOMES)]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name == "aio":
        return importlib.import_module("treering.aio")
    if name not in _HOMES:
        raise AttributeError(f"module 'treering' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return list(__all__)

"""How the tests speak as an agent's client: with the real SDK, to a server in this process or to the program itself."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import mcp_types as types
from mcp import Client, StdioServerParameters

from treering.door import Treering
from treering.faces.mcp.server import server

T = TypeVar("T")
Ask = Callable[[Client], Awaitable[T]]
MODES = ("legacy", "auto")
"""The handshake that clients know since 2024, and the protocol of 2026 without one."""


def agent(door: Treering, tools: str, ask: Ask[T], mode: str = "legacy", within: float = 60, **more: Any) -> T:
    """Asks a server in this process."""
    return _asked(Client(server(lambda _: door, tools), mode=mode, **more), ask, within)


def program(store: Path, tools: str = "core", **environment: str) -> StdioServerParameters:
    """The program itself, as a client's settings start it."""
    words = ["-W", "error", "-m", "treering.faces.cli", "--url", str(store), "mcp", "--tools", tools]
    return StdioServerParameters(command=sys.executable, args=words, env={**_environment(), **environment})


def over_stdio(store: Path, tools: str, ask: Ask[T], mode: str = "legacy", **more: Any) -> T:
    return _asked(Client(program(store, tools), mode=mode, **more), ask)


def over_http(url: str, ask: Ask[T], mode: str = "legacy") -> T:
    return _asked(Client(url, mode=mode), ask)


def _asked(client: Client, ask: Ask[T], within: float = 60) -> T:
    async def asked() -> T | Exception:
        """An error is carried out of the client's task group, which would wrap it."""
        async with client:
            try:
                return await ask(client)
            except Exception as error:
                return error

    told = asyncio.run(asyncio.wait_for(asked(), within))
    if isinstance(told, Exception):
        raise told
    return told


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TREERING")}
    return {**kept, "TREERING_EMBEDDER": "none", "TREERING_JUDGE": "none", "TREERING_EXTRACTOR": "reader"}


@contextmanager
def http_server(store: Path, tools: str = "core") -> Iterator[str]:
    """The program serving over HTTP; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["-m", "treering.faces.cli", "--url", str(store), "mcp", "--http", "--port", str(port), "--tools", tools]
    running = subprocess.Popen([sys.executable, *words], env=_environment())
    try:
        _until_listening(port)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        running.terminate()
        assert running.wait(20) is not None


def _until_listening(port: int) -> None:
    for _ in range(800):
        with socket.socket() as knocking:
            if knocking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


def text(result: types.CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, types.TextContent)
    return block.text


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))

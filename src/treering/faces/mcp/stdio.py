"""How is a client served that started us? Over standard input and output; logs go to standard error."""

from __future__ import annotations

from treering import extras

extras.need("mcp", "serving agents")

import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

from treering.faces.cli.exits import INTERRUPTED
from treering.faces.logs import to_stderr
from treering.faces.mcp.heard import CheckedStream
from treering.faces.mcp.lazy_door import LazyDoor
from treering.faces.mcp.server import server

if TYPE_CHECKING:
    from treering.door import Treering


def serve(open_door: Callable[[], Treering], tools: str, log: str = "") -> None:
    """Until the client closes its end. The store is opened at the first call that needs it."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    if log:
        to_stderr(log)
    signal.signal(signal.SIGINT, _stopped)
    entrance = LazyDoor(open_door)
    try:
        anyio.run(_serve, entrance, tools)
    finally:
        entrance.close()


def _stopped(*_: object) -> None:
    """At once: the thread that waits for the client's next line would wait on. What was written whole is kept."""
    os._exit(INTERRUPTED)


async def _serve(entrance: LazyDoor, tools: str) -> None:
    here = server(lambda _: entrance.door(), tools)
    async with stdio_server() as (incoming, outgoing):
        await here.run(CheckedStream(incoming, outgoing), outgoing, here.create_initialization_options())

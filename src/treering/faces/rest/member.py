"""What does one process of a server do? It answers the callers that are handed to it, or it does the work that nobody
waits for: jobs, webhooks, upkeep. It ends when it is told to, or when who started it is gone.

Nothing here may import the counts (`watch`) before `fill` has said where they are kept.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn

from treering.faces.rest.post import Post, side_door

if TYPE_CHECKING:
    from treering.door import Treering

WORKS = 0
"""The number of the process that works; those that answer are counted from one."""
READY, CALLER, GONE = b"r", b"c", b"-"
"""What is said on a line: I can begin; here is one; one has left."""
STOPS = (signal.SIGINT, signal.SIGTERM)
_AT_ONCE = 64
HANDSHAKE_SECONDS = 15.0


def fill(post: Post, line: socket.socket) -> None:
    """The whole life of a process."""
    for one in STOPS:  # until there is something to finish
        signal.signal(one, signal.SIG_DFL)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(post.folder)
    from treering.faces.rest.frugal import few_heaps
    from treering.faces.rest.running import log_to_stderr

    few_heaps()
    log_to_stderr()
    with line, post.opens() as door:
        (_work if post.number == WORKS else _answer)(door, post, line)


def _say(line: socket.socket, word: bytes) -> None:
    """If nobody is there to hear it, this process ends soon."""
    with suppress(OSError):
        line.send(word)


# answering


def _answer(door: Treering, post: Post, line: socket.socket) -> None:
    from treering.faces.rest.app import application
    from treering.faces.rest.edges import Certificate
    from treering.faces.rest.running import config_of, told_to_stop_is_no_failure

    certificate = Certificate.of(post.policy)
    works = () if certificate is None else (certificate,)
    config = config_of(application(door, post.policy, works, among=post), post.policy)
    server = Answering(config, line, None if certificate is None else certificate.context)
    with _side_door(post.folder, post.number) as listening, told_to_stop_is_no_failure():
        server.run(sockets=[listening])
    if server.alone:
        shutil.rmtree(post.folder, ignore_errors=True)


def _side_door(folder: Path, number: int) -> socket.socket:
    """Where the other processes of the server find this one."""
    path = side_door(folder, number)
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    return listening


class Answering(uvicorn.Server):
    """A server whose callers come by a line from another process."""

    def __init__(self, config: uvicorn.Config, line: socket.socket, tls: ssl.SSLContext | None = None) -> None:
        """`tls`: how callers are spoken to; the other processes of the server, at the side door, plainly."""
        super().__init__(config)
        self._line, self._tls = line, tls
        self._welcoming = set[asyncio.Task[Any]]()
        self.alone = False
        """Whether the one who brought callers is gone."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._line.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._protocol = _telling(self.config.http_protocol_class, self._say_gone)
        self._loop.add_reader(self._line, self._take)
        _say(self._line, READY)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop.remove_reader(self._line)
        await super().shutdown(sockets)

    def _take(self) -> None:
        try:
            said, brought, _, _ = socket.recv_fds(self._line, _AT_ONCE, _AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            said, brought = b"", []
        for one in brought:
            caller = socket.socket(fileno=one)
            caller.setblocking(False)
            task = self._loop.create_task(self._welcome(caller))
            self._welcoming.add(task)
            task.add_done_callback(self._welcomed)
        if not said:
            self._loop.remove_reader(self._line)
            self.alone = self.should_exit = True

    async def _welcome(self, caller: socket.socket) -> None:
        within = None if self._tls is None else HANDSHAKE_SECONDS
        await self._loop.connect_accepted_socket(self._make, caller, ssl=self._tls, ssl_handshake_timeout=within)

    def _make(self) -> asyncio.Protocol:
        state = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        made: asyncio.Protocol = self._protocol(**state)
        return made

    def _welcomed(self, task: asyncio.Task[Any]) -> None:
        self._welcoming.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._say_gone()  # before it was heard

    def _say_gone(self) -> None:
        _say(self._line, GONE)


def _telling(protocol: Any, gone: Callable[[], None]) -> Any:
    """The same protocol, which says when a caller has left."""

    class Telling(protocol):  # type: ignore[misc]
        def connection_lost(self, error: Exception | None) -> None:
            super().connection_lost(error)
            gone()

    return Telling


# working


def _work(door: Treering, post: Post, line: socket.socket) -> None:
    from prometheus_client import CollectorRegistry

    from treering.faces.rest.frugal import GivesBack
    from treering.faces.rest.gauges import embedding_counts
    from treering.faces.rest.running import works

    door.hear_embedding(embedding_counts(CollectorRegistry()))  # into the files that all processes count in
    if hasattr(os, "nice"):
        os.nice(post.policy.niceness)

    def told(_: int, __: FrameType | None) -> None:
        line.shutdown(socket.SHUT_RD)

    for stop in STOPS:
        signal.signal(stop, told)
    doing = (*works(door, post.policy), GivesBack())
    threads = [threading.Thread(target=one.work, daemon=True) for one in doing]
    for thread in threads:
        thread.start()
    _say(line, READY)
    line.recv(1)  # nothing is ever said: it ends when this process is told to stop, or is left alone
    for work in doing:
        work.stop()
    for thread in threads:
        thread.join(post.policy.shutdown_seconds)

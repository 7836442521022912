"""A real server in a thread of this process, with whatever policy a test needs, on a port of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.running import config_of


@contextmanager
def served(door: Treering, policy: ServerPolicy) -> Iterator[tuple[str, uvicorn.Server]]:
    """Its address, and the server itself."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    server = uvicorn.Server(config_of(application(door, policy), policy))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    comes_true(lambda: server.started, "the server did not start")
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", server
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()


@contextmanager
def live(door: Treering, policy: ServerPolicy) -> Iterator[str]:
    """Its address."""
    with served(door, policy) as (url, _):
        yield url


def comes_true(holds: Callable[[], bool], else_said: str) -> None:
    give_up = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up, else_said
        time.sleep(0.01)


def connected(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def is_closed_within(one: socket.socket, seconds: float) -> bool:
    """Whether the other side hangs up; what it says before is read."""
    one.settimeout(seconds)
    try:
        while one.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True

"""Running the server: `treering serve`, and `treering worker` for jobs alone."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from treering.door import Treering
from treering.errors import Forbidden, Unavailable
from treering.exchange.webhooks.deliver import DeliveryPolicy
from treering.faces.rest.app import Work, application
from treering.faces.rest.housekeeping import Housekeeper
from treering.faces.rest.policy import ServerPolicy


def serve(door: Treering, policy: ServerPolicy) -> None:
    """Until it is told to stop; then what is under way is finished."""
    must_be_safe(door, policy)
    _log_to_stderr()
    config = uvicorn.Config(
        application(door, policy, works(door, policy)),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=int(policy.shutdown_seconds),
    )
    with _listening(policy) as listening, _told_to_stop_is_no_failure():
        _say_where(door, listening)
        uvicorn.Server(config).run(sockets=[listening])


def _listening(policy: ServerPolicy) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in policy.host else socket.AF_INET
        return socket.create_server((policy.host, policy.port), family=family)
    except OSError as error:
        raise Unavailable(
            f"{policy.host}:{policy.port}: cannot be listened on ({error.strerror}); is a server running there already?"
        ) from error


def _say_where(door: Treering, listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    where = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    print(f"treering serves {door.status().store['url']} at {where}; Ctrl-C stops it", file=sys.stderr, flush=True)


@contextmanager
def _told_to_stop_is_no_failure() -> Iterator[None]:
    """When all is done, the server hands the signal on that stopped it."""
    before = {one: signal.signal(one, _heard) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _heard(_: int, __: FrameType | None) -> None:
    """Whoever sent it has been obeyed."""


def must_be_safe(door: Treering, policy: ServerPolicy) -> None:
    if not policy.on_loopback and not door.key_list():
        raise Forbidden(
            f"host: without keys anybody who reaches {policy.host} could read everything; make a key first with "
            "`treering keys create NAME`, or listen on 127.0.0.1"
        )


def works(door: Treering, policy: ServerPolicy) -> tuple[Work, ...]:
    """What runs beside the requests."""
    messenger = door.messenger(DeliveryPolicy(private=policy.private_webhooks))
    keeps = (Housekeeper(door),) if policy.upkeep else ()
    return (messenger, *keeps, *(door.worker() for _ in range(policy.workers)))


def work(door: Treering) -> None:
    """Does jobs until it is told to stop."""
    worker = door.worker()

    def told(_: int, __: FrameType | None) -> None:
        worker.stop()

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, told)
    worker.work()


def _log_to_stderr() -> None:
    """Each line of the server's own log is JSON already."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name, level in (("treering.server", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)

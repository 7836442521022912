"""How is a server run? What every process of one needs: its log, its web server, the work beside the requests, and a
way to be told to stop that is no failure."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from treering import settings
from treering.exchange.webhooks.deliver import DeliveryPolicy
from treering.faces.logs import to_stderr
from treering.faces.rest.deadlines import with_deadlines
from treering.faces.rest.housekeeping import BackupKeeper, ServerUpkeep
from treering.faces.rest.policy import ServerPolicy

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from treering.door import Treering


class BackgroundWork(Protocol):
    """What runs beside the requests, in a thread of its own, until it is told to stop."""

    def work(self) -> None: ...

    def stop(self) -> None: ...


def works(door: Treering, policy: ServerPolicy) -> tuple[BackgroundWork, ...]:
    """All of it."""
    messenger = door.messenger(DeliveryPolicy(private=policy.private_webhooks))
    keeps = (ServerUpkeep(door),) if policy.upkeep else ()
    backs_up = (BackupKeeper(door),) if door.makes_backups else ()
    return (messenger, *keeps, *backs_up, *(door.worker() for _ in range(policy.workers)))


def config_of(app: ASGIApp, policy: ServerPolicy) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # our own, which trusts nobody that was not named
        http=with_deadlines(AutoHTTPProtocol, policy),
        timeout_keep_alive=max(1, int(policy.idle_seconds)),
        timeout_graceful_shutdown=int(policy.shutdown_seconds),
    )


@contextmanager
def told_to_stop_is_no_failure() -> Iterator[None]:
    """When all is done, the web server hands the signal on that stopped it."""
    before = {one: signal.signal(one, _heard) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _heard(_: int, __: FrameType | None) -> None:
    """Whoever sent it has been obeyed."""


def log_to_stderr() -> None:
    """Each line of the server's own log is JSON already; what the rooms behind it tell becomes so, where it is asked
    for."""
    if asked := settings.read().log:
        to_stderr(asked, as_json=True)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name, level in (("treering.faces.rest", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)

"""How does the server behave? Its bounds and defaults, in one place."""

from __future__ import annotations

from dataclasses import dataclass

HOST = "127.0.0.1"
PORT = 8321
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
DIALECTS = ("ai-memory", "crosmos")
"""Systems whose routes share paths: a server speaks one of them."""


@dataclass(frozen=True, slots=True)
class ServerPolicy:
    host: str = HOST
    port: int = PORT
    dialect: str = DIALECTS[0]
    tools: str = "core"
    """Which tools agents get at /mcp."""
    hosts: tuple[str, ...] = ()
    """Names it may be called by besides those of this machine; with keys any."""
    body_bytes: int = 16 * 1024 * 1024
    requests_a_minute: int = 0
    """Of one caller; 0 is no bound."""
    threads: int = 8
    workers: int = 1
    """Threads in the server that do jobs; 0 leaves them to `treering worker`."""
    upkeep: bool = True
    """Keep house while serving: one server of a store does it."""
    private_webhooks: bool = False
    shutdown_seconds: float = 20.0

    @property
    def on_loopback(self) -> bool:
        return self.host in LOOPBACK

"""How does the server behave? Its bounds and defaults, in one place."""

from __future__ import annotations

import os
import socket

from treering.values import dataclass

HOST = "127.0.0.1"
PORT = 8321
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
DIALECTS = ("ai-memory", "crosmos")
"""Systems whose routes share paths: a server speaks one of them."""
LEAST_THREADS = 4
LEAST_QUESTIONS = 2
"""While one waits for the disk another goes on."""
MOST_BY_ITSELF = 4
"""Processes that answer, where nobody said how many: each has the model and an index of its own."""


@dataclass(frozen=True, slots=True)
class ServerPolicy:
    host: str = HOST
    port: int = PORT
    dialect: str = DIALECTS[0]
    tools: str = "core"
    """Which tools agents get at /mcp."""
    hosts: tuple[str, ...] = ()
    """Names it may be called by besides those of this machine; with keys any."""
    tls_cert: str = ""
    tls_key: str = ""
    """Files in PEM: the certificate with those that lead to it, and its key. Both or none."""
    origins: tuple[str, ...] = ()
    """Pages of these origins may call from a browser; `*` is any, and takes keys."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose word is taken for who calls, and how."""
    body_bytes: int = 16 * 1024 * 1024
    requests_a_minute: int = 0
    """Of one caller; 0 is no bound."""
    processes: int = 1
    """How many answer. One does everything; beside several there is one more, which does the work that nobody waits
    for."""
    threads: int = 8
    """For those who ask, in all processes together; each has some."""
    workers: int = 1
    """Threads that do jobs; 0 leaves them to `treering worker`."""
    upkeep: bool = True
    """Keep house while serving: one server of a store does it."""
    private_webhooks: bool = False
    shutdown_seconds: float = 20.0
    header_seconds: float = 15.0
    """Until the headers of a request are there, from the connection's beginning or the request's first byte."""
    body_seconds: float = 30.0
    """Until a body is there; one that comes steadily has longer."""
    idle_seconds: float = 15.0
    """Between two requests of a connection."""
    unread_seconds: float = 60.0
    """Until a caller reads on who has stopped reading an answer."""
    niceness: int = 10
    """By how much the process that does jobs makes way for those that answer."""

    @property
    def has_tls(self) -> bool:
        return bool(self.tls_cert)

    @property
    def threads_each(self) -> int:
        return max(LEAST_THREADS, self.threads // self.processes)

    @property
    def questions_each(self) -> int:
        """At once in each process, where models on this machine read them. More would be done no sooner: they would
        take the interpreter and the caches of the cores from one another, and every thread from who asks for
        something else."""
        return min(self.threads_each, max(LEAST_QUESTIONS, usable_cores() // self.processes))

    @property
    def on_loopback(self) -> bool:
        return self.host in LOOPBACK


def usual_processes() -> int:
    """One a core, within reason; one where callers cannot be handed from process to process."""
    return min(usable_cores(), MOST_BY_ITSELF) if hasattr(socket, "send_fds") else 1


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Running the server: `treering serve`, and `treering worker` for jobs alone."""

from __future__ import annotations

from treering import extras

extras.need("server", "the server")

import signal
import socket
import sys
from types import FrameType

import uvicorn

from treering.door import Treering
from treering.errors import Forbidden, Unavailable
from treering.faces.rest.edges import Certificate, checked
from treering.faces.rest.frugal import few_heaps
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.post import Opens
from treering.faces.rest.running import config_of, log_to_stderr, told_to_stop_is_no_failure, works
from treering.faces.rest.together import Together

_IN_MEMORY = ":memory:"


def serve(opens: Opens, policy: ServerPolicy) -> None:
    """Until it is told to stop; then what is under way is finished."""
    log_to_stderr()
    few_heaps()
    checked(policy)
    with opens() as door:
        must_be_safe(door, policy)
        store = str(door.status().store["url"])
        if policy.processes == 1 or store == _IN_MEMORY:  # no other process could look into this one
            _alone(door, policy, store)
            return
    with listening_at(policy) as listening:
        Together(opens, policy, listening).serve(lambda: _say_where(store, listening, policy.has_tls))


def _alone(door: Treering, policy: ServerPolicy, store: str) -> None:
    from treering.faces.rest.app import application  # of several processes, the first has no need of it

    certificate = Certificate.of(policy)
    beside = works(door, policy) if certificate is None else (*works(door, policy), certificate)
    config = config_of(application(door, policy, beside), policy)
    if certificate is not None:
        config.load()
        config.ssl = certificate.context
    with listening_at(policy) as listening, told_to_stop_is_no_failure():
        _say_where(store, listening, policy.has_tls)
        uvicorn.Server(config).run(sockets=[listening])


def listening_at(policy: ServerPolicy) -> socket.socket:
    """Where its policy says; refused in words where that cannot be."""
    try:
        family = socket.AF_INET6 if ":" in policy.host else socket.AF_INET
        return socket.create_server((policy.host, policy.port), family=family, backlog=1024)
    except OSError as error:
        raise Unavailable(
            f"{policy.host}:{policy.port}: cannot be listened on ({error.strerror}); is a server running there already?"
        ) from error


def _say_where(store: str, listening: socket.socket, secure: bool) -> None:
    host, port = listening.getsockname()[:2]
    scheme = "https" if secure else "http"
    where = f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
    print(f"treering serves {store} at {where}; Ctrl-C stops it", file=sys.stderr, flush=True)


def must_be_safe(door: Treering, policy: ServerPolicy) -> None:
    if not policy.on_loopback and not door.is_locked():
        raise Forbidden(
            f"host: without keys anybody who reaches {policy.host} could read everything; make a key first with "
            "`treering keys create --name NAME --space SPACE`, or listen on 127.0.0.1"
        )
    if "*" in policy.origins and not door.key_list():
        raise Forbidden(
            "--allow-origin: without keys any page that is open in a browser here could read everything; make a key "
            "first with `treering keys create`, or name the origins"
        )


def work(door: Treering) -> None:
    """Does jobs until it is told to stop."""
    worker = door.worker()

    def told(_: int, __: FrameType | None) -> None:
        worker.stop()

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, told)
    worker.work()

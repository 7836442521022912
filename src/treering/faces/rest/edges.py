"""What lies between a caller and the server? A certificate that is read anew when it is renewed, pages of other origins
that may call from a browser, and proxies whose word is taken for who calls.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import ssl
import threading
from pathlib import Path
from urllib.parse import urlsplit

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from treering.errors import InvalidRequest
from treering.faces.rest.policy import ServerPolicy

LOG = logging.getLogger(__name__)
LOOK_SECONDS = 60.0
ANY = "*"
_TOLD = (
    "Content-Disposition", "Location", "Mcp-Session-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
    "Retry-After", "Treering-Entries", "Treering-Sha256", "X-Request-Id",
)  # fmt: skip
"""What a page may read of an answer beside its body."""
_ASKED = (
    "Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Mcp-Protocol-Version", "Mcp-Session-Id",
    "X-Agent-Id", "X-Request-Id", "traceparent",
)  # fmt: skip


def checked(policy: ServerPolicy) -> None:
    """Before anything listens: what was said can be kept to."""
    if bool(policy.tls_cert) != bool(policy.tls_key):
        missing = "--tls-key" if policy.tls_cert else "--tls-cert"
        raise InvalidRequest(f"{missing}: a certificate and its key belong together; give both, or none")
    Certificate.of(policy)
    for one in policy.origins:
        _must_be_an_origin(one)
    for one in policy.proxies:
        try:
            ipaddress.ip_network(one)
        except ValueError as error:
            raise InvalidRequest(f"--trust-proxy: {one!r} is no address or network ({error})") from None


def _must_be_an_origin(given: str) -> None:
    if given == ANY:
        return
    try:
        parts = urlsplit(given)
        known = parts.scheme in ("http", "https") and parts.hostname and given == f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        known = False
    if not known:
        raise InvalidRequest(
            f"--allow-origin: {given!r} is not an origin; give scheme, host and port as a browser sends them, such as "
            "https://app.example.com"
        )


class Certificate:
    """Speaks TLS 1.2 and later. A certificate that was renewed holds for who comes next; one that cannot be read does
    not, and the old one stays."""

    def __init__(self, cert: str, key: str, look_seconds: float = LOOK_SECONDS) -> None:
        self._cert, self._key, self._look_seconds = Path(cert).expanduser(), Path(key).expanduser(), look_seconds
        self._stopping = threading.Event()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._seen = self._stamp()
        self._load(self.context)

    @classmethod
    def of(cls, policy: ServerPolicy) -> Certificate | None:
        return cls(policy.tls_cert, policy.tls_key) if policy.has_tls else None

    def work(self) -> None:
        while not self._stopping.wait(self._look_seconds):
            self.look()

    def look(self) -> bool:
        """Whether there is a new one and it was taken."""
        try:
            stamp = self._stamp()
            if stamp == self._seen:
                return False
            self._load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))  # half of a pair must not be taken
            self._load(self.context)
        except InvalidRequest as error:  # about to be replaced, or wrong: it is looked at again
            LOG.error(json.dumps({"certificate": "not taken", "error": str(error)}, ensure_ascii=False))
            return False
        self._seen = stamp
        LOG.info(json.dumps({"certificate": "renewed"}))
        return True

    def stop(self) -> None:
        self._stopping.set()

    def _stamp(self) -> tuple[int, ...]:
        try:
            found = [one.stat() for one in (self._cert, self._key)]
        except OSError as error:
            raise InvalidRequest(f"--tls-cert: {error.filename} cannot be read ({error.strerror})") from error
        return tuple(part for one in found for part in (one.st_mtime_ns, one.st_ino))

    def _load(self, context: ssl.SSLContext) -> None:
        try:
            context.load_cert_chain(self._cert, self._key, password=_no_password)
        except (OSError, ssl.SSLError, ValueError) as error:
            raise InvalidRequest(
                f"--tls-cert: {self._cert} and {self._key} are no certificate with its key in PEM, without a "
                f"passphrase ({error})"
            ) from error


def _no_password() -> str:
    """Nobody sits at a server to be asked for one."""
    return ""


def for_origins(app: ASGIApp, policy: ServerPolicy) -> ASGIApp:
    """What browsers ask beforehand is answered here, without a key; what they then send passes the gate as ever."""
    if not policy.origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=list(policy.origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=list(_ASKED),
        expose_headers=list(_TOLD),
        max_age=600,
    )


def behind_proxies(app: ASGIApp, policy: ServerPolicy) -> ASGIApp:
    """Who calls is who the proxy says it is; of anybody else such words are not believed."""
    if not policy.proxies:
        return app
    proxied: ASGIApp = ProxyHeadersMiddleware(app, trusted_hosts=list(policy.proxies))  # type: ignore[assignment,arg-type]
    return proxied

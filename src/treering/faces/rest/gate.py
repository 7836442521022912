"""Who comes in? Every request passes here: by which name it calls us, from which page, with which key, how often and
with how much. What passes carries its caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treering.access.keys import id_in
from treering.access.oidc import Unauthentic
from treering.errors import Forbidden, LimitExceeded, TreeringError
from treering.faces.rest.answers import HEADERS_TOO_LARGE, TOO_MANY, UNAUTHORIZED, Refusal, failure, refusal
from treering.faces.rest.authenticator import Authenticator
from treering.faces.rest.caller import Caller, ServedRequest
from treering.faces.rest.deadlines import HEAD_BYTES
from treering.faces.rest.dialects import RefusalDialects
from treering.faces.rest.page import is_page
from treering.faces.rest.policy import LOOPBACK, ServerPolicy
from treering.faces.rest.rate import Buckets, Left
from treering.faces.rest.sessions import by_the_side_door
from treering.model import limits

OPEN = frozenset({"/healthz", "/readyz", "/api/v1/health", "/docs", "/openapi.json"})
"""Paths that tell nothing of anybody and need no key: a browser that reads the description has none to send."""
ACTOR_HEADERS = ("x-agent-id", "x-treering-actor")
EMPTY: Mapping[str, str] = {}
NO_KEY = "give a key that holds: `Authorization: Bearer tr_…`"
UNAUTHORIZED_CODE = "unauthorized"
TOKENS_AT_ONCE = 8
"""So many wait for an identity provider that is slow; who has a key does not wait behind them."""
_OUR_SITE = ("same-origin", "none")
"""What a browser says of requests by our own page, and of those that a person made by hand."""
_FOR_BROWSERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
"""Answers are no scripts, pictures or frames of other sites' pages, and what is opened by itself loads nothing."""


class AccessGate:
    def __init__(
        self,
        app: ASGIApp,
        doorkeeper: Authenticator,
        policy: ServerPolicy,
        actor: str,
        buckets: Buckets,
        voices: RefusalDialects,
    ) -> None:
        self._app = app
        self._doorkeeper = doorkeeper
        self._policy = policy
        self._actor = actor
        self._buckets = buckets
        self._voices = voices
        self._allowance = doorkeeper.allowance
        self._tokens: anyio.CapacityLimiter | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        send = _for_browsers(send)
        if scope["type"] == "http" and sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD_BYTES:
            told = f"the headers are larger than {HEAD_BYTES:,} bytes together"
            await self._voices.worded(scope["path"], refusal(HEADERS_TOO_LARGE, told))(scope, receive, send)
            return
        if scope["type"] != "http" or scope["path"] in OPEN or is_page(scope["path"]):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            refused = await self._refused(scope, headers)
        except (TreeringError, Unauthentic) as error:
            refused = await self._denied(scope, headers, error)
        if refused is not None:
            await self._voices.worded(scope["path"], refused)(scope, receive, send)
            return
        bounded = _Bounded(receive, self._policy.body_bytes, scope["state"]["still"])
        left: Left | None = scope["state"].get("left")
        await self._app(scope, bounded, send if left is None else _telling(send, left))

    async def _refused(self, scope: Scope, headers: Headers) -> Refusal | None:
        written = _bearer(headers)
        caller = await self._looked_up(headers, written)
        if caller is None:
            raise Unauthentic(NO_KEY)
        if not _is_small(headers.get("content-length", "0"), self._policy.body_bytes):
            return failure(too_large(self._policy.body_bytes))
        state = scope.setdefault("state", {})
        state["caller"], state["still"] = caller, lambda: self._still(headers, written, caller)
        caller = state["caller"] = replace(caller, visit=ServedRequest(state.get("request"), self._doorkeeper.auditor))
        scope["user"] = caller.as_user()
        if by_the_side_door(scope):  # it was counted where it came in
            return None
        if a_minute := caller.requests_a_minute or self._policy.requests_a_minute:
            left = scope["state"]["left"] = self._buckets.take(caller.id or caller.name, a_minute)
            if left.wait_seconds > 0:
                many = f"more than {a_minute} requests a minute; wait a little"
                return _too_many(many, left.wait_seconds, left.headers())
        if caller.requests_a_day is not None:
            wait = await anyio.to_thread.run_sync(self._allowance.take, caller)
            if wait > 0:
                return _too_many(f"this key has used up its {caller.requests_a_day} requests of today (UTC)", wait)
        return None

    async def _looked_up(self, headers: Headers, written: str) -> Caller | None:
        if self._doorkeeper.recalls(written):
            return self._caller(headers, written)
        limiter = None
        if self._doorkeeper.is_token(written):
            limiter = self._tokens = self._tokens or anyio.CapacityLimiter(TOKENS_AT_ONCE)
        return await anyio.to_thread.run_sync(self._caller, headers, written, limiter=limiter)

    async def _denied(self, scope: Scope, headers: Headers, error: TreeringError | Unauthentic) -> Refusal:
        """Tells it, and records who was not let in; a store that does not answer is no refusal of ours."""
        code = UNAUTHORIZED_CODE if isinstance(error, Unauthentic) else error.code
        if self._doorkeeper.auditor.is_on and isinstance(error, Unauthentic | Forbidden):
            key, request = id_in(_bearer(headers)), scope.get("state", {}).get("request")
            note = partial(self._doorkeeper.auditor.refused, code, key=key, request=request)
            await anyio.to_thread.run_sync(note)
        if not isinstance(error, Unauthentic):
            return failure(error)
        said = str(error)
        told = 'Bearer realm="treering"' + ("" if said == NO_KEY else ', error="invalid_token"')
        message = said if said == NO_KEY else f"this token does not hold: {said}"
        return refusal(UNAUTHORIZED, message, headers={"WWW-Authenticate": told})

    def _caller(self, headers: Headers, written: str) -> Caller | None:
        if self._doorkeeper.needs_key():
            return self._doorkeeper.bearer(written) if written else None
        if not self._is_from_here(headers):
            raise Forbidden(
                "without keys only this machine may call, by its own name; make a key with `treering keys create`"
            )
        named = next((headers[one] for one in ACTOR_HEADERS if headers.get(one)), self._actor)
        return Caller(limits.text(named, "X-Agent-Id", limits.NAME_CHARS, least=1))

    async def _still(self, headers: Headers, written: str, caller: Caller) -> bool:
        """Whether who came in with this key would come in with it now, as the same and with the same rights."""
        try:
            return await self._looked_up(headers, written) == caller
        except (Forbidden, Unauthentic):
            return False
        except TreeringError:  # the store does not answer for a moment
            return True

    def _is_from_here(self, headers: Headers) -> bool:
        """A page of somebody else's, open in a browser on this machine, calls us by its own name, from its origin, or
        has the browser say that it is not ours: also one that this machine serves at another port. Those of the
        allow-list may."""
        called, origin = headers.get("host", ""), headers.get("origin")
        if _host(f"//{called}") not in LOOPBACK | set(self._policy.hosts):
            return False
        if origin is not None and origin in self._policy.origins:
            return True
        if headers.get("sec-fetch-site", "none") not in _OUR_SITE:
            return False
        return origin is None or _authority(origin) == called.lower()


@dataclass(slots=True)
class _Bounded:
    """Counts a body that did not say its length. Who took their time in sending it is asked again whether their key
    holds: it was looked at when they began."""

    receive: Receive
    left: int
    still: Callable[[], Awaitable[bool]]

    async def __call__(self) -> Message:
        message = await self.receive()
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            raise too_large(self.left)
        if message["type"] == "http.request" and not message.get("more_body") and not await self.still():
            raise Forbidden("the key does not hold any more: it was revoked while the body was coming")
        return message


def _for_browsers(send: Send) -> Send:
    """The same way to send, with what keeps an answer out of other sites' pages."""

    async def kept(message: Message) -> None:
        if message["type"] == "http.response.start":
            told = message.get("headers", ())
            known = {name.lower() for name, _ in told}
            message["headers"] = [*told, *(one for one in _FOR_BROWSERS if one[0] not in known)]
        await send(message)

    return kept


def _telling(send: Send, left: Left) -> Send:
    """The same way to send, with how many requests are left."""

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            more = [(name.lower().encode(), value.encode()) for name, value in left.headers().items()]
            message["headers"] = [*message.get("headers", ()), *more]
        await send(message)

    return told


def _too_many(message: str, wait_seconds: float, headers: Mapping[str, str] = EMPTY) -> Refusal:
    return refusal(TOO_MANY, message, headers={"Retry-After": str(int(wait_seconds) + 1), **headers})


def too_large(most: int) -> LimitExceeded:
    of = f" than {most:,} bytes" if most > 0 else " than this server takes"
    return LimitExceeded(f"the body is larger{of}; send it in parts")


def _is_small(length: str, most: int) -> bool:
    """What is longer than the number itself is not read as one."""
    return length.isascii() and length.isdecimal() and len(length) <= len(str(most)) and int(length) <= most


def _bearer(headers: Headers) -> str:
    kind, _, written = headers.get("authorization", "").partition(" ")
    return written.strip() if kind.lower() == "bearer" else ""


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        named = parts.port is None or parts.port > 0
        return (parts.hostname or "").lower() if named and "@" not in parts.netloc else ""
    except ValueError:
        return ""


def _authority(origin: str) -> str | None:
    """Host and port, as a browser writes them in both headers."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") and not parts.path else None

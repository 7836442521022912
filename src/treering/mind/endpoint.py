"""How is an endpoint asked, and what if it stumbles? JSON there and JSON back over HTTP, for embedders and language
models alike: retries with growing waits, time-outs, so many requests at once, so many bytes of an answer.

The key travels in one header; it is in no message, no `repr` and no error. Redirections are not followed: what is
remembered goes to the host that was named and to no other.
"""

from __future__ import annotations

import json
import random
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from treering.errors import InvalidRequest, Unavailable

if TYPE_CHECKING:
    import httpx

WORTH_RETRYING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
REFUSALS = frozenset({401, 403})
EXCERPT_CHARACTERS = 200
READ_BYTES = 1 << 16
JSON = {"content-type": "application/json"}


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Waits 0.5, 1, 2 … seconds, or as long as the endpoint asks, and up to a quarter longer, so that callers who
    failed together do not come back together; but never longer than `longest_wait_seconds`. Where `after_time_out` is
    false, an answer that did not come in time is not asked for again."""

    attempts: int = 4
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    jitter: float = 0.25
    after_time_out: bool = True

    def wait(self, failures: int, asked: float | None) -> float:
        seconds = self.first_wait_seconds * 2.0 ** (failures - 1) if asked is None else asked
        seconds *= 1 + self.jitter * random.random()
        return min(max(seconds, 0.0), self.longest_wait_seconds)


@dataclass(frozen=True, slots=True)
class EndpointPolicy:
    """`timeout_seconds` is for the connection, for each silence, and for an answer as a whole."""

    timeout_seconds: float = 30.0
    at_once: int = 4
    answer_bytes: int = 64 << 20

    def __post_init__(self) -> None:
        if not self.timeout_seconds > 0:
            raise InvalidRequest(f"timeout_seconds: {self.timeout_seconds:g} is not more than 0")
        if self.at_once < 1:
            raise InvalidRequest(f"at_once: {self.at_once} is less than 1")


def bearing(api_key: str | None) -> dict[str, str]:
    """The header in which most endpoints want the key."""
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


Instead = Callable[[str], Mapping[str, Any] | None]
"""From what an endpoint says about a question that it refuses, to the question to try next, if there is one."""


class _Refused(Exception):
    """The endpoint will not have the question as it stands: its status, and what it says."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


class _Passing(Exception):
    """A failure that may pass: what happened, and the wait the endpoint asked for."""

    def __init__(self, reason: str, asked: float | None = None, *, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.asked = asked
        self.timed_out = timed_out


class Endpoint:
    """`who` opens every error: "embedder openai/m3"."""

    def __init__(
        self,
        who: str,
        base_url: str,
        headers: Mapping[str, str],
        *,
        secret: str | None = None,
        policy: EndpointPolicy | None = None,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.place = _place(base_url)
        if secret and not (secret.isascii() and secret.isprintable()):
            raise InvalidRequest("api_key: it holds a character that no header can carry; look for a line break in it")
        self._who = who
        self._secret = secret
        self._policy = policy or EndpointPolicy()
        self._retry = retry or RetryPolicy()
        self._sleep = sleep
        self._turn = threading.BoundedSemaphore(self._policy.at_once)
        self._client = _client(base_url, headers, self._policy.timeout_seconds)
        self.close = weakref.finalize(self, self._client.close)

    def ask(self, path: str, question: Mapping[str, Any], instead: Instead = lambda said: None) -> Any:
        """The JSON that comes back. Raises `Unavailable`."""
        failures = 0
        while True:
            try:
                with self._turn:
                    return self._post(path, question)
            except _Refused as refusal:
                other = instead(refusal.body.decode("utf-8", "replace"))
                if other is None:
                    raise self.unavailable(f"status {refusal.status}: {self.excerpt(refusal.body)}") from None
                question = other
            except _Passing as failure:
                failures += 1
                if failure.timed_out and not self._retry.after_time_out:
                    raise self.unavailable(str(failure)) from None
                if failures >= self._retry.attempts:
                    raise self.unavailable(f"{failure}, {failures} times") from None
                self._sleep(self._retry.wait(failures, failure.asked))

    def _post(self, path: str, question: Mapping[str, Any]) -> Any:
        import httpx

        try:
            # escaped throughout: half of a surrogate pair, as some texts have it, cannot be sent as it is
            written = json.dumps(question).encode()
            with self._client.stream("POST", path, content=written, headers=JSON) as answer:
                body = self._body(answer)
        except httpx.TimeoutException as error:
            raise _Passing(f"no answer in time ({type(error).__name__})", timed_out=True) from None
        except httpx.TransportError as error:
            raise _Passing(f"the connection failed ({type(error).__name__})") from None
        except httpx.DecodingError:
            raise self.unavailable("the answer cannot be decompressed") from None
        self._must_be_well(answer, body)
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise self.unavailable(f"the answer is not JSON: {self.excerpt(body)}") from None

    def _body(self, answer: httpx.Response) -> bytes:
        """All of it, if it is not too much and does not trickle."""
        began, parts, size = time.monotonic(), [], 0
        for part in answer.iter_bytes(READ_BYTES):
            parts.append(part)
            size += len(part)
            if size > self._policy.answer_bytes:
                raise self.unavailable(f"the answer is longer than {self._policy.answer_bytes:,} bytes")
            if time.monotonic() - began > self._policy.timeout_seconds:
                raise _Passing("no answer in time (it trickles)", timed_out=True)
        return b"".join(parts)

    def _must_be_well(self, answer: httpx.Response, body: bytes) -> None:
        status = answer.status_code
        if status in WORTH_RETRYING:
            raise _Passing(f"status {status}", _asked_wait(answer.headers))
        if status in REFUSALS:
            # the body of a refusal may repeat part of the key
            raise self.unavailable(f"status {status}: the key was refused; check api_key")
        if not answer.is_success:
            raise _Refused(status, body)

    def excerpt(self, body: bytes | object) -> str:
        """The beginning of what came back, as it may be shown."""
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False)
        return repr((text.replace(self._secret, "***") if self._secret else text)[:EXCERPT_CHARACTERS])

    def unavailable(self, reason: str) -> Unavailable:
        return Unavailable(f"{self._who} at {self.place}: {reason}")


def _client(base_url: str, headers: Mapping[str, str], timeout_seconds: float) -> httpx.Client:
    import httpx

    return httpx.Client(base_url=base_url, headers=dict(headers), timeout=timeout_seconds)


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Retry-After in seconds. A point in time counts from the endpoint's own clock, which need not be ours."""
    asked = headers.get("retry-after", "")
    try:
        return float(asked)
    except ValueError:
        pass
    try:
        return (parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
    except (ValueError, TypeError):
        return None


def _place(base_url: str) -> str:
    """The address as it may be shown: a user, a password or a query in it stay out."""
    try:
        parts = urlsplit(base_url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise InvalidRequest(f"base_url: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidRequest("base_url: it must begin with http:// or https:// and name a host")
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

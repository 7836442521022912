"""Any endpoint that speaks the OpenAI embeddings dialect: the provider's own, a proxy, or a model server next door.

Texts leave the machine here and nowhere else in this room. The key travels in one header; it is in no message, no
`repr` and no error.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from treering.errors import InvalidRequest, Unavailable
from treering.mind.batches import SHORTEST_NORM, Batches, BatchPolicy, package_folder
from treering.mind.contract import Passage

if TYPE_CHECKING:
    import httpx

    from treering.mind.contract import Vectors

OPENAI_URL = "https://api.openai.com/v1"
WORTH_RETRYING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
REFUSALS = frozenset({401, 403})
EXCERPT_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Waits 0.5, 1, 2 … seconds, or as long as the endpoint asks, but never longer than `longest_wait_seconds`."""

    attempts: int = 4
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0

    def wait(self, failures: int, asked: str | None) -> float:
        try:
            seconds = float(asked or "")
        except ValueError:
            seconds = self.first_wait_seconds * 2.0 ** (failures - 1)
        return min(max(seconds, 0.0), self.longest_wait_seconds)


class _Passing(Exception):
    """A failure that may pass: what happened, and the wait the endpoint asked for."""

    def __init__(self, reason: str, asked: str | None = None) -> None:
        super().__init__(reason)
        self.asked = asked


class OpenAI:
    def __init__(
        self,
        *,
        model: str,
        dims: int,
        api_key: str | None = None,
        base_url: str = OPENAI_URL,
        text_prefix: str = "",
        question_prefix: str = "",
        timeout_seconds: float = 30.0,
        texts_per_request: int = 64,
        cached_texts: int = 4096,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`dims`: what the model gives; an answer of another width is refused. The prefixes are for models that want
        questions and passages told apart."""
        package_folder("httpx", "openai")
        if dims < 1:
            raise InvalidRequest(f"dims: {dims} is less than 1")
        self.name = f"openai/{model}"
        self.dims = dims
        self._model = model
        self._place = _place(base_url)
        self._prefixes = (text_prefix, question_prefix)
        self._retry = retry or RetryPolicy()
        self._sleep = sleep
        self._client = _client(base_url, api_key, timeout_seconds)
        self.close = weakref.finalize(self, self._client.close)
        policy = BatchPolicy(texts_per_batch=texts_per_request, cached_texts=cached_texts)
        self._batches = Batches(dims, self._read, policy)

    def __repr__(self) -> str:
        return f"OpenAI(model={self._model!r}, dims={self.dims}, base_url={self._place!r})"

    def embed(self, texts: Sequence[str]) -> Vectors:
        if isinstance(texts, str):
            return self._batches.embed(texts)  # refused there
        return self._batches.embed([self._prefixes[0] + text for text in texts])

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        if isinstance(passages, str | Passage):
            return self._batches.embed_passages(passages)  # refused there
        return self._batches.embed_passages([Passage(each.text, self._prefixes[0] + each.lead) for each in passages])

    def embed_question(self, text: str) -> Vectors:
        return self._batches.embed_one(self._prefixes[1] + text)

    def _read(self, texts: list[str]) -> Vectors:
        # most endpoints refuse an empty input; a space says as little
        asked = {"model": self._model, "input": [text or " " for text in texts], "encoding_format": "float"}
        failures = 0
        while True:
            try:
                return self._vectors(self._post(asked), len(texts))
            except _Passing as failure:
                failures += 1
                if failures >= self._retry.attempts:
                    raise self._unavailable(f"{failure}, {failures} times") from None
                self._sleep(self._retry.wait(failures, failure.asked))

    def _post(self, asked: dict[str, Any]) -> httpx.Response:
        import httpx

        try:
            answer = self._client.post("embeddings", json=asked)
        except httpx.TimeoutException as error:
            raise _Passing(f"no answer in time ({type(error).__name__})") from None
        except httpx.TransportError as error:
            raise _Passing(f"the connection failed ({type(error).__name__})") from None
        if answer.status_code in WORTH_RETRYING:
            raise _Passing(f"status {answer.status_code}", answer.headers.get("retry-after"))
        if answer.status_code in REFUSALS:
            # the body of a refusal may repeat part of the key
            raise self._unavailable(f"status {answer.status_code}: the key was refused; check api_key")
        if not answer.is_success:
            raise self._unavailable(f"status {answer.status_code}: {self._excerpt(answer)}")
        return answer

    def _vectors(self, answer: httpx.Response, count: int) -> Vectors:
        """The rows in the order asked for; an answer that does not hold together is not worth a second try."""
        try:
            entries = sorted(answer.json()["data"], key=lambda entry: int(entry["index"]))
            places = [int(entry["index"]) for entry in entries]
            found = [entry["embedding"] for entry in entries]
            widths = {len(row) for row in found}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._unavailable(f"the answer is not an embeddings answer: {self._excerpt(answer)}") from None
        if places != list(range(count)):
            raise self._unavailable(f"{len(places)} vectors came back for {count} texts")
        if widths != {self.dims}:
            raise self._unavailable(f"vectors of {sorted(widths)} dims came back, not {self.dims}; set dims to match")
        return self._numbers(found)

    def _numbers(self, found: list[Any]) -> Vectors:
        try:
            rows = np.asarray(found, np.float32)
        except (ValueError, TypeError):
            raise self._unavailable("a vector came back with something in it that is no number") from None
        norms = np.linalg.norm(rows, axis=1)
        if not np.all(np.isfinite(norms)) or np.any(norms < SHORTEST_NORM):
            raise self._unavailable("a vector without direction came back (zero or not finite)")
        return rows

    def _excerpt(self, answer: httpx.Response) -> str:
        text = answer.text
        key = answer.request.headers.get("authorization", "").removeprefix("Bearer ")
        return repr((text.replace(key, "***") if key else text)[:EXCERPT_CHARACTERS])

    def _unavailable(self, reason: str) -> Unavailable:
        return Unavailable(f"embedder {self.name} at {self._place}: {reason}")


def _client(base_url: str, api_key: str | None, timeout_seconds: float) -> httpx.Client:
    import httpx

    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return httpx.Client(base_url=base_url, headers=headers, timeout=timeout_seconds)


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

"""Any endpoint that speaks the OpenAI embeddings dialect: the provider's own, a proxy, or a model server next door.

Of the embedders only this one lets texts leave the machine. How it asks, and what if the endpoint stumbles, is known in
`endpoint.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treering.errors import InvalidRequest
from treering.mind.batches import CACHED_TEXTS, SHORTEST_NORM, Batches, BatchPolicy, package_folder
from treering.mind.contract import Passage
from treering.mind.endpoint import Endpoint, EndpointPolicy, RetryPolicy, bearing

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

OPENAI_URL = "https://api.openai.com/v1"


class OpenAIEmbedder:
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
        cached_texts: int = CACHED_TEXTS,
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
        self._prefixes = (text_prefix, question_prefix)
        self._endpoint = Endpoint(
            f"embedder {self.name}",
            base_url,
            bearing(api_key),
            secret=api_key,
            policy=EndpointPolicy(timeout_seconds),
            retry=retry,
            sleep=sleep,
        )
        self.close = self._endpoint.close
        policy = BatchPolicy(texts_per_batch=texts_per_request, cached_texts=cached_texts)
        self._batches = Batches(dims, self._read, policy)

    def __repr__(self) -> str:
        return f"OpenAI(model={self._model!r}, dims={self.dims}, base_url={self._endpoint.place!r})"

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
        return self._vectors(self._endpoint.ask("embeddings", asked), len(texts))

    def _vectors(self, answer: Any, count: int) -> Vectors:
        """The rows in the order asked for; an answer that does not hold together is not worth a second try."""
        try:
            entries = sorted(answer["data"], key=lambda entry: int(entry["index"]))
            places = [int(entry["index"]) for entry in entries]
            found = [entry["embedding"] for entry in entries]
            widths = {len(row) for row in found}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            shown = self._endpoint.excerpt(answer)
            raise self._endpoint.unavailable(f"the answer is not an embeddings answer: {shown}") from None
        if places != list(range(count)):
            raise self._endpoint.unavailable(f"{len(places)} vectors came back for {count} texts")
        if widths != {self.dims}:
            found_dims = f"vectors of {sorted(widths)} dims came back, not {self.dims}"
            raise self._endpoint.unavailable(f"{found_dims}; set dims to match")
        return self._numbers(found)

    def _numbers(self, found: list[Any]) -> Vectors:
        try:
            rows = np.asarray(found, np.float32)
        except (ValueError, TypeError):
            raise self._endpoint.unavailable("a vector came back with something in it that is no number") from None
        norms = np.linalg.norm(rows, axis=1)
        if not np.all(np.isfinite(norms)) or np.any(norms < SHORTEST_NORM):
            raise self._endpoint.unavailable("a vector without direction came back (zero or not finite)")
        return rows

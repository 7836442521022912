"""Any endpoint that reranks: a question and documents there, a number for each of them back.

Providers and model servers agree on it but for names: `documents` and `relevance_score` with most, `texts` and `score`
with some. A question is waited for by somebody, so an endpoint that stumbles is asked once more and no longer.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from treering.mind.batches import package_folder
from treering.mind.endpoint import Endpoint, EndpointPolicy, RetryPolicy, bearing

SOON = RetryPolicy(attempts=2, first_wait_seconds=0.2, longest_wait_seconds=1.0, after_time_out=False)


class RerankEndpoint:
    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        retry: RetryPolicy = SOON,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`base_url`: what stands before `/rerank`."""
        package_folder("httpx", "rerank", what="extra")
        self.name = f"endpoint/{model}"
        self._model = model
        self._endpoint = Endpoint(
            f"reranker {self.name}",
            base_url,
            bearing(api_key),
            secret=api_key,
            policy=EndpointPolicy(timeout_seconds),
            retry=retry,
            sleep=sleep,
        )
        self.close = self._endpoint.close

    def __repr__(self) -> str:
        return f"RerankEndpoint(model={self._model!r}, base_url={self._endpoint.place!r})"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        documents = [text or " " for text in texts]  # most endpoints refuse an empty one
        named_otherwise = iter([{"query": question, "texts": documents}])

        def instead(said: str) -> dict[str, Any] | None:
            return next(named_otherwise, None) if "texts" in said else None

        asked = {"model": self._model, "query": question, "documents": documents}
        return self._numbers(self._endpoint.ask("rerank", asked, instead), len(texts))

    def _numbers(self, answer: Any, count: int) -> list[float]:
        try:
            results = answer if isinstance(answer, list) else answer["results"]
            told = {int(one["index"]): float(one.get("relevance_score", one.get("score"))) for one in results}
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            shown = self._endpoint.excerpt(answer)
            raise self._endpoint.unavailable(f"the answer is not a reranking: {shown}") from None
        if sorted(told) != list(range(count)) or len(results) != count:
            raise self._endpoint.unavailable(f"{len(results)} numbers came back for {count} texts")
        if not all(map(math.isfinite, told.values())):
            raise self._endpoint.unavailable("a number came back that is not finite")
        return [told[place] for place in range(count)]

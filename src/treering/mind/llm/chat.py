"""What do the chat dialects share? A model at an endpoint that learns which of its wishes the endpoint will not hear.

Which fields a dialect has, and where its answer stands, is not known here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from treering.errors import InvalidRequest, Unavailable
from treering.mind.batches import package_folder
from treering.mind.endpoint import Endpoint, EndpointPolicy, RetryPolicy
from treering.mind.model import Completion

ANSWER_BYTES = 4 << 20
TIMEOUT_SECONDS = 60.0
NO_MORE_THAN_THRICE = RetryPolicy(attempts=3, after_time_out=False)
"""An answer that took too long once will do so again, and may be paid for each time."""


class Chat:
    """`wishes` are fields that an endpoint may refuse by name (status 400): each with the name under which it is tried
    then, or nothing if it is dispensable. What was refused once is not tried again."""

    wishes: Mapping[str, str | None] = {}

    def __init__(
        self,
        kind: str,
        model: str,
        base_url: str,
        headers: Mapping[str, str],
        *,
        api_key: str | None,
        timeout_seconds: float,
        at_once: int,
        retry: RetryPolicy | None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        package_folder("httpx", "llm", what="language model")
        if not model:
            raise InvalidRequest("model: is empty; say which model to ask for, such as TREERING_LLM_MODEL does")
        self.name = f"{kind}/{model}"
        self._model = model
        self._endpoint = Endpoint(
            f"language model {self.name}",
            base_url,
            headers,
            secret=api_key,
            policy=EndpointPolicy(timeout_seconds, at_once, ANSWER_BYTES),
            retry=retry or NO_MORE_THAN_THRICE,
            sleep=sleep,
        )
        self.close = self._endpoint.close
        self._refused: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self._model!r}, base_url={self._endpoint.place!r})"

    def _ask(self, path: str, question: Mapping[str, Any]) -> Any:
        refused = self._refused

        def instead(said: str) -> Mapping[str, Any] | None:
            nonlocal refused
            named = {wish for wish in self.wishes if wish in said} - refused
            refused |= named
            with self._lock:
                self._refused |= named
            return self._without(question, refused) if named else None

        return self._endpoint.ask(path, self._without(question, refused), instead)

    def _without(self, question: Mapping[str, Any], refused: frozenset[str]) -> dict[str, Any]:
        spelled = {name: self.wishes[name] if name in refused else name for name in question}
        return {other: question[name] for name, other in spelled.items() if other is not None}

    def _completion(self, text: object, tokens_in: object, tokens_out: object, *, cut: bool) -> Completion:
        if not isinstance(text, str):
            raise self._senseless(text)
        return Completion(text, _count(tokens_in), _count(tokens_out), cut)

    def _senseless(self, answer: object) -> Unavailable:
        return self._endpoint.unavailable(f"the answer is not a chat answer: {self._endpoint.excerpt(answer)}")


def _count(value: object) -> int:
    """Tokens as the endpoint counts them; 0 where it does not say."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

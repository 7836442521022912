"""Any endpoint that speaks the OpenAI chat dialect: the provider's own, a proxy, or a model server next door.

The shape of the answer is asked for as a JSON schema; a server that knows nothing of schemas is asked without.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treering.mind.endpoint import RetryPolicy, bearing
from treering.mind.llm.chat import TIMEOUT_SECONDS, Chat
from treering.mind.model import Completion, ModelMessage

OPENAI_URL = "https://api.openai.com/v1"


class OpenAIChat(Chat):
    wishes = {"max_tokens": "max_completion_tokens", "temperature": None, "response_format": None}  # noqa: RUF012

    def __init__(
        self,
        *,
        model: str,
        api_key: str | None = None,
        base_url: str = OPENAI_URL,
        timeout_seconds: float = TIMEOUT_SECONDS,
        at_once: int = 4,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(
            "openai",
            model,
            base_url,
            bearing(api_key),
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            at_once=at_once,
            retry=retry,
            sleep=sleep,
        )

    def complete(self, messages: Sequence[ModelMessage], *, schema: Mapping[str, Any], max_tokens: int) -> Completion:
        answer = self._ask(
            "chat/completions",
            {
                "model": self._model,
                "messages": [{"role": one.role, "content": one.content} for one in messages],
                "max_tokens": max_tokens,
                "temperature": 0,
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "strict": True, "schema": schema},
                },
            },
        )
        try:
            choice = answer["choices"][0]
            text, cut = choice["message"]["content"], choice.get("finish_reason") == "length"
            usage = answer.get("usage") or {}
            return self._completion(text, usage.get("prompt_tokens"), usage.get("completion_tokens"), cut=cut)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._senseless(answer) from None

"""Anthropic's Messages API. A tool that the model must use gives the answer its shape: its input is the answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treering.mind.endpoint import RetryPolicy
from treering.mind.llm.chat import TIMEOUT_SECONDS, Chat
from treering.mind.model import Completion, ModelMessage

ANTHROPIC_URL = "https://api.anthropic.com/v1"
VERSION = "2023-06-01"
TOOL = "answer"


class AnthropicChat(Chat):
    wishes = {"temperature": None}  # noqa: RUF012

    def __init__(
        self,
        *,
        model: str,
        api_key: str | None = None,
        base_url: str = ANTHROPIC_URL,
        timeout_seconds: float = TIMEOUT_SECONDS,
        at_once: int = 4,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(
            "anthropic",
            model,
            base_url,
            {"anthropic-version": VERSION} | ({"x-api-key": api_key} if api_key else {}),
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            at_once=at_once,
            retry=retry,
            sleep=sleep,
        )

    def complete(self, messages: Sequence[ModelMessage], *, schema: Mapping[str, Any], max_tokens: int) -> Completion:
        answer = self._ask(
            "messages",
            {
                "model": self._model,
                "system": "\n\n".join(one.content for one in messages if one.role == "system"),
                "messages": [{"role": one.role, "content": one.content} for one in messages if one.role != "system"],
                "max_tokens": max_tokens,
                "temperature": 0,
                "tools": [{"name": TOOL, "input_schema": schema}],
                "tool_choice": {"type": "tool", "name": TOOL},
            },
        )
        try:
            used = [part["input"] for part in answer["content"] if part["type"] == "tool_use"]
            usage = answer.get("usage") or {}
            tokens_in, tokens_out = _read(usage), usage.get("output_tokens")
            text = json.dumps(used[0], ensure_ascii=False)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._senseless(answer) from None
        return self._completion(text, tokens_in, tokens_out, cut=answer.get("stop_reason") == "max_tokens")


def _read(usage: Mapping[str, Any]) -> int:
    """All that was read, from a cache or not."""
    fields = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(found for field in fields if isinstance(found := usage.get(field), int))

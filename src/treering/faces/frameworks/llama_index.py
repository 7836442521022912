"""LlamaIndex's memory block: what is flushed out of the chat's short memory is remembered, and what is known about the
last words of the user comes back as text.

The block's `space` is the user's, its `session` the chat's. Needs `treering[llama-index]`.
"""

from __future__ import annotations

from treering import extras

extras.need("llama-index", "treering.faces.frameworks.llama_index")

import asyncio
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from treering.language.tokens import characters_within, tokens_of


class TreeringMemoryBlock(BaseMemoryBlock[str]):
    """`door` is not part of what is serialised."""

    name: str = "remembered"
    description: str | None = "What is known of the user, dated."
    door: Any = Field(exclude=True)
    space: str = "default"
    session: str | None = None
    budget_tokens: int = 1_000

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = next(
            (one.content for one in reversed(messages or []) if one.role == MessageRole.USER and one.content), None
        )
        if not asked:
            return ""
        found = await asyncio.to_thread(
            self.door.context, asked[:10_000], space=self.space, budget_tokens=self.budget_tokens
        )
        return str(found.text)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        told = [
            {"role": one.role.value, "content": one.content}
            for one in messages
            if one.content and one.role in (MessageRole.USER, MessageRole.ASSISTANT)
        ]
        if told:
            await asyncio.to_thread(self.door.remember, messages=told, space=self.space, session=self.session)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Whole lines go from the end; what is cut is still remembered."""
        left = tokens_of(content) - tokens_to_truncate
        if left <= 0:
            return None
        kept = content[: characters_within(content, left)].rpartition("\n")[0]
        return kept or None

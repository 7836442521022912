"""How is a client's model asked to read? Through the protocol's sampling, while the call that needs it is under way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.message import ServerMessageMetadata

from treering.mind.model import ModelMessage

if TYPE_CHECKING:
    from mcp.server.session import ServerSession


def request(messages: Sequence[ModelMessage], max_tokens: int) -> types.CreateMessageRequest:
    """As the protocol asks it: what the system says stands apart from the turns."""
    system = "\n\n".join(one.content for one in messages if one.role == "system")
    turns = [
        types.SamplingMessage(role="assistant" if one.role == "assistant" else "user", content=_text(one.content))
        for one in messages
        if one.role != "system"
    ]
    params = types.CreateMessageRequestParams(
        messages=turns, system_prompt=system or None, max_tokens=max_tokens, temperature=0.0
    )
    return types.CreateMessageRequest(params=params)


async def sampled(
    session: ServerSession, during: str | int | None, messages: Sequence[ModelMessage], max_tokens: int
) -> str:
    """The words of the client's model, asked `during` a request of it. Raises whatever kept it from answering."""
    answer = await session.send_request(
        request(messages, max_tokens),
        types.CreateMessageResult,
        metadata=ServerMessageMetadata(related_request_id=during),
    )
    return words_of(answer)


def words_of(answer: types.CreateMessageResult) -> str:
    if not isinstance(answer.content, types.TextContent):
        raise TypeError(f"the client's model answered with {answer.content.type}, not with text")
    return answer.content.text


def _text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)

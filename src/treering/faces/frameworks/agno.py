"""Agno: a toolkit with which an agent remembers, recalls and forgets, and a retriever that tells it what is known.

All of it is in one space, named when it is made: one a user is usual. Agno's own database of sessions and runs is
another matter, and stays what it is. Needs `treering[agno]`.
"""

from __future__ import annotations

from treering import extras

extras.need("agno", "treering.faces.frameworks.agno")

from collections.abc import Callable
from typing import Any

from agno.tools import Toolkit

from treering.faces.frameworks.agent_tools import INSTRUCTIONS, AgentTools
from treering.faces.frameworks.records import AdapterDoor

DOCUMENTS = 8
Retriever = Callable[..., list[dict[str, Any]]]


class TreeringTools(Toolkit):  # type: ignore[misc]
    """Give it to an agent as `Agent(…, tools=[TreeringTools(door, "ann")])`."""

    def __init__(self, door: AdapterDoor, space: str, *, session: str | None = None, limit: int = DOCUMENTS) -> None:
        tools = AgentTools(door, space, session, limit)
        super().__init__(
            name="treering",
            tools=[tools.remember, tools.recall, tools.forget],
            instructions=INSTRUCTIONS,
            add_instructions=True,
        )


def treering_retriever(door: AdapterDoor, space: str, *, limit: int = DOCUMENTS) -> Retriever:
    """For `Agent(…, knowledge_retriever=treering_retriever(door, "ann"), add_knowledge_to_context=True)`: what is known
    about a prompt comes with it, without the model having to ask."""

    def retrieve(query: str, num_documents: int | None = None, **more: Any) -> list[dict[str, Any]]:
        return AgentTools(door, space, limit=num_documents or limit).recall(query)

    return retrieve

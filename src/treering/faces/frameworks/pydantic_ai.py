"""Pydantic AI: a toolset with which an agent remembers, recalls, and asks what was true at another time.

All of it is in one space, named when the toolset is made: one a user is usual. Needs `treering[pydantic-ai]`.
"""

from __future__ import annotations

from treering import extras

extras.need("pydantic-ai", "treering.faces.frameworks.pydantic_ai")

from typing import Any

from pydantic_ai.toolsets import FunctionToolset

from treering.faces.frameworks.agent_tools import INSTRUCTIONS, AgentTools
from treering.faces.frameworks.records import AdapterDoor


def treering_toolset(
    door: AdapterDoor, space: str, *, session: str | None = None, limit: int = 8
) -> FunctionToolset[Any]:
    """Give it to an agent as `Agent(…, toolsets=[treering_toolset(door, "ann")])`."""
    tools = AgentTools(door, space, session, limit)
    return FunctionToolset(
        [tools.remember, tools.recall, tools.forget],
        instructions=INSTRUCTIONS,
        id=f"treering-{space}".replace("/", "-"),
    )

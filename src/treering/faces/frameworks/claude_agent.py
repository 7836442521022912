"""Claude Agent SDK: tools in this process with which Claude remembers, recalls and forgets, and a hook that tells it
what is known about a prompt, unasked.

All of it is in one space, named when they are made: one a user is usual. Needs `treering[claude-agent]`.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any

from treering import extras

extras.need("claude-agent", "treering.faces.frameworks.claude_agent")

from claude_agent_sdk import HookMatcher, McpSdkServerConfig, SdkMcpTool, create_sdk_mcp_server

from treering.faces.frameworks.agent_tools import AgentTools
from treering.faces.frameworks.records import AdapterDoor
from treering.version import VERSION

NAME = "treering"
TOOLS = [f"mcp__{NAME}__{one}" for one in ("remember", "recall", "forget")]
"""For `allowed_tools`."""


def treering_server(door: AdapterDoor, space: str, *, session: str | None = None, limit: int = 8) -> McpSdkServerConfig:
    """`ClaudeAgentOptions(mcp_servers={"treering": treering_server(door, "ann")}, allowed_tools=TOOLS)`."""
    tools = AgentTools(door, space, session, limit)
    return create_sdk_mcp_server(NAME, VERSION, [_tool(tools.remember), _tool(tools.recall), _tool(tools.forget)])


def treering_hooks(door: AdapterDoor, space: str, *, budget_tokens: int = 400) -> dict[Any, list[HookMatcher]]:
    """`ClaudeAgentOptions(hooks=treering_hooks(door, "ann"))`: each prompt comes with what is known about it."""

    async def told(event: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        known = await asyncio.to_thread(door.context, event["prompt"], space=space, budget_tokens=budget_tokens)
        if not known.text:
            return {}
        return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": known.text}}

    return {"UserPromptSubmit": [HookMatcher(hooks=[told])]}


def _tool(method: Callable[..., Any]) -> SdkMcpTool[Any]:
    """A method as the SDK's tool: described by its docstring, its parameters by their lines in it."""
    about, _, arguments = inspect.cleandoc(method.__doc__ or "").partition("\nArgs:\n")
    said = dict(line.strip().split(": ", 1) for line in arguments.splitlines() if line.strip())
    parameters = inspect.signature(method).parameters
    needed = [name for name, one in parameters.items() if one.default is inspect.Parameter.empty]
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "description": said[name]} for name in parameters},
        "required": needed,
        "additionalProperties": False,
    }

    async def called(given: dict[str, Any]) -> dict[str, Any]:
        told = await asyncio.to_thread(method, **given)
        text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
        return {"content": [{"type": "text", "text": text}]}

    return SdkMcpTool(name=method.__name__, description=about.strip(), input_schema=schema, handler=called)

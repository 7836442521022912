"""How does a client of the Model Context Protocol find the tools, resources and prompts, and call them?

Nothing of the door is loaded before it is needed, so that a client is greeted at once. The transports are elsewhere.
"""

from __future__ import annotations

from treering import extras

extras.need("mcp", "serving agents")

import difflib
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from treering.mind.prompts.habits import SHORT, habits
from treering.version import VERSION

if TYPE_CHECKING:
    from starlette.requests import Request

    from treering.faces.afar import Door
    from treering.faces.mcp.rounds import PendingCalls
    from treering.faces.mcp.tool import Tool, ToolAnswer

Context = ServerRequestContext[Any, Any]
Doors = Callable[["Request | None"], "Door"]
"""The door for a request; for None where the client is a process of this very user."""
Admit = Callable[["Request | None", "Tool", dict[str, Any]], None]
"""Raises an error of Treering if this request may not have that tool with these arguments."""
PROMPT = "memory_habits"
_READ = frozenset({"remember", "resume"})
"""Operations in which what was said is read."""


def server(doors: Doors, tools: str, *, from_afar: bool = False, admit: Admit | None = None) -> Server[Any]:
    """A server of one set of tools, for any number of clients."""
    face = Face(doors, tools, from_afar, admit)
    return Server(
        "treering",
        version=VERSION,
        title="Treering",
        description="Memory that keeps every ring: what is true now, what was true then, what was believed then.",
        instructions=SHORT,
        on_list_tools=face.list_tools,
        on_call_tool=face.call_tool,
        on_list_resources=face.list_resources,
        on_list_resource_templates=face.list_templates,
        on_read_resource=face.read_resource,
        on_list_prompts=face.list_prompts,
        on_get_prompt=face.get_prompt,
    )


class Face:
    """What is answered to each request of the protocol."""

    def __init__(self, doors: Doors, tools: str, from_afar: bool, admit: Admit | None) -> None:
        self._doors, self._set, self._from_afar, self._admit = doors, tools, from_afar, admit

    @functools.cached_property
    def tools(self) -> dict[str, Tool]:
        from treering.faces.mcp.toolset import toolset

        return toolset(self._set, from_afar=self._from_afar)

    async def list_tools(self, ctx: Context, params: Any) -> types.ListToolsResult:
        tools = await anyio.to_thread.run_sync(lambda: self.tools)
        return types.ListToolsResult(tools=[as_listed(one) for one in tools.values()])

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        from treering.faces.mcp.calls import Call

        tools = await anyio.to_thread.run_sync(lambda: self.tools)
        tool = tools.get(params.name) or _no_such_tool(params.name, tools)
        arguments = params.arguments or {}

        def door() -> Door:
            if self._admit is not None:
                self._admit(ctx.request, tool, arguments)
            return self._doors(ctx.request)

        if params.request_state is not None or self._may_ask(ctx, tool):
            return await self._in_rounds(ctx, params, tool, door)
        return _answer(await Call(ctx.session, ctx.request_id, _wants_progress(ctx)).ask(door, tool, arguments))

    def _may_ask(self, ctx: Context, tool: Tool) -> bool:
        """Whether this call may come to need the client's model, and the client is to be asked for it in rounds."""
        from treering.faces.mcp.rounds import by_rounds

        reads = not tool.operations or not _READ.isdisjoint(tool.operations)
        return reads and by_rounds(ctx.session) and not self._waiting.is_full

    async def _in_rounds(
        self, ctx: Context, params: types.CallToolRequestParams, tool: Tool, door: Callable[[], Door]
    ) -> types.CallToolResult | types.InputRequiredResult:
        from treering.faces.mcp.rounds import Rounds

        arguments = params.arguments or {}
        owner = _caller_of(ctx), tool.name, arguments
        if params.request_state is None:
            call = Rounds(ctx.session, _wants_progress(ctx))
            told = await call.begin(door, tool, arguments)
        else:
            found = self._waiting.take(owner, params.request_state)
            if found is None:
                raise MCPError(types.INVALID_PARAMS, "request_state: no such call waits here any more; call anew")
            call = found
            told = await call.go_on(ctx.session, params.input_responses or {})
        if isinstance(told, dict):
            return types.InputRequiredResult(input_requests=told, request_state=self._waiting.put(owner, call))
        return _answer(told)

    @functools.cached_property
    def _waiting(self) -> PendingCalls:
        from treering.faces.mcp.rounds import PendingCalls

        return PendingCalls()

    async def list_resources(self, ctx: Context, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[])

    async def list_templates(self, ctx: Context, params: Any) -> types.ListResourceTemplatesResult:
        from treering.faces.mcp.resources import templates

        return types.ListResourceTemplatesResult(resource_templates=await anyio.to_thread.run_sync(templates))

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        from treering.faces.mcp.resources import read

        return await anyio.to_thread.run_sync(read, lambda: self._doors(ctx.request), str(params.uri))

    async def list_prompts(self, ctx: Context, params: Any) -> types.ListPromptsResult:
        space = types.PromptArgument(name="space", description="The space to work in.", required=False)
        prompt = types.Prompt(
            name=PROMPT,
            title="When to remember and recall",
            description="Teaches an agent the habit of a long-term memory.",
            arguments=[space],
        )
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name!r}; there is {PROMPT}")
        text = types.TextContent(type="text", text=habits((params.arguments or {}).get("space")))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


def as_listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=None if tool.output_schema is None else dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.effect.reads_only,
            destructive_hint=tool.effect.removes_bytes,
            idempotent_hint=tool.effect.repeats_safely,
            open_world_hint=False,
        ),
    )


def _answer(told: ToolAnswer) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=told.text)],
        structured_content=told.structured,
        is_error=told.failed,
    )


def _caller_of(ctx: Context) -> str | None:
    """Who has come in, where that is known."""
    caller = None if ctx.request is None else getattr(ctx.request.state, "caller", None)
    return None if caller is None else str(caller.name)


def _wants_progress(ctx: Context) -> bool:
    return ctx.meta is not None and ctx.meta.get("progress_token") is not None


def _no_such_tool(name: str, tools: dict[str, Tool]) -> Tool:
    near = difflib.get_close_matches(name, tools, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(tools)}"
    raise MCPError(types.INVALID_PARAMS, f"there is no tool {name!r}; {hint}")

"""Which tools are there? A few for agents, every operation, or those of another system under its own names.

Tools are made from the door's table of operations: nothing about an operation is said here a second time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from treering.door import OPERATIONS
from treering.errors import InvalidRequest
from treering.faces.mcp.core import CORE, ToolSummary
from treering.faces.mcp.slim import slim
from treering.faces.mcp.tool import Tool, ToolAnswer
from treering.faces.shapes import answer_schema, structured
from treering.operation import Operation
from treering.settings import TOOL_SETS

if TYPE_CHECKING:
    from treering.faces.afar import Door

NOT_FROM_AFAR = frozenset({"principal"})
"""Parameters by which a caller could pass for somebody else: nobody over the network may say them."""


def toolset(name: str, *, from_afar: bool = False) -> dict[str, Tool]:
    """The tools of a set, by name. `from_afar`: for callers over the network, who do not share our files."""
    return {one.name: one for one in _tools(name, from_afar)}


@cache
def _tools(name: str, from_afar: bool) -> tuple[Tool, ...]:
    """Made once: to work out the schemas of all of them takes a good part of a second."""
    if name not in TOOL_SETS:
        raise InvalidRequest(f"tools: {name!r} is not one of {', '.join(TOOL_SETS)}")
    if name == "core":
        listed: Iterable[Tool] = (core_tool(OPERATIONS[one], cut) for one, cut in CORE.items() if one in OPERATIONS)
    elif name == "full":
        listed = (full_tool(one) for one in OPERATIONS.values())
    else:
        from treering.faces.mcp.borrowed import dialect_tools

        listed = dialect_tools(name)
    if from_afar:
        listed = (_from_afar(one) for one in listed if not _needs_a_file(one))
    return tuple(listed)


def full_tool(operation: Operation) -> Tool:
    return Tool(
        name=operation.name,
        description=operation.description.replace("`", ""),
        input_schema=slim(operation.schema()),
        output_schema=answer_schema(operation),
        effect=operation.effect,
        operations=(operation.name,),
        call=_asking(operation),
    )


def core_tool(operation: Operation, cut: ToolSummary) -> Tool:
    return Tool(
        name=operation.name,
        description=cut.use,
        input_schema=slim(operation.schema(), cut.parameters, brief=True),
        output_schema=answer_schema(operation, cut.answer),
        effect=operation.effect,
        operations=(operation.name,),
        call=_asking(operation),
    )


def _needs_a_file(tool: Tool) -> bool:
    required = tool.input_schema.get("required", ())
    return any(not OPERATIONS[name].files.isdisjoint(required) for name in tool.operations)


def _asking(operation: Operation) -> Any:
    def ask(door: Door, arguments: dict[str, Any]) -> ToolAnswer:
        from treering.faces.mcp.text import told
        from treering.ingest.receipt import Receipt

        result = getattr(door, operation.name)(**arguments)
        result = result.in_brief() if isinstance(result, Receipt) else result
        return ToolAnswer(structured(result), told(result))

    return ask


def _from_afar(tool: Tool) -> Tool:
    unsaid = NOT_FROM_AFAR.union(*(OPERATIONS[name].files for name in tool.operations))
    shown = {name: one for name, one in tool.input_schema["properties"].items() if name not in unsaid}

    def ask(door: Door, arguments: dict[str, Any]) -> ToolAnswer:
        for name in sorted(unsaid & arguments.keys()):
            raise InvalidRequest(f"{name}: cannot be said over the network; leave it out")
        return tool.call(door, arguments)

    return replace(tool, input_schema={**tool.input_schema, "properties": shown}, call=ask)

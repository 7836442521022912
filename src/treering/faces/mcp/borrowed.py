"""How are another system's tools given to agents? As that system gives them: the answer is JSON, also in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treering.errors import Fault, InvalidRequest, TreeringError
from treering.faces.dialects import DIALECTS
from treering.faces.mcp.calls import log
from treering.faces.mcp.quoting import as_json
from treering.faces.mcp.slim import slim
from treering.faces.mcp.tool import Tool, ToolAnswer

if TYPE_CHECKING:
    from treering.faces.afar import Door
    from treering.faces.dialects.contract import Dialect
    from treering.faces.dialects.contract import DialectTool as Borrowed


def dialect_tools(name: str) -> Iterator[Tool]:
    if name not in DIALECTS:
        raise InvalidRequest(f"tools: {name!r} is not one of {', '.join(DIALECTS)}")
    dialect = DIALECTS[name]
    for one in dialect.tools.values():
        yield Tool(
            name=one.name,
            description=one.description,
            input_schema=slim(one.schema()),
            output_schema={"type": "object"},
            effect=one.effect,
            operations=(),
            call=_asking(dialect, one),
        )


def _asking(dialect: Dialect, tool: Borrowed) -> Any:
    def ask(door: Door, arguments: dict[str, Any]) -> ToolAnswer:
        try:
            return _told(tool(door, arguments))
        except Exception as error:
            if not isinstance(error, TreeringError):
                log.error("%s: a fault of Treering itself (%r)", tool.name, error)
                error = Fault(f"a fault of Treering itself ({type(error).__name__}); nothing is half written")
            answer = dialect.fault(error)
            return ToolAnswer(answer, as_json(answer), failed=not dialect.faults_are_answers)

    return ask


def _told(answer: dict[str, Any]) -> ToolAnswer:
    """An answer that is a text is told as it stands, whatever data goes with it."""
    match answer:
        case {"result": str(text)}:
            return ToolAnswer(answer, text)
    return ToolAnswer(answer, as_json(answer))

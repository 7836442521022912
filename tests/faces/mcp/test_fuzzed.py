"""Whatever a model sends to a tool, it is told what is wrong with it: no fault, no traceback, no write half done."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from tests.faces.mcp.agents import agent, text

import treering
from treering.door import Treering
from treering.faces.mcp.tool import Tool
from treering.faces.mcp.toolset import toolset
from treering.settings import TOOL_SETS

FEW, MANY = 6, 300
NEVER = ("Traceback", "a fault of Treering itself")
FAULTS = ("fault:", "error:", "corrupted:")
STRAY: list[Any] = [
    None, True, False, 0, -1, 1, 7, 2**63, -(2**70), 0.5, 1e308, -0.0, "", " ", "x", "☃\n\t", "../x", "null", "1",
    "a" * 300, "2026-02-30", "2026-02-10T09:00:00Z", "default", "a/b", "{}", "[]", "\x00", "'; DROP TABLE memory; --",
    [], [[]], [None],
    ["x"], [1, 2], ["Sam", "KNOWS", "Kim"], [["Sam", "KNOWS", "Kim"]], {}, {"a": {"b": []}}, {"content": "x"},
    [{"content": "x"}], [{}], [{"content": 7}], {"functional_relations": 3}, "9" * 5_000,
    "\ud800", ["\ud800"], [{"content": "\ud800"}], {"a": ["x\udfff"]},
]  # fmt: skip


def _sent(tool: Tool, dice: random.Random, known: list[str]) -> dict[str, Any]:
    """Arguments with the right names, mostly, and values that fit, or do not."""
    properties: dict[str, Any] = tool.input_schema["properties"]
    values = [*STRAY, *known]
    chosen = [name for name in properties if name in tool.input_schema.get("required", ()) or dice.random() < 0.3]
    sent = {name: _value(properties[name], dice, values) for name in chosen if dice.random() < 0.95}
    if dice.random() < 0.1:
        sent[dice.choice(["", "no_such", "self", "door", "__class__"])] = dice.choice(values)
    return sent


def _value(schema: dict[str, Any], dice: random.Random, values: list[Any]) -> Any:
    if "enum" in schema and dice.random() < 0.7:
        return dice.choice(schema["enum"])
    if dice.random() < 0.5:
        fitting = [one for one in values if _type(one) == schema.get("type")]
        return dice.choice(fitting or values)
    return dice.choice(values)


def _type(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def _fuzz(door: Treering, tools: str, known: list[str], times: int) -> Iterator[tuple[str, dict[str, Any], Any, int]]:
    """Each call with what came of it, and how many entries it wrote."""

    async def ask(client: Client) -> list[tuple[str, dict[str, Any], Any, int]]:
        told = []
        for name, tool in toolset(tools).items():
            dice = random.Random(name)
            for _ in range(times):
                sent, before = _sent(tool, dice, known), _written(door)
                try:
                    result: Any = await client.call_tool(name, sent)
                except MCPError as error:
                    result = error
                told.append((name, sent, result, _written(door) - before))
        return told

    yield from agent(door, tools, ask, within=60 * max(1, times // 12))


def _written(door: Treering) -> int:
    return sum(one.seq for one in door.spaces())


def _stands(door: Treering, tools: str, known: list[str], times: int) -> None:
    refused, wrong = 0, list[tuple[str, str]]()
    for name, sent, result, written in _fuzz(door, tools, known, times):
        shown = json.dumps([name, sent], default=str)[:400]
        if isinstance(result, MCPError):
            wrong.append((shown, str(result)))
        elif _is_a_fault(result):
            wrong.append((shown, text(result)))
        elif result.is_error or result.structured_content.get("success") is False:
            refused += 1
            if written:
                wrong.append((shown, f"refused, and {written} entries were written"))
    assert wrong == []
    assert refused > times  # it was not all harmless
    assert door.verify().ok


@pytest.mark.parametrize("tools", TOOL_SETS)
def test_half_of_a_surrogate_pair_is_no_fault_of_any_tool_wherever_it_stands(
    tools: str, store: Path, life: dict[str, str], nowhere: None
) -> None:
    async def ask(client: Client) -> list[tuple[str, str, Any]]:
        return [
            (name, parameter, await client.call_tool(name, {**_needed(tool), parameter: value}))
            for name, tool in toolset(tools).items()
            for parameter, schema in tool.input_schema["properties"].items()
            for value in ("x\ud800", ["\ud800"], [{"content": "\ud800"}], {"a": "\udfff"})
            if _may_be(schema, value)
        ]

    with treering.open(store) as door:
        told = agent(door, tools, ask)
        assert [(name, parameter, text(one)) for name, parameter, one in told if _is_a_fault(one)] == []
        finds = [(name, parameter) for name, parameter, one in told if not one.is_error]
        assert len(told) > 20
        assert tools not in ("core", "full") or finds == []


def _needed(tool: Tool) -> dict[str, Any]:
    """Something that fits for what a tool cannot do without."""
    fitting = {"string": "Sam", "array": ["Sam"], "object": {}, "integer": 1, "number": 1.0, "boolean": False}
    properties = tool.input_schema["properties"]
    return {
        name: properties[name].get("enum", [fitting.get(properties[name].get("type"), "Sam")])[0]
        for name in tool.input_schema.get("required", ())
    }


def _may_be(schema: dict[str, Any], value: Any) -> bool:
    return _type(value) in {one.get("type") for one in (schema, *schema.get("anyOf", ()))}


def _is_a_fault(result: Any) -> bool:
    json.dumps([text(result), result.structured_content], ensure_ascii=False).encode()  # or it could not be sent
    return any(one in text(result) for one in NEVER) or text(result).startswith(FAULTS)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to a path of chance stays in a folder of its own."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")


@pytest.mark.parametrize("tools", TOOL_SETS)
def test_whatever_is_sent_to_a_tool_is_answered(tools: str, store: Path, life: dict[str, str], nowhere: None) -> None:
    with treering.open(store) as door:
        _stands(door, tools, [*life.values(), "Sam", "Google"], FEW)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("tools", TOOL_SETS)
def test_whatever_is_sent_to_a_tool_for_long_is_answered(
    tools: str, store: Path, life: dict[str, str], nowhere: None
) -> None:
    with treering.open(store) as door:
        _stands(door, tools, [*life.values(), "Sam", "Google"], MANY)

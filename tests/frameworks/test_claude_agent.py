"""Claude Agent SDK: the real package's server and options; a client of the protocol stands for Claude."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions
from mcp import Client

import treering
from treering.faces.frameworks.claude_agent import TOOLS, treering_hooks, treering_server


def called(door: treering.Treering, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def talk() -> list[Any]:
        options = ClaudeAgentOptions(mcp_servers={"treering": treering_server(door, "ann")}, allowed_tools=TOOLS)
        async with Client(options.mcp_servers["treering"]["instance"]) as claude:  # type: ignore[index]
            listed = (await claude.list_tools()).tools
            assert [f"mcp__treering__{one.name}" for one in listed] == TOOLS
            assert all(one.description for one in listed)
            return [await claude.call_tool(name, given) for name, given in calls]

    return asyncio.run(talk())


def test_claude_remembers_recalls_and_forgets(door: treering.Treering) -> None:
    door.remember("My dog is called Max.", space="bo", speaker="User")
    told, found = called(
        door, ("remember", {"what": "My dog is called Rex."}), ("recall", {"question": "What is the dog called?"})
    )
    assert "Rex" in told.content[0].text
    hits = json.loads(found.content[0].text)
    assert ["Rex" in one["text"] for one in hits] == [True], "only what is in the space"
    [gone] = called(door, ("forget", {"id": hits[0]["id"], "why": "asked to"}))
    assert gone.content[0].text == "Forgotten."
    assert list(door.list(space="ann")) == []


def test_what_is_wrong_is_told_and_other_spaces_cannot_be_named(door: treering.Treering) -> None:
    wrong, elsewhere, nobody = called(
        door,
        ("recall", {}),
        ("recall", {"question": "What is the dog called?", "space": "bo"}),
        ("forget", {"id": "550e8400-e29b-41d4-a716-446655440000", "why": "none"}),
    )
    assert (wrong.is_error, elsewhere.is_error, nobody.is_error) == (True, True, True)
    assert "question" in wrong.content[0].text
    assert "there is no memory" in nobody.content[0].text


def test_a_prompt_comes_with_what_is_known_about_it_or_nothing(door: treering.Treering) -> None:
    door.remember("My dog is called Rex.", space="ann", speaker="User")
    options = ClaudeAgentOptions(hooks=treering_hooks(door, "ann"))
    [hook] = options.hooks["UserPromptSubmit"][0].hooks  # type: ignore[index]

    def told(prompt: str) -> Any:
        return asyncio.run(hook({"prompt": prompt}, None, {"signal": None}))  # type: ignore[arg-type,misc]

    known = told("What is my dog called?")["hookSpecificOutput"]
    assert known["hookEventName"] == "UserPromptSubmit"
    assert "Rex" in known["additionalContext"]
    assert told("Which harbour opens at six?") == {}

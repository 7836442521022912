"""Each framework uses its adapter as its own contract says, with no model and no network."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand as Create,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818ViewCommand as View,
)

import treering
from treering.faces.frameworks.adk import TreeringMemoryService
from treering.faces.frameworks.anthropic_memory import TreeringMemoryTool
from treering.faces.frameworks.llama_index import TreeringMemoryBlock
from treering.faces.frameworks.openai_agents import TreeringSession
from treering.faces.frameworks.pydantic_ai import treering_toolset

# LlamaIndex


def test_llama_index_flushes_into_memory_and_gets_it_back(door: treering.Treering) -> None:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import Memory

    async def chat() -> list[ChatMessage]:
        block = TreeringMemoryBlock(door=door, space="ann", session="s1")
        memory = Memory.from_defaults(
            session_id="s1", token_limit=40, chat_history_token_ratio=0.5, token_flush_size=10, memory_blocks=[block]
        )
        await memory.aput_messages(
            [
                ChatMessage(role="user", content="My dog is called Rex and he is four years old."),
                ChatMessage(role="assistant", content="Nice to meet Rex."),
                ChatMessage(role="user", content="I moved to Oslo last year because of my work."),
                ChatMessage(role="assistant", content="How do you like it there in Oslo?"),
            ]
        )
        await memory.aput(ChatMessage(role="user", content="What is my dog called?"))
        return await memory.aget()

    shown = "\n".join(str(one.content) for one in asyncio.run(chat()))
    assert "called Rex" in shown
    assert any("Rex" in one.content for one in door.list(space="ann", limit=50))


def test_llama_index_blocks_are_cut_by_whole_lines(door: treering.Treering) -> None:
    block = TreeringMemoryBlock(door=door)
    text = "\n".join(f"line {n} says something" for n in range(20))
    cut = asyncio.run(block.atruncate(text, 50))
    assert cut is not None
    assert text.startswith(cut)
    assert cut.splitlines()[-1] in text.splitlines()
    assert asyncio.run(block.atruncate("short", 500)) is None


# OpenAI Agents SDK


def test_openai_s_runner_goes_on_where_the_session_ended(door: treering.Treering) -> None:
    from agents import Agent, Model, ModelResponse, RunConfig, Runner, Session, Usage
    from openai.types.responses import ResponseOutputMessage, ResponseOutputText

    seen: list[Any] = []

    class Echo(Model):
        async def get_response(self, system_instructions: Any, *more: Any, **named: Any) -> ModelResponse:
            given = named.get("input", more[0] if more else [])
            seen.append(given)
            text = ResponseOutputText(text=f"heard {len(given)}", type="output_text", annotations=[])
            said = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *given: Any, **named: Any) -> Any:
            raise NotImplementedError

    session = TreeringSession("chat/1", door, remember=True)
    assert isinstance(session, Session)
    agent = Agent(name="a", model=Echo())
    quiet = RunConfig(tracing_disabled=True)
    asyncio.run(Runner.run(agent, "My dog is called Rex", session=session, run_config=quiet))
    again = TreeringSession("chat/1", door)
    asyncio.run(Runner.run(agent, "What did I say?", session=again, run_config=quiet))
    assert [one.get("role") for one in seen[-1]] == ["user", "assistant", "user"]
    assert any("Rex" in hit.memory.content for hit in door.recall("dog", space="openai/chat..e2..88..951"))


def test_items_come_in_order_and_are_popped_and_cleared(door: treering.Treering) -> None:
    async def work() -> None:
        one, other = TreeringSession("a", door), TreeringSession("b", door)
        items = [{"role": "user", "content": f"say {n}"} for n in range(5)]
        await one.add_items(items[:2])
        await one.add_items(items[2:])
        await other.add_items([{"type": "function_call", "name": "f", "arguments": "{}", "call_id": "1"}])
        assert await one.get_items() == items
        assert await one.get_items(limit=2) == items[-2:]
        assert await one.pop_item() == items[-1]
        assert await one.get_items() == items[:-1]
        await one.clear_session()
        assert await one.get_items() == []
        assert await one.pop_item() is None
        assert len(await other.get_items()) == 1

    asyncio.run(work())


# Anthropic's memory tool


def _do(tool: TreeringMemoryTool, **command: Any) -> str:
    return str(tool.call(command))


def test_files_of_the_memory_tool_have_a_history(door: treering.Treering) -> None:
    tool = TreeringMemoryTool(door, "ann")
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    assert "created successfully" in tool.execute(
        Create(command="create", path="/memories/me.md", file_text="Likes: tea\nCity: Oslo\n")
    )
    assert "2\tCity: Oslo" in tool.execute(View(command="view", path="/memories/me.md", view_range=None))
    assert "already exists" in _do(tool, command="create", path="/memories/me.md", file_text="x")
    assert "edited" in _do(tool, command="str_replace", path="/memories/me.md", old_str="tea", new_str="coffee")
    assert "did not appear" in _do(tool, command="str_replace", path="/memories/me.md", old_str="tea", new_str="x")
    assert "Multiple" in _do(tool, command="str_replace", path="/memories/me.md", old_str="i", new_str="x")
    assert "edited" in _do(tool, command="insert", path="/memories/me.md", insert_line=0, insert_text="# Me\n")
    assert "Invalid" in _do(tool, command="insert", path="/memories/me.md", insert_line=99, insert_text="x")
    assert "renamed" in _do(tool, command="rename", old_path="/memories/me.md", new_path="/memories/a/ann.md")
    listed = _do(tool, command="view", path="/memories")
    assert "/memories/a/ann.md" in listed
    assert "/memories/me.md" not in listed
    assert _do(tool, command="view", path="/memories/a/ann.md", view_range=[1, 1]).endswith("     1\t# Me")
    assert "deleted" in _do(tool, command="delete", path="/memories/a")
    assert "does not exist" in _do(tool, command="view", path="/memories/a/ann.md")
    said = [one.content.splitlines()[0] for one in tool.history("/memories/me.md")]
    assert said == ["# Me", "Likes: coffee", "Likes: tea"]
    assert all(one.state.value == "forgotten" for one in tool.history("/memories/me.md"))


@pytest.mark.parametrize("path", ["/etc/passwd", "/memories/../etc/x", "memories/x", "/memoriesx", "\\memories\\..\\x"])
def test_a_path_outside_of_the_folder_is_refused(door: treering.Treering, path: str) -> None:
    with pytest.raises(ValueError, match="must start with /memories"):
        _do(TreeringMemoryTool(door), command="create", path=path, file_text="x")


# Pydantic AI


def test_an_agent_of_pydantic_ai_calls_the_tools(door: treering.Treering) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {one.name for one in info.function_tools} == {"remember", "recall", "forget"}
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("remember", {"what": "My dog is called Rex."})])
        if len(messages) == 3:
            return ModelResponse(parts=[ToolCallPart("recall", {"question": "What is the dog called?"})])
        return ModelResponse(parts=[TextPart(str(messages[-1].parts[0].content))])  # type: ignore[union-attr]

    agent = Agent(FunctionModel(model), toolsets=[treering_toolset(door, "ann")])
    assert "Rex" in agent.run_sync("My dog is called Rex. What is it called?").output


# Google ADK


def test_adk_s_sessions_are_remembered_once_and_found(door: treering.Treering) -> None:
    from google.adk.events import Event
    from google.adk.sessions import Session
    from google.genai import types

    def event(number: int, author: str, text: str) -> Event:
        content = types.Content(role="user", parts=[types.Part(text=text)])
        return Event(id=f"e{number}", author=author, content=content, timestamp=1_700_000_000.0 + number)

    service = TreeringMemoryService(door)
    session = Session(
        id="s1", app_name="My App", user_id="ann@x.org", events=[event(1, "user", "My dog is called Rex.")]
    )

    async def work() -> Any:
        await service.add_session_to_memory(session)
        session.events.append(event(2, "agent", "Rex is a nice name."))
        await service.add_session_to_memory(session)
        other = await service.search_memory(app_name="My App", user_id="bob", query="What is the dog called?")
        assert other.memories == []
        return await service.search_memory(app_name="My App", user_id="ann@x.org", query="What is the dog called?")

    found = asyncio.run(work()).memories
    assert "Rex" in found[0].content.parts[0].text
    assert found[0].timestamp.startswith("2023-11-14")
    (space,) = [one.name for one in door.spaces(prefix="adk")]
    assert sum("called Rex" in one.content for one in door.list(space=space, limit=50)) == 1

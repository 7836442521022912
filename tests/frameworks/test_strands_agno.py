"""Strands' memory manager and Agno's agent use their adapters as their own contracts say, with no model and no
network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from agno.agent import Agent as AgnoAgent
from agno.models.base import Model as AgnoModel
from agno.models.response import ModelResponse
from strands import Agent as StrandsAgent
from strands.memory import MemoryManager
from strands.memory.types import AddMessagesContext
from strands.models import Model as StrandsModel

import treering
from treering.faces.frameworks.agno import TreeringTools, treering_retriever
from treering.faces.frameworks.strands import TreeringMemoryStore


class Saying(StrandsModel):  # type: ignore[misc]
    """Answers with what stands ready, in order, and keeps what it was told."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers, self.told = list(answers), list[Any]()

    def update_config(self, **given: Any) -> None: ...

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *given: Any, **named: Any) -> Any:
        self.told.append(str(messages))
        answer = self.answers.pop(0) if self.answers else {"text": "Noted."}
        yield {"messageStart": {"role": "assistant"}}
        if "tool" in answer:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": answer["tool"], "toolUseId": "t1"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": answer["input"]}}}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": answer["text"]}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if "tool" in answer else "end_turn"}}


def strands_agent(model: Saying, *stores: TreeringMemoryStore, **how: Any) -> StrandsAgent:
    return StrandsAgent(model=model, memory_manager=MemoryManager(list(stores), **how), callback_handler=None)


def test_strands_tells_the_model_what_is_known_before_it_answers(door: treering.Treering) -> None:
    door.remember("My dog is called Rex.", space="ann", speaker="user")
    door.remember("My dog is called Bello.", space="bob", speaker="user")
    model = Saying()
    strands_agent(model, TreeringMemoryStore(door, "ann"))("What is my dog called?")
    assert "Rex" in model.told[0]
    assert "Bello" not in model.told[0]


def test_strands_tools_search_and_add(door: treering.Treering) -> None:
    model = Saying(
        {"tool": "add_memory", "input": '{"entries": ["User lives in Oslo."]}'},
        {"text": "Kept."},
        {"tool": "search_memory", "input": '{"query": "Where does User live?"}'},
    )
    agent = strands_agent(model, TreeringMemoryStore(door, "ann"), add_tool_config=True, injection=False)
    agent("I live in Oslo.")
    assert [(one.relation, one.object) for one in door.facts(space="ann")] == [("LIVES_IN", "Oslo")]
    agent("Where do I live?")
    assert "User lives in Oslo" in model.told[-1].rsplit("toolResult", 1)[-1]


def test_strands_hands_over_what_is_said_and_a_retry_adds_nothing(door: treering.Treering) -> None:
    store = TreeringMemoryStore(door, "ann", session="s1", extraction=True)
    agent = strands_agent(Saying(), store, injection=False)
    agent("My sister Ana lives in Lisbon.")
    asyncio.run(agent.memory_manager.flush())
    [fact] = [one for one in door.facts(space="ann") if one.relation == "LIVES_IN"]
    assert fact.object == "Lisbon"
    said = [{"role": "user", "content": [{"text": "I play the cello."}]}]
    for _ in range(2):
        asyncio.run(store.add_messages(said, AddMessagesContext(sequence_numbers=[0])))
    asyncio.run(store.add_messages([{"role": "user", "content": [{"text": "I swim."}]}], AddMessagesContext([0])))
    assert sum("cello" in one.content for one in door.list(space="ann", view="all")) == 1
    assert sum("swim" in one.content for one in door.list(space="ann", view="all")) == 1


def test_strands_takes_no_write_where_none_is_allowed(door: treering.Treering) -> None:
    manager = MemoryManager([TreeringMemoryStore(door, "ann", writable=False)])
    with pytest.raises(Exception, match="writable"):
        asyncio.run(manager.add("User lives in Oslo."))
    assert door.list(space="ann").memories == ()


@dataclass
class Calling(AgnoModel):  # type: ignore[misc]
    """Answers with what stands ready, in order, and keeps what it was told."""

    id: str = "calling"
    answers: list[ModelResponse] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def invoke(self, *given: Any, **named: Any) -> ModelResponse:
        self.told.append("\n".join(str(one.content) for one in named["messages"]))
        return self.answers.pop(0) if self.answers else ModelResponse(role="assistant", content="Noted.")

    async def ainvoke(self, *given: Any, **named: Any) -> ModelResponse:
        return self.invoke(*given, **named)

    def invoke_stream(self, *given: Any, **named: Any) -> Iterator[ModelResponse]:
        yield self.invoke(*given, **named)

    async def ainvoke_stream(self, *given: Any, **named: Any) -> Any:
        yield self.invoke(*given, **named)

    def _parse_provider_response(self, response: Any, **named: Any) -> ModelResponse:
        return response  # type: ignore[no-any-return]

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response  # type: ignore[no-any-return]


def call(name: str, arguments: str) -> ModelResponse:
    function = {"name": name, "arguments": arguments}
    return ModelResponse(role="assistant", tool_calls=[{"id": "c1", "type": "function", "function": function}])


def test_agno_s_agent_remembers_and_recalls_in_its_space(door: treering.Treering) -> None:
    door.remember("My dog is called Bello.", space="bob", speaker="user")
    model = Calling(answers=[call("remember", '{"what": "My dog is called Rex."}')])
    agent = AgnoAgent(model=model, tools=[TreeringTools(door, "ann")], telemetry=False)
    agent.run("My dog is called Rex.")
    assert any("Rex" in one.content for one in door.list(space="ann"))
    assert "You have a memory" in model.told[0]
    model.answers = [call("recall", '{"question": "What is the dog called?"}')]
    agent.run("What is my dog called?")
    assert "Rex" in model.told[-1]
    assert "Bello" not in model.told[-1]


def test_agno_s_agent_forgets_what_it_is_told_to(door: treering.Treering) -> None:
    memory = door.remember("My dog is called Rex.", space="ann", speaker="user").id
    model = Calling(answers=[call("forget", f'{{"id": "{memory}", "why": "asked to"}}')])
    AgnoAgent(model=model, tools=[TreeringTools(door, "ann")], telemetry=False).run("Forget my dog.")
    assert door.get(memory, space="ann").state == "forgotten"


def test_agno_s_retriever_brings_what_is_known_with_the_prompt(door: treering.Treering) -> None:
    door.remember("My dog is called Rex.", space="ann", speaker="user")
    model = Calling()
    agent = AgnoAgent(
        model=model,
        knowledge_retriever=treering_retriever(door, "ann"),
        add_knowledge_to_context=True,
        telemetry=False,
    )
    agent.run("What is my dog called?")
    assert "Rex" in model.told[0]

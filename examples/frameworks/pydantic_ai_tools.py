"""Pydantic AI: a toolset. A function stands for the model here; put any model in its place."""

import tempfile
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import treering
from treering.faces.frameworks.pydantic_ai import treering_toolset


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("recall", {"question": "What is the dog called?"})])
    return ModelResponse(parts=[TextPart(str(messages[-1].parts[0].content))])


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "ai.db") as mem:
        mem.remember("My dog is called Rex.", space="ann", speaker="User")
        agent = Agent(FunctionModel(model), toolsets=[treering_toolset(mem, "ann")])
        print(agent.run_sync("What is my dog called?").output)


if __name__ == "__main__":
    main()

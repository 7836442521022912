"""Agno: tools, and what is known beside every prompt. A class stands for the model here; put any model in its place."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse

import treering
from treering.faces.frameworks.agno import TreeringTools, treering_retriever


@dataclass
class Parrot(Model):
    """Says what it was told about the prompt."""

    id: str = "parrot"

    def invoke(self, *given: Any, **named: Any) -> ModelResponse:
        told = next(str(one.content) for one in reversed(named["messages"]) if one.role == "user")
        return ModelResponse(role="assistant", content=f"I was told: {told}")

    async def ainvoke(self, *given: Any, **named: Any) -> ModelResponse:
        return self.invoke(*given, **named)

    def invoke_stream(self, *given: Any, **named: Any) -> Iterator[ModelResponse]:
        yield self.invoke(*given, **named)

    async def ainvoke_stream(self, *given: Any, **named: Any) -> AsyncIterator[ModelResponse]:
        yield self.invoke(*given, **named)

    def _parse_provider_response(self, response: Any, **named: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "agno.db") as mem:
        mem.remember("My dog is called Rex.", space="ann", speaker="User")
        agent = Agent(
            model=Parrot(),
            tools=[TreeringTools(mem, "ann")],
            knowledge_retriever=treering_retriever(mem, "ann"),
            add_knowledge_to_context=True,
            telemetry=False,
        )
        print(agent.run("What is my dog called?").content)


if __name__ == "__main__":
    main()

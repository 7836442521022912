"""Strands Agents: a memory store. A class stands for the model here; put any model in its place."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from strands import Agent
from strands.memory import MemoryManager
from strands.models import Model

import treering
from treering.faces.frameworks.strands import TreeringMemoryStore


class Parrot(Model):
    """Says what it was told about the prompt."""

    def update_config(self, **given: Any) -> None: ...

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *given: Any, **named: Any) -> AsyncIterator[Any]:
        told = " ".join(part["text"] for one in messages for part in one["content"] if "text" in part)
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": f"I was told: {told}"}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "strands.db") as mem:
        mem.remember("My dog is called Rex.", space="ann", speaker="User")
        memory = MemoryManager([TreeringMemoryStore(mem, "ann")])
        agent = Agent(model=Parrot(), memory_manager=memory, callback_handler=None)
        print(agent("What is my dog called?"))


if __name__ == "__main__":
    main()

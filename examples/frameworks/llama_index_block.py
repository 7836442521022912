"""LlamaIndex: a memory block. What leaves the short memory of a chat is remembered, and comes back when it is asked
about."""

import asyncio
import tempfile
from pathlib import Path

from llama_index.core.base.llms.types import ChatMessage

import treering
from treering.faces.frameworks.llama_index import TreeringMemoryBlock


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "llama.db") as mem:
        block = TreeringMemoryBlock(door=mem, space="ann", session="s1")
        asyncio.run(block.aput([ChatMessage(role="user", content="My dog is called Rex.")]))
        print(asyncio.run(block.aget([ChatMessage(role="user", content="What is my dog called?")])))


if __name__ == "__main__":
    main()

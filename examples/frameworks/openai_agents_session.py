"""OpenAI Agents SDK: a session that is kept. Give it to `Runner.run(agent, words, session=session)`."""

import asyncio
import tempfile
from pathlib import Path

import treering
from treering.faces.frameworks.openai_agents import TreeringSession


async def talk(mem: treering.Treering) -> None:
    session = TreeringSession("chat-1", mem, remember=True)
    await session.add_items([{"role": "user", "content": "My dog is called Rex."}])
    print(await TreeringSession("chat-1", mem).get_items())


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "agents.db") as mem:
        asyncio.run(talk(mem))
        print(mem.recall("What is my dog called?", space="openai/chat-1").hits[0].memory.content)


if __name__ == "__main__":
    main()

"""Google ADK: a memory service. Give it to `Runner(…, memory_service=service)`."""

import asyncio
import tempfile
from pathlib import Path

from google.adk.events import Event
from google.adk.sessions import Session
from google.genai import types

import treering
from treering.faces.frameworks.adk import TreeringMemoryService


async def talk(mem: treering.Treering) -> None:
    service = TreeringMemoryService(mem)
    said = types.Content(role="user", parts=[types.Part(text="My dog is called Rex.")])
    session = Session(id="s1", app_name="app", user_id="ann", events=[Event(id="1", author="user", content=said)])
    await service.add_session_to_memory(session)
    found = await service.search_memory(app_name="app", user_id="ann", query="What is the dog called?")
    print(found.memories[0].content.parts[0].text)


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "adk.db") as mem:
        asyncio.run(talk(mem))


if __name__ == "__main__":
    main()

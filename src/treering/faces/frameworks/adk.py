"""A memory service of Google's Agent Development Kit.

`app_name` and `user_id` are the space `ROOT/<app>/<user>`; a session of ADK is a session here. An event is remembered
once, by its id, however often its session is added. Needs `treering[adk]`.
"""

from __future__ import annotations

from treering import extras

extras.need("adk", "treering.faces.frameworks.adk")

import asyncio
from datetime import UTC, datetime
from typing import Any

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai import types

from treering.faces.frameworks.records import AdapterDoor, space_for


class TreeringMemoryService(BaseMemoryService):
    def __init__(self, door: AdapterDoor, *, root: str = "adk", limit: int = 10) -> None:
        self._door, self._root, self._limit = door, root, limit

    async def add_session_to_memory(self, session: Session) -> None:
        await asyncio.to_thread(self._add, session)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        answer = await asyncio.to_thread(
            self._door.recall, query[:10_000], space=space_for(self._root, app_name, user_id), limit=self._limit
        )
        return SearchMemoryResponse(memories=[_entry(hit) for hit in answer])

    def _add(self, session: Session) -> None:
        space = space_for(self._root, session.app_name, session.user_id)
        for event in session.events:
            words = "\n".join(part.text for part in (event.content.parts if event.content else None) or () if part.text)
            if words.strip():
                self._door.remember(
                    words,
                    space=space,
                    session=session.id[:200],
                    speaker=event.author,
                    at=datetime.fromtimestamp(event.timestamp, UTC),
                    key=f"adk/{session.id}/{event.id}"[:200],
                )


def _entry(hit: Any) -> MemoryEntry:
    speaker = hit.sources[0].speaker if hit.sources else None
    return MemoryEntry(
        content=types.Content(role="user", parts=[types.Part(text=hit.memory.content)]),
        author=speaker,
        timestamp=hit.memory.said_at.isoformat(),
    )

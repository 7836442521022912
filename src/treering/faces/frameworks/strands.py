"""A memory store of Strands Agents, for its `MemoryManager`: searched by tool and before each turn, written by tool or
from what is said.

All of it is in one space, named when the store is made: one a user is usual. Needs `treering[strands]`.
"""

from __future__ import annotations

from treering import extras

extras.need("strands", "treering.faces.frameworks.strands")

import asyncio
import hashlib
import uuid
from typing import Any

from strands.memory import MemoryStore
from strands.memory.types import AddMessagesContext, MemoryEntry, SearchOptions

from treering.faces.frameworks.records import AdapterDoor

RESULTS = 10
QUERY_CHARS = 10_000


class TreeringMemoryStore(MemoryStore):  # type: ignore[misc]
    """Give it to an agent as `Agent(…, memory_manager=MemoryManager([TreeringMemoryStore(door, "ann")]))`.

    With `extraction=True` the manager hands over what is said as it is said; Treering reads it, and no model is asked.
    """

    def __init__(
        self,
        door: AdapterDoor,
        space: str,
        *,
        session: str | None = None,
        name: str = "treering",
        description: str | None = "What was told in earlier conversations, with dates; the newest truth first.",
        max_search_results: int | None = None,
        writable: bool = True,
        extraction: Any = False,
    ) -> None:
        self.name, self.description = name, description
        self.max_search_results, self.writable, self.extraction = max_search_results, writable, extraction
        self._door, self._space, self._session = door, space, session
        self._run = session or uuid.uuid4().hex

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        limit = (options or {}).get("max_search_results") or self.max_search_results or RESULTS
        answer = await asyncio.to_thread(self._door.recall, query[:QUERY_CHARS], space=self._space, limit=limit)
        return [self._entry(hit) for hit in answer]

    async def add(self, content: str, metadata: dict[str, Any] | None = None) -> Any:
        """What the agent chose to keep. Said again, it is evidence for what is known and no second memory."""
        return await asyncio.to_thread(
            self._door.remember, content, space=self._space, session=self._session, meta=metadata or None
        )

    async def add_messages(self, messages: list[Any], context: AddMessagesContext | None = None) -> Any:
        """Each message once: the manager may hand a batch over again, under the same numbers."""
        numbers = (context.sequence_numbers if context else None) or [None] * len(messages)
        for number, message in zip(numbers, messages, strict=True):
            words = "\n".join(part["text"] for part in message["content"] if part.get("text"))
            if words.strip():
                await asyncio.to_thread(
                    self._door.remember,
                    words,
                    space=self._space,
                    session=self._session,
                    speaker=message["role"],
                    key=None if number is None else self._key(number, words),
                )

    def _key(self, number: int, words: str) -> str:
        """Numbers begin anew with every run of the agent: the words tell one run from the next."""
        return f"strands/{self._run[:80]}/{number}/{hashlib.sha256(words.encode()).hexdigest()[:16]}"

    def _entry(self, hit: Any) -> MemoryEntry:
        memory = hit.memory
        told = {
            "id": memory.id,
            "said_at": memory.said_at.isoformat(),
            "state": memory.state.value,
            "score": round(hit.score, 3),
        }
        return MemoryEntry(content=memory.content, store_name=self.name, metadata=told)

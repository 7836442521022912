"""A session of the OpenAI Agents SDK: the items of a conversation, in order, and each kept as a revision-proof record.

`session_id` is the session; items are in the space `ROOT/<session_id>`, or in a user's space if one is given. What
users and assistants say is remembered too, where `remember` is set: then recall finds it in every other session.
Needs `treering[openai-agents]`.
"""

from __future__ import annotations

from treering import extras

extras.need("openai-agents", "treering.faces.frameworks.openai_agents")

import asyncio
import json
import time
from typing import Any

from treering.faces.frameworks.records import AdapterDoor, Records, space_for
from treering.model.memory import Memory

KIND = "openai-item"


class TreeringSession:
    """Fits the SDK's protocol `Session`. Everything that was popped or cleared is forgotten, and can be restored."""

    session_settings: Any = None

    def __init__(
        self,
        session_id: str,
        door: AdapterDoor,
        *,
        space: str | None = None,
        remember: bool = False,
        root: str = "openai",
    ) -> None:
        self.session_id = session_id
        self._records = Records(door, KIND)
        self._space = space or space_for(root, session_id)
        self._remembers = remember
        self._lock = asyncio.Lock()

    async def get_items(self, limit: int | None = None) -> list[Any]:
        async with self._lock:
            found = await asyncio.to_thread(self._items)
        held = [self._records.value(one)["item"] for one in found]
        return held if limit is None else held[-limit:] if limit > 0 else []

    async def add_items(self, items: list[Any]) -> None:
        async with self._lock:
            await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> Any:
        async with self._lock:
            found = await asyncio.to_thread(self._items)
            if not found:
                return None
            await asyncio.to_thread(self._records.door.forget, found[-1].id, space=self._space, why="popped")
            return self._records.value(found[-1])["item"]

    async def clear_session(self) -> None:
        async with self._lock:
            for one in await asyncio.to_thread(self._items):
                await asyncio.to_thread(self._records.door.forget, one.id, space=self._space, why="session cleared")

    def _items(self) -> list[Memory]:
        own = (one for one in self._records.all(self._space) if self._records.value(one)["session"] == self.session_id)
        return sorted(own, key=lambda one: self._records.value(one)["place"])

    def _add(self, items: list[Any]) -> None:
        start = time.time_ns()
        for number, item in enumerate(items):
            plain = json.loads(json.dumps(item, default=_as_json))
            role, words = said(plain)
            held = {"item": plain, "place": start + number, "session": self.session_id}
            key = f"{self.session_id}/{start + number}"
            self._records.put(self._space, key, words or json.dumps(plain)[:20_000], held)
            if self._remembers and words and role in ("user", "assistant"):
                self._records.door.remember(words, space=self._space, session=self.session_id, speaker=role)


def _as_json(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(exclude_unset=True) if dump is not None else str(value)


def said(item: Any) -> tuple[str, str]:
    """Who said what; nobody said a call or its output."""
    if not isinstance(item, dict):
        return "", str(item)
    content = item.get("content")
    if isinstance(content, list):
        texts = [one.get("text") for one in content if isinstance(one, dict)]
        content = "\n".join(one for one in texts if isinstance(one, str))
    return str(item.get("role") or ""), content if isinstance(content, str) else ""

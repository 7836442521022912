"""What are the ends of an edge called? Entities by name, memories by the beginning of what they say."""

from __future__ import annotations

from collections.abc import Iterable

from treering.model.memory import State, View
from treering.store.contract import MemoryFilter, Reader
from treering.store.support import batches

_CHARS = 60
FORGOTTEN = "something forgotten"


class Names:
    """Looked up once, many at a time. What cannot be seen is called by its id, which whoever asks knows already."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[str, str] = {}

    def look_up(self, ids: Iterable[str]) -> None:
        for some in batches(sorted(set(ids) - self._known.keys())):
            self._known.update({entity.id: entity.name for entity in self._reader.entities(ids=some)})
            memories = self._reader.memories(MemoryFilter(view=View.ALL, ids=tuple(some)))
            for memory in memories:
                self._known[memory.id] = FORGOTTEN if memory.state is State.FORGOTTEN else shortened(memory.content)
            for one in some:
                merged = None if one in self._known else self._reader.own_entity(one)
                if merged is not None:
                    self._known[one] = merged[0].name

    def of(self, thing_id: str) -> str:
        return self._known.get(thing_id, thing_id)


def shortened(content: str) -> str:
    words = " ".join(content.split())
    return f"“{words if len(words) <= _CHARS else words[: _CHARS - 1] + '…'}”"

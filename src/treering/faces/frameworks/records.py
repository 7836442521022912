"""WHICH memory is a record with a key? Frameworks put, get and delete by key; here a record is a memory, another value
is a revision that takes its place, and a deleted one is forgotten: each can still be read in its history."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Protocol

from treering.model.memory import Memory, State
from treering.model.namespaces import namespace_of, space_of
from treering.model.value import plain

_PAGE = 1_000


class AdapterDoor(Protocol):
    """What adapters need of a door; one at a server has it too."""

    def add(self, content: str, **given: Any) -> Any: ...
    def revise(self, id: str, content: str, **given: Any) -> Any: ...
    def forget(self, id: str | None = None, **given: Any) -> Any: ...
    def get(self, id: str, **given: Any) -> Memory: ...
    def list(self, **given: Any) -> Any: ...
    def recall(self, query: str, **given: Any) -> Any: ...
    def context(self, query: str, **given: Any) -> Any: ...
    def remember(self, content: str | None = None, **given: Any) -> Any: ...
    def spaces(self, **given: Any) -> Any: ...


class Records:
    """Those of one kind, which is also their tag. What a record holds beside its words is in its meta under `kind`."""

    def __init__(self, door: AdapterDoor, kind: str) -> None:
        self.door, self.kind = door, kind

    def put(
        self, space: str, key: str, content: str, value: Mapping[str, Any], at: datetime | None = None, **more: Any
    ) -> Memory:
        """The same again changes nothing."""
        tags = (self.kind, tag_of(key), *more.pop("tags", ()))
        meta = {self.kind: {"key": key, **value}}
        before = self.get(space, key)
        if before is None:
            receipt = self.door.add(content, space=space, tags=tags, meta=meta, at=at, **more)
        elif before.content == content and plain(before.meta.get(self.kind)) == plain(meta[self.kind]):
            return before
        else:
            more.pop("speaker", None), more.pop("session", None)
            receipt = self.door.revise(
                before.id, content, space=space, tags=tags, meta=meta, at=at, extractor="none", **more
            )  # a record is kept as it stands, the first time too
        return self.door.get(receipt.memories[-1].id, space=space)

    def get(self, space: str, key: str) -> Memory | None:
        found = self.door.list(space=space, tags=(self.kind, tag_of(key)), order="newest", limit=10)
        return next((one for one in found.memories if self.value(one).get("key") == key), None)

    def delete(self, space: str, key: str, why: str | None = None) -> bool:
        """With all that it said before: what an older one says would hold again if only the newest were forgotten."""
        if self.get(space, key) is None:
            return False
        for one in reversed(self.revisions(space, key)):
            if one.state is not State.FORGOTTEN:
                self.door.forget(one.id, space=space, why=why)
        return True

    def all(self, space: str, *, children: bool = False, **which: Any) -> Iterator[Memory]:
        """In the order in which they were first put."""
        cursor = None
        while True:
            page = self.door.list(
                space=space, tags=(self.kind,), children=children, limit=_PAGE, cursor=cursor, **which
            )
            yield from page.memories
            cursor = page.next
            if cursor is None:
                return

    def value(self, memory: Memory) -> dict[str, Any]:
        """What it holds, its key included."""
        held = plain(memory.meta.get(self.kind))
        return held if isinstance(held, dict) else {}

    def revisions(self, space: str, key: str) -> list[Memory]:
        """Everything that it said, the newest first, with what was deleted."""
        found = self.door.list(space=space, tags=(self.kind, tag_of(key)), view="all", order="newest", limit=_PAGE)
        return [one for one in found.memories if self.value(one).get("key") == key]


def tag_of(key: str) -> str:
    """A tag that stands for a key of any length and alphabet."""
    return f"key-{hashlib.sha256(key.encode()).hexdigest()[:24]}"


def space_for(*parts: str) -> str:
    """The space of a path of names, whatever they are made of."""
    return space_of("/".join(part.replace("/", "\u2215") for part in parts))


def parts_of(space: str) -> tuple[str, ...]:
    """And back."""
    return tuple(part.replace("\u2215", "/") for part in namespace_of(space).split("/"))

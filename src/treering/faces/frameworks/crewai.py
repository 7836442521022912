"""CrewAI's memory storage: records with scopes, kept as memories with a history.

A scope `/company/team` is the space `ROOT/company/team`. CrewAI asks with a vector of its own embedder, so records are
kept with theirs, and compared to it; recall by words is there beside (`find`). Needs `treering[crewai]`.
"""

from __future__ import annotations

from treering import extras

extras.need("crewai", "treering.faces.frameworks.crewai")

import asyncio
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from crewai.memory.types import MemoryRecord, ScopeInfo

from treering.faces.frameworks.records import AdapterDoor, Records, space_for
from treering.model.memory import Memory

KIND = "crewai"


class TreeringStorage:
    """Fits CrewAI's protocol `StorageBackend`: `Memory(storage=TreeringStorage(door))`."""

    def __init__(self, door: AdapterDoor, root: str = "crewai") -> None:
        self._records, self._root = Records(door, KIND), root

    def save(self, records: list[MemoryRecord]) -> None:
        for one in records:
            held = one.model_dump(mode="json") | {"embedding": _short(one.embedding)}
            content, created = one.content, one.created_at
            self._records.put(
                self._space(one.scope), one.id, content, held, at=_aware(created), importance=one.importance,
                tags=tuple(one.categories[:20]),
            )  # fmt: skip

    def update(self, record: MemoryRecord) -> None:
        before = self.get_record(record.id)
        if before is not None and before.scope != record.scope:
            self._records.delete(self._space(before.scope), record.id, why=f"moved to {record.scope}")
        self.save([record])

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        found = [
            (record, cosine(query_embedding, record.embedding or ()))
            for record in self._chosen(scope_prefix, categories, metadata_filter)
        ]
        near = [one for one in found if one[1] >= min_score]
        return sorted(near, key=lambda one: one[1], reverse=True)[:limit]

    def find(self, query: str, scope_prefix: str | None = None, limit: int = 10) -> list[tuple[MemoryRecord, float]]:
        """By recall: meaning, words, graph and time together."""
        answer = self._records.door.recall(
            query, space=self._space(scope_prefix or "/"), children=True, tags=(KIND,), limit=limit, view="current"
        )
        return [(self._record(hit.memory), float(hit.score)) for hit in answer]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        before = None if older_than is None else _aware(older_than)
        gone = 0
        for record in list(self._chosen(scope_prefix, categories, metadata_filter)):
            named = record_ids is None or record.id in record_ids
            if named and (before is None or _aware(record.created_at) < before):
                gone += self._records.delete(self._space(record.scope), record.id, why="deleted")
        return gone

    def get_record(self, record_id: str) -> MemoryRecord | None:
        return next((one for one in self._chosen(None) if one.id == record_id), None)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        newest = sorted(self._chosen(scope_prefix), key=lambda one: _aware(one.created_at), reverse=True)
        return newest[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        found = list(self._chosen(scope))
        times = [_aware(one.created_at) for one in found]
        return ScopeInfo(
            path=scope,
            record_count=len(found),
            categories=sorted({name for one in found for name in one.categories}),
            oldest_record=min(times, default=None),
            newest_record=max(times, default=None),
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        above = parent.rstrip("/")
        found = {one.scope for one in self._chosen(parent)}
        below = (one.removeprefix(above).strip("/").split("/")[0] for one in found if one.startswith(above + "/"))
        return sorted({f"{above}/{name}" for name in below if name})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        return dict(Counter(name for one in self._chosen(scope_prefix) for name in one.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        return sum(1 for _ in self._chosen(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    async def asave(self, records: list[MemoryRecord]) -> None:
        await asyncio.to_thread(self.save, records)

    async def asearch(self, query_embedding: list[float], **more: Any) -> list[tuple[MemoryRecord, float]]:
        return await asyncio.to_thread(lambda: self.search(query_embedding, **more))

    async def adelete(self, **which: Any) -> int:
        return await asyncio.to_thread(lambda: self.delete(**which))

    def _chosen(
        self,
        scope: str | None,
        categories: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Iterator[MemoryRecord]:
        for memory in self._records.all(self._space(scope or "/"), children=True):
            record = self._record(memory)
            wanted = not categories or set(categories) & set(record.categories)
            if wanted and all(record.metadata.get(name) == one for name, one in (metadata or {}).items()):
                yield record

    def _record(self, memory: Memory) -> MemoryRecord:
        held = self._records.value(memory)
        return MemoryRecord(**{name: one for name, one in held.items() if name != "key"})

    def _space(self, scope: str) -> str:
        return space_for(self._root, *(part for part in scope.split("/") if part))


def _short(vector: Sequence[float] | None) -> list[float] | None:
    """With as many digits as tell two apart: what is kept with a memory is bounded."""
    return None if vector is None else [round(float(one), 5) for one in vector]


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    if not a or len(a) != len(b):
        return 0.0
    both = sum(x * y for x, y in zip(a, b, strict=True))
    return both / ((math.hypot(*a) * math.hypot(*b)) or 1.0)


def _aware(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at

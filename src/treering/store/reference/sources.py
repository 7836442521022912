"""What was said, and where? Sources as far as we may see what rests on them, those that wait to be read, and where else
a memory was said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from treering.model.memory import Mark
from treering.model.source import Source, SourceKind
from treering.store.contract import Evidence
from treering.store.reference.folded import FoldedSpace
from treering.store.reference.visibility import ReferenceVisibility


class ReferenceSources(ReferenceVisibility):
    def source(self, source_id: str) -> Source | None:
        for world in self._worlds.values():
            if source_id in world.sources:
                return self._open_source(world, world.sources[source_id])
        return None

    def sources(self, source_ids: Iterable[str]) -> dict[str, Source]:
        found = ((one, self.source(one)) for one in source_ids)
        return {key: source for key, source in found if source is not None}

    def _open_source(self, world: FoldedSpace, source: Source) -> Source | None:
        resting = [memory for memory in world.memories.values() if memory.source_id == source.id]
        if resting:
            return source if any(self._sees(memory) for memory in resting) else None
        return source if self._all_seeing or not source.visible_to or self.principal in source.visible_to else None

    def said(self, session: str, limit: int) -> list[Source]:
        found = [
            source
            for world in self._worlds.values()
            for source in world.sources.values()
            if source.session == session and self._open_source(world, source)
        ]
        return sorted(found, key=lambda source: (source.recorded_at, source.id))[-limit:]

    def documents(self, content: str) -> list[Source]:
        found = [
            source
            for world in self._worlds.values()
            for source in world.sources.values()
            if source.kind in (SourceKind.DOCUMENT, SourceKind.FILE)
            and source.content == content
            and self._open_source(world, source)
        ]
        return sorted(found, key=lambda source: (source.recorded_at, source.id))

    def waiting(self, limit: int | None = None, among: Iterable[str] | None = None) -> list[Source]:
        asked = None if among is None else set(among)
        found = [
            source
            for world in self._worlds.values()
            for source in world.sources.values()
            if (source.id, Mark.WAITING) in world.marks
            and (asked is None or source.id in asked)
            and self._open_source(world, source)
        ]
        return sorted(found, key=lambda source: (source.recorded_at, source.id))[:limit]

    def bare_sources(self, before: datetime, limit: int) -> list[str]:
        found = []
        for world in self._worlds.values():
            resting = {one.source_id for one in world.memories.values()}
            resting |= {one.source_id for one, _, _ in world.reinforced}
            found += [
                (source.recorded_at, source.id)
                for source in world.sources.values()
                if source.recorded_at < before
                and source.id not in resting
                and (source.id, Mark.WAITING) not in world.marks
                and self._open_source(world, source)
            ]
        return [source_id for _, source_id in sorted(found)][:limit]

    def evidence(self, memory_ids: Iterable[str], undone: bool = False) -> list[Evidence]:
        asked = set(memory_ids)
        found = [
            (since, Evidence(one.memory_id, one.source_id, one.span))
            for world in self._worlds.values()
            for one, since, counts in world.reinforced
            if one.memory_id in asked and (counts or undone) and self._sees(world.memories[one.memory_id])
        ]
        return [one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].source_id))]

    def source_by_key(self, key: str) -> Source | None:
        for world in self._worlds.values():
            for source in world.sources.values():
                if source.key == key:
                    return source
        return None

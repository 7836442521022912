"""What is a drawer, in plain Python? Papers by kind and id."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from treering.model.codec import canonical
from treering.store.drawer import Paper


class ReferenceDrawer:
    def __init__(self) -> None:
        self._papers: dict[tuple[str, str], Paper] = {}
        self._lock = threading.Lock()

    def get(self, kind: str, paper_id: str) -> Paper | None:
        return self._papers.get((kind, paper_id))

    def listed(self, kind: str, due_by: datetime | None = None, limit: int | None = None) -> list[Paper]:
        with self._lock:
            papers = sorted((one for one in self._papers.values() if one.kind == kind), key=lambda one: one.id)
        if due_by is not None:
            due = [(one.due, one.id, one) for one in papers if one.due is not None and one.due <= due_by]
            papers = [one for _, _, one in sorted(due, key=lambda one: one[:2])]
        return papers[:limit]

    def put(
        self, kind: str, paper_id: str, value: Mapping[str, Any], *, version: int, due: datetime | None = None
    ) -> Paper | None:
        with self._lock:
            here = self._papers.get((kind, paper_id))
            if (here.version if here else 0) != version:
                return None
            kept = json.loads(canonical(dict(value)))
            paper = self._papers[kind, paper_id] = Paper(kind, paper_id, kept, version + 1, due)
            return paper

    def remove(self, kind: str, paper_id: str) -> bool:
        with self._lock:
            return self._papers.pop((kind, paper_id), None) is not None

"""What does every drawer promise? Small papers that are no knowledge: keys, webhooks, what could not be delivered.

A drawer lies beside the journal, with the same durability, and is neither exported nor replayed. Each paper has a
version, so that of several processes that want to change it one does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """`due`: when somebody is to look at it; none is never."""

    kind: str
    id: str
    value: Mapping[str, Any]
    version: int
    due: datetime | None = None


class Drawer(Protocol):
    def get(self, kind: str, paper_id: str) -> Paper | None: ...

    def listed(self, kind: str, due_by: datetime | None = None, limit: int | None = None) -> list[Paper]:
        """Those of a kind, by id; or those due by then, the most overdue first."""

    def put(
        self, kind: str, paper_id: str, value: Mapping[str, Any], *, version: int, due: datetime | None = None
    ) -> Paper | None:
        """Lays a paper in, in place of this version of it; 0 is none. Durable when it returns. None, and nothing is
        changed, if another version lies there by now."""

    def remove(self, kind: str, paper_id: str) -> bool:
        """False if there is no such paper."""

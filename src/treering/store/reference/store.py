"""What is a store, in plain Python? A list of entries a space, and nothing derived that is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treering.errors import Unsupported
from treering.store.contract import Progress, unseen
from treering.store.reference.journals import InMemory


class ReferenceStore(InMemory):
    def backup(self, path: Path, progress: Progress = unseen) -> None:
        raise Unsupported(f"backup: the reference store lives in memory only and cannot be copied to {path}")

    def describe(self) -> dict[str, Any]:
        return {"engine": "reference", "url": "reference:"}

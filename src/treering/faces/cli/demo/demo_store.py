"""What do the chapters of the demo share? The store, and what was told so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from treering.door import Treering
from treering.faces.cli.demo.stage import ShownName
from treering.ingest.receipt import Receipt


@dataclass
class DemoStore:
    """The store, and the receipts the chapters come back to."""

    mem: Treering
    folder: Path
    told: dict[str, Receipt] = field(default_factory=dict)

    def id_of(self, name: str) -> ShownName:
        return ShownName.of(f"{name}.id", self.told[name].id)

    def words_of(self, name: str) -> str:
        return self.told[name].memories[0].content

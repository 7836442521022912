"""What does a new statement do to what is known? It may end a fact, take a memory's place, add to it, contradict it.

Structure first: facts of the same subject and relation (`facts`, `competing`), and the memories that stated them
(`memories`); then what the judge says of what is near in meaning (`judged`, `near`). Every outcome is an edge that
names its rule, score and evidence (`decided`), and none removes anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from treering.ingest.relate.decided import Decided
from treering.ingest.relate.facts import FactClosing
from treering.ingest.relate.judged import Near
from treering.ingest.relate.near import Nearby

__all__ = ["Near", "Relating"]


@dataclass
class Relating(Decided):
    """Of the statements of one write: what each decides, the next one sees."""

    facts: FactClosing = field(init=False)
    nearby: Nearby = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.facts, self.nearby = FactClosing(self), Nearby(self)

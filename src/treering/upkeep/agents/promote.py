"""What has proved itself? The agent makes memories that meet the criteria long-term, as `promote` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import Progress
from treering.upkeep import promote as promote_room
from treering.upkeep.agents.contract import Applied, WriteBudget
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PromotionResult(Value):
    """`criteria_met`: score, uses. `vault_path`: where its note is, if there is a vault."""

    memory_id: str
    criteria_met: tuple[str, ...] = ()
    vault_path: str | None = None


class PromoteAgent:
    name = AgentName.PROMOTE

    def plan(self, upkeep: UpkeepSpace, progress: Progress) -> list[PromotionResult]:
        with upkeep.reading() as reader:
            found = promote_room.promising(reader, None)
            criteria = promote_room.criteria_of(reader, found)
        progress(1, 1)
        return [PromotionResult(memory_id=one, criteria_met=criteria[one]) for one in found if one in criteria]

    def apply(
        self, upkeep: UpkeepSpace, planned: Sequence[PromotionResult], allowance: WriteBudget, progress: Progress
    ) -> Applied:
        done: list[PromotionResult] = []
        for start in range(0, len(planned), _AT_ONCE):
            if not allowance.take():
                return Applied(tuple(done), len(planned) - start)
            some = {one.memory_id: one for one in planned[start : start + _AT_ONCE]}
            notes = upkeep.promote(list(some))
            done += [replace(some[one], vault_path=note) for one, note in notes.items()]
            progress(start + len(some), len(planned))
        return Applied(tuple(done))

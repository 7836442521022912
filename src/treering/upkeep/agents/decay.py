"""Which memories are about to be lost? Those whose score has sunk low: each with how urgent it is, and what might be
done. The agent changes none of them: it puts the most urgent before somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treering.model.review import ReviewKind, ReviewStatus, Urgency
from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import Progress, Standing
from treering.upkeep.agents.contract import Applied, WriteBudget
from treering.upkeep.beads import ask
from treering.upkeep.policies import Policies, present
from treering.upkeep.review import Proposed, unasked
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

HIGH, MEDIUM, LOW = 0.15, 0.25, 0.35
MOST_OPEN = 500
"""A space that nobody has used for a month would fill the queue: more than these are not put before anybody."""
WORTHY_IMPORTANCE, WORTHY_USES, WORTHY_STRENGTH = 0.8, 3, 1.5
COLLECT, LOOK_AT = "gc_candidate", "needs_review"
_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DecayResult(Value):
    """`urgency`: high, medium or low. `action`: reinforce, gc_candidate or needs_review. `success`: it was put before
    somebody just now."""

    memory_id: str
    score: float
    urgency: str
    action: str
    success: bool = False


class DecayAgent:
    name = AgentName.DECAY

    def plan(self, upkeep: UpkeepSpace, progress: Progress) -> list[DecayResult]:
        """The weakest first."""
        with upkeep.reading() as reader:
            policies, at = Policies.of(reader), present(reader)
            scored = ((one, policies.decay.score(one, at)) for one in reader.standing())
            found = [at_risk(one, score, policies.bands.faded) for one, score in scored if score < LOW]
            cited = reader.cited([one.memory_id for one in found if one.action == COLLECT])
        found = [replace(one, action=LOOK_AT) if one.memory_id in cited else one for one in found]
        progress(1, 1)
        return sorted(found, key=lambda one: (one.score, one.memory_id))

    def apply(
        self, upkeep: UpkeepSpace, planned: Sequence[DecayResult], allowance: WriteBudget, progress: Progress
    ) -> Applied:
        """The weakest that nobody was asked about are put before somebody; of the others the weakest are told."""
        counts = upkeep.tending.count_items(upkeep.space)
        there = sum(counts.get((ReviewKind.DECAY, one), 0) for one in (ReviewStatus.OPEN, ReviewStatus.CLAIMED))
        new = unasked(upkeep, [_proposed(one) for one in planned])[: max(0, MOST_OPEN - there)]
        put, left = set[str](), 0
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            if not allowance.take():
                left = len(new) - start
                break
            put |= {one.memory_ids[0] for one in some[: ask(upkeep, some)]}
            progress(start + len(some), len(new))
        told = [one for one in planned if one.memory_id in put]
        others = [one for one in planned if one.memory_id not in put][: MOST_OPEN - len(told)]
        return Applied((*(replace(one, success=True) for one in told), *others), left)


def at_risk(memory: Standing, score: float, collect_below: float) -> DecayResult:
    urgency = Urgency.HIGH if score < HIGH else Urgency.MEDIUM if score < MEDIUM else Urgency.LOW
    return DecayResult(
        memory_id=memory.id, score=round(score, 6), urgency=urgency.value, action=_action(memory, score, collect_below)
    )


def _action(memory: Standing, score: float, collect_below: float) -> str:
    worthy = memory.importance >= WORTHY_IMPORTANCE or memory.use_count >= WORTHY_USES
    if worthy or memory.strength >= WORTHY_STRENGTH or memory.promoted:
        return "reinforce"
    return COLLECT if score < collect_below else LOOK_AT


def _proposed(one: DecayResult) -> Proposed:
    op = "archive" if one.action == COLLECT else "review"
    return Proposed(
        ReviewKind.DECAY,
        Urgency(one.urgency),
        (one.memory_id,),
        one.action,
        {"op": op, "id": one.memory_id},
        f"its score has sunk to {one.score:.3f}",
    )

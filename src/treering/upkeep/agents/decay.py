"""Which memories are about to be lost? Those whose score has sunk low: each with how urgent it is, and what might be
done. The agent changes none of them: it puts the most urgent before somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treering.model.review import ReviewKind, ReviewStatus, Urgency
from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import Progress, Standing
from treering.upkeep.agents.contract import Allowance, Applied
from treering.upkeep.hands import Hands
from treering.upkeep.policies import Policies, present
from treering.upkeep.review import Proposed, put

HIGH, MEDIUM, LOW = 0.15, 0.25, 0.35
MOST_OPEN = 500
"""A space that nobody has used for a month would fill the queue: more than these are not put before anybody."""
WORTHY_IMPORTANCE, WORTHY_USES, WORTHY_STRENGTH = 0.8, 3, 1.5
_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DecayResult(Value):
    """`urgency`: high, medium or low. `action`: reinforce, gc_candidate or needs_review."""

    memory_id: str
    score: float
    urgency: str
    action: str


class Decay:
    name = AgentName.DECAY

    def plan(self, hands: Hands, progress: Progress) -> list[DecayResult]:
        """The weakest first."""
        with hands.reading() as reader:
            policies, at = Policies.of(reader), present(reader)
            scored = ((one, policies.decay.score(one, at)) for one in reader.standing())
            found = [at_risk(one, score, policies.bands.faded) for one, score in scored if score < LOW]
        progress(1, 1)
        return sorted(found, key=lambda one: (one.score, one.memory_id))

    def apply(self, hands: Hands, planned: Sequence[DecayResult], allowance: Allowance, progress: Progress) -> Applied:
        counts = hands.tending.count_items(hands.space)
        there = sum(counts.get((ReviewKind.DECAY, one), 0) for one in (ReviewStatus.OPEN, ReviewStatus.CLAIMED))
        shown, done = planned[: max(0, MOST_OPEN - there)], list[DecayResult]()
        for start in range(0, len(shown), _AT_ONCE):
            some = shown[start : start + _AT_ONCE]
            if not allowance.take():
                return Applied(tuple(done), len(shown) - len(done))
            put(hands, [_proposed(one) for one in some])
            done += some
            progress(len(done), len(shown))
        return Applied(tuple(done))


def at_risk(memory: Standing, score: float, collect_below: float) -> DecayResult:
    urgency = Urgency.HIGH if score < HIGH else Urgency.MEDIUM if score < MEDIUM else Urgency.LOW
    return DecayResult(
        memory_id=memory.id, score=round(score, 6), urgency=urgency.value, action=_action(memory, score, collect_below)
    )


def _action(memory: Standing, score: float, collect_below: float) -> str:
    worthy = memory.importance >= WORTHY_IMPORTANCE or memory.use_count >= WORTHY_USES
    if worthy or memory.strength >= WORTHY_STRENGTH or memory.promoted:
        return "reinforce"
    return "gc_candidate" if score < collect_below else "needs_review"


def _proposed(one: DecayResult) -> Proposed:
    op = "archive" if one.action == "gc_candidate" else "review"
    return Proposed(
        ReviewKind.DECAY,
        Urgency(one.urgency),
        (one.memory_id,),
        one.action,
        {"op": op, "id": one.memory_id},
        f"its score has sunk to {one.score:.3f}",
    )

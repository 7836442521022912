"""What does it do to a memory to be of use? It counts, it starts to fade anew, and it may grow stronger.

A use is a change like any other, so that how often something was used by then can be said of any known time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from treering.errors import Conflict
from treering.model import limits
from treering.model.changes import Changes, Used
from treering.model.entity import fold
from treering.model.memory import Memory, State, Use, View
from treering.model.value import Value
from treering.store.contract import Act, MemoryFilter, Reader
from treering.store.naming import missing
from treering.upkeep.decay import Band
from treering.upkeep.policies import Policies, present
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Score(Value):
    """How much of a memory is left. `fading_at` and `collectable_at`: when it will be, if it is not used again; none if
    never. `review_priority`: how much it wants a review, from 0 to 1. `persistence`: how much would be lost with it."""

    id: str
    score: float
    band: Band
    review_priority: float
    persistence: float
    strength: float
    use_count: int
    review_count: int
    cross_domain_count: int
    last_used: datetime
    age_days: float
    fading_at: datetime | None
    collectable_at: datetime | None
    content: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Touched(Value):
    """A use, and what it did."""

    id: str
    old_score: float
    new_score: float
    band: Band
    use_count: int
    strength: float
    last_used: datetime
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Observed(Value):
    """One of the memories used: `status` is reinforced, or why it was not."""

    id: str
    status: str
    cross_domain: bool = False
    use_count: int = 0
    review_count: int = 0
    strength: float | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Observation(Value):
    """What came of an answer's memories. `reinforced` is false, and `reason` says why, where that is switched off."""

    reinforced: bool
    count: int = 0
    cross_domain_count: int = 0
    results: tuple[Observed, ...] = ()
    reason: str | None = None
    dry_run: bool = False


def scores(reader: Reader, memory_ids: Sequence[str]) -> list[Score]:
    """Of those of these memories that are there, in the order asked for."""
    policies, at = Policies.of(reader), present(reader)
    found = _by_id(reader, memory_ids)
    return [score_of(policies, found[one], at) for one in dict.fromkeys(memory_ids) if one in found]


def score_of(policies: Policies, memory: Memory, at: datetime) -> Score:
    score = policies.decay.score(memory, at)
    return Score(
        id=memory.id,
        score=round(score, 6),
        band=policies.bands.of(score),
        review_priority=round(policies.zone.priority(score), 6),
        persistence=round(policies.persistence.of(memory, at), 6),
        strength=memory.strength,
        use_count=memory.use_count,
        review_count=memory.review_count,
        cross_domain_count=memory.cross_domain_count,
        last_used=memory.last_used,
        age_days=round((at - memory.recorded_at).total_seconds() / 86_400, 4),
        fading_at=policies.decay.time_until(memory, policies.bands.fading),
        collectable_at=policies.decay.time_until(memory, policies.bands.faded),
        content=memory.content,
    )


def touch(act: Act, memory_id: str, boost: bool) -> tuple[Changes, Touched]:
    memory = act.reader.memory(memory_id)
    if memory is None:
        raise missing(act.reader, memory_id, "id", "memory")
    if memory.state is State.FORGOTTEN:
        raise Conflict(f"id: {memory_id} is forgotten; restore it before it is used")
    policies = Policies.of(act.reader)
    used = Used(memory_id, Use.TOUCHED, _room(memory, policies.reinforcement.boost) if boost else 0.0)
    after = _after(memory, used, act.at)
    new = policies.decay.score(after, act.at)
    result = Touched(
        id=memory_id,
        old_score=round(policies.decay.score(memory, act.at), 6),
        new_score=round(new, 6),
        band=policies.bands.of(new),
        use_count=after.use_count,
        strength=after.strength,
        last_used=after.last_used,
    )
    return Changes("touch", (used,)), result


def recalled(act: Act, times: Mapping[str, int]) -> tuple[Changes, int]:
    """Memories that were given in answers, each so many times over. What is gone or forgotten by now is passed over."""
    found = _by_id(act.reader, times)
    used = [one for one in times if one in found and found[one].state is not State.FORGOTTEN]
    return Changes("touch", tuple(Used(one, Use.TOUCHED, times=min(times[one], limits.USES)) for one in used)), len(
        used
    )


def observe(act: Act, memory_ids: Sequence[str], context_tags: Iterable[str]) -> tuple[Changes, Observation]:
    policies = Policies.of(act.reader)
    if not policies.reinforcement.enabled:
        reason = f"reinforcement is switched off in {act.space}; settings turns it on: reinforcement.enabled"
        return Changes("observe"), Observation(reinforced=False, reason=reason)
    asked, found = list(dict.fromkeys(memory_ids)), _by_id(act.reader, memory_ids)
    context = {fold(tag) for tag in context_tags}
    uses = {one.memory_id: one for one in _uses(policies, asked, found, context)}
    results = tuple(_observed(policies, one, found.get(one), uses.get(one), act.at) for one in asked)
    return Changes("observe", tuple(uses.values())), Observation(
        reinforced=True,
        count=len(uses),
        cross_domain_count=sum(one.cross_domain for one in uses.values()),
        results=results,
    )


def _uses(policies: Policies, asked: list[str], found: dict[str, Memory], context: set[str]) -> Iterator[Used]:
    for memory_id in asked:
        memory = found.get(memory_id)
        if memory is not None and memory.state is not State.FORGOTTEN:
            across = _is_cross_domain(memory, context, policies.reinforcement.cross_domain_below)
            boost = _room(memory, policies.reinforcement.boost) if across else 0.0
            yield Used(memory_id, Use.OBSERVED, boost, across)


def _is_cross_domain(memory: Memory, context: set[str], below: float) -> bool:
    """Whether it was of use where hardly anything of its own kind was spoken of. Nothing said about it says nothing."""
    own = {fold(tag) for tag in memory.tags}
    if not own or not context:
        return False
    return len(own & context) / len(own | context) < below


def _observed(policies: Policies, memory_id: str, memory: Memory | None, used: Used | None, at: datetime) -> Observed:
    if memory is None:
        return Observed(id=memory_id, status="not_found")
    if used is None:
        return Observed(id=memory_id, status="forgotten")
    after = _after(memory, used, at)
    return Observed(
        id=memory_id,
        status="reinforced",
        cross_domain=used.cross_domain,
        use_count=after.use_count,
        review_count=after.review_count,
        strength=after.strength,
        score=round(policies.decay.score(after, at), 6),
    )


def _room(memory: Memory, boost: float) -> float:
    """As much of a boost as the most strength leaves room for."""
    return round(max(0.0, min(boost, limits.STRENGTH - memory.strength)), 9)


def _after(memory: Memory, used: Used, at: datetime) -> Memory:
    reviewed = used.how in (Use.OBSERVED, Use.REVIEWED)
    return replace(
        memory,
        use_count=memory.use_count + used.times,
        last_used=max(at, memory.last_used),
        review_count=memory.review_count + (used.times if reviewed else 0),
        cross_domain_count=memory.cross_domain_count + used.cross_domain,
        strength=min(limits.STRENGTH, round(memory.strength + used.boost, 9)),
    )


def _by_id(reader: Reader, memory_ids: Iterable[str]) -> dict[str, Memory]:
    found = reader.memories(MemoryFilter(view=View.ALL, ids=tuple(dict.fromkeys(memory_ids))))
    return {memory.id: memory for memory in found}

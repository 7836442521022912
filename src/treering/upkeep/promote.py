"""What has proved itself? Memories that score high or are used often become long-term: a mark, and perhaps a note.

Whatever is new scores high, so a memory must have stood for a day. The note in a vault is written by the door, which
knows both this room and the one that writes notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from treering.model import limits
from treering.model.changes import Changes, Marked, Thing
from treering.model.memory import Mark, Memory, State, View
from treering.model.value import Value
from treering.store.contract import Act, MemoryFilter, Reader
from treering.store.naming import missing
from treering.upkeep.gc import PREVIEW_CHARS
from treering.upkeep.policies import Policies, present
from treering.values import dataclass

_AT_ONCE = 512


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Candidate(Value):
    """`criteria`: which of them it meets. `reason` says so in words, or what it lacks."""

    id: str
    content: str
    score: float
    use_count: int
    recent_uses: int
    age_days: float
    criteria: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Promoted(Value):
    """`candidates` meet the criteria, or were forced; `refused` do not, with what they lack. `notes`: where in the
    vault each was written, by id."""

    promoted_ids: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    refused: tuple[Candidate, ...] = ()
    target: str = "long"
    notes: dict[str, str]
    dry_run: bool = False


def promising(reader: Reader, limit: int | None) -> list[str]:
    """The memories that meet the criteria, the highest score first; all are looked at, a few at a time."""
    policies, at = Policies.of(reader), present(reader)
    rule = policies.promotion
    oldest, recent = at - timedelta(days=rule.min_age_days), at - timedelta(days=rule.within_days)
    found: list[tuple[float, str]] = []
    often: list[tuple[float, str]] = []
    for one in reader.standing():
        if one.promoted or one.recorded_at > oldest:
            continue
        score = policies.decay.score(one, at)
        if score >= rule.score:
            found.append((-score, one.id))
        elif one.use_count >= rule.uses and one.last_used >= recent:
            often.append((-score, one.id))
    for start in range(0, len(often), _AT_ONCE):
        some = often[start : start + _AT_ONCE]
        used = reader.usage([memory_id for _, memory_id in some], recent)
        found += [one for one in some if one[1] in used and used[one[1]].count >= rule.uses]
    return [memory_id for _, memory_id in sorted(found)[: limit or limits.BATCH]]


def promote(act: Act, memory_ids: Sequence[str], force: bool, target: str) -> tuple[Changes, Promoted]:
    weighed = list(_weigh(act.reader, memory_ids, act.at, force))
    chosen = [one for memory, one in weighed if _stands(memory) and (one.criteria or force)]
    refused = [one for memory, one in weighed if one not in chosen]
    changes = tuple(Marked(Thing.MEMORY, one.id, Mark.PROMOTED, True, one.reason) for one in chosen)
    return Changes("promote", changes), Promoted(
        promoted_ids=tuple(one.id for one in chosen),
        candidates=tuple(chosen),
        refused=tuple(refused),
        target=target,
        notes={},
    )


def criteria_of(reader: Reader, memory_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Which criteria each of these meets."""
    weighed = _weigh(reader, memory_ids, present(reader), False)
    return {one.id: one.criteria for memory, one in weighed if _stands(memory) and one.criteria}


def one_memory(reader: Reader, memory_id: str) -> list[str]:
    """The memory asked for, which must be there."""
    if reader.memory(memory_id) is None:
        raise missing(reader, memory_id, "id", "memory")
    return [memory_id]


def _stands(memory: Memory) -> bool:
    return memory.state is State.ACTIVE


def _weigh(reader: Reader, memory_ids: Sequence[str], at: datetime, force: bool) -> Iterator[tuple[Memory, Candidate]]:
    policies = Policies.of(reader)
    recent = at - timedelta(days=policies.promotion.within_days)
    for start in range(0, len(memory_ids), _AT_ONCE):
        some = tuple(memory_ids[start : start + _AT_ONCE])
        used = reader.usage(some, recent)
        found = {one.id: one for one in reader.memories(MemoryFilter(view=View.ALL, ids=some))}
        for memory in (found[one] for one in some if one in found):
            uses = used[memory.id].count if memory.id in used else 0
            yield memory, _candidate(policies, memory, at, uses, force)


def _candidate(policies: Policies, memory: Memory, at: datetime, uses: int, force: bool) -> Candidate:
    rule, score = policies.promotion, policies.decay.score(memory, at)
    age = (at - memory.recorded_at).total_seconds() / 86_400
    high = f"high score ({score:.2f} of {rule.score:g})"
    often = f"used often ({uses} times in {rule.within_days:g} days, {rule.uses} needed)"
    met = [("score", high)] * (score >= rule.score) + [("uses", often)] * (uses >= rule.uses)
    if age < rule.min_age_days or not _stands(memory):
        met = []
    return Candidate(
        id=memory.id,
        content=memory.content[:PREVIEW_CHARS],
        score=round(score, 6),
        use_count=memory.use_count,
        recent_uses=uses,
        age_days=round(age, 4),
        criteria=tuple(name for name, _ in met),
        reason="; ".join(told for _, told in met) or _lacking(policies, memory, score, uses, age, force),
    )


def _lacking(policies: Policies, memory: Memory, score: float, uses: int, age: float, force: bool) -> str:
    rule = policies.promotion
    if memory.state is not State.ACTIVE:
        return f"it is {memory.state.value}"
    if force:
        return "forced"
    if age < rule.min_age_days:
        return f"{age * 24:.1f} hours old; it must have stood for {rule.min_age_days * 24:g}, unless forced"
    return (
        f"score {score:.2f} is below {rule.score:g}, and {uses} uses in {rule.within_days:g} days are fewer than "
        f"{rule.uses}"
    )

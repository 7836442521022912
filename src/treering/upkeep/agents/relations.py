"""Which memories have to do with one another? Those that mention the same things: two or more. Strength is how much of
what they mention, and how they are filed, they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from treering.errors import CallerError
from treering.model.edge import Link
from treering.model.memory import Memory
from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Progress, Reader
from treering.upkeep.agents.contract import Applied, WriteBudget
from treering.upkeep.cluster import circle_of
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

ENTITY_SHARE, TAG_SHARE = 0.7, 0.3
MENTIONS_LOOKED_AT = 200
"""Of a thing that more memories mention, the newest: that two mention it says little."""
COMPANY = 20
"""Two things that more memories mention together are no news."""
_AT_ONCE = 512


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RelationResult(Value):
    from_id: str
    to_id: str
    relation_type: str
    strength: float
    confidence: float
    shared_entities: tuple[str, ...]
    reasoning: str
    relation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Enough:
    """What two memories must have in common at least."""

    shared: int = 2
    confidence: float = 0.5


ENOUGH = Enough()


class RelationsAgent:
    name = AgentName.RELATIONS

    def plan(self, upkeep: UpkeepSpace, progress: Progress) -> list[RelationResult]:
        """The strongest first."""
        with upkeep.reading() as reader:
            found = list(_related(reader, progress))
        return sorted(found, key=lambda one: (-one.strength, one.from_id, one.to_id))

    def apply(
        self, upkeep: UpkeepSpace, planned: Sequence[RelationResult], allowance: WriteBudget, progress: Progress
    ) -> Applied:
        done: list[RelationResult] = []
        for place, one in enumerate(planned):
            if not allowance.take():
                return Applied(tuple(done), len(planned) - place)
            try:
                upkeep.tie(one.from_id, one.to_id, one.relation_type, one.strength, one.reasoning)
            except CallerError:  # one of them has gone since
                continue
            done.append(one)
            progress(place + 1, len(planned))
        return Applied(tuple(done))


def _related(reader: Reader, progress: Progress) -> Iterator[RelationResult]:
    names = {entity.id: entity.name for entity in reader.entities()}
    mentioned = _mentioned(reader, list(names), progress)
    pairs = _pairs(mentioned)
    memories = _memories(reader, sorted({one for pair in pairs for one in pair}))
    tied = _tied(reader, list(memories))
    chosen = reader.setting("consolidation")
    enough = Enough(chosen.get("min_shared_entities", 2), chosen.get("min_confidence", 0.5))
    for one, other in pairs:
        if one not in memories or other not in memories or frozenset((one, other)) in tied:
            continue
        result = relation(memories[one], memories[other], mentioned[one], mentioned[other], names, enough)
        if result is not None:
            yield result


def relation(
    one: Memory, other: Memory, mine: set[str], others: set[str], names: dict[str, str], enough: Enough = ENOUGH
) -> RelationResult | None:
    """What two memories have in common, from the newer to the older; none if that is not enough, or if not the same
    people may see both."""
    shared, tags = mine & others, set(one.tags) & set(other.tags)
    confidence = round(min(1.0, 0.25 * len(shared) + 0.1 * len(tags)), 4)
    if len(shared) < enough.shared or confidence < enough.confidence or circle_of(one) != circle_of(other):
        return None
    strength = ENTITY_SHARE * _jaccard(mine, others) + TAG_SHARE * _jaccard(set(one.tags), set(other.tags))
    newer, older = sorted((one, other), key=lambda memory: (memory.recorded_at, memory.id), reverse=True)
    named = tuple(sorted(names[entity] for entity in shared))
    return RelationResult(
        from_id=newer.id,
        to_id=older.id,
        relation_type=Link.RELATED_TO.value,
        strength=round(strength, 4),
        confidence=confidence,
        shared_entities=named,
        reasoning=_reasoning(named, sorted(tags)),
    )


def _reasoning(names: Sequence[str], tags: Sequence[str]) -> str:
    told = f"both mention {', '.join(names[:5])}" + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return told + (f"; both are filed under {', '.join(tags[:5])}" if tags else "")


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _mentioned(reader: Reader, entity_ids: Sequence[str], progress: Progress) -> dict[str, set[str]]:
    """By memory, what it mentions."""
    found: dict[str, set[str]] = defaultdict(set)
    for place, entity_id in enumerate(entity_ids, 1):
        for memory_id in reader.mentions(entity_id, MENTIONS_LOOKED_AT):
            found[memory_id].add(entity_id)
        if place % 1_000 == 0 or place == len(entity_ids):
            progress(place, len(entity_ids))
    return found


def _pairs(mentioned: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Memories that mention the same two things: filed by every two that a memory mentions, so that none is compared
    with all others."""
    company: dict[tuple[str, str], list[str]] = defaultdict(list)
    for memory_id, entities in mentioned.items():
        for two in combinations(sorted(entities)[:12], 2):
            company[two].append(memory_id)
    pairs = {
        (min(one, other), max(one, other))
        for together in company.values()
        if len(together) <= COMPANY
        for one, other in combinations(together, 2)
    }
    return sorted(pairs)


def _memories(reader: Reader, ids: Sequence[str]) -> dict[str, Memory]:
    found: dict[str, Memory] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = tuple(ids[start : start + _AT_ONCE])
        found |= {one.id: one for one in reader.memories(MemoryFilter(ids=some))}
    return found


def _tied(reader: Reader, ids: Sequence[str]) -> set[frozenset[str]]:
    """Those that are linked already, in whatever way; also where somebody has untied them."""
    tied: set[frozenset[str]] = set()
    links = tuple(one.value for one in Link)
    for start in range(0, len(ids), _AT_ONCE):
        some = tuple(ids[start : start + _AT_ONCE])
        which = EdgeFilter(source_ids=some, relations=links, include_closed=True, include_forgotten=True)
        tied |= {frozenset((edge.source_id, edge.target_id)) for edge in reader.edges(which)}
    return tied

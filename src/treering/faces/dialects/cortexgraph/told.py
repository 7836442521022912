"""How is a memory told to a client of CortexGraph? With whole seconds, a status of three, and its score as of now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from treering.faces.afar import Door
from treering.graph.reached import Step
from treering.model import limits
from treering.model.edge import MENTION, Edge, Link
from treering.model.memory import Memory, State
from treering.model.time import UNKNOWN
from treering.upkeep.decay import DAY_SECONDS
from treering.upkeep.use import Score
from treering.values import dataclass

STATUSES: dict[State, str] = {
    State.ACTIVE: "active",
    State.PROMOTED: "promoted",
    State.ARCHIVED: "archived",
    State.SUPERSEDED: "archived",  # no longer current, and kept
    State.EXPIRED: "archived",
}
"""What is forgotten has no status: to these clients it was deleted."""
LINKS = frozenset(one.value for one in Link)
RELATIONS = {
    "related": "related_to",
    "causes": "causes",
    "supports": "supports",
    "contradicts": "contradicts",
    "has_decision": "has_decision",
    "consolidated_from": "derived_from",
}
"""Their relations, as Treering has them."""
_THEIRS = {ours: theirs for theirs, ours in RELATIONS.items()}


def seconds(at: datetime) -> int:
    return int(at.timestamp())


def preview(content: str, most: int = 100) -> str:
    return content if len(content) <= most else content[:most] + "..."


def scores(door: Door, ids: Sequence[str]) -> dict[str, Score]:
    """By id, of those that can be seen."""
    told: dict[str, Score] = {}
    for start in range(0, len(ids), limits.USED_AT_ONCE):
        some = list(ids[start : start + limits.USED_AT_ONCE])
        told |= {one.id: one for one in door.scores(some)}
    return told


@dataclass(frozen=True, slots=True)
class Around:
    """What touches a memory: the entities it mentions, and its relations as (from, to, type, …)."""

    entities: tuple[str, ...]
    relations: tuple[Mapping[str, Any], ...]


def around(door: Door, memory_id: str) -> Around:
    walked = door.graph(memory_id, depth=1, direction="both")
    names = {node.id: node.name or node.id for node in walked.nodes}
    mentioned = [names.get(edge.target_id, edge.target_id) for edge in walked.edges if edge.relation == MENTION]
    relations = [relation_told(edge) for edge in walked.edges if edge.relation in LINKS]
    return Around(tuple(dict.fromkeys(mentioned)), tuple(relations))


def relation_told(edge: Edge | Step) -> dict[str, Any]:
    return {
        "id": edge.id,
        "from": edge.source_id,
        "to": edge.target_id,
        "type": _THEIRS.get(edge.relation, edge.relation),
        "strength": edge.strength,
        "created_at": None if edge.valid_from in (None, UNKNOWN) else seconds(edge.valid_from),
    }


def told(memory: Memory, entities: Sequence[str], score: Score | None) -> dict[str, Any]:
    """`score`: none where scores were not asked for."""
    about: dict[str, Any] = {
        "id": memory.id,
        "content": memory.content,
        "entities": list(entities),
        "tags": list(memory.tags),
        "created_at": seconds(_created(memory)),
        "last_used": seconds(memory.last_used),
        "use_count": memory.use_count,
        "strength": round(memory.strength, 4),
        "status": STATUSES.get(memory.state, memory.state.value),
    }
    if score is not None:
        about |= {"score": round(score.score, 4), "age_days": age_days(memory, score)}
    return about


def _created(memory: Memory) -> datetime:
    """When it came to be: of what was put together or taken over from elsewhere, when the first of it did."""
    return min(memory.said_at, memory.recorded_at)


def age_days(memory: Memory, score: Score) -> float:
    return round(score.age_days + (memory.recorded_at - _created(memory)).total_seconds() / DAY_SECONDS, 2)


def paged(count: int, page: int, page_size: int) -> tuple[slice, dict[str, Any]]:
    """Which of so many stand on a page, and what is told of the pages."""
    pages = -(-count // page_size)
    start = (page - 1) * page_size
    about = {
        "page": page,
        "page_size": page_size,
        "total_count": count,
        "total_pages": pages,
        "has_more": page < pages,
    }
    return slice(start, start + page_size), about

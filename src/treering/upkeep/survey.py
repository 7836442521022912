"""What is there, page by page, and how is all of it on average? Memories of one standing with their scores, names and
links, and figures over the whole of them, without a walk from each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from treering.model.edge import Edge, Link
from treering.model.memory import Memory, State, View
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader, Standing
from treering.store.support import batches
from treering.upkeep.decay import DecayPolicy
from treering.upkeep.policies import Policies, present
from treering.upkeep.use import Score, score_of
from treering.values import dataclass

LINKS = tuple(one.value for one in Link)


class Which(StrEnum):
    """Memories by standing. What is superseded, expired or archived is `archived`: no longer current, and kept."""

    ACTIVE = "active"
    PROMOTED = "promoted"
    ARCHIVED = "archived"
    ALL = "all"


_KEPT = frozenset({State.ARCHIVED, State.SUPERSEDED, State.EXPIRED})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Surveyed(Value):
    """`memories` are those of the page, in the order they were learned; `total`, `links_total` and the means are of all
    of that standing. `entities`: by memory, the names of what it mentions. `scores`: one a memory of the page."""

    memories: tuple[Memory, ...]
    scores: tuple[Score, ...]
    entities: dict[str, tuple[str, ...]]
    links: tuple[Edge, ...]
    total: int
    links_total: int
    mean_score: float
    mean_uses: float


@dataclass(frozen=True, slots=True)
class _Total:
    ids: Sequence[str]
    scores: float
    uses: int


def survey(reader: Reader, which: Which, offset: int, limit: int, most: int | None) -> Surveyed:
    """`most`: no more than the first so many are counted at all."""
    policies, at = Policies.of(reader), present(reader)
    if which in (Which.ACTIVE, Which.PROMOTED):
        total = _of_current(reader, which is Which.PROMOTED, most, policies.decay, at)
    else:
        total = _of_all(reader, which, most, policies.decay, at)
    page = total.ids[offset : offset + limit]
    found = {one.id: one for one in reader.memories(MemoryFilter(view=View.ALL, ids=tuple(page)))} if page else {}
    memories = tuple(found[one] for one in page if one in found)
    counted, shown = frozenset(total.ids), frozenset(found)
    links = [one for one in reader.edges(EdgeFilter(relations=LINKS)) if not counted.isdisjoint(_ends(one))]
    return Surveyed(
        memories=memories,
        scores=tuple(score_of(policies, one, at) for one in memories),
        entities=names_in(reader, page),
        links=tuple(one for one in links if not shown.isdisjoint(_ends(one))),
        total=len(total.ids),
        links_total=len(links),
        mean_score=round(total.scores / len(total.ids), 6) if total.ids else 0.0,
        mean_uses=round(total.uses / len(total.ids), 6) if total.ids else 0.0,
    )


def _of_current(reader: Reader, promoted: bool, most: int | None, decay: DecayPolicy, at: datetime) -> _Total:
    return _total((one for one in reader.standing() if one.promoted is promoted), most, decay, at)


def _of_all(reader: Reader, which: Which, most: int | None, decay: DecayPolicy, at: datetime) -> _Total:
    states = _KEPT if which is Which.ARCHIVED else _KEPT | {State.ACTIVE, State.PROMOTED}
    found = (one for one in reader.memories(MemoryFilter(view=View.ALL)) if one.state in states)
    return _total(found, most, decay, at)


def _total(found: Iterable[Standing | Memory], most: int | None, decay: DecayPolicy, at: datetime) -> _Total:
    ids, scores, uses = list[str](), 0.0, 0
    for one in found:
        if len(ids) == most:
            break
        ids.append(one.id)
        scores += decay.score(one, at)
        uses += one.use_count
    return _Total(ids, scores, uses)


def names_in(reader: Reader, memory_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What each of these memories mentions, by name, in alphabetical order."""
    mentioned: Mapping[str, set[str]] = defaultdict(set)
    for some in batches(list(memory_ids)):
        for memory_id, entity_id in reader.mentioned(some):
            mentioned[memory_id].add(entity_id)
    ids = sorted({one for some in mentioned.values() for one in some})
    names = {one.id: one.name for one in reader.entities(ids=ids)} if ids else {}
    return {one: tuple(sorted(names[each] for each in mentioned.get(one, ()) if each in names)) for one in memory_ids}


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.source_id, edge.target_id

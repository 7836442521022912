"""Where does a memory come from, and what depends on it? Down to what it was derived from and what was said, and up to
what was derived from it, took its place or rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from treering.graph.facts import Fact, facts_of
from treering.model.edge import Edge, Family, Link
from treering.model.memory import Memory, State, Support, View
from treering.model.source import Source
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.naming import missing
from treering.store.support import Cause, batches, causes_of, support_of, with_support
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Said(Value):
    """Where it was said: the source, the stretch of it, and the words."""

    source_id: str
    span: tuple[int, int]
    text: str
    kind: str
    speaker: str | None = None
    session: str | None = None
    key: str | None = None
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Relative(Value):
    """A memory that another leads to, so many steps away, over the edge that led there last. Of one that is forgotten
    only the id is told."""

    memory_id: str
    content: str | None
    state: State
    support: Support = Support.UNKNOWN
    depth: int
    over: str
    """The memory one step nearer."""
    edge_id: str
    valid_from: datetime
    valid_until: datetime | None = None
    rule: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Lineage(Value):
    """What a memory comes from (`sources`, `derived_from`, `supersedes`) and what depends on it (`derived`,
    `superseded_by`, `facts` and `links` that it is the evidence of). Each list has the nearest first."""

    memory: Memory
    support: Support
    because: tuple[Cause, ...] = ()
    """What makes it stale."""
    sources: tuple[Said, ...] = ()
    derived_from: tuple[Relative, ...] = ()
    supersedes: tuple[Relative, ...] = ()
    derived: tuple[Relative, ...] = ()
    superseded_by: tuple[Relative, ...] = ()
    facts: tuple[Fact, ...] = ()
    links: tuple[Edge, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class LineageLimits:
    """How far to look: so many steps, and so many of each kind."""

    depth: int
    limit: int


def lineage(reader: Reader, memory_id: str, reach: LineageLimits) -> Lineage:
    memory = reader.memory(memory_id)
    if memory is None:
        raise missing(reader, memory_id, "memory", "memory")
    ways = {
        "derived_from": (Link.DERIVED_FROM, False),
        "supersedes": (Link.SUPERSEDES, False),
        "derived": (Link.DERIVED_FROM, True),
        "superseded_by": (Link.SUPERSEDES, True),
    }
    found = {name: _relatives(reader, memory_id, link, upwards, reach) for name, (link, upwards) in ways.items()}
    resting = reader.edges(EdgeFilter(evidence_ids=(memory_id,), include_closed=True, limit=reach.limit + 1))
    [memory] = with_support(reader, [memory])
    return Lineage(
        memory=memory,
        support=memory.support,
        because=causes_of(reader, [memory_id]).get(memory_id, ()),
        sources=tuple(said_where(reader, memory)),
        facts=tuple(facts_of(reader, [edge for edge in resting[: reach.limit] if edge.family is Family.FACT])),
        links=tuple(edge for edge in resting[: reach.limit] if edge.family is Family.LINK),
        truncated=len(resting) > reach.limit or any(cut for _, cut in found.values()),
        **{name: relatives for name, (relatives, _) in found.items()},
    )


def _relatives(
    reader: Reader, memory_id: str, link: Link, upwards: bool, reach: LineageLimits
) -> tuple[tuple[Relative, ...], bool]:
    """Breadth first, each once, so that no circle holds it up; and whether there was more."""
    steps: dict[str, tuple[int, str, Edge]] = {}
    frontier, depth = [memory_id], 0
    while frontier and depth < reach.depth and len(steps) <= reach.limit:
        depth += 1
        onward: list[str] = []
        for edge in _links(reader, frontier, link, upwards):
            near, far = (edge.target_id, edge.source_id) if upwards else (edge.source_id, edge.target_id)
            if far != memory_id and far not in steps:
                steps[far] = (depth, near, edge)
                onward.append(far)
        frontier = onward
    kept = dict(list(steps.items())[: reach.limit])
    more = len(steps) > len(kept) or any(
        edge for edge in _links(reader, frontier, link, upwards) if _far(edge, upwards) not in {memory_id, *steps}
    )
    memories = {memory.id: memory for some in batches(list(kept)) for memory in _loaded(reader, some)}
    return tuple(_relative(memories[one], *step) for one, step in kept.items() if one in memories), more


def _links(reader: Reader, ids: list[str], link: Link, upwards: bool) -> Iterator[Edge]:
    """Also to what is forgotten, since that is what a derivation may have lost; not a link that was itself unlinked."""
    for some in batches(ids):
        which = EdgeFilter(relations=(link.value,), include_closed=True, include_forgotten=True)
        ends = tuple(some)
        which = replace(which, target_ids=ends) if upwards else replace(which, source_ids=ends)
        yield from (edge for edge in reader.edges(which) if edge.forgotten_at is None)


def _far(edge: Edge, upwards: bool) -> str:
    return edge.source_id if upwards else edge.target_id


def _loaded(reader: Reader, ids: list[str]) -> list[Memory]:
    found = reader.memories(MemoryFilter(view=View.ALL, ids=tuple(ids)))
    support = support_of(reader, ids)
    return [replace(one, support=support.get(one.id, Support.UNKNOWN)) for one in found]


def _relative(memory: Memory, depth: int, over: str, edge: Edge) -> Relative:
    return Relative(
        memory_id=memory.id,
        content=None if memory.state is State.FORGOTTEN else memory.content,
        state=memory.state,
        support=memory.support,
        depth=depth,
        over=over,
        edge_id=edge.id,
        valid_from=edge.valid_from,
        valid_until=edge.valid_until,
        rule=edge.rule,
        why=edge.why,
    )


def said_where(reader: Reader, memory: Memory) -> Iterator[Said]:
    """Where it was said first, then where it was said again."""
    again = [(one.source_id, one.span) for one in reader.evidence([memory.id])]
    places = [(memory.source_id, memory.span), *again]
    sources = reader.sources({source_id for source_id, _ in places})
    return (quoted(sources[source_id], span) for source_id, span in places if source_id in sources)


def quoted(source: Source, span: tuple[int, int]) -> Said:
    return Said(
        source_id=source.id,
        span=span,
        text=source.content[span[0] : span[1]],
        kind=source.kind.value,
        speaker=source.speaker,
        session=source.session,
        key=source.key,
        occurred_at=source.occurred_at,
    )

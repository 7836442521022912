"""How do several memories become one? A new memory keeps all they say and is derived from each; they are archived,
never deleted, and undoing the write brings them back. Or they are only linked, and stay.

It all happens in one entry of the journal, or not at all. Who may see the new memory are those who could see the old.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import combinations

from treering.errors import Conflict, InvalidRequest
from treering.model import limits
from treering.model.changes import Change, Changes, EdgeAdded, Marked, MemoryAdded, SourceAdded, Thing, Used
from treering.model.edge import MENTION, Edge, Link
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.memory import SHOWN, Mark, Memory, MemoryRecord, Use, View, Visibility
from treering.model.source import Source
from treering.model.value import Value
from treering.store.contract import Act, EdgeFilter, Reader
from treering.store.naming import NameRegister, missing
from treering.upkeep.cluster import Cluster, circle_of, preview
from treering.upkeep.merged import one_text, strength, what_they_have
from treering.values import dataclass

LINK_FROM = 0.40
RULE = "consolidated"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Preview(Value):
    """What the members of a cluster would become."""

    cluster_id: str
    cohesion: float
    memory_count: int
    merged_content_preview: str
    merged_entities: tuple[str, ...]
    merged_tags: tuple[str, ...]
    calculated_strength: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Merged(Value):
    """One cluster that was merged: the memory that stands for it, and the links to what it was made of."""

    cluster_id: str
    cohesion: float
    new_memory_id: str
    source_ids: tuple[str, ...]
    relation_ids: tuple[str, ...]
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LinkedCluster(Value):
    """One cluster whose members were linked; those linked before are not linked again."""

    cluster_id: str
    cohesion: float
    relation_ids: tuple[str, ...]
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Consolidation(Value):
    """What became of clusters. Of one that was merged, `new_memory_id` and the like are told as well. `undo` takes
    `seqs`. `skipped` are those that could not be merged, by id, with the reason."""

    mode: str
    auto_detect: bool
    candidates_found: int
    previews: tuple[Preview, ...] = ()
    merged: tuple[Merged, ...] = ()
    linked: tuple[LinkedCluster, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)
    cluster_id: str | None = None
    new_memory_id: str | None = None
    source_ids: tuple[str, ...] = ()
    relation_ids: tuple[str, ...] = ()
    archived_count: int = 0
    relations_created: int = 0
    seqs: tuple[int, ...] = ()
    message: str = ""


Vectors = Callable[[MemoryRecord, Source], tuple[Embedded, ...]]
"""What the space's embedder made of the new memory, if it has read it."""


def members_of(reader: Reader, cluster: Cluster) -> list[Memory]:
    """The memories of a cluster as they stand, in order of what they are about: the earliest first.
    NotFound if one may not be seen; Conflict if one no longer holds, or they are not for the same eyes."""
    members = []
    for memory_id in cluster.memory_ids:
        memory = reader.memory(memory_id)
        if memory is None:
            raise missing(reader, memory_id, "cluster_id", "memory")
        members.append(memory)
    gone = [one for one in members if one.state not in SHOWN[View.CURRENT]]
    if gone:
        raise Conflict(
            f"cluster_id: {gone[0].id} of {cluster.id} is {gone[0].state} by now; cluster again and take the new id"
        )
    if len({circle_of(one) for one in members}) > 1:
        raise InvalidRequest(
            f"cluster_id: not all members of {cluster.id} are for the same eyes; what is made of them would show one "
            "to those who may not see it"
        )
    return sorted(members, key=lambda one: (one.valid_from, one.recorded_at, one.id))


def previewed(reader: Reader, cluster: Cluster) -> Preview:
    members = members_of(reader, cluster)
    return Preview(
        cluster_id=cluster.id,
        cohesion=cluster.cohesion,
        memory_count=len(members),
        merged_content_preview=preview(one_text([one.content for one in members])),
        merged_entities=tuple(one.name for one in _entities(reader, members)),
        merged_tags=what_they_have(members)["tags"],
        calculated_strength=strength(members, cluster.cohesion),
    )


def content_of(reader: Reader, cluster: Cluster) -> str:
    """What the merged memory will say, for an embedder to read before anything is locked."""
    return one_text([one.content for one in members_of(reader, cluster)])


def merge(act: Act, cluster: Cluster, vectors: Vectors, why: str | None = None) -> tuple[Changes, Merged]:
    """The members of a cluster become one memory."""
    reader, members = act.reader, members_of(act.reader, cluster)
    memory, source = _written(act, members, cluster)
    naming = NameRegister(act, memory.id)
    mentioned = [naming.meant(one) for one in _entities(reader, members)]
    links = [
        _edge(act, memory, one.id, Link.DERIVED_FROM.value, RULE, why or f"one of {cluster.id}") for one in members
    ]
    mentions = [_edge(act, memory, one.id, MENTION, "mentioned", None) for one in mentioned]
    changes: list[Change] = [SourceAdded(source), MemoryAdded(memory), *naming.added]
    changes += [EdgeAdded(act.writer.sign(edge)) for edge in (*mentions, *links)]
    changes += [Marked(Thing.MEMORY, one.id, Mark.ARCHIVED, True, f"consolidated in {memory.id}") for one in members]
    if any(Mark.PROMOTED in one.marks for one in members):
        changes.append(Marked(Thing.MEMORY, memory.id, Mark.PROMOTED, True, "some of what it was made of is"))
    changes.append(_uses(memory, members))
    merged = Merged(
        cluster_id=cluster.id,
        cohesion=cluster.cohesion,
        new_memory_id=memory.id,
        source_ids=tuple(one.id for one in members),
        relation_ids=tuple(edge.id for edge in links),
        seq=reader.head.seq + 1,
    )
    return Changes("consolidate", tuple(changes), vectors(memory, source)), merged


def _written(act: Act, members: Sequence[Memory], cluster: Cluster) -> tuple[MemoryRecord, Source]:
    """It was said when the first of them was: what held then is still read as holding then."""
    content = one_text([one.content for one in members])
    said_at = min(min(one.said_at, one.recorded_at) for one in members)
    source = Source(id=act.mint(), space=act.space, content=content, occurred_at=said_at, recorded_at=act.at)
    private = members[0].visibility is Visibility.PRIVATE
    memory = MemoryRecord(
        id=act.mint(),
        space=act.space,
        content=content,
        strength=strength(members, cluster.cohesion),
        said_at=said_at,
        recorded_at=act.at,
        source_id=source.id,
        span=(0, len(content)),
        observed_by=act.writer.actor,
        visibility=members[0].visibility,
        visible_to=tuple(sorted(circle_of(members[0]) - {act.writer.actor})) if private else (),
        **what_they_have(members),
    )
    return memory, source


def _uses(memory: MemoryRecord, members: Sequence[Memory]) -> Used:
    """It was used when, and as often as, they were: that it was made just now is no use of it."""
    times = min(limits.USES, sum(one.use_count for one in members))
    return Used(memory.id, Use.INHERITED, times=times, at=max(one.last_used for one in members))


def _entities(reader: Reader, members: Sequence[Memory]) -> list[Entity]:
    """All that they mention, once, each as it was itself named."""
    ids = tuple(one.id for one in members)
    edges = reader.edges(EdgeFilter(source_ids=ids, relations=(MENTION,), include_closed=True))
    found = {}
    for edge in edges:
        entity = reader.entity(edge.target_id)
        if entity is not None:
            found[entity.id] = entity
    return list(found.values())[: limits.ENTITIES_OF_A_MEMORY]


def link(act: Act, cluster: Cluster, alike: Sequence[Sequence[float]]) -> tuple[Changes, LinkedCluster]:
    """Every two members are related; `alike` says how much, in the order of the cluster."""
    reader = act.reader
    members = {one.id: one for one in members_of(reader, cluster)}
    between = EdgeFilter(
        source_ids=cluster.memory_ids, target_ids=cluster.memory_ids, relations=(Link.RELATED_TO.value,)
    )
    tied = {frozenset((edge.source_id, edge.target_id)) for edge in reader.edges(between)}
    edges = []
    for (place, one), (other_place, other) in combinations(enumerate(cluster.memory_ids), 2):
        if frozenset((one, other)) in tied:
            continue
        how = min(1.0, max(0.0, alike[place][other_place]))
        edges.append(_edge(act, members[other], one, Link.RELATED_TO.value, "alike", cluster.id, round(how, 4)))
    told = LinkedCluster(
        cluster_id=cluster.id,
        cohesion=cluster.cohesion,
        relation_ids=tuple(edge.id for edge in edges),
        seq=reader.head.seq + 1 if edges else None,
    )
    return Changes("consolidate", tuple(EdgeAdded(act.writer.sign(edge)) for edge in edges)), told


def _edge(
    act: Act, newer: MemoryRecord, target: str, relation: str, rule: str, why: str | None, strength: float = 1.0
) -> Edge:
    return Edge(
        id=act.mint(),
        space=act.space,
        source_id=newer.id,
        target_id=target,
        relation=relation,
        strength=strength,
        valid_from=newer.holds_from,
        recorded_at=act.at,
        memory_id=newer.id,
        observed_by=act.writer.actor,
        rule=rule,
        why=why,
    )

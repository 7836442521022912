"""Which clusters are consolidated, and how? One that is named, or every one that is coherent enough: shown, merged, or
linked. Each is a write of its own, so that each can be undone by itself and a crash leaves none half done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treering.errors import CallerError, InvalidRequest, NotFound
from treering.model.memory import Mark
from treering.upkeep import consolidate as one_cluster
from treering.upkeep.cluster import MAX_SIZE, REVIEW, THRESHOLD, Cluster, cohesion, leaf_of, suggested
from treering.upkeep.consolidate import LINK_FROM, Consolidation, LinkedCluster, Merged, Preview, content_of, previewed
from treering.upkeep.grouping import all_leaves, found_clusters
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class ConsolidationWish:
    cluster_id: str | None
    auto: bool
    mode: str
    cohesion_threshold: float
    why: str | None = None


def consolidate(upkeep: UpkeepSpace, wanted: ConsolidationWish) -> Consolidation:
    if (wanted.cluster_id is None) != wanted.auto:
        raise InvalidRequest("cluster_id: give the id that `cluster` answered, or auto for all that are coherent")
    chosen = _detected(upkeep, wanted) if wanted.cluster_id is None else [named(upkeep, wanted.cluster_id)]
    told = Consolidation(mode=wanted.mode, auto_detect=wanted.auto, candidates_found=len(chosen))
    if wanted.mode == "preview":
        return _previews(upkeep, told, chosen, wanted)
    if wanted.mode == "link":
        return _linked(upkeep, told, chosen)
    return _merged(upkeep, told, chosen, wanted)


def named(upkeep: UpkeepSpace, cluster_id: str) -> Cluster:
    """The cluster of that id. Who may not see all of it is told no more than of one that never was."""
    found = upkeep.tending.cluster(upkeep.space, cluster_id)
    if found is not None:
        with upkeep.reading() as reader:
            members = [one for memory_id in found.memory_ids if (one := reader.memory(memory_id)) is not None]
        if len(members) == len(found.memory_ids):
            previews = tuple(leaf_of(one).content[:100] for one in members)
            return Cluster(
                id=found.id,
                size=len(members),
                cohesion=found.cohesion,
                suggested_action=suggested(found.cohesion),
                memory_ids=found.memory_ids,
                content_previews=previews,
            )
    raise NotFound(f"cluster_id: there is no cluster {cluster_id!r} in {upkeep.space}; `cluster` finds those there are")


def _detected(upkeep: UpkeepSpace, wanted: ConsolidationWish) -> list[Cluster]:
    """To merge, those that are coherent; to link, those that are less so and yet not far apart."""
    found = all_leaves(upkeep)
    if wanted.mode != "link":
        every = found_clusters(upkeep, found, THRESHOLD, MAX_SIZE)
        return [one for one in every if one.cohesion >= wanted.cohesion_threshold]
    every = found_clusters(upkeep, found, REVIEW, MAX_SIZE)
    return [one for one in every if LINK_FROM <= one.cohesion < wanted.cohesion_threshold]


def _previews(
    upkeep: UpkeepSpace, told: Consolidation, chosen: Sequence[Cluster], wanted: ConsolidationWish
) -> Consolidation:
    previews, skipped = list[Preview](), dict[str, str]()
    with upkeep.reading() as reader:
        for one in chosen:
            try:
                previews.append(previewed(reader, one))
            except CallerError as error:  # as when they are merged
                if not wanted.auto:
                    raise
                skipped[one.id] = str(error)
    count = sum(one.memory_count for one in previews)
    message = f"Would merge {count} memories into {len(previews)}"
    return replace(told, previews=tuple(previews), skipped=skipped, message=message)


def merge(upkeep: UpkeepSpace, cluster: Cluster, why: str | None = None) -> Merged:
    """One cluster, in one write."""
    with upkeep.reading() as reader:
        content = content_of(reader, cluster)
    vectors = upkeep.read_ahead(content)
    done = upkeep.write(lambda act: one_cluster.merge(act, cluster, vectors, why))
    with upkeep.reading() as reader:
        made = reader.memory(done.new_memory_id)
    if made is not None and Mark.PROMOTED in made.marks:
        upkeep.note([made.id])
    return done


def link(upkeep: UpkeepSpace, cluster: Cluster) -> LinkedCluster:
    with upkeep.reading() as reader:
        members = [leaf_of(one) for memory_id in cluster.memory_ids if (one := reader.memory(memory_id)) is not None]
    alike = upkeep.likeness(members).between(cluster.memory_ids)
    if cohesion(alike) < LINK_FROM:
        raise InvalidRequest(
            f"cluster_id: {cluster.id} has a cohesion of {cohesion(alike):g}; below {LINK_FROM:g} nothing is linked"
        )
    return upkeep.write(lambda act: one_cluster.link(act, cluster, alike))


def _merged(
    upkeep: UpkeepSpace, told: Consolidation, chosen: Sequence[Cluster], wanted: ConsolidationWish
) -> Consolidation:
    merged, skipped = list[Merged](), dict[str, str]()
    for done, one in enumerate(chosen, 1):
        try:
            merged.append(merge(upkeep, one, wanted.why))
        except CallerError as error:  # changed meanwhile, or too long together: the others are not held up by it
            if not wanted.auto:
                raise
            skipped[one.id] = str(error)
        upkeep.progress(done, len(chosen))
    archived = sum(len(one.source_ids) for one in merged)
    only = merged[0] if len(merged) == 1 else None
    return replace(
        told,
        merged=tuple(merged),
        skipped=skipped,
        cluster_id=only.cluster_id if only else None,
        new_memory_id=only.new_memory_id if only else None,
        source_ids=only.source_ids if only else (),
        relation_ids=tuple(edge for one in merged for edge in one.relation_ids),
        relations_created=sum(len(one.relation_ids) for one in merged),
        archived_count=archived,
        seqs=tuple(one.seq for one in merged),
        message=_message(merged, len(skipped)),
    )


def _message(merged: Sequence[Merged], skipped: int) -> str:
    if not merged:
        why = f"{skipped} could not be" if skipped else "no cluster is coherent enough"
        return f"Nothing was merged: {why}"
    archived = sum(len(one.source_ids) for one in merged)
    return f"Merged {archived} memories into {merged[0].new_memory_id if len(merged) == 1 else len(merged)}"


def _linked(upkeep: UpkeepSpace, told: Consolidation, chosen: Sequence[Cluster]) -> Consolidation:
    linked = []
    for done, one in enumerate(chosen, 1):
        linked.append(link(upkeep, one))
        upkeep.progress(done, len(chosen))
    created = sum(len(one.relation_ids) for one in linked)
    members = sum(one.size for one in chosen)
    return replace(
        told,
        linked=tuple(linked),
        cluster_id=chosen[0].id if len(chosen) == 1 else None,
        relation_ids=tuple(edge for one in linked for edge in one.relation_ids),
        relations_created=created,
        seqs=tuple(one.seq for one in linked if one.seq is not None),
        message=f"Created {created} relations linking {members} memories",
    )

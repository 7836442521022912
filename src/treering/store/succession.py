"""Who takes the place of what made way for a memory that goes?

Oslo made way for Rome, and Rome for Nice. With Rome undone or forgotten it is Nice that Oslo makes way for, not the
present that Oslo returns to. What made way for nothing that stays is back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from treering.model.changes import EdgeAdded
from treering.model.edge import Edge, Link
from treering.model.memory import Memory, Visibility
from treering.store.contract import Act, EdgeFilter

RULE = "next in line"
WHY = "what stood between them was {how}"


def handed_on(act: Act, gone: Collection[str], how: str) -> Iterator[EdgeAdded]:
    """`gone` are the memories that go, and how. Links are read as they stand before."""
    made_way = _links(act, EdgeFilter(source_ids=tuple(gone)))
    for link in made_way:
        old = act.reader.memory(link.target_id)
        if old is None or old.id in gone:
            continue
        heir = _heir(act, link.source_id, gone)
        if heir is not None and not _links(act, EdgeFilter(source_ids=(heir.source_id,), target_ids=(old.id,))):
            yield EdgeAdded(succession(act, heir, old, how))


def succession(act: Act, like: Edge, old: Memory, how: str) -> Edge:
    """The link by which a memory makes way for what another had made way for."""
    return act.writer.sign(
        Edge(
            id=act.mint(),
            space=act.space,
            source_id=like.source_id,
            target_id=old.id,
            relation=Link.SUPERSEDES.value,
            valid_from=max(like.valid_from, old.valid_from),
            recorded_at=act.at,
            memory_id=like.source_id,
            observed_by=act.writer.actor,
            rule=RULE,
            why=WHY.format(how=how),
        )
    )


def _heir(act: Act, gone_id: str, gone: Collection[str]) -> Edge | None:
    """The link by which what goes had made way for what stays; if that goes too, for what comes after it."""
    seen, waiting = {gone_id}, [gone_id]
    while waiting:
        for link in _links(act, EdgeFilter(target_ids=(waiting.pop(),))):
            if link.source_id in gone:
                waiting += [] if link.source_id in seen else [link.source_id]
                seen.add(link.source_id)
            elif _openly_said(act, link.source_id):
                return link
    return None


def _openly_said(act: Act, memory_id: str) -> bool:
    """What is private outdates nothing for those who may not know of it."""
    memory = act.reader.memory(memory_id)
    return memory is not None and memory.visibility is Visibility.SPACE


def _links(act: Act, ends: EdgeFilter) -> list[Edge]:
    return act.reader.edges(replace(ends, relations=(Link.SUPERSEDES.value,)))

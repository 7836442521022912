"""How is another memory taken over? Each of its memories becomes one here under the same id, said when it was made
there, as often used and as faded as it was there; what was put away or promoted stays so.

What was taken over before is known by its key and left as it is: it may have changed here since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from treering.errors import CallerError
from treering.ingest.add import NOTHING_READ, Adding
from treering.ingest.draft import Draft, DraftEntity
from treering.ingest.reading import Reading
from treering.model import limits
from treering.model.changes import Change, Changes, EdgeAdded, Marked, Thing, Used
from treering.model.edge import Edge, link_relation
from treering.model.memory import Mark, MemoryRecord, Use
from treering.model.moved import MovedLink, MovedMemory
from treering.store.contract import Act, EdgeFilter, Reader

_CROSSINGS = 100
"""How many uses in another domain are written one by one."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What one write took over of a space."""

    new: tuple[str, ...]
    known: tuple[str, ...]
    links: int
    left_out: dict[str, str]
    dry_run: bool = False


def draft_of(system: str, memory: MovedMemory) -> Draft:
    given: dict[str, Any] = {
        "content": memory.content,
        "kind": memory.kind,
        "title": memory.title,
        "context": memory.context,
        "tags": memory.tags,
        "meta": memory.meta or None,
        "entities": tuple(DraftEntity(one) for one in memory.entities),
        "triples": memory.triples,
        "at": memory.said_at,
        "event_time": memory.event_time,
        "visibility": memory.visibility,
        "expires_at": memory.expires_at,
        "observed_by": memory.observed_by,
        "key": key_of(system, memory.id),
        "importance": memory.importance,
        "confidence": memory.confidence,
        "strength": memory.strength,
        "tier": memory.tier,
    }
    return Draft(**{name: value for name, value in given.items() if value is not None})


def key_of(system: str, memory_id: str) -> str:
    return f"{system}:{memory_id}"[: limits.KEY_CHARS]


def new_among(reader: Reader, system: str, memories: Sequence[MovedMemory]) -> list[MovedMemory]:
    """Those that were not taken over before."""
    return [one for one in memories if reader.source_by_key(key_of(system, one.id)) is None]


def take_in(
    act: Act, system: str, memories: Sequence[MovedMemory], links: Sequence[MovedLink], reading: Reading = NOTHING_READ
) -> tuple[Changes, TakenOver]:
    """All of one space. What cannot be stored is left out and named, and holds up nothing else."""
    adding, left_out = Adding(act), dict[str, str]()
    new = {one.id for one in new_among(act.reader, system, memories)}
    made: dict[str, MemoryRecord] = {}
    state: list[Change] = []
    for one in memories:
        if one.id in new:
            try:
                made[one.id] = _added(adding, system, one)
            except CallerError as error:
                left_out[one.id] = str(error)
                continue
            state += _state(made[one.id].id, one)
    ids = {one.id: made[one.id].id for one in memories if one.id in made}
    ids |= {one.id: kept for one in memories if one.id not in new and (kept := _known(act.reader, system, one.id))}
    tied = list(_links(act, adding, links, ids, made))
    whole = adding.whole("import_memories", reading)
    changes = Changes(whole.op, (*whole.items, *state, *(EdgeAdded(edge) for edge in tied)), whole.vectors)
    known = tuple(one.id for one in memories if one.id not in new)
    return changes, TakenOver(tuple(made), known, len(tied), left_out)


def _added(adding: Adding, system: str, one: MovedMemory) -> MemoryRecord:
    before = len(adding.changes), len(adding.memories), len(adding.edges)
    draft = draft_of(system, one)
    try:
        source = adding.source(draft, draft.content)
        own = one.id if _may_keep(adding.act.reader, one.id) else None
        return adding.memory(source, draft, (0, len(source.content)), own)
    except CallerError:
        for some, length in zip((adding.changes, adding.memories, adding.edges), before, strict=True):
            del some[length:]  # type: ignore[attr-defined]
        raise


def _may_keep(reader: Reader, memory_id: str) -> bool:
    """Whether the id that it had can be its id here."""
    try:
        limits.uuid(memory_id, "id")
    except CallerError:
        return False
    everyone = reader.all_seeing()
    return everyone.memory(memory_id) is None and everyone.entity(memory_id) is None and not reader.tombstone(memory_id)


def _known(reader: Reader, system: str, memory_id: str) -> str | None:
    """Under which id it was taken over."""
    from treering.model.memory import View
    from treering.store.contract import MemoryFilter

    source = reader.source_by_key(key_of(system, memory_id))
    found = reader.memories(MemoryFilter(view=View.ALL, source_id=source.id)) if source else []
    return found[0].id if found else None


def _state(memory_id: str, one: MovedMemory) -> Iterator[Change]:
    """Its uses as they were, and whether it was put away."""
    last = one.last_used or one.said_at
    crossed = min(one.cross_domains, _CROSSINGS)
    reviewed = max(0, min(one.reviews, one.uses) - crossed)
    rest = max(0, one.uses - reviewed - crossed)
    yield Used(memory_id, Use.INHERITED, times=min(rest, limits.USES), at=last)
    if reviewed:
        yield Used(memory_id, Use.OBSERVED, times=min(reviewed, limits.USES), at=last)
    for _ in range(crossed):
        yield Used(memory_id, Use.OBSERVED, cross_domain=True, at=last)
    for mark, why in (
        (Mark.PROMOTED, one.promoted),
        (Mark.ARCHIVED, one.archived),
        (Mark.FORGOTTEN, one.forgotten),
    ):
        if why is not None:
            yield Marked(Thing.MEMORY, memory_id, mark, True, why[: limits.WHY_CHARS])


def _links(
    act: Act, adding: Adding, links: Sequence[MovedLink], ids: dict[str, str], made: dict[str, MemoryRecord]
) -> Iterator[Edge]:
    """Between what is here by now; one that stands with the same window is not doubled."""
    for link in links:
        source, target = ids.get(link.source_id), ids.get(link.target_id)
        if source is None or target is None or source == target:
            continue
        relation = link_relation(link.relation).value
        since = link.valid_from or _began(act.reader, made, link.source_id, source)
        which = EdgeFilter(source_ids=(source,), target_ids=(target,), relations=(relation,), include_closed=True)
        old = link.source_id not in made and link.target_id not in made
        if old and any(one.valid_from == since for one in act.reader.edges(which)):
            continue
        own = link.id if link.id and _may_keep(act.reader, link.id) else None
        yield act.writer.sign(
            Edge(
                id=own or act.mint(),
                space=act.space,
                source_id=source,
                target_id=target,
                relation=relation,
                strength=link.strength,
                valid_from=since,
                valid_until=None if link.valid_until is None else max(since, link.valid_until),
                recorded_at=act.at,
                memory_id=source,
                observed_by=link.observed_by or act.writer.actor,
                rule="stated",
                meta=dict(link.meta),  # type: ignore[arg-type]  # Edge copies and freezes it
            )
        )


def _began(reader: Reader, made: dict[str, MemoryRecord], other: str, own: str) -> Any:
    if other in made:
        return made[other].holds_from
    memory = reader.memory(own)
    assert memory is not None, "it was found by its key"
    return memory.valid_from

"""Memories as ai-memory's clients store, find and forget them. What is stored is kept as written, duplicates included;
what is forgotten is hidden, and nothing is removed."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

from treering.door import Treering
from treering.errors import Forbidden, InvalidRequest, NotFound, TreeringError
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.graph import same_space
from treering.faces.dialects.ai_memory.places import entities_at, everywhere, memory_at, newest
from treering.faces.dialects.ai_memory.shapes import as_added, content_of, entity_told, memory_told
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.namespaces import space_of
from treering.model import limits
from treering.model.memory import Memory
from treering.model.value import plain
from treering.operation import READS, WRITES, WRITES_ONCE
from treering.upkeep.forget import Hidden


@tool(a.Store, WRITES)
def memory_store(door: Treering, asked: a.Store) -> Answer:
    """Store a memory with a title, as it is written."""
    space = None if asked.namespace is None else space_of(asked.namespace)
    stored = door.add(**as_added(asked), space=space)
    return memory_told(door.get(stored.id, space=stored.space))


@tool(a.Recall, READS)
def memory_recall(door: Treering, asked: a.Recall) -> Answer:
    """Recall the memories that matter for a context, best first. Open contradictions are told with each."""
    wish = asked.model_dump(include={"tags", "limit", "since", "until", "budget_tokens"})
    answers = everywhere(
        door,
        asked.namespace,
        lambda place: door.recall(asked.context, space=place.space, children=place.children, **wish),
    )
    hits = sorted((hit for answer in answers for hit in answer), key=lambda hit: -hit.score)[: asked.limit]
    told = [
        memory_told(hit.memory, score=hit.score, contradicted_by=[one.memory_id for one in hit.conflicts])
        for hit in hits
    ]
    return {"memories": told, "count": len(told), "mode": "hybrid"}


@tool(a.Get, WRITES)
def memory_get(door: Treering, asked: a.Get) -> Answer:
    """One memory by its id, with its links. Asking for it counts as an access."""
    try:
        memory = memory_at(door, asked.id)
    except NotFound:
        entity = next((one for one in entities_at(door, asked.id, None) if one.id == asked.id), None)
        if entity is None:
            raise
        return {**entity_told(entity), "links": _links(door, entity.id, entity.space)}
    with suppress(Forbidden):  # who may only read leaves no trace
        door.touch(memory.id, space=memory.space)
        memory = door.get(memory.id, space=memory.space)
    return memory_told(memory, links=_links(door, memory.id, memory.space))


def _links(door: Treering, node_id: str, space: str) -> list[dict[str, Any]]:
    """Both ways."""
    walked = door.graph(node_id, [*a.RELATIONS], 1, "both", space=space)
    names = ("source_id", "target_id", "relation", "valid_from", "valid_until")
    return [plain({name: getattr(edge, name) for name in names}) for edge in walked.edges]


@tool(a.List, READS)
def memory_list(door: Treering, asked: a.List) -> Answer:
    """Memories, the newest first."""
    found = (
        memory
        for memory in newest(door, asked.namespace, asked.session_id)
        if asked.tier in (None, memory.tier) and asked.agent_id in (None, memory.observed_by)
    )
    told = [memory_told(memory) for memory in islice(found, asked.limit)]
    return {"memories": told, "count": len(told)}


@tool(a.Forget, WRITES_ONCE)
def memory_forget(door: Treering, asked: a.Forget) -> Answer:
    """Forget memories by id, or all that match a namespace, pattern and tier. They are hidden, and can be restored."""
    if asked.ids is None and asked.namespace is None and asked.pattern is None and asked.tier is None:
        raise InvalidRequest("ids: say what to forget: ids, or a namespace, pattern or tier")
    if asked.ids is not None:
        found = [memory_at(door, one, "ids", asked.namespace) for one in asked.ids]
    else:
        found = list(newest(door, asked.namespace))
    matching = [one for one in found if asked.tier in (None, one.tier) and _says(one, asked.pattern)]
    told = [(one, door.forget(one.id, space=one.space, dry_run=asked.dry_run)) for one in matching]
    hidden = [one for one, answer in told if isinstance(answer, Hidden) and answer.changed]
    return {
        "deleted": len(hidden),
        "forgotten": len(hidden),
        "ids": [one.id for one in hidden],
        "dry_run": asked.dry_run,
    }


def _says(memory: Memory, words: str | None) -> bool:
    text = f"{memory.title or ''} {content_of(memory)}".casefold()
    return words is None or all(word in text for word in words.casefold().split())


@tool(a.Consolidate, WRITES)
def memory_consolidate(door: Treering, asked: a.Consolidate) -> Answer:
    """Make one lasting memory of several. It is derived from each of them, and they stay readable."""
    sources = [memory_at(door, one, "ids") for one in dict.fromkeys(asked.ids)]
    if len(sources) < 2:
        raise InvalidRequest("ids: give at least two different memories")
    space = same_space([one.space for one in sources], asked.namespace)
    content = asked.summary or "\n\n".join(content_of(one) for one in sources)
    made = door.add(**as_added(_consolidated(asked.title, content, sources)), space=space)
    try:
        for one in sources:
            door.link(made.id, one.id, "derived_from", space=space, why="consolidated")
    except TreeringError:
        door.forget(made.id, space=space, why="could not be tied to all it was made of")
        raise
    told = memory_told(door.get(made.id, space=space))
    auto = {} if asked.summary else {"auto_summary": True, "summary_preview": content[:200]}
    return {**told, "consolidated": len(sources), **auto}


def _consolidated(title: str, content: str, sources: list[Memory]) -> a.Store:
    tags = dict.fromkeys(tag for one in sources for tag in one.tags)
    agents = dict.fromkeys(one.observed_by for one in sources if one.observed_by)
    return a.Store(
        title=title,
        content=content,
        tier="long",
        tags=list(tags)[: limits.TAGS],
        priority=max(1, *(round(one.importance * 10) for one in sources)),
        source="consolidation",
        metadata={"consolidated_from_agents": sorted(agents), "consolidated_from": [one.id for one in sources]},
    )


@tool(a.DetectContradiction, WRITES_ONCE)
def memory_detect_contradiction(door: Treering, asked: a.DetectContradiction) -> Answer:
    """Whether two memories contradict each other, or which of those about a topic do.

    Two that do are linked by `contradicts` if they were not before.
    """
    if asked.topic is not None:
        return _of_topic(door, asked.topic, asked.namespace)
    if asked.id_a is None or asked.id_b is None:
        raise InvalidRequest("id_a: give two memories, id_a and id_b, or a topic")
    one, other = (memory_at(door, *named) for named in ((asked.id_a, "id_a"), (asked.id_b, "id_b")))
    space = same_space([one.space, other.space], None)
    pairs = _clashing(door, space, None)
    clash = (one.id, other.id) in pairs or (other.id, one.id) in pairs or _same_topic(one, other)
    if clash:
        newer, older = sorted((one, other), key=lambda memory: (memory.recorded_at, memory.id), reverse=True)
        if not {(newer.id, older.id), (older.id, newer.id)} & {pair for pair, linked in pairs.items() if linked}:
            door.link(newer.id, older.id, "contradicts", space=space, why="detected")
    return {
        "contradicts": clash,
        "memory_a": {"id": one.id, "title": memory_told(one)["title"]},
        "memory_b": {"id": other.id, "title": memory_told(other)["title"]},
    }


def _clashing(door: Treering, space: str, topic: str | None) -> dict[tuple[str, str], bool]:
    """Pairs of memories, newer and older, that cannot both be so; whether they are linked."""
    found = door.contradictions(space=space, topic=topic, limit=limits.PAGE)
    return {
        (one.newer.memory_id, one.older.memory_id): one.edge_id is not None
        for one in found
        if one.newer.memory_id and one.older.memory_id
    }


def _same_topic(one: Memory, other: Memory) -> bool:
    """Their authors gave both the same topic, and they say different things of it."""
    topics = one.meta.get("topic"), other.meta.get("topic")
    return one.id != other.id and topics[0] is not None and topics[0] == topics[1] and one.content != other.content


def _of_topic(door: Treering, topic: str, namespace: str | None) -> Answer:
    about = [one for one in newest(door, namespace) if one.meta.get("topic") == topic or _says(one, topic)]
    links: dict[tuple[str, str], bool] = {}
    for space in dict.fromkeys(one.space for one in about):
        ids = {one.id for one in about}
        links |= {pair: linked for pair, linked in _clashing(door, space, None).items() if ids >= set(pair)}
    for place, newer in enumerate(about):
        for older in about[place + 1 :]:
            if newer.space == older.space and _same_topic(newer, older) and (older.id, newer.id) not in links:
                links.setdefault((newer.id, older.id), False)
    return {
        "topic": topic,
        "memories": [memory_told(one) for one in about],
        "links": [
            {"source_id": newer, "target_id": older, "relation": "contradicts", "linked": linked}
            for (newer, older), linked in links.items()
        ],
        "count": len(about),
    }

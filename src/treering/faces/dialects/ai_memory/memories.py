"""Memories as ai-memory's clients store, find and forget them. What is stored is kept as written, duplicates included;
what is forgotten is hidden, and nothing is removed."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from treering.door.tending import Compared
from treering.errors import Forbidden, InvalidRequest, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.cards import is_card
from treering.faces.dialects.ai_memory.changing import forget_all
from treering.faces.dialects.ai_memory.graph import links_of, same_space
from treering.faces.dialects.ai_memory.likeness import likeness
from treering.faces.dialects.ai_memory.places import entities_at, memory_at, newest
from treering.faces.dialects.ai_memory.shapes import as_added, client_id, content_of, entity_told, memory_told
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.everywhere import everywhere
from treering.mind.judging import Verdict
from treering.model import limits
from treering.model.memory import Mark, Memory
from treering.model.namespaces import space_of
from treering.operation import READS, WRITES, WRITES_ONCE
from treering.recall.answer import Hit

_NEARLY = 0.5
"""Two statements about one topic that have so much of their words in common are about one thing."""
_CLASH = (Verdict.REPLACES, Verdict.ENDS, Verdict.CONTRADICTS)
_COMPARED = 300
"""How many memories of a topic are compared with one another, the newest."""


@tool(a.Store, WRITES, a.STORED)
def memory_store(door: Door, asked: a.Store) -> Answer:
    """Store a memory with a title, as it is written."""
    space = None if asked.namespace is None else space_of(asked.namespace)
    stored = door.add(**as_added(asked), space=space)
    door.entity_gather(ids=[stored.id], space=stored.space)
    return memory_told(door.get(stored.id, space=stored.space))


@tool(a.Recall, READS, {"query": "context"})
def memory_recall(door: Door, asked: a.Recall) -> Answer:
    """Recall the memories that matter for a context, best first. Open contradictions are told with each."""
    wish = asked.model_dump(include={"tags", "limit", "since", "until", "budget_tokens"})
    answers = everywhere(
        door,
        asked.namespace,
        lambda place: door.recall(asked.context, space=place.space, children=place.children, **wish),
    )
    found = (hit for answer in answers for hit in answer if not is_card(hit.memory))
    hits = sorted(found, key=lambda hit: -hit.score)[: asked.limit]
    told = [memory_told(hit.memory, score=hit.score, **_contradicted(door, hit)) for hit in hits]
    return {"memories": told, "count": len(told), "mode": "hybrid"}


def _contradicted(door: Door, hit: Hit) -> Answer:
    """What cannot be so beside it, with the words: who reads one sees the conflict."""
    others = [
        {
            "id": client_id(door.get(one.memory_id, space=hit.memory.space)),
            "content": one.content,
            "state": one.state,
            "valid_from": one.valid_from,
            "why": one.why,
        }
        for one in hit.conflicts
    ]
    return {"contradicted_by": [one["id"] for one in others], "contradictions": others}


@tool(a.RecallMany, READS, {"query": "context"})
def memory_recall_many(door: Door, asked: a.RecallMany) -> Answer:
    """The same for programs, which may ask for more."""
    return memory_recall.run(door, asked)


@tool(a.Search, READS, {"query": "q"})
def memory_search(door: Door, asked: a.Search) -> Answer:
    """The same, asked for by `q`."""
    return memory_recall.run(door, asked)


@tool(a.Get, WRITES)
def memory_get(door: Door, asked: a.Get) -> Answer:
    """One memory by its id, with its links. Asking for it counts as an access."""
    try:
        memory = memory_at(door, asked.id, namespace=asked.namespace)
    except NotFound:
        entity = next((one for one in entities_at(door, asked.id, asked.namespace) if one.id == asked.id), None)
        if entity is None:
            raise
        return {**entity_told(entity), "links": links_of(door, entity)}
    with suppress(Forbidden):  # who may only read leaves no trace
        door.touch(memory.id, space=memory.space)
        memory = door.get(memory.id, space=memory.space)
    return memory_told(memory, links=links_of(door, memory))


@tool(a.List, READS)
def memory_list(door: Door, asked: a.List) -> Answer:
    """Memories, the newest first."""
    found = (
        memory
        for memory in newest(door, asked.namespace, asked.session_id)
        if asked.tier in (None, memory.tier) and asked.agent_id in (None, memory.observed_by)
    )
    told = [memory_told(memory) for memory in islice(found, asked.limit)]
    return {"memories": told, "count": len(told)}


@tool(a.Forget, WRITES_ONCE)
def memory_forget(door: Door, asked: a.Forget) -> Answer:
    """Forget memories by id, or all that match a namespace, pattern and tier. They are hidden, and can be restored."""
    if asked.ids is None and asked.namespace is None and asked.pattern is None and asked.tier is None:
        raise InvalidRequest("ids: say what to forget: ids, or a namespace, pattern or tier")
    if asked.ids is not None:
        found = [memory_at(door, one, "ids", asked.namespace, hidden=True) for one in dict.fromkeys(asked.ids)]
    else:
        found = list(newest(door, asked.namespace))
    matching = [one for one in found if asked.tier in (None, one.tier) and _says(one, asked.pattern)]
    gone = [one for one in matching if Mark.FORGOTTEN not in one.marks]
    if not asked.dry_run:
        for one in gone:
            forget_all(door, one)
    ids = [client_id(one) for one in gone]
    return {"deleted": len(ids), "forgotten": len(ids), "ids": ids, "dry_run": asked.dry_run}


def _says(memory: Memory, words: str | None) -> bool:
    text = f"{memory.title or ''} {content_of(memory)}".casefold()
    return words is None or all(word in text for word in words.casefold().split())


@tool(a.Consolidate, WRITES)
def memory_consolidate(door: Door, asked: a.Consolidate) -> Answer:
    """Make one lasting memory of several. It is derived from each of them, and they stay readable."""
    sources = [memory_at(door, one, "ids") for one in dict.fromkeys(asked.ids)]
    if len(sources) < 2:
        raise InvalidRequest("ids: give at least two different memories")
    space = same_space([one.space for one in sources], asked.namespace)
    content = asked.summary or "\n\n".join(content_of(one) for one in sources)
    origins = [client_id(one) for one in sources]
    made = door.add(**as_added(_consolidated(asked.title, content, sources)), derived_from=origins, space=space)
    told = memory_told(door.get(made.id, space=space))
    auto = {} if asked.summary else {"auto_summary": True, "summary_preview": content[:200]}
    return {**told, "consolidated": len(sources), **auto}


def _consolidated(title: str, content: str, sources: list[Memory]) -> a.Store:
    tags = dict.fromkeys(tag for one in sources for tag in one.tags)
    agents = dict.fromkeys(agent for one in sources if (agent := memory_told(one)["metadata"]["agent_id"]))
    return a.Store(
        title=title,
        content=content,
        tier="long",
        tags=list(tags)[: limits.TAGS],
        priority=max(1, *(round(one.importance * 10) for one in sources)),
        source="consolidation",
        metadata={"consolidated_from_agents": sorted(agents), "consolidated_from": [client_id(one) for one in sources]},
    )


@tool(a.DetectContradiction, WRITES_ONCE)
def memory_detect_contradiction(door: Door, asked: a.DetectContradiction) -> Answer:
    """Whether two memories contradict each other, or which of those about a topic do.

    Two that do are linked by `contradicts` if they were not before. Where no rule sees it, the judge reads the two.
    """
    if asked.topic is not None:
        return _of_topic(door, asked.topic, asked.namespace)
    if asked.id_a is None or asked.id_b is None:
        raise InvalidRequest("id_a: give two memories, id_a and id_b, or a topic")
    one, other = (memory_at(door, *named) for named in ((asked.id_a, "id_a"), (asked.id_b, "id_b")))
    space = same_space([one.space, other.space], None)
    pairs = _clashes(
        door, space, sorted((one, other), key=lambda memory: (memory.recorded_at, memory.id), reverse=True)
    )
    judged = None if pairs else _judged(door, space, one, other)
    if judged is not None:
        called = {memory.id: client_id(memory) for memory in (one, other)}
        door.link(called[judged.newer_id], called[judged.older_id], "contradicts", space=space, why=_why(judged))
    for (newer, older), linked in pairs.items():
        if not linked:
            door.link(newer, older, "contradicts", space=space, why="detected")
    return {
        "contradicts": bool(pairs) or judged is not None,
        **({"why": _why(judged)} if judged is not None else {}),
        "memory_a": {"id": client_id(one), "title": memory_told(one)["title"]},
        "memory_b": {"id": client_id(other), "title": memory_told(other)["title"]},
    }


def _judged(door: Door, space: str, one: Memory, other: Memory) -> Compared | None:
    """What the judge says of two memories that cannot both hold."""
    if one.id == other.id:
        return None
    told = door.compare(one.id, other.id, space=space)
    return told if told.verdict in _CLASH else None


def _why(told: Compared) -> str:
    return f"judged: the later one {told.verdict} the earlier, {told.score}, by {told.by}"


def _clashes(door: Door, space: str, about: list[Memory]) -> dict[tuple[str, str], bool]:
    """Pairs of these memories, given the newest first, that cannot both be so; whether they are linked."""
    called = {name: client_id(one) for one in about for name in (one.id, client_id(one))}
    pairs: dict[tuple[str, str], bool] = {}
    for clash in door.contradictions(space=space, limit=limits.PAGE):
        newer, older = called.get(clash.newer.memory_id or ""), called.get(clash.older.memory_id or "")
        if newer and older and newer != older:
            pairs[newer, older] = pairs.get((newer, older), False) or clash.edge_id is not None
    for place, one in enumerate(about[:_COMPARED]):
        for other in about[place + 1 : _COMPARED]:
            newer, older = client_id(one), client_id(other)
            if (older, newer) not in pairs and _cannot_both_be(one, other):
                pairs.setdefault((newer, older), False)
    return pairs


def _cannot_both_be(one: Memory, other: Memory) -> bool:
    """Their authors gave both the same topic, or they say nearly the same; and yet not the same."""
    alike = likeness(content_of(one), content_of(other))
    topic = one.meta.get("topic")
    same = (topic is not None and topic == other.meta.get("topic")) or alike >= _NEARLY
    return same and alike < 1


def _of_topic(door: Door, topic: str, namespace: str | None) -> Answer:
    about = [one for one in newest(door, namespace) if one.meta.get("topic") == topic or _says(one, topic)]
    links: dict[tuple[str, str], bool] = {}
    for space in dict.fromkeys(one.space for one in about):
        links |= _clashes(door, space, [one for one in about if one.space == space])
    return {
        "topic": topic,
        "memories": [memory_told(one) for one in about],
        "links": [
            {"source_id": newer, "target_id": older, "relation": "contradicts", "linked": linked}
            for (newer, older), linked in links.items()
        ],
        "count": len(about),
    }

"""Which memories speak of an entity by name? They are tied to it, so that the graph tells of it without a search.

What is read out of a sentence is tied when it is read. Here are those that were stored as they stand, or before a name
was registered. Only names that somebody gave are looked for; nothing is guessed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from treering.model.changes import Changes, EdgeAdded
from treering.model.edge import MENTION, Edge
from treering.model.entity import Entity, fold
from treering.model.memory import Memory, View
from treering.model.value import Value
from treering.store.contract import Act, MemoryFilter, Reader
from treering.store.support import batches
from treering.values import dataclass

NAME_WORDS = 6
"""No longer name is looked for in a text."""
_WORDS = re.compile(r"[^\s,;:!?()\[\]{}\"“”«»]+")
_POSSESSIVE = re.compile(r"['\u2019]s$")


@dataclass(frozen=True, slots=True, repr=False)
class Tied(Value):
    """A memory, and an entity that it names."""

    memory_id: str
    entity_id: str


@dataclass(frozen=True, slots=True, repr=False)
class Gathered(Value):
    """Which memories were tied to what they name. Those that were tied before are not told again."""

    tied: tuple[Tied, ...]
    count: int
    dry_run: bool = False


def speaking_of(reader: Reader, entity: Entity) -> list[str]:
    """Current memories that name the entity. All are looked at: this is asked before anything is locked."""
    names = {fold(one) for one in (entity.name, *entity.aliases)}
    return [
        memory.id
        for memory in reader.memories(MemoryFilter(view=View.CURRENT))
        if any(one in fold(_text(memory)) for one in names) and not names.isdisjoint(runs(_text(memory)))
    ]


def gather(act: Act, memory_ids: Sequence[str], among: frozenset[str] | None = None) -> tuple[Changes, Gathered]:
    """Ties these memories to what they name, or to those `among` it alone."""
    edges = []
    for some in batches(list(dict.fromkeys(memory_ids))):
        memories = act.reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(some)))
        tied = set(act.reader.mentioned([one.id for one in memories]))
        for memory, entity_id in _named(act.reader, memories):
            if (memory.id, entity_id) not in tied and (among is None or entity_id in among):
                edges.append(act.writer.sign(_mention(act, memory, entity_id)))
    told = tuple(Tied(one.source_id, one.target_id) for one in edges)
    return Changes("entity_gather", tuple(EdgeAdded(one) for one in edges)), Gathered(told, len(told))


def _named(reader: Reader, memories: Iterable[Memory]) -> Iterator[tuple[Memory, str]]:
    spoken = {memory.id: (memory, runs(_text(memory))) for memory in memories}
    wanted = sorted({run for _, some in spoken.values() for run in some})
    answering: dict[str, set[str]] = defaultdict(set)
    for some in batches(wanted):
        for name, entity_id in reader.named(some):
            answering[name].add(entity_id)
    for memory, said in spoken.values():
        for entity_id in sorted({one for run in said for one in answering.get(run, ())}):
            yield memory, entity_id


def _mention(act: Act, memory: Memory, entity_id: str) -> Edge:
    return Edge(
        id=act.mint(),
        space=act.space,
        source_id=memory.id,
        target_id=entity_id,
        relation=MENTION,
        valid_from=memory.valid_from,
        recorded_at=act.at,
        memory_id=memory.id,
        observed_by=act.writer.actor,
        rule="named",
    )


def _text(memory: Memory) -> str:
    return f"{memory.title or ''}\n{memory.content}"


def runs(text: str) -> set[str]:
    """Every stretch of words that could be a name, folded: as it is written, and without what closes a sentence or
    says whose something is."""
    words = [one.strip(".'\u2019`*_<>") for one in _WORDS.findall(text)]
    plain = [_POSSESSIVE.sub("", one) for one in words]
    found = set[str]()
    for start in range(len(words)):
        for size in range(1, min(NAME_WORDS, len(words) - start) + 1):
            last = start + size - 1
            found.add(" ".join((*words[start:last], plain[last])))
            found.add(" ".join(words[start : last + 1]))
    return {fold(one) for one in found if one.strip()}

"""What does the judge say of the few older statements near a new one? Asked before the write takes its lock.

Nearness in meaning only says where to look: an opposite is as near as a repetition. What the verdicts do is decided
under the lock, on the latest state (`near`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from treering.ingest.extract.contract import Heard
from treering.ingest.relate.standing import StandingFacts, said_in, turn_of
from treering.language.words import spelled
from treering.mind.contract import Passage
from treering.mind.judging import Judge, Judged, Pair, spoken
from treering.model.memory import Memory, View
from treering.model.source import Source
from treering.store.contract import MemoryFilter, Reader

log = logging.getLogger(__name__)
CANDIDATES = 10
"""So many of the nearest are fetched."""
GATE = 0.5
"""Below this cosine two statements are not judged. Of those above it the nearest is; where that says the same in the
same words, one more is, which may have been said in between."""
FACTS_GATE, FACTS_LOOKED_AT = 0.3, 3
"""And so for whether the facts of the older one still hold: what ends a fact is told in words of its own more often."""


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that is near a new statement in meaning, and what the judge says of the two."""

    memory_id: str
    cosine: float
    judged: Judged | None = None
    by: str = ""
    """Who judged."""
    over: Mapping[str, float] = field(default_factory=dict)
    """Of the facts that it states, by id: how sure the judge is that they hold no more."""


def judged(
    judge: Judge | None,
    reader: Reader,
    heard: Heard,
    said: Mapping[Passage, str],
    found: Mapping[Passage, Sequence[tuple[str, float]]],
) -> dict[Passage, list[Near]]:
    """`said`: the words of each new statement; `found`: the memories near it, with their cosines."""
    if judge is None:
        return {passage: [Near(*one) for one in some] for passage, some in found.items()}
    wanted = {one for some in found.values() for one, cosine in some if cosine >= FACTS_GATE}
    known = (
        {one.id: one for one in reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(wanted)))} if wanted else {}
    )
    sources = reader.sources({one.source_id for one in known.values()})
    before = spoken(heard.before[-1].speaker, heard.before[-1].text) if heard.before else ""
    pairs: dict[tuple[Passage, str], Pair] = {}
    doubted: list[tuple[Passage, str]] = []
    for passage, some in found.items():
        near = [(one, cosine) for one, cosine in some if one in known]
        newer = spoken(heard.first_person, said[passage])
        for one, cosine in near[:2]:
            older = words_of(known[one], sources.get(known[one].source_id))
            if cosine >= GATE:
                pairs[passage, one] = Pair(older, newer, before=before)
            if spelled(older) != spelled(newer):
                break
        doubted += [(passage, one) for one, cosine in near if cosine >= FACTS_GATE][:FACTS_LOOKED_AT]
    told = dict(zip(pairs, judge.judge(list(pairs.values())), strict=True))
    standing = StandingFacts.of(judge, reader, {one for _, one in doubted})
    over: dict[tuple[Passage, str], Mapping[str, float]] = {}
    for passage, one in doubted:
        newer = said_in(heard.first_person, heard.text, said[passage])
        over[passage, one] = standing.over(turn_of(sources.get(known[one].source_id), known[one]), newer, one)
    for (_, one), verdict in told.items():
        log.debug("judged by %s: the new one %s %s (%.4f)", judge.name, verdict.verdict.value, one, verdict.score)
    return {
        passage: [
            _near(one, cosine, told.get((passage, one)), judge.name, over.get((passage, one), {}))
            for one, cosine in some
        ]
        for passage, some in found.items()
    }


def _near(memory_id: str, cosine: float, told: Judged | None, by: str, over: Mapping[str, float]) -> Near:
    return Near(memory_id, cosine, told, told.by or by if told is not None else by, over)


def words_of(memory: Memory, source: Source | None) -> str:
    said = source.content[slice(*memory.span)].strip() if source is not None else ""
    return spoken(source.speaker if source is not None else None, said or memory.content)

"""Who is this, in a few sentences? What currently holds of a space or an entity, the most important and recent first.

Every sentence is a memory's own statement and cites it. What somebody said of themselves in the first person is quoted,
with who said it. No model is asked here, so the same knowledge gives the same profile; `smooth` may word it anew.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from treering.language.sentences import sentences
from treering.language.tokens import tokens_of
from treering.language.words import words
from treering.model import limits
from treering.model.memory import Kind, Memory, View
from treering.model.source import FROM_NOTE, Source, SourceKind
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader, Standing
from treering.store.naming import entity_of
from treering.values import dataclass

FADES_A_DAY = 0.005
SENTENCE_CHARS = 280
"""A statement longer than this is told by its first sentences."""
LOOKED_AT = 5 * limits.PROFILE_MEMORIES
"""Of the best so many, those are told that hold and fit: a large space is not looked through to its end."""
CITED_CHARS = 8
_HEADINGS = {Kind.SEMANTIC: "Facts", Kind.VIEWPOINT: "Preferences"}
_FIRST_PERSON = re.compile(r"\b(?:I|[Ii]'(?:m|ve|d|ll)|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Oo]urs?|us)\b")
_ENDED = re.compile(r"[.!?…:;][\"'”’)\]]*$")  # noqa: RUF001
_APOSTROPHE = "\u2019"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProfileSentence(Value):
    """A memory as the profile tells it."""

    text: str
    memory_id: str
    kind: Kind
    importance: float
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WrittenProfile(Value):
    """What holds, in sentences; `str` gives the text. Each sentence cites its memory by the end of its id."""

    space: str
    entity: str | None = None
    text: str
    sentences: tuple[ProfileSentence, ...] = ()
    citations: tuple[str, ...] = ()
    """The ids that the text cites, in the order in which it does."""
    tokens: int
    """About how many tokens the text takes: never more than the budget."""
    budget_tokens: int
    left_out: int = 0
    """Current facts and preferences that it does not tell: less important, over the budget, or partly over."""
    as_of: datetime
    worded_by: str | None = None
    """The language model that worded some of the sentences; none if they stand as they were said."""
    trouble: str | None = None
    """Why it worded none, or not all, where it was to."""

    def __str__(self) -> str:
        return self.text


def retold(profile: WrittenProfile, texts: Sequence[str]) -> WrittenProfile:
    """The same in other words, a text for each sentence."""
    told = tuple(replace(one, text=text) for one, text in zip(profile.sentences, texts, strict=True))
    text = _written(told, _cited(told))
    return replace(profile, sentences=told, text=text, tokens=tokens_of(text))


def profile(reader: Reader, space: str, entity: str | None, limit: int, budget_tokens: int) -> WrittenProfile:
    about = None if entity is None else entity_of(reader, entity, "entity")
    best, many = _best(reader, None if about is None else about.id)
    kept = _fitting(reader, list(_once(best)), limit, budget_tokens)
    shown = tuple(one for kind in _HEADINGS for one in kept if one.kind is kind)
    text = _written(shown, _cited(shown))
    return WrittenProfile(
        space=space,
        entity=None if about is None else about.name,
        text=text,
        sentences=shown,
        citations=tuple(one.memory_id for one in shown),
        tokens=tokens_of(text),
        budget_tokens=budget_tokens,
        left_out=many - len(shown),
        as_of=reader.moment.as_of,
    )


def _best(reader: Reader, entity_id: str | None) -> tuple[list[Memory], int]:
    """Those that come first, in order, and of how many. They are ranked without their words, and few are loaded."""
    mentioning = None if entity_id is None else reader.mentioning([entity_id])
    now = reader.moment.as_of
    standing = [
        _rank(one, now)
        for one in reader.standing()
        if one.kind in _HEADINGS and (mentioning is None or one.id in mentioning)
    ]
    ids = tuple(one[-1] for one in heapq.nsmallest(LOOKED_AT, standing))
    found = {one.id: one for one in reader.memories(MemoryFilter(view=View.CURRENT, ids=ids))} if ids else {}
    return [found[one] for one in ids], len(standing)


def _rank(memory: Standing, now: datetime) -> tuple[float, float, float, str]:
    """What matters and is recent comes first; of equals what was learned last."""
    days = max(0.0, (now - memory.said_at).total_seconds() / 86_400)
    worth = -memory.importance * math.exp(-FADES_A_DAY * days)
    return worth, -memory.said_at.timestamp(), -memory.recorded_at.timestamp(), memory.id


def _once(memories: Sequence[Memory]) -> Iterator[Memory]:
    """Of several that say the same in the same words, the first."""
    told: set[tuple[str, ...]] = set()
    for memory in memories:
        said = tuple(sorted(set(words(memory.content)))) or (memory.content,)
        if said not in told:
            told.add(said)
            yield memory


# what holds


def _fitting(reader: Reader, memories: Sequence[Memory], limit: int, budget: int) -> list[ProfileSentence]:
    """The best first, and of those that follow each that still fits and holds."""
    sources = reader.sources({one.source_id for one in memories})
    kept: list[ProfileSentence] = []
    for memory in memories:
        source = sources.get(memory.source_id)
        if source is None or _is_text(memory, source):
            continue
        both = [*kept, _sentence(memory, source)]
        if tokens_of(_written(both, _cited(both))) <= budget and _stands(reader, memory):
            kept = both
        if len(kept) == limit:
            break
    return kept


def _is_text(memory: Memory, source: Source) -> bool:
    """A stretch of a file or note is text, and not a statement about anybody."""
    return source.kind in (SourceKind.DOCUMENT, SourceKind.FILE) or FROM_NOTE in memory.meta


def _stands(reader: Reader, memory: Memory) -> bool:
    """A memory may stand while a fact that it states is over: it was closed by hand, or by what came before."""
    stated = reader.edges(EdgeFilter(evidence_id=memory.id, facts_only=True, include_closed=True))
    over = [edge for edge in stated if not edge.period.holds(reader.moment.as_of)]
    return not over or (len(over) < len(stated) and all(edge.closed_by is None for edge in over))


# how it is told


def _sentence(memory: Memory, source: Source) -> ProfileSentence:
    return ProfileSentence(
        text=_told(memory, source),
        memory_id=memory.id,
        kind=memory.kind,
        importance=memory.importance,
        said_at=memory.said_at,
    )


def _told(memory: Memory, source: Source) -> str:
    """The statement itself on one line; quoted if it speaks in the first person."""
    statement = _short(" ".join(memory.content.split()))
    if _FIRST_PERSON.search(statement.replace(_APOSTROPHE, "'")):
        said = f"“{statement}”"
        return f"{' '.join(source.speaker.split())}: {said}" if source.speaker else said
    return statement


def _short(statement: str) -> str:
    if len(statement) <= SENTENCE_CHARS:
        return statement if _ENDED.search(statement) else statement + "."
    ends = [end for _, end in sentences(statement) if end <= SENTENCE_CHARS]
    if ends:
        return statement[: ends[-1]]
    return statement[: SENTENCE_CHARS - 1].rsplit(" ", 1)[0] + "…"


def _cited(told: Sequence[ProfileSentence]) -> dict[str, str]:
    """The end of each id, as long as it takes to be the only one."""
    ids = {one.memory_id for one in told}
    size = CITED_CHARS
    while len({one[-size:] for one in ids}) < len(ids):
        size += 1
    return {one: one[-size:] for one in ids}


def _written(told: Sequence[ProfileSentence], cited: dict[str, str]) -> str:
    blocks = []
    for kind, heading in _HEADINGS.items():
        lines = [f"- {one.text} [{cited[one.memory_id]}]" for one in told if one.kind is kind]
        if lines:
            blocks.append("\n".join((f"{heading}:", *lines)))
    return "\n\n".join(blocks)

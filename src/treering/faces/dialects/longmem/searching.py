"""How do clients of LongMem search? What is true now, by meaning, by words or by both, and only what was filed as they
say.

How near in meaning is near enough is theirs to say: `min_score` is the least cosine for what nothing else speaks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.longmem.places import spaces_of
from treering.faces.dialects.longmem.told import WORDS, CollectionName, tags_of, told
from treering.faces.dialects.revisions import everything
from treering.language.words import words
from treering.model import limits
from treering.model.memory import Memory, View
from treering.operation import READS
from treering.recall.answer import Explanation, Hit
from treering.recall.fuse import WEIGHTS
from treering.values import dataclass

MOST_FOUND = 200
_SPARE = 10
"""So many for each that is asked for are looked at, since some of them may not be wanted."""


class SearchMemory(Arguments):
    query: str = Field(min_length=1, max_length=limits.QUERY_CHARS, description="What to look for.")
    collection: CollectionName | None = Field(None, description="Only this collection; all if left out.")
    limit: int = Field(5, ge=1, le=MOST_FOUND, description="Most results.")
    min_score: float = Field(0.3, ge=0, le=1, description="How near in meaning, unless it has the words.")
    mode: Literal["hybrid", "vector", "text"] = Field("hybrid", description="By meaning and words, or by one of them.")
    category: str | None = Field(None, description="Only of this category.")
    metadata_filter: dict[str, Any] | None = Field(None, description="Only with these values in the metadata.")
    container_tag: str | None = Field(None, description="Only with this container tag.")


@dataclass(frozen=True, slots=True)
class _Found:
    memory: Memory
    score: float


@tool(SearchMemory, READS, WORDS)
def search_memory(door: Door, asked: SearchMemory) -> Answer:
    """Search what is true now: outdated and expired memories are left out."""
    found = [one for space in spaces_of(door, asked.collection) for one in _in(door, space, asked)]
    best = sorted(found, key=lambda one: -one.score)[: asked.limit]
    return {"results": [{**told(one.memory), "score": round(one.score, 4)} for one in best], "count": len(best)}


def _in(door: Door, space: str, asked: SearchMemory) -> Iterable[_Found]:
    """By the tags that tell what it was filed under. Where these do not tell all and leave less than was asked for,
    every memory that has them is looked at; and what was filed before there were such tags may be among the others."""
    tags = tags_of(asked.category, asked.container_tag)
    found = _wanted(door, space, asked, tags)
    if len(found) >= asked.limit or not _narrows(asked):
        return found.values()
    if asked.metadata_filter or not tags:
        fitting = [one.id for one in everything(door, space, view=View.CURRENT, tags=tags) if _fits(one, asked)]
        found = _wanted(door.among(fitting), space, asked) if fitting else {}
    return {**(_wanted(door, space, asked) if tags else {}), **found}.values()


def _wanted(door: Door, space: str, asked: SearchMemory, tags: Sequence[str] = ()) -> dict[str, _Found]:
    """What recall finds and was asked for, by id."""
    most, words_asked = min(limits.HITS, asked.limit * _SPARE), frozenset(words(asked.query))
    answer = door.recall(
        asked.query, space=space, limit=most, view="current", tags=tags, include_source=False, explain=True
    )
    found = {}
    for hit in answer:
        near = _nearness(hit)
        if _fits(hit.memory, asked) and _speaks_for(hit, near, words_asked, asked):
            score = near if asked.mode == "vector" and near is not None else hit.score
            found[hit.memory.id] = _Found(hit.memory, score)
    return found


def _narrows(asked: SearchMemory) -> bool:
    return bool(asked.category is not None or asked.metadata_filter or asked.container_tag is not None)


def _fits(memory: Memory, asked: SearchMemory) -> bool:
    about = told(memory)
    wished = [("category", asked.category), ("container_tag", asked.container_tag)]
    return all(value in (None, about[name]) for name, value in wished) and all(
        name in about["metadata"] and about["metadata"][name] == value
        for name, value in (asked.metadata_filter or {}).items()
    )


def _speaks_for(hit: Hit, near: float | None, words_asked: frozenset[str], asked: SearchMemory) -> bool:
    """Whether the way of looking that was asked for speaks for it. In what is narrowed recall itself finds anything at
    all; elsewhere it is believed where nobody has read for meaning."""
    is_near = near is not None and near >= asked.min_score
    if asked.mode == "vector":
        return is_near
    has_words = not words_asked.isdisjoint(words(f"{hit.memory.title or ''} {hit.memory.content}"))
    if asked.mode == "text":
        return has_words
    by_other_ways = any(_explained(hit).signals[name].score > 0 for name in ("graph", "temporal"))
    return is_near or has_words or by_other_ways or (near is None and not _narrows(asked))


def _nearness(hit: Hit) -> float | None:
    """The cosine of the question and the memory, or its best sentence; none where nobody has read for meaning."""
    parts = _explained(hit).signals["semantic"].parts
    cosines = [parts[name] / getattr(WEIGHTS, name) for name in ("dense", "late") if name in parts]
    return max(0.0, *cosines) if cosines else None


def _explained(hit: Hit) -> Explanation:
    assert hit.explanation is not None, "it was asked for"
    return hit.explanation

"""CortexGraph's tools that search: short-term memories, and these together with the notes of a vault.

Tags narrow to what has one of them. By default words decide and no embedder is asked. What fades and has to do with
the question is shown among the last results, so that it is used before it is lost.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, Listed, tool
from treering.faces.dialects.cortexgraph.told import STATUSES, age_days, paged, preview, scores, seconds
from treering.model import limits
from treering.model.memory import Memory
from treering.operation import READS
from treering.recall.quote import NOTE, quoted
from treering.values import dataclass

Status = Literal["active", "promoted", "archived"]
MOST_WEIGHT = 2.0
_SHARE = 0.3
"""Of the results, where filters are applied after the search, so many may be there to be seen again."""
_SPARE = 10
_MOST_TAGS = 20


class SearchMemory(Arguments):
    query: str | None = Field(None, max_length=limits.QUERY_CHARS, description="What to look for; all if left out.")
    tags: Annotated[
        Listed | None, Field(max_length=_MOST_TAGS, description="Only memories with one of these tags.")
    ] = None
    top_k: int = Field(10, ge=1, le=limits.HITS, description="Most results.")
    window_days: int | None = Field(
        None, ge=1, le=limits.WINDOW_DAYS, description="Only what was used in the last so many days."
    )
    min_score: float | None = Field(None, ge=0, description="Leave out what has decayed below this score.")
    use_embeddings: bool = Field(False, description="Search by meaning too, and say how near each is.")
    status: Annotated[Listed | None, Field(description="active, promoted or archived; the first two if left out.")] = (
        None
    )
    include_review_candidates: bool = Field(True, description="Also show what fades and has to do with the query.")
    page: int | None = Field(None, ge=1, description="Which page, from 1; without pages if left out.")
    page_size: int | None = Field(None, ge=1, le=100, description="Results of a page; 10 if left out.")
    preview_length: int | None = Field(None, ge=0, le=5000, description="Characters of the content; all if left out.")


@dataclass(frozen=True, slots=True)
class _Found:
    memory: Memory
    near: float = 0.0
    again: bool = False
    """It is there to be seen again before it fades."""


@tool(SearchMemory, READS)
def search_memory(door: Door, asked: SearchMemory) -> Answer:
    """Search memories, with optional filters by tag, time and decay score."""
    found = _found(door, asked)
    worth = scores(door, [one.memory.id for one in found])
    since = None if asked.window_days is None else door.now() - timedelta(days=asked.window_days)
    states = set(asked.status or ("active", "promoted"))
    kept = [
        one
        for one in found
        if STATUSES.get(one.memory.state) in states
        and (since is None or one.memory.last_used >= since)
        and (asked.min_score is None or worth[one.memory.id].score >= asked.min_score)
    ]
    if not asked.query:
        kept.sort(key=lambda one: -worth[one.memory.id].score)
    results = [_told(one, worth[one.memory.id], asked) for one in _blended(kept, asked.top_k)]
    if asked.page is None and asked.page_size is None:
        return {"success": True, "count": len(results), "results": results}
    window, pagination = paged(len(results), asked.page or 1, asked.page_size or 10)
    return {"success": True, "count": len(results[window]), "results": results[window], "pagination": pagination}


def _told(one: _Found, worth: Any, asked: SearchMemory) -> dict[str, Any]:
    memory, most = one.memory, asked.preview_length
    return {
        "id": memory.id,
        "content": memory.content if most is None else preview(memory.content, most),
        "tags": list(memory.tags),
        "score": round(worth.score, 4),
        "similarity": round(one.near, 4) if asked.use_embeddings and asked.query else None,
        "use_count": memory.use_count,
        "last_used": seconds(memory.last_used),
        "age_days": age_days(memory, worth),
        "review_priority": round(worth.review_priority, 4) if one.again else None,
    }


def _blended(found: list[_Found], most: int) -> list[_Found]:
    """The best stay, in order; those to be seen again come last, and take no more than their share."""
    again = [one for one in found if one.again][: int(most * _SHARE)]
    best = [one for one in found if not one.again]
    return [*best[: most - len(again)], *again]


def _found(door: Door, asked: SearchMemory) -> list[_Found]:
    """With each of the tags, or without any; the nearest first, those to be seen again after all others."""
    by_id: dict[str, _Found] = {}
    for tags in [(one,) for one in asked.tags] if asked.tags else [()]:
        for one in _tagged(door, asked, tags):
            known = by_id.get(one.memory.id)
            if known is None or (known.again, -known.near) > (one.again, -one.near):
                by_id[one.memory.id] = one
    return sorted(by_id.values(), key=lambda one: (one.again, -one.near)) if asked.query else list(by_id.values())


def _tagged(door: Door, asked: SearchMemory, tags: tuple[str, ...]) -> list[_Found]:
    past = "archived" in (asked.status or ())
    if not asked.query:
        listed = door.list(tags=tags, limit=limits.PAGE, order="newest", view="all" if past else "current")
        return [_Found(memory) for memory in listed]
    filtered = asked.window_days is not None or asked.min_score is not None or asked.status is not None
    answer = (door if asked.use_embeddings else door.without_meaning()).recall(
        asked.query,
        tags=tags,
        limit=min(limits.HITS, asked.top_k * _SPARE) if filtered else asked.top_k,
        view="history" if past else "current",
        review=asked.include_review_candidates,
        include_source=False,
    )
    return [_Found(hit.memory, hit.score, hit.review) for hit in answer]


class SearchUnified(Arguments):
    query: str | None = Field(None, max_length=limits.QUERY_CHARS, description="What to look for; else the newest.")
    tags: Annotated[Listed | None, Field(max_length=_MOST_TAGS, description="Only what has one of these tags.")] = None
    limit: int = Field(10, ge=1, le=limits.HITS, description="Most results in all.")
    stm_weight: float = Field(1.0, ge=0, le=MOST_WEIGHT, description="What short-term memories count.")
    ltm_weight: float = Field(0.7, ge=0, le=MOST_WEIGHT, description="What notes of the vault count.")
    window_days: int | None = Field(
        None, ge=1, le=limits.WINDOW_DAYS, description="Only memories of the last so many days."
    )
    min_score: float | None = Field(None, ge=0, description="Leave out memories that have decayed below this score.")
    verbose: bool = Field(False, description="With ids and paths.")
    status: Annotated[Listed | None, Field(description="active or promoted memories; both if left out.")] = None
    page: int | None = Field(None, ge=1, description="Which page, from 1; without pages if left out.")
    page_size: int | None = Field(None, ge=1, le=100, description="Results of a page; 10 if left out.")
    preview_length: int | None = Field(None, ge=0, le=5000, description="Characters of a content; 200 in the text.")


@tool(SearchUnified, READS)
def search_unified(door: Door, asked: SearchUnified) -> Answer:
    """Search short-term memories and the notes of the vault together, in one ranking: a block of text, and the same as
    data."""
    most = asked.limit if asked.min_score is None else limits.HITS
    found: dict[tuple[str | None, str | None], Any] = {}
    for tags in [(one,) for one in asked.tags] if asked.tags else [()]:
        unified = door.search_unified(
            asked.query,
            tags=tags,
            limit=most,
            stm_weight=asked.stm_weight,
            ltm_weight=asked.ltm_weight,
            window_days=asked.window_days,
        )
        for one in unified.results:
            found.setdefault((one.id, one.path), one)
    ranked = sorted(found.values(), key=lambda one: -one.score)
    ids = [one.id for one in ranked if one.kind == "memory" and one.id]
    worth = scores(door, ids) if asked.min_score is not None else {}
    standing = {one: STATUSES.get(door.get(one).state) for one in ids} if asked.status is not None else {}
    kept = [
        one
        for one in ranked
        if (asked.min_score is None or one.id not in worth or worth[one.id].score >= asked.min_score)
        and (asked.status is None or one.kind == "note" or standing.get(one.id) in asked.status)
    ][: asked.limit]
    window, pagination = paged(len(kept), asked.page or 1, asked.page_size or 10)
    in_pages = asked.page is not None or asked.page_size is not None
    kept = kept[window] if in_pages else kept
    shown = 200 if asked.preview_length is None else asked.preview_length
    lines = [f"Found {len(kept)} results:", NOTE] if kept else ["No results found."]
    for place, one in enumerate(kept, 1):
        kind = "STM" if one.kind == "memory" else "LTM"
        title = quoted(one.title or preview(one.content, 60))
        lines += [
            "",
            f"{place}. [{kind}] {title} (score: {one.score:.3f})",
            f"   {quoted(preview(one.content, shown))}",
        ]
        lines += [f"   tags: {', '.join(map(quoted, one.tags))}"] if one.tags else []
        if asked.verbose:
            lines += [f"   id: {one.id}"] if one.id else []
            lines += [f"   path: {quoted(one.path)}"] if one.path else []
    return {
        "result": "\n".join(lines),
        "success": True,
        "count": len(kept),
        "results": [
            {
                "content": one.content if asked.preview_length is None else preview(one.content, shown),
                "title": one.title or preview(one.content, 60),
                "source": "stm" if one.kind == "memory" else "ltm",
                "score": round(one.score, 4),
                "path": one.path,
                "memory_id": one.id,
                "tags": list(one.tags),
                "created_at": None if one.at is None else seconds(one.at),
                "last_used": None if one.at is None else seconds(one.at),
            }
            for one in kept
        ],
        **({"pagination": pagination} if in_pages else {}),
    }

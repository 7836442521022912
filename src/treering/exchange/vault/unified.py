"""HOW are memories and notes ranked beside one another? Each by its own score times the weight of its kind; what stands
in both is shown once, as the memory, with the path of its note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from treering.exchange.vault.place import Unread
from treering.exchange.vault.search import NoteHit, without_headings
from treering.language.words import words
from treering.model.value import Value
from treering.values import dataclass

SHOWN_CHARS = 200
SAME_CHARS = 240


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnifiedHit(Value):
    """A memory or a note; `kind` says which. A memory has an id, a note a path, and a promoted memory both."""

    kind: Literal["memory", "note"]
    content: str
    score: float
    """Its own score times the weight of its kind."""
    title: str | None = None
    heading: str | None = None
    tags: tuple[str, ...] = ()
    id: str | None = None
    path: str | None = None
    at: datetime | None = None
    """When a memory was said, or a note last written."""
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Unified(Value):
    """Memories and notes in one order; `str` gives the block of text."""

    query: str | None
    results: tuple[UnifiedHit, ...]
    text: str
    vault: str | None = None
    notes: int = 0
    """How many notes were searched."""
    unread: tuple[Unread, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def count(self) -> int:
        return len(self.results)


def of_note(hit: NoteHit) -> UnifiedHit:
    return UnifiedHit(
        kind="note",
        content=hit.content,
        score=hit.score,
        title=hit.title,
        heading=hit.heading or None,
        tags=hit.tags,
        id=hit.memory_id,
        path=hit.path,
        at=datetime.fromtimestamp(hit.mtime_ns / 1e9, UTC),
    )


def unified(
    memories: Iterable[UnifiedHit], notes: Iterable[UnifiedHit], weights: tuple[float, float], limit: int
) -> tuple[UnifiedHit, ...]:
    """The best of both, each once. Where the two are equal the memory stands first."""
    of_memories, of_notes = weights
    weighed = [replace(one, score=round(one.score * of_memories, 4)) for one in memories]
    weighed += [replace(one, score=round(one.score * of_notes, 4)) for one in notes]
    ranked = sorted(weighed, key=lambda one: (-one.score, one.kind, one.path or "", one.id or ""))
    kept: list[UnifiedHit] = []
    places: dict[str, int] = {}
    for one in ranked:
        keys = [key for key in (one.id, _said(one.content)) if key]
        place = next((places[key] for key in keys if key in places), len(kept))
        if place < len(kept):
            kept[place] = _both(kept[place], one)
        else:
            kept.append(one)
        places |= dict.fromkeys(keys, place)
    return tuple(kept[:limit])


def _said(content: str) -> str:
    """The same for a note and a memory that was made of it."""
    return " ".join(words(without_headings(content)[:SAME_CHARS]))


def _both(first: UnifiedHit, other: UnifiedHit) -> UnifiedHit:
    """At the place of the better, told as the memory."""
    memory = first if first.kind == "memory" else other
    return replace(memory, score=first.score, path=first.path or other.path, id=first.id or other.id)


def written(query: str | None, results: Sequence[UnifiedHit], verbose: bool) -> str:
    """One numbered line a result; `verbose` adds a second with ids, paths and tags."""
    many = f"{len(results)} result" + ("" if len(results) == 1 else "s")
    lines = [f"{many} for: {' '.join(query.split())}" if query else many]
    for number, one in enumerate(results, 1):
        lines.append(f"{number}. [{one.kind} {one.score:.2f}] {_line(one)}")
        if verbose:
            about = [
                f"id: {one.id}" if one.id else "",
                f"path: {one.path}" if one.path else "",
                f"tags: {', '.join(one.tags)}" if one.tags else "",
                f"at: {one.at:%Y-%m-%d}" if one.at else "",
            ]
            lines.append("   " + " · ".join(part for part in about if part))
    return "\n".join(lines)


def _line(one: UnifiedHit) -> str:
    text = " ".join(one.content.split())
    short = text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"
    if one.kind == "memory":
        return short
    where = f"{one.title} > {one.heading}" if one.heading and one.heading != one.title else one.title or ""
    return f"{where}: {short}" if short else where

"""What does one memory in the place of several say? Every statement of theirs, once, in the order in which they were
said; their tags together; and what else a memory has, so that none of it is lost by putting them together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from treering.errors import LimitExceeded
from treering.language.sentences import sentences
from treering.model import limits
from treering.model.memory import Kind, Memory, Tier

_ENDS = re.compile(r"[.!?…。｡！？؟۔।:;,)\]}\"'”’»*_`]$")  # noqa: RUF001
_KINDS = (Kind.VIEWPOINT, Kind.SEMANTIC, Kind.EPISODE)
_TIERS = (Tier.SHORT, Tier.MID, Tier.LONG)

T = TypeVar("T")


def one_text(texts: Sequence[str]) -> str:
    """Every sentence of these, once: one that was there before but for case, blanks and its full stop is left out.
    What stands on lines of its own stays so."""
    seen: set[str] = set()
    kept = [left for text in texts if (left := _left(text, seen))]
    on_lines = any("\n" in one for one in kept)
    whole = "\n\n".join(kept) if on_lines else " ".join([*map(_ended, kept[:-1]), *kept[-1:]])
    if len(whole) > limits.CONTENT_CHARS:
        raise LimitExceeded(
            f"consolidate: together they say {len(whole):,} characters; a memory holds {limits.CONTENT_CHARS:,}. "
            "Keep them apart, or link them"
        )
    return whole


def _left(text: str, seen: set[str]) -> str:
    """The text without the sentences that were seen; the others as they stand, with what lies between them."""
    kept, last, dropped = "", 0, False
    for begin, end in sentences(text):
        key = _key(text[begin:end])
        between = text[last:begin] if kept else ""
        if key in seen:
            dropped = True
        else:
            kept += (" " if dropped and "\n" not in between else between) + text[begin:end] if kept else text[begin:end]
            dropped = False
        seen.add(key)
        last = end
    return kept


def _key(sentence: str) -> str:
    """A question is not the statement of the same words, nor C++ C: only the full stop is no part of it."""
    return " ".join(sentence.casefold().split()).rstrip(".!…。 ")


def _ended(text: str) -> str:
    return text if _ENDS.search(text) else text + "."


def united_tags(memories: Iterable[Memory]) -> tuple[str, ...]:
    """All of them; if they are more than a memory has, those of most members."""
    counts = Counter(tag for one in memories for tag in one.tags)
    if len(counts) <= limits.TAGS:
        return tuple(counts)
    return tuple(tag for tag, _ in counts.most_common(limits.TAGS))


def what_they_have(memories: Sequence[Memory]) -> dict[str, Any]:
    """The other fields: the earliest times, the highest worth, the least certainty; what all agree on."""
    events = [one.event_time for one in memories if one.event_time is not None]
    ends = [one.event_end or one.event_time for one in memories if one.event_time is not None]
    expiries = [one.expires_at for one in memories]
    last = max(ends, default=None)
    first = min(events, default=None)
    return {
        "kind": _commonest_kind(memories),
        "tags": united_tags(memories),
        "title": _agreed(memories, lambda one: one.title),
        "context": _agreed(memories, lambda one: one.context),
        "importance": max(one.importance for one in memories),
        "confidence": min(one.confidence for one in memories),
        "tier": max((one.tier for one in memories), key=_TIERS.index),
        "event_time": first,
        "event_end": last if last is not None and last != first else None,
        "expires_at": None if None in expiries else max(one for one in expiries if one is not None),
    }


def strength(memories: Iterable[Memory], cohesion: float) -> float:
    """That of the strongest, and more the more there are and the closer they lie."""
    every = [one.strength for one in memories]
    return round(min(limits.STRENGTH, max(every) + min(0.5, 0.1 * cohesion * len(every))), 6)


def _commonest_kind(memories: Sequence[Memory]) -> Kind:
    counts = Counter(one.kind for one in memories)
    return max(_KINDS, key=lambda kind: (counts[kind], -_KINDS.index(kind)))


def _agreed(memories: Sequence[Memory], field: Callable[[Memory], T | None]) -> T | None:
    """What those that have it agree on."""
    said = {value for one in memories if (value := field(one)) is not None}
    return said.pop() if len(said) == 1 else None

"""How do the model's outputs become pieces of a message? Cuts, tags and means of states, laid over the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treering.mind.reading import FactMood, Piece, ReadMessage, ReadName, Span

MOODS = tuple(FactMood)
KINDS = ("semantic", "episode", "viewpoint")
TAGS = ("v", "old", "s", "when")
NAME_KINDS = ("person", "organization", "place", "product", "technology", "event", "work", "other")
CUT = 0.5
_BEFORE, _BEHIND = "\"'(`,;:!?[\u201c\u2018", "\"')`,;:!?]\u201d\u2019"
"""What may stand beside a word without being part of it."""
SHORTEST = 2
"""A piece has so many words or stands with its neighbour."""


def message(text: str, at: Sequence[Span], told: dict[str, Any], heads: dict[str, Any]) -> ReadMessage:
    """`at`: the characters of each word piece of the text; `told`: the model's outputs for them, by name."""
    if not at:
        return ReadMessage(())
    bounds = _bounds(text, at, told["cut"])
    pieces = []
    for first, last in bounds:
        mean = told["states"][first:last].mean(0)
        says = {
            name: _softmax(heads[f"{name}.weight"] @ mean + heads[f"{name}.bias"])
            for name in ("mood", "relation", "kind", "lasts", "worth")
        }
        importance = float((heads["importance.weight"] @ mean + heads["importance.bias"])[0])
        mood, relation = int(says["mood"].argmax()), int(says["relation"].argmax())
        pieces.append(
            Piece(
                span=_trimmed(text, at[first][0], at[last - 1][1]),
                worth=_rounded(says["worth"][1]),
                mood=MOODS[mood],
                mood_score=_rounded(says["mood"][mood]),
                relation=str(heads["relations"][relation]),  # as they were named when it was trained
                relation_score=_rounded(says["relation"][relation]),
                kind=KINDS[int(says["kind"].argmax())],
                lasts=_rounded(says["lasts"][1]),
                importance=min(0.9, max(0.3, _rounded(importance))),
                parts=_parts(text, at, told["tag"], first, last),
                kinds={kind: _rounded(score) for kind, score in zip(KINDS, says["kind"], strict=True)},
            )
        )
    return ReadMessage(tuple(pieces), tuple(_names(text, at, told["name"])))


def part_of(heads: dict[str, Any], opening: Any, mean: Any) -> Any:
    """What a statement of a list is for the question that opens it."""
    inner = heads["part.inner.weight"] @ np.concatenate([opening, mean]) + heads["part.inner.bias"]
    return _softmax(heads["part.outer.weight"] @ bent(inner) + heads["part.outer.bias"])


def _bounds(text: str, at: Sequence[Span], cut: Any) -> list[tuple[int, int]]:
    """Cuts are made where there is a blank, never inside a path, a number or a name."""
    starts = [0]
    for place in range(1, len(at)):
        if cut[place][1] >= CUT and text[at[place - 1][1] : at[place][0]].isspace():
            starts.append(place)
    kept = [0]
    for start in starts[1:]:
        if len(text[at[kept[-1]][0] : at[start][0]].split()) >= SHORTEST:
            kept.append(start)
    ends = [*kept[1:], len(at)]
    return list(zip(kept, ends, strict=True))


def _trimmed(text: str, start: int, end: int) -> Span:
    while end < len(text) and text[end] in ".!?\"')]}…`":
        end += 1
    while (
        start > 0
        and text[start - 1] in "\"'([{`#@$€£~./-"
        and (start < 2 or text[start - 2].isspace() or text[start - 1] in "`(\"'")
    ):
        start -= 1
    return start, end


def _parts(text: str, at: Sequence[Span], tags: Any, first: int, last: int) -> dict[str, Span]:
    """The surest stretch of each."""
    found: dict[str, tuple[float, Span]] = {}
    for number, name in enumerate(TAGS):
        begin, inside = 1 + 2 * number, 2 + 2 * number
        place = first
        while place < last:
            row = tags[place]
            if int(row.argmax()) in (begin, inside):
                end, score = place + 1, float(row[begin] + row[inside])
                while end < last and int(tags[end].argmax()) == inside:
                    end += 1
                span = whole_words(text, at[place][0], at[end - 1][1])
                if name not in found or score > found[name][0]:
                    found[name] = score, span
                place = end
            else:
                place += 1
    return {name: span for name, (_, span) in found.items()}


def bent(inner: Any) -> Any:
    """GELU, by tanh."""
    return 0.5 * inner * (1 + np.tanh(0.7978845608 * (inner + 0.044715 * inner**3)))


def whole_words(text: str, start: int, end: int) -> Span:
    """A stretch is never a part of a word: `checkout-api`, "v2.3", a path."""
    while start > 0 and not text[start - 1].isspace() and text[start - 1] not in _BEFORE:
        start -= 1
    while end < len(text) and not text[end].isspace() and text[end] not in _BEHIND and not _ends_there(text, end):
        end += 1
    return start, end


def _ends_there(text: str, place: int) -> bool:
    return text[place] == "." and (place + 1 == len(text) or text[place + 1].isspace())


def _names(text: str, at: Sequence[Span], tags: Any) -> list[ReadName]:
    found: list[ReadName] = []
    place = 0
    while place < len(at):
        label = int(tags[place].argmax())
        if label == 0:
            place += 1
            continue
        kind, end = (label - 1) // 2, place + 1
        while end < len(at) and int(tags[end].argmax()) == 2 + 2 * kind:
            end += 1
        found.append(ReadName(whole_words(text, at[place][0], at[end - 1][1]), NAME_KINDS[kind]))
        place = end
    return found


def _softmax(row: Any) -> Any:
    out = np.exp(row - row.max())
    return out / out.sum()


def _rounded(score: float) -> float:
    return round(float(score), 3)

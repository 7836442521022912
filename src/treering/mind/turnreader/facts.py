"""How do the model's states become facts? Values in a turn, and for each its relation, its mood and its subject.

The states come from within the reading model; layers of their own go on from there (`facts_int8.onnx`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treering.mind.reading import FoundFact, Place, Span
from treering.mind.turnreader.pieces import MOODS, bent, whole_words

BEGINS, GOES_ON = 1, 2
OTHER = "OTHER"
"""What is none of the relations that are told apart. The likeliest of these stands for it: its score says how far."""
LONGEST_SUBJECT = 8
"""Word pieces of a subject's name."""


def facts_in(text: str, rows: Sequence[tuple[Place, Span]], states: Any, heads: dict[str, Any]) -> list[FoundFact]:
    """`rows`: where each state stands: in the turn, before it, or in the name of the speaker."""
    own = [place for place, (where, _) in enumerate(rows) if where is Place.TURN]
    if not own:
        return []
    tags = _softmax(states @ heads["tag.weight"].T + heads["tag.bias"])
    keys = {name: states @ heads[f"{name}_key.weight"].T + heads[f"{name}_key.bias"] for name in ("first", "last")}
    found = []
    for start, end in _values(tags, own):
        score = float(np.sqrt(tags[start, BEGINS] + tags[start, GOES_ON]) * np.sqrt(1 - tags[start : end + 1, 0].max()))
        value = np.concatenate([states[start : end + 1].mean(0), states[0]])
        moods = _softmax(heads["mood.weight"] @ value + heads["mood.bias"])
        inner = bent(heads["relation.inner.weight"] @ value + heads["relation.inner.bias"])
        told = _softmax(heads["relation.outer.weight"] @ inner + heads["relation.outer.bias"])
        relations = np.bincount(heads["fold"], told)  # several names of one relation
        where, span, sure = _subject(value, rows, keys, heads)
        best = int(np.where(heads["relations"] == OTHER, 0.0, relations).argmax())
        found.append(
            FoundFact(
                value=whole_words(text, rows[start][1][0], rows[end][1][1]),
                value_score=_rounded(score),
                relation=str(heads["relations"][best]),
                relation_score=_rounded(relations[best]),
                mood=MOODS[int(moods.argmax())],
                mood_score=_rounded(moods.max()),
                place=where,
                subject=span,
                subject_score=_rounded(sure),
            )
        )
    return found


def _values(tags: Any, own: Sequence[int]) -> list[tuple[int, int]]:
    labels, found, place = tags.argmax(-1), [], 0
    while place < len(own):
        if labels[own[place]] == 0:
            place += 1
            continue
        end = place + 1
        while end < len(own) and labels[own[end]] == GOES_ON:
            end += 1
        found.append((own[place], own[end - 1]))
        place = end
    return found


def _subject(
    value: Any, rows: Sequence[tuple[Place, Span]], keys: dict[str, Any], heads: dict[str, Any]
) -> tuple[Place, Span, float]:
    """Where it begins and ends, by the surest pair of places that stand near one another; the opening means nowhere."""
    queries = {name: heads[f"{name}_query.weight"] @ value + heads[f"{name}_query.bias"] for name in keys}
    first, last = (_softmax(keys[name] @ queries[name] / np.sqrt(len(queries[name]))) for name in ("first", "last"))
    best, sure = (0, 0), float(first[0] * last[0])
    for start in np.argsort(-first)[:4]:
        for end in range(start, min(start + LONGEST_SUBJECT, len(rows))):
            if rows[end][0] is rows[start][0] and first[start] * last[end] > sure:
                best, sure = (int(start), end), float(first[start] * last[end])
    start, end = best
    return rows[start][0], (rows[start][1][0], rows[end][1][1]), float(np.sqrt(sure))


def _softmax(row: Any) -> Any:
    out = np.exp(row - row.max(-1, keepdims=True))
    return out / out.sum(-1, keepdims=True)


def _rounded(score: float) -> float:
    return round(float(score), 3)

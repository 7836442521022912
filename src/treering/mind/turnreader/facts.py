"""How do the model's states become facts? Values in a turn, and for each its relation, its mood and its subject.

The states come from within the reading model; layers of their own go on from there (`facts_int8.onnx`). Every stretch
of a few words is weighed as a value, by its first and last word, what lies between them and how long it is; of those
that lie over one another the likeliest stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treering.mind.reading import FoundFact, Place, Span
from treering.mind.turnreader.pieces import MOODS, bent
from treering.mind.turnreader.units import words

OTHER = "OTHER"
"""What is none of the relations that are told apart. The likeliest of these stands for it: its score says how far."""
LONGEST_SUBJECT = 8
"""Word pieces of a subject's name."""
WIDEST = 9
"""Words of a value."""
LEAST = 0.2
"""What is less likely to be a value is none."""
Stretch = tuple[int, int]
"""The first and the last row of a word, or of a value."""


def facts_in(text: str, rows: Sequence[tuple[Place, Span]], states: Any, heads: dict[str, Any]) -> list[FoundFact]:
    """`rows`: where each state stands: in the turn, before it, or in the name of the speaker."""
    own = [(place, span) for place, (where, span) in enumerate(rows) if where is Place.TURN]
    spans, stand = words_in(text, own)
    if not spans:
        return []
    keys = {name: states @ heads[f"{name}_key.weight"].T + heads[f"{name}_key.bias"] for name in ("first", "last")}
    found = []
    for first, last, score in _values(stand, states, heads):
        start, end = stand[first][0], stand[last][1]
        value = np.concatenate([states[start : end + 1].mean(0), states[0]])
        moods = _softmax(heads["mood.weight"] @ value + heads["mood.bias"])
        near = {name: _near(value, keys[name], name, heads) for name in keys}
        inner = bent(
            heads["relation.inner.weight"] @ np.concatenate([value, near["first"] @ states])
            + heads["relation.inner.bias"]
        )
        told = _softmax(heads["relation.outer.weight"] @ inner + heads["relation.outer.bias"])
        relations = np.bincount(heads["fold"], told)  # several names of one relation
        where, span, sure = _subject(rows, near["first"], near["last"])
        best = int(np.where(heads["relations"] == OTHER, 0.0, relations).argmax())
        found.append(
            FoundFact(
                value=(spans[first][0], spans[last][1]),
                value_score=score,
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


def words_in(text: str, own: Sequence[tuple[int, Span]]) -> tuple[list[Span], list[Stretch]]:
    """The words of these rows, and in which rows each stands."""
    spans: list[Span] = []
    stand: list[Stretch] = []
    at = 0
    for start, end in words(text):
        while at < len(own) and own[at][1][1] <= start:
            at += 1
        last = at
        while last < len(own) and own[last][1][0] < end:
            last += 1
        if last > at:
            spans.append((start, end))
            stand.append((own[at][0], own[last - 1][0]))
    return spans, stand


def _values(stand: Sequence[Stretch], states: Any, heads: dict[str, Any]) -> list[tuple[int, int, float]]:
    """The first and last word of each value, and how likely it is one."""
    count = len(stand)
    first = np.repeat(np.arange(count), WIDEST)
    last = first + np.tile(np.arange(WIDEST), count)
    first, last = first[last < count], last[last < count]
    begin, end = (np.array(column) for column in zip(*stand, strict=True))
    summed = np.concatenate([np.zeros_like(states[:1]), states.cumsum(0)])
    between = (summed[end[last] + 1] - summed[begin[first]]) / (end[last] + 1 - begin[first])[:, None]
    inner = (
        (states[begin] @ heads["value.first.weight"].T)[first]
        + (states[end] @ heads["value.last.weight"].T)[last]
        + between @ heads["value.between.weight"].T
        + heads["value.words.weight"][last - first]
    )
    likely = 1 / (1 + np.exp(-(bent(inner) @ heads["value.outer.weight"][0] + heads["value.outer.bias"][0])))
    scores, kept = [_rounded(one) for one in likely], list[tuple[int, int, float]]()
    for place in sorted(range(len(scores)), key=lambda one: (-scores[one], one)):
        if scores[place] < LEAST:
            break
        a, b = int(first[place]), int(last[place])
        if all(b < start or a > stop for start, stop, _ in kept):
            kept.append((a, b, scores[place]))
    return sorted(kept)


def _near(value: Any, keys: Any, name: str, heads: dict[str, Any]) -> Any:
    """How likely the subject's name begins, or ends, with each row."""
    query = heads[f"{name}_query.weight"] @ value + heads[f"{name}_query.bias"]
    return _softmax(keys @ query / np.sqrt(len(query)))


def _subject(rows: Sequence[tuple[Place, Span]], first: Any, last: Any) -> tuple[Place, Span, float]:
    """Where it begins and ends, by the surest pair of places that stand near one another; the opening means nowhere."""
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

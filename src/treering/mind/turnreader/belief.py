"""How far do the words bear out a claim? A head over the states of its value, of its subject and of the whole.

The states are those that facts are read from (`facts`). Several heads, trained alike from different starts, are asked
and their mean is taken: each was trained on a few thousand verdicts only, and errs in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from treering.mind.reading import AssertedFact, Place, Span
from treering.mind.turnreader.pieces import bent

Rows = Sequence[tuple[Place, Span]]


def parts_of(claim: AssertedFact, text: str, before: str, speaker: str, rows: Rows, states: Any) -> Any:
    """The states of its value, of its subject and of the opening; None where the value does not stand in these rows."""
    value = _among(rows, Place.TURN, _span(text, claim.value))
    if not value:
        return None
    return np.stack([states[value].mean(0), states[_subject(claim, text, before, speaker, rows)].mean(0), states[0]])


def belief(relation: str, parts: Any, heads: dict[str, Any]) -> float:
    """As log odds. A relation that was hardly ever judged stands for none."""
    known = np.flatnonzero(heads["relations"] == relation)
    said = heads["relation"][:, known[0]] if len(known) else np.zeros_like(heads["relation"][:, 0])
    value, subject, opening = np.einsum("pd,npwd->pnw", parts, heads["parts.weight"]) + heads["parts.bias"]
    given = np.concatenate([value, subject, opening, value * said, subject * said], 1)
    inner = bent(np.einsum("nd,nwd->nw", given, heads["inner.weight"]) + heads["inner.bias"])
    return float(((inner * heads["outer.weight"]).sum(1) + heads["outer.bias"]).mean())


def _subject(claim: AssertedFact, text: str, before: str, speaker: str, rows: Rows) -> list[int]:
    """The speaker's name, or where else it stands; the opening for one that stands nowhere."""
    if claim.subject == speaker:
        return [place for place, (where, _) in enumerate(rows) if where is Place.SPEAKER]
    last = before.rfind(claim.subject)
    stands = (
        _among(rows, Place.TURN, _span(text, claim.subject)),
        _among(rows, Place.BEFORE, (last, last + len(claim.subject)) if last >= 0 else None),
    )
    return next((one for one in stands if one), [0])


def _span(text: str, words: str) -> Span | None:
    start = text.find(words)
    return (start, start + len(words)) if start >= 0 else None


def _among(rows: Iterable[tuple[Place, Span]], place: Place, span: Span | None) -> list[int]:
    if span is None:
        return []
    return [row for row, (where, at) in enumerate(rows) if where is place and at[0] < span[1] and at[1] > span[0]]

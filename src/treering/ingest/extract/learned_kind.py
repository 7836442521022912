"""Is a statement an episode, a lasting fact or a viewpoint? What rules say and what a model sees, weighed together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from treering.ingest.extract.contract import Extracted, Heard
from treering.mind.reading import Piece
from treering.model.memory import Kind

KINDS = (Kind.SEMANTIC, Kind.EPISODE, Kind.VIEWPOINT)
BASE = (0.14, 0.71, -0.85)
BY_MODEL = {
    Kind.SEMANTIC: (0.25, -0.01, -0.24), Kind.EPISODE: (-0.08, 0.30, -0.22), Kind.VIEWPOINT: (-0.18, -0.16, 0.34),
}  # fmt: skip
BY_RULES = {
    Kind.SEMANTIC: (0.59, -0.48, -0.11), Kind.EPISODE: (-0.22, 0.90, -0.68), Kind.VIEWPOINT: (-0.36, -0.43, 0.79),
}  # fmt: skip
DATED = (-0.26, 0.65, -0.39)
"""What speaks for each of the three kinds, in their order: the logarithm of the model's score of a kind, what rules
say, and whether a time is told. Fitted on sets of which the figures are no longer asked."""
LEAST = 0.001


def with_kinds(heard: Heard, pieces: Sequence[Piece], statements: Sequence[Extracted]) -> Iterator[Extracted]:
    """Rules know best what is a change and the state it leads to, and what is only asked."""
    spans = [one.span for one in statements]
    asked = f"{heard.first_person} asked: "
    for one in statements:
        scores = _seen(one, pieces)
        if scores is None or spans.count(one.span) > 1 or one.content.startswith(asked):
            yield one
        else:
            yield replace(one, kind=_likeliest(one, scores))


def _seen(statement: Extracted, pieces: Sequence[Piece]) -> dict[Kind, float] | None:
    """The model's scores, of each piece by how much of the statement it makes up; None where it saw nothing of it."""
    start, end = statement.span
    found, all_of_it = dict.fromkeys(KINDS, 0.0), 0
    for piece in pieces:
        inside = min(end, piece.span[1]) - max(start, piece.span[0])
        if inside > 0 and piece.kinds:
            all_of_it += inside
            for kind in KINDS:
                found[kind] += inside * piece.kinds[kind]
    return {kind: score / all_of_it for kind, score in found.items()} if all_of_it else None


def _likeliest(statement: Extracted, scores: dict[Kind, float]) -> Kind:
    dated = statement.event_time is not None
    total = [
        BASE[place]
        + sum(BY_MODEL[kind][place] * log(score + LEAST) for kind, score in scores.items())
        + BY_RULES[statement.kind][place]
        + dated * DATED[place]
        for place in range(len(KINDS))
    ]
    return KINDS[total.index(max(total))]

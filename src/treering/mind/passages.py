"""How does a sentence get a vector that knows what stands around it? The passage is read as a whole, and the states of
the sentence's word pieces, with those of the lead, are averaged ("late chunking"): the same pass gives the vector of
the whole.

A passage longer than one pass reaches is read on in stretches, each with the lead before it. All places here are
counted in word pieces of `lead + text`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from treering.language.sentences import sentences
from treering.mind.contract import PARTS
from treering.mind.transformer import REACH
from treering.one_core import one_core

if TYPE_CHECKING:
    from treering.mind.contract import Passage, Vectors
    from treering.mind.transformer import Transformer, WordPieces

LEAST_PIECES = 4  # a sentence shorter than this says nothing alone
STRETCH_PIECES = 160  # about 120 words
MOST_STRETCHES = 8
LEAD_PIECES = REACH - STRETCH_PIECES  # of a longer lead, what fits before a stretch


@dataclass(frozen=True, slots=True)
class PieceRange:
    """Word pieces `start` to `end` as one pass read them: the states of the lead, then theirs."""

    start: int
    end: int
    states: Vectors


def read_passages(model: Transformer, passages: list[Passage]) -> list[Vectors]:
    """The arrays of `Embedder.embed_passages`, with rows of any length. The passages are read together."""
    coded = [model.pieces(passage.lead + passage.text) for passage in passages]
    firsts = model.look([pieces.ids[:REACH] for pieces in coded])
    return [_rows(model, *each) for each in zip(passages, coded, firsts, strict=True)]


def _rows(model: Transformer, passage: Passage, pieces: WordPieces, first: tuple[Vectors, Vectors]) -> Vectors:
    lead = bisect_left(pieces.starts, len(passage.lead))
    bounds = _bounds(passage, pieces, lead)
    whole, states = first
    if len(bounds) == 2:
        return whole[np.newaxis]
    heard = pieces.ids[: min(lead, LEAD_PIECES)]
    reached = max(bound for bound in bounds if bound <= max(lead, REACH))
    own = states[:reached] if lead == len(heard) else np.concatenate([states[: len(heard)], states[lead:reached]])
    stretches = [PieceRange(lead, reached, own)]
    for start, end in _further(bounds[bounds.index(reached) :]):
        ((_, states),) = model.look([heard + pieces.ids[start:end]])
        stretches.append(PieceRange(start, end, states))
    bounds = [bound for bound in bounds if bound <= stretches[-1].end]
    return _means(whole, _grouped(bounds), stretches, len(heard))


def _bounds(passage: Passage, pieces: WordPieces, lead: int) -> list[int]:
    """Where the first sentence begins, and where each ends. Very short ones are joined with the next, or the last with
    the one before; one that a pass cannot reach is cut to the measure of a stretch."""
    starts = [start + len(passage.lead) for start, _ in sentences(passage.text)]
    ends = [*(bisect_left(pieces.starts, start) for start in starts[1:]), len(pieces.ids)]
    bounds = [lead]
    for end in ends:
        if end - bounds[-1] >= LEAST_PIECES:
            bounds.append(end)
    if len(bounds) == 1:
        return [lead, ends[-1]]
    bounds[-1] = ends[-1]
    return bounds if bounds[-1] <= REACH else [lead, *(cut for pair in pairwise(bounds) for cut in _cuts(*pair))]


def _cuts(start: int, end: int) -> list[int]:
    """The ends of the even pieces of a sentence: itself, if the first pass reads it or a stretch holds it."""
    count = 1 if end <= REACH else -(-(end - start) // STRETCH_PIECES)
    return [start + (end - start) * number // count for number in range(1, count + 1)]


def _further(bounds: list[int]) -> list[tuple[int, int]]:
    """Sentences packed into stretches; none is longer than one."""
    stretches: list[tuple[int, int]] = []
    place = 0
    while place < len(bounds) - 1 and len(stretches) < MOST_STRETCHES:
        last = bisect_right(bounds, bounds[place] + STRETCH_PIECES) - 1
        stretches.append((bounds[place], bounds[last]))
        place = last
    return stretches


def _means(whole: Vectors, bounds: list[int], stretches: list[PieceRange], lead: int) -> Vectors:
    """The whole, and a row for each sentence or group of them, with the lead as it was read where the sentence begins.

    Sums stand for means: they have the same direction, and whoever asked brings every row to length 1. One product
    with ones and zeros makes all of them: a few calls of numpy for each sentence would be felt beside a short pass.
    """
    states = stretches[0].states if len(stretches) == 1 else np.concatenate([each.states for each in stretches])
    taken = np.zeros((len(bounds) - 1, len(states)), np.float32)
    before = 0
    for stretch in stretches:
        shift = before + lead - stretch.start
        for row, (start, end) in enumerate(pairwise(bounds)):
            if start < stretch.end and end > stretch.start:
                taken[row, max(start, stretch.start) + shift : min(end, stretch.end) + shift] = 1
                if start >= stretch.start:
                    taken[row, before : before + lead] = 1
        before += len(stretch.states)
    rows: Vectors = np.empty((len(bounds), len(whole)), np.float32)
    rows[0] = whole
    with one_core:
        np.matmul(taken, states, out=rows[1:])
    return rows


def _grouped(bounds: list[int]) -> list[int]:
    """At most `PARTS` groups of neighbours: each ends where it is nearest to an equal share of what is left."""
    if len(bounds) <= PARTS + 1:
        return bounds
    places = [0]
    for left in range(PARTS, 1, -1):
        begin = bounds[places[-1]]
        share = begin + (bounds[-1] - begin) / left
        latest = len(bounds) - left  # one sentence at least stays for each group to come
        place = min(bisect_left(bounds, share), latest)
        nearer = place - 1 > places[-1] and share - bounds[place - 1] < bounds[place] - share
        places.append(place - 1 if nearer else max(place, places[-1] + 1))
    return [bounds[place] for place in places] + [bounds[-1]]

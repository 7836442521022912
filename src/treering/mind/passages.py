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

if TYPE_CHECKING:
    from treering.mind.contract import Passage, Vectors
    from treering.mind.transformer import Transformer, WordPieces

LEAST_PIECES = 4  # a sentence shorter than this says nothing alone
STRETCH_PIECES = 160  # about 120 words
MOST_STRETCHES = 8
LEAD_PIECES = REACH - STRETCH_PIECES  # of a longer lead, what fits before a stretch


@dataclass(frozen=True, slots=True)
class Stretch:
    """Word pieces `start` to `end` as one pass read them, and the sum of the lead's states in that pass."""

    start: int
    end: int
    states: Vectors
    lead: Vectors


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
    stretches = [Stretch(lead, reached, states[lead:reached], states[: len(heard)].sum(axis=0))]
    for start, end in _further(bounds[bounds.index(reached) :]):
        ((_, states),) = model.look([heard + pieces.ids[start:end]])
        stretches.append(Stretch(start, end, states[len(heard) :], states[: len(heard)].sum(axis=0)))
    read_to = stretches[-1].end
    return np.vstack([whole, *_means([bound for bound in bounds if bound <= read_to], stretches)])


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


def _means(bounds: list[int], stretches: list[Stretch]) -> list[Vectors]:
    """A row for each sentence, or group of them, with the lead as it was read where the sentence begins. Sums stand for
    means: they have the same direction, and whoever asked brings every row to length 1."""
    states = np.concatenate([stretch.states for stretch in stretches])
    rows = []
    for start, end in pairwise(_grouped(bounds)):
        lead = next(stretch.lead for stretch in stretches if start < stretch.end)
        # reduceat would do all rows at once, and takes three times as long
        rows.append(np.add.reduce(states[start - bounds[0] : end - bounds[0]], axis=0) + lead)
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

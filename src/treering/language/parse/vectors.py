"""What does the model see in each word among its neighbours? Numbers, one row a word.

Each word by itself, and then four times with the words beside it. What a word is by itself depends on nothing else, and
is kept for the next time it is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treering.language.parse.doc import Doc
from treering.language.parse.lexicon import Lexicon

Rows = npt.NDArray[np.float32]
Word = tuple[int, int, int, int, bool, bool]
"""Norm, first letter, last three, shape; whether a blank follows, whether it is one."""

MOST_KEPT = 1 << 14
"""Words by themselves: 6 MB of them."""
LEAST_VARIANCE = 1e-08
AROUND = 4
"""Blank rows between texts: as far as a word is seen from."""
FEATURES = ["NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE"]


class WordVectors:
    def __init__(self, weights: Mapping[str, Any], tables: Mapping[str, Any], lexicon: Lexicon) -> None:
        if tables["features"] != FEATURES:
            raise ValueError(f"parse: the model looks at {tables['features']}, not at {FEATURES}")
        self._lexicon = lexicon
        self._tables = [(seed, weights[f"table_{number}"]) for number, seed in enumerate(tables["seeds"])]
        self._alone, *self._beside = [_Layer(weights, number) for number in range(AROUND + 1)]
        self._kept: dict[Word, int] = {}
        width: int = self._tables[0][1].shape[1]
        self._rows: Rows = np.zeros((MOST_KEPT, width), np.float32)

    def of(self, docs: Sequence[Doc]) -> list[Rows]:
        """One array a document, one row a word."""
        said = [self._word(token) for doc in docs for token in doc]
        places = _places(docs)
        seen: Rows = np.zeros((places[-1][1] + AROUND, self._rows.shape[1]), np.float32)
        if said:
            alone, first = self._by_themselves(said), 0
            for start, end in places:
                seen[start:end] = alone[first : first + end - start]
                first += end - start
            for layer in self._beside:
                seen = seen + layer(_beside(seen))
        return [seen[start:end] for start, end in places]

    def _word(self, token: Any) -> Word:
        lexeme = token.lexeme
        norm = lexeme.norm if token.norm_ is None else self._lexicon.number(token.norm_)
        return (norm, *lexeme.written, token.whitespace_ == " ", lexeme.is_space)

    def _by_themselves(self, said: Sequence[Word]) -> Rows:
        if len(self._kept) + len(said) > MOST_KEPT:
            self._kept.clear()
        new = [word for word in dict.fromkeys(said) if word not in self._kept]
        if len(new) > MOST_KEPT:
            return self._worked_out(said)
        if new:
            first = len(self._kept)
            self._rows[first : first + len(new)] = self._worked_out(new)
            self._kept.update((word, first + number) for number, word in enumerate(new))
        return self._rows[[self._kept[word] for word in said]]

    def _worked_out(self, said: Sequence[Word]) -> Rows:
        features = np.array(said, np.uint64)
        found = []
        for (seed, table), column in zip(self._tables, features.T, strict=True):
            rows = table[_hashes(column, seed) % len(table)]
            found.append(rows[:, 0] + rows[:, 1] + rows[:, 2] + rows[:, 3])
        return self._alone(np.hstack(found))


class _Layer:
    """The largest of several sums for each number, and then all of a word's numbers around nought."""

    def __init__(self, weights: Mapping[str, Any], number: int) -> None:
        whole = weights[f"weights_{number}"].swapaxes(0, 1)  # of each number the sums apart, not side by side
        self._width = whole.shape[1]
        self._weights = np.ascontiguousarray(whole.reshape(-1, whole.shape[2]).T)
        self._bias = weights[f"bias_{number}"].T.reshape(-1)
        self._scale, self._shift = weights[f"scale_{number}"], weights[f"shift_{number}"]

    def __call__(self, given: Rows) -> Rows:
        sums = given @ self._weights
        sums += self._bias
        width = self._width
        largest = np.maximum(sums[:, :width], sums[:, width : 2 * width])
        largest = np.maximum(largest, sums[:, 2 * width :])
        found: Rows = largest - largest.sum(axis=1, keepdims=True) / np.float32(width)
        spread = np.einsum("ij,ij->i", found, found)[:, None] / np.float32(width)
        found *= (spread + LEAST_VARIANCE) ** np.float32(-0.5)
        found *= self._scale
        found += self._shift
        return found


def _beside(rows: Rows) -> Rows:
    """Each row between the one before and the one after it."""
    before, after = np.zeros_like(rows), np.zeros_like(rows)
    before[1:], after[:-1] = rows[:-1], rows[1:]
    return np.hstack((before, rows, after))


def _places(docs: Sequence[Doc]) -> list[tuple[int, int]]:
    """Where each document is among all rows, with blank ones before it and after the last."""
    found, end = [], 0
    for doc in docs:
        start = end + AROUND if len(doc) else end
        end = start + len(doc)
        found.append((start, end))
    return found


def _hashes(values: npt.NDArray[np.uint64], seed: int) -> npt.NDArray[np.uint32]:
    """MurmurHash3 of 64 bits, as four numbers a value."""
    one = values * np.uint64(0x87C37B91114253D5)
    one = (one << np.uint64(31)) | (one >> np.uint64(33))
    one *= np.uint64(0x4CF5AD432745937F)
    one ^= np.uint64(seed ^ 8)
    two = np.full_like(one, seed ^ 8)
    one += two
    two += one
    one, two = _mixed(one), _mixed(two)
    one += two
    two += one
    low = np.uint64(0xFFFFFFFF)
    high = np.uint64(32)
    return np.stack((one & low, one >> high, two & low, two >> high), axis=1).astype(np.uint32)


def _mixed(value: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    value = value ^ (value >> np.uint64(33))
    value *= np.uint64(0xFF51AFD7ED558CCD)
    value ^= value >> np.uint64(33)
    value *= np.uint64(0xC4CEB9FE1A85EC53)
    return value ^ (value >> np.uint64(33))

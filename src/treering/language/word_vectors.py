"""What does the model see in each word among its neighbours? The same numbers as its own first step, bit for bit.

Each word by itself, and then four times with the words beside it. What a word is by itself depends on nothing else, and
is kept for the next time it is said; the rest is worked out here without what spaCy does around every layer for those
who train: for a single turn that was half of the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc

    Array = Any

MOST_KEPT = 1 << 14
"""Words by themselves: 6 MB of them."""
LEAST_VARIANCE = 1e-08


class WordVectors:
    def __init__(self, model: Any) -> None:
        """`model`: a tower of convolutions over hashed features of words, as `spacy.Tok2Vec` is made."""
        nodes = list(_nodes(model))
        self._ops = model.ops
        self._width: int = model.get_dim("nO")
        (self._features,) = (node.attrs["columns"] for node in nodes if node.name == "extract_features")
        self._tables = [(node.attrs["seed"], node.get_param("E")) for node in nodes if node.name == "hashembed"]
        self._around: int = max(node.attrs.get("pad", 0) for node in nodes)
        maxouts = [node for node in nodes if node.name == "maxout"]
        norms = [node for node in nodes if node.name == "layernorm"]
        self._alone, *self._beside = [_Layer(self._ops, *pair) for pair in zip(maxouts, norms, strict=True)]
        self._kept: dict[tuple[int, ...], int] = {}
        self._rows: Array = self._ops.alloc((MOST_KEPT, self._width))

    def of(self, docs: Sequence[Doc]) -> list[Array]:
        """One array a document, one row a word."""
        said = [tuple(word) for doc in docs for word in doc.to_array(self._features).tolist()]
        places = self._places(docs)
        seen = self._ops.alloc((places[-1][1] + self._around, self._width))
        if said:
            alone, first = self._by_themselves(said), 0
            for start, end in places:
                seen[start:end] = alone[first : first + end - start]
                first += end - start
            for layer in self._beside:
                seen = seen + layer(self._ops.seq2col(seen, 1))
        return [seen[start:end] for start, end in places]

    def _places(self, docs: Sequence[Doc]) -> list[tuple[int, int]]:
        """Where each document is among all rows, with blank ones before it and after the last."""
        found, end = [], 0
        for doc in docs:
            start = end + self._around if len(doc) else end
            end = start + len(doc)
            found.append((start, end))
        return found

    def _by_themselves(self, said: Sequence[tuple[int, ...]]) -> Array:
        if len(self._kept) + len(said) > MOST_KEPT:
            self._kept.clear()
        new = [word for word in dict.fromkeys(said) if word not in self._kept]
        if not new:
            return self._rows[[self._kept[word] for word in said]]
        if len(new) > MOST_KEPT:
            return self._worked_out(said)
        first = len(self._kept)
        self._rows[first : first + len(new)] = self._worked_out(new)
        self._kept.update((word, first + number) for number, word in enumerate(new))
        return self._rows[[self._kept[word] for word in said]]

    def _worked_out(self, said: Sequence[tuple[int, ...]]) -> Array:
        features = self._ops.xp.array(said, dtype="uint64")
        found = []
        for (seed, table), column in zip(self._tables, features.T, strict=True):
            keys = self._ops.hash(self._ops.as_contig(column), seed) % table.shape[0]
            found.append(self._ops.gather_add(table, keys))
        return self._alone(self._ops.xp.hstack(found))


class _Layer:
    """The largest of several sums for each number, and then all of a word's numbers around nought."""

    def __init__(self, ops: Any, maxout: Any, norm: Any) -> None:
        weights = maxout.get_param("W")
        self._ops, self._shape = ops, weights.shape[:2]
        self._weights = ops.reshape2f(weights, -1, weights.shape[2])
        self._bias = ops.reshape1f(maxout.get_param("b"), -1)
        self._scale, self._shift = norm.get_param("G"), norm.get_param("b")

    def __call__(self, given: Array) -> Array:
        sums = self._ops.gemm(given, self._weights, trans2=True)
        sums += self._bias
        largest, _ = self._ops.maxout(sums.reshape(len(sums), *self._shape))
        found = largest - self._mean(largest)
        found *= (self._mean(found * found) + LEAST_VARIANCE) ** (-1.0 / 2.0)
        found *= self._scale
        found += self._shift
        return found

    def _mean(self, rows: Array) -> Array:
        return self._ops.xp.add.reduce(rows, axis=1, keepdims=True) / rows.shape[1]


def _nodes(model: Any) -> Iterator[Any]:
    """In the order in which they work."""
    yield model
    for layer in model.layers:
        yield from _nodes(layer)

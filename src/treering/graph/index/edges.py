"""Which edges lead away from a node? All edges of a space in order of where they begin, and again in order of where
they end, with their windows as they are known now.

What has come since they were put in order lies at the end of the same columns, and is looked up by node.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from treering.graph.index.columns import EdgeColumn, Numbers, find, halves, runs
from treering.store.contract import IndexedEdge

BATCH = 50_000
NONE = -1


class Nodes:
    """Memories and entities, numbered in the order of their ids; those that came later as they came."""

    def __init__(self, names: list[str]) -> None:
        high, low = halves(names)
        order = np.lexsort((low, high))
        self._names = EdgeColumn(np.array(names, object)[order])
        self.places = np.empty(len(names) + 1, np.int32)
        """By their number before: the number of each now. The last place stands for none."""
        self.places[order] = np.arange(len(names), dtype=np.int32)
        self.places[NONE] = NONE
        self._high, self._low = EdgeColumn(high[order]), EdgeColumn(low[order])
        self.settled = len(names)
        self._later: dict[str, int] = {}

    def __len__(self) -> int:
        return self.settled + len(self._later)

    @property
    def names(self) -> Numbers:
        """Their ids."""
        return self._names.rows

    @property
    def high(self) -> Numbers:
        return self._high.rows

    @property
    def low(self) -> Numbers:
        return self._low.rows

    def find(self, one: str) -> int:
        later = self._later.get(one)
        return find(self.high[: self.settled], self.low[: self.settled], one) if later is None else later

    def number(self, one: str) -> int:
        """Its number; a new one if it has none yet."""
        number = self.find(one)
        if number == NONE:
            number = self._later[one] = len(self)
            self._names.append(one)
            (high,), (low,) = halves([one])
            self._high.append(high)
            self._low.append(low)
        return number

    def in_order(self, numbers: Numbers) -> Numbers:
        """In order of their ids."""
        if not len(numbers) or numbers[-1] < self.settled:
            return numbers
        return numbers[np.lexsort((self.low[numbers], self.high[numbers]))]


class EdgeTable:
    """`source`, `target` and `evidence` are numbers of nodes; `evidence` may be none."""

    def __init__(self, ties: Iterable[IndexedEdge]) -> None:
        raw = _Raw()
        raw.take(ties)
        self.names = raw.relations
        self._relation_number = {name: number for number, name in enumerate(self.names)}
        self._settle(list(raw.numbers), raw.columns())

    # putting in order

    def _settle(self, nodes: list[str], columns: dict[str, Numbers]) -> None:
        self.nodes = Nodes(nodes)
        for name in ("source", "target", "evidence"):
            columns[name] = self.nodes.places[columns[name]]
        rank = self.rank[columns["relation"]]
        order = np.lexsort((columns["low"], columns["high"], rank, columns["source"]))
        self._columns = {name: EdgeColumn(column[order]) for name, column in columns.items()}
        self.settled = len(order)
        self._out = _starts(self["source"], len(self.nodes))
        rank = self.rank[self["relation"]]
        self._inward = np.lexsort((self["low"], self["high"], rank, self["target"])).astype(np.int32)
        self._in = _starts(self["target"], len(self.nodes))
        self._by_id = np.lexsort((self["low"], self["high"])).astype(np.int32)
        self._later: dict[str, int] = {}
        self._later_by_end: tuple[dict[int, list[int]], dict[int, list[int]]] = (defaultdict(list), defaultdict(list))

    def settle(self) -> None:
        """Puts what has come later in its place."""
        self._settle(self.nodes.names.tolist(), {name: self[name] for name in self._columns})

    @property
    def rank(self) -> Numbers:
        """By relation: its place in the alphabet."""
        if len(self._ranked) != len(self.names):
            self._ranked = np.argsort(np.argsort(np.array(self.names, object))) if self.names else np.zeros(0, int)
        return self._ranked

    _ranked: Numbers = np.zeros(0, int)

    def __len__(self) -> int:
        return self.settled + len(self._later)

    def __getitem__(self, column: str) -> Numbers:
        return self._columns[column].rows

    @property
    def later(self) -> int:
        return len(self._later)

    # learning

    def relation(self, name: str) -> int:
        """Its number, or none if no edge has it."""
        return self._relation_number.get(name, NONE)

    def add(self, tie: IndexedEdge) -> None:
        number = len(self)
        (high,), (low,) = halves([tie.id])
        if tie.relation not in self._relation_number:
            self._relation_number[tie.relation] = len(self.names)
            self.names.append(tie.relation)
        row = {
            "high": high,
            "low": low,
            "source": self.nodes.number(tie.source_id),
            "target": self.nodes.number(tie.target_id),
            "evidence": NONE if tie.memory_id is None else self.nodes.number(tie.memory_id),
            "relation": self._relation_number[tie.relation],
            "begins": tie.valid_from,
            "ends": tie.valid_until,
        }
        for name, value in row.items():
            self._columns[name].append(value)
        self._later[tie.id] = number
        for by_end, end in zip(self._later_by_end, ("source", "target"), strict=True):
            by_end[row[end]].append(number)

    def find(self, one: str) -> int:
        later = self._later.get(one)
        if later is not None:
            return later
        return find(self["high"][: self.settled], self["low"][: self.settled], one, self._by_id)

    def move(self, one: str, ends: int) -> None:
        place = self.find(one)
        if place == NONE:
            raise KeyError(f"the window of {one}, which is not known, cannot be moved")
        self["ends"][place] = ends

    # looking around

    def leading(self, nodes: Numbers, outward: bool) -> tuple[Numbers, Numbers, bool]:
        """The edges that begin (`outward`) or end at these nodes, each with the place of its node among them; and
        whether they are in order of that, their relation and id."""
        starts = self._out if outward else self._in
        old = np.minimum(nodes, len(starts) - 2) if len(nodes) and nodes.max() > len(starts) - 2 else nodes
        first = starts[old]
        counts = starts[old + 1] - first
        if old is not nodes:
            counts[nodes != old] = 0
        places = runs(first, counts)
        edges, at = places if outward else self._inward[places], np.repeat(np.arange(len(nodes)), counts)
        by_end = self._later_by_end[0 if outward else 1]
        coming = enumerate(nodes.tolist()) if by_end else ()
        new = [(edge, place) for place, node in coming for edge in by_end.get(node, ())]
        if not new:
            return edges, at, True
        more, where = (np.array(column) for column in zip(*new, strict=True))
        return np.concatenate((edges, more)), np.concatenate((at, where)), False


class _Raw:
    """Edges as they come from the store: nodes and relations numbered as they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.relations: list[str] = []
        self._relation_number: dict[str, int] = {}
        self._batches: list[dict[str, Numbers]] = []

    def take(self, ties: Iterable[IndexedEdge]) -> None:
        coming = iter(ties)
        while batch := list(islice(coming, BATCH)):
            ids, sources, targets, relations, begins, ends, _, evidence = zip(*batch, strict=True)
            high, low = halves(ids)
            self._batches.append(
                {
                    "high": high,
                    "low": low,
                    "source": self._numbered(sources),
                    "target": self._numbered(targets),
                    "evidence": self._numbered(evidence),
                    "relation": np.fromiter((self._relation(one) for one in relations), np.int32, len(batch)),
                    "begins": np.array(begins, np.int64),
                    "ends": np.array(ends, np.int64),
                }
            )

    def _numbered(self, ids: Sequence[str | None]) -> Numbers:
        numbers = self.numbers
        found = (NONE if one is None else numbers.setdefault(one, len(numbers)) for one in ids)
        return np.fromiter(found, np.int32, len(ids))

    def _relation(self, name: str) -> int:
        if name not in self._relation_number:
            self._relation_number[name] = len(self.relations)
            self.relations.append(name)
        return self._relation_number[name]

    def columns(self) -> dict[str, Numbers]:
        kinds = {"high": np.uint64, "low": np.uint64, "begins": np.int64, "ends": np.int64}
        names = ("high", "low", "source", "target", "evidence", "relation", "begins", "ends")
        return {
            name: np.concatenate([np.zeros(0, kinds.get(name, np.int32)), *(batch[name] for batch in self._batches)])
            for name in names
        }


def _starts(ends: Numbers, nodes: int) -> Numbers:
    """By node: where the edges of its run begin; the last is where all end."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(ends, minlength=max(nodes, 1)))))

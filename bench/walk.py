"""How fast is the graph walked? Walks of depth three that cross about a thousand edges of a million, with windows and
closings, from the index in memory, hop by hop from SQLite, and by a recursive query that returns the same rows.

All three answer the same questions in turn in the same run. The recursive query has a table of its own, with its
windows as they stand at last and an index that holds every column it needs: it looks nothing up. Each walk is made
several times and its best time counts; it is time on the processor, which on a shared machine is what a walk takes when
its neighbours are still. Ratios are what to read.

    python -m bench.walk [--edges 1000000] [--walks 60]
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from bench import record
from bench.record import quantiles
from treering.door import Treering
from treering.graph.atlas import Atlas
from treering.graph.walk import WalkLimits, by_steps
from treering.model.changes import Change, Changes, EdgeAdded, EdgeClosed, EntityAdded
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.ids import mint
from treering.model.time import to_micros
from treering.store import open_store
from treering.store.contract import Scope, Store, Ways, Writer

EDGES, EDGES_A_NODE, WALKS, TIMES = 1_000_000, 10, 60, 5
DEPTH, LEAST, MOST = 3, 800, 1_250
RELATIONS = tuple(f"RELATION_{n}" for n in range(12))
SPACE, BATCH, SEED = "default", 10_000, 5
CLOSED = 0.01
NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIRST_DAY, DAYS = datetime(2000, 1, 1, tzinfo=UTC), 7_300
AS_OF = datetime(2019, 6, 1, tzinfo=UTC)
ROUTE = WalkLimits(Ways(), DEPTH, 10_000)
FOREVER = (1 << 63) - 1

RECURSIVE = """WITH RECURSIVE walk (id, source, target, depth) AS (
    SELECT id, source, target, 1 FROM tie WHERE source = :start AND begins <= :as_of AND ends > :as_of
    UNION SELECT t.id, t.source, t.target, walk.depth + 1 FROM walk JOIN tie t ON t.source = walk.target
    WHERE walk.depth < :depth AND t.begins <= :as_of AND t.ends > :as_of)
    SELECT id, source, target, MIN(depth) FROM walk GROUP BY id"""

Row = tuple[str, str, str, int]
Walk = Callable[[str], list[Row]]


@dataclass(frozen=True)
class Made:
    store: Store
    plain: sqlite3.Connection
    nodes: list[str]
    seconds: float


def make(folder: Path, edges: int) -> Made:
    """The same graph twice: through the store's only way to write, and as one plain table."""
    rng, fresh, start = Random(SEED), mint(NOW), perf_counter()
    store = open_store(str(folder / "graph.db"), "normal")
    nodes = [fresh() for _ in range(edges // EDGES_A_NODE)]
    for place in range(0, len(nodes), BATCH):
        some = nodes[place : place + BATCH]
        _write(store, partial(_nodes, some))
    ties = list[tuple[str, str, str, int, int]]()
    for _ in range(0, edges, BATCH):
        drawn = [_drawn(rng, fresh(), nodes) for _ in range(min(BATCH, edges))]
        _write(store, partial(_edges, drawn))
        closings = {one[0]: one[3] + timedelta(days=200) for one in drawn if rng.random() < CLOSED and one[4] is None}
        _write(store, partial(_closings, closings))
        ties += [_tie(one, closings.get(one[0])) for one in drawn]
    return Made(store, _plain(folder / "plain.db", ties), nodes, perf_counter() - start)


Drawn = tuple[str, str, str, datetime, datetime | None, str]


def _drawn(rng: Random, edge_id: str, nodes: list[str]) -> Drawn:
    begins = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    ends = begins + timedelta(days=rng.randrange(30, DAYS)) if rng.random() < 0.3 else None
    return edge_id, rng.choice(nodes), rng.choice(nodes), begins, ends, rng.choice(RELATIONS)


def _nodes(ids: list[str], at: datetime) -> list[Change]:
    return [EntityAdded(Entity(id=one, space=SPACE, name=f"node {one}", recorded_at=at)) for one in ids]


def _edges(drawn: list[Drawn], at: datetime) -> list[Change]:
    return [EdgeAdded(_edge(one, at)) for one in drawn]


def _closings(ends: dict[str, datetime], _: datetime) -> list[Change]:
    return [EdgeClosed(one, end, None, "invalidated") for one, end in ends.items()]


def _edge(drawn: Drawn, at: datetime) -> Edge:
    edge_id, source, target, begins, ends, relation = drawn
    return Edge(
        id=edge_id,
        space=SPACE,
        source_id=source,
        target_id=target,
        relation=relation,
        valid_from=begins,
        valid_until=ends,
        recorded_at=at,
        observed_by="bench",
        rule="stated",
    )


def _tie(drawn: Drawn, closed: datetime | None) -> tuple[str, str, str, int, int]:
    ends = closed or drawn[4]
    return drawn[0], drawn[1], drawn[2], to_micros(drawn[3]), FOREVER if ends is None else to_micros(ends)


def _write(store: Store, changes: Callable[[datetime], list[Change]]) -> None:
    store.write(SPACE, Writer("bench"), NOW, lambda _, at: Changes("assert_facts", tuple(changes(at))))


def _plain(path: Path, ties: list[tuple[str, str, str, int, int]]) -> sqlite3.Connection:
    plain = sqlite3.connect(path)
    plain.execute("PRAGMA cache_size = -32000")  # as the store has it
    plain.execute("CREATE TABLE tie (id TEXT, source TEXT, target TEXT, begins INTEGER, ends INTEGER)")
    plain.executemany("INSERT INTO tie VALUES (?, ?, ?, ?, ?)", ties)
    plain.execute("CREATE INDEX tie_by_source ON tie (source, begins, ends, target, id)")
    plain.commit()
    return plain


# measuring


def measure(folder: Path, edges: int, walks: int) -> dict[str, Any]:
    made = make(folder, edges)
    scope = Scope(SPACE, NOW, as_of=AS_OF)
    atlas = Atlas(made.store, patience=0)
    with made.store.reader(scope) as reader:
        start = process_time()
        atlas(reader, SPACE, made.nodes[0], ROUTE)
        built = process_time() - start
        ways: dict[str, Walk] = {
            "index": lambda one: _rows(atlas(reader, SPACE, one, ROUTE)),
            "sqlite": lambda one: _rows(by_steps(reader, SPACE, one, ROUTE)),
            "recursive": lambda one: _recursive(made.plain, one),
        }
        starts = list(_starts(made.nodes, ways["index"], walks))
        crossed = [_same(ways, one) for one in starts]
        in_turn = [{name: _best(walk, one) for name, walk in ways.items()} for one in starts]
        times = {name: [taken[name] for taken in in_turn] for name in ways}
    figures = {
        "nodes": len(made.nodes),
        "edges": edges,
        "made_seconds": round(made.seconds, 1),
        "walks": len(starts),
        "edges_crossed": median(crossed),
        **{name: quantiles(taken) for name, taken in times.items()},
        "recursive_over_index": round(median(times["recursive"]) / median(times["index"]), 1),
        "recursive_over_sqlite": round(median(times["recursive"]) / median(times["sqlite"]), 1),
        "index_built_seconds": round(built, 2),
        "index_bytes": held(atlas),
        "operation": _operation(made.store, atlas, starts),
    }
    made.plain.close()
    made.store.close()
    return figures


def _rows(trail: Any) -> list[Row]:
    return list(zip(trail.edge_ids, trail.here, trail.there, trail.depth, strict=True))


def _recursive(plain: sqlite3.Connection, start: str) -> list[Row]:
    return plain.execute(RECURSIVE, {"start": start, "as_of": to_micros(AS_OF), "depth": DEPTH}).fetchall()


def _starts(nodes: list[str], walk: Walk, count: int) -> Iterator[str]:
    """Those whose walks cross about a thousand edges."""
    found = 0
    for one in Random(SEED).sample(nodes, len(nodes)):
        if LEAST <= len(walk(one)) <= MOST:
            yield one
            found += 1
            if found == count:
                return


def _same(ways: dict[str, Walk], start: str) -> int:
    """All ways come to the same rows; how many those are."""
    first, *others = (sorted(walk(start)) for walk in ways.values())
    if any(other != first for other in others):
        sys.exit(f"The ways of walking differ from {start}: a figure about them would say nothing.")
    return len(first)


def _best(walk: Callable[[str], object], start: str) -> float:
    taken = []
    for _ in range(TIMES):
        began = process_time()
        walk(start)
        taken.append(process_time() - began)
    return min(taken)


def _operation(store: Store, atlas: Atlas, starts: list[str]) -> dict[str, float]:
    """The whole of `graph`, with names, windows and evidence of the first hundred edges."""
    door = Treering(store, clock=lambda: NOW, actor="bench", space=SPACE)
    door._charted.append(atlas)
    return quantiles(
        [_best(lambda one: door.graph(one, direction="out", as_of=AS_OF, limit=100), one) for one in starts[:20]]
    )


def held(atlas: Atlas) -> int:
    """Bytes of the columns and ids that the index keeps."""
    index = atlas._kept[SPACE].index
    assert index is not None
    edges = index.edges
    columns = sum(edges[name].nbytes for name in edges._columns)
    orders = sum(one.nbytes for one in (edges._out, edges._in, edges._inward, edges._by_id))
    names = sum(sys.getsizeof(one) + 8 for one in edges.nodes.names)
    return columns + orders + names + edges.nodes.high.nbytes + edges.nodes.low.nbytes


def goals(figures: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    whole, tenth = figures["whole"], figures["tenth"]
    index, sqlite = whole["index"]["p50_ms"], whole["sqlite"]["p50_ms"]
    ratio, grown = whole["recursive_over_index"], index / tenth["index"]["p50_ms"]
    return [
        ("a walk from the index, p50", f"{index:.2f} ms", "≤ 1 ms", _met(index <= 1)),
        ("a walk from SQLite, p50", f"{sqlite:.2f} ms", "≤ 2 ms", _met(sqlite <= 2)),
        ("the recursive query over the index", f"{ratio:.1f} times", "≥ 8 times", _met(ratio >= 8)),
        ("ten times the graph, time over time", f"{grown:.2f}", "by edges crossed", ""),
    ]


EXPLAINED = (
    "All three answer the same questions in the same run and return the same rows: edge, ends, depth. Times are those "
    "of the processor, best of five. The recursive query walks a plain table over an index that holds all columns. The "
    "operation is the whole of `graph`, of which the names and windows of a hundred edges are the most."
)


def size_table(figures: dict[str, Any]) -> list[str]:
    heads = ("edges", "crossed", "index", "SQLite", "recursive query", "operation", "index made", "index size")
    lines = [f"| {' | '.join(heads)} |", "|" + "--:|" * len(heads)]
    for size in figures.values():
        times = [f"{size[name]['p50_ms']:.2f} ms" for name in ("index", "sqlite", "recursive", "operation")]
        made, held_mb = f"{size['index_built_seconds']:.1f} s", f"{size['index_bytes'] / 1e6:.0f} MB"
        lines.append(f"| {size['edges']:,} | {size['edges_crossed']:,.0f} | {' | '.join(times)} | {made} | {held_mb} |")
    return lines


def _met(good: bool) -> str:
    return "met" if good else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=EDGES)
    parser.add_argument("--walks", type=int, default=WALKS)
    given = parser.parse_args()
    figures = {}
    for name, edges in (("tenth", given.edges // 10), ("whole", given.edges)):
        with tempfile.TemporaryDirectory() as folder:
            figures[name] = measure(Path(folder), edges, given.walks)
    path = record.write("walk", figures)
    print(record.table(goals(figures)))
    print(path)


if __name__ == "__main__":
    main()

"""How well and how fast is what belongs together found? Two sections of `bench.upkeep`.

Duplicates: the hand-made pairs of bench/data/duplicates.txt, each looked at by an embedder and by the words, as
`cluster(find_duplicates=True)` does; beside it what nearness alone would take. Grouping: a space in a file with so many
memories of `bench.corpus`, one in five of them a twin in other words, with vectors made up as in `bench.speed_recall`,
clustered and searched for duplicates whole, in a process of its own: time, and by how much the process grew.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

PAIRS = Path(__file__).parent / "data" / "duplicates.txt"
GOAL_PRECISION = 0.95
GOAL_SECONDS = 300.0
TWIN_EVERY = 5
TWIN_NOISE = 0.3
BATCH = 5_000
EMBEDDERS = ("turnfinder-2", "static")

Shown = list[tuple[str, str, str, str]]


# duplicates


@dataclass(frozen=True, slots=True)
class Pair:
    same: bool
    first: str
    second: str


def labelled_pairs() -> list[Pair]:
    lines = [line.split(" | ") for line in PAIRS.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [Pair(label.strip() == "same", first.strip(), second.strip()) for label, first, second in lines]


def score_duplicates(embedder: str) -> dict[str, Any]:
    """Of the pairs taken for duplicates, how many are; of those that are, how many were taken."""
    import numpy as np

    from treering.mind import open_embedder
    from treering.mind.contract import Passage
    from treering.upkeep.cluster import DUPLICATE_THRESHOLD
    from treering.upkeep.duplicates import say_the_same

    mind, pairs = open_embedder(embedder), labelled_pairs()
    firsts, seconds = (
        [np.asarray(rows[0]) for rows in mind.embed_passages([Passage.said(None, text) for text in texts])]
        for texts in ([one.first for one in pairs], [one.second for one in pairs])
    )
    near = [float(a @ b) >= DUPLICATE_THRESHOLD for a, b in zip(firsts, seconds, strict=True)]
    by_nearness = [one for one, close in zip(pairs, near, strict=True) if close]
    taken = [one for one in by_nearness if say_the_same(one.first, one.second)]
    right, wanted = sum(one.same for one in taken), sum(one.same for one in pairs)
    return {
        "pairs": len(pairs),
        "same": wanted,
        "taken": len(taken),
        "precision": round(right / max(1, len(taken)), 4),
        "recall": round(right / wanted, 4),
        "precision_by_nearness_alone": round(sum(one.same for one in by_nearness) / max(1, len(by_nearness)), 4),
    }


def duplicates(_: int) -> dict[str, Any]:
    return {name: score_duplicates(name) for name in EMBEDDERS}


def duplicate_rows(told: dict[str, Any]) -> Shown:
    shown = []
    for name, row in told.items():
        met = "met" if row["precision"] >= GOAL_PRECISION else "NOT MET"
        shown.append((f"duplicates, {name}, {row['pairs']} pairs: precision", f"{row['precision']:.3f}", "≥ 0.95", met))
        shown.append((f"duplicates, {name}: recall", f"{row['recall']:.3f}", "", ""))
        alone = f"{row['precision_by_nearness_alone']:.3f}"
        shown.append((f"duplicates, {name}: precision of nearness alone", alone, "", ""))
    return shown


# grouping


def fill(path: str, count: int) -> None:
    import numpy as np

    import treering
    from bench import corpus
    from bench.conversations import Now
    from bench.speed_recall import MadeUp
    from treering.mind.packing import pack, unpack_first
    from treering.model.embedding import Embedded

    made_up, draw = MadeUp(), np.random.default_rng(5)
    every = corpus.memories(count)
    with treering.open(path, clock=Now(corpus.ENDED), embedder=made_up.embedder, durability="normal") as mem:
        while batch := list(islice(every, BATCH)):
            items, vectors = list[dict[str, Any]](), list[bytes]()
            for place, said in enumerate(batch):
                if place % TWIN_EVERY:
                    items.append({"content": said.content, "entities": list(said.entities)})
                    vectors.append(made_up.of(said))
                    continue
                whole = unpack_first(vectors[-1]) if vectors else unpack_first(made_up.of(said))
                noise = draw.standard_normal(whole.shape, dtype=np.float32) * (TWIN_NOISE / whole.shape[0] ** 0.5)
                turned = (whole + noise) / np.linalg.norm(whole + noise)
                before = items[-1]["content"] if items else said.content
                items.append({"content": f"Now, {before[:1].lower()}{before[1:]}"})
                vectors.append(pack(turned[None, :]))
            receipt = mem.add_many(items, embed_later=True)
            ids = [one.id for one in receipt.memories]
            kept = [Embedded(one, made_up.embedder.name, data) for one, data in zip(ids, vectors, strict=True)]
            mem._store.keep_vectors(mem._space, kept)


def group(path: str, by_meaning: bool) -> dict[str, Any]:
    import treering
    from bench import corpus
    from bench.conversations import Now

    with treering.open(path, clock=Now(corpus.ENDED), embedder="turnfinder-2" if by_meaning else "none") as mem:
        mem.recall("Is anybody there?")  # the index is there once a process, whatever is asked
        before = _most_megabytes()
        found, seconds = _timed(mem.cluster)
        pairs, seconds_of_pairs = _timed(lambda: mem.cluster(find_duplicates=True))
        return {
            "clusters": found.clusters_found,
            "seconds": seconds,
            "duplicates": pairs.duplicates_found,
            "duplicates_seconds": seconds_of_pairs,
            "grew_megabytes": round(_most_megabytes() - before),
        }


def agents(path: str) -> dict[str, Any]:
    """Each agent looks at all of it, and decides; nothing is written."""
    import treering
    from bench import corpus
    from bench.conversations import Now

    with treering.open(path, clock=Now(corpus.ENDED), embedder="turnfinder-2") as mem:
        names = ("decay", "promote", "relations")
        return {f"{name}_seconds": _timed(lambda name=name: mem.run_agent(name, dry_run=True))[1] for name in names}  # type: ignore[misc]


def missed(path: str, sample: int = 20_000) -> dict[str, Any]:
    """Of the pairs that comparing every two would find among the first so many, the share that cells find."""
    import treering
    from bench import corpus
    from bench.conversations import Now
    from treering.recall import alike

    with treering.open(path, clock=Now(corpus.ENDED), embedder="turnfinder-2") as mem:
        space = mem._finder.alike(mem._scope(None))
        assert space is not None
        ids = space._index.ids[:sample]
        in_cells = {pair[:2] for pair in space.pairs(ids, 0.83, 16)}
        before, alike.ONE_CELL_UP_TO = alike.ONE_CELL_UP_TO, len(ids)
        try:
            every = {pair[:2] for pair in space.pairs(ids, 0.83, 16)}
        finally:
            alike.ONE_CELL_UP_TO = before
    return {"memories": len(ids), "pairs": len(every), "found_in_cells": round(len(in_cells & every) / len(every), 4)}


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = perf_counter()
    done = work()
    return done, round(perf_counter() - start, 1)


def _most_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20)


def grouping(size: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
        path = str(Path(folder) / "grouped.db")
        steps = (
            (fill, (path, size)),
            (group, (path, True)),
            (group, (path, False)),
            (missed, (path,)),
            (agents, (path,)),
        )
        _, by_meaning, by_words, share, planned = _each_alone(steps)
    told = {"memories": size, "twins": size // TWIN_EVERY, "by_meaning": by_meaning, "by_words": by_words}
    return {**told, "cells": share, "agents": planned}


def _each_alone(steps: Sequence[tuple[Callable[..., Any], tuple[Any, ...]]]) -> Iterator[Any]:
    """In a process of its own each, so that what one took is not counted for the next."""
    for work, given in steps:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
            yield alone.submit(work, *given).result()


def grouping_rows(told: dict[str, Any]) -> Shown:
    shown = []
    for name in ("by_meaning", "by_words"):
        row, how = told[name], name.replace("_", " ")
        met = "met" if row["seconds"] <= GOAL_SECONDS else "NOT MET"
        shown.append((f"clusters {how}, {told['memories']:,} memories", f"{row['seconds']:.1f} s", "minutes", met))
        met = "met" if row["duplicates_seconds"] <= GOAL_SECONDS else "NOT MET"
        shown.append((f"duplicates {how}", f"{row['duplicates_seconds']:.1f} s", "minutes", met))
        shown.append((f"clusters and duplicates {how}: memory", f"{row['grew_megabytes']:,} MB", "", ""))
    cells = told["cells"]
    shown.append((f"pairs found in cells, of {cells['pairs']:,}", f"{cells['found_in_cells']:.2%}", "", ""))
    shown += [(f"agent {name.split('_')[0]}, plan", f"{one:.1f} s", "", "") for name, one in told["agents"].items()]
    return shown

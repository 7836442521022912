"""How fast is recall, and what does it take? `make bench-recall` measures it at several sizes, each in a process.

A store in a file is filled with the made-up memories of `bench.corpus`, journal and all. Embedding a million sentences
takes most of an hour and is measured elsewhere, so vectors are made up too: some thousand sentences are really read by
the default embedder, and every memory gets the vectors of one that was made from the same template, turned by noise to
a cosine of about 0.8, and packed as usual. They say nothing of the particulars, so how good the answers are cannot be
told from these memories (`bench.finding` tells it); how fast they come can. Questions are read by the embedder inside
`recall`; each is asked once, so that nothing kept from an earlier one helps.

The approximate is compared with the exact twice: the ten nearest vectors by signs first against all cosines, and the
ten hits of `recall` against those it gives when every memory is weighed.

    python -m bench.speed_recall --sizes 1000 10000 100000 [--million]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

import treering
from bench import corpus, record
from bench.conversations import Now
from bench.corpus import RARE_TAG, Said
from treering.mind import DEFAULT_EMBEDDER, Passage, open_embedder
from treering.mind.packing import pack
from treering.model.embedding import Embedded
from treering.recall import fuse, semantic
from treering.recall.index.space import SpaceIndex
from treering.recall.semantic import SHORTLIST, SHORTLIST_SHARE

Array = npt.NDArray[Any]
T = TypeVar("T")

SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
BATCH = 5_000
READ = 3_000
NOISE = 0.75
QUESTIONS, FILTERED, WRITES = 300, 60, 30
COMPARED = 200
COMPARED_UP_TO = 100_000
MEMORIES_A_BLOCK = 50_000
MB = 1 << 20


# filling


class MadeUp:
    """Vectors for any memory, from a few that were really read."""

    def __init__(self) -> None:
        self.embedder = open_embedder(DEFAULT_EMBEDDER, cached_texts=0)
        some = list(corpus.memories(READ, seed=1))
        read = self.embedder.embed_passages([Passage.said(one.speaker, one.content) for one in some])
        self._like: dict[int, list[Array]] = defaultdict(list)
        for said, rows in zip(some, read, strict=True):
            self._like[said.template].append(rows)
        self._draw = np.random.default_rng(2)

    def of(self, said: Said) -> bytes:
        like = self._like[said.template]
        return self._turned(like[said.number // len(corpus.TEMPLATES) % len(like)])

    def names(self, names: Sequence[str]) -> list[bytes]:
        """Names are few: they are really read."""
        return [pack(rows) for rows in self.embedder.embed_passages([Passage(name) for name in names])]

    def _turned(self, rows: Array) -> bytes:
        noise = self._draw.standard_normal(rows.shape, dtype=np.float32) * (NOISE / rows.shape[1] ** 0.5)
        turned = rows + noise
        return pack(turned / np.linalg.norm(turned, axis=1, keepdims=True))


def fill(path: str, count: int) -> dict[str, Any]:
    made_up = MadeUp()
    every, added, kept = corpus.memories(count), 0.0, 0.0
    with treering.open(path, clock=Now(corpus.ENDED), embedder=made_up.embedder, durability="normal") as mem:
        while batch := list(islice(every, BATCH)):
            items = [said.item for said in batch]
            start = perf_counter()
            receipt = mem.add_many(items, embed_later=True)
            added += perf_counter() - start
            new = [one for one in receipt.entities if one.created]
            vectors = [
                *zip((one.id for one in receipt.memories), map(made_up.of, batch), strict=True),
                *zip((one.id for one in new), made_up.names([one.name for one in new]), strict=True),
            ]
            start = perf_counter()
            mem._store.keep_vectors(mem._space, [Embedded(one, made_up.embedder.name, data) for one, data in vectors])
            kept += perf_counter() - start
        entities = mem.status().entities
    return {
        "entities": entities,
        "added_per_second": round(count / added),
        "vectors_kept_per_second": round(count / kept),
        "bytes_per_memory": round(Path(path).stat().st_size / count),
    }


# asking


def ask(path: str, count: int) -> dict[str, Any]:
    asked = corpus.questions(count, QUESTIONS + 2 * FILTERED + WRITES + COMPARED + 1)
    embedder = open_embedder(DEFAULT_EMBEDDER)
    embedder.embed_question("Is anybody there?")  # the model is loaded once a process, whatever is asked
    taking = iter(asked)
    before = _resident()
    with treering.open(path, clock=Now(corpus.ENDED), embedder=embedder) as mem:
        start = perf_counter()
        first = mem.recall(next(taking)[0])
        figures: dict[str, Any] = {
            "first_question_seconds": round(perf_counter() - start, 3),
            "first_question_stages_ms": dict(first.milliseconds),
        }
        plain = list(islice(taking, QUESTIONS))
        figures |= _plain(mem, plain)
        figures["resident_mb"] = round(_resident() / MB)
        figures["resident_before_opening_mb"] = round(before / MB)
        cached = next(iter(mem._finder._cache._kept.values())).cached
        assert cached is not None
        index = cached.index
        figures["index_arrays_mb"] = round(_bytes(index) / MB, 1)
        figures["rare_tag"] = _timed(mem, islice(taking, FILTERED), tags=[RARE_TAG])
        figures["small_session"] = _timed(mem, islice(taking, FILTERED), session=_some_session(count))
        figures["after_a_write"] = _after_writes(mem, islice(taking, WRITES))
        compared = [question for question, _ in islice(taking, COMPARED)]
        figures["nearest"] = _nearest_against_exact(index, [embedder.embed_question(one) for one in compared])
    anew = open_embedder(DEFAULT_EMBEDDER)  # the other one remembers the vectors of these questions
    with treering.open(path, clock=Now(corpus.ENDED), embedder=anew, judge="none") as mem:
        mem.recall(compared[0])
        figures["unjudged"] = _timed(mem, iter(plain))
        if count <= COMPARED_UP_TO:
            figures["hits"] = _hits_against_exact(mem, compared)
    return figures


def _plain(mem: treering.Treering, asked: list[tuple[str, str]]) -> dict[str, Any]:
    spent = []
    stages: dict[str, list[float]] = defaultdict(list)
    for question, _ in asked:
        start = perf_counter()
        answer = mem.recall(question)
        spent.append(perf_counter() - start)
        for stage, milliseconds in answer.milliseconds.items():
            stages[stage].append(milliseconds)
    return {
        "questions": len(asked),
        "recall": record.quantiles(spent),
        "stages_p50_ms": {stage: round(median(times), 3) for stage, times in stages.items()},
        "stages_p95_ms": {stage: round(sorted(times)[int(len(times) * 0.95)], 3) for stage, times in stages.items()},
    }


def _timed(mem: treering.Treering, asked: Iterator[tuple[str, str]], **filters: Any) -> dict[str, float]:
    return record.quantiles([record.timed(lambda one=one: mem.recall(one, **filters)) for one, _ in asked])  # type: ignore[misc]


def _some_session(count: int) -> str:
    return next(islice(corpus.memories(count), count // 2, None)).session


def _after_writes(mem: treering.Treering, asked: Iterator[tuple[str, str]]) -> dict[str, float]:
    """The question alone is timed; what it must catch up with was written just before."""
    spent = []
    for number, (question, _) in enumerate(asked):
        mem.add(f"I put the spare key number {number} under the stone.", speaker="Anna Abbott", session="now")
        spent.append(record.timed(lambda question=question: mem.recall(question)))  # type: ignore[misc]
    return record.quantiles(spent)


# exactness


def _nearest_against_exact(index: SpaceIndex, vectors: list[Array]) -> dict[str, Any]:
    kept = index.vectors
    assert kept is not None
    every = np.ones(len(index), bool)
    shared, spent = [], []
    for vector in vectors:
        start = perf_counter()
        some = kept.shortlist(vector, every, SHORTLIST + len(index) // SHORTLIST_SHARE)
        near = some[np.argsort(-kept.cosines(vector, some), kind="stable")[:10]]
        spent.append(perf_counter() - start)
        blocks = [
            kept.cosines(vector, np.arange(start, min(start + MEMORIES_A_BLOCK, len(index))))
            for start in range(0, len(index), MEMORIES_A_BLOCK)
        ]
        cosines = np.concatenate(blocks)
        least = np.partition(cosines, -10)[-10]
        shared.append(min(10, int(np.count_nonzero(cosines[near] >= least))) / 10)
    return {"recall_at_10": round(float(np.mean(shared)), 4), "questions": len(vectors), **record.quantiles(spent)}


def _hits_against_exact(mem: treering.Treering, asked: list[str]) -> dict[str, Any]:
    quick = [_ids(mem, question) for question in asked]
    usual = fuse.WEIGH_ALL_UP_TO, semantic.WHOLE_UP_TO
    fuse.WEIGH_ALL_UP_TO = semantic.WHOLE_UP_TO = sys.maxsize
    try:
        exact = [_ids(mem, question) for question in asked]
    finally:
        fuse.WEIGH_ALL_UP_TO, semantic.WHOLE_UP_TO = usual
    pairs = [(some, every) for some, every in zip(quick, exact, strict=True) if every]
    return {
        "questions": len(asked),
        "recall_at_10": round(float(np.mean([len({*some} & {*every}) / len(every) for some, every in pairs])), 4),
        "same_first": round(float(np.mean([some[:1] == every[:1] for some, every in pairs])), 4),
        "nothing_found": len(asked) - len(pairs),
    }


def _ids(mem: treering.Treering, question: str) -> list[str]:
    return [hit.memory.id for hit in mem.recall(question)]


# size


def _resident() -> int:
    """Bytes of memory that this process holds; zero where nobody tells."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:"))


def _bytes(thing: Any, seen: set[int] | None = None) -> int:
    """Of all arrays that a thing of ours holds, as far as they are used."""
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return int(thing.nbytes)
    if isinstance(thing, dict):
        return sum(_bytes(one, seen) for one in thing.values()) if _holds_ours(thing.values()) else 0
    if isinstance(thing, list | tuple):
        return sum(_bytes(one, seen) for one in thing) if _holds_ours(thing) else 0
    if type(thing).__module__.startswith("treering."):
        names = [*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())]
        return sum(_bytes(getattr(thing, name, None), seen) for name in names)
    return 0


def _holds_ours(things: Any) -> bool:
    first = next(iter(things), None)
    return isinstance(first, np.ndarray | dict | list | tuple) or type(first).__module__.startswith("treering.")


# telling


def alone(work: Callable[[str, int], T], path: str, count: int) -> T:
    """In a process of its own, so that what it holds is what it needs."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, path, count).result()


def measure(count: int, folder: Path) -> dict[str, Any]:
    path = filled(count, folder)
    told = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return {"memories": count, **told, **alone(ask, str(path), count)}


def filled(count: int, folder: Path) -> Path:
    """A store of that size, filled unless it stands there already."""
    path = folder / f"{count}.db"
    if not path.with_suffix(".json").exists():
        told = alone(fill, str(path), count)
        path.with_suffix(".json").write_text(json.dumps(told), "utf-8")
    return path


def ratios(sizes: dict[str, Any]) -> dict[str, float]:
    """Of the median time at each size to that at the size before."""
    names = sorted(sizes, key=int)
    return {
        f"{more}/{less}": round(sizes[more]["recall"]["p50_ms"] / sizes[less]["recall"]["p50_ms"], 2)
        for less, more in pairwise(names)
    }


JUDGED = """Where a question asks about the present, a judge reads it together with its six best hits (stage `judge`;
some 180 word pieces in one run, on two threads where there are two cores). "Without a judge" is the same store opened
with `judge="none"`. Reading six hits instead of ten, both ways for each question in one process, 3,000 memories,
processor time on a loaded x86_64 with 2 cores: a reading 19 ms instead of 32, a question on average 28, not 36.
A million memories were last measured at commit 0bda85f, without a judge and with fewer weighed: p50 46 ms, p95 59 ms,
first question 63 s without an index beside the file, 1,313 MB."""


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown: list[tuple[str, str, str, str]] = []

    def row(what: str, value: float, unit: str, goal: float | None = None, at_most: bool = True) -> None:
        met = "" if goal is None else "met" if (value <= goal if at_most else value >= goal) else "NOT MET"
        wanted = "" if goal is None else f"{'≤' if at_most else '≥'} {goal:,g} {unit}".strip()
        shown.append((what, f"{value:,g} {unit}".strip(), wanted, met))

    for name, size in told["sizes"].items():
        count = int(name)
        goals = GOALS.get(count, {})
        of = f"{count:,}: "
        row(of + "recall, p50", size["recall"]["p50_ms"], "ms", goals.get("p50"))
        row(of + "recall, p95", size["recall"]["p95_ms"], "ms", goals.get("p95"))
        row(of + "without a judge, p50", size["unjudged"]["p50_ms"], "ms", goals.get("unjudged"))
        row(of + "with a rare tag, p50", size["rare_tag"]["p50_ms"], "ms")
        row(of + "in one session, p50", size["small_session"]["p50_ms"], "ms")
        row(of + "right after a write, p50", size["after_a_write"]["p50_ms"], "ms")
        row(of + "first question after opening", size["first_question_seconds"], "s")
        row(of + "resident", size["resident_mb"], "MB", goals.get("resident_mb"))
        row(of + "arrays of the index", size["index_arrays_mb"], "MB")
        row(of + "file size a memory, vectors included", size["bytes_per_memory"], "bytes", 3_000)
        row(of + "the ten nearest, found", size["nearest"]["recall_at_10"], "", 0.99, False)
        if "hits" in size:
            row(of + "hits as when all are weighed", size["hits"]["recall_at_10"], "", 0.98, False)
    for pair, ratio in told["ratios"].items():
        row(f"time({pair.replace('/', ')/time(')})", ratio, "", 3 if pair == "1000000/100000" else None)
    return shown


GOALS: dict[int, dict[str, float]] = {
    10_000: {"p50": 10},
    100_000: {"p50": 15, "p95": 25, "resident_mb": 400},
    1_000_000: {"p50": 40, "resident_mb": 2_048},
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    options.add_argument("--million", action="store_true", help="a million as well: takes some ten minutes more")
    options.add_argument("--try", action="store_true", dest="only_try", help="do not write the figures down")
    options.add_argument("--keep", type=Path, help="a folder to keep the filled stores in, for the next time")
    options.add_argument("--fill", action="store_true", help="only fill the stores of --keep")
    given = options.parse_args()
    sizes: dict[str, Any] = {}
    counts = [*given.sizes, *([MILLION] if given.million else [])]
    with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
        place = given.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for count in counts:
            if given.fill:
                print(filled(count, place), flush=True)
            else:
                sizes[str(count)] = measure(count, place)
                print(f"{count:,}: {sizes[str(count)]}", flush=True)
    if given.fill:
        return
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    told = {"sizes": sizes, "ratios": ratios(sizes), "load_average": load}
    print("\n" + record.table(rows(told)))
    print(f"\nload of the machine {load}")
    if not given.only_try:
        print(f"written to {record.write('speed_recall', told)}")


if __name__ == "__main__":
    main()

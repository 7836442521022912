"""What do all embedders share? Small batches of like length, a memory for repeated text.

How a batch becomes vectors is not known here: that is the function an embedder hands in.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from treering.errors import Fault, InvalidRequest, Unsupported
from treering.mind.contract import PARTS, Passage

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

T = TypeVar("T")
Given = TypeVar("Given", str, Passage)
Read = TypeVar("Read")

CHARACTERS_READ = 16_384  # far more than any model's reach; keeps a pasted book from being tokenised to its end
SHORTEST_NORM = 1e-12
MOST_LANES = 4
CACHED_TEXTS = 1_024
"""Two kilobytes each. What is read twice is read twice soon: of more than this a server that is asked something new
each time has no use, and grows by them for as long as it takes to be asked so often."""


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How much is read at once. A batch holds no more than `characters_per_batch` when all its texts are as long as
    its longest, or a single text. `lanes` batches run side by side, each on a thread of its own. `cached_texts` 0 keeps
    nothing; a passage counts as many texts as it has vectors."""

    texts_per_batch: int = 8
    characters_per_batch: int = 32_768
    lanes: int = 1
    cached_texts: int = CACHED_TEXTS

    def __post_init__(self) -> None:
        for field, least in (("texts_per_batch", 1), ("characters_per_batch", 1), ("lanes", 1), ("cached_texts", 0)):
            if getattr(self, field) < least:
                raise InvalidRequest(f"{field}: {getattr(self, field)} is less than {least}")


class VectorCache:
    """The vectors of the texts and passages met last, at most `limit` vectors in all. Any thread may ask."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.hits = 0
        self._kept: OrderedDict[Hashable, Vectors] = OrderedDict()
        self._vectors = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, read: Hashable) -> Vectors | None:
        with self._lock:
            found = self._kept.get(read)
            if found is not None:
                self._kept.move_to_end(read)
                self.hits += 1
            return found

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()
            self._vectors = 0

    def keep(self, read: Hashable, found: Vectors) -> None:
        with self._lock:
            if read in self._kept:
                self._vectors -= _count(self._kept.pop(read))
            # a copy: a row that is only a view would keep its whole matrix alive
            self._kept[read] = found.copy()
            self._vectors += _count(found)
            while self._vectors > self.limit:
                self._vectors -= _count(self._kept.popitem(last=False)[1])


def _count(found: Vectors) -> int:
    return 1 if found.ndim == 1 else len(found)


class Batches:
    """Embeds any number of texts by way of `read`, which turns one small batch into as many rows, and of passages by
    way of `look`, which turns a batch into the arrays of `Embedder.embed_passages`. Without `look` a passage has the
    row of the whole and no other."""

    def __init__(
        self,
        dims: int,
        read: Callable[[list[str]], Vectors],
        policy: BatchPolicy,
        look: Callable[[list[Passage]], list[Vectors]] | None = None,
    ) -> None:
        self.cache = VectorCache(policy.cached_texts)
        self._dims = dims
        self._read = read
        self._policy = policy
        self._look = look
        self._pool: tuple[int, ThreadPoolExecutor | None] = 0, None

    def embed(self, texts: Sequence[str]) -> Vectors:
        if isinstance(texts, str):
            raise InvalidRequest("texts: one string was given where a list of strings belongs")
        wanted = [readable(text) for text in texts]
        known = self._known(wanted, self._rows, str)
        rows = np.empty((len(wanted), self._dims), np.float32)
        for place, text in enumerate(wanted):
            rows[place] = known[text]
        return rows

    def embed_one(self, text: str) -> Vectors:
        row: Vectors = self.embed([text])[0]
        return row

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        if isinstance(passages, str | Passage):
            raise InvalidRequest("passages: one was given where a list of passages belongs")
        look = self._look
        if look is None:
            return [row[np.newaxis] for row in self.embed([_whole(passage) for passage in passages])]
        wanted = [_readable(passage) for passage in passages]
        known = self._known(wanted, lambda batch: self._arrays(batch, look(batch)), _whole)
        return [known[passage].copy() for passage in wanted]

    def _known(
        self, wanted: list[Given], work: Callable[[list[Given]], Iterable[Vectors]], text_of: Callable[[Given], str]
    ) -> dict[Given, Vectors]:
        """The vectors of all that is wanted, from memory or read now."""
        found = {each: self.cache.find(each) for each in dict.fromkeys(wanted)}
        known = {each: vectors for each, vectors in found.items() if vectors is not None}
        missing = {each: text_of(each) for each in found if each not in known}
        batches = self._cut(dict(sorted(missing.items(), key=lambda item: (len(item[1]), item[1]))))
        for batch, read in zip(batches, self._run(work, batches), strict=True):
            for each, vectors in zip(batch, read, strict=True):
                known[each] = vectors
                self.cache.keep(each, vectors)
        return known

    def _cut(self, texts: dict[Given, str]) -> list[list[Given]]:
        batches: list[list[Given]] = []
        for each, text in texts.items():
            size = len(batches[-1]) + 1 if batches else 1
            fits = size <= self._policy.texts_per_batch and size * len(text) <= self._policy.characters_per_batch
            if batches and fits:
                batches[-1].append(each)
            else:
                batches.append([each])
        return batches

    def _run(self, work: Callable[[T], Read], batches: list[T]) -> list[Read]:
        if min(self._policy.lanes, len(batches)) <= 1:
            return [work(batch) for batch in batches]
        return list(self._threads().map(work, batches))

    def _threads(self) -> ThreadPoolExecutor:
        """They stay: a turn is told in two or three texts, and threads take long to begin on a machine that is busy. A
        forked process has none of them and begins its own."""
        process, pool = self._pool
        if pool is None or process != os.getpid():
            pool = ThreadPoolExecutor(self._policy.lanes, thread_name_prefix="treering-embed")
            self._pool = os.getpid(), pool
        return pool

    def _rows(self, batch: list[str]) -> Vectors:
        rows = self._read(batch)
        if rows.shape != (len(batch), self._dims):
            raise Fault(f"embedder: {len(batch)} texts gave an array of {rows.shape}, not ({len(batch)}, {self._dims})")
        return unit_rows(rows)

    def _arrays(self, batch: list[Passage], arrays: list[Vectors]) -> list[Vectors]:
        if len(arrays) != len(batch):
            raise Fault(f"embedder: {len(batch)} passages gave {len(arrays)} arrays")
        for rows in arrays:
            if rows.ndim != 2 or not 1 <= len(rows) <= 1 + PARTS or rows.shape[1] != self._dims:
                raise Fault(f"embedder: a passage gave an array of {rows.shape}, not (1 to {1 + PARTS}, {self._dims})")
        return [unit_rows(rows) for rows in arrays]


def default_lanes() -> int:
    """A lane for each core this process may use, within reason."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_LANES)


def readable(text: str) -> str:
    """What of a text a model is given. Half a surrogate pair cannot be encoded and would stop a tokenizer."""
    return text[:CHARACTERS_READ].encode("utf-8", "replace").decode("utf-8")


def _whole(passage: Passage) -> str:
    return passage.lead + passage.text


def _readable(passage: Passage) -> Passage:
    lead = readable(passage.lead)
    return Passage(readable(passage.text)[: CHARACTERS_READ - len(lead)], lead)


def unit_rows(rows: Vectors) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms)) or np.any(norms < SHORTEST_NORM):
        raise Fault("embedder: a vector without direction (zero or not finite); it cannot be compared with others")
    return np.asarray(rows / norms, np.float32)


def package_folder(package: str, extra: str, what: str = "embedder") -> Path:
    """Where an installed package lies, found without running any of it; `Unsupported` names the missing extra."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Unsupported(f"{what} {extra}: it is not installed; run: pip install 'treering[{extra}]'")
    return Path(spec.origin).parent

"""What do all embedders share? Small batches of like length, a memory for repeated text, the check of a data file.

How a batch becomes vectors is not known here: that is the function an embedder hands in.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from treering.errors import Corrupted, Fault, InvalidRequest, Unsupported

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

T = TypeVar("T")

CHARACTERS_READ = 16_384  # far more than any model's reach; keeps a pasted book from being tokenised to its end
SHORTEST_NORM = 1e-12
MOST_LANES = 4


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How much is read at once. A batch holds no more than `characters_per_batch` when all its texts are as long as
    its longest, or a single text. `lanes` batches run side by side, each on a thread of its own. `cached_texts` 0 keeps
    nothing."""

    texts_per_batch: int = 8
    characters_per_batch: int = 32_768
    lanes: int = 1
    cached_texts: int = 4096

    def __post_init__(self) -> None:
        for field, least in (("texts_per_batch", 1), ("characters_per_batch", 1), ("lanes", 1), ("cached_texts", 0)):
            if getattr(self, field) < least:
                raise InvalidRequest(f"{field}: {getattr(self, field)} is less than {least}")


class VectorCache:
    """The vectors of the texts met last, at most `limit` of them. Any thread may ask."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.hits = 0
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, text: str) -> Vectors | None:
        with self._lock:
            vector = self._kept.get(text)
            if vector is not None:
                self._kept.move_to_end(text)
                self.hits += 1
            return vector

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()

    def keep(self, text: str, vector: Vectors) -> None:
        with self._lock:
            # a copy: a row that is only a view would keep its whole matrix alive
            self._kept[text] = vector.copy()
            self._kept.move_to_end(text)
            while len(self._kept) > self.limit:
                self._kept.popitem(last=False)


class Batches:
    """Embeds any number of texts by way of `read`, which turns one small batch into as many rows."""

    def __init__(self, dims: int, read: Callable[[list[str]], Vectors], policy: BatchPolicy) -> None:
        self.cache = VectorCache(policy.cached_texts)
        self._dims = dims
        self._read = read
        self._policy = policy

    def embed(self, texts: Sequence[str]) -> Vectors:
        if isinstance(texts, str):
            raise InvalidRequest("texts: one string was given where a list of strings belongs")
        wanted = [readable(text) for text in texts]
        known = {text: self.cache.find(text) for text in dict.fromkeys(wanted)}
        self._fill(known)
        rows = np.empty((len(wanted), self._dims), np.float32)
        for place, text in enumerate(wanted):
            rows[place] = known[text]
        return rows

    def embed_one(self, text: str) -> Vectors:
        row: Vectors = self.embed([text])[0]
        return row

    def _fill(self, known: dict[str, Vectors | None]) -> None:
        missing = sorted((text for text, vector in known.items() if vector is None), key=lambda text: (len(text), text))
        batches = self._cut(missing)
        for batch, rows in zip(batches, self._run(batches), strict=True):
            for text, row in zip(batch, rows, strict=True):
                known[text] = row
                self.cache.keep(text, row)

    def _cut(self, texts: list[str]) -> list[list[str]]:
        batches: list[list[str]] = []
        for text in texts:
            size = len(batches[-1]) + 1 if batches else 1
            fits = size <= self._policy.texts_per_batch and size * len(text) <= self._policy.characters_per_batch
            if batches and fits:
                batches[-1].append(text)
            else:
                batches.append([text])
        return batches

    def _run(self, batches: list[list[str]]) -> Sequence[Vectors]:
        lanes = min(self._policy.lanes, len(batches))
        if lanes <= 1:
            return [self._checked(batch) for batch in batches]
        with ThreadPoolExecutor(lanes, thread_name_prefix="treering-embed") as pool:
            return list(pool.map(self._checked, batches))

    def _checked(self, batch: list[str]) -> Vectors:
        rows = self._read(batch)
        if rows.shape != (len(batch), self._dims):
            raise Fault(f"embedder: {len(batch)} texts gave an array of {rows.shape}, not ({len(batch)}, {self._dims})")
        return unit_rows(rows)


class Once(Generic[T]):
    """A value made at its first use, by one thread while the others wait. A failed making is tried again."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.Lock()

    def get(self) -> T:
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]


def default_lanes() -> int:
    """A lane for each core this process may use, within reason."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_LANES)


def readable(text: str) -> str:
    """What of a text a model is given. Half a surrogate pair cannot be encoded and would stop a tokenizer."""
    return text[:CHARACTERS_READ].encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: Vectors) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms)) or np.any(norms < SHORTEST_NORM):
        raise Fault("embedder: a vector without direction (zero or not finite); it cannot be compared with others")
    return np.asarray(rows / norms, np.float32)


def package_folder(package: str, extra: str) -> Path:
    """Where an installed package lies, found without running any of it; `Unsupported` names the missing extra."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Unsupported(f"embedder {extra}: it is not installed; run: pip install 'treering[{extra}]'")
    return Path(spec.origin).parent


def check_digest(path: Path, expected: str) -> None:
    """`Corrupted` unless the file is the one expected. A file unchanged since its last check is not read again."""
    try:
        state = path.stat()
        found = _sha256(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise Corrupted(f"{path} cannot be read ({error.strerror}); reinstall the package it belongs to") from error
    if found != expected:
        raise Corrupted(
            f"{path} is not the file expected: sha256 {found}, expected {expected}; reinstall the package it belongs to"
        )


@lru_cache(maxsize=64)
def _sha256(path: Path, size: int, changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

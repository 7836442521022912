"""A store of your own: journals and vectors in one file of JSON lines, written anew at every change.

Too slow for more than a few thousand memories, and whole: everything Treering does works on it. What a store must write
first are the eleven methods below; the rest of the contract follows from them (docs/concepts/write-a-store.md).
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import tempfile
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from treering import Treering
from treering.model.embedding import Embedded
from treering.model.journal import Entry, read_line, write_line
from treering.store.contract import Store
from treering.store.reference import JournalStore

Kept = tuple[str, Embedded | None]


class FileStore(JournalStore):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._lock = threading.RLock()
        self._read_at: int | None = None
        self._depth = 0
        self._entries: dict[str, list[Entry]] = {}
        self._vectors: list[Kept] = []
        self._read()

    def journal_names(self) -> list[str]:
        with self._lock:
            self._read()
            return sorted(self._entries)

    def journal(self, space: str) -> Sequence[Entry]:
        with self._lock:
            self._read()
            return tuple(self._entries.get(space, ()))

    def places(self) -> Sequence[Kept]:
        with self._lock:
            self._read()
            return tuple(self._vectors)

    def put_entry(self, entry: Entry) -> None:
        self._entries.setdefault(entry.space, []).append(entry)

    def put_cut(self, entry: Entry) -> None:
        self._entries[entry.space][entry.seq - 1] = entry

    def put_vectors(self, space: str, vectors: Sequence[Embedded]) -> None:
        self._vectors += [(space, one) for one in vectors]

    def drop_places(self, places: Collection[int]) -> None:
        for place in places:
            self._vectors[place] = (self._vectors[place][0], None)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One lock for threads, one for processes; the file is replaced whole when all went well."""
        with self._lock, self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._read()
            self._depth += 1
            try:
                yield
                self._write()
            except BaseException:
                self._read_at = None  # what was put is not in the file
                raise
            finally:
                self._depth -= 1

    def empty_twin(self) -> Store:
        return FileStore(Path(tempfile.mkdtemp()) / "twin.jsonl")

    def describe(self) -> dict[str, Any]:
        size = self._path.stat().st_size if self._path.exists() else 0
        return {"engine": "one file of lines", "url": str(self._path), "bytes": size}

    def close(self) -> None:
        """Everything is in the file already."""

    def _read(self) -> None:
        """If another process has written since."""
        changed = self._path.stat().st_mtime_ns if self._path.exists() else 0
        if self._depth or changed == self._read_at:
            return
        self._entries, self._vectors = {}, []
        for line in self._path.read_text("utf-8").splitlines() if changed else ():
            kept = json.loads(line)
            if isinstance(kept, list):
                space, *vector = kept
                made = Embedded(vector[0], vector[1], base64.b64decode(vector[2])) if vector else None
                self._vectors.append((space, made))
            else:
                self.put_entry(read_line(line, str(self._path)))
        self._read_at = changed

    def _write(self) -> None:
        lines = [write_line(entry) for name in sorted(self._entries) for entry in self._entries[name]]
        lines += [json.dumps([space, *_vector(one)]) for space, one in self._vectors]
        beside = self._path.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)
        self._read_at = self._path.stat().st_mtime_ns


def _vector(one: Embedded | None) -> list[str]:
    return [] if one is None else [one.thing_id, one.embedder, base64.b64encode(one.data).decode()]


if __name__ == "__main__":
    path = Path(tempfile.mkdtemp()) / "mine.jsonl"
    with Treering(FileStore(path), space="me") as door:
        door.add("Ada lives in Lisbon", entities=["Ada"], triples=[("Ada", "LIVES_IN", "Lisbon")])
    with Treering(FileStore(path), space="me") as again:
        print([fact.object for fact in again.facts(subject="Ada")])
        print(again.verify().ok)

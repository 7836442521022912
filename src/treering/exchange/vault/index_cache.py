"""WHO holds the indexes of vaults? One a space and vault, in memory once it was asked for, and in a file beside the
store that saves the next process the reading."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from treering.exchange.vault.index import Indexed, IndexedNote, VaultIndex
from treering.exchange.vault.kept import load_index, load_vectors, path_of, save_index, save_vectors
from treering.exchange.vault.place import Vault
from treering.exchange.vault.search import Meaning, NoteHit, read_for_meaning, search
from treering.mind.contract import Embedder
from treering.store.contract import Progress, Store

KEPT_EVERY = 512
"""Sections that are embedded between two times that they are kept."""


@dataclass(slots=True)
class _Held:
    index: VaultIndex
    meanings: dict[str, Meaning]


class VaultIndexCache:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[tuple[str, Path, int], _Held] = {}
        self._lock = threading.RLock()

    def index(self, space: str, vault: Vault, embedder: Embedder | None, progress: Progress) -> Indexed:
        """Brings the index up to date; with an embedder, also what it has not read yet."""
        with self._lock:
            held, told = self._fresh(space, vault, progress)
            if embedder is None:
                return told
            meaning = self._meaning(held, space, vault, embedder)
            for done, of in read_for_meaning(vault, held.index, meaning):
                progress(done, of)
                if meaning.fresh >= KEPT_EVERY:
                    self._keep(space, vault, held)
            embedded = sum(one.hash in meaning.vectors for note in held.index.notes.values() for one in note.sections)
            self._keep(space, vault, held)
            return replace(told, embedded=embedded)

    def search(
        self,
        space: str,
        vault: Vault,
        query: str | None,
        tags: Sequence[str],
        limit: int,
        embedder: Embedder | None,
        may_see: Callable[[IndexedNote], bool],
        beside: Sequence[str],
    ) -> tuple[list[NoteHit], list[float], Indexed]:
        with self._lock:
            held, told = self._fresh(space, vault, lambda done, of: None)
            meaning = None if embedder is None else self._meaning(held, space, vault, embedder)
            hits, shares = search(vault, held.index, query, tags, limit, meaning, may_see, beside)
            self._keep(space, vault, held)
            return hits, shares, told

    def notes_of_memories(self, space: str, vault: Vault) -> dict[str, str]:
        """The paths of the notes that were written for memories, by their ids, wherever they were moved to."""
        with self._lock:
            held, _ = self._fresh(space, vault, lambda done, of: None)
            return {one.memory_id: path for path, one in held.index.notes.items() if one.memory_id is not None}

    def drop(self, space: str) -> None:
        """Lets go of what is in memory for a space."""
        with self._lock:
            self._held = {key: one for key, one in self._held.items() if key[0] != space}

    def _fresh(self, space: str, vault: Vault, progress: Progress) -> tuple[_Held, Indexed]:
        key = space, vault.root, self._store.purges(space)
        held = self._held.get(key)
        if held is None:
            path = self._path(space, vault, "vault")
            self.drop(space)
            held = self._held[key] = _Held(VaultIndex() if path is None else load_index(path), {})
        told = held.index.refresh(vault, progress)
        self._keep(space, vault, held)
        return held, told

    def _meaning(self, held: _Held, space: str, vault: Vault, embedder: Embedder) -> Meaning:
        if embedder.name not in held.meanings:
            path = self._path(space, vault, _what(embedder.name))
            known = {} if path is None else load_vectors(path, embedder.dims)
            held.meanings[embedder.name] = Meaning(embedder, known)
        return held.meanings[embedder.name]

    def _keep(self, space: str, vault: Vault, held: _Held) -> None:
        path = self._path(space, vault, "vault")
        if path is not None and held.index.changed:
            save_index(path, held.index)
            self._unless_purged(space, vault, path)
        for name, meaning in held.meanings.items():
            path = self._path(space, vault, _what(name))
            if path is None or not meaning.fresh:
                continue
            there = {one.hash for note in held.index.notes.values() for one in note.sections}
            meaning.vectors = {digest: row for digest, row in meaning.vectors.items() if digest in there}
            save_vectors(path, meaning.vectors)
            meaning.fresh = 0
            self._unless_purged(space, vault, path)

    def _unless_purged(self, space: str, vault: Vault, path: Path) -> None:
        """What a purge came between may hold its words, and the purge could not see it."""
        name = self._path(space, vault, "vault")
        if name is None or name.name.split(".")[:2] != path.name.split(".")[:2]:
            path.unlink(missing_ok=True)

    def _path(self, space: str, vault: Vault, what: str) -> Path | None:
        folder = self._store.beside()
        return None if folder is None else path_of(folder, space, self._store.purges(space), vault, what)


def _what(embedder: str) -> str:
    return hashlib.sha256(embedder.encode()).hexdigest()[:16] + ".vectors"

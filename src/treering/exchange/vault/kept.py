"""WHERE is a vault's index between two questions? In a file beside the store, which can be deleted at any time.

Like all that lies there it carries its space and how many purges it has seen in its name, so that a purge takes it
along (`store.beside`): a note may quote what is purged. What is damaged is made anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from treering.exchange.vault.index import IndexedNote, IndexedSection, VaultIndex
from treering.exchange.vault.place import Seen, Vault
from treering.store import beside

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

FORMAT = 1
"""Raised by whoever changes what is kept of a note, or how its words are found."""
log = logging.getLogger(__name__)


def path_of(folder: Path, space: str, purges: int, vault: Vault, what: str) -> Path:
    own = hashlib.sha256(str(vault.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return folder / beside.file_name(space, purges, f"{own}.{what}")


def load_index(path: Path) -> VaultIndex:
    """Empty if there is none to be believed."""
    data = _bytes(path)
    if data is None:
        return VaultIndex()
    try:
        held = json.loads(data)
        if held["format"] != FORMAT:
            return VaultIndex()
        return VaultIndex({one[0][0]: _note(one) for one in held["notes"]})
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        log.warning("%s is not used, the vault is indexed anew: %s", path, error)
        return VaultIndex()


def save_index(path: Path, index: VaultIndex) -> None:
    text = json.dumps({"format": FORMAT, "notes": [_row(one) for one in index.notes.values()]}, ensure_ascii=False)
    _replace(path, lambda file: file.write(text.encode()))
    index.changed = False


def _row(one: IndexedNote) -> list[Any]:
    seen = [one.seen.path, one.seen.mtime_ns, one.seen.size, one.seen.inode]
    sections = [[s.heading, s.start, s.end, s.length, s.hash, s.counts] for s in one.sections]
    return [seen, one.checked_ns, one.hash, one.title, one.tags, one.memory_id, one.space, sections]


def _note(one: list[Any]) -> IndexedNote:
    seen, checked, digest, title, tags, memory_id, space, sections = one
    return IndexedNote(
        Seen(*seen), checked, digest, title, tuple(tags), memory_id, space, tuple(IndexedSection(*s) for s in sections)
    )


# vectors


def load_vectors(path: Path, dims: int) -> dict[str, Vectors]:
    import io

    import numpy as np

    data = _bytes(path)
    if data is None:
        return {}
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as held:
            hashes, vectors = held["hashes"], held["vectors"].astype(np.float32)
        if vectors.shape != (len(hashes), dims):
            return {}
        return {one.decode(): vector for one, vector in zip(hashes.tolist(), vectors, strict=True)}
    except Exception as error:  # numpy raises what the bytes make it raise
        log.warning("%s is not used, sections are embedded anew: %s", path, error)
        return {}


def save_vectors(path: Path, vectors: dict[str, Vectors]) -> None:
    import numpy as np

    hashes = np.array([one.encode() for one in vectors], dtype="S32")
    stacked = np.stack(list(vectors.values())).astype(np.float16)
    _replace(path, lambda file: np.savez(file, hashes=hashes, vectors=stacked))


# files


def _bytes(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read() if beside.is_ours(os.fstat(file.fileno())) else None
    except FileNotFoundError:
        return None
    except OSError as error:
        log.warning("%s cannot be read: %s", path, error)
        return None


def _replace(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Whole, or not at all; nothing depends on it, so what cannot be kept is only told."""
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        beside.make(path.parent)
        with os.fdopen(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            write(file)
        unfinished.replace(path)
    except OSError as error:
        log.warning("%s cannot be kept: %s", path, error)
    finally:
        unfinished.unlink(missing_ok=True)

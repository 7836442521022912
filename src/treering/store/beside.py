"""What may lie beside a store? Files that can be made anew from it at will, and how they go when they must.

Each carries in its name its space (as a digest) and how many purges of that space it has seen:

    work.db.index/  <space>.<purges>.<what>

so that a store can remove what may still hold purged words without knowing what the files are. What is being written
carries the same name from its first byte on, hence none escapes.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

_STAMP = "anew"


def key_of(space: str) -> str:
    return hashlib.sha256(space.encode()).hexdigest()[:32]


def file_name(space: str, purges: int, what: str) -> str:
    return f"{key_of(space)}.{purges}.{what}"


def sweep(folder: Path, seen: Mapping[str, int], and_strangers: bool = False) -> bool:
    """Removes what has not seen all purges of its space (`seen`: how many there are, by the space's key), and if asked
    what belongs to none of these spaces. False if something could not be removed."""
    try:
        # again until nothing is found: a file may get its final name between the look and the removal
        while stale := [path for path in _files(folder) if _is_stale(path, seen, and_strangers)]:
            for path in stale:
                path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from (path for path in folder.iterdir() if not path.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return


def _is_stale(path: Path, seen: Mapping[str, int], and_strangers: bool) -> bool:
    key, _, rest = path.name.partition(".")
    number = rest.partition(".")[0]
    if rest == _STAMP:
        return False
    if key not in seen:
        return and_strangers
    return not number.isdigit() or int(number) < seen[key]


def stamp(folder: Path | None, space: str) -> str:
    """Changes when everything about the space is to be made anew; empty as long as it never was."""
    return "" if folder is None else read_stamp(stamp_file(folder, space))


def stamp_file(folder: Path, space: str) -> Path:
    return folder / f"{key_of(space)}.{_STAMP}"


def read_stamp(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError:
        return ""


def start_anew(folder: Path, space: str) -> None:
    """Whatever was made from this space before now is not to be used any more, nor written by who still has it."""
    make(folder)
    new = folder / f"{key_of(space)}.{secrets.token_hex(8)}.new"
    new.write_text(secrets.token_hex(16))
    new.replace(folder / f"{key_of(space)}.{_STAMP}")
    sweep(folder, {key_of(space): sys.maxsize})


def make(folder: Path) -> None:
    """It belongs to its owner alone, as the store does."""
    folder.mkdir(mode=0o700, exist_ok=True)


def is_ours(status: os.stat_result) -> bool:
    """Whether a file was written by who runs this process: in a folder of many, anybody may put one there."""
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()

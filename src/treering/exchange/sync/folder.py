"""How do stores meet in a folder? Each lays its journal there in a file of its own and reads those of the others: a
folder that some other program carries between machines is enough, and nobody writes to another's file.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from treering.errors import InvalidRequest, Unavailable
from treering.model.journal import Entry, read_line, write_line
from treering.store.contract import Store

ENDING = ".journal"
_PAPER = "sync"


def others(store: Store, folder: Path, space: str) -> list[Path]:
    """The journals that other stores have laid there."""
    own = _own(store, folder, space)
    place = _place(folder, space)
    return sorted(one for one in place.glob(f"*{ENDING}") if one.name != own) if place.is_dir() else []


def publish(store: Store, folder: Path, space: str) -> int:
    """Lays this store's journal there, whole or not at all; answers how many entries. What was purged since it was last
    laid there is not in it any more."""
    place = _place(folder, space)
    try:
        place.mkdir(parents=True, exist_ok=True)
        target = place / _own(store, folder, space)
        part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        count = 0
        try:
            with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                for entry in store.entries(space):
                    file.write(write_line(entry) + "\n")
                    count += 1
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        said = f"place: {folder} cannot be written to ({error.strerror}); what was taken over stays"
        raise Unavailable(said) from error
    return count


def must_be_a_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise InvalidRequest(
            f"place: {folder} is no folder; make it first, or give the address of a server (https://…)"
        )


def _place(folder: Path, space: str) -> Path:
    return folder.joinpath(*space.split("/"))


def _own(store: Store, folder: Path, space: str) -> str:
    """The name of this store's file. A store whose file was copied to another machine has a twin of the same name: who
    finds there what it did not write takes a new one."""
    paper = store.drawer.get(_PAPER, space)
    name = str(paper.value["name"]) if paper else ""
    if name and _is_ours(store, _place(folder, space) / name, space):
        return name
    fresh = f"{secrets.token_hex(8)}{ENDING}"
    kept = store.drawer.put(_PAPER, space, {"name": fresh}, version=paper.version if paper else 0)
    if kept is None:
        raise Unavailable(f"space: {space!r} is being exchanged by another process of this store; try again")
    return fresh


def _is_ours(store: Store, path: Path, space: str) -> bool:
    last = _last_line(path)
    if last is None:
        return True
    here = next(iter(store.entries(space, after=last.seq - 1, limit=1)), None)
    return here is not None and here.hash == last.hash


def _last_line(path: Path) -> Entry | None:
    if not path.exists():
        return None
    last = b""
    with path.open("rb") as file:
        for line in _whole(file):
            last = line
    return read_line(last.decode(), str(path)) if last else None


def _whole(file: Iterator[bytes]) -> Iterator[bytes]:
    return (line for line in file if line.endswith(b"\n") and line.strip())

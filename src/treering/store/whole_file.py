"""How does a file come into being whole, or not at all? It is written under another name beside its place, and gets its
own when all of it is there. Who is killed meanwhile leaves a `.part`, which nobody takes for the file.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treering.errors import Conflict, InvalidRequest

_OF_THE_ENGINE = ("", "-journal", "-wal", "-shm")
"""What SQLite may lay beside a file."""


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """An empty file to write to, its owner's alone. Conflict if the name is taken, also if that happens meanwhile."""
    target = Path(path).absolute()
    if os.path.lexists(target):
        raise _taken(target)
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise InvalidRequest(f"path: {target} cannot be made ({error.strerror}); give another path") from error
    try:
        yield part
        _give_its_name(part, target)
    finally:
        for suffix in _OF_THE_ENGINE:
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def must_be_new(path: Path) -> None:
    """Before there is anything to write: the name is free, and in a folder."""
    target = Path(path).absolute()
    if os.path.lexists(target):
        raise _taken(target)
    if not target.parent.is_dir():
        raise InvalidRequest(f"path: {target} cannot be made (there is no folder {target.parent}); give another path")


def _give_its_name(part: Path, target: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        try:
            os.link(part, target)
        except FileExistsError:
            raise
        except OSError:  # no links on this file system: the name is taken first, and never anybody else's
            os.close(os.open(target, os.O_CREAT | os.O_EXCL, 0o600))
            part.replace(target)
    except FileExistsError:
        raise _taken(target) from None
    except OSError as error:
        raise InvalidRequest(f"path: {target} cannot be made ({error.strerror}); give another path") from error


def _taken(target: Path) -> Conflict:
    return Conflict(f"{target}: exists already; a backup never overwrites. Give another path")

"""Who has named a file? Three types that are not each other, so that a name which came over a wire is never taken for
a place on this machine.

Plain text and `pathlib.Path` are places on disk, named by somebody who works on this machine: in Python and on the
command line. `Sent` is a file that somebody sent: its bytes and what it is called, never where it lies. `Scratch` is a
file that a server has made itself for one request. A door for others (`Treering.from_afar`) takes the last two alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

from treering.errors import Forbidden
from treering.values import dataclass

OnDisk = str | Path
"""A place on this machine, in the words of somebody who works on it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The bytes of a file, and what its sender calls it: a name without folders, which tells the kind of the file."""

    data: bytes
    name: str | None = None

    def __post_init__(self) -> None:
        data: object = self.data
        if not isinstance(data, bytes):
            raise Forbidden("file: what is sent is the file itself, not the name of one")
        if self.name is not None:
            object.__setattr__(self, "name", last_part(self.name))


@dataclass(frozen=True, slots=True)
class Scratch:
    """A file in a folder of its own that goes with the request. It is made by `scratch` and nowhere else."""

    folder: tempfile.TemporaryDirectory[str]
    name: str

    def __post_init__(self) -> None:
        folder: object = self.folder
        if not isinstance(folder, tempfile.TemporaryDirectory) or last_part(self.name) != self.name:
            raise Forbidden("path: a server writes to files that it has made itself, and to no others")

    @property
    def path(self) -> Path:
        return Path(self.folder.name) / self.name

    def remove(self) -> None:
        self.folder.cleanup()


FROM_AFAR = (Sent, Scratch)
"""What may stand for a file where the caller is elsewhere."""


def new_scratch(name: str) -> Scratch:
    """In a folder that nobody else can read; whoever asked for it removes it."""
    return Scratch(tempfile.TemporaryDirectory(prefix="treering-"), name)


@contextmanager
def scratch(name: str) -> Iterator[Scratch]:
    made = new_scratch(name)
    try:
        yield made
    finally:
        made.remove()


def last_part(name: str) -> str | None:
    """What a file is called without its folders, by whatever system they were written; nothing if that is no name."""
    last = PurePath(name.replace("\\", "/")).name
    return last if last not in ("", ".", "..") and "\x00" not in last else None


def must_be_sent(given: object, parameter: str) -> None:
    """Refuses all that could name a file of this machine; the answer is the same whether or not it is there."""
    if given is not None and not isinstance(given, FROM_AFAR):
        raise Forbidden(
            f"{parameter}: names a file or folder of the server, which nobody elsewhere may do; send the file itself, "
            "or leave it out"
        )

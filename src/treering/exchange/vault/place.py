"""WHERE do notes lie? Inside one folder, the vault. Nothing outside of it is read or written, whatever a path or a link
says: links are not followed, and what was opened is compared with what was seen."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path, PurePosixPath, PureWindowsPath

from treering.errors import Forbidden, InvalidRequest
from treering.model import limits
from treering.model.value import Value
from treering.values import dataclass

SUFFIXES = (".md", ".markdown")
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Unreadable(Exception):
    """A note that cannot be read, and why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A note as its folder shows it; `path` is from the vault, with `/` on every system."""

    path: str
    mtime_ns: int
    size: int
    inode: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Unread(Value):
    """A file of the vault that was passed over, and why."""

    path: str
    why: str


@dataclass(slots=True)
class Vault:
    """`root` is the folder itself, by whatever link it was named."""

    root: Path
    passed: list[Unread] = field(default_factory=list)
    """What the last walk passed over."""

    @classmethod
    def opened(cls, path: str | Path) -> Vault:
        try:
            root = Path(path).expanduser().resolve(strict=True)
            is_folder = root.is_dir()
        except (OSError, RuntimeError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise InvalidRequest(
                f"vault: {path} cannot be opened ({why}); give the folder of an Obsidian vault"
            ) from None
        if not is_folder:
            raise InvalidRequest(f"vault: {path} is a file; give the folder of an Obsidian vault")
        return cls(root)

    def notes(self) -> Iterator[Seen]:
        """Every note, folder by folder in the order of their names. Hidden ones (`.obsidian`, `.trash`) are none."""
        self.passed = []
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            below: list[str] = []
            for entry in self._entries(folder):
                path = f"{folder}{entry.name}"
                if entry.name.startswith("."):
                    continue
                if entry.is_symlink():
                    self._link(path)
                elif entry.is_dir(follow_symlinks=False):
                    below.append(f"{path}/")
                elif path.lower().endswith(SUFFIXES):
                    yield from self._note(path, entry)
            waiting += reversed(below)

    def read(self, seen: Seen) -> bytes:
        """The bytes of a note, if it still is the file that was seen."""
        try:
            opened = os.open(self.root / seen.path, _OPEN)
        except OSError as error:
            raise Unreadable(error.strerror or str(error)) from None
        with os.fdopen(opened, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or (seen.inode and found.st_ino != seen.inode):
                raise Unreadable("it was replaced while it was read")
            try:
                data = file.read(limits.NOTE_BYTES + 1)
            except OSError as error:
                raise Unreadable(error.strerror or str(error)) from None
        if len(data) > limits.NOTE_BYTES:
            raise Unreadable(f"it has more than {limits.NOTE_BYTES:,} bytes, the most that are read; split it")
        return data

    def folder(self, inside: str, make: bool = True) -> Path:
        """A folder of the vault, made if it is not there and `make` says so. Forbidden if it would lie elsewhere."""
        parts = PurePosixPath(inside.replace("\\", "/")).parts
        if PureWindowsPath(inside).drive or PurePosixPath(inside).is_absolute() or ".." in parts:
            raise Forbidden(f"folder: {inside!r} leads out of the vault; name a folder inside {self.root}")
        place = self.root
        for part in parts:
            place = place / part
            try:
                if make:
                    place.mkdir(exist_ok=True)
            except OSError as error:
                raise InvalidRequest(f"folder: {place} cannot be made ({error.strerror}); give another") from None
            if not place.resolve().is_relative_to(self.root):
                raise Forbidden(f"folder: {inside!r} is a link that leads out of the vault; name another folder")
        return place

    # what lies in a folder

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self.root / folder) as found:
                return sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self.passed.append(Unread(folder or ".", error.strerror or str(error)))
            return []

    def _note(self, path: str, entry: os.DirEntry[str]) -> Iterator[Seen]:
        try:
            found = entry.stat(follow_symlinks=False)
            path.encode()
        except (OSError, UnicodeEncodeError):
            self.passed.append(Unread(path.encode("utf-8", "replace").decode(), "its name cannot be read"))
            return
        if not stat.S_ISREG(found.st_mode):
            self.passed.append(Unread(path, "it is no file"))
            return
        # of a folder's entry Windows gives no inode
        yield Seen(path, found.st_mtime_ns, found.st_size, found.st_ino)

    def _link(self, path: str) -> None:
        """Where it leads inside the vault, the note is met under its own name."""
        target = (self.root / path).resolve()
        if not target.is_relative_to(self.root):
            self.passed.append(Unread(path, "it is a link that leads out of the vault"))

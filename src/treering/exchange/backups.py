"""Where do backups lie, and when is it time for the next? In one folder, named by when they were made, as many as are
to be kept; the oldest go when a newer one is there and was verified. Of several servers of a store one makes it: whose
turn it is stands in the store's drawer.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest, NotFound
from treering.exchange import sealing
from treering.model.time import to_text, utc_or_none
from treering.model.value import Value
from treering.store.drawer import Drawer, Paper
from treering.store.whole_file import written_whole
from treering.values import dataclass

KIND, PAPER = "backup", "schedule"
SEALED, PLAIN = ".db.sealed", ".db"
WORKING = ".treering-"
"""How the folders begin in which copies are made."""
LEASE = timedelta(hours=6)
"""Whoever has been at a backup for so long has died: another may begin."""
RETRY = timedelta(minutes=15)
"""After one that failed; never later than the next would be."""
_NAME = re.compile(r"treering-(\d{8}T\d{6}Z)(?:-\d+)?(\.db(?:\.sealed)?)")


@dataclass(frozen=True, slots=True)
class BackupPolicy:
    """Where to, how often, how many to keep, and the file that holds the passphrase they are sealed with."""

    folder: str = ""
    hours: float = 24.0
    keep: int = 14
    passphrase_file: str = field(default="", repr=False)

    def place(self) -> Path:
        if not self.folder:
            raise InvalidRequest("backups: no folder is set up; TREERING_BACKUPS names one")
        place = Path(self.folder).expanduser()
        if not place.is_dir():
            raise InvalidRequest(f"TREERING_BACKUPS: {place} is not a folder; make it, for its owner alone (mode 700)")
        return place

    def passphrase(self) -> str | None:
        """The first line of its file."""
        if not self.passphrase_file:
            return None
        try:
            lines = Path(self.passphrase_file).expanduser().read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidRequest(
                f"TREERING_BACKUP_PASSPHRASE_FILE: {self.passphrase_file} cannot be read ({error})"
            ) from error
        return sealing.must_be_long(lines[0].strip() if lines else "")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BackupMade(Value):
    """A backup, how large it is and the SHA-256 of its bytes. `entries`: how many it holds of all journals; `verified`:
    whether its chains, signatures and rows were checked after it was made."""

    path: str
    bytes: int
    sha256: str
    sealed: bool
    spaces: int
    entries: int
    verified: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BackupFound(Value):
    """A backup of the folder, by its name."""

    name: str
    made_at: datetime
    bytes: int
    sealed: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BackupRun(Value):
    """Whether it was time, and what came of it. `removed` are those that were more than are kept."""

    ran: bool
    reason: str
    next_at: datetime | None = None
    backup: BackupMade | None = None
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Schedule(Value):
    """What is known of the latest: when it began, when one last went well, and what went wrong since."""

    began_at: datetime | None = None
    ended_at: datetime | None = None
    made_at: datetime | None = None
    name: str | None = None
    bytes: int = 0
    error: str | None = None

    def is_running(self, now: datetime) -> bool:
        return self.began_at is not None and self.ended_at is None and self.began_at <= now < self.began_at + LEASE

    def next_at(self, hours: float) -> datetime | None:
        """None is now."""
        if self.began_at is None or self.ended_at is None:
            return None
        pause = timedelta(hours=hours)
        return self.began_at + (min(pause, RETRY) if self.error else pause)


def schedule(drawer: Drawer) -> Schedule:
    return _read(drawer.get(KIND, PAPER))


def _read(paper: Paper | None) -> Schedule:
    kept: Any = {} if paper is None else paper.value
    times = {one: utc_or_none(kept.get(one), one) for one in ("began_at", "ended_at", "made_at")}
    return Schedule(**times, name=kept.get("name"), bytes=kept.get("bytes", 0), error=kept.get("error"))


def take_turn(drawer: Drawer, now: datetime, policy: BackupPolicy, force: bool) -> tuple[bool, BackupRun]:
    """Whether this process is to make one now; if not, why."""
    paper = drawer.get(KIND, PAPER)
    last = _read(paper)
    if last.is_running(now):
        assert last.began_at is not None
        return False, BackupRun(ran=False, reason="another process is at it", next_at=last.began_at + LEASE)
    due = last.next_at(policy.hours)
    is_to_come = last.began_at is not None and last.began_at > now  # by a clock that was ahead
    if not force and due is not None and due > now and not is_to_come:
        return False, BackupRun(ran=False, reason="it is not time yet", next_at=due)
    kept = {**(paper.value if paper else {}), "began_at": to_text(now), "ended_at": None}
    if drawer.put(KIND, PAPER, kept, version=paper.version if paper else 0) is None:
        return False, BackupRun(ran=False, reason="another process is at it")
    return True, BackupRun(ran=True, reason="it was asked for" if force else "it was time")


def note(drawer: Drawer, now: datetime, made: BackupMade | None, error: str | None = None) -> None:
    """How it ended."""
    paper = drawer.get(KIND, PAPER)
    kept = dict(paper.value) if paper else {}
    kept |= {"ended_at": to_text(now), "error": error}
    if made is not None:
        kept |= {"made_at": to_text(now), "name": Path(made.path).name, "bytes": made.bytes}
    drawer.put(KIND, PAPER, kept, version=paper.version if paper else 0)


# the folder


def new_name(folder: Path, now: datetime, sealed: bool) -> Path:
    stem, ending = f"treering-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}", SEALED if sealed else PLAIN
    for more in ("", *(f"-{number}" for number in range(2, 100))):
        if not any(os.path.lexists(folder / f"{stem}{more}{one}") for one in (SEALED, PLAIN)):
            return folder / f"{stem}{more}{ending}"
    raise InvalidRequest(f"backups: {folder} has a hundred backups of this second; wait a little")


def listed(folder: Path) -> list[BackupFound]:
    """The newest first; what is not named as backups are is not one."""
    found = []
    for path in folder.iterdir():
        named = _NAME.fullmatch(path.name)
        if named and path.is_file() and not path.is_symlink():
            made_at = datetime.strptime(named[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            size = path.stat().st_size
            found.append(BackupFound(name=path.name, made_at=made_at, bytes=size, sealed=named[2] == SEALED))
    return sorted(found, key=lambda one: (one.made_at, one.name), reverse=True)


def newest(folder: Path) -> Path:
    found = listed(folder)
    if not found:
        raise NotFound(f"backups: there is none in {folder} yet; `treering backups run --force` makes one")
    return folder / found[0].name


def sweep(folder: Path, now: datetime) -> None:
    """Removes what a process left that died over a backup: its copy may be plain where backups are sealed."""
    for left in (*folder.glob(f"{WORKING}*"), *folder.glob("treering-*.part*")):
        if datetime.fromtimestamp(left.lstat().st_mtime, UTC) < now - LEASE:
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


def prune(folder: Path, keep: int) -> list[str]:
    """Removes all but the newest; answers which went."""
    gone = [one.name for one in listed(folder)[keep:]]
    for name in gone:
        (folder / name).unlink(missing_ok=True)
    return gone


# files


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def seal_file(plain: Path, target: Path, passphrase: str) -> None:
    """Written whole, and read back: what does not open again is no backup."""
    with written_whole(target) as part:
        with plain.open("rb") as source, part.open("wb") as sealed:
            sealing.seal(source, sealed, passphrase)
        read_back = hashlib.sha256()
        for piece in _opened(part, passphrase):
            read_back.update(piece)
        if read_back.hexdigest() != digest(plain):
            raise InvalidRequest(f"path: {target} did not hold what was written to it; is the disk sound?")


def unseal_file(sealed: Path, target: Path, passphrase: str) -> None:
    with written_whole(target) as part, part.open("wb") as file:
        for piece in _opened(sealed, passphrase):
            file.write(piece)


def _opened(path: Path, passphrase: str) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from sealing.unsealed(file, passphrase, path.name)

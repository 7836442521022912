"""WHERE do hooks and helper meet? A socket that only its owner may use, in a folder beside the user's store, for each
store and set of settings one. Nothing of Treering is loaded here: a hook must answer at once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

_LONGEST_SOCKET = 100
"""What every system takes for the path of a socket."""


class HookFolder:
    """`folder` holds what hooks leave: what was given and taken, how far transcripts were read, events that wait.
    No dataclass: the module that makes them takes as long to load as all the rest."""

    __slots__ = ("folder", "name")

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    @classmethod
    def of(cls, env: Mapping[str, str], url: str | None) -> HookFolder:
        data = env.get("XDG_DATA_HOME") or str(Path(env.get("HOME") or "~").expanduser() / ".local" / "share")
        own = sorted(f"{name}={value}" for name, value in env.items() if name.startswith("TREERING_"))
        told = "\n".join([url or env.get("TREERING_URL") or data, *own])
        return cls(Path(data) / "treering" / "hooks", hashlib.sha256(told.encode()).hexdigest()[:12])

    @property
    def socket(self) -> Path:
        usual = self.folder / f"{self.name}.sock"
        if len(os.fsencode(usual)) <= _LONGEST_SOCKET:
            return usual
        import tempfile

        short = hashlib.sha256(os.fsencode(usual)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"treering-{_user()}" / f"{short}.sock"

    @property
    def port(self) -> Path:
        """Where there are no such sockets: the number of a port of this machine, and the word that opens it."""
        return self.folder / f"{self.name}.port"

    @property
    def lock(self) -> Path:
        return self.folder / f"{self.name}.lock"

    @property
    def shell(self) -> Path:
        """There where a user has asked that commands from a shell go to the helper too; it names the store."""
        return self.folder / f"{self.name}.shell"

    @property
    def waiting(self) -> Path:
        return self.folder / "waiting" / self.name

    @property
    def sessions(self) -> Path:
        return self.folder / "sessions"

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"


def own_folder(folder: Path) -> Path:
    """Made for its owner alone. One that others may write to is refused: a socket there could be anybody's."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if hasattr(os, "getuid"):
        told = folder.stat()
        if told.st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to somebody else")
        if told.st_mode & 0o077:
            folder.chmod(0o700)
    return folder


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")

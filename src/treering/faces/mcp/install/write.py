"""How do a client's settings come to name this server? The change is planned and shown first; the old file is kept
beside the new one, which takes its place at once or not at all.
"""

from __future__ import annotations

import difflib
import os
import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from treering.errors import InvalidRequest, TreeringError, Unavailable
from treering.faces.mcp.install.clients import NAME, AgentClient, Launch, Places
from treering.faces.mcp.install.edit import put
from treering.model.value import Value
from treering.values import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Change(Value):
    """What is to be written to a client's settings; nothing if they say it already."""

    client: str
    path: str
    before: str
    after: str

    @property
    def needed(self) -> bool:
        return self.before != self.after

    def diff(self) -> str:
        old, new = self.before.splitlines(), self.after.splitlines()
        return "\n".join(difflib.unified_diff(old, new, self.path, self.path, lineterm=""))


def this_program(tools: str | None, url: str | None) -> Launch:
    """How a client starts the program that is running now: by its whole path, since clients have no shell's."""
    if url is not None and url.startswith(("http://", "https://")):
        return Launch(address=url)
    beside = Path(sys.executable).with_name("treering.exe" if sys.platform == "win32" else "treering")
    program = (str(beside),) if beside.exists() else (sys.executable, "-m", "treering.faces.cli")
    store = () if url is None else ("--url", _whole(url))
    return Launch((*program, "mcp", *store, *(() if tools is None else ("--tools", tools))))


def _whole(url: str) -> str:
    """A client starts the program in some other folder."""
    return url if "://" in url or url.startswith(":") else str(Path(url).expanduser().absolute())


def planned(client: AgentClient, launch: Launch, places: Places) -> Change:
    path = client.settings(places)
    entry = client.entry(launch)
    try:
        before = read_settings(path) if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest(f"{client.title}: {path} cannot be read ({error}); nothing was changed") from None
    try:
        after = put(before, client.section, NAME, entry)
    except TreeringError as error:
        told = f"{client.title}: {path} cannot be parsed ({error}); mend it first, nothing was changed"
        raise InvalidRequest(told) from None
    return Change(client.name, str(path), before, after)


def read_settings(path: Path) -> str:
    """With the ends of lines as they are."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def written(change: Change, now: datetime) -> str | None:
    """Writes it, and answers where the old settings are kept; None where there were none."""
    path = Path(os.path.realpath(change.path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = _kept(path, now) if path.exists() else None
        _replace(path, change.after)
    except OSError as error:
        raise Unavailable(f"{change.path} cannot be written ({error.strerror}); nothing was changed") from None
    return None if kept is None else str(kept)


def _kept(path: Path, now: datetime) -> Path:
    backup = path.with_name(f"{path.name}.before-treering-{now:%Y%m%dT%H%M%S%f}")
    shutil.copy2(path, backup)
    return backup


def _replace(path: Path, text: str) -> None:
    descriptor, part = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)

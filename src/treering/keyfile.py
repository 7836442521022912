"""Where does an actor keep its key? One file an actor in a folder of the user's own data, readable by nobody else.

A key is made once. Making a new one keeps the old beside it: spaces in which the actor has signed before know only that
one.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from treering.errors import Forbidden, InvalidRequest
from treering.model import limits
from treering.model.identity import Identity
from treering.model.value import Value
from treering.values import dataclass

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KeyFile(Value):
    """An actor's key as others may know it, and the file with the secret; `replaced` is where an older one went."""

    actor: str
    public_key: str
    path: str
    created: bool
    replaced: str | None = None


def key_path(folder: Path, actor: str) -> Path:
    """A name of its own for every actor, also where the file system takes capitals for small letters."""
    name = limits.text(actor, "actor", limits.NAME_CHARS, least=1)
    plain = "".join(one if one in _PLAIN else "".join(f"%{byte:02x}" for byte in one.encode()) for one in name)
    return folder / f"{plain}.key"


def read_key(folder: Path, actor: str) -> Identity | None:
    """The actor's key, if it has one here."""
    path = key_path(folder, actor)
    try:
        secret = path.read_text("ascii")
        open_to = stat.S_IMODE(path.stat().st_mode) & _OTHERS
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest(f"{path}: the key of {actor!r} cannot be read ({error})") from error
    if open_to and os.name == "posix":
        raise Forbidden(f"{path}: the key of {actor!r} can be read by others; run `chmod 600` on it")
    return Identity.from_secret(secret)


def make_key(folder: Path, actor: str, new: bool = False) -> KeyFile:
    """The key that is there, or one made now; `new` makes one in any case."""
    path = key_path(folder, actor)
    known = None if new else read_key(folder, actor)
    if known is not None:
        return KeyFile(actor=actor, public_key=known.public, path=str(path), created=False)
    made = Identity.generate()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = _put_aside(path)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(made.secret() + "\n")
    except OSError as error:
        raise InvalidRequest(f"{path}: cannot be made ({error.strerror}); see that the folder is yours") from error
    return KeyFile(actor=actor, public_key=made.public, path=str(path), created=True, replaced=kept)


def _put_aside(path: Path) -> str | None:
    if not path.exists():
        return None
    aside = next(one for n in range(1, 1000) if not (one := path.with_name(f"{path.name}.{n}")).exists())
    path.rename(aside)
    return str(aside)

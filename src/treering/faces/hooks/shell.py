"""Can the helper do this command? From a shell `treering recall …` loads all of Treering and its models, for a moment's
work. Where the user keeps a helper (`treering helper start`) the words are handed to it, and what it would have printed
is printed here.

Only what Python has at hand is loaded. What names a file, reads standard input or takes long is not handed over; nor is
anything that the helper does not answer: then this process does it, as ever.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treering.faces.hooks.place import HookFolder
from treering.faces.hooks.quick import connected, start
from treering.version import VERSION

UNAVAILABLE = 6
DRAWN_BY = ("COLUMNS", "COLORTERM", "FORCE_COLOR", "LANG", "LC_ALL", "NO_COLOR", "TERM")
"""What a terminal is told by besides its width."""
_REACHED_SECONDS = 0.3
_ANSWERED_SECONDS = 600.0
_NO_VALUE = frozenset({"--json", "--no-color"})
_HERE = frozenset({"-", "-h", "--help", "--actor", "--version"})
"""Words that are about this process, or another person."""


def handed_over(words: Sequence[str], env: Mapping[str, str] | None = None) -> int | None:
    """The exit code, where the helper did it; None where it is to be done here."""
    env = os.environ if env is None else env
    url = url_of(words)
    if any(one in _HERE or one.startswith("--actor=") for one in words) or not _has_a_place(url, env):
        return None
    if env.get("TREERING_LOG"):  # who asks for the log wants it here
        return None
    place = HookFolder.of(env, url)
    try:
        kept = place.shell.read_text("utf-8")
    except OSError:
        return None
    if command_of(words) not in _at_once() or ("://" not in kept and not Path(kept).exists()):
        return None
    return _done_there(place, url, _request(words, env))


def url_of(words: Sequence[str]) -> str | None:
    """The store that is named, by its whole path: the helper is in another folder."""
    said = None
    for at, word in enumerate(words):
        if word == "--":
            break
        if word == "--url" and at + 1 < len(words):
            said = words[at + 1]
        elif word.startswith("--url="):
            said = word.removeprefix("--url=")
    return said if said is None or "://" in said or said.endswith(":") else whole_path(said)


def whole_path(said: str) -> str:
    return str(Path(said).expanduser().absolute())


def command_of(words: Sequence[str]) -> str | None:
    """The first word that is no option of every command."""
    left = iter(words)
    for word in left:
        if word == "--url":
            next(left, None)
        elif word not in _NO_VALUE and not word.startswith("--url="):
            return word
    return None


def _has_a_place(url: str | None, env: Mapping[str, str]) -> bool:
    """Whether it is the same store for whoever is in another folder."""
    named = url or env.get("TREERING_URL")
    return not named or "://" in named or Path(named).is_absolute()


def _at_once() -> frozenset[str]:
    from treering.faces.cli.listed import AT_ONCE, listed

    return frozenset(one.name for one in listed() if one.how == AT_ONCE)


def _request(words: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
    drawn = {name: env[name] for name in DRAWN_BY if name in env}
    if sys.stdout.isatty():
        drawn.setdefault("COLUMNS", str(os.get_terminal_size(sys.stdout.fileno()).columns))
    return {"version": VERSION, "words": list(words), "terminal": sys.stdout.isatty(), "drawn_by": drawn}


def _done_there(place: HookFolder, url: str | None, request: Mapping[str, Any]) -> int | None:
    try:
        wire = connected(place, time.monotonic() + _REACHED_SECONDS)
    except OSError:
        start(place, url)  # for the next one; this one would wait longer for it than for itself
        return None
    with wire:
        try:
            wire.settimeout(_ANSWERED_SECONDS)
            wire.sendall(json.dumps(request).encode() + b"\n")
            with wire.makefile("rb") as lines:
                line = lines.readline()
            answer = json.loads(line)
            if not answer.get("gone"):
                wire.sendall(b"got\n")
        except (OSError, ValueError):
            sys.stderr.write("error: the helper ended before it answered; look whether it was done, then try again\n")
            return UNAVAILABLE
    return None if answer.get("gone") else _printed(answer)


def _printed(answer: Mapping[str, Any]) -> int:
    from treering.faces.cli.exits import NOBODY_READS

    sys.stderr.write(answer["err"])
    try:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        sys.stdout.write(answer["out"])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    return int(answer["exit"])

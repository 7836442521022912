"""`treering hook EVENT`: what a client runs. The event is read from standard input and handed to the helper, and what
the helper answers is printed in the client's own terms.

A person is waiting: only what Python has at hand is loaded, nothing is waited for longer than the event allows, and
whatever goes wrong ends with nothing printed and exit 0. What went wrong is in `treering hooks log`.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treering.faces.hooks.place import HookFolder, own_folder
from treering.version import VERSION

MOMENTS = ("session-start", "prompt", "turn-end", "session-end", "before-compaction")
ANSWERED = frozenset({"session-start", "prompt"})
WAITS = {"session-start": 6.0, "prompt": 0.22}
"""Seconds for the helper to answer; a session may wait for its start, a prompt for hardly anything."""
_HANDING_OVER = 0.15
_MOST_BYTES = 16 << 20
_KEPT_FIELDS = ("session_id", "sessionId", "conversation_id", "transcript_path", "cwd", "workspace_roots", "timestamp")
_USAGE = "usage: treering hook EVENT --client NAME [--url STORE], with the client's event on standard input; EVENT is "


def main(words: Sequence[str]) -> int:
    """Exit 0, whatever happens: other codes mean to a client that it should stop or warn."""
    began = time.monotonic()
    given = _read_words(words)
    if given is None or sys.stdin is None or sys.stdin.isatty():
        sys.stderr.write(_USAGE + ", ".join(MOMENTS) + "\n")
        return 0
    moment, client, url = given
    place = HookFolder.of(os.environ, url)
    try:
        payload = json.loads(sys.stdin.buffer.read(_MOST_BYTES))
        if not isinstance(payload, dict):
            raise ValueError("the event is no JSON object")
        shown = _handled(place, moment, client, url, payload, began)
    except Exception as error:
        shown = ""
        _note(place, {"client": client, "event": moment, "trouble": f"{type(error).__name__}: {error}"[:300]})
    if not shown and client == "cursor":
        shown = "{}"
    if shown:
        sys.stdout.write(shown)
    return 0


def _read_words(words: Sequence[str]) -> tuple[str, str, str | None] | None:
    given = dict(zip(words[1::2], words[2::2], strict=False))
    if not words or words[0] not in MOMENTS or "--client" not in given:
        return None
    return words[0], given["--client"], given.get("--url")


def _handled(
    place: HookFolder, moment: str, client: str, url: str | None, payload: Mapping[str, Any], began: float
) -> str:
    """What is to be printed."""
    waits = WAITS.get(moment, _HANDING_OVER)
    request = {"version": VERSION, "moment": moment, "client": client, "waits": waits, "payload": payload}
    until = began + waits
    answer, is_there = asked(place, request, until)
    if not is_there:
        start(place, url)
    if answer is None:
        if moment == "session-start":
            answer = _asked_when_there(place, request, until)
        elif moment not in ANSWERED:
            _leave(place, request)
            return ""
    if answer is None:
        _note(place, {"client": client, "event": moment, "trouble": "the helper was not ready in time; nothing given"})
        return ""
    return str(answer.get("print") or "")


def asked(place: HookFolder, request: Mapping[str, Any], until: float) -> tuple[dict[str, Any] | None, bool]:
    """None if nobody answers in time; and whether a helper is there. One that is only slow needs no second beside it,
    which would make it slower still."""
    try:
        wire = connected(place, until)
    except (TimeoutError, BlockingIOError):
        return None, True
    except (OSError, ValueError):
        return None, False
    try:
        with wire:
            wire.sendall(json.dumps(request).encode() + b"\n")
            found = bytearray()
            while not found.endswith(b"\n"):
                wire.settimeout(max(until - time.monotonic(), 0.01))
                part = wire.recv(1 << 16)
                if not part:
                    break
                found += part
            if found.endswith(b"\n"):
                wire.sendall(b"got\n")  # only what arrived in time counts as given
        answer = json.loads(found) if found else None
    except (OSError, ValueError):
        return None, True
    if not isinstance(answer, dict) or answer.get("gone"):
        return None, False
    return answer, True


def connected(place: HookFolder, until: float) -> socket.socket:
    left = max(until - time.monotonic(), 0.01)
    if hasattr(socket, "AF_UNIX"):
        wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            wire.settimeout(left)
            wire.connect(str(place.socket))
        except OSError:
            wire.close()
            raise
        return wire
    number, word = place.port.read_text("ascii").split()
    wire = socket.create_connection(("127.0.0.1", int(number)), left)
    wire.sendall(word.encode() + b"\n")
    return wire


def _asked_when_there(place: HookFolder, request: Mapping[str, Any], until: float) -> dict[str, Any] | None:
    while time.monotonic() < until:
        answer, _ = asked(place, request, until)
        if answer is not None:
            return answer
        time.sleep(0.05)
    return None


def start(place: HookFolder, url: str | None) -> None:
    """A helper of its own, that outlives the hook. If two are started at once, one of them leaves again."""
    import subprocess

    own_folder(place.folder)
    command = [sys.executable, "-m", "treering.faces.hooks.helper", *(() if url is None else ("--url", url))]
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": 0x00000008 | 0x00000200}
    null = subprocess.DEVNULL
    subprocess.Popen(command, stdin=null, stdout=null, stderr=null, cwd=str(Path.home()), close_fds=True, **detached)


def _leave(place: HookFolder, request: Mapping[str, Any]) -> None:
    """For the helper, when it is there: which transcript to read, and no words of anybody."""
    payload = {name: value for name, value in request["payload"].items() if name in _KEPT_FIELDS}
    own_folder(place.folder)
    folder = own_folder(place.waiting)
    name = f"{time.time_ns()}-{os.getpid()}"
    part = folder / f".{name}"
    part.write_text(json.dumps({**request, "payload": payload}), "utf-8")
    part.replace(folder / f"{name}.json")


def _note(place: HookFolder, told: Mapping[str, Any]) -> None:
    """In the log that people read; if not even that can be written, there is nobody left to tell."""
    try:
        own_folder(place.folder)
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with place.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": at, **told}) + "\n")
    except OSError:
        return

"""WHO answers hooks at once? A process that has the store open and the space's index in memory. A hook starts it where
it is missing; one at a time serves a store, and it ends when nobody has asked for a while.

It listens at a socket of its owner's own, also for commands of a shell where the user has asked for it
(`treering helper start`). Transcripts are taken in one after the other, and what was promised is done while nobody asks
anything.
"""

from __future__ import annotations

import argparse
import hmac
import json
import os
import queue
import secrets
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treering.errors import TreeringError
from treering.faces.hooks.diary import Diary
from treering.faces.hooks.place import HookFolder, own_folder
from treering.version import VERSION

if TYPE_CHECKING:
    from treering.door import Treering
    from treering.faces.hooks.event import HookEvent
    from treering.settings import Settings

ANSWERED = frozenset({"session-start", "prompt"})
QUIET_SECONDS = 1.0
"""So long nobody has asked anything when a job is begun."""
TWICE_SECONDS = 5.0
"""The same event again within this is one that two of a client's files told of."""
LEAVING_SECONDS = 3
_BEGUN_ANEW = frozenset({"compact", "clear"})
_GOT_SECONDS = 2.0
_MOST_BYTES = 20 << 20


Arrived = Callable[[bool], None]
EventKey = tuple[str, str, str, str]


def _told_by(event: HookEvent) -> EventKey:
    """By what an event is known again: a session may start, and be compacted and start again a moment later."""
    return event.session, event.moment, event.source, event.prompt


def _nobody(in_time: bool) -> None:
    """Where it does not matter whether it arrived."""


class Helper:
    """What is done with events, whoever brings them."""

    def __init__(self, door: Treering, settings: Settings, place: HookFolder) -> None:
        from treering.faces.hooks.called import Calls
        from treering.faces.hooks.taking import NotesKept

        self._door, self._settings, self._diary = door, settings, Diary(place)
        self._notes = NotesKept(door)
        self.calls = Calls(door, settings)
        self._to_take: queue.Queue[Mapping[str, Any] | None] = queue.Queue()
        self._lock = threading.Lock()
        self._lately: dict[EventKey, float] = {}
        self._warmed: set[str] = set()
        self.asked_at = time.monotonic()
        self.busy = 0

    def answer(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], Arrived]:
        self.asked_at = time.monotonic()
        with self._lock:
            self.busy += 1
        try:
            return self._answer(request)
        except Exception as error:
            told = f"{type(error).__name__}: {error}"[:300]
            self._diary.write(client=request.get("client"), event=request.get("moment"), trouble=told)
            return {"print": ""}, _nobody
        finally:
            with self._lock:
                self.busy -= 1
            self.asked_at = time.monotonic()

    def _answer(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], Arrived]:
        if "words" in request:
            return self.calls.done(request), _nobody
        if request.get("moment") not in ANSWERED:
            self._to_take.put(request)
            return {"print": ""}, _nobody
        shown, arrived = self._given(request)
        return {"print": shown}, arrived

    def _given(self, request: Mapping[str, Any]) -> tuple[str, Arrived]:
        """What is to be printed, and who is to be told whether it arrived in time."""
        from treering.faces.hooks.blocks import prompt_block, start_block
        from treering.faces.hooks.clients import CLIENTS
        from treering.faces.hooks.event import read_event

        began = time.monotonic()
        event = read_event(request["moment"], request["client"], request["payload"])
        client = CLIENTS.get(event.client)
        if client is None or event.moment not in client.events or self._is_twice(_told_by(event)):
            return "", _nobody
        if event.moment == "session-start":
            block = start_block(self._door, self._notes, event, self._settings.space, self._settings.hook_tokens)
            self.warm(event.project.space)
        else:
            progress = self._diary.progress(event.key)
            block = prompt_block(self._door, self._notes, event, progress.given, self._settings.hook_prompt_tokens)
        seconds = time.monotonic() - began
        told = {"client": event.client, "event": event.moment, "session": event.session, "ms": round(seconds * 1000, 1)}

        def arrived(in_time: bool) -> None:
            if not in_time:  # nobody waited for it any more: it was not given, and may be asked for again
                with self._lock:
                    self._lately.pop(_told_by(event), None)
                self._diary.write(**told, trouble="answered too late")
                return
            if block.ids or event.source in _BEGUN_ANEW:
                progress = self._diary.progress(event.key)
                if event.source in _BEGUN_ANEW:  # what it was told is no longer before its eyes
                    progress.given.clear()
                progress.given += [one for one in block.ids if one not in progress.given]
                self._diary.keep(event.key, progress)
            tokens = block.tokens if block.ids else 0
            self._diary.write(**told, space=event.project.space, given=list(block.ids), tokens=tokens)

        return client.answer(client.events[event.moment], block.text) if block.text else "", arrived

    def _is_twice(self, key: EventKey) -> bool:
        now = time.monotonic()
        with self._lock:
            self._lately = {known: at for known, at in self._lately.items() if now - at < TWICE_SECONDS}
            if key[0] != "unknown" and key in self._lately:
                return True
            self._lately[key] = now
        return False

    def warm(self, space: str) -> None:
        """So that the first prompt need not wait for models and indexes."""
        if space not in self._warmed:
            self._warmed.add(space)
            threading.Thread(target=self._ask_something, args=(space,), daemon=True).start()

    def _ask_something(self, space: str) -> None:
        with suppress(TreeringError):
            self._door.unnoticed().recall("What was decided about the tests?", space=space, limit=1)

    # what is taken

    def take_all(self) -> None:
        """Until it is told to end: first what waits from before, then what comes."""
        for path, request in list(self._diary.waiting()):
            self._take(request)
            path.unlink(missing_ok=True)
        while True:
            try:
                came = self._to_take.get(timeout=0.5)
            except queue.Empty:
                self._work()
                continue
            if came is None:
                return
            self._take(came)

    def end(self) -> None:
        self._to_take.put(None)

    @property
    def idle(self) -> bool:
        return not self.busy and self._to_take.empty()

    def _take(self, request: Mapping[str, Any]) -> None:
        from treering.faces.hooks.event import read_event
        from treering.faces.hooks.taking import TakingTarget, take

        began = time.monotonic()
        try:
            event = read_event(request["moment"], request["client"], request["payload"])
            progress = self._diary.progress(event.key)
            where = TakingTarget(event.project.space, event.key, self._settings.space)
            taken = take(self._door, event.transcript, event.turns, where, progress.end)
        except Exception as error:
            told = f"{type(error).__name__}: {error}"[:300]
            self._diary.write(client=request.get("client"), event=request.get("moment"), trouble=told)
            return
        progress.end = taken.end
        self._diary.keep(event.key, progress)
        self._diary.write(
            client=event.client,
            event=event.moment,
            session=event.session,
            space=event.project.space,
            taken=taken.turns,
            notes=taken.notes,
            replaced=taken.replaced,
            masked=dict(taken.masked),
            trouble="; ".join(taken.trouble[:3]),
            ms=round((time.monotonic() - began) * 1000, 1),
        )
        self.asked_at = time.monotonic()

    def _work(self) -> None:
        """One job at a time, while nobody asks: reading takes the processor."""
        with suppress(TreeringError):
            while self._to_take.empty() and not self.busy and time.monotonic() - self.asked_at > QUIET_SECONDS:
                done = self._door.run_jobs(limit=1)
                if not (done.completed or done.partial or done.failed or done.retried or done.cancelled):
                    return


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server: Any = self.server
        if server.word is not None:
            said = self.rfile.readline(200).strip()
            if not hmac.compare_digest(said, server.word):
                return
        line = self.rfile.readline(_MOST_BYTES)
        try:
            request = json.loads(line)
        except ValueError:
            return
        if not isinstance(request, dict):
            return
        if request.get("version") != VERSION or request.get("leave"):  # renewed: the new one's own helper will answer
            self._say({"gone": True})
            server.leaving.set()
            return
        server.ready.wait()
        if "words" in request and server.helper.calls.stale:
            self._say({"gone": True})
            server.leaving.set()
            return
        answer, arrived = server.helper.answer(request)
        arrived(self._say(answer) and self._is_got())

    def _say(self, answer: Mapping[str, Any]) -> bool:
        try:
            self.wfile.write(json.dumps(answer).encode() + b"\n")
        except OSError:
            return False
        return True

    def _is_got(self) -> bool:
        """Whether the hook was still there."""
        try:
            self.connection.settimeout(_GOT_SECONDS)
            return self.rfile.readline(10) == b"got\n"
        except OSError:
            return False


class _Listening(socketserver.ThreadingMixIn):
    daemon_threads = True
    helper: Helper
    word: bytes | None = None

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.ready, self.leaving = threading.Event(), threading.Event()


if hasattr(socketserver, "UnixStreamServer"):

    class _AtSocket(_Listening, socketserver.UnixStreamServer):
        """Where there are sockets that have an owner."""


class _AtPort(_Listening, socketserver.TCPServer):
    """Where there are none: a port of this machine, for whoever can read the word in the owner's file."""


def serve(place: HookFolder, url: str | None, idle_seconds: float | None = None) -> int:
    """0 when it has served, 1 if another serves already."""
    own_folder(place.folder)
    held = _held(place.lock)
    if held is None:
        return 1
    server, opened = _listening(place)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
    try:
        from treering import settings
        from treering.door import open as open_door

        default = settings.read()
        default = default if url is None else replace(default, url=url)
        with open_door(url) as door:
            server.helper = helper = Helper(door, default, place)
            server.ready.set()
            if place.shell.exists():
                helper.warm(default.space)
            Diary(place).tidy()
            taker = threading.Thread(target=helper.take_all, daemon=True)
            taker.start()
            _until_idle(server, helper, opened, idle_seconds or default.hook_idle_seconds)
            helper.end()
            taker.join(timeout=30)
    finally:
        server.shutdown()
        server.server_close()
        opened.unlink(missing_ok=True)
        held.close()
    return 0


def _until_idle(server: _Listening, helper: Helper, opened: Path, seconds: float) -> None:
    """Also until its socket is gone: then nobody can find it."""
    while opened.exists() and not server.leaving.wait(min(0.5, seconds / 4)):
        if helper.idle and time.monotonic() - helper.asked_at > seconds:
            return


def _listening(place: HookFolder) -> tuple[Any, Path]:
    if hasattr(socket, "AF_UNIX"):
        path = place.socket
        own_folder(path.parent)
        path.unlink(missing_ok=True)
        before = os.umask(0o177)
        try:
            return _AtSocket(str(path), _Handler), path
        finally:
            os.umask(before)
    server = _AtPort(("127.0.0.1", 0), _Handler)
    server.word = secrets.token_urlsafe(32).encode()
    descriptor = os.open(place.port, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{server.server_address[1]} {server.word.decode()}\n")
    return server, place.port


def _held(path: Path) -> Any:
    """The lock that says who serves; None if it stays another's. One that is leaving is waited for."""
    file = path.open("a")
    for _ in range(LEAVING_SECONDS * 10):
        if _locked(file):
            return file
        time.sleep(0.1)
    file.close()
    return None


def _locked(file: Any) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="treering hooks helper")
    parser.add_argument("--url")
    given = parser.parse_args(words)
    return serve(HookFolder.of(os.environ, given.url), given.url)


if __name__ == "__main__":
    raise SystemExit(main())

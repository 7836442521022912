"""How do several processes serve one address? This one lets callers in and shows each to the process that has the
fewest. It starts the others, starts again those that die, and tells all to stop.

It never answers itself, and it alone listens: when it is killed nobody else comes in, and the others, whose lines to it
are cut, finish what they are at and end.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import selectors
import signal
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from treering.errors import Unavailable
from treering.faces.rest.member import CALLER, GONE, READY, STOPS, WORKS, fill
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.post import Opens, Post

LOG = logging.getLogger(__name__)
START_SECONDS = 120.0
LIVED_SECONDS = 60.0
"""A process that dies sooner than this is started again after a pause, a longer one each time."""
LONGEST_PAUSE_SECONDS = 30.0
_LOOK_SECONDS = 0.5


class Member:
    """One of the processes, with a line to it and how many callers it has."""

    def __init__(self, post: Post) -> None:
        self.line, far = socket.socketpair()
        self.line.setblocking(False)
        self.post, self.callers, self.ready, self.began = post, 0, False, time.monotonic()
        self.last_took = 0.0
        named = "works" if post.number == WORKS else f"answers-{post.number}"
        self.process = multiprocessing.get_context("spawn").Process(
            target=fill, args=(post, far), name=f"treering-{named}"
        )
        with far:
            self.process.start()

    def takes(self, caller: socket.socket) -> bool:
        """Whether it could be handed over."""
        try:
            socket.send_fds(self.line, [CALLER], [caller.fileno()])
        except OSError:  # it has just died, or hears nothing any more
            return False
        self.callers += 1
        self.last_took = time.monotonic()
        return True

    def hear(self) -> bool:
        """What it says; whether there will be more."""
        said = self.line.recv(4096)
        self.ready = bool(said) and (self.ready or READY in said)
        self.callers -= said.count(GONE)
        return bool(said)


class Together:
    def __init__(self, opens: Opens, policy: ServerPolicy, listening: socket.socket) -> None:
        self._opens, self._policy, self._listening = opens, policy, listening
        self._selector = selectors.DefaultSelector()
        self._members: dict[int, Member] = {}
        self._vacant: dict[int, float] = {}
        """Posts to be filled again, and when."""
        self._deaths: Counter[int] = Counter()
        self._open = False
        self._stopping = False

    def serve(self, say: Callable[[], None]) -> None:
        """Until it is told to stop. `say` is called when the first callers can be answered."""
        with tempfile.TemporaryDirectory(prefix="treering-") as folder, self._hearing_signals():
            self._folder = Path(folder)
            try:
                for number in range(self._policy.processes + 1):
                    self._fill(Post(self._opens, self._policy, self._folder, number))
                self._until_all_are_ready()
                if not self._stopping:
                    say()
                self._listening.setblocking(False)
                while not self._stopping:
                    self._look()
            finally:
                self._stop()

    # the processes

    def _fill(self, post: Post) -> None:
        member = self._members[post.number] = Member(post)
        self._selector.register(member.line, selectors.EVENT_READ, lambda: self._hear(member))
        self._selector.register(member.process.sentinel, selectors.EVENT_READ, lambda: self._died(member))

    def _until_all_are_ready(self) -> None:
        give_up = time.monotonic() + START_SECONDS
        while not self._stopping and not all(one.ready for one in self._members.values()):
            self._look()
            if self._deaths or time.monotonic() > give_up:
                raise Unavailable("a process of the server did not start; what it said stands above")

    def _hear(self, member: Member) -> None:
        if not member.hear():
            self._selector.unregister(member.line)

    def _died(self, member: Member) -> None:
        member.process.join()
        number, lived = member.post.number, time.monotonic() - member.began
        self._forget(member)
        self._deaths[number] = 1 if lived > LIVED_SECONDS else self._deaths[number] + 1
        pause = 0.0 if self._deaths[number] == 1 else min(2.0 ** self._deaths[number] / 2, LONGEST_PAUSE_SECONDS)
        self._vacant[number] = time.monotonic() + pause
        told = {"process": member.process.name, "ended": member.process.exitcode, "again_in_seconds": pause}
        LOG.warning(json.dumps(told))

    def _forget(self, member: Member) -> None:
        del self._members[member.post.number]
        for one in (member.line, member.process.sentinel):
            if one in self._selector.get_map():
                self._selector.unregister(one)
        member.line.close()
        for left in member.post.folder.glob(f"gauge_live*_{member.process.pid}.db"):
            left.unlink(missing_ok=True)  # what was under way there no longer is

    # callers

    def _look(self) -> None:
        """At what has happened, and waits a little if nothing has."""
        self._open_or_close()
        for key, _ in self._selector.select(_LOOK_SECONDS):
            if key.fd in self._selector.get_map():  # not forgotten a moment ago
                key.data()
        now = time.monotonic()
        for number in [number for number, due in self._vacant.items() if due <= now]:
            del self._vacant[number]
            self._fill(Post(self._opens, self._policy, self._folder, number))

    def _open_or_close(self) -> None:
        """Callers wait outside while nobody can answer them."""
        can = bool(self._answering())
        if can and not self._open:
            self._selector.register(self._listening, selectors.EVENT_READ, self._let_in)
        elif self._open and not can:
            self._selector.unregister(self._listening)
        self._open = can

    def _answering(self) -> list[Member]:
        """The one with the fewest callers first; of several, who has waited longest for one."""
        found = [one for one in self._members.values() if one.post.number != WORKS and one.ready]
        return sorted(found, key=lambda one: (one.callers, one.last_took))

    def _let_in(self) -> None:
        try:
            caller, _ = self._listening.accept()
        except OSError:  # it has left already
            return
        with caller:
            any(one.takes(caller) for one in self._answering())

    # the end

    def _stop(self) -> None:
        self._listening.close()
        for one in self._members.values():
            one.line.close()  # who is left alone finishes and ends
        give_up = time.monotonic() + 2 * self._policy.shutdown_seconds
        for one in self._members.values():
            one.process.join(max(0.0, give_up - time.monotonic()))
            if one.process.is_alive():
                one.process.kill()
                one.process.join()
        self._selector.close()

    @contextmanager
    def _hearing_signals(self) -> Iterator[None]:
        """A signal wakes whoever waits for callers."""
        heard, tell = socket.socketpair()
        for one in (heard, tell):
            one.setblocking(False)
        self._selector.register(heard, selectors.EVENT_READ, lambda: heard.recv(64))
        handlers = {stop: signal.signal(stop, self._told) for stop in STOPS}
        waking = signal.set_wakeup_fd(tell.fileno())
        try:
            yield
        finally:
            signal.set_wakeup_fd(waking)
            for stop, handler in handlers.items():
                signal.signal(stop, handler)
            heard.close()
            tell.close()

    def _told(self, _: int, __: FrameType | None) -> None:
        self._stopping = True

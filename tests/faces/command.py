"""How the tests run the command line: in this process, as a program of its own, and on a terminal of a given width."""

from __future__ import annotations

import atexit
import fcntl
import io
import json
import os
import pty
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

import pytest

from treering.faces.cli.app import run

WORDS_ALONE = {"TREERING_EMBEDDER": "none", "TREERING_JUDGE": "none", "TREERING_EXTRACTOR": "reader"}
"""For runs that are not about meaning: most of their time would go into loading an embedder."""
PATIENCE = 110
"""Seconds that a run may take; pytest ends a test after 120."""
PROGRAM = (sys.executable, "-W", "error", "-m", "treering.faces.cli")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def rows(self) -> list[list[str]]:
        return [line.split("\t") for line in self.out.splitlines()]


class Here:
    """Runs command lines in this process, on one store."""

    def __init__(self, store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str, stdin: bytes = b"") -> Outcome:
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            run(["--url", str(self.store), *words])
        told = self._capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Outcome(ended.value.code, told.out, told.err)


def clean_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREERING", "NO_COLOR", "COL"))}
    return {**kept, "TERM": "xterm-256color", **more}


def program(*words: str, stdin: bytes = b"", **environment: str) -> Outcome:
    """A run of the program as a process of its own, its output read when it has ended."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        code = _stem().run(words, environment, [given.fileno(), out.fileno(), err.fileno()])()
        return Outcome(code, _read(out), _read(err))


def fresh_program(*words: str, stdin: bytes = b"", **environment: str) -> Outcome:
    """The same from the start of Python, its output piped: for what is about that."""
    ended = subprocess.run(
        [*PROGRAM, *words],
        input=stdin,
        capture_output=True,
        env=clean_environment(**environment),
        timeout=PATIENCE,
        check=False,
    )
    return Outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def on_terminal(*words: str, columns: int = 100, **environment: str) -> Outcome:
    """A run of the program on a terminal that many columns wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with tempfile.TemporaryFile() as err:
        ended = _stem().run(words, environment, [slave, slave, err.fileno()])
        os.close(slave)
        shown = _everything(master)
        return Outcome(ended(), shown.replace("\r\n", "\n"), _read(err))


class Stem:
    """The process that has loaded the program, from which runs are forked (tests/faces/stem.py)."""

    def __init__(self) -> None:
        self._asking, answering = socket.socketpair()
        self._asking.settimeout(PATIENCE)
        script = str(Path(__file__).with_name("stem.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", script, str(answering.fileno())],
            pass_fds=[answering.fileno()],
            env=clean_environment(),
            cwd=Path(__file__).parents[2],
            start_new_session=True,
        )
        answering.close()
        atexit.register(self.close)

    def run(self, words: Sequence[str], environment: dict[str, str], files: list[int]) -> Callable[[], int]:
        """Begins a run on these files, the standard ones; what comes back waits for its exit code."""
        request = {"words": words, "environment": clean_environment(**environment)}
        socket.send_fds(self._asking, [json.dumps(request).encode()], files)
        return self._ended

    def _ended(self) -> int:
        try:
            return int(self._asking.recv(16))
        except TimeoutError:  # its answer must not be taken for that of the next run
            os.killpg(self._process.pid, signal.SIGKILL)
            _stem.cache_clear()
            raise

    def close(self) -> None:
        self._asking.close()
        self._process.wait(60)


@cache
def _stem() -> Stem:
    return Stem()


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _everything(master: int) -> str:
    pieces = []
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(master)
    return b"".join(pieces).decode()

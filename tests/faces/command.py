"""How the tests run the command line: in this process, as a program of its own, and on a terminal of a given width."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treering.faces.cli.app import run

WORDS_ALONE = {"TREERING_EMBEDDER": "none", "TREERING_JUDGE": "none", "TREERING_EXTRACTOR": "rules"}
"""For runs that are not about meaning: most of their time would go into loading an embedder."""
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
    """A real run of the program, its output piped."""
    ended = subprocess.run(
        [*PROGRAM, *words],
        input=stdin,
        capture_output=True,
        env=clean_environment(**environment),
        timeout=60,
        check=False,
    )
    return Outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def on_terminal(*words: str, columns: int = 100, **environment: str) -> Outcome:
    """A real run on a terminal that many columns wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    running = subprocess.Popen(
        [*PROGRAM, *words], stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=clean_environment(**environment)
    )
    os.close(slave)
    shown = _everything(master)
    _, err = running.communicate(timeout=60)
    return Outcome(running.returncode, shown.replace("\r\n", "\n"), err.decode())


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

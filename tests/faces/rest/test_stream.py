"""Events as they come: a real server, whose stream goes on until the caller leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.faces.command import clean_environment

import treering
from treering.faces.client import Client

LAB = "/v1/spaces/lab"


class Server:
    """`treering serve` as a process of its own."""

    def __init__(self, store: Path, *more: str) -> None:
        words = [sys.executable, "-m", "treering.faces.cli", "--url", str(store), "serve", "--port", "0", *more]
        self.process = subprocess.Popen(
            words, stderr=subprocess.PIPE, text=True, env=clean_environment() | {"TREERING_EMBEDDER": "none"}
        )
        assert self.process.stderr is not None
        self.lines: list[str] = []
        self.url = ""
        for line in self.process.stderr:
            self.lines.append(line)
            if " at http" in line:
                self.url = line.split(" at ")[1].split(";")[0]
                break
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            self.lines.extend(lines)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        code = self.process.wait(20)
        self._listening.join(5)
        return code


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    one = Server(tmp_path / "served.db", "--processes", "1")
    yield one
    one.end()


def streamed(url: str, enough: int, headers: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """So many events of a stream that would go on."""
    found: list[dict[str, Any]] = []
    wish = {"Accept": "text/event-stream", **(headers or {})}
    with httpx.stream("GET", f"{url}{LAB}/events", headers=wish, timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("id: "):
                found.append({"id": line[4:]})
            if line.startswith("data: "):
                found[-1] |= json.loads(line[6:])
                if len(found) >= enough:
                    break
    return found


def test_a_server_tells_of_what_happens_lets_one_come_back_and_stops_when_told(server: Server) -> None:
    with Client(server.url, space="lab") as client:
        _watch_a_day(server, client)
    assert server.end() == 0
    told = [json.loads(line) for line in server.lines if line.startswith("{")]
    assert {one["route"] for one in told} >= {f"{LAB.replace('lab', '{space}')}/add"}
    assert "sings" not in "".join(server.lines)
    assert "Traceback" not in "".join(server.lines)


def _watch_a_day(server: Server, client: Client) -> None:
    client.add("Ada sings")
    first = streamed(server.url, 2)
    assert [(one["id"], one["type"]) for one in first] == [("1.0", "source_added"), ("1.1", "memory_added")]
    later = threading.Timer(0.3, lambda: client.add("Bo sings"))
    later.start()
    again = streamed(server.url, 3, {"Last-Event-ID": "1.0"})
    assert [one["id"] for one in again] == ["1.1", "2.0", "2.1"]
    job = client.enqueue("I moved to Oslo")
    give_up = time.monotonic() + 20
    while client.job(job.id).status != "completed" and time.monotonic() < give_up:
        time.sleep(0.05)
    assert client.job(job.id).status == "completed"


def test_what_was_acknowledged_survives_a_killed_server_and_jobs_go_on(tmp_path: Path) -> None:
    store = tmp_path / "served.db"
    first = Server(store, "--workers", "0", "--processes", "1")
    client = Client(first.url, space="lab")
    said = [client.add(f"Thing {number}").id for number in range(5)]
    job = client.enqueue("I moved to Oslo")
    client.close()
    first.end(signal.SIGKILL)
    with treering.open(store, space="lab", embedder="none") as mem:
        assert {one.id for one in mem.list()} == set(said)
        assert mem.verify().ok
        assert mem.run_jobs().completed == 1
        assert mem.job(job.id).status == "completed"


def test_a_port_that_is_taken_is_told_in_a_line(server: Server, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    words = [sys.executable, "-m", "treering.faces.cli", "--url", str(tmp_path / "b.db"), "serve", "--port", port]
    second = subprocess.run(words, capture_output=True, text=True, env=clean_environment(), timeout=30, check=False)
    assert second.returncode == 6
    assert "is a server running there already?" in second.stderr
    assert "Traceback" not in second.stderr

"""How much does a server bear? `make bench-serve`: a real server, clients in processes of their own, and what they see.

A store of 10,000 memories is served; 16 clients ask without pause, nine questions to one thing to remember. Told are
questions a second, the times to an answer, errors, and the server's memory at the beginning and at the end. Halfway the
server is killed with -9 and started again: what it had acknowledged must be there.

    python -m bench.serve [--seconds 300] [--clients 16] [--memories 10000]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

import treering
from bench import record
from bench.embedders import sentences

GOAL_RECALLS, GOAL_P99_MS = 200.0, 250.0
_NAMES = ("Ada", "Bo", "Cy", "Dana", "Eve", "Finn", "Gus", "Hal")
_SPACE = "load"


def filled(path: Path, memories: int) -> None:
    with treering.open(path, space=_SPACE) as mem:
        texts = sentences(memories, seed=7)
        for start in range(0, memories, 1000):
            mem.add_many([{"content": one} for one in texts[start : start + 1000]])


class Server:
    """`treering serve` as a process; it can die and come back on the same port."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self.port = 0
        self.start()

    def start(self) -> None:
        words = ["--url", str(self._store), "serve", "--port", str(self.port), "--no-upkeep"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "treering.faces.cli", *words], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if " at http://" in line:
                self.port = int(line.split(";")[0].rpartition(":")[2])
                break
        threading.Thread(target=self._drain, args=(self.process.stderr,), daemon=True).start()

    @staticmethod
    def _drain(lines: Iterator[str]) -> None:
        for _ in lines:
            pass

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Seen:
    """What all clients of a run saw together."""

    def __init__(self) -> None:
        self.recalls: list[float] = []
        self.writes: list[float] = []
        self.acknowledged: list[str] = []
        self.errors: list[str] = []
        self._lock = threading.Lock()

    def note(self, seconds: float, wrote: str | None, error: str | None) -> None:
        with self._lock:
            if error is not None:
                self.errors.append(error)
            elif wrote is None:
                self.recalls.append(seconds)
            else:
                self.writes.append(seconds)
                self.acknowledged.append(wrote)


def client(url: str, number: int, until: float, seen: Seen, forgiving: threading.Event) -> None:
    chance = random.Random(number)
    questions = sentences(500, seed=100 + number)
    asked = 0
    with httpx.Client(base_url=f"{url}/v1/spaces/{_SPACE}", timeout=30) as http:
        while time.monotonic() < until:
            asked += 1
            begun = time.perf_counter()
            wrote: str | None = None
            try:
                if chance.random() < 0.1:
                    wrote = f"client-{number}-{asked}"
                    body = {"content": f"{chance.choice(_NAMES)} said so: {questions[asked % 500]}", "key": wrote}
                    answer = http.post("/remember", json=body)
                else:
                    answer = http.get("/recall", params={"query": questions[asked % 500], "limit": 5})
            except httpx.HTTPError as error:
                if not forgiving.is_set():
                    seen.note(0, None, repr(error))
                time.sleep(0.05)
                continue
            failed = None if answer.status_code in (200, 202) else f"{answer.status_code} {answer.text[:80]}"
            seen.note(time.perf_counter() - begun, wrote, failed)


@contextmanager
def serving(store: Path) -> Iterator[Server]:
    server = Server(store)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def run(seconds: float, clients: int, memories: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.db"
        filled(path, memories)
        with serving(path) as server:
            httpx.get(f"{server.url}/v1/spaces/{_SPACE}/recall", params={"query": "warm"}, timeout=60)
            first = server.megabytes()
            load = _under_load(server, seconds, clients)
            last = server.megabytes()
            killed = _killed(server, clients)
        lost, jobs_left = _lost(path, killed.acknowledged)
    ordered = sorted(load.recalls)
    return {
        "seconds": seconds,
        "clients": clients,
        "memories": memories,
        "recalls_a_second": round(len(load.recalls) / seconds, 1),
        "remembers_a_second": round(len(load.writes) / seconds, 1),
        "recall": {**record.quantiles(load.recalls), "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1000, 1)},
        "remember_accepted": record.quantiles(load.writes),
        "errors": len(load.errors),
        "first_errors": load.errors[:3],
        "megabytes": [round(first), round(last)],
        "killed": {"acknowledged": len(killed.acknowledged), "lost": lost, "jobs_left": jobs_left},
        "load_average": round(os.getloadavg()[0], 1),
    }


def _under_load(server: Server, seconds: float, clients: int, kill: bool = False) -> Seen:
    seen, forgiving = Seen(), threading.Event()
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=client, args=(server.url, number, until, seen, forgiving)) for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    if kill:
        time.sleep(seconds / 2)
        forgiving.set()
        server.kill()
        server.start()
    for thread in threads:
        thread.join()
    return seen


def _killed(server: Server, clients: int) -> Seen:
    """A short run in the middle of which the server dies and comes back."""
    return _under_load(server, 20, clients, kill=True)


def _lost(path: Path, acknowledged: list[str]) -> tuple[int, int]:
    """How many of what was acknowledged is neither remembered nor waiting; and how many jobs could not be done."""
    with treering.open(path, space=_SPACE) as mem:
        mem.run_jobs()
        left = len(mem.jobs(status="pending")) + len(mem.jobs(status="failed"))
        with mem._reading(None) as reader:
            lost = sum(reader.source_by_key(one) is None for one in acknowledged)
    return lost, left


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    killed = told["killed"]
    return [
        _row("recalls a second, beside writes", told["recalls_a_second"], GOAL_RECALLS, at_least=True),
        _row("recall p99, ms", told["recall"]["p99_ms"], GOAL_P99_MS, at_least=False),
        _row("errors", told["errors"], 0, at_least=False),
        _row("acknowledged writes lost by a kill", killed["lost"], 0, at_least=False),
        ("memory at first and at last, MB", " / ".join(str(one) for one in told["megabytes"]), "flat", ""),
    ]


def _row(what: str, measured: float, goal: float, at_least: bool) -> tuple[str, str, str, str]:
    met = measured >= goal if at_least else measured <= goal
    sign = "≥" if at_least else "≤"
    return what, f"{measured:g}", f"{sign} {goal:g}", "" if met else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--memories", type=int, default=10_000)
    wish = parser.parse_args()
    told = run(wish.seconds, wish.clients, wish.memories)
    print(record.table(rows(told)))
    print(told)
    record.write("serve", told)


if __name__ == "__main__":
    main()

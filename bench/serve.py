"""How much does a server bear? `make bench-serve`: a real server, clients in a process of their own, and what they see.

A store of 10,000 memories of `bench.corpus` is served as `treering serve` serves it; 16 clients ask without pause, nine
questions to one thing to remember, none of them twice. Told are questions a second, the times to an answer, errors,
what each question and each thing remembered cost of a core, and the memory of all processes together as time goes on.
Then the server is killed with -9 in the middle of a run and started again: what it had acknowledged must be there. At
last almost 100,000 jobs wait, and questions are asked beside them.

    python -m bench.serve [--seconds 300] [--clients 16] [--memories 10000] [--processes N]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx

import treering
from bench import corpus, record
from bench.calling import SPACE, WRITES, Calling, Cost, Seen, Trouble, cost_of
from bench.server_log import ServerLog
from treering.mind import DEFAULT_EMBEDDER, open_embedder
from treering.model import limits
from treering.model.ids import mint
from treering.model.job import JobRequest, JobStatus
from treering.store.sql import jobs as sql_jobs

GOAL_RECALLS, GOAL_P99_MS = 200.0, 250.0
KILLED_SECONDS = 20.0
STOP_SECONDS = 180.0
"""A server finishes what it is at, for twenty seconds at most by its own clock; a busy machine may take far longer."""
LOOKS = 10
BACKLOG_QUESTIONS = 200
BACKLOG = limits.JOBS_WAITING - 2 * BACKLOG_QUESTIONS - 1_000


def filled(path: Path, memories: int) -> None:
    with treering.open(path, space=SPACE) as mem:
        every = [one.item for one in corpus.memories(memories)]
        for start in range(0, memories, 1000):
            mem.add_many(every[start : start + 1000])


class Server:
    """`treering serve` as a process; it can die and come back on the same port. Its log lies beside the store."""

    def __init__(self, store: Path, *more: str) -> None:
        self._store, self._more = store, more
        self.log = ServerLog(store.with_name(f"{store.name}.log"))
        self.port = 0
        self.start()

    def start(self) -> None:
        words = ["--url", str(self._store), "serve", "--port", str(self.port), "--no-upkeep", *self._more]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "treering.faces.cli", *words], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if " at http://" in line:
                self.port = int(line.split(";")[0].rpartition(":")[2])
                break
        self._reading = threading.Thread(target=self.log.take, args=(self.process.stderr,), daemon=True)
        self._reading.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cost(self) -> Cost:
        return cost_of(self.process.pid)

    def warm(self) -> None:
        """Every process has its model and its index, and has read a text."""
        space = f"{self.url}/v1/spaces/{SPACE}"
        job = httpx.post(f"{space}/remember", json={"content": "Ada has come to see how it goes."}, timeout=60).json()
        for number in range(16):  # each by a connection of its own, so that all processes are asked
            httpx.get(f"{space}/recall", params={"query": f"warm {number}"}, timeout=60).raise_for_status()
        while httpx.get(f"{space}/job", params={"id": job["id"]}, timeout=60).json()["status"] != "completed":
            time.sleep(0.1)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(STOP_SECONDS)
        self._reading.join(10)

    def told(self, errors: list[Trouble]) -> str:
        """What the clients saw go wrong, with what the server said of each, and what else it said that is no answer."""
        seen = [part for one in errors for part in (str(one), self.log.of_request(one.number)) if part]
        return "\n".join(
            [*seen, "beside its answers the server said:", *self.log.alarming(), f"all of it: {self.log.path}"]
        )


@contextmanager
def serving(store: Path, *more: str) -> Iterator[Server]:
    server = Server(store, *more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def run(seconds: float, clients: int, memories: int, more: tuple[str, ...] = ()) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.db"
        filled(path, memories)
        with serving(path, *more) as server:
            server.warm()
            pace = [_pace()]
            load, costs = under_load(server, seconds, clients)
            pace.append(_pace())
            waiting = _waiting(path)
            killed = _killed(server, clients)
        lost, jobs_left = _lost(path, killed.acknowledged)
        backlog = beside_a_backlog(path)
    done = len(load.writes) - waiting
    ordered = sorted(load.recalls)
    first, last = costs[0], costs[-1]
    answering, working = (
        getattr(last, name) - getattr(first, name) for name in ("answering_seconds", "working_seconds")
    )
    return {
        "seconds": seconds,
        "clients": clients,
        "memories": memories,
        "processes": " ".join(more) or "as usual",
        "recalls_a_second": round(len(load.recalls) / seconds, 1),
        "remembers_a_second": round(len(load.writes) / seconds, 1),
        "read_a_second": round(done / seconds, 1),
        "jobs_waiting_at_last": waiting,
        "recall": {**record.quantiles(load.recalls), "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1000, 1)},
        "remember_accepted": record.quantiles(load.writes),
        "core_ms": {
            "a_request": round(answering * 1000 / max(1, len(load.recalls) + len(load.writes)), 2),
            "a_text_read": round(working * 1000 / max(1, done), 2),
            "a_request_of_the_clients": round(
                load.client_seconds * 1000 / max(1, len(load.recalls) + len(load.writes)), 2
            ),
        },
        "cores_busy": {
            "answering": round(answering / seconds, 2),
            "working": round(working / seconds, 2),
            "clients": round(load.client_seconds / seconds, 2),
        },
        "pace_ms": pace,
        "errors": len(load.errors),
        "first_errors": [str(one) for one in load.errors[:3]],
        "megabytes": [round(one.megabytes) for one in costs],
        "killed": {"acknowledged": len(killed.acknowledged), "lost": lost, "jobs_left": jobs_left},
        "backlog": backlog,
        "load_average": round(os.getloadavg()[0], 1),
    }


def under_load(
    server: Server, seconds: float, clients: int, kill: bool = False, writes: float = WRITES
) -> tuple[Seen, list[Cost]]:
    """What the clients saw, and what the server cost at even steps."""
    # others call while it is killed: what the first ones said is there already, and could not be lost
    calling, costs = Calling(server.url, clients, seconds, "killed" if kill else "load", writes), [server.cost()]
    thread = threading.Thread(target=calling.run)
    thread.start()
    begun = time.monotonic()
    for step in range(1, LOOKS + 1):
        time.sleep(max(0.0, begun + seconds * step / LOOKS - time.monotonic()))
        if kill and step == LOOKS // 2:
            calling.seen.forgiving = True
            server.kill()
            server.start()
        costs.append(server.cost())
    thread.join()
    return calling.seen, costs


def _pace() -> float:
    """Milliseconds of a core that the embedder takes for one question alone: shared machines are faster and slower by
    the minute, and a served question takes about four times as long as this."""
    embedder, asked = open_embedder(DEFAULT_EMBEDDER), corpus.questions(10_000, 200, seed=11)
    embedder.embed_question("warm")
    begun = time.process_time()
    for one, _ in asked:
        embedder.embed_question(one)
    return round((time.process_time() - begun) * 1000 / len(asked), 2)


def _killed(server: Server, clients: int) -> Seen:
    """A short run in the middle of which the server dies and comes back."""
    return under_load(server, KILLED_SECONDS, clients, kill=True)[0]


def _waiting(path: Path) -> int:
    with treering.open(path, space=SPACE) as mem:
        return len(_jobs(mem, "pending")) + len(_jobs(mem, "processing"))


def _jobs(mem: treering.Treering, status: str) -> list[Any]:
    return mem._store.jobs.listed(SPACE, "local", JobStatus(status), 1 << 30)


def _lost(path: Path, acknowledged: list[str]) -> tuple[int, int]:
    """How many of what was acknowledged is neither remembered nor waiting; and how many jobs could not be done."""
    with treering.open(path, space=SPACE) as mem:
        mem.run_jobs()
        left = len(_jobs(mem, "pending")) + len(_jobs(mem, "failed"))
        with mem._reading(None) as reader:
            lost = sum(reader.source_by_key(one) is None for one in acknowledged)
    return lost, left


def beside_a_backlog(path: Path) -> dict[str, Any]:
    """Questions, and more to remember, before and while almost as many jobs wait as may."""
    asked = [question for question, _ in corpus.questions(100_000, 2 * BACKLOG_QUESTIONS + 1, seed=9)]
    with treering.open(path, space=SPACE) as mem:
        mem.recall(asked.pop())
        before = _answered(mem, asked[:BACKLOG_QUESTIONS])
        new, now = mint(datetime.now(UTC)), datetime.now(UTC)
        with mem._store._writing_beside(None) as connection:  # type: ignore[attr-defined]
            for number in range(BACKLOG):
                sql_jobs.put(connection, _promise(new(), number), now)
        beside = _answered(mem, asked[BACKLOG_QUESTIONS:])
    names = ("recall", "enqueue")
    return {
        "jobs": BACKLOG,
        **{f"{name}_before": record.quantiles(one) for name, one in zip(names, before, strict=True)},
        **{f"{name}_beside": record.quantiles(one) for name, one in zip(names, beside, strict=True)},
    }


def _promise(job_id: str, number: int) -> JobRequest:
    said = {"content": f"Ada has {number} things to say."}
    return JobRequest(
        id=job_id, space=f"{SPACE}/{number % 100}", actor="local", kind="remember", request=said, sources=1
    )  # fmt: skip


def _answered(mem: treering.Treering, asked: list[str]) -> tuple[list[float], list[float]]:
    """How long answers took, and the acceptance of as many things to remember."""
    recalls = [record.timed(partial(mem.recall, one, limit=5)) for one in asked]
    return recalls, [record.timed(partial(mem.enqueue, one)) for one in asked]


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    killed = told["killed"]
    return [
        _row("recalls a second, beside writes", told["recalls_a_second"], GOAL_RECALLS, at_least=True),
        _row("recall p99, ms", told["recall"]["p99_ms"], GOAL_P99_MS, at_least=False),
        _row("errors", told["errors"], 0, at_least=False),
        _row("acknowledged writes lost by a kill", killed["lost"], 0, at_least=False),
        ("memory as time goes on, MB", " ".join(str(one) for one in told["megabytes"]), "flat", ""),
        *([("of a core for a request, ms", f"{told['core_ms']['a_request']:g}", "", "")] if "core_ms" in told else []),
        *([_paced(told["pace_ms"])] if "pace_ms" in told else []),
        *([_beside(told["backlog"])] if "backlog" in told else []),
    ]


def _paced(pace: list[float]) -> tuple[str, str, str, str]:
    return "of a core for embedding one question alone, before and after, ms", " / ".join(map(str, pace)), "", ""


def _beside(backlog: dict[str, Any]) -> tuple[str, str, str, str]:
    told = " / ".join(f"{backlog[one]['p50_ms']:.1f} ms" for one in ("recall_beside", "recall_before"))
    return f"recall p50 beside {backlog['jobs']:,} jobs, against without", told, "the same", ""


def _row(what: str, measured: float, goal: float, at_least: bool) -> tuple[str, str, str, str]:
    met = measured >= goal if at_least else measured <= goal
    sign = "≥" if at_least else "≤"
    return what, f"{measured:g}", f"{sign} {goal:g}", "" if met else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--processes", type=int)
    wish = parser.parse_args()
    more = () if wish.processes is None else ("--processes", str(wish.processes))
    told = run(wish.seconds, wish.clients, wish.memories, more)
    print(record.table(rows(told)))
    print(told)
    record.write("serve", told)


if __name__ == "__main__":
    main()

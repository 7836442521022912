"""How much time do hooks add, with 10,000 memories in the project? The program as a client runs it, process and all.

python -m bench.hooks [--memories 10000] [--events 60] [--write]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import treering
from bench.lived import judged
from treering.faces.hooks.place import HookFolder

PROMPTS = (
    "Which database do we use for the {} service?",
    "Add retries to the {} worker",
    "Why is the {} page slow?",
    "How do I run the tests of the {} module?",
    "ok",
    "Write the migration for the {} table",
)
THINGS = ("orders", "billing", "search", "mail", "login", "upload", "report", "stock", "cart", "price")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--write", action="store_true", help="write bench/results/hooks.json")
    given = parser.parse_args()
    figures: dict[str, Any] = {"speed": speed(given.memories, given.events), "session_start_block": judged()}

    print(json.dumps(figures, indent=2))
    if given.write:
        place = Path(__file__).parent / "results" / "hooks.json"
        place.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def speed(memories: int, events: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        project = home / "shop"
        (project / ".git").mkdir(parents=True)
        (project / ".git" / "config").write_text('[remote "origin"]\n  url = git@example.com:acme/shop.git\n')
        env = {"HOME": folder, "PATH": os.environ["PATH"]}
        _fill(home / ".local/share/treering/treering.db", memories)
        try:
            cold = _run(env, project, "session-start", session="first")
            _until_warm(env, project)
            times: dict[str, list[float]] = {"session-start": [], "prompt": [], "turn-end": [], "python alone": []}
            given = 0
            for number in range(events):
                prompt = PROMPTS[number % len(PROMPTS)].format(THINGS[number % len(THINGS)])
                session = f"s{number}"
                times["session-start"].append(_run(env, project, "session-start", session=session)[0])
                seconds, shown = _run(env, project, "prompt", prompt=prompt, session=session)
                given += bool(shown)
                times["prompt"].append(seconds)
                times["turn-end"].append(_run(env, project, "turn-end", session=session)[0])
                times["python alone"].append(_bare(env))
            log = _log(env)
        finally:
            _end(home, env)
    return {
        "memories": memories,
        "events": events,
        "cold_session_start_ms": round(cold[0] * 1000),
        "ms": {name: _spread(found) for name, found in times.items()},
        "prompts_with_something": round(given / events, 3),
        "helper": log["summary"],
    }


def _fill(path: Path, count: int) -> None:
    path.parent.mkdir(parents=True)
    with treering.open(path) as door:
        items = [
            {
                "content": f"The {THINGS[n % 10]} service handles case {n} by rule {n * 7 % 1000}, as agreed.",
                "tags": ["coding-turn"] if n % 10 else ["coding-note", "decision"],
                "meta": {"what": "decision", "text": f"We'll use rule {n} for the {THINGS[n % 10]} service."},
                "session": f"old:{n // 50}",
            }
            for n in range(count)
        ]
        for start in range(0, count, 2_000):
            door.add_many(items[start : start + 2_000], space="code/acme/shop")


def _run(env: dict[str, str], project: Path, moment: str, prompt: str = "", session: str = "s") -> tuple[float, str]:
    event = {"session_id": session, "cwd": str(project), "prompt": prompt, "transcript_path": None}
    program = Path(sys.executable).with_name("treering")
    began = time.perf_counter()
    done = subprocess.run(
        [str(program), "hook", moment, "--client", "claude-code"],
        input=json.dumps(event), capture_output=True, text=True, env=env, check=True,
    )  # fmt: skip
    return time.perf_counter() - began, done.stdout


def _bare(env: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], env=env, check=True)
    return time.perf_counter() - began


def _until_warm(env: dict[str, str], project: Path) -> None:
    for number in range(200):
        if _run(env, project, "prompt", f"Which rule does the orders service use in case {number}?", f"w{number}")[1]:
            return
        time.sleep(0.2)


def _log(env: dict[str, str]) -> Any:
    program = Path(sys.executable).with_name("treering")
    done = subprocess.run([str(program), "hooks", "log", "--json"], capture_output=True, text=True, env=env, check=True)
    return json.loads(done.stdout)


def _end(home: Path, env: dict[str, str]) -> None:
    """The helper ends when its socket is gone."""
    HookFolder.of(env, None).socket.unlink(missing_ok=True)
    for one in Path("/proc").glob("[0-9]*") if Path("/proc").exists() else ():
        try:
            mine = f"HOME={home}".encode() in (one / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if mine and int(one.name) != os.getpid():
            os.kill(int(one.name), signal.SIGTERM)


def _spread(found: list[float]) -> dict[str, int]:
    ordered = sorted(found)
    at = min(len(ordered) - 1, int(len(ordered) * 0.95))
    return {"p50": round(statistics.median(ordered) * 1000), "p95": round(ordered[at] * 1000)}


if __name__ == "__main__":
    main()

"""What does an agent pay for its memory? `make bench-mcp` measures the time to the first answer, and what tools cost.

Starting: a new process of the program as a client starts it, from that moment until `initialize` is answered, until the
tools are listed, and until the first `recall` of a small store is answered; beside it, the time that only importing the
protocol's library takes. Cost: the tokens of what `tools/list` answers, at four characters each, as `recall` counts
them; with and without the shapes of answers, which most clients keep from their models.

    python -m bench.speed_mcp [--starts 9]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import treering
from bench import record
from treering.language.tokens import tokens_of
from treering.settings import TOOL_SETS

STARTS = 9
GOAL_SECONDS = 1.2
GOAL_TOKENS = 2_500
_PROGRAM = (sys.executable, "-m", "treering.faces.cli", "mcp")
_LIBRARY = "import mcp.server.lowlevel, mcp.server.stdio"
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Talk:
    """A client of few words: one request, one answer."""

    def __init__(self, store: Path, tools: str) -> None:
        environment = {**os.environ, "TREERING_URL": str(store)}
        self.began = perf_counter()
        self._server = subprocess.Popen(
            [*_PROGRAM, "--tools", tools], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self._asked = 0

    def ask(self, method: str, **params: Any) -> tuple[Any, float]:
        """The answer, and the seconds since the process was started."""
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        assert self._server.stdout is not None
        answer = json.loads(self._server.stdout.readline())
        return answer["result"], perf_counter() - self.began

    def greet(self) -> float:
        _, seconds = self.ask("initialize", **_HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return seconds

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message).encode() + b"\n")
        self._server.stdin.flush()

    def close(self) -> None:
        self._server.communicate(timeout=60)


def start(store: Path) -> dict[str, float]:
    """Seconds from the start of the process to each of the first answers."""
    talk = Talk(store, "core")
    try:
        greeted = talk.greet()
        _, listed = talk.ask("tools/list")
        _, recalled = talk.ask("tools/call", name="recall", arguments={"query": "Where does Sam work?"})
        return {"initialize": greeted, "tools_list": listed, "first_recall": recalled}
    finally:
        talk.close()


def cost(store: Path, tools: str) -> dict[str, int]:
    talk = Talk(store, tools)
    try:
        talk.greet()
        listed = talk.ask("tools/list")[0]["tools"]
    finally:
        talk.close()
    for_models = [{name: one for name, one in tool.items() if name != "outputSchema"} for tool in listed]
    return {
        "tools": len(listed),
        "tokens": tokens_of(json.dumps(listed)),
        "tokens_without_answers": tokens_of(json.dumps(for_models)),
    }


def figures(starts: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "small.db"
        with treering.open(store) as mem:
            for number in range(100):
                mem.add(f"Sam works on project {number}")
        taken = [start(store) for _ in range(starts)]
        library = [record.timed(lambda: subprocess.run([sys.executable, "-c", _LIBRARY], check=True)) for _ in taken]
        return {
            "starts": starts,
            "seconds": {name: _spread([one[name] for one in taken]) for name in taken[0]},
            "library_seconds": _spread(library),
            "goal_seconds": GOAL_SECONDS,
            "goal_tokens": GOAL_TOKENS,
            "sets": {tools: cost(store, tools) for tools in TOOL_SETS},
        }


def _spread(seconds: list[float]) -> dict[str, float]:
    return {"best": round(min(seconds), 3), "median": round(median(seconds), 3), "worst": round(max(seconds), 3)}


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    seconds, tokens = told["seconds"], told["sets"]["core"]["tokens"]
    greeted = seconds["initialize"]["median"]
    return [
        (
            "`initialize` answered, from the start of the process",
            f"{greeted} s",
            f"≤ {GOAL_SECONDS} s",
            "met" if greeted <= GOAL_SECONDS else "NOT MET",
        ),
        ("tools listed", f"{seconds['tools_list']['median']} s", "", ""),
        ("first `recall` answered, 100 memories, default embedder", f"{seconds['first_recall']['median']} s", "", ""),
        ("importing the protocol's library alone", f"{told['library_seconds']['median']} s", "", ""),
        (
            "tokens of the tools of `core`, the shapes of answers included",
            f"{tokens:,}",
            f"≤ {GOAL_TOKENS:,}",
            "met" if tokens <= GOAL_TOKENS else "NOT MET",
        ),
    ]


def cost_table(told: dict[str, Any]) -> list[str]:
    lines = ["| tools | | tokens | without the shapes of answers |", "|---|---|---|---|"]
    for name, one in told["sets"].items():
        lines.append(f"| `{name}` | {one['tools']} | {one['tokens']:,} | {one['tokens_without_answers']:,} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=STARTS)
    told = figures(parser.parse_args().starts)
    for what, figure, goal, met in rows(told):
        print(f"{what:62} {figure:>10}  {goal:8} {met}")
    print("\n".join(cost_table(told)))
    print(record.write("speed_mcp", told))


if __name__ == "__main__":
    main()

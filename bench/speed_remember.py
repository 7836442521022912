"""How fast does what is said become knowledge? `make bench-remember` counts turns a second, stage by stage.

Turns of LoCoMo where the data are there (TREERING_BENCH_DATA), else those of `bench.corpus`, told to a durable store in
a file: one a call, as an assistant would, and many a call, as an import would. Read as by default; once without an
embedder, and once with the default one. Stages are what receipts say they spent. The cold start is a new process, from
its first line until its first `remember` is answered.

    python -m bench.speed_remember [--turns 500]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import treering
from bench import conversations, corpus, record
from bench.conversations import LOCOMO, Now, Turn
from treering.ingest.receipt import Receipt

TURNS = 1_000
A_CALL = 100
EMBEDDERS = ("none", "turnfinder-2")
COLD_STARTS = 5
GOAL_PER_SECOND = 100
"""Turns, embedding aside."""
_COLD = """
import time; start = time.perf_counter()
import treering
mem = treering.open({path!r}, embedder={embedder!r})
mem.remember("I left Google last May to join Anthropic.")
print(time.perf_counter() - start)
"""


def turns(wanted: int) -> tuple[str, list[Turn]]:
    """What they are of, and so many of them."""
    folder = os.environ.get("TREERING_BENCH_DATA")
    if folder and (Path(folder) / conversations.FILES[LOCOMO]).is_file():
        every = (
            Turn(f"{case.id}/{turn.key}", f"{case.id}/{turn.session}", turn.speaker, turn.text, turn.at)
            for case in conversations.load(LOCOMO)
            for turn in case.turns
        )
        return LOCOMO, list(islice(every, wanted))
    made_up = corpus.memories(wanted)
    return "made up", [Turn(one.key, one.session, one.speaker, one.content, one.at) for one in made_up]


def one_a_call(mem: treering.Treering, told: Sequence[Turn]) -> list[Receipt]:
    return [
        mem.remember(turn.text, speaker=turn.speaker, session=turn.session, at=turn.at, key=turn.key) for turn in told
    ]


def many_a_call(mem: treering.Treering, told: Sequence[Turn]) -> list[Receipt]:
    """A call has the turns of one session."""
    sessions: dict[str, list[Turn]] = {}
    for turn in told:
        sessions.setdefault(turn.session, []).append(turn)
    receipts = []
    for session, said in sessions.items():
        for start in range(0, len(said), A_CALL):
            messages = [
                {"speaker": turn.speaker, "content": turn.text, "at": turn.at} for turn in said[start : start + A_CALL]
            ]
            receipts.append(mem.remember(messages=messages, session=session))
    return receipts


WAYS = {"one a call": one_a_call, "many a call": many_a_call}


def measure(told: Sequence[Turn], embedder: str, way: str) -> dict[str, Any]:
    last = max((turn.at for turn in told if turn.at), default=None)
    with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
        path = Path(folder) / "told.db"
        with treering.open(path, clock=Now(last), embedder=embedder, space="told") as mem:
            mem.remember("Sam plays chess on Fridays.", space="else")  # models are loaded by the first that is told,
            mem.remember("Sam plays the cello.", space="else")  # and the index by the second
            start = perf_counter()
            receipts = WAYS[way](mem, told)
            seconds = perf_counter() - start
    stages = Counter[str]()
    for receipt in receipts:
        stages.update({stage: spent for stage, spent in receipt.milliseconds.items() if stage != "total"})
    return {
        "turns": len(told),
        "memories": sum(len(receipt.memories) for receipt in receipts),
        "turns_per_second": round(len(told) / seconds, 1),
        "turns_per_second_without_embedding": round(len(told) / (seconds - stages["embed"] / 1000), 1),
        "stages_ms_a_turn": {stage: round(spent / len(told), 3) for stage, spent in stages.items()},
    }


def cold_start(embedder: str, rounds: int = COLD_STARTS) -> float:
    """Seconds, the middle one of some. Installed packages have their bytecode: here a first start writes it, and is not
    counted."""
    with tempfile.TemporaryDirectory(prefix="treering-bench-") as folder:
        found = []
        given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        given["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        for number in range(rounds + 1):
            script = _COLD.format(path=str(Path(folder) / f"{number}.db"), embedder=embedder)
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=given)
            found.append(float(done.stdout))
    return round(median(found[1:]), 3)


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown = []
    for embedder, by_way in told["embedders"].items():
        for way, row in by_way.items():
            shown.append((f"{embedder}, {way}: turns/s", f"{row['turns_per_second']:,.0f}", "", ""))
            rate = row["turns_per_second_without_embedding"]
            met = "met" if rate >= GOAL_PER_SECOND else "NOT MET"
            shown.append((f"{embedder}, {way}: turns/s, embedding aside", f"{rate:,.0f}", f"≥ {GOAL_PER_SECOND}", met))
    return shown + [(f"{name}: cold start", f"{seconds:.2f} s", "", "") for name, seconds in told["cold_start"].items()]


def stage_table(told: dict[str, Any]) -> list[str]:
    """Milliseconds a turn, by stage."""
    found = {f"{name}, {way}": row for name, by_way in told["embedders"].items() for way, row in by_way.items()}
    stages = list(dict.fromkeys(stage for row in found.values() for stage in row["stages_ms_a_turn"]))
    lines = [f"| milliseconds a turn | {' | '.join(stages)} |", "|---|" + "--:|" * len(stages)]
    for what, row in found.items():
        lines.append(f"| {what} | " + " | ".join(f"{row['stages_ms_a_turn'].get(one, 0):.2f}" for one in stages) + " |")
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=TURNS)
    given = options.parse_args()
    of, told = turns(given.turns)
    figures: dict[str, Any] = {
        "of": of,
        "embedders": {name: {way: measure(told, name, way) for way in WAYS} for name in EMBEDDERS},
        "cold_start": {name: cold_start(name) for name in EMBEDDERS},
        "load_average": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown",
    }
    print("\n".join(stage_table(figures)) + "\n\n" + record.table(rows(figures)))
    print(f"\nturns: {of}; load of the machine {figures['load_average']}")
    if given.turns == TURNS:
        print(f"written to {record.write('speed_remember', figures)}")
    else:
        print("not written down: another number of turns")


if __name__ == "__main__":
    main()

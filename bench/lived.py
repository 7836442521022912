"""A lived coding history: thirty sessions of one project, with reversals, written for this; and what its next session
must be told. Each line that the session-start block says is judged: is it current, is it about the project's work, was
it needed? And of what is needed, how much is said?

    python -m bench.lived
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import treering
from bench import lived_held_out, lived_sessions
from treering.exchange.transcripts.turn import CommandRun, TranscriptTurn
from treering.faces.hooks.blocks import start_block
from treering.faces.hooks.event import HookEvent
from treering.faces.hooks.project import Project
from treering.faces.hooks.taking import NotesKept, TakingTarget, take_turns

SPACE = "code/acme/parcels"
BEGAN = datetime(2026, 8, 3, 9, tzinfo=UTC)
BUDGETS = (400, 800, 1_600)


def turns_of(number: int, session: Sequence[Any]) -> list[TranscriptTurn]:
    """A line that begins with `>` is what the agent said, with `$` what it ran and how it ended; else the person."""
    found = []
    at = BEGAN + timedelta(days=3 * number)
    for place, line in enumerate(session):
        when, turn = at + timedelta(minutes=place), str(place)
        if line.startswith("$ "):
            command, _, code = line[2:].rpartition(" #")
            found.append(
                TranscriptTurn(turn, "tool", f"Ran `{command}` (exit {code}).", when, (CommandRun(command, int(code)),))
            )
        elif line.startswith("> "):
            found.append(TranscriptTurn(turn, "assistant", line[2:], when))
        else:
            found.append(TranscriptTurn(turn, "user", line, when))
    return found


def block_after(sessions: Sequence[Sequence[str]], budget: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        now = BEGAN + timedelta(days=3 * len(sessions))
        with treering.open(Path(folder) / "lived.db", embedder="none", clock=lambda: now) as door:
            for number, session in enumerate(sessions):
                take_turns(door, turns_of(number, session), TakingTarget(SPACE, f"lived:{number}"))
            event = HookEvent("session-start", "claude-code", "next", Project(Path(folder), "acme/parcels", SPACE))
            return start_block(door, NotesKept(door), event, None, budget).text


def judged() -> dict[str, Any]:
    """Of the history that the tables were made with, and of one that they were not."""
    return {name: judged_on(one) for name, one in (("lived", lived_sessions), ("held out", lived_held_out))}


def judged_on(history: Any) -> dict[str, Any]:
    """For each budget: of the lines said, what share is current, to the point and needed; of what is needed, what share
    is said; and whether anything that is over is said."""
    return {str(budget): _judged(block_after(history.SESSIONS, budget), history) for budget in BUDGETS}


def _judged(text: str, history: Any) -> dict[str, Any]:
    lines = [line[2:] for line in text.splitlines() if line.startswith("- ")]
    over = [line for line in lines if any(re.search(one, line, re.I) for one in history.OVER)]
    needed = [line for line in lines if any(re.search(one, line, re.I) for one in history.NEEDED.values())]
    said = {
        name
        for name, one in history.NEEDED.items()
        if any(re.search(one, line, re.I) for line in lines if line not in over)
    }
    relevant = [line for line in lines if line in needed or line in over]
    count = len(lines) or 1
    return {
        "lines": len(lines),
        "current": round(1 - len(over) / count, 3),
        "relevant": round(len(relevant) / count, 3),
        "needed": round(len([line for line in needed if line not in over]) / count, 3),
        "of_what_is_needed_said": round(len(said) / len(history.NEEDED), 3),
        "missing": sorted(history.NEEDED.keys() - said),
        "said_though_over": over,
        "said_and_not_needed": [line for line in lines if line not in needed and line not in over],
    }


def main() -> None:
    print(block_after(lived_sessions.SESSIONS, 800))
    print(json.dumps(judged(), indent=2))


if __name__ == "__main__":
    main()

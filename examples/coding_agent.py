"""What a coding agent is told at the start of a session: decisions as they stand now, not as they once stood.

Two sessions are taken in as the hooks would take them (`treering hooks install`); a third one begins.
"""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import treering
from treering.exchange.transcripts.turn import CommandRun, TranscriptTurn
from treering.faces.hooks.blocks import start_block
from treering.faces.hooks.event import HookEvent
from treering.faces.hooks.project import Project
from treering.faces.hooks.taking import NotesKept, TakingTarget, take_turns

SPACE = "code/acme/shop"
FIRST = [
    TranscriptTurn(
        "1",
        "user",
        "Let's use MySQL for the orders. Always run `make lint` before each commit.",
        datetime(2026, 3, 1, tzinfo=UTC),
    ),
    TranscriptTurn("2", "tool", "", datetime(2026, 3, 1, tzinfo=UTC), (CommandRun("make test", 0),)),
    TranscriptTurn(
        "3", "assistant", "Done. Still need to add retries to the uploader.", datetime(2026, 3, 1, tzinfo=UTC)
    ),
]
SECOND = [
    TranscriptTurn(
        "1",
        "user",
        "We're switching to Postgres. The password is hunter2hunter, by the way.",
        datetime(2026, 3, 9, tzinfo=UTC),
    ),
    TranscriptTurn(
        "2", "assistant", "Migrated. Retries in the uploader are implemented too.", datetime(2026, 3, 9, tzinfo=UTC)
    ),
]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, treering.open(Path(folder) / "code.db") as mem:
        for name, turns in (("first", FIRST), ("second", SECOND)):
            taken = take_turns(mem, turns, TakingTarget(SPACE, name))
            print(f"{name} session: {taken.turns} turns, {taken.notes} notes, {taken.replaced} replaced, "
                  f"{taken.masked.total()} secrets masked")  # fmt: skip
        project = Project(Path(folder), "acme/shop", SPACE)
        event = HookEvent("session-start", "claude-code", "third", project)
        print(start_block(mem, NotesKept(mem), event, None, 800).text)


if __name__ == "__main__":
    main()

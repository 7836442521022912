"""What a coding agent is told at the start of a session: decisions as they stand now, not as they once stood.

Two sessions are taken in as the hooks would take them (`treering hooks install`); a third one begins.
"""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import treering
from treering.exchange.transcripts.turn import Run, Turn
from treering.faces.hooks.blocks import start_block
from treering.faces.hooks.event import Event
from treering.faces.hooks.project import Project
from treering.faces.hooks.taking import NotesKept, Where, take_turns

SPACE = "code/acme/shop"
FIRST = [
    Turn(
        "1",
        "user",
        "Let's use MySQL for the orders. Always run `make lint` before each commit.",
        datetime(2026, 3, 1, tzinfo=UTC),
    ),
    Turn("2", "tool", "", datetime(2026, 3, 1, tzinfo=UTC), (Run("make test", 0),)),
    Turn("3", "assistant", "Done. Still need to add retries to the uploader.", datetime(2026, 3, 1, tzinfo=UTC)),
]
SECOND = [
    Turn(
        "1",
        "user",
        "We're switching to Postgres. The password is hunter2hunter, by the way.",
        datetime(2026, 3, 9, tzinfo=UTC),
    ),
    Turn("2", "assistant", "Migrated. Retries in the uploader are implemented too.", datetime(2026, 3, 9, tzinfo=UTC)),
]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, treering.open(Path(folder) / "code.db") as mem:
        for name, turns in (("first", FIRST), ("second", SECOND)):
            taken = take_turns(mem, turns, Where(SPACE, name))
            print(f"{name} session: {taken.turns} turns, {taken.notes} notes, {taken.replaced} replaced, "
                  f"{taken.masked.total()} secrets masked")  # fmt: skip
        project = Project(Path(folder), "acme/shop", SPACE)
        event = Event("session-start", "claude-code", "third", project)
        print(start_block(mem, NotesKept(mem), event, None, 800).text)


if __name__ == "__main__":
    main()

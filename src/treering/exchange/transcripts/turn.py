"""WHAT is a turn of a coding session? Who spoke, what was said or run, and when, whatever the client calls it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Any, Literal

from treering.values import dataclass

Role = Literal["user", "assistant", "tool"]
MOST_CHARS = 8_000
"""Of one turn: what is pasted beyond that is a file or a log, and not said."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command that an agent ran. `exit`: how it ended, None if that is not told."""

    command: str
    exit: int | None = None

    @property
    def ok(self) -> bool:
        return self.exit == 0


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """One thing said; of a tool what was run and which files were changed, never what it printed. `id` is the same
    whenever the transcript is read."""

    id: str
    role: Role
    text: str
    at: datetime | None = None
    runs: tuple[CommandRun, ...] = ()
    edited: tuple[str, ...] = ()


@dataclass(slots=True)
class Transcript:
    """What was read of one. `session` and `folder` as far as the transcript itself tells them; `end` is where the next
    reading goes on: bytes of a file that grows at its end, turns of one that is written anew."""

    client: str
    session: str | None = None
    folder: str | None = None
    turns: list[TranscriptTurn] = field(default_factory=list)
    end: int = 0
    left_out: int = 0
    """Lines that could not be read."""


def lines_of(data: bytes, start: int = 0) -> Iterator[tuple[int, int, Any]]:
    """Whole lines from there on, each with where it begins and ends; None for one that is no JSON object."""
    at = start
    while (end := data.find(b"\n", at)) >= 0:
        line = data[at:end].strip()
        if line:
            try:
                one = json.loads(line)
            except (ValueError, RecursionError):
                one = None
            yield at, end + 1, one if isinstance(one, dict) else None
        at = end + 1


def moment(value: Any) -> datetime | None:
    """From ISO 8601, or seconds or milliseconds since 1970."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def cut(text: str) -> str:
    text = text.replace("\x00", "").strip()
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}… ({len(text) - MOST_CHARS:,} characters more)"


def texts_of(content: Any, kinds: Sequence[str] = ("text", "input_text", "output_text")) -> str:
    """The words of a content: a text, or a list of blocks of which some are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    found = (one.get("text") for one in content if isinstance(one, Mapping) and one.get("type") in kinds)
    return "\n\n".join(one for one in found if isinstance(one, str) and one.strip())


def done_text(runs: Sequence[CommandRun], edited: Sequence[str]) -> str:
    """What a tool did, in a line: by its command and exit."""
    ran = [f"`{one.command}`" + ("" if one.exit is None else f" (exit {one.exit})") for one in runs]
    parts = [f"Ran {', '.join(ran)}."] if ran else []
    parts += [f"Edited {', '.join(dict.fromkeys(edited))}."] if edited else []
    return " ".join(parts)


class Doing:
    """Gathers what tools do between two things said, and makes one turn of it."""

    def __init__(self) -> None:
        self._calls: dict[str, CommandRun] = {}
        self._edited: list[str] = []
        self._first: tuple[str, datetime | None] | None = None

    def begun(self, call: str, turn: str, at: datetime | None, command: str | None, edited: Sequence[str] = ()) -> None:
        if command is None and not edited:
            return
        self._first = self._first or (turn, at)
        self._edited += edited
        if command is not None:
            self._calls[call] = CommandRun(one_line(command))

    def ended(self, call: str, exit_code: int | None) -> None:
        run = self._calls.get(call)
        if run is not None:
            self._calls[call] = CommandRun(run.command, exit_code)

    def turn(self) -> Iterator[TranscriptTurn]:
        """At most one; from here on it is gathered anew."""
        runs = tuple(self._calls.values())
        if self._first is not None:
            said = done_text(runs, self._edited)
            yield TranscriptTurn(
                f"{self._first[0]}.tools", "tool", cut(said), self._first[1], runs, tuple(self._edited)
            )
        self.__init__()  # type: ignore[misc]


def one_line(command: str) -> str:
    """A command as one would type it again; of a long script the beginning."""
    line = " ".join(command.split())
    return line if len(line) <= 300 else line[:299] + "…"

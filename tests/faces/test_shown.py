"""What every command shows, as text to be read in a review: its help, and an answer in a pipe, on a terminal and on a
narrow one. `make snapshots` writes the files anew; a change in them is a change a user sees.
"""

from __future__ import annotations

import dataclasses
import io
import os
import re
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from rich.console import Console
from tests.conftest import HandClock
from tests.faces.calls import CALLS, words_of
from tests.faces.command import Here
from tests.faces.conftest import THEN
from tests.ingest.test_judged import Fixed
from tools.pages import every_command, made

import treering
from treering.door import Treering
from treering.faces.cli import commands
from treering.faces.cli.app import program
from treering.faces.cli.blocks import Block
from treering.faces.cli.commands import command_name
from treering.faces.cli.paper import Screen
from treering.faces.cli.render import rendered
from treering.mind.judging import Verdict

FOLDER = Path(__file__).parent / "snapshots"
WRITES = bool(os.environ.get("TREERING_SNAPSHOTS"))
WIDE, NARROW = 110, 50
_ROOT = click.Context(program(), info_name="treering")


def _file(operation: str) -> str:
    return command_name(operation).replace(" ", "-")


def _holds(name: str, shown: str) -> None:
    path = FOLDER / f"{name}.txt"
    if WRITES:
        path.write_text(shown, "utf-8")
    assert path.exists(), f"{path.name} is missing; run `make snapshots` and read what it wrote"
    assert shown == path.read_text("utf-8"), f"{path.name} is out of date; run `make snapshots` and read the change"


@pytest.mark.parametrize("command", list(every_command(_ROOT)))
def test_the_help_of_a_command_reads_as_it_was_approved(command: str) -> None:
    context = click.Context(made(_ROOT, command), info_name=command, parent=_ROOT, terminal_width=90)
    _holds(f"help-{command.replace(' ', '-')}", context.get_help() + "\n")


class _Masks:
    """What differs from run to run, by what it is: ids are numbered as they appear. Drawings are masked before they are
    drawn, since a line may be broken anywhere."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._ids = str(folder), dict[str, str]()

    def __call__(self, thing: Any) -> Any:
        if isinstance(thing, str):
            return self._text(thing)
        if isinstance(thing, tuple | list):
            return type(thing)(self(one) for one in thing)
        if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
            return type(thing)(**{one.name: self(getattr(thing, one.name)) for one in dataclasses.fields(thing)})
        return thing

    def _text(self, text: str) -> str:
        text = text.replace(self._folder, "FOLDER")
        text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", self._id, text)
        text = re.sub(r'(?<=[…\["])[0-9a-f]{8}\b', self._id, text)
        text = re.sub(r"\b[0-9a-f]{16,64}\b", "HASH", text)
        text = re.sub(r"\b(tr_[0-9a-f]{12}_|whsec_)[\w-]{43}|\b[0-9a-f]{12}\b", "KEY", text)
        text = re.sub(r"(?<=[\t ])[\w-]{43,}=*(?=\s|$)|^[\w-]{43}$", "KEY", text)
        text = re.sub(r"(bytes|milliseconds|schema) [\d.]+|SQLite [\d.]+|\b\d+\.\d{3,}\b", "FIGURE", text)
        return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)

    def _id(self, found: re.Match[str]) -> str:
        return self._ids.setdefault(found[0][-8:], f"ID{len(self._ids) + 1}")


@pytest.fixture
def then(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    """The clock stands still for everyone who opens a store."""
    clock = HandClock(THEN)
    monkeypatch.setattr(treering, "open", partial(treering.open, clock=clock))
    monkeypatch.setattr(commands, "open_door", partial(commands.open_door, clock=clock))
    return clock


@pytest.mark.parametrize("operation", CALLS)
def test_what_a_command_answers_reads_as_it_was_approved(
    operation: str,
    then: HandClock,
    names: dict[str, str],
    cli: Here,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = _answers(operation, monkeypatch)
    if operation == "compare":  # what is shown is approved here, and not what the weights of the day say
        monkeypatch.setattr(Treering, "_judge", lambda self, space: Fixed(Verdict.ADDS, 0.94))
    then.advance(days=1)
    piped = cli(*words_of(CALLS[operation][0], names))
    assert (piped.code, piped.err) == (0, "")
    [answer] = answers
    mask = _Masks(tmp_path)
    blocks = mask(rendered(answer))
    shown = {"a pipe": mask(piped.out), "a terminal": _drawn(blocks, WIDE), "a narrow terminal": _drawn(blocks, NARROW)}
    _holds(_file(operation), "\n".join(f"--- {paper}\n{text.rstrip()}\n" for paper, text in shown.items()))


def _answers(operation: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    seen: list[Any] = []
    real = getattr(Treering, operation)

    def watched(self: Treering, **arguments: Any) -> Any:
        seen.append(real(self, **arguments))
        return seen[-1]

    monkeypatch.setattr(Treering, operation, watched)
    return seen


def _drawn(blocks: list[Block], width: int) -> str:
    told = io.StringIO()
    Screen(Console(width=width, file=told, color_system=None, highlight=False)).draw(blocks)  # type: ignore[arg-type]
    return re.sub(r"[ \t]+$", "", told.getvalue(), flags=re.MULTILINE)


def test_no_snapshot_is_left_of_what_is_gone() -> None:
    wanted = {_file(one) for one in CALLS} | {f"help-{one.replace(' ', '-')}" for one in every_command(_ROOT)}
    left = {path.stem: path for path in FOLDER.glob("*.txt") if path.stem not in wanted}
    if WRITES:
        for path in left.values():
            path.unlink()
    else:
        assert list(left) == []

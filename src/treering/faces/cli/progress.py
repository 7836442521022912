"""How far is long work? A bar on standard error, if that is a terminal and nobody asked for JSON; and what is said when
the work is broken off."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress, Task
    from rich.text import Text

BROKEN_OFF = "interrupted; what was read is kept, and the same command goes on from there"
_AS_A_WHOLE = {
    "verify": "checking",
    "doctor": "checking",
    "export": "writing",
    "backup": "copying",
    "backup_rehearse": "rehearsing",
    "migrate": "copying",
    "import_journal": "taking in",
    "receive_journal": "taking over",
    "sync": "exchanging",
    "add_file": "reading",
    "add_many": "reading",
}
"""Work of which nothing is kept when it is broken off, and what is done in it."""


class ProgressBar:
    """Told how much is done, of how much; the bar is there from the first time on."""

    def __init__(self, drawn: bool, no_color: bool, doing: str) -> None:
        self.begun = False
        self._drawn, self._no_color, self._doing = drawn, no_color, doing
        self._bar: Progress | None = None

    def __call__(self, done: int, of: int) -> None:
        self.begun = True
        if self._drawn and self._bar is None:
            self._bar = _bar(self._no_color)
            self._bar.add_task(self._doing, total=of)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=of)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def watching(json: bool, no_color: bool, work: str) -> Iterator[ProgressBar]:
    """`work`: the operation, or the command, that is being done."""
    watch = ProgressBar(sys.stderr.isatty() and not json, no_color, _AS_A_WHOLE.get(work, "reading"))
    try:
        yield watch
    except KeyboardInterrupt:
        if watch.begun and work not in _AS_A_WHOLE:
            raise click.Abort(BROKEN_OFF) from None
        raise
    finally:
        watch.close()


def _bar(no_color: bool) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

    from treering.faces.cli.terminal import terminal

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return _rate(task.speed)

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    return Progress(*columns, console=terminal(no_color, stderr=True), transient=True)


def _rate(a_second: float | None) -> Text:
    from rich.text import Text

    return Text("" if a_second is None else f"{a_second:,.0f}/s")

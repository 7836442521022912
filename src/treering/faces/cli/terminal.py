"""The terminal as rich draws on it: without colour there is no escape sequence, and a lost reader is told upwards."""

from __future__ import annotations

from rich.console import Console


class Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Rich would end the program with 1; which number that deserves is not decided here."""
        raise BrokenPipeError


def terminal(no_color: bool, stderr: bool = False) -> Terminal:
    console = Terminal(highlight=False, stderr=stderr, no_color=no_color or None)
    return Terminal(highlight=False, stderr=stderr, color_system=None) if console.no_color else console

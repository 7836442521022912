"""How is a step of the story shown? A sentence, the call as one would write it in Python, and its real answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from treering.faces.cli.blocks import Block
from treering.faces.cli.paper import Screen, visible
from treering.faces.cli.render import rendered
from treering.model.time import utc

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

R = TypeVar("R")
_WIDTH = 100
_INDENT = 4


class HandClock:
    """The present, moved by hand."""

    def __init__(self, day: str) -> None:
        self.now = utc(day)

    def __call__(self) -> datetime:
        return self.now

    def move_to(self, day: str) -> None:
        self.now = utc(day)


class ShownName(str):
    """A text that the shown call spells as the variable it comes from."""

    name: str

    @classmethod
    def of(cls, name: str, value: str) -> ShownName:
        made = cls(value)
        made.name = name
        return made

    def __repr__(self) -> str:
        return self.name


class DemoStage:
    def __init__(self, console: Console, pause_seconds: float) -> None:
        self.console = console
        self.console.width = min(console.width, _WIDTH)
        self._pause_seconds = pause_seconds
        self._screen = Screen(console)
        self.clock = HandClock("2024-03-04T09:00:00Z")
        self.door = "mem"
        self._fresh = True

    # telling

    def open_with(self, title: str, text: str) -> None:
        from rich.panel import Panel
        from rich.text import Text

        self.console.print()
        self.console.print(Panel(Text(text), title=Text(title, "bold green"), border_style="green", padding=(1, 2)))

    def chapter(self, number: int, title: str) -> None:
        from rich.rule import Rule
        from rich.text import Text

        self.console.print()
        self.console.print(Rule(Text(f"{number} · {title}", "bold green"), align="left", style="green"))
        self._fresh = True
        self._pause()

    def day(self, day: str) -> None:
        """Moves the clock: what follows happens then."""
        from rich.text import Text

        self.clock.move_to(day)
        self.console.print()
        self.console.print(Text(f"  {self.clock.now:%d %B %Y}".replace(" 0", " "), "bold yellow"))
        self._fresh = True

    def say(self, sentence: str) -> None:
        """After a line of space, unless a day has just begun."""
        from rich.text import Text

        if not self._fresh:
            self.console.print()
        self._fresh = False
        self._indented(Text(sentence, "italic"), 2)

    # doing

    def call(self, method: Callable[..., R], *args: Any, **named: Any) -> R:
        """Shows a call, makes it, and gives the answer back."""
        return self._run("", method, args, named)

    def keep(self, variable: str, method: Callable[..., R], *args: Any, **named: Any) -> R:
        """The same, with the answer kept under a name."""
        return self._run(f"{variable} = ", method, args, named)

    def _run(self, before: str, method: Callable[..., R], args: tuple[Any, ...], named: dict[str, Any]) -> R:
        name = getattr(method, "__name__", "call")
        called = before + (f"{self.door}.{name}" if hasattr(method, "__self__") else name)
        self._fresh = False
        self._code(spelled(called, args, named, self.console.width - _INDENT - len(">>> ")))
        result = method(*(_bare(one) for one in args), **{name: _bare(one) for name, one in named.items()})
        self._pause()
        return result

    def answer(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self._indented(self._screen.drawn(block), _INDENT)

    def answer_text(self, text: str, style: str = "") -> None:
        from rich.text import Text

        self._indented(Text(visible(text), style), _INDENT)

    def show(self, method: Callable[..., R], *args: Any, **named: Any) -> R:
        """A call, and its answer as the command line draws it."""
        result = self.call(method, *args, **named)
        self.answer(rendered(result))
        return result

    def _code(self, text: str) -> None:
        """As at Python's own prompt."""
        from rich.syntax import Syntax
        from rich.text import Text

        drawn = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
        drawn.rstrip()
        for place, line in enumerate(drawn.split("\n")):
            self._indented(Text.assemble(("... " if place else ">>> ", "green"), line), _INDENT)

    def _indented(self, what: RenderableType, columns: int) -> None:
        from rich.padding import Padding

        self.console.print(Padding(what, (0, 0, 0, columns), expand=False))

    def _pause(self) -> None:
        if self._pause_seconds:
            time.sleep(self._pause_seconds)


def spelled(called: str, args: tuple[Any, ...], named: dict[str, Any], width: int) -> str:
    """A call as it would be written; where a line is full, the next goes on below the first argument."""
    words = [_literal(one) for one in args] + [f"{key}={_literal(one)}" for key, one in named.items()]
    lines = [called + "("]
    for place, word in enumerate(words):
        piece = word + (")" if place == len(words) - 1 else ", ")
        if len(lines[-1]) + len(piece.rstrip()) > width and place:
            lines.append(" " * (len(called) + 1))
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines) if words else called + "()"


def _literal(value: Any) -> str:
    match value:
        case ShownName():
            return repr(value)
        case str():
            return '"' + value.replace('"', '\\"') + '"'
        case bytes():
            return f'b"{value.decode()}"'
        case Path():
            return "folder" if value.is_dir() else f'"{value.name}"'
        case list():
            return f"[{', '.join(_literal(one) for one in value)}]"
        case tuple():
            return f"({', '.join(_literal(one) for one in value)})"
    return repr(value)


def _bare(value: Any) -> Any:
    return str(value) if isinstance(value, ShownName) else value

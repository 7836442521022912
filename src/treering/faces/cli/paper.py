"""On what is an answer drawn? A wide terminal, a narrow one, or a pipe, where each record is one line of fields.

Nothing that was remembered may speak to the terminal: control characters are made visible on every paper.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

import click

from treering.faces.cli.blocks import Block, Cell, Line, Pairs, Rows, TimelineRows, id_cell
from treering.model.value import plain

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NARROW = 70
ROOMY = 120
STYLES = {
    "plain": "",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "quiet": "dim",
    "strong": "bold",
    "name": "cyan",
}


class Output(Protocol):
    def draw(self, blocks: Iterable[Block]) -> None: ...

    def json(self, result: Any) -> None: ...


def paper(no_color: bool) -> Output:
    if not sys.stdout.isatty():
        return Pipe()
    from treering.faces.cli.terminal import terminal

    return Screen(terminal(no_color))


def visible(text: str, lines: bool = False) -> str:
    """Characters that would move the cursor or change the terminal, as what they are."""
    return "".join(one if one.isprintable() or (lines and one == "\n") else _named(one) for one in text)


def _named(char: str) -> str:
    return " " if char.isspace() else repr(char)[1:-1]


def write_json(result: Any) -> None:
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    click.echo(json.dumps(plain(result), indent=2, ensure_ascii=not utf8))


class Pipe:
    """One record a line, fields apart by tabs, whole ids and ISO times: for grep, cut and while read."""

    def json(self, result: Any) -> None:
        write_json(result)

    def draw(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            for fields in self._records(block):
                click.echo("\t".join(visible(one) for one in fields))

    def _records(self, block: Block) -> Iterable[tuple[str, ...]]:
        match block:
            case Line():
                return () if block.for_people else ((block.text,),)
            case Pairs():
                return ((name, one.whole()) for name, one in block.pairs)
            case Rows():
                return (tuple(one.whole() for one in row) for row in block.rows)
            case TimelineRows():
                return (one.record for one in block.happenings)


class Screen:
    """A terminal: tables where there is room, records below one another where there is not."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def json(self, result: Any) -> None:
        write_json(result)

    def draw(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self._console.print(self.drawn(block))

    def drawn(self, block: Block) -> RenderableType:
        match block:
            case Line():
                return _text(block.text, block.tone, lines=True)
            case Pairs():
                return self._pairs(block)
            case Rows() if not block.rows:
                return _text(block.empty, "quiet")
            case Rows():
                return self._stack(block) if self._console.width < NARROW else self._table(block)
            case TimelineRows():
                return self._timeline(block)

    @property
    def _room(self) -> bool:
        return self._console.width >= ROOMY

    def _cell(self, one: Cell) -> Text:
        return _text(one.text(self._room), one.tone, lines=True)

    def _pairs(self, block: Pairs) -> RenderableType:
        from rich.table import Table

        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, one in block.pairs:
            grid.add_row(_text(name, "quiet"), _text(one.full if one.roomy else one.shown, one.tone, lines=True))
        return grid

    def _kept(self, block: Rows) -> list[int]:
        """The columns there is room for and that say something."""
        return [
            place
            for place, column in enumerate(block.columns)
            if (self._room or not column.roomy) and any(row[place].shown for row in block.rows)
        ]

    def _table(self, block: Rows) -> RenderableType:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
        kept = self._kept(block)
        for place in kept:
            table.add_column(block.columns[place].name, no_wrap=not block.columns[place].main, overflow="fold")
        for row in block.rows:
            table.add_row(*(self._cell(row[place]) for place in kept))
        return table

    def _stack(self, block: Rows) -> RenderableType:
        """Each record: its main cells as a line, the others below it."""
        from rich.console import Group
        from rich.padding import Padding

        lines: list[RenderableType] = []
        for row in block.rows:
            named = [(block.columns[place], row[place]) for place in self._kept(block) if row[place].shown]
            lines.append(_join([_text(one.shown, one.tone) for column, one in named if column.main], " "))
            for column, one in named:
                if not column.main:
                    value = one.full if one.roomy else one.shown
                    told = _join([_text(column.name + " ", "quiet"), _text(value, one.tone)])
                    lines.append(Padding(told, (0, 0, 0, 2)))
        return Group(*lines)

    def _timeline(self, block: TimelineRows) -> RenderableType:
        from rich.table import Table

        grid = Table.grid(padding=(0, 1))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        last = len(block.happenings) - 1
        for place, one in enumerate(block.happenings):
            told = one.what if self._room else _ID.sub(lambda found: id_cell(found[0]).shown, one.what)
            what = _join([_text(one.at.shown, "strong"), _text(told, "plain")], "  ")
            grid.add_row(_text("●", "good"), what)
            for note in one.notes:
                grid.add_row(_text("│" if place < last else " ", "good"), _text(note, "quiet"))
        return grid


def _text(text: str, tone: str, lines: bool = False) -> Text:
    from rich.text import Text

    return Text(visible(text, lines), style=STYLES[tone])


def _join(parts: list[Text], gap: str = "") -> Text:
    from rich.text import Text

    return Text(gap).join(parts)

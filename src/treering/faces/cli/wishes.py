"""What does every command understand? Where the store is, on whose behalf, and how the answer is to be shown.

No operation is loaded here: commands that need none start at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options that every command understands, given before its name or after it."""

    url: str | None = None
    actor: str | None = None
    json: bool = False
    no_color: bool = False

    def and_also(self, url: str | None, actor: str | None, json: bool, no_color: bool) -> Wishes:
        """What is said nearer to the command counts."""
        return replace(
            self,
            url=url if url is not None else self.url,
            actor=actor if actor is not None else self.actor,
            json=json or self.json,
            no_color=no_color or self.no_color,
        )


_WISHES = ("url", "actor", "json", "no_color")


def wish_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--url"], metavar="STORE", help="The store: a path or postgresql://… Else TREERING_URL, else yours."
        ),
        click.Option(["--actor"], metavar="NAME", help="On whose behalf it is done. Else TREERING_ACTOR."),
        click.Option(["--json"], is_flag=True, help="Answer with JSON, for machines."),
        click.Option(["--no-color"], is_flag=True, help="No colour; so does the variable NO_COLOR."),
    ]


def take_wishes(ctx: click.Context, given: dict[str, Any]) -> Wishes:
    """Takes them out of what was given, and keeps them for the commands below."""
    before = ctx.find_object(Wishes) or Wishes()
    ctx.obj = wishes = before.and_also(**{name: given.pop(name) for name in _WISHES})
    return wishes


@click.pass_context
def first_options(ctx: click.Context, /, **given: Any) -> None:
    """Of a command with commands below it: its options count for those; alone it shows its help."""
    take_wishes(ctx, given)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


class TreeringCommand(click.Command):
    """A command whose help shows its arguments, its own options and those every command has, each with its sentence."""

    def __init__(self, name: str, arguments: Sequence[tuple[str, str]] = (), **more: Any) -> None:
        super().__init__(name, **more)
        self.explained = tuple(arguments)
        self.params = [*self.params, *wish_options()]

    def own_params(self) -> list[click.Parameter]:
        return [one for one in self.params if one.name not in _WISHES]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        everywhere = [one for one in options if one.name in _WISHES or "--help" in one.opts]
        own = [one for one in options if one not in everywhere]
        _section(formatter, "Arguments", list(self.explained))
        for title, params in (("Options", own), ("Options of every command", everywhere)):
            _section(formatter, title, [row for one in params if (row := one.get_help_record(ctx))])


def _section(formatter: click.HelpFormatter, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


class TreeringGroup(TreeringCommand, click.Group):
    """A command with commands below it."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

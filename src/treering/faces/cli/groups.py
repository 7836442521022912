"""Which commands have commands of their own? `upkeep`, `review` and `backups`: the second word names
the operation."""

from __future__ import annotations

import difflib

import click

from treering.faces.cli.commands import GROUPS, NAMES, operation_command
from treering.faces.cli.restoring import restore_command
from treering.faces.cli.upkeep_watch import watch_command
from treering.faces.cli.wishes import first_options, wish_options

_MORE = {"upkeep": {"watch": watch_command}, "backups": {"restore": restore_command}}


class CommandGroup(click.Group):
    """Its commands are made when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        own = [name.split()[1] for name in NAMES if name.startswith(f"{self.name} ")]
        return [*own, *_MORE.get(self.name or "", {})]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        more = _MORE.get(self.name or "", {})
        if cmd_name in more:
            return more[cmd_name]()
        whole = f"{self.name} {cmd_name}"
        return operation_command(whole) if whole in NAMES else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f"did you mean {near[0]}?" if near else f"treering {self.name} --help lists them"
            raise click.UsageError(f"there is no command {self.name} {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def group(name: str) -> CommandGroup:
    return CommandGroup(
        name,
        params=wish_options(),
        help=GROUPS[name],
        callback=first_options,
        no_args_is_help=False,
        invoke_without_command=True,
    )

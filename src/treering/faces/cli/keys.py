"""`treering keys`: the key an actor signs with, and who signs in a space.

Keys for programs that call a server are another thing; they will have their place in this group.
"""

from __future__ import annotations

from typing import Any

import click

from treering.faces.cli.commands import operation_command, show
from treering.faces.cli.wishes import TreeringCommand, take_wishes


def keys_group() -> click.Group:
    group = click.Group(
        "keys",
        help="An actor with a key signs what it writes: entries of the journal, and the edges it observed. Others can "
        "tell that it was this actor, and `treering verify` names what was changed afterwards.",
        no_args_is_help=False,
        invoke_without_command=True,
        callback=_without_a_command,
    )
    group.add_command(_identity())
    group.add_command(_list())
    return group


@click.pass_context
def _without_a_command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _identity() -> TreeringCommand:
    return TreeringCommand(
        "identity",
        params=[
            click.Option(["--new"], is_flag=True, help="Make a new key; the old file is kept beside it."),
        ],
        help="Shows the actor's public key, and makes the key if there is none. What the actor writes from then on is "
        "signed, and a space that has seen its key takes nothing unsigned in its name. The secret stays in a file of "
        "your data folder that nobody else can read.",
        short_help="Show the actor's public key; make it if there is none.",
        callback=_show_identity,
    )


@click.pass_context
def _show_identity(ctx: click.Context, /, new: bool, **given: Any) -> int:
    from treering import settings
    from treering.keyfile import make_key

    wishes = take_wishes(ctx, given)
    return show(make_key(settings.key_folder(), wishes.actor or settings.read().actor, new), wishes)


def _list() -> TreeringCommand:
    command = operation_command("signers")
    command.name = "list"
    return command

"""`treering keys`: keys that open a server to programs, and the key an actor signs with."""

from __future__ import annotations

from typing import Any

import click

from treering.faces.cli.commands import operation_command, show
from treering.faces.cli.wishes import TreeringCommand, first_options, take_wishes, wish_options


def keys_group() -> click.Group:
    group = click.Group(
        "keys",
        help="Keys that open a server to programs: create, list, rotate and revoke them; what groups of an identity "
        "provider may do. And the key an actor signs with: what it writes can be told from what others write, and "
        "`treering verify` names what was changed afterwards.",
        params=wish_options(),
        no_args_is_help=False,
        invoke_without_command=True,
        callback=first_options,
    )
    for command in (_create(), _as("key-list", "list"), _as("key-revoke", "revoke"), _identity()):
        group.add_command(command)
    group.add_command(_as("key-rotate", "rotate"))
    for operation, name in (("grant-add", "grant"), ("grant-list", "grants"), ("grant-remove", "ungrant")):
        group.add_command(_as(operation, name))
    group.add_command(_as("signers", "signers"))
    return group


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


def _as(operation: str, name: str) -> TreeringCommand:
    command = operation_command(operation)
    command.name = name
    return command


def _create() -> TreeringCommand:
    return TreeringCommand(
        "create",
        params=[
            click.Option(["--name"], default="key", show_default=True, help="Who its bearer acts for."),
            click.Option(["--space"], multiple=True, required=True,
                         help="A space it opens: acme/research, acme/* with all below it, or * for all. Can be "
                         "repeated."),
            click.Option(["--role"], type=click.Choice(["read", "write", "admin"]), default="read", show_default=True,
                         help="What its bearer may do."),
            click.Option(["--reports-for-others"], is_flag=True,
                         help="May say that another has reported something; who has written it is shown beside it."),
            click.Option(["--requests-a-minute"], type=click.IntRange(1),
                         help="Most requests a minute; the server's own bound if left out."),
            click.Option(["--requests-a-day"], type=click.IntRange(1),
                         help="Most requests a day (UTC); no bound if left out."),
            click.Option(["--expires-at"],
                         help="From then on it opens nothing, such as 2027-01-01T00:00:00Z; never if left out."),
        ],
        help="Make a key for a server. It is shown this once: what is kept does not tell it.",
        short_help="Make a key for a server.",
        callback=_issue,
    )  # fmt: skip


@click.pass_context
def _issue(ctx: click.Context, /, name: str, space: tuple[str, ...], role: str, **given: Any) -> int:
    from treering.door import open as open_door

    rate = {one: given.pop(one) for one in ("requests_a_minute", "requests_a_day", "reports_for_others", "expires_at")}
    wishes = take_wishes(ctx, given)
    with open_door(wishes.url, actor=wishes.actor) as door:
        return show(door.key_create(name, spaces=list(space), role=role, **rate), wishes)

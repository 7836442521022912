"""`treering backups restore`: a new store of a backup."""

from __future__ import annotations

from typing import Any

import click

from treering.faces.cli.progress import watching
from treering.faces.cli.wishes import TreeringCommand, take_wishes


def restore_command() -> TreeringCommand:
    return TreeringCommand(
        "restore",
        params=[
            click.Argument(["path"], metavar="BACKUP"),
            click.Option(["--to", "to"], metavar="STORE", required=True,
                         help="The new store: a file that is not there yet, or an empty postgresql://… database."),
            click.Option(["--known-at"], metavar="TIME", help="Only what was known then; all of it if left out."),
        ],
        arguments=[("BACKUP", "The file that `backup` or `backups run` made.")],
        help="Makes a new store of a backup and verifies it. With --known-at it knows what was known at that moment "
        "and nothing later; what was purged since stays purged. A sealed backup is opened with the passphrase in the "
        "file that TREERING_BACKUP_PASSPHRASE_FILE names.",
        short_help="Make a new store of a backup, as of any moment.",
        callback=_restore,
    )  # fmt: skip


@click.pass_context
def _restore(ctx: click.Context, /, path: str, to: str, known_at: str | None, **given: Any) -> int:
    from treering.door.restoring import restore_backup
    from treering.faces.cli.commands import show

    wishes = take_wishes(ctx, given)
    with watching(wishes.json, wishes.no_color, "import_journal") as watch:
        done = restore_backup(path, to, known_at=known_at, progress=watch)
    return show(done, wishes)

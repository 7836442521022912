"""`treering backups restore`, and what is shown of backups and holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from treering.exchange.backups import BackupFound
from treering.faces.cli.blocks import Column, Rows, cell, id_cell, time_cell
from treering.faces.cli.progress import watching
from treering.faces.cli.wishes import TreeringCommand, take_wishes
from treering.upkeep.hold import Hold


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


def backups(found: Sequence[BackupFound]) -> Rows:
    columns = (Column("name", main=True), Column("made"), Column("bytes"), Column("sealed"))
    rows = (
        (cell(one.name, "name"), time_cell(one.made_at), cell(f"{one.bytes:,}"), cell("yes" if one.sealed else "no"))
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def holds(found: Sequence[Hold]) -> Rows:
    columns = (Column("on", main=True), Column("why", main=True), Column("by"), Column("since"))
    rows = (
        (
            cell("the whole space", "warn") if one.id is None else id_cell(one.id),
            cell(one.why),
            cell(one.by, "quiet"),
            time_cell(one.at),
        )
        for one in found
    )
    return Rows(columns, tuple(rows), "nothing is on hold")

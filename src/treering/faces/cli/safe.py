"""What is shown of backups and holds."""

from __future__ import annotations

from collections.abc import Sequence

from treering.exchange.backups import BackupFound
from treering.faces.cli.blocks import Rows, TableColumn, cell, id_cell, time_cell
from treering.upkeep.hold import Hold


def backups(found: Sequence[BackupFound]) -> Rows:
    columns = (TableColumn("name", main=True), TableColumn("made"), TableColumn("bytes"), TableColumn("sealed"))
    rows = (
        (cell(one.name, "name"), time_cell(one.made_at), cell(f"{one.bytes:,}"), cell("yes" if one.sealed else "no"))
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def holds(found: Sequence[Hold]) -> Rows:
    columns = (TableColumn("on", main=True), TableColumn("why", main=True), TableColumn("by"), TableColumn("since"))
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

"""`treering mcp install`: shows what would be written, asks, writes."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from treering.errors import InvalidRequest
from treering.faces.cli.exits import DONE
from treering.faces.cli.paper import visible, write_json
from treering.faces.cli.wishes import Wishes
from treering.faces.mcp.install.clients import CLIENTS, Places, chosen
from treering.faces.mcp.install.write import Change, planned, this_program, written
from treering.model.time import system_clock


def install(wishes: Wishes, names: tuple[str, ...], tools: str | None, *, dry_run: bool, yes: bool) -> int:
    """All changes are planned before the first is written: a file that cannot be parsed stops them all."""
    places = Places.here(os.environ)
    launch = this_program(tools, wishes.url or os.environ.get("TREERING_URL") or None)
    changes = [planned(one, launch, places) for one in chosen(names, places)]
    needed = [one for one in changes if one.needed]
    if not wishes.json:
        _show(changes)
    backups: dict[str, str | None] = {}
    if needed and not dry_run and (yes or _agreed(wishes)):
        backups = {one.client: written(one, system_clock()) for one in needed}
    if wishes.json:
        write_json([_told(one, backups) for one in changes])
    else:
        _done(changes, backups)
    return DONE


def _show(changes: list[Change]) -> None:
    for one in changes:
        title = CLIENTS[one.client].title
        click.echo(f"{title}: " + (visible(one.diff(), lines=True) if one.needed else "is set up already"))


def _agreed(wishes: Wishes) -> bool:
    if wishes.json or not sys.stdin.isatty():
        raise InvalidRequest("yes: there is nobody to ask; add --yes to write, or --dry-run to only look")
    return click.confirm("Write this?")


def _done(changes: list[Change], backups: dict[str, str | None]) -> None:
    for one in changes:
        if one.client in backups:
            kept = backups[one.client]
            before = f" Before: {kept}" if kept else ""
            click.echo(f"{CLIENTS[one.client].title}: written. {CLIENTS[one.client].after}{before}")
    if any(one.needed for one in changes) and not backups:
        click.echo("Nothing was written.")


def _told(change: Change, backups: dict[str, str | None]) -> dict[str, Any]:
    return {
        "client": change.client,
        "path": change.path,
        "needed": change.needed,
        "written": change.client in backups,
        "backup": backups.get(change.client),
        "diff": change.diff(),
    }

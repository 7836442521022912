"""`treering hooks` and `treering hook`: sets up the hooks of coding agents, takes them out, shows what they did."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from treering.errors import InvalidRequest
from treering.faces.cli.exits import DONE
from treering.faces.cli.wishes import TreeringCommand, TreeringGroup, Wishes, first_options, take_wishes


def hooks_group() -> TreeringGroup:
    return TreeringGroup(
        "hooks",
        help="Let coding agents remember by themselves, by their clients' own hooks: Claude Code, Codex CLI, Gemini "
        "CLI, Cursor, VS Code. At the start of a session the agent is told what matters in this project, at a prompt "
        "what is known about it; transcripts are taken in when a turn ends and before a compaction. Secrets are masked "
        "before anything is stored.",
        short_help="Let coding agents remember by themselves.",
        callback=first_options,
        invoke_without_command=True,
        commands={"install": _install_command(), "remove": _remove_command(), "log": _log_command()},
    )


def _clients() -> list[str]:
    from treering.faces.hooks.clients import CLIENTS

    return list(CLIENTS)


def _written_options() -> list[click.Parameter]:
    return [
        click.Option(["--client"], multiple=True, type=click.Choice(_clients()), help="Which; else all found."),
        click.Option(["--project"], metavar="FOLDER", help="Only for the project in this folder, not for all."),
        click.Option(["--dry-run"], is_flag=True, help="Only show what would be written."),
        click.Option(["--yes"], is_flag=True, help="Do not ask."),
    ]


def _install_command() -> TreeringCommand:
    return TreeringCommand(
        "install",
        params=_written_options(),
        help="Write the hooks into the settings of coding agents. Shows the change first and asks; what is there "
        "stays, and the old file is kept. --url names the store.",
        short_help="Write the hooks into the settings of coding agents.",
        callback=_install,
    )


def _remove_command() -> TreeringCommand:
    return TreeringCommand(
        "remove",
        params=_written_options(),
        help="Take the hooks out of the settings of coding agents, and nothing else. What was remembered stays.",
        short_help="Take the hooks out again.",
        callback=_remove,
    )


def _log_command() -> TreeringCommand:
    return TreeringCommand(
        "log",
        params=[
            click.Option(
                ["--limit"], type=click.IntRange(1, 10_000), default=20, show_default=True, help="Most events."
            ),
            click.Option(["--session"], metavar="TEXT", help="Only of this session."),
        ],
        help="What agents were given and what was taken from them, the newest last: when, in which project, how many "
        "tokens, how long it took, what was masked, and what went wrong.",
        short_help="What was given and taken.",
        callback=_log,
    )


@click.pass_context
def _install(
    ctx: click.Context, /, client: tuple[str, ...], project: str | None, dry_run: bool, yes: bool, **given: Any
) -> int:
    from treering.faces.hooks.install import HookProgram

    wishes = take_wishes(ctx, given)
    return _change(wishes, client, project, HookProgram.this(wishes.url), dry_run=dry_run, yes=yes)


@click.pass_context
def _remove(
    ctx: click.Context, /, client: tuple[str, ...], project: str | None, dry_run: bool, yes: bool, **given: Any
) -> int:
    return _change(take_wishes(ctx, given), client, project, None, dry_run=dry_run, yes=yes)


def _change(
    wishes: Wishes, names: tuple[str, ...], project: str | None, program: Any, *, dry_run: bool, yes: bool
) -> int:
    """All changes are planned before the first is written: a file that cannot be parsed stops them all."""
    from treering.faces.hooks import install
    from treering.faces.hooks.clients import CLIENTS

    places, root = install.places_here(), None if project is None else Path(project).expanduser()
    if root is not None and not root.is_dir():
        raise InvalidRequest(f"project: {project} is no folder")
    if program is None and not names:
        with_hooks = [one for one in CLIENTS.values() if install.installed(one, install.settings_of(one, places, root))]
        listed = with_hooks
    else:
        listed = install.chosen(names, places)
    changes = [install.planned(one, install.settings_of(one, places, root), program) for one in listed]
    needed = [one for one in changes if one.needed]
    if not wishes.json:
        _show(changes, "is set up already" if program is not None else "has no hooks of ours")
    backups: dict[str, str | None] = {}
    if needed and not dry_run and (yes or _agreed(wishes)):
        from treering.model.time import system_clock

        backups = {one.client: install.write(one, system_clock()) for one in needed}
    return _told(wishes, changes, backups, program is not None)


def _show(changes: Sequence[Any], nothing: str) -> None:
    from treering.faces.cli.paper import visible
    from treering.faces.hooks.clients import CLIENTS

    if not changes:
        click.echo("No client has hooks of ours.")
    for one in changes:
        click.echo(f"{CLIENTS[one.client].title}: " + (visible(one.diff(), lines=True) if one.needed else nothing))


def _agreed(wishes: Wishes) -> bool:
    if wishes.json or not sys.stdin.isatty():
        raise InvalidRequest("yes: there is nobody to ask; add --yes to write, or --dry-run to only look")
    return click.confirm("Write this?")


def _told(wishes: Wishes, changes: Sequence[Any], backups: dict[str, str | None], put_in: bool) -> int:
    from treering.faces.cli.paper import write_json
    from treering.faces.hooks.clients import CLIENTS

    if wishes.json:
        write_json(
            [
                {
                    "client": one.client,
                    "path": one.path,
                    "needed": one.needed,
                    "written": one.client in backups,
                    "backup": backups.get(one.client),
                    "diff": one.diff(),
                }
                for one in changes
            ]
        )
        return DONE
    for one in changes:
        if one.client in backups:
            kept = backups[one.client]
            before = f" Before: {kept}" if kept else ""
            done = f"written. {CLIENTS[one.client].after}" if put_in else "the hooks are out."
            click.echo(f"{CLIENTS[one.client].title}: {done}{before}")
    if any(one.needed for one in changes) and not backups:
        click.echo("Nothing was written.")
    return DONE


@click.pass_context
def _log(ctx: click.Context, /, limit: int, session: str | None, **given: Any) -> int:
    import os

    from treering.faces.cli.paper import write_json
    from treering.faces.hooks.diary import Diary
    from treering.faces.hooks.log import lines, summary
    from treering.faces.hooks.place import HookFolder

    wishes = take_wishes(ctx, given)
    entries = [
        one
        for one in Diary(HookFolder.of(os.environ, wishes.url)).entries()
        if session is None or one.get("session") == session
    ]
    if wishes.json:
        write_json({"events": entries[-limit:], "summary": summary(entries)})
        return DONE
    for line in lines(entries[-limit:], summary(entries)):
        click.echo(line)
    return DONE


def hook_command() -> click.Command:
    """Known to the help; the words of a real call never come as far as this (see `treering.faces.cli.main`)."""
    from treering.faces.hooks.quick import MOMENTS, main

    @click.pass_context
    def call(ctx: click.Context, /, event: str, client: str, **given: Any) -> int:
        wishes = take_wishes(ctx, given)
        return main([event, "--client", client, *(() if wishes.url is None else ("--url", wishes.url))])

    return TreeringCommand(
        "hook",
        params=[
            click.Argument(["event"], type=click.Choice(MOMENTS), metavar="EVENT"),
            click.Option(["--client"], type=click.Choice(_clients()), required=True, help="Whose event it is."),
        ],
        arguments=[("EVENT", ", ".join(MOMENTS) + ".")],
        help="What the hooks of a coding agent run: reads the client's event from standard input, prints what the "
        "agent is to be told, and always ends with 0. `treering hooks install` writes it where it belongs.",
        short_help="What the hooks of a coding agent run.",
        callback=call,
    )

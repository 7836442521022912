"""The program: its first options, its list of commands, and the one place where errors become a line and a number."""

from __future__ import annotations

import difflib
import importlib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from treering.errors import Fault, InvalidRequest, TreeringError, Unavailable
from treering.faces.cli.exits import DONE, EXIT_CODES, INTERRUPTED, MISUSED, NOBODY_READS, exit_code
from treering.faces.cli.listed import listed, titles
from treering.version import VERSION

_ABOUT = """Memory for AI agents that keeps every ring: what is true now, what was true then, what was believed then.

\b
  treering demo                                 the story in a minute
  treering remember "I work at Google"          keep what was said
  treering recall "Where do I work?"            what is known about it
  treering facts --as-of 2025-01-01             what was true then
"""
MORE = {
    "keys": ("Keys that open a server, and the key an actor signs with.", "keys:keys_group"),
    "serve": ("Serve the store over HTTP.", "serving:serve_command"),
    "ui": ("Open the page: see what is believed, on both clocks, and mend it.", "ui:ui_command"),
    "worker": ("Do jobs until told to stop.", "serving:worker_command"),
    "import": ("Bring in a file of any kind that is known, or a folder of notes.", "importing:import_command"),
    "mcp": ("Serve agents over the Model Context Protocol; `mcp install`.", "mcp:mcp_command"),
    "hooks": ("Let coding agents remember by themselves: install, remove, log.", "hooks:hooks_group"),
    "helper": ("Keep a process ready that does commands of this shell at once.", "helping:helper_group"),
    "hook": ("What the hooks of a coding agent run.", "hooks:hook_command"),
    "migrate": ("Move a store to another place, verified.", "stores:migrate_command"),
    "db": ("The database itself: init, migrate, status, distribute.", "stores:db_group"),
    "completion": ("Print what your shell needs to complete commands.", "completing:completion_command"),
    "demo": ("The product's story, on a throw-away store.", "demo:demo_command"),
}
"""Commands beside those of the operations: what each does, and who makes it when it is asked for."""
RUNNING = "Run and set up"
"""Under this title they are listed."""
_EXITS = (
    "Exit codes: 0 done, 1 differences found, 2 invalid, 3 not found, 4 conflict, 5 forbidden, 6 unavailable, "
    "7 unsupported, 8 broken, 130 interrupted."
)


class ReaderGone(Exception):
    """Nobody reads standard output any more."""


@contextmanager
def _noticing_who_reads() -> Iterator[None]:
    """Click would end with 1 for a broken pipe, which here means that differences were found."""
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error


class Program(click.Group):
    """Commands are looked up by name and made when needed."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _noticing_who_reads():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _noticing_who_reads():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*(one.name for one in listed()), *MORE]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in MORE:
            home, _, maker = MORE[cmd_name][1].partition(":")
            made: click.Command = getattr(importlib.import_module(f"treering.faces.cli.{home}"), maker)()
            return made
        from treering.faces.cli import commands

        if cmd_name in commands.GROUPS:
            from treering.faces.cli.groups import group

            return group(cmd_name)
        return commands.operation_command(cmd_name) if cmd_name in commands.NAMES else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in MORE and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f"did you mean {near[0]}?" if near else "treering --help lists them"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each command: there are many, and `treering COMMAND --help` tells the rest."""
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in titles()}
        for one in listed():
            sections[one.title].append((one.name, one.summary))
        sections[RUNNING] = [(name, what) for name, (what, _) in MORE.items()]
        for title, rows in sections.items():
            room = max(formatter.width - 4 - max(len(name) for name, _ in rows), 20)
            with formatter.section(title):
                formatter.write_dl([(name, _in_short(what, room)) for name, what in rows])


def _in_short(what: str, room: int) -> str:
    """What a sentence says first, on one line: its first clause, or as many of its first parts as there is room for."""
    first = re.split(r"[:;.](?:\s|$)", what)[0].replace("`", "")
    if len(first) <= room:
        return first
    parts = first[:room].rpartition(",")[0]
    return parts or first[: room - 1].rpartition(" ")[0] + "…"


def program() -> Program:
    from treering.faces.cli.wishes import first_options, wish_options

    version = click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version."
    )
    return Program(
        "treering",
        params=[*wish_options(), version],
        help=_ABOUT,
        epilog=_EXITS,
        callback=first_options,
        no_args_is_help=False,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"treering {VERSION}")
        ctx.exit(DONE)


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs a command line to its exit. An error is one line on standard error, never a traceback."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words == ["--version"]:
        click.echo(f"treering {VERSION}")
        raise SystemExit(DONE)
    raise SystemExit(guarded(words))


def guarded(words: list[str]) -> int:
    """The exit code of a command line."""
    refuse = _refuse_as_json if "--json" in words[: words.index("--") if "--" in words else None] else _refuse
    try:
        _speak_somewhere()
        _speak_any_alphabet()
        code = program().main(words, prog_name="treering", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return refuse(_click_words(error), MISUSED, InvalidRequest.code)
    except TreeringError as error:
        return refuse(_with_commands(str(error)), exit_code(error), error.code)
    except (click.Abort, KeyboardInterrupt) as error:
        told = str(error) or "interrupted; what was written whole is kept, the rest is not there"
        return refuse(told, INTERRUPTED, "interrupted")
    except (ReaderGone, BrokenPipeError):
        return _nobody_reads()
    except OSError as error:
        told = f"the system refuses: {error.strerror or error}" + (f" ({error.filename})" if error.filename else "")
        return refuse(told, EXIT_CODES[Unavailable], Unavailable.code)
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        told = f"a fault of Treering itself ({error!r}); PYTHONDEVMODE=1 shows where"
        return refuse(told, exit_code(error), Fault.code)
    return code if isinstance(code, int) else DONE


def _with_commands(message: str) -> str:
    """What a message advises by an operation's name, as the command that is typed for it."""
    from treering.faces.cli.commands import NAMES

    commands = {operation: command for command, operation in NAMES.items()}
    return _NAMED.sub(lambda hit: f"`treering {commands[hit[1]]}`" if hit[1] in commands else hit[0], message)


_NAMED = re.compile(r"`([a-z]+(?:_[a-z]+)*)`")


def _click_words(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".")
    ctx = getattr(error, "ctx", None)
    where = f"{ctx.command_path} --help" if ctx is not None else "treering --help"
    return f"{message[:1].lower()}{message[1:]}" + ("" if "help" in message else f"; see {where}")


def _refuse(message: str, exits: int, code: str) -> int:
    shown = "".join(one if one.isprintable() else " " for one in message)
    click.echo(f"error: {shown}", err=True)
    return exits


def _refuse_as_json(message: str, exits: int, code: str) -> int:
    """In the shape in which the server tells errors."""
    click.echo(json.dumps({"error": {"code": code, "message": message}}), err=True)
    return exits


def _nobody_reads() -> int:
    """Standard output is pointed elsewhere, or Python would complain again when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NOBODY_READS


def _speak_somewhere() -> None:
    """A shell may have closed a stream (`>&-`): what is said there goes nowhere, and the command is done."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  open until the end


def _speak_any_alphabet() -> None:
    """A terminal that cannot show a letter gets its number, not an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")

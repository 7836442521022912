"""Which commands are there? One for each operation of the door, made when it is asked for.

A command turns words into arguments, has them checked before any store is opened, calls the door and hands the answer
to be drawn. What an operation means is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from treering.door import OPERATIONS
from treering.door import open as open_door
from treering.faces.cli.exits import DIFFERENCES, DONE
from treering.faces.cli.progress import watching
from treering.faces.cli.words import argument_help, by_position, click_parameter, place, read_words, shapes
from treering.operation import Operation

_OTHER_NAMES = {
    "import_journal": "import",
    "run_pipeline": "upkeep run",
    "run_agent": "upkeep agent",
    "run_scheduled": "upkeep scheduled",
    "upkeep_status": "upkeep status",
    "review_list": "review list",
    "review_get": "review show",
    "review_create": "review create",
    "review_claim": "review claim",
    "review_apply": "review apply",
    "review_dismiss": "review dismiss",
    "review_close": "review close",
}
"""Commands that are not called like their operation; two words are a command of a group."""
GROUPS = {
    "upkeep": "Keep a space in order: let the agents run, and see how they do.",
    "review": "What waits for somebody to decide.",
}


def command_name(operation: str) -> str:
    return _OTHER_NAMES.get(operation, operation).replace("_", "-")


NAMES: dict[str, str] = {command_name(name): name for name in OPERATIONS}
"""From commands to the operations they call."""


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
        click.Option(["--url"], metavar="STORE", help="The store: a file path. Else TREERING_URL, else your own file."),
        click.Option(["--actor"], metavar="NAME", help="On whose behalf it is done. Else TREERING_ACTOR."),
        click.Option(["--json"], is_flag=True, help="Answer with JSON, for machines."),
        click.Option(["--no-color"], is_flag=True, help="No colour; so does the variable NO_COLOR."),
    ]


def take_wishes(ctx: click.Context, given: dict[str, Any]) -> Wishes:
    """Takes them out of what was given, and keeps them for the commands below."""
    before = ctx.find_object(Wishes) or Wishes()
    ctx.obj = wishes = before.and_also(**{name: given.pop(name) for name in _WISHES})
    return wishes


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


def operation_command(name: str) -> TreeringCommand:
    """The command of an operation, by the command's name."""
    operation = OPERATIONS[NAMES[name]]
    how = shapes(operation)
    listed = [(one, how[one.name]) for one in operation.parameters]
    return TreeringCommand(
        name,
        params=[click_parameter(*one) for one in listed],
        arguments=[(place(*one), argument_help(*one)) for one in listed if by_position(one[0])],
        help=_help(operation),
        short_help=operation.summary,
        callback=_callback(operation),
    )


def _help(operation: Operation) -> str:
    """The docstring without the reference to Python's own spelling."""
    return operation.description.replace("`", "")


def _callback(operation: Operation) -> Callable[..., int]:
    @click.pass_context
    def call(ctx: click.Context, /, **given: Any) -> int:
        wishes = take_wishes(ctx, given)
        arguments = read_words(operation, given)
        operation.check(arguments)
        return show(_asked(operation, arguments, wishes), wishes)

    return call


def _asked(operation: Operation, arguments: dict[str, Any], wishes: Wishes) -> Any:
    with open_door(wishes.url, actor=wishes.actor) as door, watching(wishes.json, wishes.no_color) as watch:
        return getattr(door.watched(watch), operation.name)(**arguments)


def show(result: Any, wishes: Wishes) -> int:
    """Draws an answer, and gives the exit code it deserves."""
    from treering.faces.cli.paper import paper
    from treering.faces.cli.render import rendered

    if wishes.json:
        paper(wishes.no_color).json(result)
    else:
        paper(wishes.no_color).draw(rendered(result))
    return DONE if getattr(result, "ok", True) else DIFFERENCES


def by_effect() -> dict[str, list[tuple[str, str]]]:
    """Command names and summaries, by what a call may do."""
    sections: dict[str, list[tuple[str, str]]] = {"Write": [], "Read": [], "Remove for good": []}
    for name, operation in NAMES.items():
        effect = OPERATIONS[operation].effect
        title = "Read" if effect.reads_only else "Remove for good" if effect.removes_bytes else "Write"
        sections[title].append((name, OPERATIONS[operation].summary))
    return sections

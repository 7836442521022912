"""What can a user say or meet that has no words of its own? Operations, parameters, commands, settings, errors."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tools.pages import drawn_tree, error_kinds, every_command, made
from treering import door
from treering.faces.cli.app import program
from treering.model.setting import SETTINGS
from treering.settings import VARIABLES


def undocumented() -> list[str]:
    """Everything a user can say or meet that has no words of its own."""
    return [*_wordless_operations(), *_wordless_commands(), *_wordless_tables()]


def _wordless_operations() -> Iterator[str]:
    for operation in door.OPERATIONS.values():
        if not operation.summary:
            yield f"operation {operation.name}"
        yield from (f"parameter {operation.name}.{one.name}" for one in operation.parameters if not one.description)


def _wordless_commands() -> Iterator[str]:
    root = program()
    context = click.Context(root, info_name="treering")
    for name in every_command(context):
        command = made(context, name)
        if not command.help:
            yield f"command {name}"
        told = {one for one, text in command.explained if text}
        for one in command.params:
            has = one.help if isinstance(one, click.Option) else one.metavar in told
            if not has:
                yield f"{name}: {one.name}"


def _wordless_tables() -> Iterator[str]:
    yield from (f"variable {one.name}" for one in VARIABLES if not one.help)
    yield from (f"setting {one.name}" for one in SETTINGS.values() if not one.help)
    tree = "\n".join(drawn_tree())
    yield from (f"error {one.__name__}" for one in error_kinds() if one.__name__ not in tree.replace("─", " ").split())

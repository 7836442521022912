"""The pages of docs/reference, each made from the one table it is about."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from typing import Any

import click

from treering import door
from treering import errors as error_tree
from treering.door.stable import STABLE
from treering.faces.cli.app import MORE, RUNNING, program
from treering.faces.cli.commands import NAMES, ROOMS
from treering.faces.cli.exits import EXIT_CODES
from treering.faces.cli.listed import listed, titles
from treering.faces.cli.wishes import TreeringCommand
from treering.language.when import Window
from treering.model.setting import SETTINGS
from treering.model.value import Value
from treering.operation import Operation, table
from treering.settings import VARIABLES

_MADE = "<!-- Made from the code by `make docs`; do not edit. -->"
_ABOUT_PYTHON = """\
`treering.open(url)` gives the door, a `Treering`; `mem.space(name)` is the same door bound to a space. Times are aware
datetimes or ISO 8601 text with its offset; a bare date is its midnight UTC. Every operation is there for asyncio too:
`async with treering.aio.open(url) as mem: await mem.add(…)`. Every answer has `to_dict()`. What is marked as *stable*
is promised to stay ([what stays as it is](../guides/stability.md))."""
_ABOUT_COMMANDS = """\
On a terminal answers are drawn as tables, with the end of an id where there is little room. In a pipe each record is
one line of fields apart by tabs, with whole ids and ISO times. `--json` gives what `to_dict()` gives in Python.

Required parameters are arguments, all others options. Lists are repeated (`--tags a --tags b`), facts are written
`'User|WORKS_FOR|Anthropic'` or as JSON, `add-many` and `assert-facts` read JSON Lines from a file or `-`. A text that
begins with a dash comes after `--`.

Completion in bash: `eval "$(treering completion bash)"`; `treering completion --help` tells of other shells."""


# python.md


def python() -> str:
    lines = [
        "# Python",
        _MADE,
        "",
        _ABOUT_PYTHON,
        *_by_rooms(),
        "",
        "## Operations",
    ]
    for one in door.OPERATIONS.values():
        lines += ["", *_operation(one)]
    lines += ["", "## What comes back"]
    for kind in _results():
        lines += ["", *_result(kind)]
    return "\n".join(lines) + "\n"


def _by_rooms() -> Iterator[str]:
    """As the list of commands has them."""
    for title, part in ROOMS.items():
        yield from ("", f"**{title}**", "", "| operation | | |", "|---|---|---|")
        for one in table(part).values():
            mark = "stable" if one.name in STABLE else ""
            yield f"| [{one.name}](#{one.name}) | {mark} | {one.summary} |"


def _operation(operation: Operation) -> Iterator[str]:
    positional, named = _names(operation)
    shown = [*positional, *(["*", *named] if named else [])]
    schema = operation.schema()
    yield f"### {operation.name}"
    yield ""
    yield f"`mem.{operation.name}({', '.join(shown)})` → {_type(_returned(operation))} · {_effect(operation)}"
    yield ""
    yield operation.description
    if operation.parameters:
        yield from ("", "| parameter | takes | default | |", "|---|---|---|---|")
    for one in operation.parameters:
        takes = _takes(schema["properties"][one.name], schema.get("$defs", {}))
        default = "required" if one.required else _shown(one.default)
        said = one.description + ("" if one.python == one.name else f" In Python `{one.python}`.")
        yield f"| `{one.name}` | {takes} | {default} | {said} |"


def _names(operation: Operation) -> tuple[list[str], list[str]]:
    listed = list(inspect.signature(operation.method).parameters.values())[1:]
    by_name = [one.name for one in listed if one.kind is inspect.Parameter.KEYWORD_ONLY]
    return [one.name for one in listed if one.name not in by_name], by_name


def _effect(operation: Operation) -> str:
    effect = operation.effect
    does = "reads" if effect.reads_only else "removes bytes for good" if effect.removes_bytes else "writes"
    return does + ("; safe to repeat" if effect.repeats_safely and not effect.reads_only else "")


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"`{value.value if isinstance(value, Enum) else _plain_default(value)}`"


def _plain_default(value: object) -> object:
    return [] if value == () else value


def _takes(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    ways = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
    return " or ".join(_one_way(one, defs) for one in ways)


def _one_way(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _one_way(defs[schema["$ref"].rsplit("/", 1)[-1]], defs)
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    match schema.get("type"):
        case "array" if "minItems" in schema and schema["minItems"] == schema.get("maxItems"):
            return f"{schema['minItems']} texts"
        case "array":
            return f"list of {_takes(schema['items'], defs)}{_at_most(schema, 'maxItems')}"
        case "object":
            return "object" + (f" ({', '.join(schema['properties'])})" if "properties" in schema else "")
        case "number" | "integer":
            return f"{schema['type']}{_bounds(schema)}"
        case "boolean":
            return "true or false"
        case "string" if schema.get("format") == "date-time":
            return "time"
    return f"text{_at_most(schema, 'maxLength')}"


def _at_most(schema: Mapping[str, Any], key: str) -> str:
    return f", at most {schema[key]:,}" if key in schema else ""


def _bounds(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f" {least:g} to {most:g}"
    return "" if least is None else f" from {least:g}"


def _returned(operation: Operation) -> Any:
    return typing.get_type_hints(operation.method)["return"]


def _results() -> list[type]:
    """Every kind of value an operation gives back, and those within them, in the order they are met."""
    found: dict[type, None] = {}
    queue = [_returned(one) for one in door.OPERATIONS.values()]
    while queue:
        kind = queue.pop(0)
        if isinstance(kind, type) and issubclass(kind, Value):
            if kind not in found:
                found[kind] = None
                queue += _hints(kind).values()
        else:
            queue += typing.get_args(kind)
    return list(found)


def _hints(kind: type) -> dict[str, Any]:
    """Windows are named in answers without being loaded: reading times takes a while to load."""
    return typing.get_type_hints(kind, localns={"Window": Window})


def _result(kind: type) -> Iterator[str]:
    hints = _hints(kind)
    yield f"### {kind.__name__}"
    if kind.__doc__ and not kind.__doc__.startswith(kind.__name__ + "("):
        yield from ("", inspect.cleandoc(kind.__doc__))
    yield from ("", "| field | |", "|---|---|")
    for one in dataclasses.fields(kind):
        yield f"| `{one.name}` | {_type(hints[one.name])} |"


def _type(kind: Any) -> str:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return " or ".join("none" if one is type(None) else _type(one) for one in args)
    if origin in (list, tuple):
        inner = [one for one in args if one is not Ellipsis]
        return f"list of {_type(inner[0])}" if origin is list or Ellipsis in args else f"pair of {_type(inner[0])}"
    if isinstance(kind, type) and issubclass(kind, Value):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{one.value}`" for one in kind)
    return {str: "text", bool: "true or false", float: "number", int: "integer", datetime: "time"}.get(kind, "object")


# cli.md


def command_line() -> str:
    root = program()
    context = click.Context(root, info_name="treering")
    lines = [
        "# Command line",
        _MADE,
        "",
        inspect.cleandoc(root.help or "").split("\n\n")[0],
        "",
        _ABOUT_COMMANDS,
        "",
        "## Options of every command",
        "",
        *_options(context, root.params),
        "",
        "## Exit codes",
        "",
        *_exit_codes(),
        "",
        "## Commands",
        *_commands_by_rooms(list(every_command(context))),
    ]
    for name in every_command(context):
        lines += ["", *_command(context, name)]
    return "\n".join(lines) + "\n"


def _commands_by_rooms(names: list[str]) -> Iterator[str]:
    """As the program lists them itself."""
    titled = {one.name: one.title for one in listed()}
    for title in (*titles(), RUNNING):
        here = [name for name in names if titled.get(name.split()[0], RUNNING) == title]
        links = (f"[{name}](#treering-{name.replace(' ', '-')})" for name in here)
        yield from ("", f"**{title}**: {', '.join(links)}")


def _command(parent: click.Context, name: str) -> Iterator[str]:
    command = made(parent, name)
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (f"## treering {name}", "", f"`treering {name} {usage}`", "", command.help or "")
    rows = [f"| `{argument}` | {_cell(told)} |" for argument, told in command.explained]
    rows += list(_options(context, command.own_params()))[2:]
    if rows:
        yield from ("", "| | |", "|---|---|", *rows)


def every_command(context: click.Context) -> Iterator[str]:
    """Names of commands; of a group, those of its commands after its own."""
    root = program()
    for name in (*dict.fromkeys(one.split()[0] for one in NAMES), *MORE):
        command = root.get_command(context, name)
        if isinstance(command, TreeringCommand):
            yield name
        if isinstance(command, click.Group):
            yield from (f"{name} {inner}" for inner in command.list_commands(context))


def made(context: click.Context, name: str) -> TreeringCommand:
    outer, _, inner = name.partition(" ")
    command = program().get_command(context, outer)
    if isinstance(command, click.Group) and inner:
        command = command.get_command(context, inner)
    assert isinstance(command, TreeringCommand), name
    return command


def _options(context: click.Context, params: Iterable[click.Parameter]) -> Iterator[str]:
    yield from ("| | |", "|---|---|")
    for one in params:
        record = one.get_help_record(context) if isinstance(one, click.Option) else None
        if record:
            yield f"| `{_cell(record[0])}` | {_cell(record[1])} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _exit_codes() -> Iterator[str]:
    yield from ("| code | |", "|---|---|", "| 0 | done |", "| 1 | verify or doctor found differences |")
    for code in sorted(set(EXIT_CODES.values())):
        kinds = ", ".join(f"`{kind.__name__}`" for kind, one in EXIT_CODES.items() if one == code)
        yield f"| {code} | {kinds}{' or a command line that cannot be read' if code == 2 else ''} |"
    yield from ("| 130 | interrupted |", "| 141 | the reader of a pipe went away |")


# settings.md


def settings() -> str:
    lines = ["# Settings", _MADE, "", "## From the environment", ""]
    lines += ["| variable | default | |", "|---|---|---|"]
    lines += [f"| `{one.name}` | {f'`{one.default}`' if one.default else ''} | {one.help} |" for one in VARIABLES]
    lines += ["", "Without `TREERING_URL` the store is `treering/treering.db` in `XDG_DATA_HOME`, else in"]
    lines += ["`~/.local/share`. What a call is given counts more than what the environment says."]
    lines += ["", "## Of a space", ""]
    lines += ["Read with `mem.settings()`, changed with `mem.settings({name: value})`, kept in the journal.", ""]
    lines += ["| setting | default | |", "|---|---|---|"]
    lines += [f"| `{one.name}` | `{one.default}` | {one.help} |" for one in SETTINGS.values()]
    return "\n".join(lines) + "\n"


# errors.md


def errors() -> str:
    lines = ["# Errors", _MADE, "", "The message says what was wrong, with which value, and how to mend it.", ""]
    lines += ["```", *drawn_tree(), "```", "", "| error | code | exit code |", "|---|---|---|"]
    lines += [f"| `{one.__name__}` | `{one.code}` | {EXIT_CODES[one]} |" for one in error_kinds()]
    return "\n".join(lines) + "\n"


def drawn_tree() -> list[str]:
    return inspect.cleandoc(error_tree.__doc__ or "").split("\n\n", 1)[1].split("\n")


def error_kinds(
    root: type[error_tree.TreeringError] = error_tree.TreeringError,
) -> list[type[error_tree.TreeringError]]:
    """The tree, each kind before those below it."""
    return [root, *(below for kind in root.__subclasses__() for below in error_kinds(kind))]

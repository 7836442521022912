"""How is a parameter said in the words of a command line? From its JSON Schema to an argument, option or flag.

Words are only put into shape here (repeated, split, read as JSON); whether they are allowed is checked by the
operation itself, so that the message is the same as from Python.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from treering.errors import InvalidRequest
from treering.operation import Operation, Parameter
from treering.values import dataclass

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # generic since click 8.4 only

STDIN = "-"
_READS_STDIN = " `-` reads standard input."
_ALSO_BY_POSITION = ("content", "id", "cluster_id")


@dataclass(frozen=True, slots=True)
class ParameterShape:
    """What a parameter takes: the JSON types, the words if it is one of a few, and the shape of a list's items."""

    types: frozenset[str]
    words: tuple[str, ...] = ()
    is_time: bool = False
    item: ParameterShape | None = None

    @property
    def metavar(self) -> str:
        if self.words:
            return "|".join(self.words)
        if self.is_time:
            return "TIME"
        if self.item is not None:
            return self.item.metavar
        if "array" in self.types:
            return "SUBJECT|RELATION|OBJECT"
        for kind, shown in (("string", "TEXT"), ("object", "JSON"), ("integer", "INTEGER"), ("number", "NUMBER")):
            if kind in self.types:
                return shown
        return "TEXT"


@cache
def shapes(operation: Operation) -> dict[str, ParameterShape]:
    schema = operation.schema()
    defs = schema.get("$defs", {})
    return {name: _shape(one, defs) for name, one in schema.get("properties", {}).items()}


def _shape(schema: Mapping[str, Any], defs: Mapping[str, Any], at_top: bool = True) -> ParameterShape:
    ways = [_resolved(one, defs) for one in schema.get("anyOf", [schema])]
    types = frozenset(one["type"] for one in ways if one.get("type") not in (None, "null"))
    items = [one["items"] for one in ways if "items" in one] if at_top else []
    return ParameterShape(
        types=types,
        words=tuple(word for one in ways for word in one.get("enum", ())),
        is_time=any(one.get("format") == "date-time" for one in ways),
        item=_shape(items[0], defs, at_top=False) if items else None,
    )


def _resolved(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    ref = schema.get("$ref")
    return schema if ref is None else defs[str(ref).rsplit("/", 1)[-1]]


class ParameterType(_Type):
    """Text that the operation will check; it offers the few words there are to the shell."""

    def __init__(self, shape: ParameterShape) -> None:
        self.name = shape.metavar
        self._words = shape.words or (shape.item.words if shape.item else ())

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self._words if word.startswith(incomplete)]


def click_parameter(parameter: Parameter, shape: ParameterShape) -> click.Parameter:
    """Required, what is to be remembered, or what it is about: by position. All else: an option of the same name, with
    the parameter's own words as help; `--no-` before it turns off what is on by itself."""
    if by_position(parameter):
        shown, many = place(parameter, shape), -1 if _takes_words(shape) else 1
        return click.Argument(
            [parameter.name], type=ParameterType(shape), metavar=shown, required=parameter.required, nargs=many
        )
    name = parameter.name.replace("_", "-")
    return click.Option(
        [f"--{name}/--no-{name}" if parameter.default is True else f"--{name}", parameter.name],
        type=None if shape.types == {"boolean"} else ParameterType(shape),
        is_flag=shape.types == {"boolean"},
        default=None,
        multiple=shape.item is not None,
        metavar=None if shape.types == {"boolean"} else shape.metavar,
        help=option_help(parameter, shape),
    )


def by_position(parameter: Parameter) -> bool:
    return parameter.required or parameter.name in _ALSO_BY_POSITION


def place(parameter: Parameter, shape: ParameterShape) -> str:
    """What stands for an argument in the usage line."""
    if _takes_words(shape):
        return f"{parameter.name.upper()}..."
    return "FILE" if shape.item is not None else parameter.name.upper()


def _takes_words(shape: ParameterShape) -> bool:
    """A list of plain words, which are said one after the other."""
    return shape.item is not None and shape.item.types == {"string"}


def argument_help(parameter: Parameter, shape: ParameterShape) -> str:
    if shape.item is not None and not _takes_words(shape):
        return f"{parameter.name}, one a line as JSON. {parameter.description}{_READS_STDIN}"
    return parameter.description + (_READS_STDIN if parameter.name == "content" else "")


def option_help(parameter: Parameter, shape: ParameterShape) -> str:
    notes = [*(["repeatable"] if shape.item is not None else []), *_default(parameter)]
    return parameter.description + (f"  [{'; '.join(notes)}]" if notes else "")


def _default(parameter: Parameter) -> Iterable[str]:
    if parameter.default not in (None, False) and parameter.default not in ([], (), {}):
        yield f"default: {parameter.default}"


def read_words(operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an operation from what click found; what was not given is left to the door's defaults."""
    how = shapes(operation)
    arguments = {}
    for parameter in operation.parameters:
        value = given.get(parameter.name)
        if value is not None and value != () and (value is not False or parameter.default is True):
            arguments[parameter.name] = _read(parameter, how[parameter.name], value)
    return arguments


def reads_a_file(operation: Operation) -> bool:
    """Whether it takes lines of a file, or of standard input."""
    how = shapes(operation)
    return any(_in_lines(one, how[one.name]) for one in operation.parameters)


def _in_lines(parameter: Parameter, shape: ParameterShape) -> bool:
    return shape.item is not None and parameter.required and not _takes_words(shape)


def _read(parameter: Parameter, shape: ParameterShape, value: Any) -> Any:
    item = shape.item
    if item is not None and _in_lines(parameter, shape):
        return [_item(line, parameter.name, item) for line in _lines(value, parameter.name)]
    if item is not None:
        return [_item(one, parameter.name, item) for one in value]
    if shape.types == {"object"}:
        return _json(value, parameter.name)
    if parameter.name == "content" and value == STDIN:
        return _stdin(parameter.name).rstrip("\r\n")
    return value


def _item(text: str, name: str, shape: ParameterShape) -> Any:
    if shape.types == {"string"}:
        return text
    if text.lstrip()[:1] in ("{", "[") or shape.types == {"object"}:
        return _json(text, name)
    if "string" in shape.types:
        return text
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 3:
        raise InvalidRequest(f"{name}: {text!r} is not a fact; write it as 'User|WORKS_FOR|Anthropic' or as JSON")
    return parts


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InvalidRequest(f"{name}: {_brief(text)} cannot be read as JSON ({error})") from None
    except RecursionError:
        raise InvalidRequest(f"{name}: the JSON is nested too deeply; flatten it") from None


def _lines(path: str, name: str) -> list[str]:
    try:
        text = _stdin(name) if path == STDIN else Path(path).expanduser().read_text("utf-8")
    except OSError as error:
        raise InvalidRequest(f"{name}: {path} cannot be read ({error.strerror}); give a file, or - for stdin") from None
    except UnicodeDecodeError:
        raise InvalidRequest(f"{name}: {path} is not UTF-8 text") from None
    return [line for line in text.split("\n") if line.strip()]


def _stdin(name: str) -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidRequest(f"{name}: standard input is not UTF-8 text") from None


def _brief(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")

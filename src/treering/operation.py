"""What can be asked of Treering? Each public method of the door, as data: parameters with types, bounds, defaults and
descriptions, checked the same way for every face.

A method becomes an operation by the `operation` decorator; its signature and docstring are the only truth. Faces loop
over `door.OPERATIONS`; calls from Python run through the same check.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    create_model,
)

from treering.errors import InvalidRequest, LimitExceeded
from treering.model.limits import must_be_whole
from treering.model.time import utc
from treering.timings import Timings
from treering.traces import traced
from treering.values import dataclass

P = ParamSpec("P")
R = TypeVar("R")
Self_ = TypeVar("Self_")

_TIME_SCHEMA = {
    "type": "string",
    "format": "date-time",
    "examples": ["2026-02-10T09:00:00Z"],
}


def _time(value: object, info: ValidationInfo) -> datetime:
    return utc(value, info.field_name or "time")


Time = Annotated[datetime | str, PlainValidator(_time), WithJsonSchema(_TIME_SCHEMA)]
"""A point in time: an aware datetime or ISO 8601 text with its offset. Checked, it is an aware UTC datetime."""

AS_FILES_ARE_NAMED = "as files are named"
"""Marks a parameter that names a file or folder: such a name may hold what no other text may, and has its own check."""

NOT_IN_AN_ADDRESS = "not in an address"
"""Marks a parameter that a server takes in the body of a POST alone: a secret, since addresses are logged on their way,
or one that changes something, since whoever follows a link has asked for no change."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call may do, for faces that tell their clients."""

    reads_only: bool = False
    removes_bytes: bool = False
    repeats_safely: bool = False


READS = Effect(reads_only=True, repeats_safely=True)
WRITES = Effect()
WRITES_ONCE = Effect(repeats_safely=True)
REMOVES = Effect(removes_bytes=True, repeats_safely=True)


@dataclass(frozen=True, slots=True)
class Parameter:
    """`name` is what faces call it; `python` is the same, with a `_` behind it where Python keeps the word itself."""

    name: str
    python: str
    annotation: Any
    default: Any
    required: bool
    description: str


class Operation:
    """One capability. `check` turns a caller's arguments into the method's, or says what is wrong with them."""

    def __init__(self, method: Callable[..., Any], effect: Effect) -> None:
        self.name = method.__name__
        self.method = method
        self.effect = effect
        text = inspect.cleandoc(method.__doc__ or "")
        self.summary = text.split("\n\n")[0].replace("\n", " ")
        self.description = text

    @functools.cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        hints = typing.get_type_hints(self.method, include_extras=True)
        listed = list(inspect.signature(self.method).parameters.values())[1:]
        return tuple(
            Parameter(
                name=one.name.removesuffix("_"),
                python=one.name,
                annotation=hints[one.name],
                default=None if one.default is inspect.Parameter.empty else one.default,
                required=one.default is inspect.Parameter.empty,
                description=_description(hints[one.name]),
            )
            for one in listed
        )

    @functools.cached_property
    def model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {
            one.name: (one.annotation, ... if one.required else one.default) for one in self.parameters
        }
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, protected_namespaces=())
        return create_model(self.name, __config__=config, **fields)

    @functools.cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.parameters)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return self.model.model_json_schema()

    @functools.cached_property
    def _spellings(self) -> dict[str, str]:
        """From Python's spelling to the name, where they differ."""
        return {one.python: one.name for one in self.parameters if one.python != one.name}

    def in_python(self, checked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Checked arguments as the method itself takes them."""
        if not self._spellings:
            return checked
        return {one.python: checked[one.name] for one in self.parameters}

    def named(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if len(args) > len(self._names):
            raise InvalidRequest(f"{self.name}: takes at most {len(self._names)} arguments, {len(args)} were given")
        given = dict(zip(self._names, args, strict=False))
        spelled = [self._spellings.get(name, name) for name in kwargs]
        twice = {name for name in spelled if name in given or spelled.count(name) > 1}
        if twice:
            raise InvalidRequest(f"{self.name}: {', '.join(sorted(twice))} was given twice")
        return {**given, **dict(zip(spelled, kwargs.values(), strict=True))}

    @functools.cached_property
    def files(self) -> frozenset[str]:
        """The parameters by which a caller names a file or folder to read or write."""
        return self._marked(AS_FILES_ARE_NAMED)

    @functools.cached_property
    def by_body(self) -> frozenset[str]:
        """The parameters that do not belong in an address."""
        return self._marked(NOT_IN_AN_ADDRESS)

    def _marked(self, mark: str) -> frozenset[str]:
        return frozenset(one.name for one in self.parameters if mark in getattr(one.annotation, "__metadata__", ()))

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        for name, value in arguments.items():
            if name not in self.files:
                must_be_whole(value, name)
        try:
            checked: BaseModel = self.model.__pydantic_validator__.validate_python(dict(arguments))
        except ValidationError as error:
            raise refusal(error, self.name, self._names) from None
        return checked.__dict__


def refusal(error: ValidationError, what: str, names: Sequence[str]) -> InvalidRequest | LimitExceeded:
    """What is wrong with a caller's arguments, in our words; `what` is asked and has parameters of these names."""
    lines, kind = [], InvalidRequest
    for one in error.errors(include_url=False, include_context=False):
        where = ".".join(str(part) for part in one["loc"])
        if one["type"] == "extra_forbidden" and len(one["loc"]) == 1:
            near = difflib.get_close_matches(where, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names)}"
            lines.append(f"{where}: {what} has no such parameter; {hint}")
            continue
        shown = repr(one["input"])
        got = "" if one["type"] == "missing" else f", not {shown if len(shown) <= 80 else shown[:77] + '…'}"
        lines.append(f"{where}: {one['msg'][0].lower()}{one['msg'][1:]}{got}")
        if one["type"] in ("string_too_long", "too_long"):
            kind = LimitExceeded  # type: ignore[assignment]
    return kind("; ".join(lines))


def _description(annotation: Any) -> str:
    for one in getattr(annotation, "__metadata__", ()):
        text = getattr(one, "description", None)
        if text:
            return str(text)
    return ""


def operation(
    effect: Effect,
) -> Callable[[Callable[Concatenate[Self_, P], R]], Callable[Concatenate[Self_, P], R]]:
    """Makes a method of the door an operation: listed for the faces, its arguments checked before it runs."""

    def make(method: Callable[Concatenate[Self_, P], R]) -> Callable[Concatenate[Self_, P], R]:
        described = Operation(method, effect)

        def checked(self: Self_, /, *args: P.args, **kwargs: P.kwargs) -> R:
            timings: Timings | None = getattr(self, "_timings", None)
            with (
                traced(getattr(self, "_traces", None), described.name, {"treering.writes": not effect.reads_only}),
                nullcontext() if timings is None else timings.of(described.name),
            ):
                arguments = described.check(described.named(args, kwargs))
                return method(self, **described.in_python(arguments))  # type: ignore[call-arg]

        functools.update_wrapper(checked, method)
        checked.operation = described  # type: ignore[attr-defined]
        return checked

    return make


def table(*parts: type) -> dict[str, Operation]:
    """Every operation of these parts of a door, in the order they are written."""
    return {
        name: method.operation for part in parts for name, method in vars(part).items() if isinstance(method, _Checked)
    }


@typing.runtime_checkable
class _Checked(typing.Protocol):
    operation: Operation

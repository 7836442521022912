"""How does a client of another system speak to Treering? In a dialect: that system's tools and routes, as data.

A tool is a thin translation: it checks arguments by that system's names, defaults and bounds, asks the door, and
answers with plain data in that system's shape. A face for agents loops over `Dialect.tools`, a server over
`Dialect.routes`, which are the same tools, so that a dialect means the same wherever it is spoken. Nothing of HTTP or
MCP is known here.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from treering.errors import CallerError, InvalidRequest, TreeringError
from treering.faces.afar import Door
from treering.operation import Effect, refusal
from treering.values import dataclass

A = TypeVar("A", bound="Arguments")
Answer = dict[str, Any]
NO_WORDS: Mapping[str, str] = {}
_NAMED = re.compile(r"`(\w+)`")


class Arguments(BaseModel):
    """What a tool is asked. Fields that the other system does not know of are accepted, and found in `model_extra`."""

    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True, protected_namespaces=())


def checked(arguments: type[A], given: Mapping[str, Any], name: str) -> A:
    """What is asked of a tool of that name, if it may be."""
    try:
        return arguments.model_validate(dict(given))
    except ValidationError as error:
        raise refusal(error, name, list(arguments.model_fields)) from None


def listed(value: object) -> object:
    """In a query string a list is one text."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


Listed = Annotated[list[str], BeforeValidator(listed)]
"""A list of texts, or one text with commas between them."""


@dataclass(frozen=True, slots=True)
class DialectTool:
    """One thing that clients of the other system can ask for, under that system's name."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Door, Any], Answer]
    effect: Effect
    words: Mapping[str, str] = field(default_factory=dict)
    """What the other system calls a parameter or an operation of the door, for errors that speak of it."""

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return self.arguments.model_json_schema()

    def check(self, given: Mapping[str, Any]) -> Arguments:
        return checked(self.arguments, given, self.name)

    def __call__(self, door: Door, given: Mapping[str, Any]) -> Answer:
        """Checks what is asked, asks the door, and answers with plain data; errors are Treering's own, and speak of
        what is asked by the names it has here."""
        asked = self.check(given)
        try:
            return self.run(door, asked)
        except CallerError as error:
            raise type(error)(self._in_their_words(str(error))) from None

    def _in_their_words(self, message: str) -> str:
        """A message begins with the parameter that is wrong; operations are named in backticks."""
        name, colon, said = message.partition(":")
        told = f"{self.words.get(name, name)}{colon}{said}"
        return _NAMED.sub(lambda found: f"`{self.words.get(found[1], found[1])}`", told)


def tool(
    arguments: type[A], effect: Effect, words: Mapping[str, str] = NO_WORDS
) -> Callable[[Callable[[Door, A], Answer]], DialectTool]:
    """Makes a function a tool: its name and docstring are what clients see."""

    def make(run: Callable[[Door, A], Answer]) -> DialectTool:
        described = inspect.cleandoc(run.__doc__ or "").replace("\n", " ")
        return DialectTool(run.__name__, described, arguments, run, effect, words)

    return make


def _as_it_is(answer: Answer) -> Answer:
    return answer


@dataclass(frozen=True, slots=True)
class DialectRoute:
    """A tool as a request asks for it. `path` is below the dialect's `prefix` and may have `{names}`; what they stand
    for, the query and the body are together the tool's arguments. `shape` is the body of the answer, where that system
    wraps what the tool gives. `array` names the argument that a body is which is no object but a list. `again` is the
    status where the answer says that what was to be made was there already, if that is another one."""

    method: str
    path: str
    tool: DialectTool
    status: int = 200
    shape: Callable[[Answer], Answer] = _as_it_is
    array: str | None = None
    again: int | None = None

    def __call__(self, door: Door, given: Mapping[str, Any]) -> Answer:
        return self.shape(self.tool(door, given))


@dataclass(frozen=True, slots=True)
class Dialect:
    """`fault` is the other system's shape of an error. Where `faults_are_answers`, its clients look for that shape in
    an ordinary answer; elsewhere the face says that it is an error in its own way."""

    name: str
    about: str
    tools: Mapping[str, DialectTool]
    fault: Callable[[TreeringError], Answer]
    faults_are_answers: bool = False
    prefix: str = ""
    routes: tuple[DialectRoute, ...] = ()

    def tool(self, name: str) -> DialectTool:
        if name not in self.tools:
            near = difflib.get_close_matches(name, self.tools, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(self.tools)}"
            raise InvalidRequest(f"{name}: {self.name} has no such tool; {hint}")
        return self.tools[name]

    def answer(self, door: Door, name: str, given: Mapping[str, Any]) -> Answer:
        """What a client of the other system gets back. Raises only if faults are no answers there."""
        try:
            return self.tool(name)(door, given)
        except TreeringError as error:
            if self.faults_are_answers:
                return self.fault(error)
            raise


def by_name(*tools: DialectTool) -> dict[str, DialectTool]:
    return {one.name: one for one in tools}

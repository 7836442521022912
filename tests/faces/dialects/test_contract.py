"""A dialect is data that faces loop over: tools by name, their arguments checked, errors in that system's shape."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from treering.door import Treering
from treering.errors import InvalidRequest, LimitExceeded, TreeringError
from treering.faces.dialects.contract import Arguments, Dialect, DialectRoute, Listed, by_name, tool
from treering.operation import READS, WRITES


class Greeting(Arguments):
    name: Annotated[str, Field(max_length=5, description="Whom to greet.")]
    times: Annotated[int, Field(ge=1, le=3)] = 1
    tags: Listed = Field([])


@tool(Greeting, READS)
def greet(door: Treering, asked: Greeting) -> dict[str, Any]:
    """Greet somebody
    by name."""
    return {"said": [f"hello {asked.name}"] * asked.times, "tags": asked.tags, "more": asked.model_extra}


@tool(Arguments, WRITES)
def fail(door: Treering, asked: Arguments) -> dict[str, Any]:
    """Fail."""
    raise InvalidRequest("name: nobody")


def _fault(error: TreeringError) -> dict[str, Any]:
    return {"success": False, "message": str(error)}


POLITE = Dialect("polite", "A system of greetings.", by_name(greet, fail), _fault, faults_are_answers=True)
CURT = Dialect("curt", "A system of greetings.", by_name(greet, fail), _fault)


def test_a_tool_says_what_it_does_takes_and_changes(mem: Treering) -> None:
    assert (greet.name, greet.description, greet.effect) == ("greet", "Greet somebody by name.", READS)
    assert greet.schema()["properties"]["name"]["description"] == "Whom to greet."
    assert greet.schema()["required"] == ["name"]


def test_arguments_are_checked_and_what_is_not_known_is_kept(mem: Treering) -> None:
    told = CURT.answer(mem, "greet", {"name": "Ann", "times": "2", "tags": "a, b,", "mood": "good"})
    assert told == {"said": ["hello Ann", "hello Ann"], "tags": ["a", "b"], "more": {"mood": "good"}}


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({}, InvalidRequest, "name: field required"),
        ({"name": "Ann", "times": 4}, InvalidRequest, "times: input should be less than or equal to 3, not 4"),
        ({"name": "Annabel"}, LimitExceeded, "name: string should have at most 5 characters, not 'Annabel'"),
    ],
)
def test_what_is_wrong_with_arguments_is_said_in_our_words(
    mem: Treering, given: dict[str, Any], kind: type[TreeringError], said: str
) -> None:
    with pytest.raises(kind) as told:
        CURT.answer(mem, "greet", given)
    assert str(told.value) == said


def test_a_fault_is_an_answer_only_where_that_systems_clients_look_for_it_there(mem: Treering) -> None:
    assert POLITE.answer(mem, "fail", {}) == {"success": False, "message": "name: nobody"}
    assert POLITE.answer(mem, "great", {})["message"] == "great: polite has no such tool; did you mean greet?"
    with pytest.raises(InvalidRequest, match="nobody"):
        CURT.answer(mem, "fail", {})


def test_a_route_is_a_tool_in_the_shape_its_system_answers_with(mem: Treering) -> None:
    route = DialectRoute("GET", "/greet/{name}", greet, shape=lambda answer: {"greeting": answer["said"][0]})
    assert route(mem, {"name": "Bo"}) == {"greeting": "hello Bo"}
    assert (route.status, DialectRoute("POST", "/x", fail, 201).status) == (200, 201)

"""What the page on stability promises is kept: what is recorded of the stable core is still there, and as it was."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from treering.door import OPERATIONS
from treering.door.stable import STABLE
from treering.faces.shapes import answer_schema
from treering.model.value import plain
from treering.operation import Operation

RECORD = Path(__file__).with_name("stable.json")
PAGES = Path(__file__).parents[2] / "docs"


def fields_of(schema: Mapping[str, Any], defs: Mapping[str, Any], inside: tuple[str, ...] = ()) -> Iterator[str]:
    """As paths: `hits[].memory.content`. What holds its own kind is told once."""
    for way in schema.get("anyOf", [schema]):
        name = way.get("$ref", "").rsplit("/", 1)[-1]
        if name in inside:
            continue
        here, within = (defs[name], (*inside, name)) if name else (way, inside)
        for key, inner in here.get("properties", {}).items():
            yield key
            yield from (f"{key}.{one}" for one in fields_of(inner, defs, within) if not one.startswith("["))
            yield from (f"{key}{one}" for one in fields_of(inner, defs, within) if one.startswith("["))
        if "items" in here:
            yield from (f"[].{one}" for one in fields_of(here["items"], defs, within))


def as_it_is(operation: Operation) -> dict[str, Any]:
    schema = answer_schema(operation, deep=True)
    return {
        "parameters": {
            one.name: "required" if one.required else {"default": plain(one.default)} for one in operation.parameters
        },
        "answer": sorted(set(fields_of(schema, schema.get("$defs", {})))),
    }


def taken_away(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What a program that was written for the record would miss."""
    was, there = recorded["parameters"], now["parameters"]
    lost = [f"parameter {name} has gone" for name in was if name not in there]
    lost += [f"{name} is required" for name, one in there.items() if one == "required" and was.get(name) != "required"]
    both = [name for name in was if there.get(name, "required") != "required" and was[name] != "required"]
    lost += [f"{name} has another default" for name in both if was[name] != there[name]]
    return lost + [f"{one} is missing in the answer" for one in recorded["answer"] if one not in now["answer"]]


@pytest.mark.parametrize("name", sorted(STABLE))
def test_a_stable_operation_has_what_is_recorded_of_it(name: str) -> None:
    now = as_it_is(OPERATIONS[name])
    recorded = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    if os.environ.get("TREERING_SNAPSHOTS") and (name not in recorded or not taken_away(recorded[name], now)):
        told = {**{one: kept for one, kept in recorded.items() if one in STABLE}, name: now}
        lines = ",\n".join(f"{json.dumps(one)}: {json.dumps(told[one])}" for one in sorted(told))
        RECORD.write_text(f"{{\n{lines}\n}}\n", "utf-8")
        return
    assert name in recorded, "record it: TREERING_SNAPSHOTS=1 pytest tests/faces/test_stable.py"
    assert taken_away(recorded[name], now) == []


def test_nothing_leaves_the_record() -> None:
    assert set(json.loads(RECORD.read_text("utf-8"))) == STABLE


def test_the_pages_name_the_same_operations() -> None:
    rows = re.findall(
        r"^\| [\w ]+ \| (`\w+`.*) \|$", (PAGES / "guides" / "stability.md").read_text("utf-8"), re.MULTILINE
    )
    assert {one for row in rows for one in re.findall(r"`(\w+)`", row)} == STABLE
    marked = re.findall(
        r"^\| \[(\w+)\]\(#\w+\) \| stable \|", (PAGES / "reference" / "python.md").read_text("utf-8"), re.MULTILINE
    )
    assert set(marked) == STABLE


def test_what_a_program_would_miss_is_told() -> None:
    parameters = {"query": "required", "limit": {"default": 10}, "view": {"default": None}}
    was = {"parameters": parameters, "answer": ["hits[].score"]}
    now = {"parameters": {"limit": {"default": 8}, "view": "required", "more": "required"}, "answer": []}
    assert taken_away(was, now) == [
        "parameter query has gone",
        "view is required",
        "more is required",
        "limit has another default",
        "hits[].score is missing in the answer",
    ]
    more = {"parameters": {**parameters, "more": {"default": 1}}, "answer": ["hits[].score", "hits[].new"]}
    assert taken_away(was, more) == []

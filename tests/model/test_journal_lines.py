"""Entries written down: lines and payloads in canonical form, and what is refused of any other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.model.drawn import chained

from treering.errors import Corrupted, InvalidRequest
from treering.model.identity import Identity
from treering.model.journal import read_line, read_payload, write_line


def test_an_entry_survives_its_export_line_and_its_payload() -> None:
    for entry in (*chained(2, Identity.generate()), chained(1)[0].cut([1])):
        line = write_line(entry)
        assert "\n" not in line
        assert read_line(line, "x") == entry
        assert write_line(read_line(line, "x")) == line
        assert read_payload(entry.payload()) == entry.leaves


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "x",
        "{}",
        "[1]",
        "[{}]",
        '[{"hash":"00"}]',
        '[{"hash":7}]',
        '[{"body":{},"salt":"zz"}]',
        "[ ]",
        '[{"body":{}}]',
    ],
)
def test_a_payload_that_is_not_in_canonical_form_is_corrupted(payload: str) -> None:
    with pytest.raises(Corrupted):
        read_payload(payload)


def test_a_payload_with_anything_added_or_respaced_is_corrupted() -> None:
    payload = chained(1)[0].payload()
    for wrong in (payload.replace(":", ": ", 1), payload[:-1] + " ]", payload.replace('"salt"', '"more":1,"salt"', 1)):
        with pytest.raises(Corrupted, match="canonical"):
            read_payload(wrong)


def bad_lines() -> dict[str, Any]:
    line = json.loads(write_line(chained(1)[0]))
    return {
        "no text": "",
        "no json": "Dear diary",
        "a number": "7",
        "a list": "[]",
        "nothing in it": "{}",
        **{f"no {name}": json.dumps({k: v for k, v in line.items() if k != name}) for name in line},
        **{f"{name} is null": json.dumps({**line, name: None}) for name in line},
        **{f"{name} is an object": json.dumps({**line, name: {"x": 1}}) for name in line},
        "seq is text": json.dumps({**line, "seq": "1"}),
        "seq is true": json.dumps({**line, "seq": True}),
        "space is wrong": json.dumps({**line, "space": "A B"}),
        "at is naive": json.dumps({**line, "at": "2026-01-01T00:00:00"}),
        "signature is a number": json.dumps({**line, "signature": 5}),
    }


@pytest.mark.parametrize("name", bad_lines())
def test_a_line_that_is_no_entry_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(InvalidRequest, match=r"out\.jsonl, line 3"):
        read_line(bad_lines()[name], "out.jsonl, line 3")


def test_a_salt_or_hash_in_another_spelling_of_the_same_bytes_is_refused() -> None:
    text = '[{"body":{"change":"key_bound"},"salt":"' + "ab" * 16 + '"}]'
    assert read_payload(text)[0].salt == "ab" * 16
    with pytest.raises(Corrupted):
        read_payload(text.replace("abab", "ABab", 1))
    with pytest.raises(Corrupted):
        read_payload('[{"hash":"' + "AB" * 32 + '"}]')

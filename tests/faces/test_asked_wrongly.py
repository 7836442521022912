"""What is asked in a way that could be misread: refused in words, answered, or said to be a dry run."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

import treering
from treering import Treering
from treering.errors import InvalidRequest, Unavailable
from treering.faces.cli.headline import said
from treering.faces.mcp.heard import _request
from treering.faces.rest.asked import _maybe_object
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.serve import listening_at

DEEP = "[" * 100_000


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", space="me", embedder="none") as opened:
        yield opened


def test_a_dry_run_says_so_whatever_its_kind(mem: Treering) -> None:
    mem.add("The lease ends in May.")
    for told in (mem.hold("a court", dry_run=True), mem.retain(), mem.forget(mem.list().memories[0].id, dry_run=True)):
        (line,) = said(told)
        assert line.text.startswith("dry run, nothing was written"), told
    assert not list(mem.holds())
    assert not [line for line in said(mem.hold("a court")) if "dry run" in line.text]


def test_an_id_in_place_of_a_reason_is_not_taken_to_mean_the_whole_space(mem: Treering) -> None:
    memory_id = mem.add("The lease ends in May.").id
    with pytest.raises(InvalidRequest, match="give the reason first, and then the id"):
        mem.hold(memory_id)
    mem.hold("a court")
    with pytest.raises(InvalidRequest, match="is the id of a memory"):
        mem.release(memory_id)
    assert len(list(mem.holds())) == 1


def test_a_write_is_undone_by_the_number_that_its_receipt_has(mem: Treering) -> None:
    receipt = mem.add("The lease ends in May.")
    assert mem.undo(receipt.seq).forgotten == (receipt.id,)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="valid string, not True"):
        mem.undo(True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ('{"id": 58, "method": "tools/call", "params": {"limit": ' + "9" * 5_000 + "}}", 58),
        ('{"method": "tools/call", "params": {"query": ' + DEEP + ', "x": 1}, "id": "a-1"}', "a-1"),
        ('{"method": "notify", "params": {"id": 3, "a": ' + DEEP, None),
        ('{"method": "notify", "params": {"a": ' + DEEP + ', "id": 3}}', None),
        ('{"id": 5, "params": ' + DEEP, None),
        ("garbage", None),
        ('"id" ' * 200_000, None),
    ],
)
def test_who_waits_for_an_answer_is_known_though_the_request_cannot_be_read(line: str, asked: object) -> None:
    found = _request(line)
    assert (found and found["id"]) == asked


def test_what_lies_too_deep_in_an_address_is_read_as_text() -> None:
    assert _maybe_object(DEEP) == DEEP
    assert _maybe_object("[1]") == [1]


def test_a_port_that_is_taken_is_refused_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=f"127.0.0.1:{port}: cannot be listened on"):
            listening_at(ServerPolicy(port=port))

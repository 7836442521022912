"""The client: the same methods and the same answers as the door, from another machine."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock, write_a_life
from tests.faces.rest.conftest import HERE

import treering
from treering import errors
from treering.door import OPERATIONS, Treering
from treering.faces.client import Client


@pytest.fixture
def client(http: TestClient) -> Client:
    return carried_to(http)


def carried_to(http: TestClient) -> Client:
    """Not over a socket: what is sent and read is the same."""

    def carried(request: httpx.Request) -> httpx.Response:
        sent = http.request(
            request.method, str(request.url), content=request.read(), headers=list(request.headers.items())
        )
        return httpx.Response(sent.status_code, headers=list(sent.headers.items()), content=sent.content)

    return Client(HERE, space="lab", transport=httpx.MockTransport(carried))


def test_the_client_has_every_operation_and_says_which_there_are(client: Client) -> None:
    assert treering.Client is Client
    for name in OPERATIONS:
        assert inspect.signature(getattr(client, name)) == inspect.signature(OPERATIONS[name].method)
    with pytest.raises(AttributeError, match="there is no operation 'recal'; there are: remember"):
        _ = client.recal


ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "get": lambda door, life: door.get(life.job),
    "list": lambda door, life: door.list(view="all"),
    "recall": lambda door, life: door.recall("Where does Ada work?", explain=True),
    "context": lambda door, life: door.context("Where does Ada work?"),
    "why_not": lambda door, life: door.why_not("Where does Ada work?", life.job),
    "history": lambda door, life: door.history(life.job),
    "facts": lambda door, life: door.facts(include_closed=True),
    "entities": lambda door, life: door.entities(),
    "entity_get": lambda door, life: door.entity_get("Ada"),
    "events": lambda door, life: door.events(limit=100),
    "spaces": lambda door, life: door.spaces(),
    "status": lambda door, life: door.status(),
    "settings": lambda door, life: door.settings(),
    "verify": lambda door, life: door.verify(),
    "jobs": lambda door, life: door.jobs(),
    "add dry": lambda door, life: door.add("Ada sings", tags=["a"], dry_run=True).space,
}


@pytest.mark.parametrize("name", ASKED)
def test_the_client_answers_with_the_very_values_of_the_door(
    name: str, client: Client, served: Treering, clock: HandClock
) -> None:
    life = write_a_life(served, clock)
    here, there = ASKED[name](served, life), ASKED[name](client, life)
    assert type(there) is type(here)
    assert there == here


def test_code_moves_to_a_server_by_one_line(client: Client) -> None:
    with client.space("me") as me:
        receipt = me.remember("I left Google last May to join Anthropic.", speaker="User", at="2026-01-01T09:00:00Z")
        assert receipt.memories
        answer = me.recall("Who left Google?", limit=5, view="history")
        assert any("Google" in hit.memory.content for hit in answer)
        assert me.facts(relation="WORKS_FOR")[0].object == "Anthropic"


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda door: door.get("nobody"), errors.NotFound),
        (lambda door: door.list(space="Nope"), errors.InvalidRequest),
        (lambda door: door.add(""), errors.InvalidRequest),
        (lambda door: door.add("x" * 60_000), errors.LimitExceeded),
        (lambda door: door.link("a", "b", "likes"), errors.InvalidRequest),
        (lambda door: door.sync("/tmp/none"), errors.Unsupported),
    ],
)
def test_errors_arrive_as_the_kinds_they_were(client: Client, ask: Callable[[Any], Any], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        ask(client)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(errors.Unavailable, match="treering serve"), Client("http://127.0.0.1:9") as nobody:
        nobody.spaces()


def test_an_answer_that_is_not_ours_is_told_so() -> None:
    strange = httpx.MockTransport(lambda _: httpx.Response(200, json={"odd": 1}))
    with pytest.raises(errors.Fault, match="another way than this version knows"):
        Client(HERE, transport=strange).status()
    broken = httpx.MockTransport(lambda _: httpx.Response(502, text="<html>"))
    with pytest.raises(errors.Unavailable, match="502"):
        Client(HERE, transport=broken).status()


def test_files_go_up_and_journals_come_down(client: Client, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Tea\n\nAda likes tea.")
    assert client.add_file(tmp_path / "notes.md", tags=["t", "u"]).memories
    assert client.add_file(b"Bo likes rum.", name="more.txt").memories
    own = client.add_file(b"Ada hides it.", name="own.txt", visibility="private", visible_to=["kim", "bo"]).memories[0]
    assert client.get(own.id).visible_to == ("kim", "bo")
    assert client.list().memories[0].tags == ("t", "u")
    exported = client.export(str(tmp_path / "out.jsonl"), space="lab")
    assert exported.entries == len((tmp_path / "out.jsonl").read_text().splitlines()) == 3
    assert client.import_journal(str(tmp_path / "out.jsonl"), space="copy").added == 3
    with pytest.raises(FileExistsError):
        client.export(str(tmp_path / "out.jsonl"))
    graph = client.export(str(tmp_path / "out.graphml"), space="lab")
    assert (graph.entries, graph.format) == ((tmp_path / "out.graphml").read_text().count("<node "), "graphml")
    with pytest.raises(errors.InvalidRequest, match="'markdown' is not one of journal, jsonl, graphml, cypher"):
        client.export(str(tmp_path / "notes"), format="markdown")


def test_a_space_that_is_full_there_is_full_here(client: Client, served: Treering) -> None:
    served.settings({"quota": {"memories": 1}})
    client.add("Ada came")
    with pytest.raises(errors.QuotaExceeded, match="may hold 1 memories"):
        client.add("Bo came")

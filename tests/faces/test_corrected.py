"""Does a correction take its facts along on every face? It is read at the door, so every way in must end the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.faces.command import Here
from tests.faces.mcp.agents import agent

import treering
from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.model.namespaces import space_of

SPACE = str(space_of("people"))
NEW = "Ada lives in Paris"
Way = Callable[[Treering, str, Here], Any]


def _by_rest(door: Treering, memory: str, here: Here, method: str, path: str, **body: Any) -> None:
    with TestClient(application(door, ServerPolicy()), base_url="http://127.0.0.1:8321") as http:
        answer = http.request(method, path.format(memory), json=body)
        assert answer.status_code < 300, answer.text


def _by_mcp(door: Treering, memory: str, here: Here) -> None:
    given = {"id": memory, "content": NEW, "space": SPACE}
    told = agent(door, "full", lambda client: client.call_tool("revise", given))
    assert not told.is_error, told


async def _awaited(path: Path, memory: str) -> None:
    async with treering.aio.open(path) as mem:
        await mem.revise(memory, NEW, space=SPACE)


def _by_command(door: Treering, memory: str, here: Here) -> None:
    done = here("revise", memory, NEW, "--space", SPACE)
    assert done.code == 0, done.err


WAYS: dict[str, Way] = {
    "python": lambda door, memory, here: door.revise(memory, NEW, space=SPACE),
    "asyncio": lambda door, memory, here: asyncio.run(_awaited(here.store, memory)),
    "command line": _by_command,
    "mcp": _by_mcp,
    "rest": lambda door, memory, here: _by_rest(
        door, memory, here, "POST", f"/v1/spaces/{SPACE}/revise", id=memory, content=NEW
    ),
    "longmem's route": lambda door, memory, here: _by_rest(
        door, memory, here, "PUT", "/v1/memory/collections/people/memories/{}", text=NEW
    ),
    "ai-memory's route": lambda door, memory, here: _by_rest(
        door, memory, here, "PUT", "/api/v1/memories/{}", content=NEW
    ),
}


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(tmp_path / "work.db", capsys, monkeypatch)


@pytest.mark.parametrize("way", WAYS)
def test_facts_follow_a_correction_whoever_makes_it(way: str, here: Here) -> None:
    with treering.open(here.store) as door:
        memory = door.remember("Ada lives in Berlin", space=SPACE).id
        WAYS[way](door, memory, here)
        so = {(one.subject, one.relation, one.object) for one in door.facts(space=SPACE)}
        assert so == {("Ada", "LIVES_IN", "Paris")}
        entry = next(one.seq for one in door.journal(space=SPACE).lines if one.op == "revise")
        door.undo(str(entry), space=SPACE)
        so = {(one.subject, one.relation, one.object) for one in door.facts(space=SPACE)}
        assert so == {("Ada", "LIVES_IN", "Berlin")}

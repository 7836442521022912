"""Several processes at one address: callers and agents notice nothing of it, also when some of them die."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.faces.rest.test_mcp import SPEAKS
from tests.faces.rest.test_stream import LAB, Server

from treering.faces.client import Client


def children(process: int) -> set[int]:
    """The processes of a server, without the one in which Python keeps its books."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    lines = [line.split(maxsplit=2) for line in listed.splitlines()]
    return {
        int(pid) for pid, parent, *words in lines if int(parent) == process and "resource_tracker" not in str(words)
    }


def until(true: Callable[[], Any], seconds: float = 60.0) -> Any:
    give_up = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < give_up, "it did not come about"
        time.sleep(0.05)
    return found


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("together") / "served.db", "--processes", "2")
    yield one
    members = children(one.process.pid)
    assert one.end(signal.SIGINT) == 0
    assert not any(is_there(each) for each in members)
    assert "Traceback" not in "".join(one.lines)


def asked(url: str, path: str, **headers: str) -> httpx.Response:
    """By a connection of its own."""
    return httpx.get(url + path, headers=headers, timeout=60)


def counted(url: str, route: str) -> int:
    lines = asked(url, "/metrics").text.splitlines()
    wanted = re.compile(rf'treering_requests_total{{.*route="{re.escape(route)}".*}} (\S+)')
    return int(sum(float(found[1]) for one in lines if (found := wanted.fullmatch(one))))


def test_what_one_process_wrote_the_others_tell_and_all_are_counted_together(server: Server) -> None:
    with Client(server.url, space="lab") as client:
        added = client.add("Ada sings").id
    for _ in range(6):
        assert asked(server.url, f"{LAB}/get?id={added}").json()["content"] == "Ada sings"
    assert counted(server.url, "/v1/spaces/{space}/get") == 6
    assert asked(server.url, "/metrics").text.count("treering_build{") == 1


class Agent:
    """Speaks the protocol by hand, each message by a connection of its own, and so to any process."""

    def __init__(self, url: str) -> None:
        self._url, self._headers = url, dict(SPEAKS)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.session = self._headers["Mcp-Session-Id"] = self.send("initialize", **hello).headers["mcp-session-id"]
        self.say("notifications/initialized")

    def say(self, method: str) -> None:
        self._post({"jsonrpc": "2.0", "method": method})

    def send(self, method: str, **params: Any) -> httpx.Response:
        return self._post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def _post(self, body: dict[str, Any]) -> httpx.Response:
        return httpx.post(f"{self._url}/mcp", json=body, headers=self._headers, timeout=60)

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = self.send("tools/call", name=name, arguments=arguments)
        lines = [one for one in answer.text.splitlines() if one.startswith("data: {")]
        result: dict[str, Any] = json.loads(lines[-1][6:])["result"]
        return result


def opened_elsewhere(url: str) -> Agent:
    """After an odd number of connections, so that the next comes to another process."""
    asked(url, "/healthz")
    return Agent(url)


def test_an_agent_s_session_goes_on_whichever_process_it_reaches(server: Server) -> None:
    agents = [Agent(server.url), *(opened_elsewhere(server.url) for _ in range(9))]
    assert {one.session.rpartition(".")[2] for one in agents} == {"1", "2"}, "both processes have some"
    agents = sorted(agents, key=lambda one: one.session.rpartition(".")[2])[:: len(agents) - 1]
    with Client(server.url, space="lab") as client:
        client.add("Bo has three cats")
    for _ in range(3):
        for agent in agents:
            assert "cats" in str(agent.call("recall", query="How many cats has Bo?", space="lab"))
    before = counted(server.url, "/mcp")
    agents[0].call("status", space="lab")
    agents[1].call("status", space="lab")
    assert counted(server.url, "/mcp") == before + 2, "what is sent on is counted once"


def test_a_session_that_is_not_there_is_not_found(server: Server) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for session in ("nobody", "nobody.1", "nobody.2", "nobody.7", "nobody.", "0"):
        answer = httpx.post(f"{server.url}/mcp", json=body, headers={**SPEAKS, "Mcp-Session-Id": session}, timeout=20)
        assert answer.status_code == 404, session


def test_a_process_that_is_killed_is_started_again_and_nobody_is_turned_away(server: Server) -> None:
    members = children(server.process.pid)
    with Client(server.url, space="lab") as client:
        before = counted(server.url, "/v1/spaces/{space}/status")
        for one in sorted(members):
            os.kill(one, signal.SIGKILL)
            assert asked(server.url, f"{LAB}/status").status_code == 200
        until(lambda: len(children(server.process.pid) - members) >= 3)
        assert counted(server.url, "/v1/spaces/{space}/status") == before + len(members)
        job = client.enqueue("I moved to Oslo", extractor="none")
        until(lambda: client.job(job.id).status == "completed")


@pytest.mark.slow
def test_a_caller_has_so_many_requests_at_all_processes_together(tmp_path: Path) -> None:
    one = Server(tmp_path / "served.db", "--processes", "2", "--requests-a-minute", "4")
    members = children(one.process.pid)
    assert len(members) == 3
    assert [asked(one.url, f"{LAB}/status").status_code for _ in range(6)] == [200, 200, 200, 200, 429, 429]
    assert asked(one.url, f"{LAB}/status", **{"X-Agent-Id": "other"}).status_code == 200
    _are_not_left_alone(one, members)


def _are_not_left_alone(server: Server, members: set[int]) -> None:
    """When the first process is killed the others end by themselves."""
    server.end(signal.SIGKILL)
    until(lambda: not any(is_there(each) for each in members))

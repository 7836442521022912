"""A server as clients meet it: a process of its own, over standard input or HTTP, the real SDK at the other end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import mcp_types as types
import pytest
from mcp import Client
from tests.faces.mcp.agents import MODES, agent, as_json, http_server, over_http, over_stdio, program, text
from tests.ingest.reading import JOINED, LEFT

import treering
from treering.door import Treering
from treering.model.value import plain

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READS: dict[str, dict[str, Any]] = {
    "status": {},
    "recall": {"query": "Where does Sam work?"},
    "context": {"query": "Where does Sam work?", "budget_tokens": 300},
}


def _same(told: Any, answer: Any) -> None:
    """But for how long it took, and the moment it was asked for."""
    passing = ("milliseconds", "as_of", "store")
    wanted = as_json(plain(answer))
    assert {k: v for k, v in told.items() if k not in passing} == {k: v for k, v in wanted.items() if k not in passing}


async def _ask_all(client: Client) -> dict[str, Any]:
    return {name: (await client.call_tool(name, given)).structured_content for name, given in READS.items()}


@pytest.mark.parametrize("mode", MODES)
def test_over_standard_input_a_client_gets_what_python_gets(mode: str, store: Path, life: dict[str, str]) -> None:
    told = over_stdio(store, "core", _ask_all, mode)
    with treering.open(store) as mem:
        for name, given in READS.items():
            _same(told[name], getattr(mem, name)(**given))


def test_over_http_a_client_gets_what_python_gets_and_its_writes_are_there(store: Path, life: dict[str, str]) -> None:
    async def live(client: Client) -> dict[str, Any]:
        told = await _ask_all(client)
        await client.call_tool("remember", {"content": "Sam moved to Oslo.", "speaker": "Kim"})
        return told

    with http_server(store) as url:
        told = over_http(url, _ask_all, "auto")
        assert {name: one.get("hits") for name, one in told.items()} == {
            name: one.get("hits") for name, one in over_http(url, live).items()
        }
        _refuses_strangers(url)
    with treering.open(store) as mem:
        assert "Sam lives in Oslo" in [one.content for one in mem.list()]


def _refuses_strangers(url: str) -> None:
    headers = {"accept": "application/json, text/event-stream"}
    assert httpx.post(url, json=HELLO, headers={**headers, "host": "evil.example"}).status_code == 403
    assert httpx.post(url, json=HELLO, headers={**headers, "origin": "http://evil.example"}).status_code == 403
    too_much = {**HELLO, "params": "x" * 5_000_000}
    assert httpx.post(url, json=too_much, headers=headers).status_code == 413


def _talk(store: Path, *lines: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """What the program answers to raw lines, until its input ends."""
    asked = program(store)
    sent = b"".join((one.encode() if isinstance(one, str) else one) + b"\n" for one in lines)
    return subprocess.run(
        [asked.command, *asked.args], input=sent, capture_output=True, env=asked.env, timeout=60, check=False
    )


def test_nothing_but_the_protocol_is_written_to_standard_output(store: Path) -> None:
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
    ended = _talk(store, *(json.dumps(one) for one in (HELLO, ready, call)))
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [one["id"] for one in answers] == [1, 2]
    assert answers[0]["result"]["serverInfo"]["name"] == "treering"
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_nothing_of_the_door_is_loaded_before_the_client_is_greeted() -> None:
    asked = "import sys, treering.faces.cli.app, treering.faces.cli.mcp, treering.faces.mcp.stdio; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert "treering.faces.mcp.server" in loaded
    heavy = {
        "treering.door",
        "treering.operation",
        "treering.recall",
        "sqlite3",
        "numpy",
        "onnxruntime",
        "rich",
    }
    assert heavy.isdisjoint(loaded)


def test_broken_lines_do_not_end_the_server(store: Path) -> None:
    broken = [b"{", b"\xff\xfe", b"[]", b'"x"', b'{"jsonrpc": "2.0", "id": 5, "method": "no/such"}', b"null", b""]
    ended = _talk(store, *broken, json.dumps(HELLO))
    assert any(json.loads(line).get("id") == 1 for line in ended.stdout.splitlines())
    assert b"Traceback" not in ended.stdout


@pytest.mark.parametrize(
    "given",
    [{"query": "cat", "entities": ["\ud800"]}, {"query": "\udc00 tea"}, {"query": "tea", "\udfff": 1}],
    ids=["in a list", "in a text", "as a name"],
)
def test_a_call_with_half_of_a_surrogate_pair_is_answered_and_what_comes_next_too(
    given: dict[str, Any], store: Path
) -> None:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "recall", "arguments": given}}
    ended = _talk(store, json.dumps(call), json.dumps(HELLO))
    refused, greeted = map(json.loads, ended.stdout.splitlines())
    assert (refused["id"], greeted["id"]) == (2, 1)
    assert "half of a surrogate pair" in refused["error"]["message"]
    assert greeted["result"]["serverInfo"]["name"] == "treering"


def test_a_client_that_disappears_leaves_no_process_behind(store: Path) -> None:
    with _greeted(store) as running:
        running.communicate(timeout=10)
        assert running.returncode == 0


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_stops_though_its_client_stays(sign: signal.Signals, store: Path) -> None:
    with _greeted(store) as running:
        running.send_signal(sign)
        assert running.wait(10) is not None


@contextmanager
def _greeted(store: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The program, after it has answered the first request; ended at the latest when it is no longer looked at."""
    asked, pipe = program(store), subprocess.PIPE
    with subprocess.Popen([asked.command, *asked.args], stdin=pipe, stdout=pipe, env=asked.env) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(HELLO).encode() + b"\n")
        running.stdin.flush()
        try:
            assert json.loads(running.stdout.readline())["id"] == 1
            yield running
        finally:
            running.kill()


# several at once


async def _writes_and_reads(store: Path, number: int, times: int) -> list[str]:
    said = []
    async with Client(program(store, "full"), mode="legacy") as client:
        for turn in range(times):
            content = f"server {number} says {turn}"
            kept = await client.call_tool("add", {"content": content})
            assert not kept.is_error, text(kept)
            said.append(kept.structured_content["memories"][0]["id"])
            found = await client.call_tool("get", {"id": said[-1]})
            assert found.structured_content["content"] == content
    return said


async def _at_once(store: Path, servers: int, times: int) -> list[list[str]]:
    return await asyncio.gather(*(_writes_and_reads(store, number, times) for number in range(servers)))


def _consistent(store: Path, servers: int, times: int) -> None:
    said = asyncio.run(asyncio.wait_for(_at_once(store, servers, times), 300))
    with treering.open(store) as mem:
        kept = mem.list(limit=1000).memories
        assert sorted(one.id for one in kept) == sorted(one for each in said for one in each)
        assert mem.status().seq == servers * times
        assert mem.verify().ok


def test_two_servers_on_one_file_write_and_read_at_once(store: Path) -> None:
    _consistent(store, 2, 8)


@pytest.mark.slow
def test_five_servers_on_one_file_write_and_read_at_once_for_long(store: Path) -> None:
    _consistent(store, 5, 100)


# while a call is under way


def test_long_work_tells_how_far_it_is(store: Path) -> None:
    told: list[tuple[float, float | None]] = []

    async def saw(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    async def ask(client: Client) -> types.CallToolResult:
        messages = [{"content": f"Sam bought {n} apples.", "role": "user"} for n in range(6)]
        return await client.call_tool("remember", {"messages": messages}, progress_callback=saw)

    with treering.open(store) as door:
        result = agent(door, "core", ask)
    assert not result.is_error
    assert told[-1] == (6, 6)
    assert told == sorted(told)


def test_a_call_that_is_no_longer_wanted_stops_at_its_next_step(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []

    def slow(self: Treering, **_: Any) -> None:
        for step in range(100):
            time.sleep(0.05)
            steps.append(step)
            self._progress(step, 100)

    monkeypatch.setattr(Treering, "status", slow)

    async def ask(client: Client) -> None:
        await client.list_tools()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.call_tool("status", {}), 0.3)
        await client.call_tool("history", {"id": "x"})  # and the server goes on answering
        seen = len(steps)
        await asyncio.sleep(0.4)
        assert len(steps) <= seen + 1

    with treering.open(store) as door:
        agent(door, "core", ask)
    assert 0 < len(steps) < 50


@pytest.mark.parametrize("mode", MODES)
def test_the_clients_own_model_reads_what_is_said_if_it_lends_one(store: Path, mode: str) -> None:
    asked: list[types.CreateMessageRequestParams] = []

    async def model(_: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        asked.append(params)
        words = types.TextContent(type="text", text=json.dumps({"statements": [LEFT, JOINED]}))
        return types.CreateMessageResult(role="assistant", content=words, model="test")

    words = "I left Google last May to join Anthropic."
    said = {"content": words, "speaker": "User", "at": "2026-02-10T09:00:00Z", "extractor": "client"}

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said)).structured_content

    with treering.open(store) as door:
        receipt = agent(door, "core", ask, mode, sampling_callback=model)
    assert receipt["trouble"] is None
    assert receipt["extractor"] == "client"
    assert [one["content"] for one in receipt["memories"]] == [LEFT["content"], JOINED["content"]]
    assert "I left Google" in str(asked[0].messages)
    assert asked[0].system_prompt


@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_lends_no_model_is_read_for_and_told_why(store: Path, mode: str) -> None:
    said = {"content": "I moved to Oslo.", "speaker": "Ann", "extractor": "client"}
    with treering.open(store) as door:
        told = agent(door, "core", lambda client: client.call_tool("remember", said), mode).structured_content
    assert told["memories"][0]["content"] == "Ann: I moved to Oslo."
    assert "offers no sampling" in told["trouble"]


def test_the_tools_may_be_chosen_by_the_environment(store: Path) -> None:
    asked = program(store, "core", TREERING_TOOLS="full")
    words = [one for one in asked.args if one not in ("--tools", "core")]

    async def names() -> list[str]:
        async with Client(asked.model_copy(update={"args": words}), mode="legacy") as client:
            return [one.name for one in (await client.list_tools()).tools]

    assert "purge" in asyncio.run(names())


def test_a_set_that_is_none_ends_the_program_with_a_line(store: Path) -> None:
    words = [sys.executable, "-m", "treering.faces.cli", "mcp", "--tools", "all"]
    ended = subprocess.run(words, capture_output=True, env=dict(os.environ), timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"'core', 'full', 'cortexgraph', 'ai-memory', 'longmem'" in ended.stderr

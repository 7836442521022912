"""What is open ends: streams and sessions with their key, connections with the patience of the server."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.faces.rest.conftest import Serving
from tests.faces.rest.live import comes_true, connected, is_closed_within, live, served
from tests.faces.rest.test_access import bearing
from tests.faces.rest.test_mcp import SPEAKS, Agent
from tests.faces.rest.test_native import the_error
from tests.faces.rest.test_stream import LAB

from treering.door import Treering
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store

PATIENT = ServerPolicy(shutdown_seconds=1)
HURRIED = replace(PATIENT, header_seconds=0.6, body_seconds=0.8, idle_seconds=1, unread_seconds=1)
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def door(tmp_path: Path) -> Any:
    """By the real clock: what is open lasts real time."""
    store = open_store(str(tmp_path / "served.db"), "normal")
    yield Treering(store, actor="local", space="lab")
    store.close()


class Hearing(threading.Thread):
    """Reads a stream to its end."""

    def __init__(self, url: str, headers: dict[str, str], method: str = "GET", body: Any = None) -> None:
        super().__init__(daemon=True)
        self.url, self.headers, self.method, self.body = url, headers, method, body
        self.heard, self.ended_at, self.begun = "", 0.0, threading.Event()
        self.start()
        assert self.begun.wait(20)

    def run(self) -> None:
        asked = httpx.stream(self.method, self.url, headers=self.headers, json=self.body, timeout=30)
        with contextlib.suppress(httpx.RemoteProtocolError), asked as answer:  # cut where the server itself stops
            self.begun.set()
            for piece in answer.iter_text():
                self.heard += piece
        self.ended_at = time.monotonic()


def test_a_stream_of_events_ends_when_its_key_is_revoked(door: Treering) -> None:
    door.add("Before")
    eve = door.key_create("eve", spaces=["lab"], role="read")
    ann = door.key_create("ann", spaces=["lab"], role="read")
    with live(door, PATIENT) as url:
        hers = Hearing(f"{url}{LAB}/events", {**STREAM, **bearing(eve.secret)})
        others = Hearing(f"{url}{LAB}/events", {**STREAM, **bearing(ann.secret)})
        time.sleep(0.7)
        revoked_at = time.monotonic()
        door.key_revoke(eve.key.id)
        hers.join(10)
        assert hers.ended_at
        assert hers.ended_at - revoked_at < 4  # two seconds, and what a busy machine takes
        written = door.add("After").id
        time.sleep(1.2)
        assert written not in hers.heard
        assert "event: end" in hers.heard
        assert written in others.heard
        assert others.is_alive()


def test_a_stream_without_keys_ends_when_there_are_keys(door: Treering) -> None:
    with live(door, PATIENT) as url:
        hearing = Hearing(f"{url}{LAB}/events", STREAM)
        door.key_create("ann", spaces=["*"], role="read")
        hearing.join(10)
        assert "event: end" in hearing.heard


def test_an_agents_stream_ends_when_its_key_is_revoked(door: Treering) -> None:
    issued = door.key_create("eve", spaces=["lab"], role="write")
    with live(door, PATIENT) as url:
        headers = {**SPEAKS, **bearing(issued.secret)}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        session = httpx.post(f"{url}/mcp", json=asked, headers=headers).headers["mcp-session-id"]
        hearing = Hearing(f"{url}/mcp", {**STREAM, **bearing(issued.secret), "Mcp-Session-Id": session})
        time.sleep(0.7)
        assert hearing.is_alive()
        door.key_revoke(issued.key.id)
        hearing.join(10)
        assert hearing.ended_at


def test_a_session_of_agents_belongs_to_its_key(serving: Serving, served: Treering) -> None:
    ann, eve = (served.key_create(one, spaces=["lab"], role="write") for one in ("ann", "eve"))
    twin = served.key_create("ann", spaces=["lab"], role="write")
    http = serving()
    agent = Agent(http, ann.secret)
    body = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    assert http.post("/mcp", json=body, headers=agent._headers).status_code == 200
    for other in (eve, twin):
        taken = {**agent._headers, **bearing(other.secret)}
        assert http.post("/mcp", json=body, headers=taken).status_code == 404
        assert http.delete("/mcp", headers=taken).status_code == 404
    assert http.post("/mcp", json=body, headers=agent._headers).status_code == 200


def test_without_keys_a_session_belongs_to_who_opened_it(serving: Serving) -> None:
    http = serving()
    agent = Agent(http)
    body = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    taken = {**agent._headers, "X-Agent-Id": "eve"}
    assert http.post("/mcp", json=body, headers=taken).status_code == 404


# no header is a fault of ours

LONG = "9" * 5000
ODD = ("", " ", LONG, f"x.{LONG}", "x.1", "..", "-1", "1.5", "\xff\xfe", "٣", "a" * 3000, "{}", "%00", "1e400", "null")
HEADERS = (
    "Mcp-Session-Id", "Last-Event-ID", "Mcp-Protocol-Version", "Content-Type", "Accept", "X-Agent-Id",
    "Idempotency-Key", "X-Request-Id", "Origin", "Host", "Authorization", "Traceparent", "Range", "If-None-Match",
    "Cookie", "Forwarded", "X-Treering-Actor", "Accept-Encoding", "Accept-Language", "Content-Encoding", "Expect",
)  # fmt: skip


@pytest.mark.parametrize("name", HEADERS)
def test_no_header_is_answered_with_a_fault(serving: Serving, name: str) -> None:
    http = serving()
    for value in ODD:
        given = {name.encode(): value.encode("utf-8")}
        for method, path, accept in (
            ("GET", f"{LAB}/events", b"application/json"),
            ("POST", f"{LAB}/add", b"*/*"),
            ("POST", "/mcp", b"application/json, text/event-stream"),
            ("POST", f"{LAB}/add_file", b"*/*"),
            ("GET", "/api/v1/memories", b"*/*"),
        ):
            headers = {b"Accept": accept, **given}
            answer = http.request(method, path, headers=headers, content=b"{}" if method == "POST" else None)
            assert answer.status_code < 500, (name, value[:20], path, answer.text)


def test_where_a_stream_goes_on_is_a_number_that_there_can_be(serving: Serving) -> None:
    http = serving()
    for given in (LONG, f"{LONG}.1", f"1.{LONG}", "x", "٣"):
        answer = http.get(f"{LAB}/events", headers={b"Accept": b"text/event-stream", b"Last-Event-ID": given.encode()})
        assert the_error(answer)[0] == 400


@pytest.mark.parametrize("charset", ["bogus", "utf-7-no", "x" * 300, "hex", ""])
def test_a_form_in_no_alphabet_is_the_callers_fault(serving: Serving, charset: str) -> None:
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    body = b'--x\r\nContent-Disposition: form-data; name="tags"\r\n\r\n\xff\r\n--x--\r\n'
    for path in (f"{LAB}/add_file", "/v1/memory/collections/lab/drop"):
        assert serving().post(path, content=body, headers={"Content-Type": kind}).status_code == 400


# the patience of a server


HALVES = (
    b"",
    b"GET /healthz HTT",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    b"POST /v1/spaces/lab/add HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 5000\r\n\r\n{",
    b"POST /v1/spaces/lab/add HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /hea",
)


@pytest.mark.parametrize("half", HALVES)
def test_what_is_begun_and_not_ended_is_hung_up_on(door: Treering, half: bytes) -> None:
    with live(door, HURRIED) as url:
        many = [connected(url) for _ in range(20)]
        for one in many:
            one.sendall(half)
        assert all(is_closed_within(one, 15) for one in many)
        assert httpx.get(f"{url}/healthz").status_code == 200
        for one in many:
            one.close()


def was_hung_up_on(one: socket.socket) -> bool:
    """While it sends a letter now and then."""
    try:
        for _ in range(100):
            one.sendall(b"x")
            time.sleep(0.15)
    except OSError:
        return True
    return False


def test_a_header_and_a_body_that_trickle_are_hung_up_on(door: Treering) -> None:
    with live(door, HURRIED) as url:
        head, body = connected(url), connected(url)
        head.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        body.sendall(b"POST /v1/spaces/lab/add HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\n")
        for one in (head, body):
            assert was_hung_up_on(one)
            one.close()


def test_a_body_that_comes_steadily_may_take_its_time(door: Treering) -> None:
    text = json.dumps({"content": "word " * 3000}).encode()
    with live(door, HURRIED) as url:
        one = connected(url)
        head = f"POST {LAB}/add HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(text)}\r\n\r\n"
        one.sendall(head.encode())
        for start in range(0, len(text), 1500):
            one.sendall(text[start : start + 1500])
            time.sleep(0.2)
        assert b"200 OK" in one.recv(65536).split(b"\r\n")[0]
        one.close()


def test_an_answer_that_nobody_reads_is_given_up(door: Treering) -> None:
    for _ in range(12):
        door.add_many([{"content": f"{number} {'x' * 24_000}"} for number in range(60)])
    with served(door, HURRIED) as (url, server):
        with connected(url) as one:
            one.sendall(b"GET /v1/export HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            comes_true(lambda: len(server.server_state.connections) == 1, "nobody was heard")
            comes_true(lambda: not server.server_state.connections, "who does not read is waited for")
            last = b""
            with suppress(OSError):
                while piece := one.recv(1 << 16):
                    last = (last + piece)[-20:]
        assert not last.endswith(b"0\r\n\r\n"), "the whole answer was kept for somebody who does not read"
        assert httpx.get(f"{url}/healthz").status_code == 200


def test_a_stream_that_is_silent_stays_open(door: Treering) -> None:
    with live(door, HURRIED) as url:
        hearing = Hearing(f"{url}{LAB}/events", STREAM)
        time.sleep(2.5)
        assert hearing.is_alive()

"""Who read what, signed in, was refused or took something out: recorded before it is answered, in a chain that shows
every change, and never with the words of a memory."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import HERE
from tests.faces.rest.live import live
from tests.faces.rest.test_access import bearing
from tests.faces.rest.test_client import carried_to
from tests.faces.rest.test_mcp import Agent
from tests.faces.rest.test_native import the_error

from treering.access.audit import REFUSALS_A_MINUTE, Level
from treering.access.policy import AccessPolicy
from treering.door import Treering
from treering.errors import InvalidRequest
from treering.exchange import sealing
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store
from treering.store.trail import NO_HASH, AuditRecord

LAB = "/v1/spaces/lab"
SECRET = "The combination is lantern"
Audited = Callable[..., tuple[Treering, TestClient]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "served.db"


@pytest.fixture
def audited(path: Path, clock: HandClock) -> Iterator[Audited]:
    closing: list[Any] = []

    def make(level: Level = Level.METADATA) -> tuple[Treering, TestClient]:
        store = open_store(str(path), "normal")
        door = Treering(store, clock=clock, actor="local", space="lab", access=AccessPolicy(audit=level))
        http = TestClient(application(door, ServerPolicy()), base_url=HERE, raise_server_exceptions=False)
        closing.append((http.__enter__(), store))
        return door, http

    yield make
    for http, store in closing:
        http.__exit__(None, None, None)
        store.close()


def recorded(door: Treering, *kinds: str) -> list[AuditRecord]:
    return list(door.audit_search(kinds=kinds, order="oldest", limit=500).records)


# what is recorded


def test_a_reading_is_recorded_with_who_where_and_by_which_request(audited: Audited) -> None:
    door, http = audited()
    door.add(SECRET, space="lab")
    key = door.key_create("ann", spaces=["lab"], role="write")
    answer = http.get(f"{LAB}/recall?query=What is the combination?", headers=bearing(key.secret))
    assert "lantern" in answer.text
    [one] = recorded(door, "read")
    assert (one.operation, one.space, one.caller, one.key, one.outcome) == ("recall", "lab", "ann", key.key.id, "ok")
    assert one.request == answer.headers["x-request-id"]
    assert one.detail == {}
    assert door.audit_search(request=one.request).records == (one,)
    assert http.get(f"{LAB}/get?id=nothing", headers=bearing(key.secret)).status_code == 404
    assert recorded(door, "read")[-1].outcome == "not_found"
    http.post(f"{LAB}/add", json={"content": "x"}, headers=bearing(key.secret))
    assert [(one.operation, one.key) for one in recorded(door, "write")] == [("add", key.key.id)]


def test_in_full_it_is_also_recorded_what_was_asked_and_which_ids_were_told(audited: Audited) -> None:
    door, http = audited(Level.FULL)
    memory = door.add(SECRET, space="lab").id
    told = http.get(f"{LAB}/get?id={memory}").text
    assert "lantern" in told
    one = recorded(door, "read")[-1]
    assert one.detail["asked"] == {"id": memory}
    assert memory in one.detail["ids"]
    http.get(f"{LAB}/recall", params={"query": "combination " * 400})
    long = recorded(door, "read")[-1].detail["asked"]["query"]
    assert len(long) == 2_001
    assert "lantern" not in json.dumps([one.to_dict() for one in recorded(door)])


def test_in_full_no_word_of_what_is_written_or_refused_is_recorded(audited: Audited) -> None:
    door, http = audited(Level.FULL)
    keys = {role: bearing(door.key_create(role, spaces=["lab"], role=role).secret) for role in ("read", "write")}
    told = {"content": SECRET, "tags": ["lantern"]}
    assert http.post(f"{LAB}/add", json=told, headers=keys["read"]).status_code == 403
    made = http.post(f"{LAB}/add", json=told, headers=keys["write"]).json()["memories"][0]["id"]
    [denied], [written] = recorded(door, "denied"), recorded(door, "write")
    assert (denied.operation, denied.detail) == ("add", {})
    assert made in written.detail["ids"]
    assert "lantern" not in json.dumps([one.to_dict() for one in recorded(door)])


def test_nothing_is_recorded_unless_it_is_asked_for(audited: Audited) -> None:
    door, http = audited(Level.OFF)
    key = door.key_create("ann", spaces=["lab"]).secret
    http.get(f"{LAB}/list", headers=bearing(key))
    http.get(f"{LAB}/list", headers=bearing("tr_wrong"))
    assert recorded(door) == []


def test_agents_and_other_systems_clients_are_recorded_too(audited: Audited) -> None:
    door, http = audited()
    door.add(SECRET, space="lab")
    Agent(http).call("recall", query="What is the combination?", space="lab")
    assert ("recall", "lab") in {(one.operation, one.space) for one in recorded(door, "read")}
    before = len(recorded(door, "read"))
    answer = http.post("/api/v1/recall", json={"context": "What is the combination?"})
    assert answer.status_code == 200
    new = recorded(door, "read")[before:]
    assert {one.request for one in new} == {answer.headers["x-request-id"]}


def test_signing_in_is_recorded_once_an_hour(audited: Audited, clock: HandClock) -> None:
    door, http = audited()
    key = door.key_create("ann", spaces=["lab"])
    for _ in range(3):
        http.get(f"{LAB}/list", headers=bearing(key.secret))
        clock.advance(seconds=1)
    [one] = recorded(door, "sign_in")
    assert (one.caller, one.key, one.detail) == ("ann", key.key.id, {"by": "key"})


def test_who_is_not_let_in_is_recorded_and_never_what_they_showed(audited: Audited) -> None:
    door, http = audited()
    key = door.key_create("ann", spaces=["lab"])
    wrong = key.secret[:-1] + ("x" if key.secret[-1] != "x" else "y")
    assert http.get(f"{LAB}/list", headers=bearing(wrong)).status_code == 401
    assert http.get(f"{LAB}/list").status_code == 401
    assert http.get("/v1/spaces/theirs/list", headers=bearing(key.secret)).status_code == 403
    first, second, third = recorded(door, "denied")
    assert (first.outcome, first.key, first.caller) == ("unauthorized", key.key.id, None)
    assert (second.outcome, second.key) == ("unauthorized", None)
    assert (third.outcome, third.caller, third.space, third.operation) == ("forbidden", "ann", "theirs", "list")
    kept = json.dumps([one.to_dict() for one in recorded(door)])
    assert key.secret.split("_", 2)[2] not in kept
    assert wrong.split("_", 2)[2] not in kept


def test_strangers_cannot_fill_the_disk_with_refusals(audited: Audited, clock: HandClock) -> None:
    door, http = audited()
    door.key_create("ann", spaces=["lab"])
    for _ in range(REFUSALS_A_MINUTE + 30):
        http.get(f"{LAB}/list", headers=bearing("tr_wrong"))
    assert len(recorded(door, "denied")) == REFUSALS_A_MINUTE
    clock.advance(minutes=1)
    http.get(f"{LAB}/list", headers=bearing("tr_wrong"))
    assert recorded(door, "denied")[-1].detail == {"left_out": 30}


def test_exports_and_what_is_done_with_keys_are_recorded_as_such(audited: Audited) -> None:
    door, http = audited()
    boss = bearing(door.key_create("boss", spaces=["*"], role="admin").secret)
    door.add("x", space="lab")
    assert http.get(f"{LAB}/export", headers=boss).status_code == 200
    assert http.get("/v1/audit_export", headers=boss).status_code == 200
    assert [(one.operation, one.space) for one in recorded(door, "export")] == [
        ("export", "lab"),
        ("audit_export", None),
    ]
    made = http.post("/v1/key_create", json={"name": "eve", "spaces": ["lab"]}, headers=boss).json()
    http.post("/v1/key_revoke", json={"id": made["key"]["id"]}, headers=boss)
    http.post("/v1/grant_add", json={"group": "staff", "on": "lab"}, headers=boss)
    assert [one.operation for one in recorded(door, "manage")] == ["key_create", "key_revoke", "grant_add"]
    assert made["secret"] not in json.dumps([one.to_dict() for one in recorded(door)])


def test_in_full_no_secret_of_a_new_key_is_recorded(audited: Audited) -> None:
    door, http = audited(Level.FULL)
    boss = bearing(door.key_create("boss", spaces=["*"], role="admin").secret)
    made = http.post("/v1/key_create", json={"name": "eve", "spaces": ["lab"]}, headers=boss).json()
    assert made["secret"].split("_", 2)[2] not in json.dumps([one.to_dict() for one in recorded(door)])


def test_a_stream_of_events_is_recorded_when_it_is_opened_and_not_at_every_look(path: Path) -> None:
    store = open_store(str(path), "normal")
    door = Treering(store, actor="local", space="lab", access=AccessPolicy(audit=Level.METADATA))
    door.add("One", space="lab")
    wish = {"Accept": "text/event-stream"}
    with live(door, ServerPolicy(shutdown_seconds=1)) as url, httpx.Client(trust_env=False, timeout=30) as client:
        with client.stream("GET", f"{url}{LAB}/events", headers=wish) as answer:
            lines = (one for one in answer.iter_lines() if one.startswith("id: "))
            first = next(lines)
            door.add("Two", space="lab")
            while next(lines).partition(".")[0] == first.partition(".")[0]:
                pass  # until it has looked again
        assert [one.operation for one in recorded(door, "read")] == ["events"]
    store.close()


# nothing is told unrecorded


def test_what_cannot_be_recorded_is_not_told(audited: Audited, path: Path) -> None:
    door, http = audited()
    door.add(SECRET, space="lab")
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END")
    answer = http.get(f"{LAB}/recall?query=combination")
    assert answer.status_code >= 500
    assert "lantern" not in answer.text
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TRIGGER full")
    assert "lantern" in http.get(f"{LAB}/recall?query=combination").text
    raw.close()


def test_who_asks_at_once_is_recorded_together_and_each_once(path: Path, clock: HandClock) -> None:
    store = open_store(str(path), "normal")
    door = Treering(store, clock=clock, access=AccessPolicy(audit=Level.METADATA))
    auditor, asked = door.auditor(), [f"r{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: auditor.record("read", request=one), asked))  # type: ignore[arg-type]
    assert sorted(one.request or "" for one in recorded(door)) == sorted(asked)
    assert door.audit_verify().ok
    store.close()


# looking at it


def test_an_admin_of_a_path_sees_what_was_done_below_it(audited: Audited) -> None:
    door, http = audited()
    part = bearing(door.key_create("ann", spaces=["acme/*"], role="admin").secret)
    reader = bearing(door.key_create("bo", spaces=["*"]).secret)
    for space in ("acme/x", "lab"):
        http.get(f"/v1/spaces/{space}/list", headers=reader)
    told = http.get("/v1/spaces/acme/audit_search?children=true", headers=part).json()
    assert [(one["caller"], one["space"]) for one in told["records"]] == [("bo", "acme/x")]
    for refused in ("/v1/audit_search", "/v1/spaces/lab/audit_search", "/v1/audit_verify", "/v1/audit_export"):
        assert the_error(http.get(refused, headers=part))[0] == 403
    assert the_error(http.get("/v1/spaces/acme/audit_search", headers=reader))[0] == 403


def test_it_is_read_page_by_page(audited: Audited) -> None:
    door, http = audited()
    for _ in range(5):
        http.get(f"{LAB}/list")
    pages, after = [], 0
    while True:
        page = door.audit_search(limit=2, after=after)
        pages.append([one.seq for one in page.records])
        after = page.after
        if not page.more:
            break
    assert pages == [[5, 4], [3, 2], [1]]


def test_the_export_can_be_checked_without_a_store(audited: Audited, tmp_path: Path) -> None:
    _, http = audited()
    for _ in range(3):
        http.get(f"{LAB}/list")
    told = carried_to(http).audit_export(tmp_path / "audit.jsonl")
    lines = [json.loads(one) for one in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert (told.records, len(lines)) == (3, 3)
    last = NO_HASH
    for one in lines:
        assert one["prev_hash"] == last
        last = one.pop("hash")
        text = json.dumps(one, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(text.encode()).hexdigest() == last, "as docs/concepts/audit.md says"
    assert told.head == f"3:{last}"


# whether it still holds


CHANGES = {
    "another time": "UPDATE audit SET at = at + 1 WHERE seq = 3",
    "another caller": "UPDATE audit SET caller = 'nobody' WHERE seq = 3",
    "another space": "UPDATE audit SET space = NULL WHERE seq = 3",
    "another outcome": "UPDATE audit SET outcome = 'forbidden' WHERE seq = 3",
    "another detail": "UPDATE audit SET detail = '{\"x\":1}' WHERE seq = 3",
    "one removed": "DELETE FROM audit WHERE seq = 3",
    "the first removed": "DELETE FROM audit WHERE seq = 1",
    "another number": "UPDATE audit SET seq = 30 WHERE seq = 3",
    "another hash": "UPDATE audit SET hash = prev_hash WHERE seq = 3",
}


def test_every_change_shows(audited: Audited, path: Path) -> None:
    door, http = audited()
    for _ in range(5):
        http.get(f"{LAB}/list")
    for what, change in CHANGES.items():
        assert door.audit_verify().ok
        raw = sqlite3.connect(path)
        kept = raw.execute("SELECT * FROM audit").fetchall()
        raw.execute(change)
        raw.commit()
        told = door.audit_verify()
        assert not told.ok, what
        assert told.problems, what
        raw.execute("DELETE FROM audit")
        raw.executemany(f"INSERT INTO audit VALUES ({', '.join('?' * 12)})", kept)
        raw.commit()
        raw.close()


def test_a_head_noted_elsewhere_shows_what_was_taken_from_the_end(audited: Audited, path: Path) -> None:
    door, http = audited()
    for _ in range(5):
        http.get(f"{LAB}/list")
    head = door.audit_verify().head
    http.get(f"{LAB}/list")
    assert door.audit_verify(seen=head).ok
    with sqlite3.connect(path) as raw:
        raw.execute("DELETE FROM audit WHERE seq > 3")
    raw.close()
    assert door.audit_verify().ok
    told = door.audit_verify(seen=head)
    assert (told.ok, told.records) == (False, 3)
    assert "record 5 is not there as it was noted" in told.problems[0]
    with pytest.raises(InvalidRequest, match="is not the head of an audit trail"):
        door.audit_verify(seen="5")


@pytest.mark.parametrize("route", ["backup", "backup_rehearse"])
def test_a_passphrase_is_not_recorded(audited: Audited, monkeypatch: pytest.MonkeyPatch, route: str) -> None:
    monkeypatch.setattr(sealing, "WORK", sealing.KeyDerivation(n=2**4))
    door, http = audited(Level.FULL)
    http.post(f"/v1/{route}", json={"passphrase": "lantern lantern lantern"})
    [one] = [each for each in recorded(door) if each.operation == route]
    assert "asked" in one.detail
    assert "lantern" not in str(one.to_dict())


# the log


def test_the_log_has_space_key_and_request_and_no_words(audited: Audited, caplog: pytest.LogCaptureFixture) -> None:
    door, http = audited(Level.OFF)
    door.add(SECRET, space="lab")
    key = door.key_create("ann", spaces=["lab"], role="write")
    with caplog.at_level("INFO", "treering.faces.rest"):
        answer = http.get(f"{LAB}/recall?query=What is the combination?", headers=bearing(key.secret))
        Agent(http, key.secret).call("recall", query="What is the combination?", space="lab")
    lines = [json.loads(one.message) for one in caplog.records if one.message.startswith("{")]
    first = lines[0]
    assert (first["space"], first["key"], first["caller"]) == ("lab", key.key.id, "ann")
    assert first["request"] == answer.headers["x-request-id"]
    assert (lines[-1]["route"], lines[-1]["space"]) == ("/mcp", "lab")
    assert "combination" not in caplog.text
    assert key.secret.split("_", 2)[2] not in caplog.text

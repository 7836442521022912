"""Backups by route, who may make and lift what, and backups that a server makes by itself."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import HERE, Serving
from tests.faces.rest.live import live

import treering
from treering.door import Treering
from treering.errors import Held, Unavailable
from treering.exchange import backups, sealing
from treering.exchange.backups import BackupPolicy
from treering.faces.client import Client
from treering.faces.rest.housekeeping import BackupKeeper, ServerUpkeep
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.running import works

PASSPHRASE = "correct horse battery"
LAB = "/v1/spaces/lab"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "WORK", sealing.KeyDerivation(n=2**4))


def test_a_backup_comes_as_one_file_and_opens(served: Treering, http: TestClient, tmp_path: Path) -> None:
    served.add("Ada sings")
    answer = http.get("/v1/backup")
    assert answer.status_code == 200
    (tmp_path / "copy.db").write_bytes(answer.content)
    assert answer.headers["treering-sha256"] == backups.digest(tmp_path / "copy.db")
    assert (answer.headers["treering-entries"], answer.headers["treering-verified"]) == ("1", "yes")
    with treering.open(tmp_path / "copy.db", space="lab", embedder="none") as back:
        assert [one.content for one in back.list()] == ["Ada sings"]


def test_a_backup_is_sealed_with_the_passphrase_of_the_body_and_of_no_address(
    served: Treering, http: TestClient, tmp_path: Path
) -> None:
    served.add("Ada sings")
    answer = http.post("/v1/backup", json={"passphrase": PASSPHRASE})
    assert (answer.status_code, answer.headers["treering-sealed"]) == (200, "yes")
    assert b"Ada" not in answer.content
    (tmp_path / "copy.sealed").write_bytes(answer.content)
    assert treering.restore_backup(tmp_path / "copy.sealed", tmp_path / "new.db", passphrase=PASSPHRASE).ok
    refused = http.get("/v1/backup", params={"passphrase": PASSPHRASE})
    assert (refused.status_code, "in the body of a POST" in refused.text) == (400, True)
    assert http.post("/v1/backup", json={"path": "/tmp/x.db"}).status_code == 400
    assert http.get("/v1/backup", params={"path": "/tmp/x.db"}).status_code == 400


def test_the_client_fetches_a_backup_and_keeps_nothing_that_was_cut_off(
    served: Treering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.add("Ada sings")
    with live(served, ServerPolicy()) as url, Client(url, space="lab") as client:
        made = client.backup(str(tmp_path / "copy.sealed"), passphrase=PASSPHRASE)
        assert made.sha256 == backups.digest(tmp_path / "copy.sealed")
        assert (made.sealed, made.verified, made.entries) == (True, True, 1)
        assert treering.restore_backup(tmp_path / "copy.sealed", tmp_path / "new.db", passphrase=PASSPHRASE).ok
        real = backups.digest
        monkeypatch.setattr(backups, "digest", lambda path: real(path)[::-1])  # as if it had changed on its way
        with pytest.raises(Unavailable, match="cut off or changed"):
            client.backup(str(tmp_path / "other.db"))
        assert not (tmp_path / "other.db").exists()
        tea = client.add("Ada likes tea").id
        client.hold("case 7", tea)
        with pytest.raises(Held, match=tea):
            client.purge(tea, "asked to")


def test_who_may_make_backups_and_who_may_lift_a_hold(served: Treering, http: TestClient) -> None:
    tea = served.add("Ada likes tea").id
    keys = {
        (role, opens): {"Authorization": f"Bearer {served.key_create(role, spaces=[opens], role=role).secret}"}
        for role in ("read", "write", "admin")
        for opens in ("lab", "*")
    }
    for who, key in keys.items():
        allowed = who == ("admin", "*")
        assert (http.get("/v1/backup", headers=key).status_code == 200) is allowed, who
        assert (http.post("/v1/backup_list", json={}, headers=key).status_code != 403) is allowed, who
        assert (http.post("/v1/backup_run", json={}, headers=key).status_code != 403) is allowed, who
        held = {"why": "case 7", "id": tea}
        assert (http.post(f"{LAB}/hold", json=held, headers=key).status_code == 200) is allowed, who
        assert http.get(f"{LAB}/holds", headers=key).status_code == 200
        lift = {"changes": {"hold": {"on": False}}}
        assert (http.post(f"{LAB}/settings", json=lift, headers=key).status_code == 200) is allowed, who
        assert (http.post(f"{LAB}/retain", json={}, headers=key).status_code == 200) is (who[0] == "admin"), who
    refused = http.post(f"{LAB}/purge", json={"id": tea, "why": "x"}, headers=keys["admin", "lab"])
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "held")
    assert http.post(f"{LAB}/release", json={"id": tea, "why": "x"}, headers=keys["admin", "lab"]).status_code == 403


def test_a_server_makes_backups_where_a_folder_is_set_up(served: Treering, clock: HandClock, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "said").write_text(PASSPHRASE + "\n")
    policy = BackupPolicy(str(tmp_path / "kept"), 24, 2, str(tmp_path / "said"))
    door = Treering(served._store, clock=clock, actor="local", space="lab", backups=policy)
    door.add("Ada sings")
    assert any(isinstance(one, BackupKeeper) for one in works(door, ServerPolicy()))
    assert not any(isinstance(one, BackupKeeper) for one in works(served, ServerPolicy()))
    keeper = BackupKeeper(door)
    for _ in range(3):
        keeper.look_in()
        keeper.look_in()  # it is not time yet
        clock.advance(hours=24)
    found = door.backup_list()
    assert [one.made_at for one in found] == [clock.now - timedelta(hours=24), clock.now - timedelta(hours=48)]
    assert all(one.sealed for one in found)
    assert door.backup_rehearse().ok


def test_a_backup_that_fails_is_told_in_the_log_and_stops_nothing(
    served: Treering, clock: HandClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    door = Treering(served._store, clock=clock, actor="local", backups=BackupPolicy(str(tmp_path / "none")))
    with caplog.at_level("INFO", "treering.faces.rest"):
        BackupKeeper(door).look_in()
    assert "is not a folder" in json.loads(caplog.records[-1].message)["error"]


def test_a_server_purges_what_a_space_no_longer_keeps(served: Treering, clock: HandClock) -> None:
    served.settings({"purging": {"after_days": 30}})
    served.add("Ada sings")
    kept = served.add("Bo dances").id
    served.hold("case 7", kept)
    clock.advance(days=31)
    ServerUpkeep(served).look_in()
    assert [one.id for one in served.list(view="all")] == [kept]


def test_a_server_that_is_called_by_its_address_serves_the_backup(serving: Serving, served: Treering) -> None:
    served.add("Ada sings")
    assert serving().get("/v1/backup", headers={"Host": HERE.removeprefix("http://")}).status_code == 200
    assert serving().get("/v1/backup", headers={"Host": "evil.example.com"}).status_code == 403

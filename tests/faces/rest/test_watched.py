"""What those who watch are told: figures of the store that are right, and that Prometheus reads."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import Serving
from tests.faces.rest.live import live
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.exchange.backups import BackupPolicy
from treering.exchange.webhooks.kept import DeadLetter, bury
from treering.faces.rest import gauges
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store.contract import Store

DEPLOY = Path(__file__).parents[3] / "deploy"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are looked up whenever they are asked for."""
    monkeypatch.setattr(gauges, "_SHARE", 0)
    monkeypatch.setattr(gauges.Gauges.__init__, "__defaults__", (0.0,))


def figures(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(f"{{{value}}}" for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_figures_of_memories_jobs_webhooks_disk_and_backups_are_right(
    served: Treering, clock: HandClock, tmp_path: Path
) -> None:
    (tmp_path / "kept").mkdir()
    policy = BackupPolicy(str(tmp_path / "kept"))
    door = Treering(served._store, clock=clock, actor="local", space="lab", backups=policy)
    with TestClient(application(door, ServerPolicy()), base_url="http://127.0.0.1:8321") as http:
        before = figures(http.get("/metrics").text)
        assert (before["treering_up"], before["treering_spaces"], before["treering_webhooks"]) == (1, 0, 0)
        assert "treering_backup_timestamp_seconds" not in before
        door.backup_run()
        made = clock.now
        first = door.add("Ada sings", entities=["Ada"]).id
        door.add("Bo dances", space="den")
        door.forget(first)
        door.hold("case 7", first)
        hook = door.webhook_add("https://example.org/told", spaces=["lab"]).webhook.id
        bury(
            door._store.drawer,
            DeadLetter(id="1", webhook_id=hook, space="lab", seq=1, at=clock.now, tries=8, error="x"),
        )
        clock.advance(minutes=1)
        door.add("Cy paints")
        door.enqueue("Di cooks", extractor="none")
        clock.advance(minutes=2)
        told = figures(http.get("/metrics").text)
    expected = {
        "treering_spaces": 2,
        "treering_memories{active}": 2,
        "treering_memories{forgotten}": 1,
        "treering_entities": 1,
        "treering_held_memories": 1,
        "treering_jobs{pending}": 1,
        "treering_jobs{failed}": 0,
        "treering_job_oldest_seconds": 120,
        "treering_webhooks": 1,
        "treering_webhook_behind_entries": 1,
        "treering_webhook_lag_seconds": 120,
        "treering_webhook_dead_letters": 1,
        "treering_store_writable": 1,
        "treering_backup_failed": 0,
        "treering_backup_timestamp_seconds": made.timestamp(),
    }
    assert {name: told[name] for name in expected} == expected
    assert told["treering_store_bytes"] == served.status().store["bytes"]
    assert 0 < told["treering_disk_free_bytes"] <= told["treering_disk_bytes"]
    assert told["treering_backup_bytes"] > 10_000


def test_how_far_indexes_are_and_how_long_reading_takes(served: Treering, clock: HandClock) -> None:
    door = Treering(served._store, clock=clock, actor="local", space="lab", embedder=Hashing())
    with TestClient(application(door, ServerPolicy()), base_url="http://127.0.0.1:8321") as http:
        http.post("/v1/spaces/lab/add", json={"content": "Ada sings"})
        http.post("/v1/spaces/lab/recall", json={"query": "Who sings?"})
        told = figures(http.get("/metrics").text)
        assert (told["treering_indexes"], told["treering_index_behind_entries"]) == (1, 0)
        assert told[f"treering_embedding_seconds_count{{{Hashing().name}}}"] >= 2
        assert told[f"treering_embedded_texts_total{{{Hashing().name}}}"] >= 2
        for word in ("tea", "rum"):
            door.add(f"Ada likes {word}")
        clock.advance(seconds=90)
        told = figures(http.get("/metrics").text)
        assert told["treering_index_behind_entries"] == 2
        assert told["treering_index_age_seconds"] == pytest.approx(90, abs=0.01)


def test_who_may_not_see_all_is_told_of_requests_alone(serving: Serving, served: Treering) -> None:
    keys = {opens: served.key_create("watch", spaces=[opens], role="read").secret for opens in ("lab", "*")}
    http = serving()
    told = {
        opens: figures(http.get("/metrics", headers={"Authorization": f"Bearer {key}"}).text)
        for opens, key in keys.items()
    }
    of_the_store = ("treering_memories", "treering_spaces", "treering_up", "treering_jobs", "treering_store")
    assert not [name for name in told["lab"] if name.startswith(of_the_store)]
    assert "treering_spaces" in told["*"]
    assert "treering_requests_in_progress" in told["lab"]


def test_figures_are_not_looked_up_more_often_than_they_are_worth(served: Treering, store: Store) -> None:
    one = gauges.Gauges(served, least_seconds=60.0)
    assert b"treering_spaces 0.0" in one.told()
    served.add("Ada sings")
    assert b"treering_spaces 0.0" in one.told()
    assert b"treering_spaces 1.0" in gauges.Gauges(served, least_seconds=0.0).told()


def test_a_store_that_does_not_answer_is_told_as_down(served: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    served.add("Ada sings")
    served._store._pool.close()  # type: ignore[attr-defined]
    monkeypatch.setattr(served, "vitals", _unavailable)
    assert b"treering_up 0.0" in gauges.Gauges(served).told()


def _unavailable() -> object:
    from treering.errors import Unavailable

    raise Unavailable("gone")


# what is given to start with


def names_told(served: Treering) -> set[str]:
    text = gauges.Gauges(served).told().decode()
    mine = {family.name for family in text_string_to_metric_families(text)}
    backup = {"treering_backup_failed", "treering_backup_timestamp_seconds", "treering_backup_bytes"}
    of_requests = {"treering_requests_total", "treering_request_seconds_bucket", "treering_requests_in_progress"}
    return mine | backup | of_requests | {"treering_embedding_seconds_bucket", "treering_embedded_texts_total", "up"}


def used_in(expression: str) -> set[str]:
    import re

    return set(re.findall(r"\b(?:treering_\w+|up(?=\{))", expression))


def test_the_board_and_the_alerts_ask_for_figures_that_there_are(served: Treering) -> None:
    board = json.loads((DEPLOY / "grafana-treering.json").read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert len(asked) > 12
    assert len(alerts) > 8
    known = names_told(served)
    for expression in (*asked, *(rule["expr"] for rule in alerts)):
        assert used_in(expression), expression
        assert used_in(expression) <= known, expression
    for rule in alerts:
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]
    every = {name for expression in asked for name in used_in(expression)}
    assert {"treering_memories", "treering_jobs", "treering_webhook_lag_seconds", "treering_index_age_seconds"} <= every


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="needs prometheus (Debian: apt-get install prometheus)")
def test_prometheus_scrapes_a_server_and_its_rules_hold(served: Treering, tmp_path: Path) -> None:
    served.add("Ada sings")
    checked = subprocess.run(
        ["promtool", "check", "rules", str(DEPLOY / "alerts.yaml")], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    key = served.key_create("prometheus", spaces=["*"], role="read").secret
    (tmp_path / "key").write_text(key)
    with live(served, ServerPolicy()) as url, socket.create_server(("127.0.0.1", 0)) as free:
        target, port = url.removeprefix("http://"), free.getsockname()[1]
        free.close()
        config = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text())
        [scrape] = config["scrape_configs"]
        scrape["static_configs"] = [{"targets": [target]}]
        scrape["authorization"]["credentials_file"] = str(tmp_path / "key")
        scrape["scrape_interval"] = "1s"
        config["rule_files"] = [str(DEPLOY / "alerts.yaml")]
        (tmp_path / "prometheus.yaml").write_text(yaml.safe_dump(config))
        running = subprocess.Popen(
            ["prometheus", f"--config.file={tmp_path / 'prometheus.yaml'}", f"--storage.tsdb.path={tmp_path / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"]
        )  # fmt: skip
        try:
            assert _value(port, "treering_memories{state='active'}") == "1"
            assert _value(port, "up{job='treering'}") == "1"
            rules = httpx.get(f"http://127.0.0.1:{port}/api/v1/rules", trust_env=False).json()["data"]["groups"]
            assert [rule["health"] for group in rules for rule in group["rules"] if rule["health"] == "err"] == []
        finally:
            running.terminate()
            running.wait(20)


def _value(port: int, query: str) -> str:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        try:
            asked = httpx.get(f"http://127.0.0.1:{port}/api/v1/query", params={"query": query}, trust_env=False)
            found = asked.json()["data"]["result"]
        except (httpx.HTTPError, KeyError, ValueError):
            found = []
        if found:
            return str(found[0]["value"][1])
        time.sleep(0.5)
    raise AssertionError(f"Prometheus has no {query}")

"""Five processes on one file, as five clients with a server each: all consistent, and nobody waits long."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest
from bench.serve import serving
from tests.property.killing import Process, check_acknowledged, check_sound

from treering.door import open as open_door
from treering.store.contract import Scope

TIMES = 200
LONGEST_SECONDS = 5.0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_five_processes_write_and_read_one_file_and_nobody_waits_long(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    workers = [Process("worker", tmp_path, path, name, str(TIMES)) for name in ("ann", "ben", "cat", "dan", "eve")]
    for one in workers:
        one.start()
    for one in workers:
        assert one.wait() == 0, one.errors()
    acknowledged = [line for one in workers for line in one.said() if "did" in line]
    assert sorted(line["seq"] for line in acknowledged) == list(range(1, TIMES * len(workers) + 1))
    check_acknowledged(path, workers)
    check_sound(path, workers)
    longest = max(line["longest"] for one in workers for line in one.said() if "longest" in line)
    print(f"the longest of {len(acknowledged)} adds took {longest:.3f} s")
    assert longest < LONGEST_SECONDS


@pytest.mark.slow
def test_a_purge_does_not_keep_writers_out_while_somebody_reads(tmp_path: Path) -> None:
    """SQLite would wait for the reader with the write lock in hand; the bytes go when the reader has left."""
    path = tmp_path / "shared.db"
    with open_door(path, space="acme") as door, open_door(path, space="acme") as other:
        secret = door.add("the unspeakable word").id
        with other._store.reader(Scope("acme", other._now())) as reader:
            assert reader.memory(secret) is not None
            begun = time.perf_counter()
            assert not door.purge(secret, "asked").scrubbed
            door.add("life goes on")
            assert time.perf_counter() - begun < LONGEST_SECONDS
    with open_door(path, space="acme"):
        for part in tmp_path.glob("shared.db*"):
            assert b"unspeakable" not in part.read_bytes()


@pytest.mark.slow
def test_what_is_recalled_from_any_process_of_a_server_is_counted_when_it_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "served.db"
    monkeypatch.setenv("TREERING_EMBEDDER", "none")
    with open_door(path) as mem:
        tea = mem.add("Ada drinks green tea").id
        mem.settings({"touch_on_recall": True})
    with serving(path, "--processes", "2") as server:
        for _ in range(12):  # each by a connection of its own
            asked = httpx.get(f"{server.url}/v1/spaces/default/recall", params={"query": "Who drinks tea?"})
            assert [hit["memory"]["id"] for hit in asked.json()["hits"]] == [tea]
    with open_door(path) as mem:
        assert mem.get(tea).use_count == 12
        assert mem.verify().ok

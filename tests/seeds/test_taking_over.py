"""Who comes from CortexGraph or ai-memory brings their memories along, in the state they were in, and can go back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.faces.command import Here
from tests.seeds.conftest import Http, Tools

from treering.door import Treering
from treering.errors import InvalidRequest

DAY = 86_400
USED, ARCHIVED, PROMOTED, NEVER_USED, DELETED = (f"11111111-1111-4111-8111-00000000000{one}" for one in range(5))
RELATED, WORDED = (f"22222222-2222-4222-8222-00000000000{one}" for one in range(2))


def record(memory_id: str, content: str, now: int, **more: Any) -> dict[str, Any]:
    """As CortexGraph 1.2.1 writes it."""
    meta = {"tags": [], "source": None, "context": None, "extra": {}, **more.pop("meta", {})}
    plain = {
        "status": "active", "promoted_at": None, "promoted_to": None, "embed": None, "entities": [],
        "review_priority": 0.0, "last_review_at": None, "review_count": 0, "cross_domain_count": 0, "strength": 1.0,
        "use_count": 0, "created_at": now - 10 * DAY, "last_used": now - 10 * DAY,
    }  # fmt: skip
    return {"id": memory_id, "content": content, "meta": meta, **plain, **more}


@pytest.fixture
def folder(tmp_path: Path, clock: HandClock) -> Path:
    """A storage folder: one memory much used, one archived, one promoted, one never used, one deleted."""
    now = int(clock.now.timestamp())
    lines = [
        record(DELETED, "to be deleted", now),
        record(USED, "superseded by a later line", now),
        record(
            USED, "Use JWT tokens for authentication", now, entities=["auth", "jwt"], created_at=now - 30 * DAY,
            last_used=now - 2 * DAY, use_count=7, strength=1.4, review_count=3, cross_domain_count=1,
            meta={"tags": ["security"], "source": "team", "context": "Q4", "extra": {"a": 1}},
        ),
        record(ARCHIVED, "Old note nobody needs", now, status="archived"),
        record(
            PROMOTED, "We chose Postgres", now, status="promoted", promoted_at=now - 3 * DAY, use_count=9,
            last_used=now - DAY, promoted_to="/vault/We chose Postgres.md",
        ),
        record(NEVER_USED, "Never used, ten days old", now),
        {"id": DELETED, "_deleted": True},
    ]  # fmt: skip
    relations = [
        {"id": RELATED, "from_memory_id": USED, "to_memory_id": PROMOTED, "relation_type": "supports",
         "strength": 0.8, "created_at": now - 5 * DAY, "metadata": {"reason": "same"}},
        {"id": WORDED, "from_memory_id": NEVER_USED, "to_memory_id": PROMOTED, "relation_type": "follows_from",
         "strength": 0.5, "created_at": now - 5 * DAY, "metadata": {}},
    ]  # fmt: skip
    place = tmp_path / "jsonl"
    place.mkdir()
    for name, some in (("memories.jsonl", lines), ("relations.jsonl", relations)):
        (place / name).write_text("".join(json.dumps(one) + "\n" for one in some), "utf-8")
    return place


def test_a_folder_of_cortexgraph_comes_with_its_state(door: Treering, folder: Path, clock: HandClock) -> None:
    """Ids, creation, uses, last use, reviews, strength, status and relations come along; what was deleted does not."""
    done = door.import_memories(str(folder))
    assert (done.system, done.memories, done.links, done.archived, done.promoted) == ("cortexgraph", 4, 2, 1, 1)
    tools = Tools(door, "cortexgraph")
    told = {
        one["id"]: one for one in tools("open_memories", memory_ids=[USED, ARCHIVED, PROMOTED, NEVER_USED])["memories"]
    }
    now, used = int(clock.now.timestamp()), told[USED]
    assert (used["content"], used["tags"], used["source"], used["context"]) == (
        "Use JWT tokens for authentication", ["security"], "team", "Q4",
    )  # fmt: skip
    assert (used["created_at"], used["last_used"]) == (now - 30 * DAY, now - 2 * DAY)
    assert (used["use_count"], used["strength"], used["age_days"]) == (7, 1.4, 30.0)
    assert [told[one]["status"] for one in (ARCHIVED, PROMOTED, NEVER_USED)] == ["archived", "promoted", "active"]
    assert used["relations"]["outgoing"] == [{"to": PROMOTED, "type": "supports", "strength": 0.8}]
    memory = door.get(USED)
    assert (memory.review_count, memory.cross_domain_count) == (3, 1)
    assert tools("search_memory", query="deleted")["results"] == []


def test_what_comes_is_as_faded_as_it_was(door: Treering, folder: Path) -> None:
    """A memory that was never used for ten days is not fresh because it has just arrived."""
    door.import_memories(str(folder))
    [score] = door.scores([NEVER_USED])
    assert score.score < 0.25


def test_the_same_folder_again_changes_nothing(door: Treering, folder: Path) -> None:
    """What was taken over is known, and stays as it has become here."""
    door.import_memories(str(folder))
    door.touch(NEVER_USED)
    again = door.import_memories(str(folder))
    assert (again.memories, again.known, again.links) == (0, 4, 0)
    assert door.get(NEVER_USED).use_count == 1


def test_a_dry_run_only_says_what_would_come(door: Treering, folder: Path) -> None:
    """A dry run counts and writes nothing."""
    done = door.import_memories(str(folder), dry_run=True)
    assert (done.dry_run, done.memories) == (True, 4)
    assert door.survey("all").total == 0


def test_a_folder_goes_back_as_it_came(door: Treering, folder: Path, tmp_path: Path) -> None:
    """Exported as a folder of CortexGraph every record is as it was."""
    door.import_memories(str(folder))
    door.export(str(tmp_path / "back"), format="cortexgraph")
    for name in ("memories.jsonl", "relations.jsonl"):
        came, went = (_last(place / name) for place in (folder, tmp_path / "back"))
        assert went == came


def _last(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in map(json.loads, path.read_text("utf-8").splitlines()):
        found[one["id"]] = one
    return {key: one for key, one in found.items() if not one.get("_deleted")}


def test_its_sqlite_file_is_read_too(door: Treering, folder: Path, tmp_path: Path) -> None:
    """Where CortexGraph keeps its memories in SQLite, that file is read."""
    place = tmp_path / "sqlite"
    place.mkdir()
    with closing(sqlite3.connect(place / "cortexgraph.db")) as file, file:
        for table, name in (("memories", "memories.jsonl"), ("relations", "relations.jsonl")):
            some = list(_last(folder / name).values())
            columns = [one for one in some[0] if one != "embed"]
            file.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            for one in some:
                row = [json.dumps(one[key]) if isinstance(one[key], dict | list) else one[key] for key in columns]
                file.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", row)
    done = door.import_memories(str(place))
    assert (done.memories, done.links, done.archived) == (4, 2, 1)
    assert door.get(USED).use_count == 7


def test_import_recognises_the_folder_and_does_not_take_it_for_notes(cli: Here, folder: Path) -> None:
    """`treering import FOLDER` takes a storage folder over, and not for an empty vault."""
    done = cli("import", str(folder), "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert (told["system"], told["memories"]) == ("cortexgraph", 4)


def test_a_line_that_cannot_be_read_is_named_and_holds_up_nothing(door: Treering, folder: Path) -> None:
    """What is broken is left out by name, and the rest comes."""
    with (folder / "memories.jsonl").open("a") as file:
        file.write("{broken\n" + json.dumps({"id": "x", "content": "", "created_at": 1}) + "\n")
    done = door.import_memories(str(folder))
    assert done.memories == 4
    assert set(done.left_out) == {"memories.jsonl line 8", "x"}


def test_what_is_nobodys_is_refused_with_what_would_do(door: Treering, tmp_path: Path) -> None:
    """A folder that is none of these is refused, with what could be given instead."""
    with pytest.raises(InvalidRequest, match=r"memories\.jsonl"):
        door.import_memories(str(tmp_path))


# ai-memory


def exported() -> dict[str, Any]:
    """As ai-memory's export tells it."""
    plain = {"tier": "long", "namespace": "Team:a", "tags": ["db"], "priority": 7, "confidence": 0.9, "source": "user",
             "updated_at": "2025-01-06T00:00:00Z", "expires_at": None}  # fmt: skip
    memories = [
        {"id": USED, "title": "M4", "content": "We use Postgres", "created_at": "2025-01-05T00:00:00Z",
         "access_count": 4, "last_accessed_at": "2025-03-01T00:00:00Z", "metadata": {"agent_id": "bob", "k": 1},
         **plain},
        {"id": PROMOTED, "title": "M5", "content": "Migrated to MySQL", "created_at": "2025-04-20T00:00:00Z",
         "access_count": 0, "last_accessed_at": None, "metadata": {}, **plain},
    ]  # fmt: skip
    link = {"source_id": PROMOTED, "target_id": USED, "relation": "contradicts", "created_at": "2025-04-20T00:00:00Z",
            "valid_from": "2025-04-20T00:00:00Z", "valid_until": "2025-05-01T00:00:00Z",
            "observed_by": "bob"}  # fmt: skip
    return {"memories": memories, "links": [link], "count": 2}


def test_an_export_of_ai_memory_is_recognised_as_a_file(cli: Here, tmp_path: Path) -> None:
    """`treering import FILE` takes ai-memory's export over, each namespace to its space."""
    file = tmp_path / "export.json"
    file.write_text(json.dumps(exported()), "utf-8")
    told = json.loads(cli("import", str(file), "--json").out)
    assert (told["system"], told["memories"], told["links"]) == ("ai-memory", 2, 1)
    assert json.loads(cli("import", str(file), "--json").out)["known"] == 2


def test_an_export_of_ai_memory_comes_with_times_accesses_and_closed_edges(door: Treering, tmp_path: Path) -> None:
    """Creation, accesses, author, priority and ended links come along under the same ids."""
    door.import_memories(records=exported(), system="ai-memory")
    tools = Tools(door, "ai-memory")
    told = {one["id"]: one for one in tools("memory_list", namespace="Team:a")["memories"]}
    used = told[USED]
    assert (used["created_at"], used["access_count"], used["last_accessed_at"]) == (
        "2025-01-05T00:00:00Z", 4, "2025-03-01T00:00:00Z",
    )  # fmt: skip
    assert (used["priority"], used["confidence"], used["source"]) == (7, 0.9, "user")
    assert used["metadata"] == {"agent_id": "bob", "k": 1}
    assert tools("memory_kg_query", start_id=PROMOTED)["count"] == 0
    then = tools("memory_kg_query", start_id=PROMOTED, as_of="2025-04-25T00:00:00Z")
    assert [(one["target_id"], one["observed_by"]) for one in then["edges"]] == [(USED, "bob")]


def test_ai_memory_goes_back_as_it_came(door: Treering, tmp_path: Path) -> None:
    """Exported as ai-memory's file every memory and link is as it was."""
    came = exported()
    door.import_memories(records=came, system="ai-memory")
    door.export(str(tmp_path / "back.json"), format="ai-memory")
    went = json.loads((tmp_path / "back.json").read_text("utf-8"))
    for before in came["memories"]:
        after = next(one for one in went["memories"] if one["id"] == before["id"])
        assert {name: after[name] for name in before} == {
            **before, "metadata": {"agent_id": "local", **before["metadata"]}
        }  # fmt: skip
    [link] = went["links"]
    assert {name: link[name] for name in came["links"][0] if name != "created_at"} == {
        name: value for name, value in came["links"][0].items() if name != "created_at"
    }


def test_what_is_changed_here_tells_when(door: Treering, clock: HandClock, served: Callable[[str, str], Http]) -> None:
    """updated_at is the other system's until a memory is changed here."""
    door.import_memories(records=exported(), system="ai-memory")
    http = served("ai-memory", "/api/v1")
    assert http.ok("GET", f"/memories/{USED}")["memory"]["updated_at"] == "2025-01-06T00:00:00Z"
    clock.advance(days=1)
    http.ok("PUT", f"/memories/{USED}", {"content": "We use MariaDB"})
    changed = http.ok("GET", f"/memories/{USED}")["memory"]
    assert (changed["created_at"], changed["updated_at"][:4]) == ("2025-01-05T00:00:00Z", str(clock.now.year))


def test_its_database_is_read_with_archive_and_entities(door: Treering, tmp_path: Path) -> None:
    """ai-memory's SQLite file is read: memories, archive, links, and entities with their aliases."""
    path = tmp_path / "ai-memory.db"
    columns = ("id", "tier", "namespace", "title", "content", "tags", "priority", "confidence", "source",
               "access_count", "created_at", "updated_at", "last_accessed_at", "expires_at", "metadata")  # fmt: skip
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"CREATE TABLE memories ({', '.join(columns)})")
        file.execute(f"CREATE TABLE archived_memories ({', '.join((*columns, 'archived_at', 'archive_reason'))})")
        file.execute("CREATE TABLE memory_links (source_id, target_id, relation, created_at, valid_from, valid_until)")
        file.execute("CREATE TABLE entity_aliases (entity_id, alias)")
        entity = {"id": NEVER_USED, "title": "AlphaOne LLC", "content": "AlphaOne LLC", "tier": "long",
                  "namespace": "Team:a", "created_at": "2025-01-01T00:00:00Z",
                  "metadata": {"kind": "entity", "entity_kind": "organization"}}  # fmt: skip
        for one in (*exported()["memories"], entity):
            row = [json.dumps(value) if isinstance(value := one.get(name), dict | list) else value for name in columns]
            file.execute(f"INSERT INTO memories VALUES ({', '.join('?' * len(columns))})", row)
        old = (ARCHIVED, "mid", "Team:a", "old", "AO is gone", "[]", 5, 1.0, "api", 0, "2024-01-01T00:00:00Z",
               "2024-01-01T00:00:00Z", None, None, "{}", "2024-06-01T00:00:00Z", "stale")  # fmt: skip
        file.execute(f"INSERT INTO archived_memories VALUES ({', '.join('?' * len(old))})", old)
        file.execute(
            "INSERT INTO memory_links VALUES (?, ?, 'related_to', ?, NULL, NULL)", (USED, PROMOTED, "2025-01-05")
        )
        file.execute("INSERT INTO entity_aliases VALUES (?, 'AO')", (NEVER_USED,))
    done = door.import_memories(str(path))
    assert (done.memories, done.links, done.archived, done.entities) == (3, 1, 1, 1)
    tools = Tools(door, "ai-memory")
    assert tools("memory_entity_get_by_alias", alias="AO", namespace="Team:a")["canonical_name"] == "AlphaOne LLC"
    door.export(str(tmp_path / "back.json"), format="ai-memory")
    went = json.loads((tmp_path / "back.json").read_text("utf-8"))["memories"]
    assert [one["archived_at"] for one in went if one["id"] == ARCHIVED] == ["2024-06-01T00:00:00Z"]

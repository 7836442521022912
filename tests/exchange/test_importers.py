"""What other memories kept is taken over with its times, states and ids; a second time changes nothing; and what is
exported back says the same."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.faces.command import Here

import treering
from treering.errors import InvalidRequest
from treering.exchange.importers import read_export
from treering.faces.moving import BroughtIn, bring_in


@pytest.fixture
def door(tmp_path: Path) -> Any:
    with treering.open(tmp_path / "work.db", embedder="none") as opened:
        yield opened


def _twice(door: Any, path: Path, **more: Any) -> BroughtIn:
    """Taken in twice, and the second time changes nothing."""
    first = bring_in(door, path, space="in", **more)
    seq = door.status(space="in").seq
    again = bring_in(door, path, space="in", **more)
    assert door.status(space="in").seq == seq
    assert again.known == again.steps == first.steps
    assert (again.added, again.revised, again.forgotten) == (0, 0, 0)
    assert door.verify().ok
    return first


def _history(path: Path) -> Path:
    """As mem0's own storage makes it."""
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, "
            "created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"
        )
        db.executemany(
            "INSERT INTO history VALUES (?,?,?,?,?,?,?,?,?,?)",
            [
                ("h1", "m1", None, "Lives in Oslo", "ADD", "2024-01-05T10:00:00-08:00", None, 0, "ann", "user"),
                ("h2", "m2", None, "Has a dog", "ADD", "2024-01-06T10:00:00+00:00", None, 0, None, "user"),
                ("h3", "m1", "Lives in Oslo", "Lives in Bergen", "UPDATE", "2024-01-05T10:00:00-08:00",
                 "2024-06-01T10:00:00+00:00", 0, None, None),
                ("h4", "m2", "Has a dog", None, "DELETE", "2024-01-06T10:00:00+00:00", "2024-07-01T00:00:00+00:00", 1,
                 None, None),
                ("h5", "m3", "Likes tea", "Likes coffee", "UPDATE", "2024-02-01T00:00:00+00:00",
                 "2024-08-01T00:00:00+00:00", 0, None, None),
                ("h6", "m4", None, None, "DELETE", "2024-02-01T00:00:00+00:00", None, 1, None, None),
                ("h7", "m1", None, None, "NONE", "2024-09-01T00:00:00+00:00", None, 0, None, None),
            ],
        )  # fmt: skip
    db.close()
    return path


def test_mem0_s_history_becomes_revisions_and_forgotten_memories(door: Any, tmp_path: Path) -> None:
    done = _twice(door, _history(tmp_path / "history.db"))
    assert (done.form, done.added, done.revised, done.forgotten) == ("mem0", 3, 2, 1)
    assert done.left_out == ("row h6: a deletion that says not of what",)
    states = {one.content: one.state.value for one in door.list(space="in", view="all", limit=50)}
    assert states == {
        "Lives in Oslo": "superseded",
        "Lives in Bergen": "active",
        "Has a dog": "forgotten",
        "Likes tea": "superseded",
        "Likes coffee": "active",
    }
    assert [one.content for one in door.list(space="in", as_of="2024-03-01T00:00:00Z", limit=9)] == [
        "Lives in Oslo",
        "Likes tea",
    ], "what was true then"


MADE = Path(__file__).parent / "made"
"""By mem0 2.2.1 itself: what it keeps in `history.db`, and what `get_all` answers of the same memories."""


def test_what_the_real_mem0_wrote_goes_back_as_it_answers_itself(door: Any, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "history.db") as db:
        db.executescript((MADE / "mem0_history.sql").read_text("utf-8"))
    db.close()
    answered = {one["id"]: one for one in json.loads((MADE / "mem0_list.json").read_text("utf-8"))["results"]}
    done = _twice(door, tmp_path / "history.db")
    assert (done.added, done.revised, done.forgotten, done.left_out) == (4, 1, 1, ())
    then = door.list(space="in", as_of="2026-11-17T12:36:09.3Z", limit=9)
    assert [one.content for one in then] == ["Ann lives in Oslo", "I drink tea"], (
        "what is forgotten is not told of then"
    )
    of_history = _exported(door, tmp_path / "history.json")
    assert of_history.keys() == answered.keys()
    with treering.open(":memory:", embedder="none") as other:
        assert _twice(other, MADE / "mem0_list.json").added == 3
        of_list = _exported(other, tmp_path / "list.json")
    for memory_id, one in answered.items():
        in_history = ("id", "memory", "hash", "created_at", "updated_at", "role")
        assert {name: of_history[memory_id].get(name) for name in in_history} == {
            name: one[name] for name in in_history
        }
        assert {name: of_list[memory_id].get(name) for name in one} == one


def _exported(door: Any, path: Path) -> dict[str, dict[str, Any]]:
    """By id, with times as mem0 writes them."""
    door.export(str(path), space="in", format="mem0")
    found = {one["id"]: one for one in json.loads(path.read_text("utf-8"))["results"]}
    for one in found.values():
        one["updated_at"] = one["updated_at"].replace("Z", "+00:00")
    return found


LISTED = {
    "results": [
        {"id": "a1", "memory": "Likes tea", "hash": "x", "metadata": {"k": 1}, "categories": ["food"],
         "created_at": "2024-01-01T00:00:00+00:00", "updated_at": "2024-02-01T00:00:00+00:00", "user_id": "ann"},
        {"id": "a2", "memory": "Lives in Oslo", "hash": "y", "metadata": None,
         "created_at": "2024-01-02T00:00:00+00:00", "updated_at": None, "user_id": "ann"},
        {"id": "a3", "memory": ""},
    ],
    "relations": [{"source": "ann", "relationship": "lives_in", "target": "oslo"}, {"source": "ann"}],
}  # fmt: skip


def test_mem0_s_list_comes_back_out_as_it_went_in(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(LISTED), "utf-8")
    done = _twice(door, path)
    assert done.left_out == ("record 3: has no words", "relation 2: lacks an end")
    assert [(fact.subject, fact.relation, fact.object) for fact in door.facts(space="in")] == [
        ("ann", "LIVES_IN", "oslo")
    ]
    door.export(str(tmp_path / "out.json"), space="in", format="mem0")
    out = {one["id"]: one for one in json.loads((tmp_path / "out.json").read_text("utf-8"))["results"]}
    first = LISTED["results"][0]
    for name in ("id", "memory", "hash", "metadata", "categories", "user_id"):
        assert out["a1"][name] == first[name]  # type: ignore[index]
    assert out["a1"]["created_at"] == first["created_at"]  # type: ignore[index]
    with treering.open(":memory:", embedder="none") as other:
        bring_in(other, tmp_path / "out.json", space="in")
        assert {one.content for one in other.list(space="in", limit=9)} == {
            one.content for one in door.list(space="in", limit=9)
        }


def test_what_was_changed_there_since_takes_the_place_of_what_was_taken(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps([{"id": "a1", "memory": "Likes tea"}, {"id": "a2", "memory": "Has a cat"}]), "utf-8")
    bring_in(door, path, space="in")
    path.write_text(json.dumps([{"id": "a1", "memory": "Likes coffee"}, {"id": "a2", "memory": "Has a cat"}]), "utf-8")
    bring_in(door, path, space="in")
    bring_in(door, path, space="in")
    assert sorted(one.content for one in door.list(space="in", limit=9)) == ["Has a cat", "Likes coffee"]


GRAPH = {
    "episodes": [{"uuid": "e1", "content": "Ann: I moved to Oslo", "source": "message", "source_description": "chat",
                  "valid_at": "2024-01-01T00:00:00Z", "created_at": "2024-01-01T00:00:01Z", "group_id": "g"}],
    "nodes": [{"uuid": "n1", "name": "Ann", "labels": ["Entity", "Person"], "summary": "An engineer"},
              {"uuid": "n2", "name": "Oslo", "labels": ["Entity"], "summary": ""}],
    "edges": [
        {"uuid": "x1", "name": "LIVES_IN", "fact": "Ann lives in Oslo", "source_node_uuid": "n1", "target_node_uuid": "n2",
         "valid_at": "2024-01-01T00:00:00Z", "invalid_at": "2025-01-01T00:00:00Z", "expired_at": "2025-01-02T00:00:00Z",
         "created_at": "2024-01-01T00:00:01Z", "episodes": ["e1"]},
        {"uuid": "x2", "name": "", "fact": "", "source_node_uuid": "n9", "target_node_uuid": "n2"},
    ],
}  # fmt: skip


def test_graphiti_s_edges_hold_for_as_long_as_they_held_there(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(GRAPH), "utf-8")
    done = _twice(door, path)
    assert done.left_out == ("edge 2: says nothing",)
    assert [one.object for one in door.facts(space="in", as_of="2024-06-01T00:00:00Z")] == ["Oslo"]
    assert door.facts(space="in", as_of="2025-06-01T00:00:00Z") == []
    door.export(str(tmp_path / "out.json"), space="in", format="graphiti")
    out = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [(one["uuid"], one["fact"], one["valid_at"][:10], one["invalid_at"][:10]) for one in out["edges"]] == [
        ("x1", "Ann lives in Oslo", "2024-01-01", "2025-01-01")
    ]
    assert "e1" in {one["uuid"] for one in out["episodes"]}
    with treering.open(":memory:", embedder="none") as other:
        bring_in(other, tmp_path / "out.json", space="in")
        assert [one.object for one in other.facts(space="in", as_of="2024-06-01T00:00:00Z")] == ["Oslo"]
        assert other.facts(space="in", as_of="2025-06-01T00:00:00Z") == []


SERVICE = {
    "memories": [
        {"content": "Uses Postgres", "content_hash": "aa", "tags": ["db", "work"], "created_at": 1704067200.0,
         "created_at_iso": "2024-01-01T00:00:00Z", "memory_type": "decision", "metadata": {"source": "x"}},
        {"content": "", "content_hash": "bb"},
    ]
}  # fmt: skip


def test_mcp_memory_service_as_export_and_as_database(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "service.json"
    path.write_text(json.dumps(SERVICE), "utf-8")
    assert _twice(door, path).left_out == ("memory 2: has no words",)
    door.export(str(tmp_path / "out.json"), space="in", format="mcp-memory-service")
    (out,) = json.loads((tmp_path / "out.json").read_text("utf-8"))["memories"]
    before = SERVICE["memories"][0]
    assert {name: out[name] for name in before} == before
    with sqlite3.connect(tmp_path / "sqlite_vec.db") as db:
        db.execute(
            "CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE, content TEXT, tags TEXT, memory_type TEXT, "
            "metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT, deleted_at REAL)"
        )
        row = "INSERT INTO memories VALUES (?,?,?,?,?,?,?,?,?,?,?)"
        db.execute(row, (1, "cc", "Uses Redis", "db,cache", "note", '{"a": 1}', 1704153600.0, 0, None, None, None))
        db.execute(row, (2, "dd", "Uses Kafka", "", "note", "{}", 1704153601.0, 0, None, None, 1704153602.0))
    db.close()
    done = bring_in(door, tmp_path / "sqlite_vec.db", space="db")
    assert (done.added, done.forgotten) == (2, 1)
    (kept,) = door.list(space="db", limit=9)
    assert (kept.content, kept.said_at.isoformat()[:10], set(kept.tags) >= {"db", "cache"}) == (
        "Uses Redis",
        "2024-01-02",
        True,
    )


REFERENCE = [
    {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["speaks Norwegian", "has a dog"]},
    {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
    {"type": "relation", "from": "Ann", "to": "Acme", "relationType": "works_at"},
]


def test_the_reference_server_s_file_comes_back_out_line_for_line(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in REFERENCE), "utf-8")
    assert _twice(door, path).form == "mcp"
    door.export(str(tmp_path / "out.jsonl"), space="in", format="mcp")
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert sorted(out, key=str) == sorted(REFERENCE, key=str)


def test_a_logseq_graph_is_taken_block_by_block(door: Any, tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    for folder in ("logseq", "pages", "journals"):
        (graph / folder).mkdir(parents=True)
    (graph / "journals" / "2024_03_01.md").write_text(
        "- Met [[Ann]] about #work\n\t- she moved\n- Bought tea\n", "utf-8"
    )
    (graph / "pages" / "Ideas___Garden.md").write_text(
        "tags:: garden, idea\n\n- Plant a tree\n  id:: 64aa\n  status:: open\n- \n", "utf-8"
    )
    (graph / "pages" / "broken.md").write_bytes(b"\xff\xfe")
    done = _twice(door, graph)
    assert done.left_out == ("pages/broken.md: cannot be read (UnicodeDecodeError)",)
    kept = {one.content: one for one in door.list(space="in", limit=9)}
    assert kept["Met Ann about #work\n  - she moved"].said_at.isoformat()[:10] == "2024-03-01"
    assert "work" in kept["Met Ann about #work\n  - she moved"].tags
    assert kept["Plant a tree"].title == "Ideas/Garden"
    assert {"garden", "idea"} <= set(kept["Plant a tree"].tags)
    assert door.entity("Ann", space="in").name == "Ann"


def test_records_of_anybody_by_a_mapping(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        "uid;body;when;labels;gone;was\n1;Old;2024-01-01;a,b;;\n2;New;2024-02-01;a;;1\n3;Bad;;;yes;\n4;;;;;\n", "utf-8"
    )
    mapping = ("content=body", "id=uid", "at=when", "tags=labels", "deleted=gone", "replaces=was")
    done = _twice(door, path, mapping=mapping)
    assert (done.added, done.revised, done.forgotten) == (2, 1, 1)
    assert done.left_out == ("record 4: has no words in body",)
    assert [one.content for one in door.list(space="in", limit=9)] == ["New"]
    with pytest.raises(InvalidRequest, match="which field holds the words"):
        read_export(path, ["at=when"])
    with pytest.raises(InvalidRequest, match="NAME=FIELD"):
        read_export(path, ["words:body"])


CHATGPT = [{"title": "Dogs", "create_time": 1704067200.0, "conversation_id": "c1", "current_node": "b", "mapping": {
    "r": {"id": "r", "message": None, "parent": None, "children": ["a"]},
    "a": {"id": "a", "parent": "r", "children": ["b"], "message": {"author": {"role": "user"}, "create_time": 1704067201.0,
          "content": {"content_type": "text", "parts": ["My dog is called Rex"]}, "metadata": {}}},
    "b": {"id": "b", "parent": "a", "children": [], "message": {"author": {"role": "assistant"}, "create_time": 1704067202.0,
          "content": {"content_type": "text", "parts": ["A fine name"]}, "metadata": {}}}}}]  # fmt: skip
CLAUDE = [{"uuid": "c2", "name": "Dogs", "created_at": "2024-01-01T00:00:00Z", "account": {"uuid": "x"}, "chat_messages": [
    {"uuid": "m1", "text": "My dog is called Rex", "sender": "human", "created_at": "2024-01-01T00:00:01Z",
     "content": [{"type": "text", "text": "My dog is called Rex"}]},
    {"uuid": "m2", "text": "A fine name", "sender": "assistant", "created_at": "2024-01-01T00:00:02Z", "content": []}]}]  # fmt: skip


@pytest.mark.parametrize("said", [CHATGPT, CLAUDE], ids=["chatgpt", "claude"])
def test_an_account_s_archive_is_taken_as_it_was_downloaded(
    said: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("export/conversations.json", json.dumps(said))
        file.writestr("export/user.json", "{}")
    here = Here(tmp_path / "w.db", capsys, monkeypatch)
    first = here("import", str(archive), "--json").json
    assert len(first["memories"]) == 2
    assert here("import", str(archive), "--json").json["repeated"]
    found = here("list", "--json").json
    assert [one["content"] for one in found["memories"]] == ["My dog is called Rex", "A fine name"]


@pytest.mark.parametrize("said", [CHATGPT, CLAUDE], ids=["chatgpt", "claude"])
def test_a_conversation_goes_out_with_who_said_what_and_when(
    said: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(said), "utf-8")
    here = Here(tmp_path / "w.db", capsys, monkeypatch)
    here("import", str(path), "--space", "me")
    here("export", str(tmp_path / "out.jsonl"), "--space", "me", "--format", "jsonl")
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [(one["content"], one["said_at"][:19]) for one in out] == [
        ("My dog is called Rex", "2024-01-01T00:00:01"),
        ("A fine name", "2024-01-01T00:00:02"),
    ]
    assert [one["speaker"] for one in out] == ["user" if said is CHATGPT else "human", "assistant"], "as it calls them"
    assert len({one["session"] for one in out}) == 1
    again = Here(tmp_path / "again.db", capsys, monkeypatch)
    again("import", str(tmp_path / "out.jsonl"), "--space", "me", "--map", "content=content", "--map", "at=said_at",
          "--map", "id=id", "--map", "speaker=speaker", "--map", "session=session")  # fmt: skip
    again("export", str(tmp_path / "again.jsonl"), "--space", "me", "--format", "jsonl")
    twice = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text("utf-8").splitlines()]
    told = ("content", "said_at", "speaker", "session")
    assert [[one[name] for name in told] for one in twice] == [[one[name] for name in told] for one in out]


@pytest.mark.parametrize("said", [CHATGPT, CLAUDE], ids=["chatgpt", "claude"])
@pytest.mark.parametrize("limit", ["FILE_BYTES", "FILE_MEMORIES"])
@pytest.mark.parametrize("zipped", [True, False])
def test_more_conversations_than_a_file_may_hold_are_taken_part_by_part(
    said: Any, limit: str, zipped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A download of years is not split by hand; broken off, it goes on where it stopped."""
    many = [{**said[0], "conversation_id": f"c{number}", "uuid": f"c{number}"} for number in range(7)]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(many), "utf-8")
    most = {"FILE_BYTES": len(json.dumps(many)) // 3, "FILE_MEMORIES": 8}[limit]
    if zipped:
        with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
            archive.write(path, path.name)
    here = Here(tmp_path / "w.db", capsys, monkeypatch)
    monkeypatch.setattr(f"treering.model.limits.{limit}", most)
    taken = str(tmp_path / "export.zip" if zipped else path)
    first = here("import", taken, "--json").json
    assert first["parts"] > 1
    assert (first["memories"], first["known"]) == (14, 0)
    again = here("import", taken, "--json").json
    assert again["known"] == again["parts"] == first["parts"]
    assert len(here("list", "--limit", "100", "--json").json["memories"]) == 14


def test_the_command_line_tells_whose_it_was_and_what_was_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(tmp_path / "w.db", capsys, monkeypatch)
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(LISTED), "utf-8")
    assert here("import", str(path), "--dry-run", "--json").json["dry_run"]
    told = here("import", str(path), "--json").json
    assert (told["form"], told["added"]) == ("mem0", 3)
    assert "record 3: has no words" in told["left_out"]
    assert "record 3: has no words" in here("import", str(path)).out


def test_transcripts_that_clients_keep_are_imported_with_secrets_masked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = Path(__file__).parents[1] / "faces" / "hooks" / "recorded"
    folder = tmp_path / "sessions"
    folder.mkdir()
    for client in ("claude-code", "codex"):
        (folder / f"{client}.jsonl").write_bytes((recorded / client / "transcript.jsonl").read_bytes())
    here = Here(tmp_path / "w.db", capsys, monkeypatch)
    told = here("import", str(folder), "--space", "old", "--json").json
    assert (told["transcripts"], told["turns"]) == (2, 6)
    found = here("list", "--space", "old", "--limit", "100", "--json").json["memories"]
    assert any(one["content"] == "Let's use Postgres for the orders service." for one in found)
    again = here("import", str(folder), "--space", "old", "--json").json
    assert again["notes"] == 0
    assert len(here("list", "--space", "old", "--limit", "100", "--json").json["memories"]) == len(found)

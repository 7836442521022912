"""What other tools keep, each in its own shape and with a word in every field: made for the tests of taking it in."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.ingest.file_samples import docx, paragraph, pdf

Plants = Callable[[Any], Any]
"""What is done to a record before it is written: nothing, or a secret in every text of it."""
IDS = [f"11111111-1111-4111-8111-00000000000{one}" for one in range(9)]
DAY = "2024-01-0{}T10:00:00+00:00"


def _json(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def _lines(folder: Path, name: str, values: Sequence[Any]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in values), "utf-8")
    return path


def _database(path: Path, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Path:
    with closing(sqlite3.connect(path)) as file, file:
        for table, rows in tables.items():
            columns = list(rows[0])
            file.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            for row in rows:
                cells = [json.dumps(one) if isinstance(one, dict | list) else one for one in row.values()]
                file.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", cells)
    return path


def mem0_history(folder: Path, plant: Plants) -> Path:
    row = {"id": "h1", "memory_id": "m1", "old_memory": None, "new_memory": "Lives in Oslo", "event": "ADD",
           "created_at": DAY.format(1), "updated_at": None, "is_deleted": 0, "actor_id": "ann",
           "role": "user"}  # fmt: skip
    rows = [row, {**row, "id": "h2", "old_memory": "Lives in Oslo", "new_memory": "Lives in Bergen", "event": "UPDATE"}]
    return _database(folder / "history.db", {"history": plant(rows)})


def mem0(folder: Path, plant: Plants) -> Path:
    one = {"id": "a1", "memory": "Likes tea", "hash": "x", "metadata": {"mood": {"deep": ["calm"]}}, "user_id": "ann",
           "categories": ["food"], "created_at": DAY.format(1), "updated_at": DAY.format(2)}  # fmt: skip
    relations = [{"source": "ann", "relationship": "lives_in", "target": "oslo"}]
    return _json(folder, "mem0.json", plant({"results": [one], "relations": relations}))


def graphiti(folder: Path, plant: Plants) -> Path:
    episode = {"uuid": "e1", "content": "Ann: I moved to Oslo", "source": "message", "source_description": "chat",
               "role": "ann", "valid_at": DAY.format(1), "created_at": DAY.format(1), "group_id": "g"}  # fmt: skip
    nodes = [{"uuid": "n1", "name": "Ann", "labels": ["Entity", "Person"], "summary": "An engineer"},
             {"uuid": "n2", "name": "Oslo", "labels": ["Entity"], "summary": ""}]  # fmt: skip
    edge = {"uuid": "x1", "name": "LIVES_IN", "fact": "Ann lives in Oslo", "source_node_uuid": "n1",
            "target_node_uuid": "n2", "valid_at": DAY.format(1), "attributes": {"street": "Storgata"}}  # fmt: skip
    return _json(folder, "graph.json", plant({"episodes": [episode], "nodes": nodes, "edges": [edge]}))


def _service() -> dict[str, Any]:
    return {"content": "Uses Postgres", "content_hash": "aa", "tags": ["db", "work"], "memory_type": "decision",
            "created_at": 1704067200.0, "created_at_iso": DAY.format(1), "metadata": {"origin": "mail"}}  # fmt: skip


def memory_service(folder: Path, plant: Plants) -> Path:
    return _json(folder, "service.json", plant({"memories": [_service()]}))


def memory_service_database(folder: Path, plant: Plants) -> Path:
    row = plant({**_service(), "tags": "db,work", "updated_at": 0.0, "deleted_at": None})
    return _database(folder / "sqlite_vec.db", {"memories": [row]})


def reference(folder: Path, plant: Plants) -> Path:
    entity = {
        "type": "entity",
        "name": "Ann",
        "entityType": "person",
        "observations": ["speaks Norwegian", "has a dog"],
    }
    relation = {"type": "relation", "from": "Ann", "to": "Acme", "relationType": "works_at"}
    return _lines(folder, "memory.jsonl", plant([entity, relation]))


def logseq(folder: Path, plant: Plants) -> Path:
    graph = folder / "graph"
    for name in ("logseq", "pages", "journals"):
        (graph / name).mkdir(parents=True)
    journal = f"- {plant('Met [[Ann]] about #work')}\n\t- {plant('she moved')}\n  mood:: {plant('glad')}\n"
    (graph / "journals" / "2024_03_01.md").write_text(journal, "utf-8")
    (graph / "pages" / f"{plant('Garden')}.md").write_text(
        f"tags:: {plant('plants')}\n\n- {plant('A tree')}\n", "utf-8"
    )
    return graph


def records(folder: Path, plant: Plants) -> Path:
    row = {"uid": "1", "body": "The boiler was mended", "when": DAY.format(1), "labels": "home", "head": "Boiler",
           "who": "Ann", "thread": "t", "more": "by a plumber"}  # fmt: skip
    told = plant({name: one for name, one in row.items() if name not in ("uid", "when")})
    return _lines(folder, "mine.jsonl", [{**row, **told}, {"body": plant("no id here"), "when": DAY.format(2)}])


RECORDS = ("content=body", "id=uid", "at=when", "tags=labels", "title=head", "speaker=who", "session=thread")


def _cortexgraph() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    plain = {"status": "active", "promoted_at": None, "promoted_to": None, "embed": None, "review_priority": 0.0,
             "last_review_at": None, "review_count": 0, "cross_domain_count": 0, "strength": 1.0, "use_count": 0,
             "created_at": 1704067200, "last_used": 1704067200}  # fmt: skip
    meta = {"tags": ["security"], "source": "team", "context": "Q4", "extra": {"a": "b"}}
    memories = [
        {"id": one, "content": text, "meta": meta, "entities": ["auth"], **plain}
        for one, text in zip(IDS, ("Use JWT for sign-in", "We chose Postgres"), strict=False)
    ]
    memories[1] |= {"status": "promoted", "promoted_at": 1704067300, "promoted_to": "/vault/We chose Postgres.md"}
    relation = {"id": IDS[8], "from_memory_id": IDS[0], "to_memory_id": IDS[1], "relation_type": "supports",
                "strength": 0.8, "created_at": 1704067200, "metadata": {"reason": "same"}}  # fmt: skip
    return memories, [relation]


def cortexgraph(folder: Path, plant: Plants) -> Path:
    place = folder / "jsonl"
    place.mkdir()
    memories, relations = _cortexgraph()
    _lines(place, "memories.jsonl", plant(memories))
    _lines(place, "relations.jsonl", plant(relations))
    return place


def cortexgraph_database(folder: Path, plant: Plants) -> Path:
    place = folder / "sqlite"
    place.mkdir()
    memories, relations = _cortexgraph()
    _database(place / "cortexgraph.db", {"memories": plant(memories), "relations": plant(relations)})
    return place


def _ai_memory() -> dict[str, Any]:
    plain = {"tier": "long", "namespace": "team", "tags": ["db"], "priority": 7, "confidence": 0.9, "source": "user",
             "created_at": DAY.format(1), "updated_at": DAY.format(2), "expires_at": None, "access_count": 4,
             "last_accessed_at": None}  # fmt: skip
    memory = {"id": IDS[0], "title": "M4", "content": "We use Postgres", "metadata": {"agent_id": "bob", "k": "v"}}
    entity = {"id": IDS[2], "title": "AlphaOne", "content": "AlphaOne",
              "metadata": {"kind": "entity", "entity_kind": "organization", "aliases": ["AO"]}}  # fmt: skip
    other = {"id": IDS[1], "title": "M5", "content": "Migrated to MySQL", "metadata": {}}
    link = {"source_id": IDS[1], "target_id": IDS[0], "relation": "contradicts", "created_at": DAY.format(1),
            "valid_from": DAY.format(1), "valid_until": DAY.format(3), "observed_by": "bob"}  # fmt: skip
    return {"memories": [{**one, **plain} for one in (memory, other, entity)], "links": [link]}


def ai_memory(folder: Path, plant: Plants) -> Path:
    return _json(folder, "ai-memory.json", plant(_ai_memory()))


def ai_memory_database(folder: Path, plant: Plants) -> Path:
    told = plant(_ai_memory())
    aliases = plant([{"entity_id": IDS[2], "alias": "AO"}])
    tables = {"memories": told["memories"], "memory_links": told["links"], "entity_aliases": aliases}
    archived = [{**plant(_ai_memory())["memories"][0], "id": IDS[3], "archived_at": DAY.format(4),
                 "archive_reason": plant("stale")}]  # fmt: skip
    return _database(folder / "ai-memory.db", {**tables, "archived_memories": archived})


def crosmos_answers() -> dict[str, Any]:
    """As its routes answer: spaces, memories with what was forgotten, entities, and the edges of the graph."""
    plain = {"space_id": "s1", "importance_score": 0.9, "confidence": 0.8, "last_accessed_at": DAY.format(5),
             "access_frequency": 3, "visibility": "org", "tags": ["work"], "meta": {"origin": "mail"},
             "forgotten_at": None}  # fmt: skip
    memories = [
        {**plain, "id": IDS[0], "content": "User works at Anthropic as a research engineer", "memory_type": "semantic",
         "event_time": "2025-05-01T00:00:00+00:00", "created_at": "2025-05-03T14:22:00+00:00"},
        {**plain, "id": IDS[1], "content": "User prefers Neovim over VS Code", "memory_type": "viewpoint",
         "event_time": None, "created_at": DAY.format(2), "importance_score": 0.6, "access_frequency": 0,
         "last_accessed_at": None},
        {**plain, "id": IDS[2], "content": "User had lunch at noon", "memory_type": "episode", "event_time": None,
         "created_at": DAY.format(3), "importance_score": 0.3, "forgotten_at": DAY.format(6)},
    ]  # fmt: skip
    known = ("User", "person", []), ("Anthropic", "organization", ["ANT"]), ("Google", "organization", [])
    entities = [
        {"id": f"e{place}", "space_id": "s1", "name": name, "entity_type": kind, "aliases": aliases}
        for place, (name, kind, aliases) in enumerate(known)
    ]
    edge = {"space_id": "s1", "source_id": "e0", "source": "User", "relation": "WORKS_FOR", "confidence": 0.8}
    edges = [
        {**edge, "id": IDS[6], "target_id": "e1", "target": "Anthropic", "valid_from": "2025-05-01T00:00:00Z",
         "valid_until": None, "recorded_at": "2025-05-03T14:22:00Z", "memory_id": IDS[0]},
        {**edge, "id": IDS[7], "target_id": "e2", "target": "Google", "valid_from": "2020-03-01T00:00:00Z",
         "valid_until": "2025-05-01T00:00:00Z", "recorded_at": "2025-03-01T00:00:00Z", "memory_id": None},
    ]  # fmt: skip
    space = {"id": "s1", "name": "Team notes", "description": "ours"}
    return {"spaces": [space], "memories": memories, "entities": entities, "edges": edges, "total": 3}


def crosmos(folder: Path, plant: Plants) -> Path:
    told = crosmos_answers()
    return _json(folder, "crosmos.json", {**plant(told), "spaces": told["spaces"]})


def longmem_answers() -> dict[str, Any]:
    """As its routes answer: what is latest, what was updated, what expires and what was deleted, and its edges."""
    plain = {"type": "fact", "importance": 0.7, "category": "work", "source": "api", "container_tag": "alex",
             "metadata": {"via": "call"}, "collection": "team/people", "is_latest": True, "archived": False,
             "expires_at": None, "created_at": DAY.format(1), "updated_at": DAY.format(1)}  # fmt: skip
    memories = [
        {**plain, "id": IDS[0], "text": "Alex works at Google", "is_latest": False, "archived": True},
        {**plain, "id": IDS[1], "text": "Alex works at Stripe as a PM", "created_at": DAY.format(2)},
        {**plain, "id": IDS[2], "text": "Alex prefers morning meetings", "type": "preference", "category": "other"},
        {**plain, "id": IDS[3], "text": "Meeting at 3pm today", "type": "episode", "expires_at": DAY.format(3)},
        {**plain, "id": "mem_4", "text": "Alex leads the ledger team", "container_tag": None},
        {**plain, "id": IDS[5], "text": "An old remark", "is_latest": False, "archived": True},
        {**plain, "id": IDS[6], "text": "Was said by mistake", "forgotten_at": DAY.format(4)},
    ]
    edges = [
        {"id": IDS[7], "source_id": IDS[1], "target_id": IDS[0], "relation": "updates", "why": "changed jobs",
         "created_at": DAY.format(2)},
        {"id": IDS[8], "source_id": "mem_4", "target_id": IDS[1], "relation": "extends", "why": "more detail",
         "created_at": DAY.format(2)},
    ]  # fmt: skip
    return {"collections": [{"name": "team/people"}], "memories": memories, "edges": edges, "count": len(memories)}


def longmem(folder: Path, plant: Plants) -> Path:
    told = longmem_answers()
    planted = plant(told)
    for one, clean in zip(planted["memories"], told["memories"], strict=True):
        one["collection"] = clean["collection"]
    return _json(folder, "longmem.json", planted)


def chatgpt(folder: Path, plant: Plants) -> Path:
    def message(role: str, *parts: str) -> dict[str, Any]:
        return {"author": {"role": role, "name": None}, "create_time": 1704067201.0,
                "content": {"content_type": "text", "parts": list(parts)}, "metadata": {}}  # fmt: skip

    nodes = {
        "r": {"id": "r", "message": None, "parent": None, "children": ["a"]},
        "a": {"id": "a", "parent": "r", "children": ["b"], "message": message("user", "My dog is called Rex", "Truly")},
        "b": {"id": "b", "parent": "a", "children": ["c"], "message": message("assistant", "A fine name")},
        "c": {"id": "c", "parent": "b", "children": [], "message": message("tool", "It was looked up")},
    }
    nodes["c"]["message"]["author"]["name"] = "browser"
    told = {"title": "Dogs", "create_time": 1704067200.0, "current_node": "c", "mapping": nodes}
    return _json(folder, "conversations.json", [plant(told)])


def chatgpt_archive(folder: Path, plant: Plants) -> Path:
    return _zipped(folder, chatgpt(folder, plant))


def claude(folder: Path, plant: Plants) -> Path:
    said = {"uuid": "m1", "text": "My dog is called Rex", "sender": "human", "created_at": DAY.format(1),
            "content": [{"type": "text", "text": "My dog is called Rex"}], "attachments": [], "files": []}  # fmt: skip
    answered = {"uuid": "m2", "text": "A fine name", "sender": "assistant", "created_at": DAY.format(2), "content": []}
    told = {"name": "Dogs", "created_at": DAY.format(1), "chat_messages": [said, answered]}
    return _json(folder, "conversations.json", [plant(told)])


def claude_archive(folder: Path, plant: Plants) -> Path:
    return _zipped(folder, claude(folder, plant))


def _zipped(folder: Path, path: Path) -> Path:
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        archive.write(path, "data/conversations.json")
    path.unlink()
    return folder / "export.zip"


def telegram(folder: Path, plant: Plants) -> Path:
    said = {"id": 1, "type": "message", "date": DAY.format(1), "from": "Ann", "text": ["See ", {"text": "the link"}]}
    return _json(folder, "result.json", plant({"name": "Family", "messages": [said, {**said, "text": "Good night"}]}))


def whatsapp(folder: Path, plant: Plants) -> Path:
    said = ("Ann", "hello there"), ("Bob", "good morning"), ("Ann", "lunch?"), ("Bob", "at noon")
    lines = (f"[12/03/2024, 09:1{place}:00] {who}: {plant(words)}" for place, (who, words) in enumerate(said))
    (folder / "chat.txt").write_text("\n".join(lines), "utf-8")
    return folder / "chat.txt"


def messages(folder: Path, plant: Plants) -> Path:
    said = {"role": "user", "content": "My dog is called Rex", "session": "s", "timestamp": DAY.format(1)}
    return _lines(folder, "chat.jsonl", plant([said, {**said, "content": "He is old"}]))


def listed_memories(folder: Path, plant: Plants) -> Path:
    one = {"content": "Likes tea", "title": "Tea", "context": "breakfast", "tags": ["food"], "entities": ["Ann"],
           "created_at": DAY.format(1), "metadata": {"mood": "calm"}}  # fmt: skip
    return _lines(folder, "memories.jsonl", plant([one, {**one, "content": "Likes coffee"}]))


def table(folder: Path, plant: Plants) -> Path:
    (folder / "t.csv").write_text(f"note,tags\n{plant('Likes tea')},{plant('food')}\n{plant('Has a cat')},x\n", "utf-8")
    return folder / "t.csv"


def plain_table(folder: Path, plant: Plants) -> Path:
    (folder / "t.csv").write_text(f"host,port,owner\n{plant('db')},5432,{plant('ann')}\n", "utf-8")
    return folder / "t.csv"


def data(folder: Path, plant: Plants) -> Path:
    return _json(folder, "settings.json", plant({"service": {"host": "db.internal", "notes": ['uses "quotes"']}}))


def data_lines(folder: Path, plant: Plants) -> Path:
    return _lines(folder, "log.jsonl", plant([{"level": "info", "said": "up"}, {"level": "warn", "said": "slow"}]))


def markdown(folder: Path, plant: Plants) -> Path:
    text = f"# {plant('Runbook')}\n\n{plant('Restart it.')}\n\n## {plant('Later')}\n\n```\n{plant('make run')}\n```\n"
    (folder / "notes.md").write_text(text, "utf-8")
    return folder / "notes.md"


def text(folder: Path, plant: Plants) -> Path:
    (folder / "notes.txt").write_text(f"{plant('Restart it on Mondays.')}\n\n{plant('Then wait.')}\n", "utf-8")
    return folder / "notes.txt"


def page(folder: Path, plant: Plants) -> Path:
    body = f"<h1>{plant('Runbook')}</h1><p>{plant('Restart it.')}</p><ul><li>{plant('Wait')}</li></ul>"
    (folder / "page.html").write_text(f"<html><title>{plant('Ops')}</title><body>{body}</body></html>", "utf-8")
    return folder / "page.html"


def portable(folder: Path, plant: Plants) -> Path:
    (folder / "a.pdf").write_bytes(pdf(f"{plant('Ada was born in London.')}\n{plant('She liked white tea.')}"))
    return folder / "a.pdf"


def office(folder: Path, plant: Plants) -> Path:
    (folder / "a.docx").write_bytes(docx(paragraph(plant("Plans"), "Heading1"), paragraph(plant("We go north."))))
    return folder / "a.docx"


def vault(folder: Path, plant: Plants) -> Path:
    place = folder / "vault"
    (place / "inner").mkdir(parents=True)
    front = f"---\ntitle: {json.dumps(plant('Ops'))}\nowner: {json.dumps(plant('ann'))}\ntags: [ops]\n---\n"
    body = f"# {plant('Restart')}\n\n{plant('Call [[Ann]] first.')} #work\n\n## {plant('Then')}\n\n{plant('Wait.')}\n"
    (place / "inner" / "ops.md").write_text(front + body, "utf-8")
    (place / f"{plant('Ideas')}.md").write_text("A garden.\n", "utf-8")
    return place


BY_STEPS = {
    "mem0": (mem0, mem0_history),
    "graphiti": (graphiti,),
    "mcp-memory-service": (memory_service, memory_service_database),
    "mcp": (reference,),
    "logseq": (logseq,),
    "records": (records,),
}
"""By the name of the form: those that are taken over step by step."""
BY_STATE = {"cortexgraph": (cortexgraph, cortexgraph_database), "ai-memory": (ai_memory, ai_memory_database),
            "crosmos": (crosmos,), "longmem": (longmem,)}  # fmt: skip
"""By the name of the system: those whose states come along."""
AS_FILES = (
    chatgpt, chatgpt_archive, claude, claude_archive, telegram, whatsapp, messages, listed_memories, table, plain_table,
    data, data_lines, markdown, text, page, portable, office, vault,
)  # fmt: skip
EVERY = tuple(one for some in (*BY_STEPS.values(), *BY_STATE.values(), AS_FILES) for one in some)

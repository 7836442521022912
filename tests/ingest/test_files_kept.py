"""What other memories keep is taken over record by record, with times, tags, entities and facts, and only once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.conftest import HandClock

import treering
from treering.errors import InvalidRequest
from treering.ingest.receipt import Receipt

AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
ISO = AT.isoformat()
GRAPH = [
    {"type": "entity", "name": "Ada_Byron", "entityType": "Person", "observations": ["Speaks French", "Owns a loom"]},
    {"type": "entity", "name": "Engine Ltd", "entityType": "organization", "observations": []},
    {"type": "relation", "from": "Ada_Byron", "to": "Engine Ltd", "relationType": "works_for"},
]
CORTEX = {
    "id": "m-1",
    "content": "The ledger runs on Postgres",
    "meta": {"tags": ["ledger", "decision"], "source": "chat", "context": "the move in May"},
    "entities": ["Postgres"],
    "created_at": int(AT.timestamp()),
    "last_used": int(AT.timestamp()) + 60,
    "use_count": 4,
    "strength": 1.5,
    "status": "active",
}
MEM0 = {
    "results": [
        {
            "id": "0f1e",
            "memory": "Likes hiking",
            "hash": "ab",
            "metadata": {"source": "app"},
            "categories": ["hobby"],
            "created_at": "2024-05-06T07:08:09+00:00",
            "updated_at": None,
            "user_id": "ann",
        }
    ],
    "relations": [{"source": "ann", "relationship": "likes", "target": "hiking"}],
}


def lines(*records: Any) -> bytes:
    return "\n".join(json.dumps(one) for one in records).encode()


@pytest.fixture
def mem(clock: HandClock) -> Iterator[treering.Treering]:
    with treering.open(":memory:", clock=clock, embedder="none") as opened:
        yield opened


def contents(receipt: Receipt) -> list[str]:
    return [one.content for one in receipt.memories]


def only(mem: treering.Treering) -> treering.Memory:
    [memory] = mem.list()
    return memory


# the MCP reference server


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("memory.jsonl", lines(*GRAPH)),
        ("memory.json", lines(*GRAPH)),  # as the server names it by default
        ("graph.json", json.dumps({"entities": GRAPH[:2], "relations": GRAPH[2:]}).encode()),
    ],
)
def test_a_graph_brings_its_observations_entities_and_facts(mem: treering.Treering, name: str, data: bytes) -> None:
    receipt = mem.add_file(data, name=name)
    assert contents(receipt) == [
        "Ada_Byron is of the kind Person.",
        "Ada_Byron: Speaks French",
        "Ada_Byron: Owns a loom",
        "Engine Ltd is of the kind organization.",
        "Ada_Byron works for Engine Ltd.",
    ]
    assert {(one.name, one.kind) for one in mem.entities()} == {("Ada_Byron", "person"), ("Engine Ltd", "organization")}
    assert [(one.subject, one.relation, one.object) for one in mem.facts()] == [
        ("Ada_Byron", "WORKS_FOR", "Engine Ltd")
    ]
    assert mem.recall("Who owns a loom?")[0].memory.content == "Ada_Byron: Owns a loom"


def test_the_same_graph_again_changes_nothing_and_a_grown_one_adds_what_is_new(mem: treering.Treering) -> None:
    mem.add_file(lines(*GRAPH), name="memory.jsonl")
    assert mem.add_file(lines(*GRAPH), name="memory.jsonl").repeated
    before = len(list(mem.list()))
    grown = {**GRAPH[0], "observations": ["Lives in London", *GRAPH[0]["observations"]]}
    mem.add_file(lines(grown, *GRAPH[1:]), name="memory.jsonl")
    assert len(list(mem.list())) == before + 1
    assert len(mem.facts()) == 1


def test_a_relation_that_cannot_be_written_is_named_and_the_rest_is_taken(mem: treering.Treering) -> None:
    odd = {"type": "relation", "from": "Ada_Byron", "to": "Engine Ltd", "relationType": "\u611b"}
    receipt = mem.add_file(lines(*GRAPH, odd), name="memory.jsonl")
    assert len(receipt.memories) == 5
    assert any(note.startswith("left out: line 4: relation:") for note in receipt.notes)


# CortexGraph


def test_a_memory_of_cortexgraph_keeps_its_time_tags_entities_and_strength(mem: treering.Treering) -> None:
    mem.add_file(lines(CORTEX), name="memories.jsonl")
    memory = only(mem)
    assert memory.content == CORTEX["content"]
    assert memory.said_at == AT
    assert memory.tags == ("ledger", "decision")
    assert (memory.context, memory.strength) == ("the move in May", 1.5)
    assert memory.meta["cortexgraph"]["use_count"] == 4
    assert memory.meta["cortexgraph"]["source"] == "chat"
    assert [one.name for one in mem.entities()] == ["Postgres"]


def test_of_one_memory_of_cortexgraph_the_last_line_counts_and_deleted_ones_stay_out(mem: treering.Treering) -> None:
    changed = {**CORTEX, "content": "The ledger runs on SQLite", "status": "archived"}
    other = {**CORTEX, "id": "m-2", "content": "Nobody needs this"}
    receipt = mem.add_file(lines(CORTEX, other, changed, {**other, "_deleted": True}), name="memories.jsonl")
    assert contents(receipt) == ["The ledger runs on SQLite"]
    assert any("1 were archived there" in note for note in receipt.notes)


# mem0


def test_memories_of_mem0_come_with_their_relations(mem: treering.Treering) -> None:
    receipt = mem.add_file(json.dumps(MEM0).encode(), name="mem0.json")
    assert contents(receipt) == ["Likes hiking", "ann likes hiking."]
    memory = next(iter(mem.list()))
    assert (memory.said_at, memory.tags) == (AT, ("hobby",))
    assert memory.meta["mem0"]["user_id"] == "ann"
    assert memory.meta["source"] == "app"
    assert [(one.subject, one.relation, one.object) for one in mem.facts()] == [("ann", "LIKES", "hiking")]


# records of anybody


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notes.jsonl", lines({"text": "Tea at four", "tags": ["tea", "daily"], "date": ISO, "importance": 0.9})),
        ("n.json", b"[%s]" % lines({"content": "Tea at four", "labels": "tea;daily", "at": ISO, "importance": 0.9})),
        ("notes.csv", f"Text,Tags,Date,Importance\nTea at four,\"tea, daily\",{ISO},0.9\n".encode()),
        ("notes.tsv", f"note\ttags\tat\timportance\nTea at four\ttea|daily\t{ISO}\t0.9\n".encode()),
    ],
)  # fmt: skip
def test_records_with_words_are_memories_with_what_is_said_about_them(
    mem: treering.Treering, name: str, data: bytes
) -> None:
    mem.add_file(data, name=name)
    memory = only(mem)
    assert memory.content == "Tea at four"
    assert (memory.said_at, memory.tags, memory.importance) == (AT, ("tea", "daily"), 0.9)


def test_a_table_in_which_people_speak_is_a_chat(mem: treering.Treering) -> None:
    receipt = mem.add_file(b"speaker,text\nAnn,I moved to Oslo\nBo,How nice\n", name="chat.csv")
    assert contents(receipt) == ["I moved to Oslo", "How nice"]
    assert [hit.sources[0].speaker for hit in mem.recall("Who moved to Oslo?")][:1] == ["Ann"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("parts.csv", b"part,price\nbolt,2\nnut,1\n"),
        ("parts.jsonl", lines({"name": "bolt", "text": "M4", "price": 2})),
        ("broken.csv", b'text,tags\n"never closed,tea\n'),
    ],
)
def test_data_stays_as_it_was_written(mem: treering.Treering, name: str, data: bytes) -> None:
    mem.add_file(data, name=name)
    assert "".join(one.content for one in mem.list()) == data.decode().strip("\n")


def test_a_record_without_words_is_named(mem: treering.Treering) -> None:
    receipt = mem.add_file(lines({"text": "Tea at four"}, {"text": "  "}, {"text": "Cake at five"}), name="notes.jsonl")
    assert contents(receipt) == ["Tea at four", "Cake at five"]
    assert receipt.notes == ("left out: line 2: has none of memory, content, text, statement, fact, observation, note",)


def test_where_no_record_can_be_read_nothing_is_written(mem: treering.Treering) -> None:
    with pytest.raises(
        InvalidRequest, match=r"notes\.jsonl holds memories of which none can be read; left out: line 1"
    ):
        mem.add_file(lines({"text": ""}), name="notes.jsonl")
    assert not list(mem.list(view="all"))


def test_a_long_record_is_cut_and_what_the_caller_says_holds_for_all(mem: treering.Treering) -> None:
    long = "All about tea. " * 5_000
    receipt = mem.add_file(lines({"text": long}), name="notes.jsonl", tags=["mine"], meta={"by": "me"})
    assert len(receipt.memories) > 1
    kept = list(mem.list(limit=1_000))
    assert all(one.tags == ("mine",) and one.meta["by"] == "me" for one in kept)
    assert "".join(one.content for one in kept).replace(" ", "") == long.replace(" ", "")

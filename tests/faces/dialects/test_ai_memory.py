"""The dialect of ai-memory: every name, default, bound and field, and the examples of its own page word for word."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import Doors, HandClock

from treering.access.keys import ApiKey, Role
from treering.door import Treering
from treering.errors import Conflict, Forbidden, InvalidRequest, LimitExceeded, NotFound
from treering.faces.dialects import DIALECTS
from treering.faces.dialects.ai_memory import places
from treering.faces.dialects.contract import DialectTool
from treering.faces.rest.caller import by_key
from treering.faces.rest.guarded import guarded
from treering.operation import READS, WRITES, WRITES_ONCE, Effect

AI_MEMORY = DIALECTS["ai-memory"]
NEVER = "550e8400-e29b-41d4-a716-446655440000"
Say = Callable[..., dict[str, Any]]


@pytest.fixture
def say(mem: Treering) -> Say:
    """Calls a tool as a face would, and holds every answer to be plain JSON."""

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        answer = AI_MEMORY.answer(mem, name, arguments)
        assert json.loads(json.dumps(answer)) == answer
        return answer

    return call


def stored(say: Say, title: str, content: str = "", **more: Any) -> str:
    return str(say("memory_store", title=title, content=content or f"About {title}.", **more)["id"])


# what is declared


EFFECTS: dict[str, Effect] = {
    "memory_kg_query": READS,
    "memory_kg_timeline": READS,
    "memory_kg_invalidate": WRITES_ONCE,
    "memory_entity_register": WRITES_ONCE,
    "memory_entity_get_by_alias": READS,
    "memory_link": WRITES_ONCE,
    "memory_unlink": WRITES_ONCE,
    "memory_consolidate": WRITES,
    "memory_detect_contradiction": WRITES_ONCE,
    "memory_store": WRITES,
    "memory_recall": READS,
    "memory_get": WRITES,
    "memory_list": READS,
    "memory_forget": WRITES_ONCE,
}

# Tool: its parameters; those that must be given have no default here.
PARAMETERS: dict[str, dict[str, Any]] = {
    "memory_kg_query": {
        "start_id": ..., "relations": None, "depth": 3, "as_of": None, "namespace": None, "include_invalidated": False,
        "include_automatic": False,
    },
    "memory_kg_timeline": {"node_id": ..., "since": None, "until": None, "relations": None},
    "memory_kg_invalidate": {"source_id": ..., "target_id": ..., "relation": ..., "valid_until": None},
    "memory_entity_register": {"canonical_name": ..., "namespace": None, "aliases": [], "kind": None},
    "memory_entity_get_by_alias": {"alias": ..., "namespace": None},
    "memory_link": {
        "source_id": ..., "target_id": ..., "relation": "related_to", "valid_from": None, "valid_until": None,
        "observed_by": None,
    },
    "memory_unlink": {"source_id": ..., "target_id": ..., "relation": None},
    "memory_consolidate": {"ids": ..., "title": ..., "summary": None, "namespace": None},
    "memory_detect_contradiction": {"id_a": None, "id_b": None, "topic": None, "namespace": None},
    "memory_store": {
        "title": ..., "content": ..., "tier": "mid", "namespace": None, "tags": [], "priority": 5, "confidence": 1.0,
        "source": "claude", "metadata": {}, "agent_id": None, "expires_at": None,
    },
    "memory_recall": {
        "context": ..., "namespace": None, "limit": 10, "tags": [], "since": None, "until": None, "budget_tokens": None,
    },
    "memory_get": {"id": ..., "namespace": None},
    "memory_list": {"namespace": None, "tier": None, "limit": 20, "session_id": None, "agent_id": None},
    "memory_forget": {"ids": None, "namespace": None, "pattern": None, "tier": None, "dry_run": False},
}  # fmt: skip


def test_the_tools_are_those_of_the_other_system() -> None:
    assert list(AI_MEMORY.tools) == list(PARAMETERS)
    assert {name: one.effect for name, one in AI_MEMORY.tools.items()} == EFFECTS


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_tool_has_these_parameters_with_these_defaults(name: str) -> None:
    schema = AI_MEMORY.tool(name).schema()
    needed = set(schema.get("required", ()))
    declared = {one: ... if one in needed else told["default"] for one, told in schema["properties"].items()}
    assert declared == PARAMETERS[name]
    assert all(told.get("description") for told in schema["properties"].values())
    assert AI_MEMORY.tool(name).description.endswith(".")


# Tool, an argument, what it is refused for, and values at its bounds that are taken.
BOUNDS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("memory_kg_query", "depth", [0, 9, "deep"], [1, 8]),
    ("memory_kg_query", "relations", [["causes"], ["WORKS_FOR"], "extends", ["updates"]], [["related_to"], [], None]),
    ("memory_kg_query", "start_id", ["", None], []),
    ("memory_kg_query", "as_of", ["yesterday", "2026-04-15T00:00:00"], ["2026-04-15T00:00:00Z", None]),
    ("memory_kg_timeline", "relations", [["about_entity"]], [["supersedes", "contradicts"]]),
    ("memory_kg_timeline", "since", ["soon"], ["2026-01-01T00:00:00Z"]),
    ("memory_kg_invalidate", "relation", ["extends", "", None], ["contradicts", "kg_related_to"]),
    ("memory_link", "relation", ["causes", "consolidated_from", "Related_To"], ["derived_from", "kg_related_to"]),
    ("memory_entity_register", "canonical_name", ["", None], ["AlphaOne LLC"]),
    ("memory_entity_register", "kind", ["k" * 51], ["organization", None]),
    ("memory_consolidate", "ids", [[], ["a"], ["a"] * 101], [["a"] * 2, ["a"] * 100]),
    ("memory_consolidate", "title", ["", None], ["t"]),
    ("memory_store", "tier", ["forever", None], ["short", "mid", "long"]),
    ("memory_store", "priority", [0, 11, 1.5], [1, 10]),
    ("memory_store", "confidence", [-0.1, 1.1], [0, 1]),
    ("memory_store", "title", ["", "t" * 501], ["t" * 500]),
    ("memory_store", "content", ["", "c" * 65_537, "é" * 32_769], ["c" * 65_536, "é" * 32_768]),
    ("memory_store", "tags", [["t"] * 51], ["a,b", ["a"]]),
    ("memory_store", "metadata", ["x", None], [{"a": [1]}]),
    ("memory_recall", "limit", [0, 51], [1, 50]),
    ("memory_recall", "context", ["", None], ["x"]),
    ("memory_recall", "budget_tokens", [0], [1, None]),
    ("memory_list", "limit", [0, 1001], [1, 1000]),
    ("memory_list", "tier", ["forever"], ["short", None]),
    ("memory_forget", "pattern", [""], ["x", None]),
    ("memory_forget", "dry_run", ["perhaps"], [True, "true"]),
]
LEAST: dict[str, dict[str, Any]] = {
    "memory_kg_query": {"start_id": NEVER},
    "memory_kg_timeline": {"node_id": NEVER},
    "memory_kg_invalidate": {"source_id": NEVER, "target_id": NEVER, "relation": "related_to"},
    "memory_entity_register": {"canonical_name": "Orion"},
    "memory_link": {"source_id": NEVER, "target_id": NEVER},
    "memory_unlink": {"source_id": NEVER, "target_id": NEVER},
    "memory_consolidate": {"ids": ["a", "b"], "title": "t"},
    "memory_store": {"title": "t", "content": "c"},
    "memory_recall": {"context": "c"},
    "memory_list": {},
    "memory_forget": {},
}


@pytest.mark.parametrize(
    ("name", "parameter", "refused", "taken"), BOUNDS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_parameter_is_held_to_its_bounds(name: str, parameter: str, refused: list[Any], taken: list[Any]) -> None:
    tool: DialectTool = AI_MEMORY.tool(name)
    for wrong in refused:
        with pytest.raises((InvalidRequest, LimitExceeded), match=parameter):
            tool.check({**LEAST[name], parameter: wrong})
    for right in taken:
        tool.check({**LEAST[name], parameter: right})


OTHER_NAMES = [
    ("memory_kg_query", "start_id", "source_id", NEVER),
    ("memory_kg_query", "depth", "max_depth", 5),
    ("memory_kg_query", "as_of", "valid_at", "2026-04-15T00:00:00Z"),
    ("memory_kg_timeline", "node_id", "source_id", NEVER),
    ("memory_recall", "context", "q", "tea"),
    ("memory_forget", "ids", "id", [NEVER]),
]


@pytest.mark.parametrize(("name", "first", "other", "value"), OTHER_NAMES)
def test_where_clients_use_another_name_it_is_read_too(name: str, first: str, other: str, value: Any) -> None:
    tool = AI_MEMORY.tool(name)
    least = {key: one for key, one in LEAST[name].items() if key != first}
    assert getattr(tool.check({**least, other: value}), first) == getattr(tool.check({**least, first: value}), first)


# the page of that system, example by example


PAPERS = "alphaone/research/papers"
REGISTER = {
    "canonical_name": "AlphaOne LLC",
    "namespace": PAPERS,
    "aliases": ["AlphaOne", "AO", "alpha-one"],
    "kind": "organization",
}


def test_an_entity_is_registered_as_the_page_shows(say: Say) -> None:
    answer = say("memory_entity_register", **REGISTER)
    assert answer["created"] is True
    assert answer["aliases_added"] == ["AlphaOne", "AO", "alpha-one"]
    again = say("memory_entity_register", **{**REGISTER, "aliases": ["AO", "A1"]})
    assert again["entity_id"] == answer["entity_id"]
    assert (again["created"], again["aliases_added"]) == (False, ["A1"])
    assert again["aliases"] == ["AlphaOne", "AO", "alpha-one", "A1"]


def test_an_entity_is_found_by_alias_as_the_page_shows(say: Say) -> None:
    made = say("memory_entity_register", **REGISTER)
    answer = say("memory_entity_get_by_alias", alias="AO", namespace=PAPERS)
    assert answer["entity_id"] == made["entity_id"]
    assert answer["canonical_name"] == "AlphaOne LLC"
    assert answer["all_aliases"] == ["AlphaOne", "AO", "alpha-one"]


def test_an_alias_is_of_its_namespace_and_the_entity_made_last_wins(say: Say, clock: HandClock) -> None:
    first = say("memory_entity_register", **REGISTER)["entity_id"]
    clock.advance(hours=1)
    later = say("memory_entity_register", canonical_name="Adults Only", namespace="films", aliases=["AO"])["entity_id"]
    assert say("memory_entity_get_by_alias", alias="AO")["entity_id"] == later
    assert say("memory_entity_get_by_alias", alias="AO", namespace=PAPERS)["entity_id"] == first
    with pytest.raises(NotFound, match="alias: no entity answers to 'AO'"):
        say("memory_entity_get_by_alias", alias="AO", namespace="alphaone")


def test_a_memory_of_that_title_is_a_conflict_and_is_not_overwritten(say: Say) -> None:
    memory = stored(say, "AlphaOne LLC", namespace=PAPERS)
    with pytest.raises(Conflict, match="AlphaOne LLC"):
        say("memory_entity_register", **REGISTER)
    assert say("memory_get", id=memory)["title"] == "AlphaOne LLC"


def test_an_entity_is_also_a_lasting_memory_tagged_as_one(say: Say) -> None:
    made = say("memory_entity_register", **REGISTER)
    seen = say("memory_get", id=made["entity_id"])
    assert (seen["tier"], seen["tags"], seen["metadata"]["kind"]) == ("long", ["entity"], "entity")
    assert (seen["title"], seen["namespace"], seen["links"]) == ("AlphaOne LLC", PAPERS, [])


class Graph:
    """The graph of the page: drafts and reviews, a retro made of them, and what contradicts what."""

    def __init__(self, say: Say, clock: HandClock) -> None:
        self.m1 = stored(say, "Q3 OKR draft")
        self.m2 = stored(say, "Q3 OKR review")
        self.m3 = stored(say, "Q3 retro", tier="long")
        self.m4 = stored(say, "We use Postgres", tier="long")
        self.m5 = stored(say, "Migrated to MySQL", tier="long")
        self.m6 = stored(say, "Postgres steps")
        clock.advance(hours=1)
        for source, target, relation in (
            (self.m1, self.m2, "related_to"),
            (self.m2, self.m1, "supersedes"),
            (self.m3, self.m2, "derived_from"),
            (self.m5, self.m4, "contradicts"),
            (self.m6, self.m4, "derived_from"),
        ):
            say("memory_link", source_id=source, target_id=target, relation=relation)


@pytest.fixture
def graph(say: Say, clock: HandClock) -> Graph:
    return Graph(say, clock)


def test_the_graph_is_walked_as_the_page_shows(say: Say, graph: Graph, clock: HandClock) -> None:
    answer = say(
        "memory_kg_query",
        start_id=graph.m3,
        relations=["supersedes", "derived_from"],
        depth=3,
        as_of=clock.now.isoformat(),
    )
    assert [node["id"] for node in answer["nodes"]] == [graph.m3, graph.m2, graph.m1]
    assert [(edge["relation"], edge["depth"]) for edge in answer["edges"]] == [("derived_from", 1), ("supersedes", 2)]
    assert (answer["depth_reached"], answer["edges_walked"], answer["count"]) == (2, 2, 2)


EDGE_FIELDS = {
    "source_id", "target_id", "relation", "valid_from", "valid_until", "observed_by", "signature", "depth", "path",
    "attest_level",
}  # fmt: skip
NODE_FIELDS = {"id", "type", "kind", "title", "content", "namespace", "depth"}


def test_every_field_of_a_walk_is_there(say: Say, graph: Graph) -> None:
    answer = say("memory_kg_query", start_id=graph.m3)
    assert set(answer) == {
        "nodes", "edges", "depth_reached", "edges_walked", "memories", "paths", "count", "truncated",
    }  # fmt: skip
    assert all(set(one) == EDGE_FIELDS for one in answer["edges"])
    assert all(set(one) == NODE_FIELDS for one in answer["nodes"])
    assert all(set(one) == EDGE_FIELDS | NODE_FIELDS | {"target_namespace"} for one in answer["memories"])
    first = answer["memories"][0]
    assert (first["target_id"], first["title"], first["path"]) == (graph.m2, "Q3 OKR review", [graph.m3, graph.m2])
    assert answer["paths"][0] == [graph.m3, graph.m2]


def test_every_hop_must_be_valid_and_not_only_the_first(say: Say, graph: Graph, clock: HandClock) -> None:
    """The query that the page shows leaves later hops unchecked; here a closed edge ends the walk wherever it is."""
    before = clock.now
    clock.advance(days=1)
    say("memory_kg_invalidate", source_id=graph.m2, target_id=graph.m1, relation="supersedes")
    now = say("memory_kg_query", start_id=graph.m3, relations=["supersedes", "derived_from"])
    assert [one["relation"] for one in now["edges"]] == ["derived_from"]
    then = say("memory_kg_query", start_id=graph.m3, relations="supersedes,derived_from", as_of=before.isoformat())
    assert [one["relation"] for one in then["edges"]] == ["derived_from", "supersedes"]
    all_of_them = say(
        "memory_kg_query", start_id=graph.m3, relations=["supersedes", "derived_from"], include_invalidated=True
    )
    assert all_of_them["edges_walked"] == 2


def test_the_start_of_a_window_is_inclusive_and_as_of_speaks_of_edges_not_of_nodes(say: Say) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    linked = say("memory_link", source_id=one, target_id=two, valid_from="2001-01-01T00:00:00Z")
    assert linked["valid_from"] == "2001-01-01T00:00:00Z"
    assert say("memory_kg_query", start_id=one, as_of="2001-01-01T00:00:00Z")["count"] == 1
    assert say("memory_kg_query", start_id=one, as_of="2000-12-31T23:59:59Z")["count"] == 0


def test_depth_is_three_unless_said(say: Say) -> None:
    chain = [stored(say, f"n{number}") for number in range(10)]
    for one, other in itertools.pairwise(chain):
        say("memory_link", source_id=one, target_id=other)
    assert say("memory_kg_query", start_id=chain[0])["depth_reached"] == 3
    assert say("memory_kg_query", start_id=chain[0], depth=8)["depth_reached"] == 8
    say("memory_link", source_id=chain[9], target_id=chain[0])
    assert say("memory_kg_query", start_id=chain[5], depth=8)["edges_walked"] == 8


def test_from_an_entity_the_memories_about_it_are_found(say: Say, mem: Treering) -> None:
    entity = say("memory_entity_register", canonical_name="AlphaOne", namespace="lab")["entity_id"]
    about = mem.add("AlphaOne ships in May", entities=["AlphaOne"]).id
    answer = say("memory_kg_query", start_id=entity, depth=1)
    assert [(one["relation"], one["path"]) for one in answer["edges"]] == [("about_entity", [entity, about])]
    assert [one["type"] for one in answer["nodes"]] == ["entity", "memory"]


def test_the_timeline_is_as_the_page_shows(say: Say, clock: HandClock) -> None:
    draft, review, other = (stored(say, title) for title in ("Q3 OKR draft", "Q3 OKR review", "Q3 plan"))
    clock.advance(days=200)
    for target, relation, since in ((review, "related_to", "03-15"), (other, "supersedes", "04-01")):
        say("memory_link", source_id=draft, target_id=target, relation=relation, valid_from=f"2026-{since}T00:00:00Z")
    say(
        "memory_kg_invalidate",
        source_id=draft,
        target_id=review,
        relation="related_to",
        valid_until="2026-04-20T00:00:00Z",
    )
    answer = say("memory_kg_timeline", node_id=draft, since="2026-01-01T00:00:00Z", until="2026-04-30T00:00:00Z")
    assert [(one["at"], one["type"], one["relation"], one["target_id"]) for one in answer["events"]] == [
        ("2026-03-15T00:00:00Z", "edge_added", "related_to", review),
        ("2026-04-01T00:00:00Z", "edge_added", "supersedes", other),
        ("2026-04-20T00:00:00Z", "edge_invalidated", "related_to", review),
    ]
    fields = {"at", "type", "relation", "source_id", "target_id", "valid_from", "valid_until"}
    assert all(set(one) == fields for one in answer["events"])
    some = say("memory_kg_timeline", node_id=draft, relations=["supersedes", "contradicts"])
    assert [one["relation"] for one in some["events"]] == ["supersedes"]
    seen_from_the_other_side = say("memory_kg_timeline", node_id=other, relations=["supersedes"])
    assert [(one["type"], one["source_id"]) for one in seen_from_the_other_side["events"]] == [("edge_added", draft)]


def test_an_edge_is_invalidated_as_the_page_shows(say: Say, clock: HandClock) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    say("memory_link", source_id=one, target_id=two)
    clock.now = clock.now.replace(year=2026, month=4, day=27, hour=5, minute=30)
    answer = say("memory_kg_invalidate", source_id=one, target_id=two, relation="related_to")
    assert answer == {
        "found": True,
        "invalidated": True,
        "valid_until": "2026-04-27T05:30:00Z",
        "previous_valid_until": None,
    }
    clock.advance(days=1)
    again = say("memory_kg_invalidate", source_id=one, target_id=two, relation="related_to")
    assert (again["valid_until"], again["previous_valid_until"]) == ("2026-04-27T05:30:00Z",) * 2
    assert say("memory_kg_query", start_id=one)["edges"] == []
    assert say("memory_kg_query", start_id=one, as_of="2026-04-27T05:29:59Z")["count"] == 1
    assert [event["type"] for event in say("memory_kg_timeline", node_id=one)["events"]] == [
        "edge_added",
        "edge_invalidated",
    ]


@pytest.mark.parametrize("target", [NEVER, None])
def test_an_edge_that_is_not_there_is_not_found_and_nothing_is_changed(
    say: Say, mem: Treering, target: str | None
) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    seq = mem.status().seq
    answer = say("memory_kg_invalidate", source_id=one, target_id=target or two, relation="related_to")
    assert answer == {"found": False, "invalidated": False, "valid_until": None, "previous_valid_until": None}
    assert mem.status().seq == seq


def test_a_link_is_answered_and_not_doubled(say: Say) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    first = say("memory_link", source_id=one, target_id=two, relation="kg_related_to")
    assert first["linked"] is first["created"] is True
    assert set(first) == {
        "linked", "created", "id", "source_id", "target_id", "relation", "created_at", "valid_from", "valid_until",
        "observed_by", "signature", "attest_level",
    }  # fmt: skip
    assert (first["relation"], first["observed_by"], first["attest_level"]) == ("related_to", "ann", "unsigned")
    again = say("memory_link", source_id=one, target_id=two)
    assert (again["created"], again["id"]) == (False, first["id"])


# memories


MEMORY_FIELDS = {
    "id", "title", "content", "tier", "namespace", "tags", "priority", "confidence", "source", "access_count",
    "created_at", "updated_at", "last_accessed_at", "expires_at", "metadata",
}  # fmt: skip


def test_a_memory_is_stored_with_every_field_and_given_back(say: Say) -> None:
    given = {
        "title": "Project uses PostgreSQL 15",
        "content": "The main database is PostgreSQL 15 with pgvector for embeddings.",
        "tier": "long",
        "namespace": "My-App:Prod",
        "tags": ["database", "infrastructure"],
        "priority": 8,
        "confidence": 0.9,
        "source": "user",
        "metadata": {"agent_id": "planner", "topic": "database", "written_by": "ann"},
        "expires_at": "2030-01-01T00:00:00Z",
    }
    told = say("memory_store", **given)
    assert set(told) == MEMORY_FIELDS
    assert {name: told[name] for name in given} == given
    assert (told["created_at"], told["access_count"]) == ("2026-01-01T12:00:00Z", 0)
    got = say("memory_get", id=told["id"])
    assert {name: got[name] for name in given} == given
    assert got["links"] == []


def test_asking_for_a_memory_counts_as_an_access_and_listing_does_not(say: Say, clock: HandClock) -> None:
    memory = stored(say, "Tea", "Ann likes tea")
    seen = say("memory_list")["memories"][0]
    assert (seen["access_count"], seen["last_accessed_at"]) == (0, None)
    for count in (1, 2):
        at = clock.advance(hours=1)
        got = say("memory_get", id=memory)
        assert (got["access_count"], got["last_accessed_at"]) == (count, at.isoformat().replace("+00:00", "Z"))
    assert say("memory_list")["memories"][0]["access_count"] == 2


def test_what_is_left_out_is_as_that_system_has_it(say: Say) -> None:
    told = say("memory_store", title="t", content="c")
    assert (told["tier"], told["priority"], told["confidence"], told["source"]) == ("mid", 5, 1.0, "claude")
    assert (told["namespace"], told["tags"], told["metadata"]) == ("lab", [], {"agent_id": "ann"})


@pytest.mark.parametrize("content", ["c" * 65_536, "x" * 50_000 + "the end", " kept\r\nto the \tcharacter ☃ "])
def test_content_is_kept_to_the_character(say: Say, content: str) -> None:
    memory = stored(say, "long", content)
    assert say("memory_get", id=memory)["content"] == content


def test_near_duplicates_and_the_same_title_are_stored_as_written(say: Say) -> None:
    ids = {stored(say, "Tea", "Ann likes tea.") for _ in range(3)}
    assert len(ids) == say("memory_list")["count"] == 3


def test_fields_that_nobody_knows_are_kept(say: Say) -> None:
    memory = stored(say, "t", "c", scope="team", session_id="s1")
    got = say("memory_get", id=memory)
    assert (got["scope"], got["session_id"]) == ("team", "s1")
    assert [one["id"] for one in say("memory_list", session_id="s1")["memories"]] == [memory]
    assert say("memory_list", session_id="s2")["memories"] == []


def test_memories_are_listed_by_namespace_tier_and_agent_the_newest_first(say: Say, clock: HandClock) -> None:
    ids = {}
    for name, tier, agent in (("a", "short", "x"), ("a", "long", "y"), ("b:c", "long", "x")):
        ids[name, tier] = stored(say, "t", "c", namespace=name, tier=tier, metadata={"agent_id": agent})
        clock.advance(hours=1)
    assert [one["id"] for one in say("memory_list", namespace="a")["memories"]] == [ids["a", "long"], ids["a", "short"]]
    assert say("memory_list")["count"] == 3
    assert say("memory_list", tier="long")["count"] == 2
    assert say("memory_list", agent_id="x")["count"] == 2
    assert say("memory_list", limit=1, namespace="a")["count"] == 1
    assert set(say("memory_list", namespace="b:c")["memories"][0]) == MEMORY_FIELDS
    assert say("memory_list", namespace="nowhere") == {"memories": [], "count": 0}


def test_a_question_recalls_the_best_first_with_what_contradicts_it(say: Say, clock: HandClock) -> None:
    postgres = stored(say, "Database", "We use Postgres for the database", namespace="x")
    mysql = stored(say, "Database", "We migrated the database to MySQL", namespace="x", tags=["move"])
    stored(say, "Lunch", "The canteen has soup on Fridays", namespace="y")
    say("memory_link", source_id=mysql, target_id=postgres, relation="contradicts")
    answer = say("memory_recall", context="Which database do we use?", namespace="x")
    assert set(answer) == {"memories", "count", "mode"}
    assert {one["id"] for one in answer["memories"]} == {postgres, mysql}
    assert all(set(one) == MEMORY_FIELDS | {"score", "contradicted_by", "contradictions"} for one in answer["memories"])
    assert {one["id"]: one["contradicted_by"] for one in answer["memories"]} == {postgres: [mysql], mysql: [postgres]}
    scores = [one["score"] for one in answer["memories"]]
    assert scores == sorted(scores, reverse=True)
    assert say("memory_recall", context="Which database?", namespace="x", limit=1)["count"] == 1
    assert [one["id"] for one in say("memory_recall", context="database", tags="move")["memories"]] == [mysql]
    assert say("memory_recall", context="soup on Fridays")["memories"][0]["title"] == "Lunch"


def test_memories_are_forgotten_by_id_pattern_tier_and_namespace_and_can_be_restored(say: Say, mem: Treering) -> None:
    keep = stored(say, "Keep", "the red door", namespace="a", tier="long")
    gone = [stored(say, f"Gone {n}", "the RED car", namespace="a", tier="short") for n in range(2)]
    other = stored(say, "Other", "the red car", namespace="b")
    dry = say("memory_forget", namespace="a", pattern="red car", dry_run=True)
    assert (dry["deleted"], sorted(dry["ids"]), dry["dry_run"]) == (2, sorted(gone), True)
    assert say("memory_list", namespace="a")["count"] == 3
    assert say("memory_forget", namespace="a", pattern="red car")["forgotten"] == 2
    assert {one["id"] for one in say("memory_list")["memories"]} == {keep, other}
    assert say("memory_forget", namespace="a", pattern="red car")["deleted"] == 0
    assert say("memory_forget", ids=[other])["ids"] == [other]
    mem.restore(other, space="b")
    assert say("memory_list", namespace="b")["count"] == 1
    assert say("memory_forget", tier="long")["ids"] == [keep]
    with pytest.raises(InvalidRequest, match="ids: say what to forget"):
        say("memory_forget")
    again = stored(say, "Gone 0", "the same title again", namespace="a")
    assert again not in gone


def test_several_memories_become_one_that_is_derived_from_each(say: Say, doors: Doors, clock: HandClock) -> None:
    notes = [
        stored(say, f"Week {n}", f"Note {n}", tags=[f"w{n}"], metadata={"agent_id": agent}, priority=n + 5)
        for n, agent in enumerate(("ann", "bob", "ann"))
    ]
    clock.advance(hours=1)
    made = say("memory_consolidate", ids=notes, title="Q3 retro", summary="It went well.")
    assert (made["consolidated"], made["tier"], made["content"], made["title"]) == (
        3,
        "long",
        "It went well.",
        "Q3 retro",
    )
    assert made["metadata"]["consolidated_from_agents"] == ["ann", "bob"]
    assert (made["tags"], made["priority"], made["source"]) == (["w0", "w1", "w2"], 7, "consolidation")
    walked = say("memory_kg_query", start_id=made["id"], relations=["derived_from"])
    assert sorted(edge["target_id"] for edge in walked["edges"]) == sorted(notes)
    assert [say("memory_get", id=one)["content"] for one in notes] == ["Note 0", "Note 1", "Note 2"]
    of_itself = say("memory_consolidate", ids=notes[:2], title="Two weeks")
    assert (of_itself["content"], of_itself["auto_summary"]) == ("Note 0\n\nNote 1", True)


def test_a_consolidation_that_cannot_be_made_leaves_nothing(say: Say, mem: Treering) -> None:
    one, other = stored(say, "one", namespace="a"), stored(say, "other", namespace="b")
    for wrong, said in (
        ({"ids": [one, NEVER]}, "ids: there is no memory"),
        ({"ids": [one, other]}, "namespace: a, b are several"),
        ({"ids": [one, one]}, "ids: give at least two different memories"),
    ):
        with pytest.raises((InvalidRequest, NotFound), match=said):
            say("memory_consolidate", title="t", **wrong)
    assert say("memory_list")["count"] == 2


def test_two_memories_that_contradict_each_other_are_found_and_linked(say: Say) -> None:
    postgres = stored(say, "Use PostgreSQL 15", "We use Postgres", metadata={"topic": "database"})
    mysql = stored(say, "Use MySQL 8", "We migrated to MySQL", metadata={"topic": "database"})
    tea = stored(say, "Tea", "Ann likes tea")
    assert say("memory_detect_contradiction", id_a=postgres, id_b=tea)["contradicts"] is False
    same = [stored(say, "Twice", "The same", metadata={"topic": "twice"}) for _ in range(2)]
    assert say("memory_detect_contradiction", id_a=same[0], id_b=same[1])["contradicts"] is False
    found = say("memory_detect_contradiction", id_a=postgres, id_b=mysql)
    assert found == {
        "contradicts": True,
        "memory_a": {"id": postgres, "title": "Use PostgreSQL 15"},
        "memory_b": {"id": mysql, "title": "Use MySQL 8"},
    }
    links = say("memory_get", id=mysql)["links"]
    assert [(one["source_id"], one["target_id"], one["relation"]) for one in links] == [
        (mysql, postgres, "contradicts")
    ]
    assert say("memory_detect_contradiction", id_a=mysql, id_b=postgres)["contradicts"] is True
    assert len(say("memory_get", id=mysql)["links"]) == 1


def test_a_topic_gives_its_memories_and_those_that_clash(say: Say) -> None:
    blue = stored(say, "Sky", "The sky is blue", namespace="n", metadata={"topic": "sky-colour"})
    red = stored(say, "Dusk", "At dusk it is red", namespace="n", metadata={"topic": "sky-colour"})
    stored(say, "Tea", "Ann likes tea", namespace="n")
    answer = say("memory_detect_contradiction", topic="sky-colour", namespace="n")
    assert {one["id"] for one in answer["memories"]} == {blue, red}
    assert answer["links"] == [{"source_id": red, "target_id": blue, "relation": "contradicts", "linked": False}]
    by_text = say("memory_detect_contradiction", topic="the SKY", namespace="n")
    assert [one["id"] for one in by_text["memories"]] == [blue]
    with pytest.raises(InvalidRequest, match="give two memories, id_a and id_b, or a topic"):
        say("memory_detect_contradiction", id_a=blue)


# beyond one namespace and one person


def test_an_id_is_found_in_whatever_namespace_it_is(say: Say) -> None:
    one = stored(say, "one", namespace="Deep:Down/below")
    other = stored(say, "other", namespace="Deep:Down/below")
    assert say("memory_link", source_id=one, target_id=other)["linked"]
    assert say("memory_kg_query", start_id=one)["count"] == 1
    assert say("memory_kg_query", start_id=one, namespace="Deep:Down/below")["count"] == 1
    with pytest.raises(NotFound, match="start_id"):
        say("memory_kg_query", start_id=one, namespace="elsewhere")
    for name, arguments in {
        "memory_get": {"id": NEVER},
        "memory_kg_query": {"start_id": NEVER},
        "memory_kg_timeline": {"node_id": NEVER},
        "memory_link": {"source_id": NEVER, "target_id": one},
        "memory_forget": {"ids": [NEVER]},
    }.items():
        with pytest.raises(NotFound, match=NEVER):
            say(name, **arguments)


def test_what_is_private_to_another_is_as_if_it_were_not_there(say: Say, doors: Doors) -> None:
    bob = doors("bob")
    secret = bob.add("The vault code", visibility="private", title="Vault").id
    with pytest.raises(NotFound) as told:
        say("memory_get", id=secret)
    with pytest.raises(NotFound) as untold:
        say("memory_get", id=NEVER)
    assert str(told.value).replace(secret, NEVER) == str(untold.value)
    assert say("memory_list")["count"] == say("memory_recall", context="vault code")["count"] == 0


def test_who_may_see_only_some_spaces_finds_what_is_there_and_nothing_else(mem: Treering, clock: HandClock) -> None:
    open_, shut = (
        AI_MEMORY.answer(mem, "memory_store", {"title": name, "content": "the tea", "namespace": f"team/{name}"})["id"]
        for name in ("open", "shut")
    )
    key = ApiKey(id="k", name="agent", role=Role.READ, spaces=("team/open",), created_at=clock.now)
    seen = guarded(mem, by_key(key))
    assert AI_MEMORY.answer(seen, "memory_get", {"id": open_})["title"] == "open"
    assert [one["id"] for one in AI_MEMORY.answer(seen, "memory_list", {})["memories"]] == [open_]
    assert [one["id"] for one in AI_MEMORY.answer(seen, "memory_recall", {"context": "tea"})["memories"]] == [open_]
    with pytest.raises(NotFound, match="there is no memory"):
        AI_MEMORY.answer(seen, "memory_get", {"id": shut})
    with pytest.raises(Forbidden):
        AI_MEMORY.answer(seen, "memory_store", {"title": "t", "content": "c", "namespace": "team/open"})


def test_memories_of_all_namespaces_are_listed_together_the_newest_first(
    say: Say, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_PAGE", 1)
    made = []
    for name in ("b", "a", "c", "a"):
        made.append(stored(say, "t", "c", namespace=name))
        clock.advance(hours=1)
    assert [one["id"] for one in say("memory_list")["memories"]] == made[::-1]
    assert [one["id"] for one in say("memory_list", limit=2)["memories"]] == made[:1:-1]


# errors and routes


def test_an_error_has_that_systems_shape_and_is_none_of_its_answers() -> None:
    told = AI_MEMORY.fault(NotFound("id: there is no memory"))
    assert told == {"error": "id: there is no memory", "code": "not_found"}
    assert not AI_MEMORY.faults_are_answers


def test_routes_are_the_tools_where_that_system_has_them(mem: Treering) -> None:
    routes = {(one.method, one.path): one for one in AI_MEMORY.routes}
    assert len(routes) == len(AI_MEMORY.routes)
    assert AI_MEMORY.prefix == "/api/v1"
    assert {one.tool.name for one in routes.values()} >= set(AI_MEMORY.tools) - {"memory_recall"}
    made = routes["POST", "/memories"](mem, {"title": "t", "content": "c"})
    assert routes["POST", "/memories"].status == 201
    got = routes["GET", "/memories/{id}"](mem, {"id": made["id"]})
    assert (got["memory"]["content"], got["links"]) == ("c", [])
    assert routes["GET", "/memories"](mem, {"limit": "5"})["count"] == 1
    assert routes["GET", "/search"](mem, {"q": "c", "namespace": "lab"})["count"] == 1
    assert routes["DELETE", "/memories/{id}"](mem, {"id": made["id"]})["deleted"] is True

"""The dialect of ai-memory: its memories with every field, beyond one namespace and one person, and its errors."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock
from tests.faces.dialects.ai_memory_said import AI_MEMORY, NEVER, Say, say, stored

from treering.access.keys import ApiKey, Role
from treering.door import Treering
from treering.errors import Forbidden, InvalidRequest, NotFound
from treering.faces.dialects.ai_memory import places
from treering.faces.rest.caller import by_key
from treering.faces.rest.guarded import guarded

__all__ = ["say"]


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

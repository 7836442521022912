"""ai-memory's graph over HTTP: links, entities and walks, in one namespace and across several."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import HandClock
from tests.faces.rest.ai_memory import NS, Calls, call, elsewhere, ends_of
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing

from treering.door import Treering

__all__ = ["call"]


def test_a_link_is_stored_walked_closed_and_still_there_in_the_past(call: Calls, clock: HandClock) -> None:
    a, b, c = (call.stored(name) for name in "ABC")
    since = "2020-01-01T00:00:00Z"
    linked = call.ok(
        "POST", "/links", {"source_id": a, "target_id": b, "relation": "kg_related_to", "valid_from": since}, 201
    )
    assert (linked["relation"], linked["valid_from"][:10]) == ("related_to", "2020-01-01")
    call.ok("POST", "/links", {"source_id": b, "target_id": c, "relation": "derived_from", "valid_from": since}, 201)
    for one, ends in ((a, {(a, b)}), (b, {(a, b), (b, c)}), (c, {(b, c)})):
        told = call.ok("GET", f"/links/{one}")["links"]
        assert {(link["source_id"], link["target_id"]) for link in told} == ends
    then = call.ok("POST", "/kg/query", {"start_id": a, "as_of": since})
    assert set(then) >= {"nodes", "edges", "memories", "paths", "depth_reached", "edges_walked", "count"}
    assert [(e["target_id"], e["relation"], e["depth"], e["path"]) for e in then["edges"]] == [
        (b, "related_to", 1, [a, b]),
        (c, "derived_from", 2, [a, b, c]),
    ]
    assert (then["count"], then["depth_reached"], then["edges_walked"], then["paths"]) == (
        2,
        2,
        2,
        [[a, b], [a, b, c]],
    )
    assert [one["id"] for one in then["nodes"]] == [a, b, c]
    assert all(edge["valid_until"] is None and edge["valid_from"][:10] == "2020-01-01" for edge in then["edges"])
    assert call.ok("POST", "/kg/query", {"source_id": a, "valid_at": "2019-12-31T23:59:59Z"})["count"] == 0
    assert call.ok("POST", "/kg/query", {"start_id": a, "max_depth": 1})["count"] == 1
    assert call.ok("POST", "/kg/query", {"start_id": a, "relations": ["derived_from"]})["count"] == 0
    until = "2021-01-01T00:00:00Z"
    ends = {"source_id": a, "target_id": b, "relation": "related_to"}
    closed = call.ok("POST", "/kg/invalidate", {**ends, "valid_until": until})
    assert (closed["found"], closed["invalidated"], closed["previous_valid_until"]) == (True, True, None)
    assert closed["valid_until"][:10] == "2021-01-01"
    assert call.ok("POST", "/kg/query", {"start_id": a})["count"] == 0
    assert call.ok("POST", "/kg/query", {"start_id": a, "as_of": until})["count"] == 0
    assert call.ok("POST", "/kg/query", {"start_id": a, "as_of": "2020-12-31T23:59:59Z"})["count"] == 2
    assert call.ok("POST", "/kg/query", {"start_id": a, "include_invalidated": True})["count"] == 2
    events = call.ok("GET", "/kg/timeline", source_id=a)["events"]
    assert [(e["type"], e["relation"], e["at"][:10]) for e in events] == [
        ("edge_added", "related_to", "2020-01-01"),
        ("edge_invalidated", "related_to", "2021-01-01"),
    ]
    assert set(events[0]) == {"at", "type", "relation", "source_id", "target_id", "valid_from", "valid_until"}
    assert [e["type"] for e in call.ok("GET", "/kg/timeline", node_id=a, since="2020-06-01T00:00:00Z")["events"]] == [
        "edge_invalidated"
    ]
    absent = call.ok("POST", "/kg/invalidate", {**ends, "source_id": c})
    assert (absent["found"], absent["invalidated"]) == (False, False)


def test_links_that_a_rule_made_are_walked_only_if_asked_for(call: Calls, served: Treering) -> None:
    told = served.add("Ada works at Google", title="Ada", entities=["Ada"])
    space = told.space
    newer = served.revise(told.id, "Ada works at Anthropic").id
    other = served.add("Ada likes tea").id
    served.link(newer, other, space=space)
    stated = call.ok("POST", "/kg/query", {"start_id": newer})
    assert [(edge["relation"], edge["target_id"]) for edge in stated["edges"]] == [("related_to", other)]
    every = call.ok("POST", "/kg/query", {"start_id": newer, "include_automatic": True})
    assert {edge["relation"] for edge in every["edges"]} == {"related_to", "supersedes", "about_entity"}
    about = call.ok("POST", "/kg/query", {"start_id": served.entity_get("Ada").id})
    assert {newer, told.id} <= {node["id"] for node in about["nodes"]}
    assert [link["relation"] for link in call.ok("GET", f"/links/{newer}")["links"]] == ["related_to"]


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("GET", "/search", None, "q: field required"),
        ("GET", "/recall", None, "context: field required"),
        ("POST", "/recall", {"limit": 3}, "context: field required"),
        ("POST", "/entities", {"canonical_name": " "}, "canonical_name: is empty"),
        ("POST", "/memories", {"title": "t", "content": "c", "metadata": {"x": "y" * 70_000}}, "metadata: "),
    ],
)
def test_an_error_speaks_of_what_was_asked_by_its_name_there(
    call: Calls, method: str, path: str, body: Any, told: str
) -> None:
    answer = call(method, path, body)
    assert answer.status_code in (400, 413)
    assert answer.json()["error"].startswith(told)


def test_an_edge_cannot_end_before_it_began_and_the_error_names_the_field(call: Calls) -> None:
    ends = {"source_id": call.stored("One"), "target_id": call.stored("Two"), "relation": "related_to"}
    call.ok("POST", "/links", ends, 201)
    told = call("POST", "/kg/invalidate", {**ends, "valid_until": "1990-01-01T00:00:00Z"})
    assert told.json()["error"].startswith("valid_until: 1990-01-01T00:00:00Z lies before the edge begins")
    itself = call("POST", "/links", {**ends, "target_id": ends["source_id"]})
    assert itself.json()["error"].startswith("target_id: ")


def test_an_entity_answers_to_its_aliases_in_its_namespace(call: Calls) -> None:
    body = {"canonical_name": "AlphaOne LLC", "namespace": NS, "aliases": ["AO", "alpha-one"], "kind": "organization"}
    made = call.ok("POST", "/entities", body, 201)
    assert (made["created"], made["aliases"], made["aliases_added"]) == (True, ["AO", "alpha-one"], ["AO", "alpha-one"])
    again = call.ok("POST", "/entities", {**body, "aliases": ["AO", "A1"]}, 201)
    assert (again["entity_id"], again["created"], again["aliases_added"]) == (made["entity_id"], False, ["A1"])
    for path in ("/entities/by_alias", "/entities/by-alias"):
        known = call.ok("GET", path, alias="A1", namespace=NS)
        assert (known["entity_id"], known["aliases"]) == (made["entity_id"], ["AO", "alpha-one", "A1"])
        assert call("GET", path, alias="A1", namespace="elsewhere").status_code == 404
    assert call.ok("POST", "/entities", {**body, "namespace": "elsewhere"}, 201)["entity_id"] != made["entity_id"]
    title = call.stored("Taken")
    assert call("POST", "/entities", {"canonical_name": "Taken", "namespace": NS}).status_code == 409
    call.ok("DELETE", f"/memories/{title}")
    assert call.ok("POST", "/entities", {"canonical_name": "Taken", "namespace": NS}, 201)["created"] is True


def test_an_entity_is_linked_like_a_memory(call: Calls) -> None:
    entity = call.ok("POST", "/entities", {"canonical_name": "Orion", "namespace": NS}, 201)["entity_id"]
    other = call.ok("POST", "/entities", {"canonical_name": "Vega", "namespace": NS}, 201)["entity_id"]
    note = call.stored("Note", "Orion ships in May")
    assert call.ok("GET", f"/links/{entity}")["links"] == []
    since = {"valid_from": "2024-01-01T00:00:00Z"}
    made = call.ok("POST", "/links", {"source_id": note, "target_id": entity, **since}, 201)
    assert (made["source_id"], made["target_id"], made["created"]) == (note, entity, True)
    again = call.ok("POST", "/links", {"source_id": note, "target_id": entity, **since}, 201)
    assert again["created"] is False
    call.ok("POST", "/links", {"source_id": entity, "target_id": other, **since}, 201)
    for one in (entity, note, other):
        ends = {(link["source_id"], link["target_id"]) for link in call.ok("GET", f"/links/{one}")["links"]}
        assert ends == {(note, entity), (entity, other)} if one == entity else len(ends) == 1
    from_note = call.ok("POST", "/kg/query", {"start_id": note})
    assert [(edge["target_id"], edge["path"]) for edge in from_note["edges"]] == [
        (entity, [note, entity]),
        (other, [note, entity, other]),
    ]
    assert [(node["id"], node["type"]) for node in from_note["nodes"]][1:] == [(entity, "entity"), (other, "entity")]
    from_entity = call.ok("POST", "/kg/query", {"start_id": entity})
    assert {edge["path"][-1] for edge in from_entity["edges"]} == {note, other}
    events = call.ok("GET", "/kg/timeline", node_id=entity)["events"]
    assert {(event["source_id"], event["target_id"]) for event in events} == {(note, entity), (entity, other)}
    ends = {"source_id": note, "target_id": entity, "relation": "related_to"}
    assert call.ok("POST", "/kg/invalidate", ends)["invalidated"] is True
    assert call.ok("POST", "/kg/query", {"start_id": note})["count"] == 0
    assert call.ok("POST", "/entities", {"canonical_name": "Orion", "namespace": NS}, 201)["entity_id"] == entity
    assert call.ids() == [note]


def test_a_walk_of_the_past_shows_what_its_memories_say_by_now(call: Calls, clock: HandClock) -> None:
    one, other = call.stored("A", "First"), call.stored("B", "Second")
    since = clock.now.isoformat()
    call.ok("POST", "/links", {"source_id": one, "target_id": other, "valid_from": since}, 201)
    clock.advance(hours=1)
    call.ok("PUT", f"/memories/{other}", {"content": "Third"})
    clock.advance(hours=1)
    for as_of in (since, None):
        walk = call.ok("POST", "/kg/query", {"start_id": one, "as_of": as_of})
        assert [node["content"] for node in walk["nodes"]] == ["First", "Third"]


def test_memories_of_two_namespaces_are_linked_and_seen_from_both(call: Calls) -> None:
    one, other = call.stored("Draft"), elsewhere(call, "Review")
    since = {"valid_from": "2024-01-01T00:00:00Z"}
    made = call.ok("POST", "/links", {"source_id": one, "target_id": other, **since}, 201)
    assert (made["source_id"], made["target_id"], made["created"]) == (one, other, True)
    assert call.ok("POST", "/links", {"source_id": one, "target_id": other, **since}, 201)["created"] is False
    for node in (one, other):
        [link] = call.ok("GET", f"/links/{node}")["links"]
        assert ends_of([link]) == [(one, "related_to", other)]
        assert link["valid_from"][:10] == "2024-01-01"
        [event] = call.ok("GET", "/kg/timeline", node_id=node)["events"]
        assert (event["source_id"], event["target_id"], event["at"][:10]) == (one, other, "2024-01-01")
    assert ends_of(call.ok("GET", f"/memories/{other}")["links"]) == [(one, "related_to", other)]


def test_a_walk_goes_on_in_another_namespace_and_back(call: Calls) -> None:
    a, b, c, d = call.stored("A"), elsewhere(call, "B"), elsewhere(call, "C"), call.stored("D")
    for source, target in ((a, b), (b, c), (c, d)):
        call.ok("POST", "/links", {"source_id": source, "target_id": target}, 201)
    told = call.ok("POST", "/kg/query", {"start_id": a, "depth": 8})
    assert [(edge["source_id"], edge["target_id"], edge["depth"]) for edge in told["edges"]] == [
        (a, b, 1), (b, c, 2), (c, d, 3),
    ]  # fmt: skip
    assert told["paths"] == [[a, b], [a, b, c], [a, b, c, d]]
    assert [(node["id"], node["title"], node["namespace"]) for node in told["nodes"]] == [
        (a, "A", NS), (b, "B", "team/other"), (c, "C", "team/other"), (d, "D", NS),
    ]  # fmt: skip
    assert [one["target_namespace"] for one in told["memories"]] == ["team/other", "team/other", NS]
    assert call.ok("POST", "/kg/query", {"start_id": a, "depth": 2})["paths"] == [[a, b], [a, b, c]]
    assert call.ok("POST", "/kg/query", {"start_id": a, "depth": 1})["nodes"][1]["title"] == "B"
    assert call.ok("POST", "/kg/query", {"start_id": a, "depth": 8, "namespace": NS})["paths"] == []


def test_a_circle_over_two_namespaces_is_walked_once(call: Calls) -> None:
    a, b = call.stored("A"), elsewhere(call, "B")
    call.ok("POST", "/links", {"source_id": a, "target_id": b, "relation": "contradicts"}, 201)
    call.ok("POST", "/links", {"source_id": b, "target_id": a, "relation": "related_to"}, 201)
    told = call.ok("POST", "/kg/query", {"start_id": a, "depth": 8})
    assert sorted(ends_of(told["edges"])) == sorted([(a, "contradicts", b), (b, "related_to", a)])


def test_a_link_between_namespaces_ends_in_both(call: Calls) -> None:
    a, b = call.stored("A"), elsewhere(call, "B")
    call.ok("POST", "/links", {"source_id": a, "target_id": b, "valid_from": "2020-01-01T00:00:00Z"}, 201)
    ends = {"source_id": a, "target_id": b, "relation": "related_to"}
    closed = call.ok("POST", "/kg/invalidate", {**ends, "valid_until": "2021-01-01T00:00:00Z"})
    assert (closed["found"], closed["invalidated"], closed["valid_until"][:10]) == (True, True, "2021-01-01")
    for node in (a, b):
        assert call.ok("POST", "/kg/query", {"start_id": node})["count"] == 0
        assert [one["type"] for one in call.ok("GET", "/kg/timeline", node_id=node)["events"]] == [
            "edge_added", "edge_invalidated",
        ]  # fmt: skip
    then = call.ok("POST", "/kg/query", {"start_id": a, "as_of": "2020-06-01T00:00:00Z"})
    assert then["paths"] == [[a, b]]
    assert call.ok("POST", "/kg/invalidate", {**ends, "source_id": b, "target_id": a})["found"] is False


def test_what_stands_for_another_namespaces_memory_is_no_memory_to_clients(call: Calls) -> None:
    a, b = call.stored("A"), elsewhere(call, "B", content="The launch is in May")
    call.ok("POST", "/links", {"source_id": a, "target_id": b, "relation": "supersedes"}, 201)
    assert call.ids() == [a]
    assert call.ids(namespace="team/other") == [b]
    assert sorted(one["id"] for one in call.ok("GET", "/memories")["memories"]) == sorted([a, b])
    assert call.ok("GET", "/recall", context="launch in May", namespace=NS)["memories"] == []
    assert call.ok("POST", "/kg/invalidate", {"source_id": a, "target_id": b, "relation": "supersedes"})["found"]


def test_an_entity_of_another_namespace_is_linked_too(call: Calls) -> None:
    note = call.stored("Note")
    entity = call.ok("POST", "/entities", {"canonical_name": "Orion", "namespace": "team/other"}, 201)["entity_id"]
    call.ok("POST", "/links", {"source_id": note, "target_id": entity}, 201)
    told = call.ok("POST", "/kg/query", {"start_id": note})
    assert [(node["id"], node["type"], node["title"]) for node in told["nodes"]][1:] == [(entity, "entity", "Orion")]
    assert ends_of(call.ok("GET", f"/links/{entity}")["links"]) == [(note, "related_to", entity)]


def test_who_may_not_read_the_other_namespace_does_not_learn_of_the_link(serving: Serving, served: Treering) -> None:
    both = served.key_create("both", spaces=["*"], role="write").secret
    one = served.key_create("one", spaces=["team/one"], role="write").secret
    http = serving()
    all_of, part = Calls(http, **bearing(both)), Calls(http, **bearing(one))
    a = all_of.stored("A", namespace="team/one")
    b = elsewhere(all_of, "B", content="The code is 4711")
    all_of.ok("POST", "/links", {"source_id": a, "target_id": b}, 201)
    assert part.ok("GET", f"/links/{a}")["links"] == []
    assert part.ok("POST", "/kg/query", {"start_id": a})["edges"] == []
    assert part.ok("GET", "/kg/timeline", node_id=a)["events"] == []
    assert part.ok("GET", "/memories", namespace="team/one")["count"] == 1
    assert all_of.ok("POST", "/kg/query", {"start_id": a})["count"] == 1
    all_of.ok("DELETE", f"/memories/{b}")
    assert all_of.ok("GET", f"/links/{a}")["links"] == []
